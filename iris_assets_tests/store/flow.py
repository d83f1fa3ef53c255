"""One flow through every method of every repository: what the golden statements are taken from."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import numpy as np

from iris_assets.store import Store
from iris_assets.store.search import LexicalQuery, SearchFilter
from iris_assets.store.tables.candidates import Standing
from iris_assets.store.tables.counts import BillsAsked
from iris_assets.store.tables.rows import fetch, select_rows
from iris_assets.store.tables.schema import metadata
from iris_assets_tests.store.conftest import add_document, author_row, bill_row, candidate_row, chunk_row

NOON = datetime(2026, 8, 15, 12, 0, tzinfo=UTC)
FILTER = SearchFilter(
    candidate_ids=(1,), states=("SP",), parties=("PXA",), offices=("DEPUTADO FEDERAL",),
    source_types=("PROPOSITION", "GOVERNMENT_PROPOSAL"), years=(2026,),
)  # fmt: skip
PLAN = "GOVERNMENT_PROPOSAL"


def write_everything(store: Store) -> None:
    """All writes, in the order of the stages."""
    run = store.runs.start("TSE_CANDIDATES", "SP", {"uf": "SP"})
    with store.transaction() as tx:
        rows = [candidate_row(str(n), ballot_name=f"Nº {n}", source_collected_at=NOON) for n in range(3)]
        store.candidates.upsert(tx, rows)
        store.runs.count(tx, run.id, read=3, created=3)
        store.state.put(tx, "candidates", "candidatos-2026:SP", "k" * 64, {"rows": 3})
    with store.transaction() as tx:
        store.candidates.upsert(tx, [candidate_row("1", party="PXB"), candidate_row("3", round=2)])
        store.candidates.mark_removed(tx, store.candidates.absent(2026, "SP", ["DEPUTADO FEDERAL"], {"0", "1", "3"}))
    store.runs.finish(run.id, "SUCCESS", source_hash="h" * 64, error_code=None, error_message=None, work={"rows": 3})
    ids = {row["tse_id"]: row["id"] for row in store.candidates.list(include_removed=True)}
    with store.transaction() as tx:
        store.camara.upsert_deputies(tx, [{"camara_id": 7, "civil_name": "MARIA", "parties_json": ["PXA"]}])
        store.candidates.set_match(tx, ids["0"], "MATCHED", 95, 7)
        evidence = {"score": 80.25, "outcome": "REVIEW", "evidence_json": {"civil_name": 60}}
        store.matches.replace(tx, ids["1"], [{"camara_deputy_id": n, **evidence} for n in (7, 8)])
        store.matches.replace(tx, ids["1"], [{"camara_deputy_id": 7, **evidence}])
        store.candidates.set_match(tx, ids["1"], "REVIEW", 80.25, None)
    with store.transaction() as tx:
        history = {"external_id": "CAMARA_HIST:7:57:2023", "camara_deputy_id": 7, "institution": "CAMARA"}
        store.camara.upsert_history(tx, [{**history, "start_date": date(2023, 2, 1), "status": ""}])
        store.links.set(tx, "POLITICAL_HISTORY", history["external_id"], ids["0"], "HOLDER")
    for number, names in ((1, "ABC"), (2, "A")):
        with store.transaction() as tx:
            authors = [author_row(name, order, main=order == 1) for order, name in enumerate(names, start=1)]
            bill = bill_row(number, presentation_date=date(2023, 3, number), status_at="2023-03-02T10:00")
            store.camara.upsert_bill(tx, bill, authors, [{"name": "Saúde"}, {"name": "Educação", "external_code": 46}])
            store.links.set(tx, "PROPOSITION", str(number), ids["0"], "AUTHOR")
            store.links.set(tx, "PROPOSITION", str(number), ids["1"], "AUTHOR")
    with store.transaction() as tx:
        store.camara.upsert_bill(tx, bill_row(1, status="Arquivada"), [author_row("A", 1)], [{"name": "Saúde"}])
        store.links.remove(tx, "PROPOSITION", "1", ids["1"])
        store.links.remove(tx, "PROPOSITION", "2", ids["1"])
        store.links.remove(tx, "PROPOSITION", "2", ids["0"])
    add_document(store, "a" * 64, [ids["0"], ids["1"]], ["saude publica", "escola integral", "transporte"])
    with store.transaction() as tx:
        pending = store.chunks.pending("m", 3, partition="SP")
        store.chunks.set_vectors(tx, [(row["id"], [1, row["chunk_index"], 0.25]) for row in pending], "m", 3)
    with store.transaction() as tx:
        changed = [chunk_row(0, "saude publica", page_start=2), chunk_row(1, "creche"), chunk_row(2, "escola integral")]
        store.chunks.replace(tx, PLAN, "a" * 64, changed)
        store.chunks.retire(tx, "PROPOSITION", "1")
        store.state.delete(tx, "candidates", "no such unit")
    add_document(store, "b" * 64, [ids["0"]], ["moradia"])
    with store.transaction() as tx:
        store.links.remove(tx, PLAN, "b" * 64, ids["0"])
    add_document(store, "c" * 64, [ids["0"]], ["esporte"])
    store.links.withdraw(PLAN, "c" * 64, ids["0"])
    with store.transaction() as tx:
        authors = [author_row("A", 1), author_row("D", 2)]
        store.camara.upsert_bill_part(tx, bill_row(4), authors, [{"name": "Cultura"}], most=2)
        store.camara.upsert_bill_part(tx, bill_row(4), authors, [{"name": "Cultura"}], most=2)
        store.links.add(tx, "PROPOSITION", {"4": [ids["0"]]}, "AUTHOR", new_sources=True)
        store.links.add(tx, "PROPOSITION", {"4": [ids["1"]]}, "AUTHOR")
        article = {"fingerprint": "f" * 64, "tse_id": "0", "url": "https://example.org/a", "body_text": "x"}
        store.articles.upsert(tx, article)
        change = {"tse_id": "0", "election_year": 2026, "field": "party", "run_key": "r"}
        store.changes.add(tx, [{**change, "value_before": "PT", "value_after": None}])
    store.answers.save(
        {"answer_key": "k", "question": "?", "answer_json": "{}"},
        [{"evidence_key": "E1", "cited": True, "source_type": PLAN, "source_id": "a" * 64, "passage": "saude"}],
    )
    evaluation = {"run_key": "e", "run_partition": "SP", "question_set": "q", "question_set_hash": "h"}
    store.evaluations.save(
        {**evaluation, "status": "SUCCESS", "started_at": NOON},
        [{"question_key": "1", "answer_key": "k", "figures_json": {"r": 1.0}}],
    )
    store.evaluations.forget_answers("q", "SP", keep=1)
    store.answers.save({"answer_key": "old", "question": "?", "answer_json": "{}"}, [])
    store.evaluations.save(
        {**evaluation, "run_key": "o", "status": "SUCCESS", "started_at": NOON - timedelta(days=1)},
        [{"question_key": "1", "answer_key": "old"}],
    )
    store.evaluations.forget_answers("q", "SP", keep=1)
    store.answers.save({"answer_key": "unopened", "question": "?", "answer_json": "{}", "created_at": NOON}, [])
    store.answers.opened("k")
    store.answers.forget(NOON + timedelta(hours=1))


def read_everything(store: Store) -> None:
    """All reads."""
    store.runs.latest(source="TSE_CANDIDATES", partition="SP")
    store.runs.latest_of_each("TSE_CANDIDATES")
    store.runs.latest_of_each("TSE_CANDIDATES", ["PARTIAL", "SUCCESS"])
    store.runs.running()
    store.runs.close_dead()
    store.state.get("candidates", "candidatos-2026:SP")
    store.state.all("candidates")
    store.state.some("candidates", ["candidatos-2026:SP", "candidatos-2026:RJ"])
    store.candidates.list(election_year=2026, states=("SP",), offices=("DEPUTADO FEDERAL",))
    store.candidates.list(states=("SP",), include_removed=True, columns=("id",))
    store.candidates.matched()
    store.candidates.by_tse_id("1")
    store.candidates.by_tse_id("1", 2026)
    store.candidates.by_tse_ids(2026, ["0", "1"], ["tse_id"])
    list(store.candidates.present(["tse_id"]))
    store.candidates.by_ids([1, 2])
    store.candidates.spellings("party")
    store.candidates.spellings("office")
    store.candidates.count(FILTER)
    store.candidates.within(FILTER)
    store.candidates.change_mark()
    store.candidates.election_years()
    for page in (1, 2):
        store.search_candidates(
            name="nº", scope=FILTER, standing=Standing(("ELEITO",)), match_status="MATCHED", page=page, page_size=1,
        )  # fmt: skip
    store.matches.of_candidate(1)
    store.matches.review_cases(states=("SP",), election_year=2026)
    store.matches.counts(states=("SP",), election_year=2026)
    store.matches.suggested()
    store.documents.get("a" * 64)
    store.documents.hashes(2026)
    store.documents.of_candidate(1)
    store.links.of_source(PLAN, "a" * 64)
    store.links.of_candidate(1)
    store.links.of_candidate(1, PLAN)
    store.links.of_partition("SP", PLAN)
    store.links.owners([PLAN, "PROPOSITION"], FILTER)
    store.camara.deputies()
    store.camara.deputies(("camara_id", "civil_name"))
    store.camara.history_ids([7, 8])
    store.camara.deputies_by_id([7, 8])
    store.camara.histories(["CAMARA_HIST:7:57:2023", "CAMARA_HIST:8:57:2023"])
    with store.snapshot() as tx:
        store.matches.of_candidates(tx, [1, 2])
        store.links.of_sources(tx, "PROPOSITION", ["1", "4"])
    store.camara.deputy(7)
    store.camara.history("CAMARA_HIST:7:57:2023")
    store.camara.history_of_deputy(7)
    store.camara.bill(1)
    store.camara.bills_by_reference("PL", 1234, 2023)
    store.camara.bills_by_reference("PL", 1234, 0)
    store.camara.bills_of_candidate(1)
    store.camara.bill_states()
    store.camara.bill_states([1, 2])
    store.camara.bill_author_count(1)
    store.camara.author_counts_of([1, 4])
    store.camara.bills_by_author([7, 8])
    store.camara.proposition_count(FILTER)
    store.camara.proposition_count(FILTER, BillsAsked(("PL", "PEC"), (2022, 2023), "Saúde"))
    store.candidates.count(FILTER, Standing(("ELEITO",), 2, ("APTO",), decided=True))
    store.camara.source_count(PLAN, FILTER)
    store.candidates.values("party", FILTER, Standing())
    store.camara.bill_groups("type", FILTER)
    store.camara.bill_groups("year")
    store.camara.bill_titles(FILTER)
    store.camara.topic_counts(SearchFilter(candidate_ids=(1, 2)))
    store.camara.author_counts(FILTER)
    store.camara.topic_counts_by_candidate(FILTER)
    store.chunks.pending_count("m", 3, partition="SP")
    store.chunks.pending_count("m", 3)
    store.chunks.known_vectors(["Plano:saude publica"], "m", 3)
    store.chunks.get([1, 2])
    store.chunks.places([1, 2])
    store.chunks.terms([1, 2])
    store.chunks.of_source(PLAN, "a" * 64)
    store.chunks.around(PLAN, "a" * 64, 0, 2)
    store.documents.without_text(["a" * 64])
    store.chunks.of_candidate(1, [PLAN])
    store.chunks.candidates_of([1, 2])
    store.chunks.sources("SP")
    store.chunks.sources()
    store.chunks.orphan_count()
    store.chunks.duplicate_count()
    store.answers.get("k")
    store.answers.find("k")
    store.revision()
    store.evaluations.latest("q", "SP")
    store.evaluations.history("q", "SP")
    store.evaluations.answers(1)
    store.evaluations.corpus_digest()
    store.articles.get("f" * 64)
    store.articles.of_candidate("0")
    store.articles.versions("https://jornal.example/1", "0")
    store.articles.fingerprints()
    for row in store.candidates.list():
        store.candidates.ticket({**row, "office": "PREFEITO", "candidate_number": 13, "electoral_unit": "01392"})
    store.changes.since(NOON, states=("SP",), election_year=2026)
    store.changes.of_candidate("0", 2026)
    store.statistics()
    store.check_integrity()


def search_everything(store: Store) -> None:
    """All searches, with and without a filter."""
    query = LexicalQuery(terms=(("saud",), ("1234/2023", "pl 1234")), exact_terms=("saude", ""), filter=FILTER)
    store.lexical.search(query)
    store.lexical.search(LexicalQuery(terms=(("saud",),)))
    store.lexical.document_frequency(["saud"])
    store.lexical.size()
    store.lexical.verify(deep=True)
    store.lexical.rebuild()
    question = np.ones(3, dtype=np.float32)
    store.vectors.has("m", 3)
    store.vectors.search(question, "m", 3, FILTER, 20)
    store.vectors.search(question, "m", 3, SearchFilter(), 20)


def logical_rows(store: Store) -> dict[str, list[dict[str, Any]]]:
    """Every row of every table without what differs by nature: ids, times, keys made at random."""
    found = {}
    for table in metadata.sorted_tables:
        left_out = {
            "id",
            "created_at",
            "updated_at",
            "changed_at",
            "opened_at",
            "started_at",
            "finished_at",
            "process_key",
            "run_key",
        }
        left_out |= {column.key for column in table.c if column.foreign_keys}
        with store.snapshot() as tx:
            rows = fetch(tx, select_rows(table, without=left_out))
        plain = [{k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in row.items()} for row in rows]
        found[table.name] = sorted(plain, key=str)
    return found
