"""The store's contract for records: upserts by difference, links, retirement, look-ups, exact counts."""

from contextlib import AbstractContextManager
from datetime import UTC, date, datetime

import pytest
from sqlalchemy import select

from iris_assets.errors import StoreError, UsageError
from iris_assets.store import Limits, Outcome, Store, Tx
from iris_assets.store.search import SearchFilter
from iris_assets.store.tables.counts import BillsAsked
from iris_assets.store.tables.links import Links
from iris_assets.store.tables.schema import candidate
from iris_assets_tests.store.conftest import add_candidate, add_document, author_row, bill_row, candidate_row, chunk_row

PLAN = "GOVERNMENT_PROPOSAL"
NOON = datetime(2026, 8, 15, 12, 0, tzinfo=UTC)


def test_an_upsert_writes_only_what_changed(store: Store) -> None:
    rows = [candidate_row("1", source_collected_at=NOON), candidate_row("2", source_collected_at=NOON)]
    with store.transaction() as tx:
        assert store.candidates.upsert(tx, rows) == [Outcome.INSERTED, Outcome.INSERTED]
    first = store.candidates.by_tse_id("1")
    assert first is not None
    later = [
        candidate_row("1", source_collected_at=datetime(2026, 8, 16, tzinfo=UTC)),
        candidate_row("2", party="PXB"),
        candidate_row("3"),
    ]
    with store.transaction() as tx:
        outcomes = store.candidates.upsert(tx, later)
    assert outcomes == [Outcome.UNCHANGED, Outcome.UPDATED, Outcome.INSERTED]
    unchanged, changed = store.candidates.by_tse_id("1"), store.candidates.by_tse_id("2")
    assert unchanged is not None and changed is not None
    assert unchanged["updated_at"] == first["updated_at"] and unchanged["source_collected_at"] == NOON
    assert changed["updated_at"] > changed["created_at"] and changed["party"] == "PXB"


def test_a_key_that_comes_twice_in_one_call_is_one_row_with_the_last_values(store: Store) -> None:
    with store.transaction() as tx:
        outcomes = store.candidates.upsert(tx, [candidate_row("1", round=1), candidate_row("1", round=2)])
    assert outcomes == [Outcome.INSERTED, Outcome.UPDATED]
    assert [row["round"] for row in store.candidates.list()] == [2]


def test_the_match_is_not_touched_by_the_registry(store: Store) -> None:
    candidate_id = add_candidate(store, "1")
    with store.transaction() as tx:
        assert store.candidates.set_match(tx, candidate_id, "MATCHED", 95.0, 204554) is Outcome.UPDATED
        assert store.candidates.set_match(tx, candidate_id, "MATCHED", 95, 204554) is Outcome.UNCHANGED
        row = candidate_row("1", match_status=None, camara_deputy_id=None)
        assert store.candidates.upsert(tx, [row]) == [Outcome.UNCHANGED]
    stored = store.candidates.by_tse_id("1")
    assert stored is not None
    assert (stored["match_status"], stored["match_confidence"], stored["camara_deputy_id"]) == ("MATCHED", 95.0, 204554)
    assert store.matches.counts() == {"MATCHED": 1, "REVIEW": 0, "UNMATCHED": 0}


def test_the_change_mark_moves_with_every_change_and_not_without(store: Store) -> None:
    assert store.candidates.change_mark() == (0, None)
    candidate_id = add_candidate(store, "1")
    marks = [store.candidates.change_mark()]
    with store.transaction() as tx:
        store.candidates.upsert(tx, [candidate_row("1")])
    assert store.candidates.change_mark() == marks[0]
    for change in ({"ballot_name": "OUTRO NOME"}, {"ballot_name": "OUTRO NOME", "party": "PXZ"}):
        with store.transaction() as tx:
            assert store.candidates.upsert(tx, [candidate_row("1", **change)]) == [Outcome.UPDATED]
        marks.append(store.candidates.change_mark())
    with store.transaction() as tx:
        store.candidates.mark_removed(tx, [candidate_id])
    marks.append(store.candidates.change_mark())
    assert [count for count, _ in marks] == [1, 1, 1, 1] and len(set(marks)) == 4


def test_the_newest_election_is_found_by_the_tse_id_alone(store: Store) -> None:
    add_candidate(store, "1", election_year=2022)
    add_candidate(store, "1", election_year=2026)
    newest, older = store.candidates.by_tse_id("1"), store.candidates.by_tse_id("1", 2022)
    assert newest is not None and older is not None
    assert (newest["election_year"], older["election_year"]) == (2026, 2022)


def test_candidates_that_the_court_dropped_are_marked_within_the_filter_and_return(store: Store) -> None:
    add_candidate(store, "1")
    add_candidate(store, "2")
    add_candidate(store, "3", office="GOVERNADOR")
    add_candidate(store, "4", state="AC")
    with store.transaction() as tx:
        gone = store.candidates.absent(2026, "SP", ["DEPUTADO FEDERAL"], {"1"})
        store.candidates.mark_removed(tx, gone)
        assert [row["tse_id"] for row in store.candidates.by_ids(gone).values()] == ["2"]
        assert store.candidates.absent(2026, "SP", ["DEPUTADO FEDERAL"], {"1"}) == []
    assert [row["tse_id"] for row in store.candidates.list(states=("SP",))] == ["1", "3"]
    assert len(store.candidates.list(include_removed=True)) == 4
    with store.transaction() as tx:
        assert store.candidates.upsert(tx, [candidate_row("2")]) == [Outcome.UPDATED]
    assert len(store.candidates.list(states=("SP",), offices=("DEPUTADO FEDERAL",))) == 2


def test_names_are_searched_without_accents_and_listed_by_ballot_name(store: Store) -> None:
    add_candidate(store, "1", ballot_name="Zé do Sertão", name="José Carlos")
    add_candidate(store, "2", ballot_name="Ângela", name="Ângela José Prado", state="RJ")
    add_candidate(store, "3", ballot_name=None, name="BÁRBARA")
    found = store.search_candidates(name="JOSÉ")
    assert [row["tse_id"] for row in found.items] == ["2", "1"] and found.total == 2
    assert store.search_candidates(name="sertao", scope=SearchFilter(states=("SP",))).total == 1
    page = store.search_candidates(page=2, page_size=2)
    assert [row["tse_id"] for row in page.items] == ["1"] and page.total == 3
    assert store.search_candidates(name="%").total == 3  # no letters: no restriction, never a wildcard


def test_empty_text_is_null_and_case_and_accents_survive(store: Store) -> None:
    candidate_id = add_candidate(store, "1", ballot_name="", name="Conceição d'Ávila")
    stored = store.candidates.by_ids([candidate_id])[candidate_id]
    assert stored["ballot_name"] is None and stored["name"] == "Conceição d'Ávila"
    with store.snapshot() as tx:  # NULL for the database, not only for who reads the row
        nameless = select(candidate.c.id).where(candidate.c.ballot_name.is_(None))
        assert tx.connection.execute(nameless).scalars().all() == [candidate_id]
    with store.transaction() as tx:
        store.state.put(tx, "chunks", "KEY", "a")
        store.state.put(tx, "chunks", "key", "b", {"n": 1})
    upper, lower = store.state.get("chunks", "KEY"), store.state.get("chunks", "key")
    assert upper is not None and lower is not None
    assert (upper.consumed_key, lower.consumed_key, lower.detail) == ("a", "b", {"n": 1})
    assert set(store.state.all("chunks", "K")) == {"KEY"}


def test_unknown_columns_and_too_long_values_are_refused_by_name(store: Store) -> None:
    with pytest.raises(StoreError) as unknown, store.transaction() as tx:
        store.candidates.upsert(tx, [candidate_row("1", cpf="x")])
    assert unknown.value.code == "COLUMN_UNKNOWN" and "cpf" in str(unknown.value)
    with pytest.raises(StoreError) as long, store.transaction() as tx:
        store.candidates.upsert(tx, [candidate_row("1", name="x" * 256)])
    assert long.value.code == "VALUE_TOO_LONG" and "Candidate.Name takes 255 characters, got 256" in str(long.value)
    assert store.candidates.list() == []


@pytest.mark.large_units
def test_more_rows_than_a_statement_may_have_parameters(store: Store) -> None:
    rows = [candidate_row(str(number)) for number in range(1001)]
    with store.transaction() as tx:
        assert store.candidates.upsert(tx, rows) == [Outcome.INSERTED] * 1001
    with store.transaction() as tx:
        assert store.candidates.upsert(tx, rows) == [Outcome.UNCHANGED] * 1001
    ids = [row["id"] for row in store.candidates.list()]
    assert len(store.candidates.by_ids(ids)) == 1001


class _Breaking:
    """Gives so many units of a store and then none."""

    def __init__(self, store: Store, units: int) -> None:
        self._store, self._left = store, units

    def transaction(self) -> AbstractContextManager[Tx]:
        if not self._left:
            raise StoreError("STORE_LINK_LOST", "scripted")
        self._left -= 1
        return self._store.transaction()


def test_a_source_of_1100_chunks_goes_in_units_and_a_break_is_ended_by_the_next_call(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store.engine, "limits", Limits(transaction_rows=500, listed=400))
    one = add_candidate(store, "1")
    add_document(store, "a" * 64, [one], [])
    rows = [chunk_row(index, f"texto {index}") for index in range(1100)]
    whole = False
    while not whole:
        with store.transaction() as tx:
            whole = store.chunks.replace(tx, PLAN, "a" * 64, rows, most=500).whole
    with pytest.raises(StoreError):
        Links(_Breaking(store, 1)).withdraw(PLAN, "a" * 64, one)
    assert [row["chunk_index"] for row in store.chunks.of_source(PLAN, "a" * 64)] == list(range(600))
    assert [link["candidate_id"] for link in store.links.of_source(PLAN, "a" * 64)] == [one]
    assert store.links.withdraw(PLAN, "a" * 64, one) is True
    assert store.chunks.sources() == {} and store.documents.get("a" * 64) is None
    assert store.links.of_source(PLAN, "a" * 64) == []


def test_a_source_of_two_candidates_loses_one_link_and_no_chunk(store: Store) -> None:
    one, two = add_candidate(store, "1"), add_candidate(store, "2")
    add_document(store, "a" * 64, [one, two], ["saude", "escola"])
    assert store.links.withdraw(PLAN, "a" * 64, one) is False
    assert store.links.withdraw(PLAN, "a" * 64, one) is False
    assert len(store.chunks.of_source(PLAN, "a" * 64)) == 2


def test_a_filter_of_too_many_values_is_refused_not_cut(store: Store) -> None:
    last = add_candidate(store, "1")
    ids = tuple(range(last, last + store.limits.listed))
    assert store.candidates.count(SearchFilter(candidate_ids=ids)) == 1
    with pytest.raises(UsageError) as refused:
        SearchFilter(candidate_ids=tuple(range(10_000)), states=("SP",))
    assert refused.value.code == "FILTER_TOO_LARGE"


def test_four_megabytes_of_text_come_back_whole(store: Store) -> None:
    text = "[Página 1]\nSaúde é direito. " * 150_000
    row = {"document_hash": "a" * 64, "election_year": 2026, "source_url": "u", "text_status": "OK", "raw_text": text}
    with store.transaction() as tx:
        assert store.documents.upsert(tx, row) is Outcome.INSERTED
    with store.transaction() as tx:
        assert store.documents.upsert(tx, row) is Outcome.UNCHANGED
    stored = store.documents.get("a" * 64)
    assert stored is not None and stored["raw_text"] == text
    assert store.documents.without_text(["a" * 64])["a" * 64]["text_status"] == "OK"
    assert store.documents.hashes(2026) == {}  # nobody filed it


def test_a_bill_is_updated_when_a_part_of_it_changes_and_vanished_parts_are_retired(store: Store) -> None:
    authors = [author_row("A", 1, main=True), author_row("B", 2)]
    topics = [{"name": "Educação", "external_code": 46}, {"name": "Saúde", "external_code": 56}]
    with store.transaction() as tx:
        assert store.camara.upsert_bill(tx, bill_row(), authors, topics) is Outcome.INSERTED
        assert store.camara.upsert_bill(tx, bill_row(), authors, topics) is Outcome.UNCHANGED
        assert store.camara.upsert_bill(tx, bill_row(), authors[:1], topics) is Outcome.UPDATED
        assert store.camara.upsert_bill(tx, bill_row(), authors[:1], topics[1:]) is Outcome.UPDATED
        assert store.camara.upsert_bill(tx, bill_row(), authors[:1], topics[1:]) is Outcome.UNCHANGED
    bill = store.camara.bill(2300001)
    assert bill is not None
    assert [row["author_key"] for row in bill["authors"]] == ["A"]
    assert [row["name"] for row in bill["topics"]] == ["Saúde"]
    assert store.camara.bill_author_count(2300001) == 1


def test_bills_are_found_by_reference_with_their_type_and_in_both_forms_of_a_repaired_year(store: Store) -> None:
    with store.transaction() as tx:
        store.camara.upsert_bill(tx, bill_row(1), [], [])
        store.camara.upsert_bill(tx, bill_row(2, type="PLP"), [], [])
        store.camara.upsert_bill(
            tx, bill_row(3, number=9, year=2024, year_repaired=True, status_at="2024-01-02"), [], []
        )
    assert [row["camara_id"] for row in store.camara.bills_by_reference("pl", 1234, 2023)] == [1]
    assert [row["camara_id"] for row in store.camara.bills_by_reference("PL", 9, 2024)] == [3]
    assert [row["camara_id"] for row in store.camara.bills_by_reference("PL", 9, 0)] == [3]
    assert store.camara.bill_states() == {1: None, 2: None, 3: "2024-01-02"}


def test_the_source_goes_with_its_last_link_and_not_before(store: Store) -> None:
    one, two = add_candidate(store, "1"), add_candidate(store, "2")
    with store.transaction() as tx:
        store.camara.upsert_bill(tx, bill_row(), [author_row("A", 1)], [{"name": "Saúde"}])
        assert store.links.set(tx, "PROPOSITION", "2300001", one, "AUTHOR") is Outcome.INSERTED
        assert store.links.set(tx, "PROPOSITION", "2300001", one, "AUTHOR") is Outcome.UNCHANGED
        store.links.set(tx, "PROPOSITION", "2300001", two, "AUTHOR")
    assert [row["candidate_id"] for row in store.links.of_source("PROPOSITION", "2300001")] == [one, two]
    assert [bill["camara_id"] for bill in store.camara.bills_of_candidate(two)] == [2300001]
    with store.transaction() as tx:
        assert store.links.remove(tx, "PROPOSITION", "2300001", one) is False
        assert store.links.remove(tx, "PROPOSITION", "2300001", one) is False
    assert store.camara.bill(2300001) is not None
    with store.transaction() as tx:
        assert store.links.remove(tx, "PROPOSITION", "2300001", two) is True
    tables = store.statistics()["tables"]
    assert [
        tables[name] for name in ("proposition", "proposition_author", "proposition_topic", "source_candidate")
    ] == [
        0,
        0,
        0,
        0,
    ]


def test_history_is_kept_by_external_id_newest_first(store: Store) -> None:
    rows = [
        {"external_id": f"CAMARA_HIST:1:56:{year}", "camara_deputy_id": 1, "institution": "CAMARA",
         "position": "DEPUTADO FEDERAL", "start_date": date(year, 2, 1), "status": "Exercício"}
        for year in (2019, 2023)
    ]  # fmt: skip
    with store.transaction() as tx:
        assert store.camara.upsert_history(tx, rows) == [Outcome.INSERTED] * 2
        assert store.camara.upsert_history(tx, rows) == [Outcome.UNCHANGED] * 2
    assert [row["start_date"].year for row in store.camara.history_of_deputy(1)] == [2023, 2019]
    found = store.camara.history("CAMARA_HIST:1:56:2019")
    assert found is not None and found["status"] == "Exercício"


def test_counts_are_exact_and_follow_the_filters(store: Store) -> None:
    one, two = add_candidate(store, "1"), add_candidate(store, "2", state="RJ", party="PXB")
    with store.transaction() as tx:
        for camara_id, topics, linked in ((1, "A", [one, two]), (2, "AB", [one]), (3, "B", [two])):
            topic_rows = [{"name": f"Tema {name}"} for name in topics]
            store.camara.upsert_bill(tx, bill_row(camara_id), [author_row("X", 1)], topic_rows)
            for candidate_id in linked:
                store.links.set(tx, "PROPOSITION", str(camara_id), candidate_id, "AUTHOR")
    assert store.camara.proposition_count() == 3
    assert store.camara.proposition_count(SearchFilter(states=("SP",))) == 2
    assert store.camara.proposition_count(bills=BillsAsked(topic="Tema B")) == 2
    assert store.camara.proposition_count(bills=BillsAsked(types=("PLP",))) == 0
    assert store.camara.proposition_count(SearchFilter(states=("SP",)), BillsAsked(("PL",), (2023,), "Tema A")) == 2
    assert store.camara.author_counts(bills=BillsAsked(years=(1999,))) == []
    assert store.camara.source_count("PROPOSITION", SearchFilter(parties=("PXB",))) == 2
    assert store.camara.topic_counts() == [{"name": "Tema A", "count": 2}, {"name": "Tema B", "count": 2}]
    assert store.camara.topic_counts(SearchFilter(candidate_ids=(one,))) == [
        {"name": "Tema A", "count": 2},
        {"name": "Tema B", "count": 1},
    ]
    assert store.camara.author_counts() == [{"name": "Dep. X", "count": 3}]
    assert store.camara.topic_counts_by_candidate(SearchFilter(states=("RJ",))) == [
        {"candidate_id": two, "name": "Tema A", "count": 1},
        {"candidate_id": two, "name": "Tema B", "count": 1},
    ]
    assert store.candidates.count(SearchFilter(states=("SP",))) == 1


def test_review_cases_carry_every_deputy_considered(store: Store) -> None:
    candidate_id = add_candidate(store, "1")
    evidence = [
        {"camara_deputy_id": 7, "score": 80, "outcome": "REVIEW", "evidence_json": {"civil_name": 60}},
        {"camara_deputy_id": 8, "score": 95.5, "outcome": "REVIEW", "evidence_json": {"civil_name": 60}},
    ]
    with store.transaction() as tx:
        store.candidates.set_match(tx, candidate_id, "REVIEW", 95.5, None)
        assert store.matches.replace(tx, candidate_id, evidence) == [Outcome.INSERTED] * 2
    cases = store.matches.review_cases(states=("SP",))
    assert [row["camara_deputy_id"] for row in cases[0]["considered"]] == [8, 7]
    with store.transaction() as tx:
        assert store.matches.replace(tx, candidate_id, evidence[:1]) == [Outcome.UNCHANGED]
    assert [row["camara_deputy_id"] for row in store.matches.of_candidate(candidate_id)] == [7]


def test_an_answer_is_kept_as_it_was_given(store: Store) -> None:
    answer = {
        "question": "E a saúde?",
        "answer_text": "Sim [E1].",
        "answer_json": '{"a":1}',
        "filters_json": {"uf": "SP"},
    }
    evidences = [
        {"evidence_key": f"E{n}", "cited": n == 1, "source_type": "PROPOSITION", "source_id": "1", "passage": "texto"}
        for n in range(1, 12)
    ]
    key = store.answers.save(answer, evidences)
    stored = store.answers.get(key)
    assert stored is not None and stored["answer_text"] == "Sim [E1]."
    assert [row["evidence_key"] for row in stored["evidences"]] == [f"E{n}" for n in range(1, 12)]
    assert store.answers.get("no-such-key") is None


def test_the_latest_evaluation_of_a_set_and_partition(store: Store) -> None:
    for hour in (1, 2):
        run = {
            "run_partition": "SP", "question_set": "questions.yaml", "question_set_hash": "h", "status": "SUCCESS",
            "figures_json": {"hour": hour}, "started_at": datetime(2026, 8, 1, hour, tzinfo=UTC),
        }  # fmt: skip
        store.evaluations.save(run, [{"question_key": "q1", "figures_json": {"recall": 1.0}}])
    latest = store.evaluations.latest("questions.yaml", "SP")
    assert latest is not None
    assert latest["figures_json"] == {"hour": 2} and latest["answers"][0]["figures_json"] == {"recall": 1.0}
    assert store.evaluations.latest("questions.yaml", "AC") is None
    assert len(store.evaluations.history("questions.yaml", "SP")) == 2


def test_documents_of_a_candidate_and_links_of_a_partition(store: Store) -> None:
    one, two = add_candidate(store, "1"), add_candidate(store, "2", state="AC")
    add_document(store, "d" * 64, [one, two], ["saude"])
    assert [row["document_hash"] for row in store.documents.of_candidate(two)] == ["d" * 64]
    assert store.links.of_partition("AC") == {("GOVERNMENT_PROPOSAL", "d" * 64): [two]}
    assert [link["file_name"] for link in store.links.of_candidate(one, "GOVERNMENT_PROPOSAL")] == ["2026SP1_01.pdf"]
    assert store.links.of_candidate(one, "PROPOSITION") == []


def test_an_article_is_kept_by_fingerprint(store: Store) -> None:
    row = {
        "fingerprint": "f" * 64,
        "tse_id": "1",
        "title": "Entrevista",
        "url": "https://example.org/a",
        "body_text": "x",
    }
    with store.transaction() as tx:
        assert store.articles.upsert(tx, row) is Outcome.INSERTED
        assert store.articles.upsert(tx, row) is Outcome.UNCHANGED
    assert [article["title"] for article in store.articles.of_candidate("1")] == ["Entrevista"]
    assert store.articles.fingerprints() == {"f" * 64}
