"""Answers kept as first given: the same id later shows the same text and passages, also after re-indexing."""

from dataclasses import asdict

from iris_assets.answers.response import AnswerResponse, SourceModel
from iris_assets.errors import NotFoundError
from iris_assets.store import Store
from iris_assets.store.inputs import AnswerValues, EvidenceValues
from iris_assets.store.search import SearchFilter

_LONGEST_PASSAGE = 32000


def save_answer(store: Store, response: AnswerResponse, filters: SearchFilter | None, candidate: str | None) -> None:
    """Store the response under its own id with one row per source."""
    row: AnswerValues = {
        "answer_key": response.answer_id,
        "question": response.question,
        "filters_json": {**(asdict(filters) if filters else {}), "candidate": candidate},
        "answer_text": response.answer,
        "answer_json": response.model_dump_json(),
        "strategy": response.strategy,
        "prompt_name": response.prompt.name,
        "prompt_version": response.prompt.version,
        "prompt_hash": response.prompt.hash,
        "model_name": response.model,
        "created_at": response.created_at,
    }
    store.answers.save(row, [_evidence_row(source) for source in response.sources])


def load_answer(store: Store, answer_id: str) -> AnswerResponse:
    """The stored response; NotFoundError ANSWER_UNKNOWN."""
    row = store.answers.get(answer_id)
    if row is None or not row["answer_json"]:
        raise NotFoundError(
            "ANSWER_UNKNOWN", f"no answer has the id {answer_id}", hint="use the id of an answer given before"
        )
    return AnswerResponse.model_validate_json(row["answer_json"])


def _evidence_row(source: SourceModel) -> EvidenceValues:
    return {
        "evidence_key": source.evidence_id,
        "cited": source.cited,
        "source_type": source.source_type,
        "source_id": source.source_id,
        "chunk_index": source.chunk_index,
        "title": source.title[:500],
        "source_url": source.url,
        "page_start": source.page_start,
        "page_end": source.page_end,
        "content_hash": source.source_hash,
        "passage": source.quote[:_LONGEST_PASSAGE],
    }
