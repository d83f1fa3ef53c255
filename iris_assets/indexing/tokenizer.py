"""Tokens of the embedding model's encoding, with the place of each in the text; works offline."""

import itertools
import os
import re
import threading
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from iris_assets.indexing.ranks import RANK_FILES, place_ranks

if TYPE_CHECKING:
    import tiktoken

DEFAULT_ENCODING: Final = "cl100k_base"
CACHE_VARIABLE: Final = "TIKTOKEN_CACHE_DIR"
LONG_RUN: Final = 500  # tiktoken's o200k aborts on a million blanks in a row: longer runs are encoded in pieces
CHARACTERS: Final = 0x0FFF  # how many characters begin in the token
BEGINS_INSIDE: Final = 0x1000  # its first byte continues a character
BEGINS_BLANK: Final = 0x2000
ENDS_BLANK: Final = 0x4000
BLANK_BYTES: Final = frozenset(b" \t\n\v\f\r")

_SURROGATE = re.compile("[\ud800-\udfff]")
_BLANK_RUN = re.compile(r"\s{500,}")
_lock = threading.Lock()
_loaded: dict[str, "Tokenizer"] = {}


@dataclass(frozen=True, slots=True)
class Encoded:
    """The tokens of a text and the borders between them; every array has one entry per border, `len(tokens) + 1`.

    `offsets` are characters; `is_char_border` is False inside a character; `is_word_border` is True at the ends of
    the text and beside a blank.
    """

    tokens: NDArray[np.uint32]
    offsets: NDArray[np.int64]
    is_char_border: NDArray[np.bool_]
    is_word_border: NDArray[np.bool_]


class Tokenizer:
    """One encoding of tiktoken. Text that looks like a special token (`<|endoftext|>`) is ordinary text."""

    def __init__(self, encoding: "tiktoken.Encoding") -> None:
        self.name = encoding.name
        self._encoding = encoding

    def count(self, text: str) -> int:
        """How many tokens the text has."""
        return sum(len(self._encoding.encode_ordinary(piece)) for piece in _safe_pieces(text))

    def encode(self, text: str) -> Encoded:
        """The tokens with their character offsets; whatever the text holds, nothing raises."""
        # An array at once, without a list of numbers between; no special token is allowed and none refused.
        pieces = [self._encoding.encode_to_numpy(piece, disallowed_special=()) for piece in _safe_pieces(text)]
        tokens = pieces[0] if len(pieces) == 1 else np.concatenate(pieces)
        facts = self._facts.take(tokens)
        offsets = np.zeros(len(tokens) + 1, dtype=np.int64)
        np.cumsum(facts & CHARACTERS, out=offsets[1:])
        is_char_border = np.ones(len(tokens) + 1, dtype=np.bool_)
        is_char_border[:-1] = facts & BEGINS_INSIDE == 0
        is_word_border = np.ones(len(tokens) + 1, dtype=np.bool_)
        is_word_border[1:-1] = (facts[1:] & BEGINS_BLANK) | (facts[:-1] & ENDS_BLANK)
        return Encoded(tokens, offsets, is_char_border, is_word_border)

    @cached_property
    def _facts(self) -> NDArray[np.uint16]:
        """What the bytes of each token say, by token number: one table, so that a text is looked up once."""
        facts = np.zeros(self._encoding.n_vocab, dtype=np.uint16)
        for value in self._encoding.token_byte_values():
            facts[self._encoding.encode_single_token(value)] = _facts_of(value)
        return facts


def _facts_of(token: bytes) -> int:
    facts = sum(byte & 0xC0 != 0x80 for byte in token)
    facts |= BEGINS_INSIDE if token[0] & 0xC0 == 0x80 else 0
    facts |= BEGINS_BLANK if token[0] in BLANK_BYTES else 0
    return facts | (ENDS_BLANK if token[-1] in BLANK_BYTES else 0)


def encoding_of(model: str) -> str:
    """The encoding of an embedding model, `cl100k_base` when the model is unknown to tiktoken."""
    from tiktoken.model import encoding_name_for_model

    try:
        name = encoding_name_for_model(model)
    except KeyError:
        return DEFAULT_ENCODING
    return name if name in RANK_FILES else DEFAULT_ENCODING


def tokenizer(encoding: str = DEFAULT_ENCODING, cache: Path | None = None) -> Tokenizer:
    """The tokenizer of an encoding, loaded once per process.

    Its rank file lies in TIKTOKEN_CACHE_DIR when that is set, else in `cache` (default: `cache/tiktoken` of the
    data folder). Raises ConfigurationError with a TOKENIZER_ code.
    """
    with _lock:
        if encoding not in _loaded:
            _loaded[encoding] = Tokenizer(_load(encoding, _folder(cache)))
        return _loaded[encoding]


def _folder(cache: Path | None) -> Path:
    from iris_assets.settings import load_settings, read_environment

    chosen = read_environment().get(CACHE_VARIABLE)
    if chosen:
        return Path(chosen)
    if cache is not None:
        return cache
    return token_cache(load_settings().iris_assets_data)


def token_cache(data: Path) -> Path:
    """Where the rank files lie below the data folder."""
    return data / "cache" / "tiktoken"


def _load(encoding: str, folder: Path) -> Any:
    import tiktoken

    place_ranks(encoding, folder)
    before = os.environ.get(CACHE_VARIABLE)
    os.environ[CACHE_VARIABLE] = str(folder)  # tiktoken knows no other way to be told
    try:
        return tiktoken.get_encoding(encoding)
    finally:
        if before is None:
            del os.environ[CACHE_VARIABLE]
        else:
            os.environ[CACHE_VARIABLE] = before


def _safe_pieces(text: str) -> list[str]:
    """The text in pieces that the encoder survives, nearly always one: see LONG_RUN; lone surrogates replaced."""
    try:
        text.encode()
    except UnicodeEncodeError:
        text = _SURROGATE.sub("\ufffd", text)  # one for one, so that offsets hold
    sampled = text[::LONG_RUN]
    # A run of two samples' length holds two neighbouring samples: nothing longer is missed.
    if not any(a.isspace() and b.isspace() for a, b in itertools.pairwise(sampled)):
        return [text]
    pieces = []
    done = 0
    for run in _BLANK_RUN.finditer(text):
        pieces.append(text[done : run.start()])
        pieces += [text[at : min(at + LONG_RUN, run.end())] for at in range(run.start(), run.end(), LONG_RUN)]
        done = run.end()
    return [*pieces, text[done:]]
