"""The files of a collection in TREC/BEIR layout, read line by line; whatever is wrong names its file and line.

Lines end in \\n or \\r\\n and nowhere else; a byte-order mark at the start of a file and blank lines are passed over.
"""

import gzip
import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from iris_assets.errors import UsageError

CORPUS: Final = ("corpus.jsonl", "corpus.jsonl.gz")
QUERIES: Final = ("queries.tsv", "queries.jsonl")
QRELS: Final = ("qrels.txt", "qrels.tsv", "qrels/test.tsv")
BOM: Final = b"\xef\xbb\xbf"
# BEIR's first line of qrels; anything else that is no judgment is an error.
HEADERS: Final = (("query-id", "corpus-id", "score"), ("query-id", "iteration", "corpus-id", "score"))
GRADE: Final = re.compile(r"[+-]?[0-9]{1,9}")
LAYOUT: Final = "the layout is described in docs/operations.md under Public collections"

Lines = Iterator[tuple[int, str]]


class Wrong(Exception):
    """What is wrong with one line; the reader adds where it is."""

    def __init__(self, problem: str, hint: str = LAYOUT) -> None:
        super().__init__(problem)
        self.problem, self.hint = problem, hint


def found_file(folder: Path, names: tuple[str, ...]) -> Path:
    """The first of `names` in the folder; UsageError COLLECTION_INVALID without any."""
    if not folder.is_dir():
        raise invalid(folder, None, Wrong("there is no such folder"))
    for name in names:
        if (folder / name).is_file():
            return folder / name
    raise invalid(folder, None, Wrong(f"it has no {' nor '.join(names)}"))


def read_documents(file: Path) -> Iterator[tuple[str, str, str]]:
    """(id, title, text) of each line of corpus.jsonl[.gz], in its order."""
    seen: set[str] = set()
    for number, line in _lines(file):
        try:
            row = _object(line)
            id_ = _new(_id(row), seen, "document")
            yield id_, _text(row, "title", needed=False), _text(row, "text")
        except Wrong as wrong:
            raise invalid(file, number, wrong) from None
    if not seen:
        raise invalid(file, None, Wrong("it holds no document"))


def read_queries(file: Path) -> dict[str, str]:
    """Question id → text, of queries.tsv (`id TAB text`) or queries.jsonl, in the file's order."""
    found: dict[str, str] = {}
    for number, line in _lines(file):
        try:
            id_, text = _json_query(line) if file.suffix == ".jsonl" else _tab_query(line)
            if not text.strip():
                raise Wrong(f"question {id_} has no text")
            found[_new(id_, found, "question")] = text
        except Wrong as wrong:
            raise invalid(file, number, wrong) from None
    if not found:
        raise invalid(file, None, Wrong("it holds no question"))
    return found


def read_judgments(file: Path, queries: dict[str, str]) -> dict[tuple[str, str], int]:
    """(question id, document id) → grade; every judged question must be one of `queries`."""
    found: dict[tuple[str, str], int] = {}
    for number, line in _lines(file):
        parts = line.split()
        if not found and tuple(part.lower() for part in parts) in HEADERS:
            continue
        try:
            query, document, grade = _judgment(parts)
            if query not in queries:
                raise Wrong(f"question {query} is judged, but the queries have no such id")
            if (query, document) in found:
                raise Wrong(f"question {query} and document {document} are judged twice", "leave one of the lines")
            found[(query, document)] = grade
        except Wrong as wrong:
            raise invalid(file, number, wrong) from None
    if not found:
        raise invalid(file, None, Wrong("it holds no judgment: nothing could be measured"))
    return found


def invalid(file: Path, number: int | None, wrong: Wrong) -> UsageError:
    """COLLECTION_INVALID with file, line number and hint."""
    place = f"{file}, line {number}" if number else str(file)
    details: dict[str, Any] = {"file": str(file), "line": number}
    return UsageError("COLLECTION_INVALID", f"{place}: {wrong.problem}", hint=wrong.hint, details=details)


def _lines(file: Path) -> Lines:
    """(line number from 1, text without its end) of each line that is not blank."""
    number = 0
    try:
        with gzip.open(file, "rb") if file.suffix == ".gz" else file.open("rb") as stream:
            for number, raw in enumerate(stream, 1):
                line = _decoded(raw.removeprefix(BOM) if number == 1 else raw)
                if line.strip():
                    yield number, line
    except Wrong as wrong:
        raise invalid(file, number, wrong) from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise invalid(file, number + 1, Wrong(f"the gzip file is damaged ({error})", "fetch the file again")) from None
    except OSError as error:
        raise invalid(file, number or None, Wrong(f"cannot be read ({error.strerror})")) from None


def _decoded(raw: bytes) -> str:
    try:
        return raw.decode("utf-8").removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError as error:
        raise Wrong(f"byte {error.start + 1} of the line is not UTF-8", "save the file as UTF-8") from None


def _object(line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise Wrong(f"no JSON ({error})", "one JSON object a line") from None
    if not isinstance(row, dict):
        raise Wrong("no JSON object", "one JSON object a line, with id and text")
    return row


def _id(row: dict[str, Any]) -> str:
    id_ = row.get("id", row.get("_id"))
    if not isinstance(id_, str | int) or isinstance(id_, bool):
        raise Wrong("`id` (or `_id`) is missing or neither text nor a whole number")
    return _checked_id(str(id_))


def _checked_id(id_: str) -> str:
    if not id_ or len(id_.split()) != 1 or id_ != id_.strip():
        raise Wrong(f"the id {id_!r} is empty or holds blanks", "TREC files part their columns by blanks")
    return _valid(id_, "id")


def _new(id_: str, seen: set[str] | dict[str, str], what: str) -> str:
    if id_ in seen:
        raise Wrong(f"{what} {id_} comes a second time", "ids are unique: leave one of the lines")
    if isinstance(seen, set):
        seen.add(id_)
    return id_


def _text(row: dict[str, Any], name: str, *, needed: bool = True) -> str:
    value = row.get(name)
    if value is None and not needed:
        return ""
    if not isinstance(value, str):
        raise Wrong(f"`{name}` is {'missing' if value is None else 'no text'}")
    return _valid(value, name)


def _valid(text: str, name: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise Wrong(f"`{name}` holds half a character (a lone surrogate)", "write the character whole") from None
    return text


def _json_query(line: str) -> tuple[str, str]:
    row = _object(line)
    return _id(row), _text(row, "text")


def _tab_query(line: str) -> tuple[str, str]:
    id_, tab, text = line.partition("\t")
    if not tab:
        raise Wrong("the line is not `id TAB text`", "one tab between the id and the question")
    return _checked_id(id_), text


def _judgment(parts: list[str]) -> tuple[str, str, int]:
    if len(parts) not in (3, 4):
        raise Wrong("no judgment", "`question iteration document grade`, or BEIR's three columns")
    if not GRADE.fullmatch(parts[-1]):
        raise Wrong(f"the grade {parts[-1]!r} is no whole number of at most nine digits")
    return parts[0], parts[-2], int(parts[-1])
