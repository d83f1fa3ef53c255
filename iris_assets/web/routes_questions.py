"""Routes that question the records: search, ask (JSON or progress events), stored answers."""

import json
from collections.abc import AsyncIterator, Callable
from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Request
from fastapi.responses import JSONResponse, StreamingResponse

from iris_assets.answers.feedback import Feedback
from iris_assets.answers.response import AnswerResponse
from iris_assets.answers.service import ANSWER_FAILURES
from iris_assets.errors import BusyError, IrisAssetsError
from iris_assets.platform import Platform
from iris_assets.retrieval.types import Turn
from iris_assets.store.search import SearchFilter
from iris_assets.web.errors import error_body, error_response, language_of, log, typed_body
from iris_assets.web.questions import Event, Question, Questions, Step
from iris_assets.web.records import search_result
from iris_assets.web.schemas import AskRequest, ErrorReply, FeedbackRequest, FiltersRequest, SearchReply, SearchRequest
from iris_assets.web.wiring import PlatformDependency
from iris_assets.words.messages import Language

router = APIRouter(prefix="/api", tags=["perguntas"])

EVENTS = "text/event-stream"
LOOK_SECONDS = 0.5  # how often it is looked whether the reader is still there
HEARTBEAT_SECONDS = 10.0
AnswerId = Annotated[str, Path(pattern=r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")]


@router.post("/search")
async def search(platform: PlatformDependency, request: Request, body: SearchRequest) -> SearchReply:
    """Passages with separate scores; `mode=vector` needs vectors of the stored passages."""
    reply: SearchReply = await _value(request, lambda step: _searched(platform, body))
    return reply


def _searched(platform: Platform, body: SearchRequest) -> SearchReply:
    with platform.store.work():
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
async def ask(
    platform: PlatformDependency, request: Request, body: AskRequest, accept: Annotated[str, Header()] = ""
) -> Any:
    """A verified answer. `Accept: text/event-stream` gets progress events, and the text only after verification."""
    language = language_of(request.scope)

    def work(step: Step) -> tuple[int, dict[str, Any]]:
        with platform.store.work():  # the thread may go on when its reader has left
            return _reply(_answer(platform, body, step), language)

    if EVENTS in accept.lower():
        question = _questions(request).begin(work)
        return StreamingResponse(
            _events(question, request, language), media_type=EVENTS, headers={"X-Accel-Buffering": "no"}
        )
    status, reply = await _value(request, work)
    return JSONResponse(reply) if status == 200 else error_response(reply)


def _questions(request: Request) -> Questions:
    questions: Questions = request.app.state.questions
    return questions


async def _value(request: Request, work: Callable[[Step], Any]) -> Any:
    """What `work` gives, or its failure; a reader who leaves stops it at its next step."""
    question = _questions(request).begin(work)
    try:
        while True:
            event = await question.next(LOOK_SECONDS)
            if event is None:
                if await request.is_disconnected():
                    raise BusyError("READER_LEFT", "the connection was closed before the answer")
            elif event.kind == "value":
                return event.what
            elif event.kind == "failure":
                raise event.what
    finally:
        question.leave()


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
        reading=body.reading,
        progress=progress,
    )


def _reply(answer: AnswerResponse, language: Language) -> tuple[int, dict[str, Any]]:
    """The answer, or 503 with the extract attached when the model's provider failed."""
    value = answer.model_dump(mode="json")
    if answer.failure is None or answer.failure in ANSWER_FAILURES:
        return 200, value
    return 503, error_body(503, language, code=answer.failure, details={"code": answer.failure, "answer": value})


async def _events(question: Question, request: Request, language: Language) -> AsyncIterator[str]:
    """`progress` events while the answer is made, then one `answer` or `error` event; a comment when it lasts long."""
    quiet = 0.0
    try:
        while True:
            event = await question.next(LOOK_SECONDS)
            if event is None:
                if await request.is_disconnected():
                    return
                quiet += LOOK_SECONDS
                if quiet >= HEARTBEAT_SECONDS:
                    quiet = 0.0
                    yield ": ainda em andamento\n\n"
                continue
            quiet = 0.0
            name, data = _told(event, language)
            yield f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"
            if name != "progress":
                return
    finally:
        question.leave()


def _told(event: Event, language: Language) -> tuple[str, Any]:
    if event.kind == "step":
        return "progress", {"step": event.what}
    if event.kind == "value":
        status, reply = event.what
        return ("answer" if status == 200 else "error"), reply
    if isinstance(event.what, IrisAssetsError):
        return "error", typed_body(event.what, language)
    log.error("POST /api/ask failed", exc_info=event.what)
    return "error", error_body(500, language)
