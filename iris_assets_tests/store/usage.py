"""What is done to a store besides collecting: routes and questions, review, evaluation, maintenance, administration."""

from pathlib import Path
from typing import Any, Final

from fastapi import FastAPI
from fastapi.testclient import TestClient

from iris_assets.defs.maintenance import tend
from iris_assets.evaluation import QUESTION_FOLDER
from iris_assets.evaluation.partition import evaluate_partition
from iris_assets.evaluation.questions import load_questions
from iris_assets.ingest.checks import check_stage, rows_stored
from iris_assets.ingest.context import IngestContext
from iris_assets.ingest.reporting import StageReport
from iris_assets.ingest.review import review_cases, suggested_cases
from iris_assets.platform import Platform
from iris_assets.store import Store, open_store
from iris_assets.store.copying import copy_tables
from iris_assets.store.iris import changes as iris_changes
from iris_assets_tests.store.catalogue import Catalogue
from iris_assets_tests.store.conftest import recorded_store
from iris_assets_tests.store.flow import write_everything
from iris_assets_tests.store.recorder import SCHEMA, Event, Recorder

SAMPLE: Final = QUESTION_FOLDER / "sample.yaml"
# What the sample's own questions do not ask for.
MORE_QUESTIONS: Final = (
    "Quantos candidatos há no Acre?",
    "Quais são os principais temas dos projetos?",
    "Quantos autores tem o PL 1234/2023?",
    "Em quem devo votar?",
    "Qual a página 1 do plano de governo?",
    "Qual o número de Quintino?",  # a name of several
)
FILTERS: Final = {
    "states": ["AC"], "parties": ["PAZUL"], "offices": ["GOVERNADOR"], "years": [2026],
    "source_types": ["GOVERNMENT_PROPOSAL", "PROPOSITION"],
}  # fmt: skip


def answer_searches(recorder: Recorder, store: Store) -> None:
    """Script what the recorder cannot find: passages of every kind by their text and by their vector, index commands."""
    chunks = [chunk for key in store.chunks.sources() for chunk in store.chunks.of_source(*key)]
    identity = [(row["id"], row["source_type"], row["source_id"], row["chunk_index"]) for row in chunks]
    texts = store.chunks.get([row[0] for row in identity])
    by_text = [(*row, texts[row[0]]["content"].lower().replace("\n", " ")) for row in identity]
    recorder.scripted += [
        ("VECTOR_COSINE", [(*row, 0.9 - number / 1000) for number, row in enumerate(identity)]),
        ("ChunkTextIdxRank", by_text),
        ("%FIND", [(3,)]),
        ('"Embedding" IS NOT NULL', [(10_000,)]),
        ("INFORMATION_SCHEMA", [(0,)]),
        *((words, []) for words in ("TUNE TABLE", "BUILD INDEX", "CREATE INDEX")),
    ]


def ask_everything(app: FastAPI, store: Store) -> set[str]:
    """Every question of the sample and more, with and without filters; the strategies that answered them."""
    candidate = store.candidates.list(columns=("tse_id",))[0]["tse_id"]
    asked = [(one.question, one.candidate) for one in load_questions(SAMPLE).questions]
    strategies = set()
    with TestClient(app) as client:
        for question, chosen in [*asked, *((question, None) for question in MORE_QUESTIONS)]:
            for more in ({}, {"candidate": candidate}, {"filters": FILTERS}):
                body = {"question": question, "candidate": chosen, **more}
                reply = client.post("/api/ask", json={key: value for key, value in body.items() if value})
                assert reply.status_code in {200, 404}, (question, reply.text)
                strategies.add(reply.json().get("strategy"))
    return strategies - {None}


def _a_bill(store: Store) -> str:
    """The name of a bill of the store, such as `PL 1234/2023`."""
    number = next(source_id for kind, source_id in store.chunks.sources() if kind == "PROPOSITION")
    bill = store.camara.bill(int(number))
    assert bill is not None
    return f"{bill['type']} {bill['number']}/{bill['year']}"


def visit_everything(app: FastAPI, store: Store) -> None:
    """Every route of the API that reads, as the page calls it."""
    people = [row["tse_id"] for row in store.candidates.list(columns=("tse_id",))]
    documents = [source_id for kind, source_id in store.chunks.sources() if kind == "GOVERNMENT_PROPOSAL"]
    values = {
        "candidate_id": people[0],
        "document_hash": documents[0],
        "number": "1",
        "answer_id": "0" * 8 + "-0000" * 3 + "-" + "0" * 12,
        "reference": _a_bill(store).replace(" ", "-").replace("/", "-"),
    }
    questions: dict[str, dict[str, Any]] = {
        "/api/comparison": {"candidate": people[:2], "topic": "educação"},
        "/api/candidates": {"name": "maria", "party": "pazul", "state": "ac", "office": "governador", "page": 2},
    }
    with TestClient(app) as client:
        for path, operations in client.get("/api/openapi.json").json()["paths"].items():
            if "get" in operations:
                reply = client.get(path.format(**values), params=questions.get(path.replace("/api/v1/", "/api/"), {}))
                assert reply.status_code == (404 if "{answer_id}" in path else 200), (path, reply.text)
        for mode in ("lexical", "vector", "hybrid"):
            body = {"query": "educação em tempo integral", "mode": mode, "filters": FILTERS}
            assert client.post("/api/search", json=body).status_code == 200


def tend_everything(ingest: IngestContext, platform: Platform, reports: list[StageReport], folder: Path) -> None:
    """Checks of the stages, review, evaluation, maintenance."""
    for report in reports:
        check_stage(ingest, report)
        rows_stored(ingest, report.stage, report.partition)
    review_cases(ingest.store, ingest.settings)
    suggested_cases(ingest.store)
    questions = load_questions(SAMPLE)
    for uf in ("AC", "BR"):
        evaluate_partition(
            platform.answers, ingest.store, questions, uf, baseline=folder / "floors.json", export=folder
        )
    tend(ingest.store, lambda _text: None)
    ingest.store.lexical.rebuild()
    assert not ingest.store.engine.has_vector_index()


def administer_everything(folder: Path) -> list[Event]:
    """Upgrade, another dimension, the vector index, a copy from SQLite: what was sent to the server."""
    server = Catalogue(folder / "behind.sqlite3")
    changes = ("CREATE ", "ALTER ", "DROP INDEX", "INSERT INTO IRISPol", "TUNE TABLE", "BUILD INDEX")
    server.scripted += [(words, []) for words in changes]
    store = recorded_store(server)
    server.scripted.append(("version_num", []))
    store.engine.administration.upgrade()
    server.scripted.pop()
    iris_changes.build_vector_index(store, SCHEMA)
    iris_changes.set_dimension(store, SCHEMA, 3)
    source = open_store(f"sqlite:///{folder / 'source.sqlite3'}")
    write_everything(source)
    copy_tables(source, store, lambda _table, _done: None)
    iris_changes.set_dimension(store, SCHEMA, 8)
    for one in (source, store):
        one.close()
    return server.statements()
