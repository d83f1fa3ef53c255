"""The store's contract for chunks: replacement by difference, vectors by stamp and hash, filters that follow links."""

import unicodedata

import numpy as np
import pytest

from iris_assets.errors import StoreError
from iris_assets.indexing.analyzer import analyze_query, prepare
from iris_assets.store import Store
from iris_assets.store.search import LexicalQuery, SearchFilter
from iris_assets_tests.store.conftest import add_candidate, add_document, candidate_row, chunk_row

PLAN = "GOVERNMENT_PROPOSAL"
HASH = "d" * 64


def _found(store: Store, term: str, **restriction: tuple[object, ...]) -> list[int]:
    hits = store.lexical.search(LexicalQuery(terms=((term,),), filter=SearchFilter(**restriction)))  # type: ignore[arg-type]
    chunks = store.chunks.get([hit.chunk_id for hit in hits])
    return sorted(chunk["chunk_index"] for chunk in chunks.values())


def _fill(store: Store, model: str = "m") -> None:
    with store.transaction() as tx:
        rows = store.chunks.pending(model, 3)
        store.chunks.set_vectors(tx, [(row["id"], [1.0, row["chunk_index"], 0.5]) for row in rows], model, 3)


def test_an_unchanged_chunk_keeps_its_id_and_vector(searching_store: Store) -> None:
    store = searching_store
    add_document(store, HASH, [add_candidate(store)], ["saude publica", "escola integral", "transporte"])
    _fill(store)
    before = {row["chunk_index"]: row for row in store.chunks.of_source(PLAN, HASH)}
    with store.transaction() as tx:
        rows = [chunk_row(0, "saude publica"), chunk_row(1, "creche")]
        result = store.chunks.replace(tx, PLAN, HASH, rows)
    assert (result.kept, result.created, result.removed) == (1, 1, 2)
    after = {row["chunk_index"]: row for row in store.chunks.of_source(PLAN, HASH)}
    assert after[0]["id"] == before[0]["id"] and after[0]["embedding_model"] == "m"
    assert after[1]["id"] != before[1]["id"] and after[1]["embedding_model"] is None
    assert [row["chunk_index"] for row in store.chunks.pending("m", 3)] == [1]
    assert _found(store, "escola") == [] and _found(store, "creche") == [1]
    assert store.lexical.verify().ok


def test_the_same_chunks_again_write_nothing(store: Store) -> None:
    add_document(store, HASH, [add_candidate(store)], ["saude publica"])
    before = store.chunks.of_source(PLAN, HASH)
    with store.transaction() as tx:
        assert not store.chunks.replace(tx, PLAN, HASH, [chunk_row(0, "saude publica")]).changed
    assert store.chunks.of_source(PLAN, HASH) == before


def test_a_changed_header_drops_the_vector_and_a_moved_text_takes_it_along(store: Store) -> None:
    add_document(store, HASH, [add_candidate(store)], ["saude", "escola"])
    _fill(store)
    with store.transaction() as tx:
        rows = [chunk_row(0, "novo"), chunk_row(1, "saude"), chunk_row(2, "escola", header="Outro")]
        store.chunks.replace(tx, PLAN, HASH, rows)
    assert [row["chunk_index"] for row in store.chunks.pending("m", 3)] == [0, 2]
    assert store.chunks.known_vectors(["Plano:saude"], "m", 3)["Plano:saude"].tolist() == [1.0, 0.0, 0.5]


def test_what_stands_around_a_passage_is_refreshed_without_losing_the_vector(store: Store) -> None:
    add_document(store, HASH, [add_candidate(store)], ["saude"])
    _fill(store)
    with store.transaction() as tx:
        result = store.chunks.replace(tx, PLAN, HASH, [chunk_row(0, "saude", metadata_json={"page": 9}, page_start=9)])
    assert result.kept == 1 and not result.changed
    row = store.chunks.of_source(PLAN, HASH)[0]
    assert (row["metadata_json"], row["page_start"], row["embedding_model"]) == ({"page": 9}, 9, "m")


def test_vectors_are_pending_per_stamp_and_partition(searching_store: Store) -> None:
    store = searching_store
    one, two = add_candidate(store, "1"), add_candidate(store, "2", state="AC")
    add_document(store, "a" * 64, [one, two], ["saude", "escola"])
    add_document(store, "b" * 64, [one], ["transporte"])
    assert store.chunks.pending_count("m", 3) == 3 and store.chunks.pending_count("m", 3, partition="AC") == 2
    first = store.chunks.pending("m", 3, partition="SP", limit=2)
    rest = store.chunks.pending("m", 3, partition="SP", after_id=first[-1]["id"], limit=2)
    assert [row["content"] for row in first + rest] == ["saude", "escola", "transporte"]
    _fill(store)
    assert store.chunks.pending("m", 3) == [] and len(store.chunks.pending("other", 3)) == 3
    assert store.vectors.has("m", 3) and not store.vectors.has("other", 3)
    assert store.chunks.known_vectors(["Plano:saude", "Plano:nada"], "m", 3).keys() == {"Plano:saude"}
    assert store.chunks.sources("AC") == {(PLAN, "a" * 64): 2}
    assert store.chunks.orphan_count() == 0 and store.chunks.duplicate_count() == 0
    add_document(store, "c" * 64, [one], ["saude", "creche", "saude"])
    assert store.chunks.duplicate_count() == 1


def test_a_vector_of_another_length_or_with_nan_is_refused(store: Store) -> None:
    add_document(store, HASH, [add_candidate(store)], ["saude"])
    chunk_id = store.chunks.pending("m", 3)[0]["id"]
    for vector, code in (([1.0, 2.0], "VECTOR_DIMENSION"), ([1.0, float("nan"), 0.0], "VECTOR_NOT_FINITE")):
        with pytest.raises(StoreError) as refused, store.transaction() as tx:
            store.chunks.set_vectors(tx, [(chunk_id, vector)], "m", 3)
        assert refused.value.code == code
    assert store.chunks.pending_count("m", 3) == 1


def test_the_nearest_vectors_come_first_within_the_filter(searching_store: Store) -> None:
    store = searching_store
    one, two = add_candidate(store, "1"), add_candidate(store, "2", state="AC")
    add_document(store, "a" * 64, [one], ["zero", "um", "dois"])
    add_document(store, "b" * 64, [two], ["outro"])
    _fill(store)
    hits = store.vectors.search(np.array([1.0, 2.0, 0.5], dtype=np.float32), "m", 3, SearchFilter(states=("SP",)), 2)
    chunks = store.chunks.get([hit.chunk_id for hit in hits])
    assert [chunks[hit.chunk_id]["content"] for hit in hits] == ["dois", "um"]
    assert hits[0].similarity == pytest.approx(1.0, abs=1e-5)


def test_filters_follow_the_links_and_the_registry_without_chunking_again(searching_store: Store) -> None:
    store = searching_store
    one, two = add_candidate(store, "1"), add_candidate(store, "2", state="AC", party="PXB")
    add_document(store, HASH, [one], ["saude"])
    assert _found(store, "saude", states=("AC",)) == []
    with store.transaction() as tx:
        store.links.set(tx, PLAN, HASH, two, "FILED_BY")
    assert _found(store, "saude", states=("AC",), parties=("PXB",)) == [0]
    with store.transaction() as tx:
        store.candidates.upsert(tx, [candidate_row("2", state="AC", party="PXC")])
    assert _found(store, "saude", parties=("PXB",)) == [] and _found(store, "saude", parties=("PXC",)) == [0]
    with store.transaction() as tx:
        assert store.links.remove(tx, PLAN, HASH, two) is False
    assert _found(store, "saude", states=("AC",)) == [] and _found(store, "saude", candidate_ids=(one,)) == [0]
    assert store.chunks.candidates_of([store.chunks.of_source(PLAN, HASH)[0]["id"]]).popitem()[1] == [one]


def test_the_last_link_takes_chunks_words_and_vectors_along(searching_store: Store) -> None:
    store = searching_store
    one = add_candidate(store, "1")
    add_document(store, HASH, [one], ["saude", "escola"])
    _fill(store)
    with store.transaction() as tx:
        assert store.links.remove(tx, PLAN, HASH, one) is True
    assert store.documents.get(HASH) is None and store.chunks.sources() == {}
    assert _found(store, "saude") == [] and not store.vectors.has("m", 3)
    assert store.vectors.search(np.ones(3, dtype=np.float32), "m", 3, SearchFilter(), 5) == []
    health = store.lexical.verify()
    assert health.ok and store.lexical.size() == 0


def test_the_words_of_an_undone_unit_are_not_found(searching_store: Store) -> None:
    store = searching_store
    one = add_candidate(store, "1")
    with pytest.raises(RuntimeError), store.transaction() as tx:
        store.links.set(tx, PLAN, HASH, one, "FILED_BY")
        store.chunks.replace(tx, PLAN, HASH, [chunk_row(0, "saude")])
        raise RuntimeError("in the middle of a unit")
    assert _found(store, "saude") == [] and store.statistics()["tables"]["political_chunk"] == 0
    assert store.lexical.verify().ok


def test_an_accented_question_and_its_plain_form_find_the_same(searching_store: Store) -> None:
    """The text index folds nothing: both texts and questions are folded before they reach it."""
    store = searching_store
    texts = ["Educação em São Luís, covid-19 e PL 1234/2023", "Saúde pública", "Ampliação do acesso à saúde"]
    rows = [chunk_row(n, text, prepared=prepare("Plano", "Ações", text)) for n, text in enumerate(texts)]
    add_document(store, HASH, [add_candidate(store)], ["x"])
    with store.transaction() as tx:
        store.chunks.replace(tx, PLAN, HASH, rows)
    index_of = {row["id"]: row["chunk_index"] for row in store.chunks.of_source(PLAN, HASH)}
    for questions, expected in (
        (("Educação", "educacao", "EDUCAÇÃO", unicodedata.normalize("NFD", "educação")), {0}),
        (("São Luís", "sao luis"), {0}),
        (("saúde", "saude"), {1, 2}),
        (("covid-19",), {0}),
        (("1234/2023",), {0}),
    ):
        for question in questions:
            hits = store.lexical.search(analyze_query(question).query())
            assert {index_of[hit.chunk_id] for hit in hits} == expected, question


def test_the_index_can_be_written_anew(searching_store: Store) -> None:
    store = searching_store
    add_document(store, HASH, [add_candidate(store, "1")], ["saude", "escola"])
    store.lexical.rebuild()
    assert store.lexical.verify(deep=True).ok and _found(store, "escola", states=("SP",)) == [1]


def test_all_chunks_of_a_candidate_in_document_order(store: Store) -> None:
    one = add_candidate(store, "1")
    add_document(store, "b" * 64, [one], ["tres", "quatro"])
    add_document(store, "a" * 64, [one], ["um", "dois"])
    assert [row["content"] for row in store.chunks.of_candidate(one)] == ["um", "dois", "tres", "quatro"]
    assert store.chunks.of_candidate(one, ["PROPOSITION"]) == []


def test_a_large_source_is_replaced_in_units_of_few_rows_and_keeps_its_vectors(store: Store) -> None:
    add_document(store, "d" * 64, [add_candidate(store)], [f"passagem {n}" for n in range(6)])
    with store.transaction() as tx:
        pending = store.chunks.pending("m", 3)
        store.chunks.set_vectors(tx, [(row["id"], [1, 2, row["chunk_index"]]) for row in pending], "m", 3)
    # Passages 0 and 1 stay, 2 to 5 move up one place behind a new one, 5 is new: 1 + 4·2 rows change.
    rows = [chunk_row(n, f"passagem {m}") for n, m in enumerate([0, 1, 99, 2, 3, 4, 5])]
    changes, results = [], []
    for _ in range(9):
        with store.transaction() as tx:
            results.append(store.chunks.replace(tx, "GOVERNMENT_PROPOSAL", "d" * 64, rows, most=4))
        changes.append(results[-1].created + results[-1].removed)
        if results[-1].whole:
            break
    assert max(changes) <= 4 and sum(changes) == 9 and len(changes) == 3
    stored = store.chunks.of_source("GOVERNMENT_PROPOSAL", "d" * 64)
    assert [row["content"] for row in stored] == [row["content"] for row in rows]
    # A passage that had to go in one unit and came back in the next is embedded again.
    assert store.chunks.pending_count("m", 3) <= 1 + len(changes) - 1
    with store.transaction() as tx:
        again = store.chunks.replace(tx, "GOVERNMENT_PROPOSAL", "d" * 64, rows, most=4)
    assert (again.kept, again.created, again.removed, again.whole) == (7, 0, 0, True)


def test_the_chunks_around_a_place_come_in_order_without_what_lies_outside(store: Store) -> None:
    add_document(store, HASH, [add_candidate(store)], ["um", "dois", "tres", "quatro"])
    assert [row["chunk_index"] for row in store.chunks.around(PLAN, HASH, 1, 2)] == [1, 2]
    assert [row["content"] for row in store.chunks.around(PLAN, HASH, -1, 0)] == ["um"]
    assert store.chunks.around(PLAN, "f" * 64, 0, 9) == []
