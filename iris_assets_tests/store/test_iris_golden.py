"""Every statement that goes to IRIS, as its own dialect writes it: compared with the reviewed files and with the rules.

`UPDATE_GOLDEN=1 pytest iris_assets_tests/store/test_iris_golden.py` writes the files anew; read the difference.
"""

import os
import re
from pathlib import Path

import pytest

from iris_assets.store import admin, open_store
from iris_assets_tests.store import flow
from iris_assets_tests.store.conftest import recorded_store
from iris_assets_tests.store.recorder import Event, Recorder
from iris_assets_tests.store.sql_lint import findings

GOLDEN = Path(__file__).parent / "golden"
URL = "iris://user:secret@127.0.0.1:1972/IRISAPP"
FOUND_BY_TEXT = [(1, "GOVERNMENT_PROPOSAL", "a", 0, "titulo\ncabecalho\nsaud publ\nsaude publica")]


def _recorded(recorder: Recorder) -> list[Event]:
    recorder.scripted += [
        ("VECTOR_COSINE", [(1, "GOVERNMENT_PROPOSAL", "a", 0, 0.5), (2, "GOVERNMENT_PROPOSAL", "a", 1, 0.25)]),
        ("ChunkTextIdxRank", FOUND_BY_TEXT),
        ("%FIND", [(1,)]),
    ]
    store = recorded_store(recorder)
    flow.write_everything(store)
    flow.read_everything(store)
    flow.search_everything(store)
    store.close()
    return recorder.statements()


def _shape(statement: str) -> str:
    return re.sub(r"\(\?(, \?)+\)(?= *(?:\)|AND|ORDER|GROUP|$))", "(?, …)", statement)


def _compare(name: str, text: str) -> None:
    path = GOLDEN / name
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text, f"{name} differs: UPDATE_GOLDEN=1, then read the difference"


def test_every_statement_is_the_reviewed_one(recorder: Recorder) -> None:
    shapes = sorted({_shape(event.statement) for event in _recorded(recorder)})
    _compare("statements.sql", "\n\n".join(f"{shape};" for shape in shapes) + "\n")


def test_the_ddl_is_the_reviewed_one() -> None:
    _compare("ddl.sql", admin.ddl(URL))


def test_no_statement_breaks_a_rule(recorder: Recorder) -> None:
    broken = []
    for event in _recorded(recorder):
        many = event.kind == "executemany"
        count = len(event.parameters[0]) if many else len(event.parameters)
        broken += [(found, event.statement[:200]) for found in findings(event.statement, count)]
        if many and len(event.parameters) > 500:
            broken.append((f"{len(event.parameters)} rows in a batch", event.statement[:200]))
    broken += [(found, line) for line in admin.ddl(URL).split(";\n") for found in findings(line)]
    assert broken == []


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
    ],
)
def test_the_rules_find_what_they_are_for(statement: str) -> None:
    assert findings(statement)


def test_no_empty_text_is_ever_bound(recorder: Recorder) -> None:
    for event in _recorded(recorder):
        rows = event.parameters if event.kind == "executemany" else (event.parameters,)
        assert all(value != "" for row in rows for value in row), event.statement


def test_every_parameter_is_of_a_type_that_the_driver_knows(recorder: Recorder) -> None:
    kinds = set()
    for event in _recorded(recorder):
        rows = event.parameters if event.kind == "executemany" else (event.parameters,)
        kinds |= {type(value) for row in rows for value in row}
    assert kinds <= {str, int, float, bool, type(None)}


def test_no_unit_changes_more_than_500_rows_of_one_table(recorder: Recorder) -> None:
    changed: dict[str, int] = {}
    _recorded(recorder)
    for event in recorder.events:
        if event.kind in {"commit", "rollback"}:
            changed.clear()
            continue
        table = re.match(r'(?:INSERT OR UPDATE INTO|UPDATE|DELETE FROM) \w+\."(\w+)"', event.statement)
        if table:
            rows = len(event.parameters) if event.kind == "executemany" else 1
            changed[table.group(1)] = changed.get(table.group(1), 0) + rows
            assert changed[table.group(1)] <= 500


def test_both_engines_end_with_the_same_logical_rows(recorder: Recorder, tmp_path: Path) -> None:
    recorded = recorded_store(recorder)
    embedded = open_store(f"sqlite:///{tmp_path / 'store.sqlite3'}")
    for store in (recorded, embedded):
        flow.write_everything(store)
    assert flow.logical_rows(recorded) == flow.logical_rows(embedded)
    assert sum(map(len, flow.logical_rows(embedded).values())) > 20
