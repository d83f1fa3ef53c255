"""Small units rank and wide windows are read, on the Gospel and the letters of John by verse."""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from iris_assets.retrieval.service import RetrievalService

pytestmark = pytest.mark.real_data
BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
BOOKS = ("João", "1 João", "2 João", "3 João")


@pytest.fixture(scope="module")
def bible() -> Iterator[ModuleType]:
    """The benchmark's own module: what it measures is what is tested."""
    sys.path.insert(0, str(BENCHMARKS))
    import bible as module  # type: ignore[import-not-found]

    yield module
    sys.path.remove(str(BENCHMARKS))


@pytest.fixture(scope="module")
def chapters(bible: ModuleType, shared_data: Path) -> dict[str, list[str]]:
    everything = bible.read_chapters(shared_data / "retrieval" / "bible.jsonl.gz")
    assert sum(map(len, everything.values())) == 31102
    return {chapter: verses for chapter, verses in everything.items() if chapter.rsplit(" ", 1)[0] in BOOKS}


@pytest.fixture(scope="module")
def service(bible: ModuleType, chapters: dict[str, list[str]]) -> Iterator[RetrievalService]:
    with bible.loaded(bible.by_verse(chapters), None, bible.REACH) as service:
        yield service


def test_the_verse_ranks_and_is_cited_and_five_verses_are_read(
    service: RetrievalService, chapters: dict[str, list[str]]
) -> None:
    best = service.search("eu sou o caminho, a verdade e a vida", mode="lexical", top_k=1).results[0]
    verses = chapters["João 14"]
    assert (best.title, best.content) == ("João 14:6", verses[5])
    assert best.context.replace("\n", " ") == " ".join(verses[3:8])


def test_a_window_at_the_end_of_a_chapter_stays_in_it(
    service: RetrievalService, chapters: dict[str, list[str]]
) -> None:
    best = service.search("estas coisas se fizessem relatar livros no mundo", mode="lexical", top_k=1).results[0]
    assert best.title == "João 21:25"
    assert best.context.replace("\n", " ") == " ".join(chapters["João 21"][22:])


def test_references_are_the_verse_of_their_own_book(
    bible: ModuleType, service: RetrievalService, chapters: dict[str, list[str]]
) -> None:
    asked, looked_up, _ = bible.references_right(service, chapters)
    assert asked == looked_up == 6
    assert bible.reference_of("O que diz 1 João 3:16?", chapters) == "1 João 3:16"
    assert bible.reference_of("O que diz joão 3:16?", chapters) == "João 3:16"
    assert bible.reference_of("João e Maria", chapters) is None


def test_there_are_forty_questions_whose_verses_exist(bible: ModuleType, shared_data: Path) -> None:
    everything = bible.read_chapters(shared_data / "retrieval" / "bible.jsonl.gz")
    questions: dict[str, Any] = bible.read_questions()
    assert len(questions) == 40
    for verses in questions.values():
        for reference in verses:
            chapter, number = reference.rsplit(":", 1)
            assert int(number) <= len(everything[chapter]), reference
