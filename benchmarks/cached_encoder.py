"""The local encoder (docs/local-embeddings.md) with a cache of its vectors in a file: it takes CPU seconds a text."""

import hashlib
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from iris_assets.llm.embeddings import EmbeddingClient
from iris_assets.settings import Settings, load_settings

MODEL, QUERY_MODEL, DIMENSION = "e5-passage", "e5-query", 384
BATCH = 32


def encoder_settings() -> Settings:
    """Settings whose stamp is that of the local encoder."""
    return load_settings({}, embedding_model=MODEL, embedding_query_model=QUERY_MODEL, embedding_dimension=DIMENSION)


class CachedEncoder:
    """Asks the server at `base_url` for what `file` does not hold yet; every batch is kept at once."""

    def __init__(self, file: Path, base_url: str) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        self._known = sqlite3.connect(file)
        self._known.execute("CREATE TABLE IF NOT EXISTS vector (key TEXT PRIMARY KEY, value BLOB NOT NULL)")
        self._client = EmbeddingClient(base_url, None, MODEL, QUERY_MODEL, DIMENSION, batch_size=BATCH, timeout=600)

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """float32 (n, 384)."""
        missing = [text for text in dict.fromkeys(texts) if self._get(MODEL, text) is None]
        for start in range(0, len(missing), BATCH):
            part = missing[start : start + BATCH]
            self._put(MODEL, part, self._client.embed_documents(part))
        return np.stack([self._vector(MODEL, text) for text in texts])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """float32 (384,)."""
        if self._get(QUERY_MODEL, text) is None:
            self._put(QUERY_MODEL, [text], self._client.embed_queries([text]))
        return self._vector(QUERY_MODEL, text)

    def _put(self, model: str, texts: Sequence[str], vectors: NDArray[np.float32]) -> None:
        rows = [
            (_key(model, text), vector.astype("<f4").tobytes()) for text, vector in zip(texts, vectors, strict=True)
        ]
        with self._known:
            self._known.executemany("INSERT OR REPLACE INTO vector VALUES (?, ?)", rows)

    def _get(self, model: str, text: str) -> bytes | None:
        row = self._known.execute("SELECT value FROM vector WHERE key = ?", (_key(model, text),)).fetchone()
        return None if row is None else bytes(row[0])

    def _vector(self, model: str, text: str) -> NDArray[np.float32]:
        value = self._get(model, text)
        assert value is not None
        return np.frombuffer(value, dtype="<f4").astype(np.float32)


def _key(model: str, text: str) -> str:
    return hashlib.sha256(f"{model}\n{text}".encode()).hexdigest()
