"""Sentences that a question puts in quotes, looked for word by word in the texts."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from iris_assets.indexing.analyzer import AnalyzedQuestion, analyze_query
from iris_assets.question.parsed import ParsedQuery
from iris_assets.retrieval.types import CandidateRef
from iris_assets.store import Store
from iris_assets.store.records import ChunkRow
from iris_assets.store.search import SearchFilter
from iris_assets.words.messages import notice
from iris_assets.words.text import fold

LOOKED_AT: Final = 200  # chunks that hold the words of a sentence
NOWHERE: Final = notice("QUOTE_NOWHERE")
FOUND: Final = notice("QUOTE_FOUND")
SHORTEST: Final = 2  # words of a sentence


def quotes_of(parsed: ParsedQuery) -> tuple[str, ...]:
    """What to look for: the texts in quotation marks, else what reads as a quotation."""
    text = parsed.stretch or parsed.topic
    return parsed.quotes or ((text,) if len(fold(text).split()) > SHORTEST else ())


def holding_quote(store: Store, quote: str, scope: SearchFilter) -> list[ChunkRow]:
    """The chunks whose text holds these words in this order, by source and place."""
    wanted = f" {fold(quote)} "
    hits = store.lexical.search(_asked(quote).query(scope, LOOKED_AT))
    rows = store.chunks.get([hit.chunk_id for hit in hits]).values()
    found = [row for row in rows if wanted in f" {fold(row['content'])} "]
    return _once(sorted(found, key=lambda row: (row["source_type"], row["source_id"], row["chunk_index"])))


def said_of(quote: str, found: bool, people: Sequence[CandidateRef]) -> str:
    """Whether a sentence stands in the texts (of these people), said to the reader."""
    names = ", ".join(one.ballot_name or one.name for one in people)
    return (FOUND if found else NOWHERE).format(quote=quote, where=f" de {names}" if names else "")


def _asked(quote: str) -> AnalyzedQuestion:
    return replace(analyze_query(quote), phrases=())


def _once(rows: Sequence[ChunkRow]) -> list[ChunkRow]:
    """One of two chunks of a source that overlap in the sentence."""
    kept: list[ChunkRow] = []
    for row in rows:
        last = kept[-1] if kept else None
        same = last is not None and (last["source_type"], last["source_id"]) == (row["source_type"], row["source_id"])
        if not (same and last is not None and row["chunk_index"] - last["chunk_index"] == 1):
            kept.append(row)
    return kept
