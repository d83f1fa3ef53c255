"""The five stages in the order in which they run, and the name under which the audit has each."""

from typing import Final

AUDITED: Final = {
    "candidates": "TSE_CANDIDATES", "proposals": "TSE_PROPOSALS", "camara": "CAMARA", "chunks": "RAG_CHUNKS",
    "embeddings": "RAG_EMBEDDINGS",
}  # fmt: skip
STAGES: Final = tuple(AUDITED)
