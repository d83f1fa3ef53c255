"""Every statement that goes to IRIS, as its own dialect writes it: compared with the reviewed files and with the rules.

`UPDATE_GOLDEN=1 pytest iris_assets_tests/store/test_iris_golden.py` writes the files anew; read the difference.
"""

import sys
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import numpy as np
import pytest

from iris_assets.store import admin, open_store
from iris_assets.store.core import Store
from iris_assets.store.search import SearchFilter
from iris_assets.store.tables.rows import Repository
from iris_assets_tests.store import flow, usage
from iris_assets_tests.store.conftest import recorded_store
from iris_assets_tests.store.expectations import compare, listed, shape, shapes_of
from iris_assets_tests.store.plans import explain, sent_by
from iris_assets_tests.store.recorder import Event, Recorder
from iris_assets_tests.store.sql_lint import findings

TABLE = 'IRISPolitical_Model."PoliticalChunk"'
URL = "iris://user:secret@127.0.0.1:1972/IRISAPP"
FOUND_BY_TEXT = [(1, "GOVERNMENT_PROPOSAL", "a", 0, "titulo\ncabecalho\nsaud publ\nsaude publica")]


def _answering(recorder: Recorder) -> Store:
    recorder.scripted += [
        ("VECTOR_COSINE", [(1, "GOVERNMENT_PROPOSAL", "a", 0, 0.5), (2, "GOVERNMENT_PROPOSAL", "a", 1, 0.25)]),
        ("ChunkTextIdxRank", FOUND_BY_TEXT),
        ("%FIND", [(1,)]),
        ("BUILD INDEX", []),
    ]
    return recorded_store(recorder)


def _recorded(recorder: Recorder) -> list[Event]:
    store = _answering(recorder)
    _do_everything(store)
    store.close()
    return recorder.statements()


def _do_everything(store: Store) -> None:
    flow.write_everything(store)
    flow.read_everything(store)
    flow.search_everything(store)


def test_every_statement_is_the_reviewed_one(recorder: Recorder) -> None:
    compare("statements.sql", listed({shape(event.statement) for event in _recorded(recorder)}))


def test_the_flow_calls_every_method_of_every_repository(recorder: Recorder) -> None:
    """So that no statement is left out of the reviewed ones because nobody thought of its method."""
    store = _answering(recorder)
    called: set[CodeType] = set()

    def note(frame: FrameType, event: str, _argument: Any) -> None:
        if event == "call":
            called.add(frame.f_code)

    sys.setprofile(note)
    try:
        _do_everything(store)
    finally:
        sys.setprofile(None)
    parts = [part for part in vars(store).values() if isinstance(part, Repository)] + [store.lexical, store.vectors]
    methods = {
        f"{type(part).__name__}.{name}": getattr(type(part), name)
        for part in parts
        for name in dir(type(part))
        if not name.startswith("_") and hasattr(getattr(type(part), name), "__code__")
    }
    assert len(methods) > 70
    assert [name for name, method in methods.items() if method.__code__ not in called] == []


def test_the_plan_is_asked_for_the_statement_that_the_store_sends(recorder: Recorder) -> None:
    """What the test against a server explains: the store's own kNN with the conditions of its stamp."""
    store = _answering(recorder)
    sent = sent_by(lambda: store.vectors.search(np.array([0.5, 1, -2]), "it's m", 3, SearchFilter(), 5))
    asked = [" ".join(explain(*one).split()).replace(TABLE, "C") for one in sent if "VECTOR_COSINE" in one[0]]
    assert asked == [
        'EXPLAIN SELECT TOP 5 C."Id", C."SourceType", C."SourceId", C."ChunkIndex", '
        'VECTOR_COSINE(C."Embedding", TO_VECTOR(\'0.5,1,-2\', DOUBLE)) AS "Score" FROM C '
        'WHERE C."Embedding" IS NOT NULL AND C."EmbeddingModel" = \'it\'\'s m\' AND C."EmbeddingDimension" = 3 '
        'ORDER BY "Score" DESC'
    ]


def test_the_ddl_is_the_reviewed_one() -> None:
    compare("ddl.sql", admin.ddl(URL))


def test_every_statement_of_an_administrator_is_a_reviewed_one(tmp_path: Path) -> None:
    """`administration.sql` holds what is neither DDL of the migrations nor in the flow through the store's methods."""
    sent = {shape(event.statement) for event in usage.administer_everything(tmp_path)}
    assert len(sent & shapes_of("ddl.sql")) > 20
    compare("administration.sql", listed(sent - shapes_of("ddl.sql") - shapes_of("statements.sql")))


def test_no_statement_of_the_ddl_breaks_a_rule() -> None:
    """Those of every other kind are refused by the recorder, whatever test sends them."""
    assert [(found, line) for line in admin.ddl(URL).split(";\n") for found in findings(line)] == []


@pytest.mark.parametrize(
    "statement",
    [
        'SELECT TOP ? "Id", VECTOR_COSINE("Embedding", TO_VECTOR(?, DOUBLE)) AS "Score" FROM T ORDER BY "Score" DESC',
        'SELECT TOP 5 "Id", VECTOR_COSINE("Embedding", TO_VECTOR(?, DOUBLE)) AS "Score" FROM T ORDER BY "Score"',
        'SELECT TOP 5 "Id" FROM T WHERE "Id" = ?',
        'SELECT "Id" FROM T ORDER BY "Id" LIMIT 5',
        "INSERT INTO T (A) VALUES (TO_VECTOR(?, DOUBLE, 1536))",
        "INSERT INTO T (A) VALUES (TO_VECTOR(?))",
        "DELETE FROM T",
        'UPDATE T SET "A" = ?',
        'SELECT "Id" FROM T WHERE "RawText" = ?',
        'SELECT "Id" FROM T ORDER BY "SearchText"',
        "CREATE TABLE T (A VARCHAR)",
        'SELECT 1 FROM "IRISPolitical_Model"."T"',
        'SELECT "Id" FROM T WHERE "RawText" = ? AND EXISTS (SELECT 1 FROM U WHERE "X" = ?)',
        'SELECT "Id" FROM T JOIN U ON T."RawText" = U."RawText" WHERE T."Id" = ?',
        'SELECT DISTINCT "RawText" FROM T',
        'SELECT COUNT(DISTINCT "BodyText") FROM T',
        'SELECT UPPER("BodyText") FROM T',
        'SELECT "Id" FROM T ORDER BY COUNT("Title"), "SearchText"',
        'SELECT "RawText" AS "raw_text" FROM T ORDER BY "raw_text"',
        'SELECT "Id" FROM T WHERE S.T."RawText" <= ?',
        'SELECT "Id" FROM T WHERE "RawText" BETWEEN ? AND ?',
        'SELECT "Id" FROM T WHERE "RawText" NOT LIKE ?',
        'SELECT "Id" FROM T WHERE ? = "RawText"',
        'SELECT "Id" FROM T WHERE "SearchText" IS NULL OR "SearchText" <> ?',
        'UPDATE T SET "Title" = "RawText" WHERE "Id" = ?',
        'UPDATE T SET "RawText" = ? WHERE "RawText" = ?',
        'SELECT TOP 5 "Id" FROM T WHERE "A" IS NOT NULL AND "B" = ?',
        'SELECT "Id" FROM (SELECT TOP 5 "Id" FROM T) ORDER BY "Id"',
        'SELECT TOP 5 "Id", VECTOR_DOT_PRODUCT("Embedding", TO_VECTOR(?, DOUBLE)) AS S FROM T ORDER BY S DESC',
        'SELECT "Id" FROM T OFFSET 5',
        'SELECT "Id" FROM T limit 5',
        'SELECT "Id" FROM T union all SELECT 1',
        "delete from T",
        'UPDATE T SET "A" = (SELECT 1 FROM U WHERE "B" = ?)',
        'SELECT GROUP_CONCAT("A") FROM T',
        'SELECT "Id" FROM T FOR UPDATE',
        'INSERT OR REPLACE INTO T ("A") VALUES (?)',
        'CREATE TABLE T ("Embedding" VECTOR(FLOAT, 3))',
    ],
)
def test_the_rules_find_what_they_are_for(statement: str) -> None:
    assert findings(statement)


@pytest.mark.parametrize(
    ("statement", "rows"),
    [
        ("SELECT 1 FROM T WHERE A IN (" + ", ".join("?" * 501) + ")", [[1] * 501]),
        ("UPDATE T SET A = ? WHERE B = ?", [[1, 2]] * 501),
        ("UPDATE T SET A = ? WHERE B = ?", [["", 2]]),
        ("UPDATE T SET A = ? WHERE B = ?", [[b"bytes", 2]]),
        ("DELETE FROM T", [[]]),
    ],
)
def test_the_recorder_refuses_what_breaks_a_rule(recorder: Recorder, statement: str, rows: list[list[Any]]) -> None:
    cursor = recorder.connect().cursor()
    with pytest.raises(AssertionError, match=r"parameters|rows in a batch|empty text|bytes|without WHERE"):
        cursor.executemany(statement, rows) if len(rows) > 1 else cursor.execute(statement, rows[0])


def test_both_engines_end_with_the_same_logical_rows(recorder: Recorder, tmp_path: Path) -> None:
    recorded = recorded_store(recorder)
    embedded = open_store(f"sqlite:///{tmp_path / 'store.sqlite3'}")
    for store in (recorded, embedded):
        flow.write_everything(store)
    assert flow.logical_rows(recorded) == flow.logical_rows(embedded)
    assert sum(map(len, flow.logical_rows(embedded).values())) > 20
