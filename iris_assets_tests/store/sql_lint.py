"""Rules over the SQL that goes to IRIS: each finding is a trap that its documentation or dialect is known for.

Streams and functions are ruled by what is allowed: a use that nobody thought of is a finding.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from iris_assets.store.tables.schema import metadata
from iris_assets.store.tables.types import LongText

MAX_PARAMETERS: Final = 500
MAX_ROWS: Final = 500
# A stream by its column's name, and by the label that a query gives it.
STREAMS: Final = frozenset(
    name
    for table in metadata.tables.values()
    for column in table.c
    if isinstance(column.type, LongText)
    for name in (column.name, column.key)
)
FUNCTIONS: Final = frozenset(
    {"COUNT", "SUM", "AVG", "MIN", "MAX", "CAST", "ROW_NUMBER", "VECTOR_COSINE", "TO_VECTOR", "SEARCH_INDEX", "REPLACE"}
)
_FUNCTION_NAMES: Final = re.compile(r"(?:%SYSTEM_SQL\.Util_GetOption|\w+\.PoliticalChunk_ChunkTextIdxRank)")
# Words that stand before a bracket and call nothing.
_NO_FUNCTION: Final = frozenset(
    {"SELECT", "FROM", "WHERE", "AND", "OR", "NOT", "IN", "EXISTS", "ON", "AS", "BY", "JOIN", "OVER", "VALUES", "SET",
     "DISTINCT", "VARCHAR", "VECTOR"}
)  # fmt: skip
_AFTER_COLUMN: Final = frozenset({",", "AS", "FROM", ")"})
_CLAUSES: Final = frozenset({"SELECT", "FROM", "WHERE", "ON", "GROUP", "ORDER", "HAVING", "SET", "VALUES"})
_TOKEN: Final = re.compile(r"""'(?:[^']|'')*' | "[^"]*" | [%\w]+(?:\.[%\w]+)* | <=|>=|<>|!=|\|\| | \S""", re.VERBOSE)


@dataclass(frozen=True, slots=True)
class Place:
    """A token with the clause that it stands in, at its depth of brackets, and the function whose argument it is."""

    token: str
    before: str
    after: tuple[str, str]
    clause: str
    distinct: bool
    function: str
    depth: int


def findings(statement: str, parameters: int = 0, rows: int = 1) -> list[str]:
    """What is wrong with one statement, its parameters and the rows of its batch; empty when nothing is."""
    found = list(_of_statement(statement))
    found += [f"{parameters} parameters"] * (parameters > MAX_PARAMETERS)
    return found + [f"{rows} rows in a batch"] * (rows > MAX_ROWS)


@lru_cache(maxsize=4096)
def _of_statement(statement: str) -> tuple[str, ...]:
    sql = " ".join(re.sub(r"--[^\n]*\n", "", statement).split())
    places = list(_places(sql))
    return (*_about_words(sql.upper(), places), *_about_vectors(sql, places), *_about_names(sql, places))


def _about_words(sql: str, places: list[Place]) -> Iterator[str]:
    words = {place.token.upper() for place in places}
    for word in ("LIMIT", "FETCH", "RETURNING", "OFFSET", "UNION", "CHECK", "ILIKE", "GLOB", "REGEXP", "CONFLICT"):
        if word in words:
            yield f"{word} is lost or unknown"
    if "FOR UPDATE" in sql or "OR REPLACE" in sql or "OR IGNORE" in sql:
        yield "FOR UPDATE, OR REPLACE or OR IGNORE"
    first = places[0].token.upper() if places else ""
    outer = {place.clause for place in places if place.depth == 0}
    if first in {"UPDATE", "DELETE"} and "WHERE" not in outer:
        yield f"{first} without WHERE"
    tops = [place for place in places if place.token.upper() == "TOP"]
    if any(not _is_sorted(places, top) for top in tops):
        yield "TOP without ORDER BY"


def _is_sorted(places: list[Place], top: Place) -> bool:
    """Whether the SELECT of this TOP, up to the bracket that closes it, has its own ORDER BY."""
    for place in places[places.index(top) :]:
        if place.depth < top.depth:
            return False
        if place.depth == top.depth and place.token.upper() == "ORDER":
            return True
    return False


def _about_vectors(sql: str, places: list[Place]) -> Iterator[str]:
    functions = {place.token.upper() for place in places if place.after[0] == "("}
    if "VECTOR_COSINE" in functions and not re.search(r"^SELECT TOP \d+ .* ORDER BY \S+ DESC$", sql):
        yield "kNN without TOP <integer> and ORDER BY … DESC"
    if re.search(r"TO_VECTOR\((?![^()]*, DOUBLE\))", sql, re.IGNORECASE):
        yield "TO_VECTOR without DOUBLE, or with a length"
    if re.search(r"\bVECTOR\((?!DOUBLE, \d+\))", sql, re.IGNORECASE):
        yield "VECTOR without DOUBLE and its length"


def _about_names(sql: str, places: list[Place]) -> Iterator[str]:
    for place in places:
        word = place.token.upper()
        if place.after[0] == "(" and re.match(r"[A-Za-z%]", place.token) and not _calls_what_is_known(place, word):
            yield f"function {place.token}"
        if word == "VARCHAR" and place.after[0] != "(":
            yield "VARCHAR without length"
        if place.token.strip('"') in STREAMS and place.token.startswith('"'):
            yield from _about_stream(place)
    if re.search(r'"IRISPolitical_Model"|"\w+_\w+"\."', sql):
        yield "delimited schema name"


def _calls_what_is_known(place: Place, word: str) -> bool:
    if word in _NO_FUNCTION or word in FUNCTIONS or place.clause == "CREATE" or place.before.upper() == "INTO":
        return True
    return _FUNCTION_NAMES.fullmatch(place.token) is not None


def _about_stream(place: Place) -> Iterator[str]:
    """A stream is read, written and asked for NULL; anything else fails on the server or compares an object's name."""
    is_label = place.before.upper() == "AS" and place.clause == "SELECT"
    is_read = place.clause == "SELECT" and not place.distinct and not place.function and place.after[0] in _AFTER_COLUMN
    is_written = place.clause in {"INSERT", "CREATE", "ALTER"} or (
        place.clause == "SET" and place.before.upper() in {"SET", ","} and place.after[0] == "="
    )
    is_asked = place.clause in {"WHERE", "ON", "HAVING"} and place.after in {("IS", "NULL"), ("IS", "NOT")}
    if not (is_label or is_read or is_written or is_asked):
        yield f"stream {place.token} in {place.clause} {place.function}".rstrip()


def _places(sql: str) -> Iterator[Place]:
    """Every token with where it stands. Clauses are kept per depth: a subquery ends with its bracket."""
    tokens = _TOKEN.findall(sql)
    clauses, distinct, functions = [tokens[0].upper() if tokens else ""], [False], [""]
    for number, token in enumerate(tokens):
        before = tokens[number - 1] if number else ""
        word = token.upper()
        if token == ")" and len(clauses) > 1:
            clauses.pop()
            distinct.pop()
            functions.pop()
        if word in _CLAUSES and clauses[-1] not in {"CREATE", "ALTER"}:
            clauses[-1] = word
            distinct[-1] = word == "SELECT" and _next(tokens, number) == "DISTINCT"
        after = (_next(tokens, number), _next(tokens, number + 1))
        yield Place(token, _before(tokens, number), after, clauses[-1], distinct[-1], functions[-1], len(clauses) - 1)
        if token == "(":
            called = before if re.match(r"[A-Za-z%]", before) and before.upper() not in _NO_FUNCTION else ""
            clauses.append(clauses[-1])
            distinct.append(distinct[-1] or _next(tokens, number) == "DISTINCT")
            functions.append(called or functions[-1])


def _next(tokens: list[str], number: int) -> str:
    return tokens[number + 1].upper() if number + 1 < len(tokens) else ""


def _before(tokens: list[str], number: int) -> str:
    """The token before a name, past what qualifies it (`S."T"."Name"`)."""
    while number >= 2 and tokens[number - 1] == ".":
        number -= 2
    return tokens[number - 1] if number else ""
