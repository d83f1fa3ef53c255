"""The same chunks in SQLite and PostgreSQL: writing, searching by words and by vectors, and whether they find the same.

    python -m benchmarks.bench_stores PLANS.jsonl.gz 20000 [--url postgresql+psycopg://…]

Without a URL the PostgreSQL of the tests is started. One client process; p50 and p95 of wall milliseconds, the server's work
included, and of the client's CPU. Real plans repeated to size, generated vectors of 1,536 numbers.
"""

import argparse
import itertools
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.bench_retrieval import DIMENSION, MODEL, QUESTIONS, TOP, _pieces, _questions, _vectors
from iris_assets.indexing.analyzer import analyze_query
from iris_assets.store import Store, admin, batches, open_store
from iris_assets.store.search import SearchFilter
from iris_assets_tests.postgres import PostgresServer
from iris_assets_tests.store.conftest import candidate_row

PLAN, PER_SOURCE = "GOVERNMENT_PROPOSAL", 50
CANDIDATES = 40_000
FIRST = "0"  # the TSE id of the candidate whom one source in 800 belongs to
OWNERS = 800


def _of_the_first(store: Store) -> SearchFilter:
    found = store.candidates.by_tse_id(FIRST)
    assert found is not None
    return SearchFilter(candidate_ids=(int(found["id"]),))


RESTRICTIONS: dict[str, Callable[[Store], SearchFilter]] = {
    "all": lambda _store: SearchFilter(),
    "one UF in three": lambda _store: SearchFilter(states=("SP",)),
    "one candidate": _of_the_first,
}


def main(arguments: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as folder, _server(arguments.url) as url:
        urls = {"sqlite": f"sqlite:///{folder}/store.sqlite3", "postgresql": url}
        stores = {name: open_store(url) for name, url in urls.items()}
        for name, store in stores.items():
            _candidates(name, store)
            _filled(name, store, arguments.plans, arguments.size)
            store.optimise()
        _words(stores)
        exact = _by_vectors(stores, arguments.size, "exact" if arguments.size <= 10_000 else "as `optimise` leaves it")
        _dropped(stores["postgresql"])
        _recall(exact, _by_vectors({"postgresql": stores["postgresql"]}, arguments.size, "without HNSW"))
        for store in stores.values():
            store.close()


@contextmanager
def _server(url: str | None) -> Iterator[str]:
    server = None if url else PostgresServer()
    place = url or str(server and server.url)
    admin.upgrade(place)
    yield place
    if server:
        server.stop()


def _candidates(name: str, store: Store) -> None:
    """Rows of the registry as the stage writes them, a unit at a time; then once more, unchanged."""
    rows = [
        candidate_row(str(n), ballot_name=f"NOME {n}", state="SP" if n % 3 == 0 else "RJ") for n in range(CANDIDATES)
    ]
    for what in ("new", "unchanged"):
        started, clock = time.process_time(), time.perf_counter()
        for unit in batches(rows, store.limits.transaction_rows):
            with store.transaction() as tx:
                store.candidates.upsert(tx, list(unit))
        cpu, wall = time.process_time() - started, time.perf_counter() - clock
        _line(
            name,
            f"candidates, {what}",
            f"{CANDIDATES / cpu:,.0f} rows per CPU second, {CANDIDATES / wall:,.0f} a second",
        )


def _filled(name: str, store: Store, plans: Path, size: int) -> None:
    """Sources of fifty chunks with words, links and vectors, written by the repositories."""
    ids = [row["id"] for row in store.candidates.list(columns=("id",))]
    pieces = _pieces(plans, size)
    started, clock = time.process_time(), time.perf_counter()
    numbers = itertools.count()
    for vectors in _vectors(size, 7):
        for part in batches(vectors, PER_SOURCE):
            number = next(numbers)
            rows = [_row(index, piece) for index, (_, piece) in enumerate(itertools.islice(pieces, len(part)))]
            with store.transaction() as tx:
                store.links.set(tx, PLAN, f"{number:06}", ids[number % OWNERS], "FILED_BY", "plano.pdf")
                store.chunks.replace(tx, PLAN, f"{number:06}", rows)
                stored = [row["id"] for row in store.chunks.of_source(PLAN, f"{number:06}")]
                store.chunks.set_vectors(tx, list(zip(stored, part, strict=True)), MODEL, DIMENSION)
    cpu, wall = time.process_time() - started, time.perf_counter() - clock
    _line(name, f"{size:,} chunks with vectors", f"{size / cpu:,.0f} per CPU second, {size / wall:,.0f} a second")


def _row(index: int, piece: Any) -> dict[str, Any]:
    return {
        "chunk_index": index, "title": "Plano", "content": piece.text, "header": "", "content_hash": f"{index}",
        "embedded_text_hash": f"{index}", "prepared": piece.prepared, "token_count": 700,
    }  # fmt: skip


def _words(stores: dict[str, Store]) -> None:
    asked = [analyze_query(question) for question in QUESTIONS]
    for label, restriction in RESTRICTIONS.items():
        orders = {}
        for name, store in stores.items():
            hits = _timed(
                name, f"words, {label}", store, lambda s, i, r=restriction: s.lexical.search(asked[i].query(r(s)))
            )
            orders[name] = [[store.chunks.places([hit.chunk_id])[hit.chunk_id] for hit in some[:10]] for some in hits]
        _recall(orders["sqlite"], orders["postgresql"], 10)


def _by_vectors(stores: dict[str, Store], size: int, how: str) -> list[list[Any]]:
    questions = _questions(size)
    orders: list[list[Any]] = []
    for label, restriction in RESTRICTIONS.items():
        for name, store in stores.items():
            hits = _timed(
                name, f"vectors, {label}, {how}", store,
                lambda s, i, r=restriction: s.vectors.search(questions[i], MODEL, DIMENSION, r(s), TOP),
            )  # fmt: skip
            if name == "postgresql":
                orders += [[hit.chunk_id for hit in some] for some in hits]
    return orders


def _timed(name: str, label: str, store: Store, search: Any) -> list[Any]:
    hits = [search(store, i) for i in range(len(QUESTIONS))]
    cpu, wall = [], []
    for i in list(range(len(QUESTIONS))) * 3:
        started, clock = time.process_time(), time.perf_counter()
        search(store, i)
        cpu.append(1000 * (time.process_time() - started))
        wall.append(1000 * (time.perf_counter() - clock))
    figures = [f"{value:.1f}" for value in (*np.percentile(wall, [50, 95]), np.percentile(cpu, 50))]
    _line(name, label, f"{figures[0]} ({figures[1]}), client's CPU {figures[2]}")
    return hits


def _dropped(store: Store) -> None:
    with store.schema_session() as connection:
        names = (
            connection.exec_driver_sql("SELECT indexname FROM pg_indexes WHERE indexdef LIKE '%%hnsw%%'")
            .scalars()
            .all()
        )
        for name in names:
            connection.exec_driver_sql(f'DROP INDEX "{name}"')


def _recall(here: Sequence[Sequence[Any]], there: Sequence[Sequence[Any]], top: int = TOP) -> None:
    shares = [len(set(a[:top]) & set(b[:top])) / len(a[:top]) for a, b in zip(here, there, strict=True) if a]
    _line("both", f"found by both of the first {top}", f"{np.mean(shares):.4f}")


def _line(*cells: str) -> None:
    print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("plans", type=Path)
    parser.add_argument("size", type=int, nargs="?", default=20_000)
    parser.add_argument("--url")
    main(parser.parse_args())
