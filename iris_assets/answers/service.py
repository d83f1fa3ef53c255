"""A question to a verified answer: refusal, evidence, generation or extract, the citation verifier, the stored permalink."""

import logging
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from iris_assets.answers.blackout import BLACKOUT_NOTICE, is_blackout, parse_blackout
from iris_assets.answers.context import build_context, escape
from iris_assets.answers.draft import Draft, quoted, verified
from iris_assets.answers.extract import Extract, absence_line, build_extract, build_lookup, quoted_lines
from iris_assets.answers.fixed import (
    EXTRACT_NOTICE,
    FAILED_NOTICE,
    NO_EVIDENCE,
    NO_EVIDENCE_NOTICE,
    NOT_STORED_NOTICE,
    UNOFFICIAL_NOTICE,
    clarification_text,
    profile_text,
)
from iris_assets.answers.generation import Chat, Generator
from iris_assets.answers.prompts import load_prompt
from iris_assets.answers.record import WAIT_SECONDS, answer_key, load_answer, save_answer, stored_answer
from iris_assets.answers.response import AnswerResponse, PromptModel, RemovedModel, TimingsModel
from iris_assets.answers.sources import candidate_model, citation_models, source_models
from iris_assets.answers.wording import worded
from iris_assets.errors import StoreError, UsageError
from iris_assets.retrieval.evidence import numbered
from iris_assets.retrieval.lookup import candidate_record
from iris_assets.retrieval.order import ORDER_NOTICE, by_ballot_name, in_neutral_order, several_candidates
from iris_assets.retrieval.service import RetrievalService
from iris_assets.retrieval.types import Evidence, Retrieval, Turn
from iris_assets.settings import Settings
from iris_assets.store import Store
from iris_assets.store.search import SearchFilter
from iris_assets.words.comparable import clean
from iris_assets.words.source_kinds import NEWS_ARTICLE

log = logging.getLogger(__name__)

MAX_QUESTION = 4000
LOCKED_SECONDS = 3.0  # for which a store that another process keeps locked is taken to stay so
# Failures of a model's answer, not of its provider: the provider was there.
ANSWER_FAILURES = frozenset({"LLM_EMPTY", "LLM_TRUNCATED", "LLM_REFUSED"})
Progress = Callable[[str], None]


class AnswerService:
    """Answers with citations that were checked; safe to share between threads.

    `budget` is the most seconds that a model may take before the extract is served.
    """

    def __init__(
        self,
        store: Store,
        settings: Settings,
        retrieval: RetrievalService,
        chat: Chat | None = None,
        *,
        budget: float = 60.0,
    ) -> None:
        self._store = store
        self._settings = settings
        self._retrieval = retrieval
        self._prompt = load_prompt("answer")
        self._locked_until = 0.0
        self._blackout = parse_blackout(settings.generation_blackout)
        self._reader = chat if settings.llm_verify else None
        self._generator = Generator(chat, self._prompt, settings.llm_max_output_tokens, budget) if chat else None

    def ask(
        self,
        question: str,
        *,
        candidate: str | None = None,
        filters: SearchFilter | None = None,
        history: Sequence[Turn] = (),
        page: int = 1,
        reading: str | None = None,
        progress: Progress | None = None,
        again: bool = False,
    ) -> AnswerResponse:
        """The verified, stored answer to a question; `candidate` is a TSE id, `page` one of a look-up over all.

        `reading` is the intent that the asker chose where the question may have several (`understood["others"]`).

        The same question over the same records is answered by the stored answer, unless it is to be made `again`.
        Raises UsageError QUESTION_EMPTY or QUESTION_TOO_LONG, NotFoundError for an unknown candidate.
        """
        question = _checked(question)
        tell = progress or _silent
        key = str(uuid.uuid4()) if again else self._key(question, candidate, filters, history, page, reading)
        known = None if again else stored_answer(self._store, key)
        tell("plan")
        if known is not None:
            tell("retrieval")
            tell("done")
            return known
        retrieval = self._retrieval.retrieve(
            question,
            candidate=candidate,
            filters=filters or SearchFilter(),
            history=history,
            page=page,
            reading=reading,
        )
        tell("retrieval")
        draft = _begun(retrieval, self._draft(question, retrieval, tell))
        # What a failing model call left is no answer to the next one who asks.
        response = self._response(question, retrieval, draft, str(uuid.uuid4()) if draft.failure else key)
        response = self._stored(response, filters, candidate)
        tell("done")
        return response

    def _key(
        self, question: str, candidate: str | None, filters: SearchFilter | None, history: Sequence[Turn], page: int,
        reading: str | None,
    ) -> str:  # fmt: skip
        settings = self._settings
        embedding = f"{settings.embedding_model} {settings.embedding_dimension} {self._retrieval.embedder is not None}"
        model = "blackout" if self._is_blackout else self._generator.identity if self._generator else ""
        surroundings = (
            self._store.revision(),
            embedding,
            model,
            self._prompt.hash,
            settings.fusion_weights,
            str((settings.llm_read, settings.llm_verify, reading)),
        )
        return answer_key(question, candidate, filters, history, page, *surroundings)

    @property
    def _is_blackout(self) -> bool:
        return is_blackout(self._blackout, self._settings.reference_date)

    def _stored(self, response: AnswerResponse, filters: SearchFilter | None, candidate: str | None) -> AnswerResponse:
        """The response, stored; without its id where another process is writing for longer than a short wait.

        Once one answer has waited in vain, those of the next seconds no longer wait: together they would hold everybody.
        """
        wait = 0.0 if time.monotonic() < self._locked_until else WAIT_SECONDS
        try:
            save_answer(self._store, response, filters, candidate, wait)
        except StoreError as error:
            if not error.retryable:
                raise
            self._locked_until = max(self._locked_until, time.monotonic() + (LOCKED_SECONDS if wait else 0.0))
            log.warning("an answer was not stored: %s", error.code)
            notices = [*response.notices, NOT_STORED_NOTICE]
            return response.model_copy(update={"answer_id": None, "notices": notices})
        return response

    @property
    def retrieval(self) -> RetrievalService:
        """What finds the evidence; the evaluation measures it apart from the answers."""
        return self._retrieval

    @property
    def generates(self) -> bool:
        """Whether a model is configured (blackout days aside)."""
        return self._generator is not None

    def get(self, answer_id: str) -> AnswerResponse:
        """A stored answer exactly as it was first given; NotFoundError ANSWER_UNKNOWN."""
        return load_answer(self._store, answer_id)

    def _draft(self, question: str, retrieval: Retrieval, tell: Progress) -> Draft:
        if retrieval.refusal:
            return Draft(retrieval.refusal)
        if retrieval.clarification:
            return Draft(clarification_text(tuple(by_ballot_name(retrieval.clarification))))
        if retrieval.lookup:
            return quoted(build_lookup(question, retrieval.lookup), (ORDER_NOTICE,))
        if not retrieval.evidences:
            return self._without_evidence(retrieval)
        if retrieval.plan.whole_list:
            return quoted(build_extract(question, retrieval.evidences, retrieval.absent), ())
        if self._is_blackout:
            return quoted(build_extract(question, retrieval.evidences, retrieval.absent), (BLACKOUT_NOTICE,))
        if self._generator is None:
            return quoted(build_extract(question, retrieval.evidences, retrieval.absent), (EXTRACT_NOTICE,))
        return self._generate(question, retrieval, tell)

    def _without_evidence(self, retrieval: Retrieval) -> Draft:
        """The model is not called: the canonical sentence, or what the registry says of a selected candidate."""
        chosen = retrieval.candidate
        row = self._store.candidates.by_tse_id(chosen.tse_id, chosen.year) if chosen else None
        if chosen is None or row is None:
            lines = [f"- {absence_line(entry)}" for entry in retrieval.absent]
            if retrieval.said:
                return Draft("\n".join(lines))
            return Draft("\n".join([NO_EVIDENCE, *lines]), notices=(NO_EVIDENCE_NOTICE,))
        absent = next((entry.text for entry in retrieval.absent), "")
        [record] = numbered([candidate_record(self._store, chosen)])
        quotes = {record.evidence_id: worded("", record)}
        line = quoted_lines("", [record])
        text = profile_text(chosen.label, chosen.year, line, row["match_status"], absent)
        return replace(quoted(Extract(text, quotes), (NO_EVIDENCE_NOTICE,)), resting={record.evidence_id: record})

    def _generate(self, question: str, retrieval: Retrieval, tell: Progress) -> Draft:
        assert self._generator is not None
        context = build_context(question, retrieval.evidences, retrieval.candidate)
        generated = self._generator.generate(context, lambda: tell("generation"))
        tell("verification")
        if generated.text is None:
            return quoted(
                build_extract(question, retrieval.evidences, retrieval.absent),
                (FAILED_NOTICE,),
                generated,
            )
        return verified(question, retrieval.plan.topic, generated, retrieval.evidences, self._reader)

    def _response(self, question: str, retrieval: Retrieval, draft: Draft, answer_id: str) -> AnswerResponse:
        found = {evidence.evidence_id: evidence for evidence in in_neutral_order(_evidences(retrieval))}
        evidences = list({**found, **draft.resting}.values())
        spans = {citation.evidence_id: citation.span for citation in reversed(draft.citations)}
        return AnswerResponse(
            answer_id=answer_id,
            question=question,
            answer=draft.text,
            generated=draft.generated,
            sources=source_models(evidences, draft.quotes, spans),
            citations=citation_models(draft.citations),
            removed=[RemovedModel(**item.as_json()) for item in draft.removed],
            flagged=[RemovedModel(**item.as_json()) for item in draft.flagged],
            candidate=candidate_model(retrieval.candidate) if retrieval.candidate else None,
            choices=[candidate_model(choice) for choice in by_ballot_name(retrieval.clarification)],
            intent=retrieval.intent,
            strategy=retrieval.strategy,
            understood=dict(retrieval.understood),
            prompt=PromptModel(name=self._prompt.name, version=self._prompt.version, hash=self._prompt.hash),
            model=draft.model,
            timings=_timings(retrieval, draft),
            notices=_notices(retrieval, draft, evidences),
            failure=draft.failure,
            as_of=self._settings.reference_date,
            created_at=datetime.now(UTC),
        )


def _checked(question: str) -> str:
    question = clean(question).strip()  # half a character could neither be stored nor shown
    if not question:
        raise UsageError("QUESTION_EMPTY", "the question is empty", hint="write a question of 1 to 4000 characters")
    if len(question) > MAX_QUESTION:
        raise UsageError(
            "QUESTION_TOO_LONG", f"the question has {len(question)} characters", hint=f"at most {MAX_QUESTION}"
        )
    return question


def _begun(retrieval: Retrieval, draft: Draft) -> Draft:
    """The draft with the sentence first that the records themselves give."""
    return replace(draft, text=f"{escape(retrieval.said)}\n\n{draft.text}".strip()) if retrieval.said else draft


def _silent(step: str) -> None:
    """Nobody listens to the progress."""


def _evidences(retrieval: Retrieval) -> list[Evidence]:
    if retrieval.lookup:
        return [entry.evidence for entry in retrieval.lookup.entries if entry.evidence]
    return list(retrieval.evidences)


def _timings(retrieval: Retrieval, draft: Draft) -> TimingsModel:
    steps = {
        name: round(float(retrieval.timings.get(name, 0.0)), 4) for name in ("plan", "lexical", "vector", "context")
    }
    return TimingsModel(**steps, generation=round(draft.seconds, 4))


def _notices(retrieval: Retrieval, draft: Draft, evidences: Sequence[Evidence]) -> list[str]:
    notices = [*retrieval.notices, *draft.notices]
    if draft.generated:
        notices += [absence_line(entry) for entry in retrieval.absent]
    if several_candidates(evidences):
        notices.append(ORDER_NOTICE)
    if any(evidence.source_type == NEWS_ARTICLE for evidence in evidences):
        notices.append(UNOFFICIAL_NOTICE)
    return list(dict.fromkeys(notices))
