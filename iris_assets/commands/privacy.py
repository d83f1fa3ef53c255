"""Looks for personal data in everything that we keep: store, downloads, logs, Dagster home, exports."""

import os
import re
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from iris_assets.personal import is_cpf

BLOCK: Final = 4 * 1024 * 1024
OVERLAP: Final = 200  # bytes of a block that are looked at again with the next one
# In files of any kind only what nothing else looks like: a bare number of eleven digits may be anybody's key.
CPF: Final = re.compile(rb"(?<![\d.])\d{3}\.\d{3}\.\d{3}-\d{2}(?!\d)")
EMAIL: Final = re.compile(rb"@(?:[A-Za-z0-9-]{2,63}\.)+[A-Za-z]{2,}\b")
LOCAL: Final = re.compile(rb"[A-Za-z0-9][A-Za-z0-9._%+-]{2,63}\Z")
OPEN_TO_OTHERS: Final = "published file that others may read"
PUBLISHED: Final = "objects"  # files as their publishers have them: nobody else may read them


@dataclass(frozen=True, slots=True)
class Leak:
    """A file with personal data (or one that others may read), and how many finds; never what they say."""

    path: Path
    what: str
    finds: int


def scan(folders: Sequence[Path]) -> list[Leak]:
    """Every file below `folders`, each once: published files by their mode, all others by their content."""
    seen: set[Path] = set()
    leaks: list[Leak] = []
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_symlink() or not path.is_file() or path.resolve() in seen:
                continue
            seen.add(path.resolve())
            leaks += _of_file(path)
    return leaks


def places(data: Path) -> list[Path]:
    """The data folder, and Dagster's home where it is another one."""
    home = os.environ.get("DAGSTER_HOME", "")
    return [data, *([Path(home)] if home and Path(home).is_dir() else [])]


def _of_file(path: Path) -> Iterator[Leak]:
    try:
        if PUBLISHED in path.parts:
            if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
                yield Leak(path, OPEN_TO_OTHERS, 1)
            return
        cpfs = emails = 0
        for block in _blocks(path):
            cpfs += sum(is_cpf(found.decode("ascii")) for found in CPF.findall(block))
            emails += sum(
                LOCAL.search(block, max(0, at.start() - 64), at.start()) is not None for at in EMAIL.finditer(block)
            )
    except FileNotFoundError:  # gone meanwhile: a journal, a lock
        return
    if cpfs:
        yield Leak(path, "CPF", cpfs)
    if emails:
        yield Leak(path, "e-mail", emails)


def _blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        rest = b""
        while block := file.read(BLOCK):
            yield rest + block
            rest = block[-OVERLAP:]
