"""Cases that users of public systems like ours reported: stale chunks, doubles, spellings, syntax, order."""

import os
import subprocess
import sys
import unicodedata
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from iris_assets.errors import UsageError
from iris_assets_tests.retrieval.ordering import Fixed
from iris_assets_tests.retrieval.world import World

MODEL = {"embedding_model": "m", "embedding_dimension": 2}
ONE = np.array([1, 0], dtype=np.float32)


def sources(world: World, question: str, mode: str = "lexical") -> list[str]:
    return [one.source_id for one in world.service(Fixed(), **MODEL).search(question, mode=mode).results]


@pytest.fixture
def two(world: World) -> World:
    world.candidate("1", "ANA")
    world.candidate("2", "BRUNO")
    world.plan("first", ["1"], ["Construir creches em todos os bairros."])
    world.plan("second", ["2"], ["Construir creches em todos os bairros."])
    world.embed({"": ONE}, "m", 2)
    return world


def test_a_changed_page_takes_its_old_words_and_vectors_along(two: World) -> None:
    two.plan("first", ["1"], ["Pavimentar estradas vicinais."])
    assert sources(two, "creches") == ["second"]
    assert sources(two, "estradas") == ["first"]
    assert sources(two, "creches", "vector") == ["second"]  # the new text has no vector yet
    assert two.store.chunks.pending_count("m", 2) == 1


def test_the_same_text_again_keeps_rows_and_vectors(two: World) -> None:
    before = two.store.chunks.of_source("GOVERNMENT_PROPOSAL", "first")
    two.plan("first", ["1"], ["Construir creches em todos os bairros."])
    after = two.store.chunks.of_source("GOVERNMENT_PROPOSAL", "first")
    assert [row["id"] for row in after] == [row["id"] for row in before]
    assert two.store.chunks.pending_count("m", 2) == 0


def test_another_chunk_size_leaves_no_old_passage(world: World) -> None:
    world.candidate("1", "ANA")
    pages = [" ".join(f"Medida {n}: construir creches no bairro {n}." for n in range(20))]
    world.size = 24
    world.plan("plan", ["1"], pages)
    small = len(world.store.chunks.of_source("GOVERNMENT_PROPOSAL", "plan"))
    world.size = 400
    world.plan("plan", ["1"], pages)
    assert small > 1
    assert len(sources(world, "creches")) == len(world.store.chunks.of_source("GOVERNMENT_PROPOSAL", "plan")) == 1


@pytest.mark.parametrize("mode", ["lexical", "vector", "hybrid"])
def test_of_two_documents_with_one_paragraph_each_cites_itself_and_outlives_the_other(two: World, mode: str) -> None:
    service = two.service(Fixed(), **MODEL)
    results = service.search("creches em todos os bairros", mode=mode).results
    assert {(one.source_id, one.candidates[0].ballot_name) for one in results} == {
        ("first", "ANA"),
        ("second", "BRUNO"),
    }
    with two.store.transaction() as tx:
        two.store.links.remove(tx, "GOVERNMENT_PROPOSAL", "first", two.id_of("1"))
    results = service.search("creches em todos os bairros", mode=mode).results
    assert [(one.source_id, one.candidates[0].ballot_name) for one in results] == [("second", "BRUNO")]
    assert service.retrieve("creches", candidate="1", mode=mode).evidences == ()


def test_a_removed_document_is_never_cited(two: World) -> None:
    for document, tse_id in (("first", "1"), ("second", "2")):
        with two.store.transaction() as tx:
            two.store.links.remove(tx, "GOVERNMENT_PROPOSAL", document, two.id_of(tse_id))
    for mode in ("lexical", "hybrid"):
        assert sources(two, "creches", mode) == []
    with pytest.raises(UsageError, match="VECTORS_ABSENT"):  # the last vectors went with their documents
        sources(two, "creches", "vector")


def test_an_undone_replacement_leaves_the_old_passage(two: World) -> None:
    """A crash between delete and insert: the unit of work is undone as a whole."""
    with pytest.raises(RuntimeError), two.store.transaction() as tx:
        two.store.chunks.replace(tx, "GOVERNMENT_PROPOSAL", "first", [])
        raise RuntimeError
    assert set(sources(two, "creches")) == {"first", "second"}
    assert set(sources(two, "creches", "vector")) == {"first", "second"}


def test_a_switch_to_a_model_of_equal_width_compares_nothing_across_stamps(two: World) -> None:
    found = two.service(Fixed(), embedding_model="n", embedding_dimension=2).search("asdfgh", mode="hybrid")
    assert found.results == ()
    assert any("só as palavras" in notice for notice in found.notices)
    two.plan("third", ["1"], ["Pavimentar estradas."])
    assert two.store.chunks.pending_count("m", 2) == 1  # only what is stale
    assert two.store.chunks.pending_count("n", 2) == 3


SPELLINGS = ("educação básica", "educacao basica", "EDUCAÇÃO BÁSICA", unicodedata.normalize("NFD", "educação básica"),
             "educação\u00a0básica", "Educações Básicas", "edu\u00adcação básica")  # fmt: skip


def test_all_spellings_find_the_same_passages_and_show_the_original(world: World) -> None:
    world.candidate("1", "ANA")
    for name, text in (("plain", "Educação básica de qualidade."), ("upper", "EDUCACAO BASICA"),
                       ("nfd", unicodedata.normalize("NFD", "Mais educação básica."))):  # fmt: skip
        world.plan(name, ["1"], [text])
    found = {tuple(sources(world, spelling)) for spelling in SPELLINGS}
    assert len(found) == 1
    assert set(found.pop()) == {"plain", "upper", "nfd"}
    shown = {one.source_id: one.content for one in world.service().search("educacao").results}
    assert (shown["plain"], shown["upper"]) == ("Educação básica de qualidade.", "EDUCACAO BASICA")


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("A ﬁscalização do conﬂito ﬂorestal.", "fiscalização do conflito florestal"),
        ("Aulas da covid‑19 e da jornada 6x1.", "covid-19"),
        ("Jornada 6x1 no comércio.", "6x1"),
        ("Gastos de R$ 1.500,00 por família.", "R$ 1500,00"),
        ("Programa caixa d’água.", "caixa d'água"),
        ("Fortalecer o SUS.", "Sistema Único de Saúde"),
        ("Sistema Único de Saúde mais forte.", "SUS"),
        ("O texto <|endoftext|> segue adiante.", "endoftext"),
        ("Os anos 2019–2022 do plano.", "2019-2022"),
    ],
)
def test_ligatures_codes_numbers_and_acronyms_are_found(world: World, text: str, question: str) -> None:
    world.candidate("1", "ANA")
    world.plan("plan", ["1"], [text])
    world.plan("other", ["1"], ["Assunto diferente."])
    assert sources(world, question)[:1] == ["plan"]


def test_a_name_typed_in_parts_is_the_same_name(world: World) -> None:
    world.candidate("1", "JOSÉ D'ÁVILA")
    world.plan("plan", ["1"], ["Construir creches."])
    for name in ("José d'Ávila", unicodedata.normalize("NFD", "José d’Ávila"), "JOSE D AVILA"):
        found = world.service().retrieve(f"O que {name} propõe sobre creches?")
        assert found.candidate is not None and found.candidate.tse_id == "1", name


@given(st.text(max_size=60) | st.sampled_from(['"', "AND", "a* OR NEAR(b)", "title:x", "(((", "'; DROP", "-", "\x00"]))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_question_raises(shared_world: World, question: str) -> None:
    service = shared_world.service()
    service.search(f"{question} creches")
    service.retrieve(f"{question} creches")


def started(file: Path, seed: str, *order: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "iris_assets_tests.retrieval.ordering", str(file), *order],
        env={**os.environ, "PYTHONHASHSEED": seed}, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip


@pytest.mark.slow
def test_the_same_question_has_the_same_order_whatever_the_insertion_the_seed_and_the_process(tmp_path: Path) -> None:
    """Scores tie everywhere, so that only the identity decides; three processes at once, then a restarted one."""
    filling = [started(tmp_path / f"{order}.sqlite3", order, order) for order in ("0", "1", "2")]
    answers = {process.communicate(timeout=120)[0] for process in filling}
    answers.add(started(tmp_path / "0.sqlite3", "2").communicate(timeout=120)[0])
    assert len(answers) == 1
    assert '"plan1x0"' in answers.pop()
