"""Rules over the SQL that goes to IRIS: each finding is a trap that its documentation or dialect is known for."""

import re
from collections.abc import Iterator

STREAMS = ("RawText", "RawJson", "SearchText", "AnswerText", "AnswerJson", "BodyText", "ManifestJson")
MAX_PARAMETERS = 500


def findings(statement: str, parameters: int = 0) -> list[str]:
    """What is wrong with one statement; empty when nothing is."""
    return list(_findings(" ".join(statement.split()), parameters))


def _findings(sql: str, parameters: int) -> Iterator[str]:
    if re.search(r"\b(LIMIT|FETCH|RETURNING)\b", sql):
        yield "LIMIT, FETCH or RETURNING"
    if "VECTOR_COSINE" in sql and not re.search(r"^SELECT TOP \d+ .* ORDER BY \S+ DESC$", sql):
        yield "kNN without TOP <integer> and ORDER BY … DESC"
    if re.search(r"SELECT TOP", sql) and "ORDER BY" not in sql and "IS NOT NULL AND" not in sql:
        yield "TOP without ORDER BY"
    if re.search(r"TO_VECTOR\((?![^()]*, DOUBLE\))", sql):
        yield "TO_VECTOR without DOUBLE, or with a length"
    if re.search(r"\bVARCHAR\b(?!\(\d+\))", re.sub(r"\bLONGVARCHAR\b", "", sql)):
        yield "VARCHAR without length"
    if re.match(r"DELETE\b", sql) and " WHERE " not in sql:
        yield "DELETE without WHERE"
    if re.match(r"UPDATE\b", sql) and " WHERE " not in sql:
        yield "UPDATE without WHERE"
    if parameters > MAX_PARAMETERS:
        yield f"{parameters} parameters"
    if " UNION " in sql:
        yield "UNION"
    for stream in STREAMS:
        if re.search(rf'"{stream}" (=|<>|<|>|IN|LIKE)', sql.split(" SET ")[-1].rpartition("WHERE")[2]):
            yield f"stream {stream} in a comparison"
        if re.search(rf'(ORDER BY|GROUP BY) [^()]*"{stream}"', sql):
            yield f"stream {stream} sorted or grouped"
    if '"IRISPolitical_Model"' in sql:
        yield "delimited schema name"
    if re.search(r"\bCHECK \(|FOR UPDATE|JSON_", sql):
        yield "CHECK, FOR UPDATE or JSON"
