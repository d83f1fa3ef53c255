"""The logical content of a store: every table's rows without row ids and technical times, to compare two runs."""

import sqlite3
from pathlib import Path

TECHNICAL = {"Id", "CreatedAt", "UpdatedAt", "SourceCollectedAt", "StartedAt", "FinishedAt", "ListingHash"}
CONTENT = (
    "Candidate", "PoliticalHistory", "Proposition", "PropositionTopic", "PropositionAuthor", "ProposalDocument",
    "SourceCandidate", "PoliticalChunk", "CamaraDeputy", "MatchEvidence",
)  # fmt: skip
REFERENCES = {"PropositionId": ("Proposition", "CamaraId"), "CandidateId": ("Candidate", "TseId")}


def database(data: Path) -> Path:
    return data / "iris_assets.sqlite3"


def logical_rows(data: Path) -> dict[str, list[tuple[str, ...]]]:
    """Table → sorted rows; references are shown by the natural key behind them."""
    connection = sqlite3.connect(f"file:{database(data)}?mode=ro", uri=True)
    try:
        return {table: _table(connection, table) for table in CONTENT}
    finally:
        connection.close()


def _table(connection: sqlite3.Connection, table: str) -> list[tuple[str, ...]]:
    names = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")') if row[1] not in TECHNICAL]
    shown = [_column(table, name) for name in names]
    return sorted(tuple(map(repr, row)) for row in connection.execute(f'SELECT {", ".join(shown)} FROM "{table}"'))


def _column(table: str, name: str) -> str:
    if name not in REFERENCES:
        return f'"{name}"'
    target, key = REFERENCES[name]
    return f'(SELECT t."{key}" FROM "{target}" t WHERE t."Id" = "{table}"."{name}")'


def runs(data: Path) -> list[tuple[str, str, str]]:
    """(source, status, error code) of every IngestionRun, in order."""
    connection = sqlite3.connect(f"file:{database(data)}?mode=ro", uri=True)
    try:
        return list(connection.execute('SELECT "Source", "Status", "ErrorCode" FROM "IngestionRun" ORDER BY "Id"'))
    finally:
        connection.close()
