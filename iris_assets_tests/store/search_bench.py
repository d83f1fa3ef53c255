"""A bare SQLite chunk table with both indexes, for tests of the searches alone (no repositories)."""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import create_engine, insert, update
from sqlalchemy.engine import Connection

from iris_assets.indexing.analyzer import Analyzer
from iris_assets.store.sqlite import index as sqlite_index
from iris_assets.store.sqlite import search as sqlite_search
from iris_assets.store.sqlite import vectors as sqlite_vectors
from iris_assets.store.tables.schema import metadata, political_chunk
from iris_assets.store.tables.types import utc_now


class Bench:
    def __init__(self, path: Path, analyzer: Analyzer | None = None) -> None:
        self.engine = create_engine(f"sqlite:///{path}")
        self.analyzer = analyzer or Analyzer()
        with self.write() as connection:
            metadata.create_all(connection)
            sqlite_index.create(connection)
            sqlite_vectors.create(connection)
        self.tokens: dict[int, Sequence[str]] = {}
        self.lexical = sqlite_search.SqliteLexicalSearch(self.read, self.write, lambda c, ids: self.tokens)
        self.vectors = sqlite_vectors.SqliteVectorSearch(self.read)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        with self.engine.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        with self.engine.begin() as connection:
            yield connection

    def add(
        self,
        source_id: str,
        body: str,
        *,
        title: str = "",
        header: str = "",
        tokens: Sequence[str] = (),
        index: int = 0,
        vector: NDArray[np.float32] | None = None,
        model: str = "m",
    ) -> int:
        with self.write() as connection:
            return self._added(
                connection, source_id, body, tokens, title=title, header=header, index=index, vector=vector, model=model
            )

    def _added(
        self,
        connection: Connection,
        source_id: str,
        body: str,
        tokens: Sequence[str],
        *,
        title: str = "",
        header: str = "",
        index: int = 0,
        vector: NDArray[np.float32] | None = None,
        model: str = "m",
    ) -> int:
        prepared = self.analyzer.prepare(title, header, body)
        digest = hashlib.sha256(body.encode()).hexdigest()
        row = {
            "source_type": "PROPOSITION", "source_id": source_id, "chunk_index": index, "title": title,
            "content": body, "content_hash": digest, "embedded_text_hash": digest, "created_at": utc_now(),
            "updated_at": utc_now(), "search_text": prepared.joined,
        }  # fmt: skip
        if vector is not None:
            row |= {"embedding": vector, "embedding_model": model, "embedding_dimension": len(vector)}
        chunk_id = int(connection.execute(insert(political_chunk).values(row)).inserted_primary_key[0])
        sqlite_index.write(connection, chunk_id, prepared, tokens)
        self.tokens[chunk_id] = tokens
        return chunk_id

    def add_many(self, bodies: Sequence[tuple[str, str]], tokens: Sequence[str] = ()) -> list[int]:
        """(source id, body) of many chunks in one transaction."""
        with self.write() as connection:
            return [self._added(connection, source_id, body, tokens) for source_id, body in bodies]

    def rewrite(self, chunk_id: int, body: str, tokens: Sequence[str] = ()) -> None:
        """Other words and filters for a chunk."""
        with self.write() as connection:
            prepared = self.analyzer.prepare("", "", body)
            mine = political_chunk.c.id == chunk_id
            connection.execute(update(political_chunk).where(mine).values(search_text=prepared.joined))
            sqlite_index.write(connection, chunk_id, prepared, tokens)
        self.tokens[chunk_id] = tokens

    def refilter(self, chunk_id: int, tokens: Sequence[str]) -> None:
        """Other filters for a chunk."""
        with self.write() as connection:
            sqlite_index.set_filters(connection, chunk_id, tokens)
        self.tokens[chunk_id] = tokens

    def remove(self, chunk_id: int) -> None:
        with self.write() as connection:
            connection.execute(political_chunk.delete().where(political_chunk.c.id == chunk_id))
            sqlite_index.delete(connection, [chunk_id])

    def set_vector(self, chunk_id: int, vector: NDArray[np.float32], model: str = "m") -> None:
        with self.write() as connection:
            connection.execute(
                update(political_chunk)
                .where(political_chunk.c.id == chunk_id)
                .values(embedding=vector, embedding_model=model, embedding_dimension=len(vector))
            )

    def ask(self, question: str, **options: object) -> list[int]:
        query = self.analyzer.analyze_query(question).query(**options)  # type: ignore[arg-type]
        return [hit.chunk_id for hit in self.lexical.search(query)]
