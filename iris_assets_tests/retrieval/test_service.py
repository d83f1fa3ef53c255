"""Retrieval over a small store: named candidates, references, quotas, silence, stamps."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from iris_assets.indexing.analyzer import prepare
from iris_assets.retrieval.service import RetrievalService
from iris_assets.retrieval.types import Turn
from iris_assets.settings import load_settings
from iris_assets.store import Store, open_store

PEOPLE = (("1", "ANA LIMA", "ANA"), ("2", "BRUNO COSTA", "BRUNO COSTA"), ("3", "CARLA DIAS", "CARLA DIAS"),
          ("4", "CARLA DIAS", "CARLA DIAS"))  # fmt: skip
PLANS = {
    "1": ("Construir creches em tempo integral.", "Saneamento em todos os bairros."),
    "2": ("Creches e escolas novas.", "Reforma tributária com simplificação."),
}


def chunk(index: int, text: str, title: str) -> dict[str, object]:
    return {
        "chunk_index": index, "title": title, "content": text, "content_hash": f"{title}{index}",
        "embedded_text_hash": f"{title}{index}", "page_start": index + 1, "page_end": index + 1,
        "span_start": index * 100, "span_end": index * 100 + len(text), "prepared": prepare(title, "", text),
    }  # fmt: skip


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_store(f"sqlite:///{tmp_path / 'store.sqlite3'}")
    with store.transaction() as tx:
        rows = [
            {"tse_id": id_, "election_year": 2026, "name": name, "ballot_name": ballot, "office": "GOVERNADOR",
             "state": "SP", "party": "P1", "candidate_number": 10 + int(id_)}
            for id_, name, ballot in PEOPLE
        ]  # fmt: skip
        store.candidates.upsert(tx, rows)
    ids = {row["tse_id"]: row["id"] for row in store.candidates.list()}
    with store.transaction() as tx:
        for tse_id, texts in PLANS.items():
            document = {"document_hash": f"plan{tse_id}", "election_year": 2026, "title": "Plano", "text_status": "OK",
                        "source_url": "https://cdn.tse.jus.br/plano.zip"}  # fmt: skip
            store.documents.upsert(tx, document)
            store.links.set(tx, "GOVERNMENT_PROPOSAL", f"plan{tse_id}", ids[tse_id], "FILED_BY")
            store.chunks.replace(
                tx,
                "GOVERNMENT_PROPOSAL",
                f"plan{tse_id}",
                [chunk(i, text, f"Plano{tse_id}") for i, text in enumerate(texts)],
            )
        bill = {"camara_id": 77, "type": "PL", "number": 5, "year": 2023, "year_repaired": True, "title": "PL 5/2023",
                "summary": "Cria o cadastro de creches."}  # fmt: skip
        store.camara.upsert_bill(tx, bill, [], [])
        store.links.set(tx, "PROPOSITION", "77", ids["1"], "AUTHOR")
    yield store
    store.close()


@pytest.fixture
def service(store: Store) -> RetrievalService:
    return RetrievalService(store, load_settings({}))


def test_a_named_candidate_gets_nobody_elses_evidence(service: RetrievalService) -> None:
    found = service.retrieve("O que Bruno Costa propõe sobre creches?")
    assert found.candidate is not None and found.candidate.tse_id == "2"
    assert [e.source_id for e in found.evidences] == ["plan2"]
    assert found.evidences[0].evidence_id == "E1"


def test_a_name_of_two_candidates_asks_which(service: RetrievalService) -> None:
    found = service.retrieve("O que Carla Dias propõe?")
    assert found.strategy == "clarification"
    assert [one.tse_id for one in found.clarification] == ["3", "4"]
    assert not found.evidences


def test_several_candidates_come_by_ballot_name_and_the_answer_says_so(service: RetrievalService) -> None:
    found = service.retrieve("creches")
    assert [e.candidates[0].ballot_name for e in found.evidences] == ["ANA", "BRUNO COSTA"]
    assert any("ordem alfabética" in notice for notice in found.notices)


def test_repaired_years_are_found_in_both_forms_and_types_never_mix(service: RetrievalService) -> None:
    for question in ("PL 5/2023", "PL 5/0", "pl nº 5 de 23"):
        found = service.retrieve(question)
        assert (found.strategy, [e.source_id for e in found.evidences]) == ("reference_lookup", ["77"])
    unknown = service.retrieve("PLP 5/2023")
    assert not unknown.evidences
    assert unknown.plan.unknown_references == ("PLP 5/2023",)


@pytest.mark.parametrize("question", ["receita de sanduíche", "asdfgh", "O que Fulano Beltrano propõe sobre creches?"])
def test_silence_is_reachable(service: RetrievalService, question: str) -> None:
    assert service.retrieve(question).evidences == ()


def test_the_right_topic_of_the_wrong_candidate_is_no_evidence(service: RetrievalService) -> None:
    found = service.retrieve("O que Bruno Costa propõe sobre creches?", candidate="1")
    assert found.evidences == ()
    assert any("BRUNO COSTA" in notice for notice in found.notices)


def test_every_candidate_is_listed_with_absence_told_apart(service: RetrievalService) -> None:
    lookup = service.retrieve("O que cada candidato propõe sobre saneamento?").lookup
    assert lookup is not None
    assert [(e.candidate.tse_id, e.status) for e in lookup.entries] == [
        ("1", "found"), ("2", "not_addressed"), ("3", "no_plan"), ("4", "no_plan"),
    ]  # fmt: skip


def test_counts_are_exact(service: RetrievalService) -> None:
    found = service.retrieve("Quantos candidatos a governador em SP?")
    assert [row.count for row in found.counts] == [4]
    assert "Contagem exata" in found.evidences[0].content


def test_a_count_that_no_table_holds_shows_bills_and_says_that_it_is_no_count(service: RetrievalService) -> None:
    """Plans hold the same word; the question asks for bills."""
    found = service.retrieve("Quantos projetos sobre creches existem?")
    assert (found.strategy, found.plan.intent, found.plan.source_types) == ("hybrid", "bills", ("PROPOSITION",))
    assert {e.source_type for e in found.evidences} <= {"PROPOSITION"}
    assert found.said.startswith("Não há contagem exata para este recorte, porque nenhuma coluna deles diz “creches”")


def test_bills_without_a_topic_are_told_apart_from_no_bills(service: RetrievalService) -> None:
    found = service.retrieve("Quais os principais temas dos projetos de ANA?", candidate="1")
    assert [e.content for e in found.evidences] == [
        "Contagem exata: 1 proposição de ANA, sem tema registrado pela Câmara."
    ]
    assert service.retrieve("Quais os principais temas dos projetos?", candidate="2").evidences == ()


def test_a_page_of_a_plan_is_looked_up(service: RetrievalService) -> None:
    found = service.retrieve("O que diz a página 2 do plano de Ana?")
    assert [(e.source_id, e.page_start) for e in found.evidences] == [("plan1", 2)]


def test_a_follow_up_keeps_candidate_and_topic(service: RetrievalService) -> None:
    first = Turn("O que Ana propõe sobre creches?", "1")
    assert [e.source_id for e in service.retrieve("e sobre saneamento?", history=[first]).evidences] == ["plan1"]
    assert [e.source_id for e in service.retrieve("e o Bruno Costa?", history=[first]).evidences] == ["plan2"]


def test_refused_before_anything_is_searched(service: RetrievalService) -> None:
    found = service.retrieve("Em quem devo votar?")
    assert found.refusal and found.evidences == ()


class _Embedder:
    def embed_query(self, text: str) -> np.ndarray:
        return np.array([1, 0], dtype=np.float32)


def test_vectors_of_another_model_are_never_compared(store: Store) -> None:
    chunks = store.chunks.pending("old", 2)
    with store.transaction() as tx:
        store.chunks.set_vectors(tx, [(row["id"], np.array([1, 0], dtype=np.float32)) for row in chunks], "old", 2)
    settings = load_settings({}, embedding_model="new", embedding_dimension=2)
    response = RetrievalService(store, settings, _Embedder()).search("creches")
    assert all(e.vector_similarity is None for e in response.results)
    assert any("só as palavras" in notice for notice in response.notices)


def test_a_vector_alone_is_no_evidence_before_calibration(store: Store) -> None:
    chunks = store.chunks.pending("m", 2)
    with store.transaction() as tx:
        store.chunks.set_vectors(tx, [(row["id"], np.array([1, 0], dtype=np.float32)) for row in chunks], "m", 2)
    settings = load_settings({}, embedding_model="m", embedding_dimension=2)
    service = RetrievalService(store, settings, _Embedder())
    assert service.retrieve("asdfgh").evidences == ()
    with store.transaction() as tx:
        store.state.put(tx, "calibration", "vector:m:2", "x", {"similarity": 0.5})
    assert service.retrieve("asdfgh").evidences
    with store.transaction() as tx:
        store.state.put(tx, "calibration", "vector:m:2", "y", {"similarity": 1.1})
    assert service.retrieve("asdfgh").evidences == ()
