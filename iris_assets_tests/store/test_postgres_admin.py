"""An administrator's work on PostgreSQL: migrations, printed SQL, checks, vector indexes, moving there and back."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from sqlalchemy import create_engine
from sqlalchemy.engine import make_url

from iris_assets.errors import ConfigurationError, StoreError
from iris_assets.settings import load_settings
from iris_assets.store import Store, admin, open_store
from iris_assets.store.engines import engine_for, parsed_url
from iris_assets.store.migrations import HEAD
from iris_assets.store.postgres import vectors
from iris_assets.store.search import SearchFilter
from iris_assets_tests.flows.commands import iris_assets
from iris_assets_tests.postgres import PostgresServer
from iris_assets_tests.store import flow
from iris_assets_tests.store.conftest import add_candidate, add_document, chunk_row

DIMENSION = 32


def _execute(url: str, *statements: str) -> None:
    engine = create_engine(make_url(url), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
    engine.dispose()


def test_a_fresh_database_is_refused_migrated_and_sound(postgres_server: PostgresServer, tmp_path: Path) -> None:
    url = postgres_server.fresh("fresh")
    with pytest.raises(StoreError) as refused:
        open_store(url)
    assert refused.value.code == "STORE_NOT_MIGRATED" and "db upgrade" in str(refused.value.hint)
    said = iris_assets("db", "upgrade", cwd=tmp_path, DATABASE_URL=url)
    assert (said.code, said.out) == (0, f"{HEAD}\n")
    said = iris_assets("db", "check", cwd=tmp_path, DATABASE_URL=url)
    assert said.code == 0 and json.loads(said.out)["findings"] == []
    assert admin.upgrade(url) == HEAD
    assert list(tmp_path.iterdir()) == []


def test_two_upgrades_at_once_make_one_schema(postgres_server: PostgresServer) -> None:
    url = postgres_server.fresh("twice")
    program = "import sys; from iris_assets.store import admin; print(admin.upgrade(sys.argv[1]))"
    running = [subprocess.Popen([sys.executable, "-c", program, url], stdout=subprocess.PIPE) for _ in range(2)]
    assert [process.communicate()[0] for process in running] == [f"{HEAD}\n".encode()] * 2
    assert admin.check(url)["ok"]


def test_a_migration_that_breaks_off_leaves_nothing(
    postgres_server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = postgres_server.fresh("broken")
    monkeypatch.setattr("iris_assets.store.postgres.steps.SEARCH_TABLE", ("CREATE TABLE nonsense",))
    with pytest.raises(StoreError):
        admin.upgrade(url)
    monkeypatch.undo()
    assert engine_for(url).schema_version() is None
    assert admin.upgrade(url) == HEAD and admin.check(url)["ok"]


def test_the_printed_sql_makes_a_store_at_head(postgres_server: PostgresServer) -> None:
    url = postgres_server.fresh("printed")
    printed = admin.ddl("postgresql+psycopg://u:p@nowhere/store")
    statements, after_the_load = printed.split("-- after the load")
    _execute(url, statements)
    assert admin.check(url)["findings"] == [] and "USING hnsw" in after_the_load
    assert '"TseId" VARCHAR(40) COLLATE "C"' in statements


def test_the_check_names_what_is_missing_and_doctors_words(postgres_server: PostgresServer) -> None:
    url = postgres_server.fresh("checked")
    admin.upgrade(url)
    store = open_store(url)
    add_document(store, "d" * 64, [add_candidate(store)], ["saude publica", "escola"])
    store.close()
    _execute(
        url, 'ALTER TABLE "Candidate" DROP COLUMN "Round"', 'DROP TABLE "NewsArticle"',
        'UPDATE "ChunkSearch" SET "Words" = \'outra\' WHERE "ChunkId" = 1',
    )  # fmt: skip
    assert set(admin.check(url)["findings"]) == {
        "table NewsArticle is missing",
        "column Candidate.Round is missing",
        "lexical index: 1 chunks have other words",
    }
    health = admin.mend_index(url)
    assert health is not None and not health.ok
    assert len(admin.check(url)["findings"]) == 2


def _clustered(count: int) -> NDArray[np.float32]:
    random = np.random.default_rng(7)
    centres = random.normal(size=(40, DIMENSION))
    drawn = centres[random.integers(0, 40, count)] + 0.4 * random.normal(size=(count, DIMENSION))
    return drawn.astype(np.float32)


def _with_vectors(store: Store, rows: NDArray[np.float32], model: str) -> None:
    """Two candidates' documents of 500 chunks each, one of the second UF in four."""
    owners = [add_candidate(store, "1", state="SP"), add_candidate(store, "2", state="RJ")]
    for number, start in enumerate(range(0, len(rows), 500)):
        texts = [f"{number} {index}" for index in range(len(rows[start : start + 500]))]
        source = f"{number:064}"
        with store.transaction() as tx:
            store.links.set(tx, "GOVERNMENT_PROPOSAL", source, owners[number % 4 == 0], "FILED_BY", "p.pdf")
            store.chunks.replace(tx, "GOVERNMENT_PROPOSAL", source, [chunk_row(n, t) for n, t in enumerate(texts)])
            ids = [row["id"] for row in store.chunks.of_source("GOVERNMENT_PROPOSAL", source)]
            store.chunks.set_vectors(tx, list(zip(ids, rows[start : start + 500], strict=True)), model, DIMENSION)


def test_the_vector_index_finds_what_the_exact_search_finds(
    postgres_server: PostgresServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    url = postgres_server.fresh("indexed")
    admin.upgrade(url)
    store = open_store(url)
    rows = _clustered(3_000)
    _with_vectors(store, rows, "it's 100%")
    questions = _clustered(3_040)[3_000:]
    filters = (SearchFilter(), SearchFilter(states=("RJ",)))

    def found() -> list[list[tuple[int, float]]]:
        hits = [store.vectors.search(q, "it's 100%", DIMENSION, one, 20) for one in filters for q in questions]
        return [[(hit.chunk_id, hit.similarity) for hit in some] for some in hits]

    exact = found()
    assert not store.engine.has_vector_index()
    said = iris_assets("db", "index", cwd=tmp_path, DATABASE_URL=url)
    assert said.code == 0 and "construído" in said.out
    assert store.engine.has_vector_index() and admin.build_vector_index(url) is False
    filtered = len(questions)
    assert found()[filtered:] == exact[filtered:]  # so few are compared one by one still
    monkeypatch.setattr(vectors, "EXACT_UP_TO", 100)
    by_index = found()
    common = [
        len({row[0] for row in some} & {row[0] for row in all_}) / 20
        for some, all_ in zip(by_index, exact, strict=True)
    ]
    assert sum(common) / len(common) >= 0.98
    assert all(len(some) == 20 for some in by_index)
    similar = dict(row for some in exact for row in some)
    assert all(similar.get(row[0], row[1]) == pytest.approx(row[1], abs=1) for some in by_index for row in some)
    store.close()


def test_vectors_of_several_dimensions_stand_side_by_side(postgres_url: str, tmp_path: Path) -> None:
    store = open_store(postgres_url)
    add_document(store, "d" * 64, [add_candidate(store)], ["a", "b", "c"])
    ids = [row["id"] for row in store.chunks.of_source("GOVERNMENT_PROPOSAL", "d" * 64)]
    with store.transaction() as tx:
        store.chunks.set_vectors(tx, [(ids[0], [1, 0]), (ids[1], [0, 0])], "two", 2)
        store.chunks.set_vectors(tx, [(ids[2], [1, 2, 3])], "three", 3)
    nearest = [(hit.chunk_id, hit.similarity) for hit in store.vectors.search([1, 1], "two", 2, SearchFilter(), 5)]
    assert nearest == [(ids[0], 0.70711), (ids[1], 0.0)]
    assert [hit.chunk_id for hit in store.vectors.search([1, 2, 3], "three", 3, SearchFilter(), 5)] == [ids[2]]
    said = iris_assets("db", "set-dimension", "384", cwd=tmp_path, DATABASE_URL=postgres_url)
    assert said.code == 0 and "nada a mudar" in said.out
    assert store.vectors.has("two", 2) and store.vectors.has("three", 3)
    store.close()


def test_an_index_that_was_not_finished_is_told_and_built_anew(postgres_server: PostgresServer) -> None:
    url = postgres_server.fresh("unfinished")
    admin.upgrade(url)
    store = open_store(url)
    _with_vectors(store, _clustered(20), "m")
    store.engine.administration.build_vector_index(store)
    store.close()
    name = vectors.index_name("m", DIMENSION)
    _execute(url, f"UPDATE pg_index SET indisvalid = false WHERE indexrelid = '\"{name}\"'::regclass")
    assert admin.check(url)["findings"] == [f"index {name} was not finished: iris-assets db index builds it anew"]
    assert admin.build_vector_index(url) is True and admin.check(url)["ok"]


def test_a_store_moves_from_sqlite_and_back(postgres_url: str, tmp_path: Path) -> None:
    first, last = (f"sqlite:///{tmp_path / name}" for name in ("a.sqlite3", "b.sqlite3"))
    source = open_store(first)
    flow.write_everything(source)
    said = iris_assets("db", "copy", "--from", first, "--to", "env:THERE", cwd=tmp_path, THERE=postgres_url)
    assert said.code == 0
    counts = {name: len(rows) for name, rows in flow.logical_rows(source).items()}
    assert json.loads(said.out) == counts and admin.copy(postgres_url, last) == counts
    there, back = open_store(postgres_url), open_store(last)
    assert flow.logical_rows(there) == flow.logical_rows(source) == flow.logical_rows(back)
    assert there.lexical.verify(deep=True).ok and back.lexical.verify(deep=True).ok
    assert admin.copy(first, postgres_url) == counts  # what is there already is compared, not written twice
    with pytest.raises(ConfigurationError) as same:
        admin.copy(postgres_url, postgres_url)
    assert same.value.code == "COPY_ONTO_ITSELF"
    for store in (source, there, back):
        store.close()


def test_thousands_of_rows_come_by_copy_and_overwrite_what_differs(postgres_url: str) -> None:
    """The seam itself: rows of the same key that another process wrote meanwhile are overwritten."""
    from iris_assets.store.tables.rows import insert_rows, select_rows
    from iris_assets.store.tables.schema import candidate
    from iris_assets_tests.store.conftest import candidate_row

    store = open_store(postgres_url)
    texts = ["tab\there", "back\\slash", "new\nline", "\\N", "é “ü”", "'quoted'"]
    rows = [{**candidate_row(str(n), removed_at_source=False, ballot_name=texts[n % 6])} for n in range(1_200)]
    for party in ("PXA", "PXB"):
        with store.transaction() as tx:
            insert_rows(tx, candidate, ("tse_id", "election_year"), [{**row, "party": party} for row in rows])
    with store.snapshot() as tx:
        found = {row.tse_id: row for row in tx.connection.execute(select_rows(candidate))}
    assert len(found) == 1_200 and {row.party for row in found.values()} == {"PXB"}
    assert all(found[row["tse_id"]].ballot_name == row["ballot_name"] for row in rows)
    assert len({row.id for row in found.values()} & set(range(1, 1_201))) == 1_200  # the rows of the first time
    store.close()


GIVEN = {
    "all": {"POSTGRES_HOST": "db", "POSTGRES_USER": "u@x", "POSTGRES_PASSWORD": "a@b:/c#d%41?e"},
    "chosen": {
        "POSTGRES_HOST": "::1",
        "POSTGRES_PORT": "6432",
        "POSTGRES_DB": "a b",
        "IRIS_HOST": "i",
        "STORE": "postgres",
    },
}
EXPECTED = {"all": ("u@x", "db", 5432, "iris_assets"), "chosen": ("", "::1", 6432, "a b")}


@pytest.mark.parametrize("name", list(GIVEN))
def test_the_variables_come_back_from_the_url_that_they_make(name: str) -> None:
    url = parsed_url(load_settings(GIVEN[name]).store_url)
    assert (url.username or "", url.host, url.port, url.database) == EXPECTED[name]
    assert (url.password or "") == GIVEN[name].get("POSTGRES_PASSWORD", "")


def test_store_says_which_of_two_described_stores_is_meant() -> None:
    both = {"IRIS_HOST": "i", "POSTGRES_HOST": "p"}
    schemes = {
        store: load_settings({**both, "STORE": store}).store_url.partition(":")[0]
        for store in ("auto", "iris", "postgres", "sqlite")
    }
    assert schemes == {"auto": "iris", "iris": "iris", "postgres": "postgresql+psycopg", "sqlite": "sqlite"}
    with pytest.raises(ConfigurationError, match="POSTGRES_HOST"):
        load_settings({"STORE": "postgres"})


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://u:secret@h",
        "postgresql://u:secret@h:0/d",
        "postgresql://u:secret@h/d?autocommit=1",
        "postgresql+psycopg2://u:secret@h/d",
        "postgresql:///d",
    ],
)
def test_a_malformed_url_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        open_store(url)
    assert refused.value.code == "DATABASE_URL_INVALID" and "secret" not in str(refused.value)


def test_plain_postgresql_means_our_driver() -> None:
    engine = engine_for("postgresql://u:secret@h/d?sslmode=require")
    assert engine.dialect.driver == "psycopg" and engine.url_safe == "postgresql+psycopg://u:***@h/d"


def test_rows_without_a_value_come_last_when_the_newest_come_first(postgres_url: str, tmp_path: Path) -> None:
    stores = [open_store(postgres_url), open_store(f"sqlite:///{tmp_path / 'a.sqlite3'}")]
    orders = []
    for store in stores:
        with store.transaction() as tx:
            for number, published in enumerate(("2026-01-02", None, "2026-03-04")):
                article = {"fingerprint": str(number) * 64, "tse_id": "1", "url": "https://example.org/a"}
                store.articles.upsert(tx, {**article, "published_at": published})
        orders.append([row["fingerprint"][0] for row in store.articles.of_candidate("1")])
        store.close()
    assert orders == [["2", "0", "1"]] * 2


def test_a_nul_in_a_text_is_left_out_on_every_engine(searching_store: Store) -> None:
    add_candidate(searching_store, "1", ballot_name="MARIA\x00 DA SAÚDE")
    found = searching_store.candidates.by_tse_id("1")
    assert found is not None and found["ballot_name"] == "MARIA DA SAÚDE"
