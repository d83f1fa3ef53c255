"""Small units rank, wide windows are read: Bíblia Livre by verse against windows of five verses, and references.

    python benchmarks/bible.py ../shared/data/retrieval/bible.jsonl.gz
    python benchmarks/bible.py ../shared/data/retrieval/bible.jsonl.gz --encoder http://127.0.0.1:8000/v1 --longest 200

Both settings run the platform's store, searches, fusion and context windows; a reader gets five verses either way.
With an encoder only the chapters of the first verse of each question are loaded (bible_questions.tsv), those of up to
`--longest` verses, since a window takes it a third of a CPU second; its vectors are kept in `data/benchmarks/vectors.sqlite3`.
"""

import argparse
import gzip
import json
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from cached_encoder import CachedEncoder, encoder_settings

from iris_assets.indexing.analyzer import prepare
from iris_assets.indexing.chunk_rows import text_hash
from iris_assets.retrieval.service import RetrievalService
from iris_assets.store import Store, open_store

QUESTIONS = Path(__file__).with_name("bible_questions.tsv")
VECTORS = Path(__file__).resolve().parent.parent / "data" / "benchmarks" / "vectors.sqlite3"
SOURCE_TYPE = "GOVERNMENT_PROPOSAL"  # any official type: the store holds nothing else
REACH = 2  # verses on either side that are read with a verse
SIZE = 2 * REACH + 1
DEPTH = 10


@dataclass(frozen=True, slots=True)
class Unit:
    """What is indexed: a verse or a window. `embedded` is what is embedded; a citation shows `cited`, a reader `read`."""

    chapter: str
    title: str
    text: str
    embedded: str
    cited: tuple[str, ...]
    read: tuple[str, ...]


def read_chapters(file: Path) -> dict[str, list[str]]:
    """Chapter (`1 João 3`) → its verses in order."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    grouped = groupby(rows, key=lambda row: f"{row['book']} {row['chapter']}")
    return {chapter: [row["text"] for row in verses] for chapter, verses in grouped}


def read_questions() -> dict[str, tuple[str, ...]]:
    """Question → the references of the verses that answer it."""
    lines = QUESTIONS.read_text(encoding="utf-8").splitlines()
    return {question: tuple(verses.split("; ")) for question, verses in (line.split("\t") for line in lines)}


def by_verse(chapters: dict[str, list[str]]) -> Iterator[Unit]:
    """Verses; each is embedded with the verses around it."""
    for chapter, verses in chapters.items():
        for index, text in enumerate(verses):
            first, end = max(0, index - REACH), min(index + REACH + 1, len(verses))
            around = tuple(f"{chapter}:{number + 1}" for number in range(first, end))
            reference = f"{chapter}:{index + 1}"
            yield Unit(chapter, reference, text, " ".join(verses[first:end]), (reference,), around)


def by_window(chapters: dict[str, list[str]]) -> Iterator[Unit]:
    """Windows of five verses that do not overlap."""
    for chapter, verses in chapters.items():
        for start in range(0, len(verses), SIZE):
            text = " ".join(verses[start : start + SIZE])
            references = tuple(f"{chapter}:{number + 1}" for number in range(start, min(start + SIZE, len(verses))))
            yield Unit(chapter, f"{references[0]}-{references[-1].rsplit(':')[1]}", text, text, references, references)


@contextmanager
def loaded(units: Iterable[Unit], encoder: CachedEncoder | None, window: int) -> Iterator[RetrievalService]:
    """A service over a temporary store that holds the units, a chapter being a document."""
    settings = encoder_settings().model_copy(update={"context_window": window})
    with tempfile.TemporaryDirectory(prefix="bible-") as place:
        store = open_store(f"sqlite:///{Path(place) / 'bible.sqlite3'}")
        try:
            for chapter, group in groupby(units, key=lambda unit: unit.chapter):
                _write(store, chapter, list(group), encoder)
            yield RetrievalService(store, settings, encoder)
        finally:
            store.close()


def _write(store: Store, chapter: str, units: Sequence[Unit], encoder: CachedEncoder | None) -> None:
    start = 0
    rows: list[dict[str, Any]] = []
    for index, unit in enumerate(units):
        hashed = text_hash(f"{chapter} {index}")
        rows.append(
            {
                "chunk_index": index, "title": unit.title, "content": unit.text, "content_hash": hashed,
                "embedded_text_hash": hashed, "span_start": start, "span_end": start + len(unit.text),
                "prepared": prepare(unit.title, "", unit.text),
            }
        )  # fmt: skip
        start += len(unit.text) + 1
    with store.transaction() as tx:
        store.chunks.replace(tx, SOURCE_TYPE, chapter, rows)
    if encoder is not None:
        stored = store.chunks.of_source(SOURCE_TYPE, chapter)
        vectors = encoder.embed_documents([unit.embedded for unit in units])
        with store.transaction() as tx:
            pairs = [(row["id"], vector) for row, vector in zip(stored, vectors, strict=True)]
            settings = encoder_settings()
            store.chunks.set_vectors(tx, pairs, settings.embedding_model, settings.embedding_dimension)


def ranks(service: RetrievalService, mode: str) -> dict[str, list[str]]:
    """Question → titles of the best units."""
    return {
        question: [evidence.title for evidence in service.search(question, mode=mode, top_k=DEPTH).results]
        for question in read_questions()
    }


def figures(holding: dict[str, list[str]], rankings: dict[str, list[str]]) -> dict[str, float]:
    """MRR and the share of questions with a right verse among the first 1, 5 and 10, of those whose verse is loaded.

    `holding`: verse → titles of the units that count as right for it.
    """
    import ir_measures
    from ir_measures import RR, Success

    qrels = [
        ir_measures.Qrel(question, title, 1)
        for question, verses in read_questions().items()
        for title in sorted({title for verse in verses for title in holding.get(verse, ())})
    ]
    run = [
        ir_measures.ScoredDoc(question, title, -float(rank))
        for question, titles in rankings.items()
        for rank, title in enumerate(titles)
    ]
    wanted = {"MRR@10": RR @ DEPTH, "recall@1": Success @ 1, "recall@5": Success @ 5, "recall@10": Success @ 10}
    found = ir_measures.calc_aggregate(list(wanted.values()), qrels, run)
    return {name: float(found[measure]) for name, measure in wanted.items()}


def holders(units: Iterable[Unit], *, read: bool) -> dict[str, list[str]]:
    """Verse → the units that cite it, or with `read` those whose reader sees it."""
    found: dict[str, list[str]] = {}
    for unit in units:
        for verse in unit.read if read else unit.cited:
            found.setdefault(verse, []).append(unit.title)
    return found


def reference_of(question: str, chapters: dict[str, list[str]]) -> str | None:
    """The verse that a question names; the longest book name first: `1 João 3:16` is not `João 3:16`."""
    books = sorted({chapter.rsplit(" ", 1)[0] for chapter in chapters}, key=lambda book: (-len(book), book))
    pattern = rf"(?<!\w)({'|'.join(map(re.escape, books))})\s+(\d+)\s*:\s*(\d+)(?!\d)"
    match = re.search(pattern, question, re.IGNORECASE)
    if match is None:
        return None
    book = next(name for name in books if name.casefold() == match[1].casefold())
    return f"{book} {match[2]}:{match[3]}"


def references_right(service: RetrievalService, chapters: dict[str, list[str]]) -> tuple[int, int, int]:
    """(asked, right by look-up, right by ranking alone) for the third chapter (or the last) of each of the 66 books."""
    last: dict[str, str] = {}
    for chapter in chapters:
        book, number = chapter.rsplit(" ", 1)
        if int(number) <= 3:
            last[book] = chapter
    asked = [f"{chapter}:{len(chapters[chapter])}" for chapter in last.values()] + ["1 João 3:16", "João 3:16"]
    looked_up = ranked = 0
    for reference in asked:
        chapter, number = reference.rsplit(":", 1)
        found = reference_of(f"O que diz {reference}?", chapters)
        rows = service.store.chunks.of_source(SOURCE_TYPE, chapter) if found == reference else []
        looked_up += any(
            row["title"] == reference and row["content"] == chapters[chapter][int(number) - 1] for row in rows
        )
        best = service.search(reference, mode="lexical", top_k=1).results
        ranked += bool(best) and best[0].title == reference
    return len(asked), looked_up, ranked


def _table(chapters: dict[str, list[str]], modes: Sequence[str], encoder: CachedEncoder | None, label: str) -> None:
    settings: tuple[tuple[str, Callable[[dict[str, list[str]]], Iterator[Unit]], int], ...] = (
        ("verse ranks, window read", by_verse, REACH),
        ("windows alone", by_window, 0),
    )
    for name, units, window in settings:
        with loaded(units(chapters), encoder, window) as service:
            for mode in modes:
                rankings = ranks(service, mode)
                both = [figures(holders(units(chapters), read=read), rankings) for read in (False, True)]
                shown = " | ".join(f"{value:.3f}" for found in both for value in found.values())
                print(f"| {label} | {name} | {mode} | {shown} |", flush=True)
            if name == "verse ranks, window read" and encoder is None:
                asked, right, by_rank = references_right(service, chapters)
                print(f"references: {right} of {asked} right by look-up, {by_rank} by ranking alone", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--encoder", help="base URL of the local encoder")
    parser.add_argument("--longest", type=int, default=200, help="with --encoder: verses of the longest chapter loaded")
    arguments = parser.parse_args()
    chapters = read_chapters(arguments.file)
    names = "MRR@10 | recall@1 | recall@5 | recall@10"
    print(f"| verses | setting | mode | cited: {names} | read: {names} |\n|{'---|' * 11}")
    if arguments.encoder is None:
        _table(chapters, ("lexical",), None, str(sum(map(len, chapters.values()))))
        return
    wanted = {verses[0].rsplit(":", 1)[0] for verses in read_questions().values()}
    part = {
        chapter: verses
        for chapter, verses in chapters.items()
        if chapter in wanted and len(verses) <= arguments.longest
    }
    encoder = CachedEncoder(VECTORS, arguments.encoder)
    _table(part, ("lexical", "vector", "hybrid"), encoder, str(sum(map(len, part.values()))))


if __name__ == "__main__":
    main()
