"""The mission's eight persistent classes as ObjectScript text, from the schema, for those who open them in IRIS tools.

Documentation: the tables are made by the migrations, and the server projects these classes from them.
"""

from typing import Any, Final

from sqlalchemy import Boolean, Column, Date, Integer, Table, UniqueConstraint

from iris_assets.store.iris.types import DEFAULT_DIMENSION
from iris_assets.store.tables.schema import metadata
from iris_assets.store.tables.types import JsonText, LongText, Points, ShortText, UtcDateTime, Vector

CLASSES: Final[dict[str, str]] = {
    "Candidate": "A candidacy as the electoral court registers it, one row per TSE id and election.",
    "PoliticalHistory": "An office that a deputy held or holds.",
    "Proposition": "A bill of the Câmara.",
    "PropositionAuthor": "A signer of a bill.",
    "PropositionTopic": "A topic that the Câmara gives a bill.",
    "ProposalDocument": "A government plan: one PDF, whoever filed it.",
    "PoliticalChunk": "A passage of a source, with its words and its vector.",
    "IngestionRun": "The audit of one run of one stage.",
}
_REFERENCES: Final = {"PropositionId": "Proposition"}


def class_texts(package: str = "IRISPolitical.Model") -> dict[str, str]:
    """File name → text of each class."""
    tables = {table.name: table for table in metadata.tables.values()}
    return {f"{package}.{name}.cls": _class(package, tables[name], text) for name, text in CLASSES.items()}


def _class(package: str, table: Table, description: str) -> str:
    lines = [
        f"/// {description}",
        "/// Generated from the schema of iris-assets; the migrations make the table.",
        f"Class {package}.{table.name} Extends %Persistent [ DdlAllowed, SqlTableName = {table.name} ]",
        "{",
        "",
        "Parameter ALLOWIDENTITYINSERT = 1;",
        "",
    ]
    for column in table.c:
        if column.key != "id":
            lines += [_property(package, column), ""]
    for line in _indexes(table):
        lines += [line, ""]
    return "\n".join([*lines, "}", ""])


def _property(package: str, column: Column[Any]) -> str:
    kind = f"{package}.{_REFERENCES[column.name]}" if column.name in _REFERENCES else _type(column.type)
    return f"Property {column.name} As {kind}{'' if column.nullable else ' [ Required ]'};"


def _type(kind: Any) -> str:
    if isinstance(kind, ShortText | JsonText):
        return f'%Library.String(COLLATION = "EXACT", MAXLEN = {kind.impl_instance.length})'  # type: ignore[attr-defined]
    plain: tuple[tuple[type[Any], str], ...] = (
        (LongText, "%Stream.GlobalCharacter"),
        (UtcDateTime, "%Library.TimeStamp"),
        (Points, "%Library.Numeric(SCALE = 2)"),
        (Vector, f'%Library.Vector(DATATYPE = "DOUBLE", LEN = {DEFAULT_DIMENSION})'),
        (Boolean, "%Library.Boolean"),
        (Date, "%Library.Date"),
        (Integer, "%Library.Integer"),
    )
    return next(text for known, text in plain if isinstance(kind, known))


def _indexes(table: Table) -> list[str]:
    lines = []
    for constraint in table.constraints:
        if isinstance(constraint, UniqueConstraint):
            names = ", ".join(column.name for column in constraint.columns)
            lines.append(f"Index {constraint.name} On ({names}) [ Unique ];")
    for index in sorted(table.indexes, key=lambda index: str(index.name)):
        lines.append(f"Index {index.name} On ({', '.join(column.name for column in index.columns)});")
    if table.name == "PoliticalChunk":
        lines.append(
            'Index ChunkTextIdx On (SearchText) As %iFind.Index.Basic(INDEXOPTION = 0, LANGUAGE = "pt", LOWER = 1);'
        )
    return lines
