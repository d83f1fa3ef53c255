"""What there is to ask about: elections, UFs, offices, parties, plans, bills, and when each was last collected."""

from collections import Counter
from typing import Final

from iris_assets.store import RunRow, Store
from iris_assets.store.search import SearchFilter
from iris_assets.store.tables.candidates import Standing
from iris_assets.web.schemas import CollectionReply, CoverageReply, ElectionReply, PlanCoverage
from iris_assets.words.source_kinds import GOVERNMENT_PROPOSAL

STAGES: Final = {
    "TSE_CANDIDATES": "candidaturas",
    "TSE_PROPOSALS": "planos de governo",
    "CAMARA": "proposições e mandatos da Câmara",
    "RAG_CHUNKS": "preparação da busca por palavras",
    "RAG_EMBEDDINGS": "preparação da busca por sentido",
}
STATUS: Final = {
    "SUCCESS": "concluída", "PARTIAL": "concluída com falhas", "FAILED": "falhou", "RUNNING": "em andamento",
}  # fmt: skip
MOST_TOPICS: Final = 20
IMAGE_ONLY: Final = ("EMPTY", "FAILED")


def coverage(store: Store) -> CoverageReply:
    """The coverage of a store, the newest election first."""
    years = sorted(_values(store, "election_year", SearchFilter()), reverse=True)
    bills = store.camara.bill_groups("year")
    return CoverageReply(
        elections=[_election(store, int(year)) for year in years],
        bills=store.camara.proposition_count(),
        bills_by_year={year: bills[year] for year in sorted(bills) if year.isdecimal()},
        topics=sorted(topic["name"] for topic in store.camara.topic_counts()[:MOST_TOPICS]),
        collections=[_collection(run) for stage in STAGES for run in _newest(store, stage)],
    )


def _values(store: Store, column: str, filters: SearchFilter) -> dict[str, int]:
    return store.candidates.values(column, filters, Standing())


def _election(store: Store, year: int) -> ElectionReply:
    only = SearchFilter(years=(year,))
    states, offices = _values(store, "state", only), _values(store, "office", only)
    return ElectionReply(
        year=year,
        candidates=sum(states.values()),
        states=dict(sorted(states.items())),
        offices=dict(sorted(offices.items())),
        parties=dict(sorted(_values(store, "party", only).items())),
        plans=_plans(store, year),
    )


def _plans(store: Store, year: int) -> PlanCoverage:
    """Documents by whether their text can be read; `missing` counts who filed none, in the offices that file plans."""
    kinds = Counter(row["text_status"] in IMAGE_ONLY for row in store.documents.hashes(year).values())
    filed = store.candidates.by_ids(store.links.owners([GOVERNMENT_PROPOSAL], SearchFilter(years=(year,))))
    offices = tuple(sorted({row["office"] for row in filed.values()}))
    expected = store.candidates.count(SearchFilter(years=(year,), offices=offices), Standing()) if offices else 0
    present = sum(not row["removed_at_source"] for row in filed.values())
    return PlanCoverage(with_text=kinds[False], image_only=kinds[True], missing=max(expected - present, 0))


def _newest(store: Store, stage: str) -> list[RunRow]:
    found = store.runs.latest_of_each(stage).values()
    return sorted(found, key=lambda run: (run.run_partition, -(run.election_year or 0)))


def _collection(run: RunRow) -> CollectionReply:
    return CollectionReply(
        what=STAGES[run.source],
        partition=run.run_partition,
        year=run.election_year,
        finished_at=run.finished_at,
        status=STATUS.get(run.status, run.status),
        failed=run.records_failed,
    )
