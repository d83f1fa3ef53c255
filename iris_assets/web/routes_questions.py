"""Routes that question the records: search, ask (JSON or progress events), stored answers."""

import json
import queue
import threading
from collections.abc import Iterator
from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Request
from fastapi.responses import JSONResponse, StreamingResponse

from iris_assets.answers.feedback import Feedback
from iris_assets.answers.response import AnswerResponse
from iris_assets.answers.service import ANSWER_FAILURES
from iris_assets.errors import IrisAssetsError
from iris_assets.platform import Platform
from iris_assets.retrieval.types import Turn
from iris_assets.store.search import SearchFilter
from iris_assets.web.errors import error_body, error_response, language_of, log, typed_body
from iris_assets.web.records import search_result
from iris_assets.web.schemas import AskRequest, ErrorReply, FeedbackRequest, FiltersRequest, SearchReply, SearchRequest
from iris_assets.web.wiring import PlatformDependency
from iris_assets.words.messages import Language

router = APIRouter(prefix="/api", tags=["perguntas"])

EVENTS = "text/event-stream"
AnswerId = Annotated[str, Path(pattern=r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")]


@router.post("/search")
def search(platform: PlatformDependency, body: SearchRequest) -> SearchReply:
    """Passages with separate scores; `mode=vector` needs vectors of the stored passages."""
    found = platform.retrieval.search(
        body.query, candidate=body.candidate, filters=_filter(body.filters), mode=body.mode, top_k=body.top_k
    )
    return SearchReply(
        results=[search_result(evidence) for evidence in found.results],
        strategy=found.strategy,
        mode=found.mode,
        notices=list(found.notices),
        timings=dict(found.timings),
    )


@router.post(
    "/ask",
    response_model=AnswerResponse,
    responses={
        200: {"content": {EVENTS: {"schema": {"type": "string"}}}},
        503: {"model": ErrorReply, "description": "provider unavailable; details.answer is the extract"},
    },
)
def ask(platform: PlatformDependency, request: Request, body: AskRequest, accept: Annotated[str, Header()] = "") -> Any:
    """A verified answer. `Accept: text/event-stream` gets progress events, and the text only after verification."""
    if EVENTS in accept.lower():
        return StreamingResponse(
            _events(platform, body, language_of(request.scope)), media_type=EVENTS, headers={"X-Accel-Buffering": "no"}
        )
    status, reply = _reply(_answer(platform, body, _nobody), language_of(request.scope))
    return JSONResponse(reply) if status == 200 else error_response(reply)


@router.get("/answers/{answer_id}")
def stored_answer(platform: PlatformDependency, answer_id: AnswerId) -> AnswerResponse:
    """The permalink: an answer with its evidence exactly as first given."""
    return platform.answers.get(answer_id)


@router.post("/answers/{answer_id}/feedback", status_code=204)
def feedback(platform: PlatformDependency, answer_id: AnswerId, body: FeedbackRequest) -> None:
    """Whether the answer helped: kept in the data folder of this service, without anything of the reader."""
    platform.answers.get(answer_id)  # NotFoundError ANSWER_UNKNOWN
    Feedback(platform.settings.iris_assets_data).add(answer_id, body.helped)


def _filter(filters: FiltersRequest) -> SearchFilter:
    return SearchFilter(
        states=tuple(filters.states),
        parties=tuple(filters.parties),
        offices=tuple(filters.offices),
        source_types=tuple(filters.source_types),
        years=tuple(filters.years),
    )


def _answer(platform: Platform, body: AskRequest, progress: Any) -> AnswerResponse:
    history = [Turn(turn.question, turn.candidate_tse_id, turn.answer) for turn in body.history]
    return platform.answers.ask(
        body.question,
        candidate=body.candidate,
        filters=_filter(body.filters),
        history=history,
        page=body.page,
        progress=progress,
    )


def _reply(answer: AnswerResponse, language: Language) -> tuple[int, dict[str, Any]]:
    """The answer, or 503 with the extract attached when the model's provider failed."""
    value = answer.model_dump(mode="json")
    if answer.failure is None or answer.failure in ANSWER_FAILURES:
        return 200, value
    return 503, error_body(503, language, code=answer.failure, details={"code": answer.failure, "answer": value})


def _nobody(step: str) -> None:
    """JSON callers get no progress."""


def _events(platform: Platform, body: AskRequest, language: Language) -> Iterator[str]:
    """`progress` events while the answer is made, then one `answer` or `error` event."""
    steps: queue.Queue[tuple[str, Any]] = queue.Queue()
    threading.Thread(target=_work, args=(platform, body, language, steps), daemon=True).start()
    while True:
        event, data = steps.get()
        yield f"event: {event}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"
        if event != "progress":
            return


def _work(platform: Platform, body: AskRequest, language: Language, steps: "queue.Queue[tuple[str, Any]]") -> None:
    try:
        with platform.store.work():  # the thread goes on when its client has left
            answer = _answer(platform, body, lambda step: steps.put(("progress", {"step": step})))
        status, reply = _reply(answer, language)
        steps.put(("answer" if status == 200 else "error", reply))
    except IrisAssetsError as error:
        steps.put(("error", typed_body(error, language)))
    except Exception:  # noqa: BLE001 - the border of the thread: the client must hear of it, the log has the rest
        log.exception("POST /api/ask failed")
        steps.put(("error", error_body(500, language)))
