"""Small units rank, wider windows are read, and the citation stays exactly the chunk and its page."""

import pytest

from iris_assets.retrieval.windows import joined
from iris_assets_tests.retrieval.world import World

SENTENCES = [f"Item {number:02} do plano fala de assunto{number:02} com detalhe suficiente." for number in range(1, 13)]
PAGES = [" ".join(SENTENCES[start : start + 3]) for start in range(0, 12, 3)]


@pytest.fixture(scope="module")
def full(shared_world: World) -> World:
    shared_world.size, shared_world.overlap = 40, 12
    shared_world.candidate("1", "ANA")
    shared_world.plan("plan1", ["1"], PAGES)
    shared_world.plan("plan2", ["1"], ["Outro documento que trata somente de pontes."])
    return shared_world


@pytest.mark.parametrize("reach", [0, 1, 2, 5])
def test_neighbours_are_read_once_without_the_overlap(full: World, reach: int) -> None:
    rows = full.store.chunks.of_source("GOVERNMENT_PROPOSAL", "plan1")
    assert len(rows) > 4 and rows[2]["span_start"] < rows[1]["span_end"]  # they do overlap
    text = "\n\n".join(PAGES)
    evidence = next(
        one
        for one in full.service(context_window=reach).search("assunto06").results
        if one.source_id == "plan1" and "assunto06" in one.content
    )
    first = rows[max(0, evidence.chunk_index - reach)]["span_start"]
    last = rows[min(len(rows) - 1, evidence.chunk_index + reach)]["span_end"]
    assert evidence.context == text[first:last]


def test_the_citation_is_the_chunk_and_its_page(full: World) -> None:
    evidence = full.service(context_window=2).search("assunto05").results[0]
    row = full.store.chunks.of_source("GOVERNMENT_PROPOSAL", "plan1")[evidence.chunk_index]
    assert evidence.content == row["content"] != evidence.context
    assert evidence.content in evidence.context
    assert (evidence.page_start, evidence.page_end) == (row["page_start"], row["page_end"])
    assert evidence.page_start is not None and evidence.page_start <= 2 <= (evidence.page_end or 0)


def test_windows_stay_in_their_document(full: World) -> None:
    evidence = full.service(context_window=5).search("pontes").results[0]
    assert evidence.source_id == "plan2"
    assert evidence.context == evidence.content == "Outro documento que trata somente de pontes."


def test_the_header_finds_and_is_never_quoted(full: World) -> None:
    """Office and year stand in no page: only the header holds them."""
    found = full.service().search("governador").results
    assert {one.source_id for one in found} == {"plan1", "plan2"}
    assert all("GOVERNADOR" in (one.header or "") for one in found)
    assert not any("governador" in f"{one.content} {one.context}".casefold() for one in found)


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("A saúde será ampliada", "será ampliada em 2027", "A saúde será ampliada em 2027"),
        ("abababababababababababab", "ababababababababababababc", "ababababababababababababc"),
        ("Fim a", "a seguir", "Fim a seguir"),
        ("Nada em comum", "outra frase", "Nada em comum\noutra frase"),
    ],
)
def test_the_longest_common_part_stands_once(left: str, right: str, expected: str) -> None:
    assert joined(left, right) == expected
