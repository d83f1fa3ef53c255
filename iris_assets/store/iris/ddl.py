"""DDL that only IRIS has: the full-text index, the vector index, the embedding column of another dimension."""

import re
from typing import Final

from iris_assets.errors import ConfigurationError
from iris_assets.store.iris.vectors import DIMENSION_NOTE

TEXT_INDEX: Final = "ChunkTextIdx"
VECTOR_INDEX: Final = "ChunkVectorIdx"


def checked_schema(schema: str) -> str:
    """The schema's name, refused when it could be anything but a plain name."""
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", schema):
        raise ConfigurationError("IRIS_SCHEMA_INVALID", f"{schema!r} is no name of an SQL schema")
    return schema


def chunk_table(schema: str) -> str:
    """The chunk table's full name."""
    return f'{checked_schema(schema)}."PoliticalChunk"'


def create_text_index(schema: str) -> str:
    """iFind over the prepared terms; they are folded and stemmed already, so the server stems nothing."""
    return (
        f'CREATE INDEX {TEXT_INDEX} ON TABLE {chunk_table(schema)} ("SearchText") '
        "AS %iFind.Index.Basic(LANGUAGE='pt', LOWER=1, INDEXOPTION=0)"
    )


def create_vector_index(schema: str) -> str:
    """HNSW over the embeddings, for kNN with TOP and ORDER BY … DESC; built after the load."""
    return (
        f'CREATE INDEX {VECTOR_INDEX} ON TABLE {chunk_table(schema)} ("Embedding") '
        "AS HNSW(M=16, efConstruction=64, Distance='Cosine')"
    )


def drop_vector_index(schema: str) -> str:
    """Drop the HNSW index."""
    return f"DROP INDEX {VECTOR_INDEX} ON {chunk_table(schema)}"


def drop_embedding(schema: str) -> str:
    """Drop the embedding column with every vector."""
    return f'ALTER TABLE {chunk_table(schema)} DROP COLUMN "Embedding"'


def add_embedding(schema: str, dimension: int) -> str:
    """Add an empty embedding column of a dimension."""
    return f'ALTER TABLE {chunk_table(schema)} ADD COLUMN "Embedding" VECTOR(DOUBLE, {int(dimension)})'


def note_dimension(schema: str, dimension: int) -> str:
    """Note the dimension of the embedding column where `check_dimension` looks for it, as the schema itself is made."""
    stage, unit = DIMENSION_NOTE
    return (
        f'INSERT OR UPDATE INTO {checked_schema(schema)}."SourceState" '
        '("Stage", "UnitKey", "ConsumedKey", "UpdatedAt") '
        f"VALUES ('{stage}', '{unit}', '{int(dimension)}', CURRENT_TIMESTAMP)"
    )


def tune_table(schema: str) -> str:
    """Statistics for the planner."""
    return f"TUNE TABLE {chunk_table(schema)}"
