"""Stores for the tests: SQLite and PostgreSQL always, IRIS when IRIS_TEST_URL names a server; each begins empty."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Select, Table, delete, select
from sqlalchemy.engine import make_url

from iris_assets.store import Store, open_store
from iris_assets.store.iris.engine import IrisEngine
from iris_assets.store.iris.vectors import DIMENSION_NOTE
from iris_assets.store.search import PreparedText
from iris_assets.store.tables.schema import metadata, source_state
from iris_assets_tests.store.recorder import SCHEMA, Recorder


def server_url(environment: Mapping[str, str]) -> str:
    """IRIS_TEST_URL; without a user it takes IRIS_USERNAME and IRIS_PASSWORD, which a compose file cannot escape."""
    url = environment.get("IRIS_TEST_URL", "")
    if not url or make_url(url).username:
        return url
    user, password = environment.get("IRIS_USERNAME"), environment.get("IRIS_PASSWORD")
    return make_url(url).set(username=user, password=password).render_as_string(hide_password=False)


IRIS_TEST_URL = server_url(os.environ)
IRIS_TEST_SCHEMA = "IRISAssets_Contract"
IRIS_TEST_STORE = f"{IRIS_TEST_URL}?schema={IRIS_TEST_SCHEMA}"


SERVERS = ["iris"] if IRIS_TEST_URL else []


@pytest.fixture(params=["sqlite", "recorder", "postgres", *SERVERS])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """One suite for rows: SQLite, the dialect of IRIS over the recorder, PostgreSQL, and an IRIS when there is one."""
    opened = _opened(request, tmp_path)
    yield opened
    opened.close()


@pytest.fixture(params=["sqlite", "postgres", *SERVERS])
def searching_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """One suite for searches, which the recorder cannot answer."""
    opened = _opened(request, tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def second_store(searching_store: Store, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """Another connection to the database of `searching_store`, as another process has it."""
    urls = {"iris": lambda: IRIS_TEST_STORE, "sqlite": lambda: f"sqlite:///{tmp_path / 'store.sqlite3'}"}
    opened = open_store(urls.get(searching_store.engine.name, lambda: request.getfixturevalue("postgres_server").url)())
    yield opened
    opened.close()


@pytest.fixture
def recorder(tmp_path: Path) -> Recorder:
    """What would have been sent to a server."""
    return Recorder(tmp_path / "behind.sqlite3")


def recorded_store(recorder: Recorder, *, turn_seconds: float = 30) -> Store:
    """A store of the IRIS engine over the recorder."""
    engine = IrisEngine(
        "iris://user:secret@127.0.0.1:1972/IRISAPP", schema=SCHEMA, driver=recorder, licence_wait=0.001,
        turn_seconds=turn_seconds,
    )  # fmt: skip
    # The driver's own protocol tells these on a real connection.
    engine.dialect.server_version_info, engine.dialect.supports_vectors = (2025, 1, 0), True  # type: ignore[attr-defined]
    engine.open()
    return Store(engine)


def _opened(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    name = request.param
    if name == "iris":
        return empty_iris()
    if name == "postgres":
        return open_store(request.getfixturevalue("postgres_url"))
    if name == "recorder":
        return recorded_store(Recorder(tmp_path / "behind.sqlite3"))
    return open_store(f"sqlite:///{tmp_path / 'store.sqlite3'}")


def empty_iris() -> Store:
    """The test schema of the server, migrated and without rows."""
    from iris_assets.store import admin

    admin.upgrade(IRIS_TEST_STORE, dimension=3)
    store = open_store(IRIS_TEST_STORE)
    for table in reversed(metadata.sorted_tables):
        # The note of the embedding column belongs to the schema, not to the rows.
        own = [table.c.stage != DIMENSION_NOTE[0]] if table is source_state else []
        some = select(table.c.id).where(table.c.id > 0, *own).order_by(table.c.id).limit(store.limits.transaction_rows)
        while _deleted(store, table, some):
            pass
    return store


def _deleted(store: Store, table: Table, some: Select[Any]) -> int:
    """Delete these rows in a unit of their own; how many."""
    with store.transaction() as tx:
        ids = tx.connection.execute(some).scalars().all()
        if ids:
            tx.connection.execute(delete(table).where(table.c.id.in_(ids)))
    return len(ids)


def candidate_row(tse_id: str = "250001", **changes: Any) -> dict[str, Any]:
    """A plausible registry row with invented names."""
    return {
        "tse_id": tse_id,
        "election_year": 2026,
        "name": "MARIA APARECIDA DOS SANTOS",
        "ballot_name": "MARIA DA SAÚDE",
        "party": "PXA",
        "party_number": 91,
        "office": "DEPUTADO FEDERAL",
        "state": "SP",
        "candidate_number": 9101,
        **changes,
    }


def bill_row(camara_id: int = 2300001, **changes: Any) -> dict[str, Any]:
    """A bill as the Câmara describes it."""
    return {
        "camara_id": camara_id,
        "type": "PL",
        "number": 1234,
        "year": 2023,
        "year_repaired": False,
        "title": "PL 1234/2023",
        "summary": "Dispõe sobre a merenda escolar.",
        **changes,
    }


def author_row(key: str, order: int, *, main: bool = False) -> dict[str, Any]:
    """A signer of a bill."""
    return {"author_key": key, "name": f"Dep. {key}", "is_main_author": main, "signature_order": order}


def chunk_row(index: int, text: str, header: str = "Plano", **changes: Any) -> dict[str, Any]:
    """A chunk whose hashes are readable."""
    return {
        "chunk_index": index,
        "title": "Proposta de governo",
        "content": text,
        "header": header,
        "content_hash": f"content:{text}"[:64],
        "embedded_text_hash": f"{header}:{text}"[:64],
        "metadata_json": {"page": index + 1},
        "token_count": len(text.split()),
        "prepared": PreparedText(title="proposta governo", header=header.lower(), body=text, exact=text),
        **changes,
    }


def add_candidate(store: Store, tse_id: str = "250001", **changes: Any) -> int:
    """Store one candidate; its row id."""
    with store.transaction() as tx:
        store.candidates.upsert(tx, [candidate_row(tse_id, **changes)])
    found = store.candidates.by_tse_id(tse_id, changes.get("election_year"))
    assert found is not None
    return int(found["id"])


def add_document(store: Store, document_hash: str, candidate_ids: list[int], texts: list[str]) -> None:
    """Store one plan with its links and chunks."""
    with store.transaction() as tx:
        store.documents.upsert(
            tx,
            {
                "document_hash": document_hash,
                "election_year": 2026,
                "title": "Proposta de governo",
                "source_url": "https://cdn.tse.jus.br/x.zip",
                "text_status": "OK",
                "raw_text": "[Página 1]\n" + "\n".join(texts),
                "page_count": 1,
            },
        )
        for candidate_id in candidate_ids:
            store.links.set(tx, "GOVERNMENT_PROPOSAL", document_hash, candidate_id, "FILED_BY", "2026SP1_01.pdf")
        rows = [chunk_row(index, text) for index, text in enumerate(texts)]
        store.chunks.replace(tx, "GOVERNMENT_PROPOSAL", document_hash, rows)
