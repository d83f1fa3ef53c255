"""What the models see of a question: hashed features of words, letters, neighbours and slots."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from iris_assets.question.tokens import Token

BUCKETS = 1 << 16
Slots = Sequence[frozenset[str]]  # for each word: what lists and the store know it as
Indexes = NDArray[np.int64]
SHOWN = ("PERSON", "PARTY", "PLACE", "OFFICE", "NUMBER", "YEAR", "REFERENCE", "QUOTE", "PAGE", "TOPIC")


def hashed(features: Iterable[str], more: frozenset[int] = frozenset()) -> Indexes:
    """The buckets of some features, each once, in order, with `more` buckets."""
    return np.array(sorted(more.union([crc32(text.encode()) & (BUCKETS - 1) for text in features])), dtype=np.int64)


@lru_cache(maxsize=50_000)
def _letters(form: str) -> frozenset[int]:
    """The buckets of a word's letters: its endings, beginnings, length and runs of four."""
    padded = f"^{form}$"
    features = [f"s{form[-size:]}" for size in (1, 2, 3, 4)] + [f"p{form[:size]}" for size in (2, 3, 4)]
    features += [f"l{min(len(form), 9)}", *(f"g{padded[i : i + 4]}" for i in range(len(padded) - 3))]
    return frozenset(crc32(text.encode()) & (BUCKETS - 1) for text in features)


@lru_cache(maxsize=50_000)
def _runs(word: str) -> frozenset[int]:
    """The buckets of a word's runs of three to five letters."""
    marked = f"^{word}$"
    features = [f"g{marked[i : i + size]}" for size in (3, 4, 5) for i in range(len(marked) - size + 1)]
    return frozenset(crc32(text.encode()) & (BUCKETS - 1) for text in features)


def word_features(tokens: Sequence[Token], slots: Slots, uses: Mapping[str, str]) -> list[Indexes]:
    """For each word the buckets that the tagger sums; `uses` says how phrases use a word (`Lexicon`)."""
    forms = ["<S>", "<S>", *(_known(_shape(token.form), uses) for token in tokens), "</S>", "</S>"]
    known = ["", "", *("+".join(sorted(slot)) for slot in slots), "", ""]
    lowercase = not any(token.raw[0].isupper() for token in tokens[1:])
    used = ["", "", *(uses.get(token.form, "new") for token in tokens), "", ""]
    return [
        hashed(_of_word(token, at + 2, forms, known, used, lowercase), _letters(token.form))
        for at, token in enumerate(tokens)
    ]


def _of_word(
    token: Token, at: int, forms: list[str], known: list[str], used: list[str], lowercase: bool
) -> Iterator[str]:
    form, slot, use = forms[at], known[at], used[at]
    before, after = forms[at - 1], forms[at + 1]
    yield from ("b", f"w{form}", f"k{slot}", f"-{before}", f"+{after}", f"--{forms[at - 2]}", f"++{forms[at + 2]}")
    yield from (f"-w{before} {form}", f"w+{form} {after}", f"-+{before} {after}", f"--w{forms[at - 2]} {before}")
    yield from (f"k-{known[at - 1]}", f"k+{known[at + 1]}", f"kk{known[at - 1]}|{slot}", f"kk+{slot}|{known[at + 1]}")
    yield from (f"-k{before}|{slot}", f"k{slot}+{after}", f"kw{slot}|{form}", f"--k{forms[at - 2]} {before}|{slot}")
    yield from (
        f"u{use}",
        f"u{use}|{slot}",
        f"uu{used[at - 1]}|{use}|{used[at + 1]}",
        f"uw{before}|{use}",
        f"u+{use}|{after}",
    )
    yield f"n{at - 2 if at < 6 else 'x'}|{slot}"
    yield f"c{_case(token.raw)}|{lowercase}|{slot}"


def question_features(tokens: Sequence[Token], tags: Sequence[str]) -> Indexes:
    """The buckets that the classifier of intents sums: words of the frame, letters of them, the row of tags."""
    row = _abstract(tokens, tags)
    asked = [token for token, tag in zip(tokens, tags, strict=True) if tag != "QUOTE"]  # others said what is quoted
    features = ["b", *(f"w{_shape(token.form)}" for token in asked)]
    features += [f"r{word}" for word in row]
    padded = ["<S>", *row, "</S>"]
    features += [f"2{a} {b}" for a, b in pairwise(padded)]
    features += [f"3{a} {b} {c}" for a, b, c in zip(padded, padded[1:], padded[2:], strict=False)]
    features += [f"s{a} {b}" for a, b in zip(padded, padded[2:], strict=False)]
    features += [f"i{i}{word}" for i, word in enumerate(row[:3])] + [f"e{word}" for word in row[-2:]]
    for name in SHOWN:
        features.append(f"n{name}{min(row.count(f'<{name}>'), 3)}")
    features.append(f"len{min(len(row), 12) // 2}")
    return hashed(features, frozenset().union(*(_runs(word) for word in row if not word.startswith("<"))))


def _abstract(tokens: Sequence[Token], tags: Sequence[str]) -> list[str]:
    """The question with runs of tagged words as one slot each: `o que <PERSON> diz sobre <TOPIC>`."""
    row: list[str] = []
    for token, tag in zip(tokens, tags, strict=True):
        word = _shape(token.form) if tag == "FRAME" else f"<{tag}>"
        if tag == "FRAME" or not row or row[-1] != word:
            row.append(word)
    return row


def _shape(form: str) -> str:
    return f"0{len(form)}" if form.isdigit() else form


def _known(form: str, uses: Mapping[str, str]) -> str:
    """A word that other writers use too, else only its ending: a word that one phrase alone holds teaches nothing."""
    return form if form in uses or form.startswith("0") else f"?{form[-2:]}"


def _case(raw: str) -> str:
    if raw.isupper():
        return "A" if len(raw) > 1 else "a"
    return "T" if raw[0].isupper() else "l"
