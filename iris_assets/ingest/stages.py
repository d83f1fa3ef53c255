"""The five stages in the order in which they run."""

from typing import Final

STAGES: Final = ("candidates", "proposals", "camara", "chunks", "embeddings")
