"""Answers kept as first given: the same id later shows the same text and quotes, also after re-indexing.

The same question over the same records is the same answer: its id is made of all that it depends on.
"""

import base64
import json
import logging
import uuid
import zlib
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Final

from iris_assets.answers.response import AnswerResponse, SourceModel
from iris_assets.errors import NotFoundError, StoreError
from iris_assets.retrieval.types import Turn
from iris_assets.store import Store
from iris_assets.store.inputs import AnswerValues, EvidenceValues
from iris_assets.store.records import AnswerRow
from iris_assets.store.search import SearchFilter

log = logging.getLogger(__name__)

ANSWERS_VERSION: Final = "18"  # part of every answer's id: another wording of answers is another answer
WAIT_SECONDS: Final = 1.0  # for other writers: an answer is served within 2 s
_OPENED_AGAIN: Final = timedelta(days=1)  # how exactly it is known when an answer was last opened
_NAMESPACE: Final = uuid.UUID("5b1c0f0e-6a55-4d0c-9c0e-2f6d3b7a9e11")


def answer_key(
    question: str,
    candidate: str | None,
    filters: SearchFilter | None,
    history: Sequence[Turn],
    page: int,
    *surroundings: str,
) -> str:
    """The id of the answer; `surroundings` are the store's revision, the prompt, the model and the like."""
    asked = [question, candidate, asdict(filters or SearchFilter()), [asdict(turn) for turn in history], page]
    return str(uuid.uuid5(_NAMESPACE, json.dumps([ANSWERS_VERSION, *asked, *surroundings], ensure_ascii=False)))


def save_answer(
    store: Store,
    response: AnswerResponse,
    filters: SearchFilter | None,
    candidate: str | None,
    wait: float = WAIT_SECONDS,
) -> None:
    """Store the response under its own id with one row per source; StoreError STORE_BUSY after `wait` seconds."""
    row: AnswerValues = {
        "answer_key": response.answer_id or "",
        "question": response.question,
        "filters_json": {**(asdict(filters) if filters else {}), "candidate": candidate},
        "answer_text": response.answer,
        # The text and the question have columns of their own; what a field is without being said is not said.
        "answer_json": _packed(response.model_dump_json(exclude={"answer", "question"}, exclude_defaults=True)),
        "strategy": response.strategy,
        "prompt_name": response.prompt.name,
        "prompt_version": response.prompt.version,
        "prompt_hash": response.prompt.hash,
        "model_name": response.model,
        "created_at": response.created_at,
    }
    store.answers.save(row, [_evidence_row(source) for source in response.sources], wait)


def stored_answer(store: Store, answer_id: str) -> AnswerResponse | None:
    """The response as it was first given, None when there is none; that it was opened is noted once a day."""
    row = store.answers.find(answer_id)
    if row is None or not row["answer_json"]:
        return None
    if datetime.now(UTC) - (row["opened_at"] or row["created_at"]) > _OPENED_AGAIN:
        _note_opened(store, answer_id)
    return _restored(row)


def looked_at_answer(store: Store, answer_id: str) -> AnswerResponse | None:
    """As `stored_answer`, for whoever is no reader: it does not count as opened."""
    row = store.answers.find(answer_id)
    return None if row is None or not row["answer_json"] else _restored(row)


def _restored(row: AnswerRow) -> AnswerResponse:
    rest = json.loads(_unpacked(row["answer_json"] or ""))
    whole = {"answer": row["answer_text"] or "", "question": row["question"], **rest}
    return AnswerResponse.model_validate(whole, strict=False)


def _note_opened(store: Store, answer_id: str) -> None:
    try:
        store.answers.opened(answer_id, WAIT_SECONDS)
    except StoreError as error:
        if not error.retryable:
            raise
        log.warning("that an answer was opened is not noted: %s", error.code)


def load_answer(store: Store, answer_id: str) -> AnswerResponse:
    """The stored response; NotFoundError ANSWER_UNKNOWN."""
    found = stored_answer(store, answer_id)
    if found is None:
        raise NotFoundError(
            "ANSWER_UNKNOWN", f"no answer has the id {answer_id}", hint="use the id of an answer given before"
        )
    return found


def _packed(text: str) -> str:
    """A third of the room: quotes and candidates repeat themselves."""
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode("ascii")


def _unpacked(text: str) -> str:
    """What `_packed` made; answers of earlier versions are plain JSON."""
    return text if text.startswith("{") else zlib.decompress(base64.b64decode(text)).decode()


def _evidence_row(source: SourceModel) -> EvidenceValues:
    """What the answer refers to; the passage stays where it is stored, the quote is in the answer."""
    return {
        "evidence_key": source.evidence_id,
        "cited": source.cited,
        "source_type": source.source_type,
        "source_id": source.source_id,
        "chunk_index": source.chunk_index,
        "page_start": source.page_start,
        "page_end": source.page_end,
        "content_hash": source.source_hash,
    }
