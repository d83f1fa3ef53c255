"""The types of rows: those of the schema, and a misspelt column fails the type checker."""

from datetime import date, datetime
from pathlib import Path
from typing import Any, get_args, get_type_hints

import numpy as np
import pytest
from mypy import api
from sqlalchemy import Boolean, Column, Date, Integer

from iris_assets.store import inputs, records
from iris_assets.store.tables.schema import metadata
from iris_assets.store.tables.types import JsonText, LongText, Points, ShortText, UtcDateTime, Vector

ROWS = {
    "Answer": records.AnswerRow, "AnswerEvidence": records.EvidenceRow, "CamaraDeputy": records.DeputyRow,
    "Candidate": records.CandidateRow, "CandidateChange": records.ChangeRow, "EvaluationAnswer": records.EvaluationAnswerRow,
    "EvaluationRun": records.EvaluationRow, "MatchEvidence": records.MatchRow, "NewsArticle": records.ArticleRow,
    "PoliticalChunk": records.ChunkRow, "PoliticalHistory": records.HistoryRow,
    "ProposalDocument": records.DocumentRow, "Proposition": records.PropositionRow,
    "PropositionAuthor": records.AuthorRow, "PropositionTopic": records.TopicRow,
    "SourceCandidate": records.LinkRow,
}  # fmt: skip
TAKEN = {
    "Answer": inputs.AnswerValues, "CandidateChange": inputs.ChangeValues,
    "AnswerEvidence": inputs.EvidenceValues, "EvaluationRun": inputs.EvaluationValues,
    "EvaluationAnswer": inputs.EvaluationAnswerValues, "MatchEvidence": inputs.MatchValues,
    "NewsArticle": inputs.ArticleValues, "PoliticalChunk": inputs.ChunkValues,
    "ProposalDocument": inputs.DocumentValues,
}  # fmt: skip
ELSEWHERE = {"IngestionRun", "SourceState"}  # RunRow and State, dataclasses of their repositories
KINDS = (
    ((ShortText, LongText), str), (UtcDateTime, datetime), (Points, float), (Boolean, bool), (Date, date), (Integer, int),
)  # fmt: skip


def test_every_table_has_its_row_type() -> None:
    assert ROWS.keys() | ELSEWHERE == {table.name for table in metadata.tables.values()}


@pytest.mark.parametrize("name", sorted(ROWS))
def test_a_row_has_the_columns_of_its_table_and_their_types(name: str) -> None:
    table = next(table for table in metadata.tables.values() if table.name == name)
    hints = get_type_hints(ROWS[name])
    assert hints.keys() == {column.key for column in table.c}
    for column in table.c:
        assert _plain(hints[column.key]) == _expected(column), f"{name}.{column.key}"


@pytest.mark.parametrize("name", sorted(TAKEN))
def test_what_is_written_has_columns_of_its_table(name: str) -> None:
    given, taken = get_type_hints(ROWS[name]), get_type_hints(TAKEN[name])
    taken.pop("prepared", None)  # the terms of a chunk, which two columns are made from
    assert taken and taken.items() <= given.items()


def _plain(hint: Any) -> tuple[Any, bool]:
    kinds = [kind for kind in get_args(hint) if kind is not type(None)]
    nullable = type(None) in get_args(hint)
    return (kinds[0] if nullable else hint), nullable


def _expected(column: Column[Any]) -> tuple[Any, bool]:
    if isinstance(column.type, JsonText):
        return Any, False
    if isinstance(column.type, Vector):
        return np.ndarray[tuple[Any, ...], np.dtype[np.float32]], True
    kind = next(kind for of_column, kind in KINDS if isinstance(column.type, of_column))
    return kind, bool(column.nullable)


SNIPPET = """
from iris_assets.store import Store

def office(store: Store, tse_id: str) -> str | None:
    row = store.candidates.by_tse_id(tse_id)
    return None if row is None else row["{column}"]

def title(store: Store) -> str | None:
    return next((bill["title"] for bill in store.camara.bills([1])), None)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("column", "fails"), [("office", False), ("oficce", True)])
def test_a_misspelt_column_fails_the_type_checker(tmp_path: Path, column: str, fails: bool) -> None:
    file = tmp_path / "snippet.py"
    file.write_text(SNIPPET.format(column=column), encoding="utf-8")
    cache = Path(__file__).parents[2] / ".mypy_cache" / "rows"  # of other options than the repository's own
    options = ["--strict", "--no-error-summary", "--follow-imports=silent", f"--cache-dir={cache}", "--config-file="]
    said, problems, code = api.run([*options, str(file)])
    assert problems == ""
    assert (code, "oficce" in said and "CandidateRow" in said) == (int(fails), fails), said
