"""The BPE rank files of tiktoken, taken from an installed package so that nothing is downloaded."""

import gzip
import hashlib
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from iris_assets.errors import ConfigurationError
from iris_assets.files import sha256_of, write_atomically


@dataclass(frozen=True, slots=True)
class RankFile:
    """`cache_name` is what tiktoken looks for: the SHA-1 of the address it would download from."""

    packaged: str
    cache_name: str
    sha256: str


RANK_FILES: Final = {
    "cl100k_base": RankFile(
        "cl100k_base.tiktoken.gz",
        "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    ),
    "o200k_base": RankFile(
        "o200k_base.tiktoken.gz",
        "fb374d419588a4632f3f557e76b4b70aebbca790",
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    ),
}


def place_ranks(encoding: str, folder: Path) -> Path:
    """Put the rank file of `encoding` into `folder` under tiktoken's name; its path.

    A present file is kept when its hash is right. The file appears whole or not at all, whoever else places it at
    the same time. Raises ConfigurationError TOKENIZER_UNKNOWN, TOKENIZER_RANKS_MISSING,
    TOKENIZER_RANKS_DAMAGED, TOKENIZER_CACHE_UNWRITABLE.
    """
    known = RANK_FILES.get(encoding)
    if known is None:
        raise ConfigurationError(
            "TOKENIZER_UNKNOWN", f"no ranks for the encoding {encoding}", hint=f"known: {', '.join(RANK_FILES)}"
        )
    path = folder / known.cache_name
    if path.is_file() and sha256_of(path) == known.sha256:
        return path
    _write_whole(path, _packaged(known))
    return path


def _packaged(known: RankFile) -> bytes:
    # The package's folder is found without importing it: its import loads every tokenizer, two seconds for nothing.
    package = find_spec("bpe_openai")
    if package is None or package.origin is None:
        raise ConfigurationError(
            "TOKENIZER_RANKS_MISSING", "the package bpe-openai is not installed", hint="run make install"
        )
    data = gzip.decompress((Path(package.origin).parent / "data" / known.packaged).read_bytes())
    if hashlib.sha256(data).hexdigest() != known.sha256:
        raise ConfigurationError(
            "TOKENIZER_RANKS_DAMAGED",
            f"{known.packaged} of the package bpe-openai is not the known file",
            hint="install the locked version of bpe-openai again",
        )
    return data


def _write_whole(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, data)
    except OSError as error:
        raise ConfigurationError(
            "TOKENIZER_CACHE_UNWRITABLE",
            f"cannot write {path.name}: {error.strerror}",
            hint="make the data folder writable, or point TIKTOKEN_CACHE_DIR to a folder that is",
        ) from error
