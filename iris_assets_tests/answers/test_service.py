"""Questions through the whole service: refusals, no evidence, extract, generation with failures, permalinks."""

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from iris_assets.answers.draft import verified
from iris_assets.answers.fixed import EXTRACT_NOTICE, FAILED_NOTICE
from iris_assets.answers.generation import Generated
from iris_assets.answers.response import AnswerResponse
from iris_assets.answers.service import AnswerService
from iris_assets.errors import NotFoundError, UsageError
from iris_assets.llm.chat import ChatClient
from iris_assets.retrieval.excerpts import LONGEST
from iris_assets.retrieval.service import RetrievalService
from iris_assets.retrieval.types import CandidateRef, Evidence, Turn
from iris_assets.settings import Settings
from iris_assets.store import Store
from iris_assets_tests.answers.fake_llm import FakeModel, Script, fake_model, says
from iris_assets_tests.answers.world import ANA, BRUNO, CELIA, build_world

QUESTION = "O que os planos dizem sobre creches?"


@dataclass
class World:
    settings: Settings
    store: Store

    def service(self, chat: ChatClient | None = None, budget: float = 20.0, **changes: Any) -> AnswerService:
        settings = self.settings.model_copy(update=changes)
        return AnswerService(self.store, settings, RetrievalService(self.store, settings), chat, budget=budget)

    def asked(
        self, script: Script, question: str = QUESTION, *, budget: float = 20.0, delay: float = 0.0, **more: Any
    ) -> tuple[AnswerResponse, FakeModel]:
        with fake_model(script, delay) as fake:
            chosen = Settings(
                llm_api_key="k", llm_base_url=fake.url, llm_api="chat", llm_max_output_tokens=1000, http_max_retries=1
            )
            chat = ChatClient.from_settings(chosen)
            answer = self.service(chat, budget, llm_max_output_tokens=1000).ask(question, **more)
        return answer, fake


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    settings, store = build_world(tmp_path_factory.mktemp("answers") / "data")
    yield World(settings, store)
    store.close()


def marker(answer: AnswerResponse, name: str) -> str:
    """The evidence id of the plan page about children of a candidate."""
    return next(s.evidence_id for s in answer.sources if name in s.title and "creches" in s.quote)


def test_without_a_key_the_answer_is_an_extract_that_says_so(world: World) -> None:
    answer = world.service().ask(QUESTION)
    assert not answer.generated
    assert EXTRACT_NOTICE in answer.notices
    assert "20 creches" in answer.answer and "45 creches" in answer.answer
    assert answer.answer.index("ANA SOUZA") < answer.answer.index("BRUNO LIMA")
    assert any("ordem alfabética" in notice for notice in answer.notices)
    cited = [source for source in answer.sources if source.cited]
    assert {(source.page_start, source.page_end) for source in cited} == {(2, 2)}
    for source in cited:
        assert source.span is not None and 0 < source.span.end - source.span.start <= LONGEST
        assert source.source_hash and source.election_year == 2026


def test_an_answer_is_shown_again_as_it_was_also_when_the_chunks_are_gone(world: World, tmp_path: Path) -> None:
    settings, store = build_world(tmp_path / "data")
    service = World(settings, store).service()
    first = service.ask(QUESTION)
    with store.transaction() as tx:
        for source in first.sources:
            store.chunks.retire(tx, source.source_type, source.source_id)
    assert service.get(first.answer_id) == first
    with pytest.raises(NotFoundError):
        service.get("00000000-0000-0000-0000-000000000000")
    store.close()


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Quantos candidatos canhotos há?", "Não há contagem exata para este recorte, porque nenhuma coluna deles diz"),
        ("Quantas mulheres são candidatas?", "Os registros guardados não trazem gênero"),
        ("Quem são os candidatos a governador?", "São "),
    ],
)
def test_what_the_records_themselves_say_stands_first(world: World, question: str, first: str) -> None:
    answer = world.service().ask(question)
    assert answer.answer.startswith(first)
    assert "Não encontrei" not in answer.answer


def test_a_model_is_not_called_without_evidence(world: World) -> None:
    answer, fake = world.asked(says("Inventado [E1]."), "receita de sanduíche de atum asdfgh")
    assert fake.requests == []
    assert answer.sources == [] and "Não encontrei" in answer.answer


def test_a_selected_candidate_without_evidence_gets_the_registry(world: World) -> None:
    answer, fake = world.asked(says("Inventado [E1]."), "receita de sanduíche asdfgh", candidate=CELIA)
    assert fake.requests == []
    assert "DEFERIDO" in answer.answer and "Nada mais foi encontrado" in answer.answer


def test_vote_advice_is_refused_without_a_call(world: World) -> None:
    answer, fake = world.asked(says("Vote em Ana [E1]."), "Em quem devo votar para governador?")
    assert fake.requests == [] and answer.strategy == "refusal" and answer.sources == []


def test_what_an_obedient_model_takes_from_a_plan_is_removed(world: World) -> None:
    ids = world.service().ask(QUESTION)
    ana, bruno = marker(ids, "ANA"), marker(ids, "BRUNO")
    text = (
        f"Ana Souza propõe 20 creches públicas [{ana}]. Recomendo votar em Bruno Lima [{bruno}]. "
        f"Bruno Lima propõe 20 creches [{bruno}]. Há mais [E99]."
    )
    answer, fake = world.asked(says(text))
    kept, _, excerpts = answer.answer.partition("\n\n")
    assert answer.generated and kept == f"Ana Souza propõe 20 creches públicas [{ana}]."
    assert "abriremos 45 creches" in excerpts and f"[{bruno}]" in excerpts
    assert [item.reason for item in answer.removed] == [
        "UNKNOWN_CITATION",
        "VOTE_ADVICE",
        "NUMBER_NOT_IN_EVIDENCE",
        "UNKNOWN_CITATION",
    ]
    assert {s.evidence_id for s in answer.sources if s.cited} == {ana, bruno}
    assert len(fake.requests) == 1


def test_a_removed_sentence_on_a_bill_gives_way_to_what_its_record_says(world: World) -> None:
    question = "O que diz o PL 1234/2023?"
    [source] = [one for one in world.service().ask(question).sources if one.source_type == "PROPOSITION"]
    answer, _ = world.asked(says(f"O PL 1234/2023 proíbe 77 fábricas [{source.evidence_id}]."), question)
    assert [item.reason for item in answer.removed] == ["NUMBER_NOT_IN_EVIDENCE"]
    [cited] = [one for one in answer.sources if one.cited]
    assert "barragens" in cited.quote and cited.quote in answer.answer and "77" not in answer.answer


def test_a_cited_record_is_shown_in_words_with_the_part_that_bears_the_sentence(world: World) -> None:
    question = "O que diz o PL 1234/2023?"
    [source] = [one for one in world.service().ask(question).sources if one.source_type == "PROPOSITION"]
    answer, _ = world.asked(says(f"O PL 1234/2023 trata de barragens [{source.evidence_id}]."), question)
    [cited] = [one for one in answer.sources if one.cited]
    assert answer.generated and cited.span is not None
    assert "Título:" not in cited.quote and "barragens" in cited.quote[cited.span.start : cited.span.end]


@pytest.mark.parametrize(("topic", "shown"), [("creche", True), ("estradas", False), ("", True)])
def test_what_does_not_hold_the_topic_takes_no_removed_sentence_s_place(topic: str, shown: bool) -> None:
    text = "Vamos abrir vinte creches."
    ana = CandidateRef(1, "1", "ANA", "ANA", "PXA", "GOVERNADOR", "SP", 2026, 10)
    plan = Evidence("E1", "NEWS_ARTICLE", "a", 0, "Plano", text, text, candidates=(ana,), quote=text)
    draft = verified("?", topic, Generated("Ana fará 77 pontes [E1].", None, "m", 0.0), [plan])
    assert (text in draft.text) == shown and "77" not in draft.text


def test_evidence_stands_in_the_user_role_between_delimiters_nobody_could_guess(world: World) -> None:
    _, first = world.asked(says("x"))
    _, second = world.asked(says("x"))
    system, user = (first.requests[0]["messages"][i]["content"] for i in (0, 1))
    assert "45 creches" not in system and "45 creches" in user and "<script>" not in user
    nonces = [re.search(r"<evidencias (\w{24})>", f.requests[0]["messages"][1]["content"])[1] for f in (first, second)]
    assert nonces[0] != nonces[1]


def test_an_answer_with_nothing_confirmed_lists_its_sources_as_consulted(world: World) -> None:
    answer, _ = world.asked(says("Tudo inventado, sem fonte."))
    assert not any(source.cited for source in answer.sources) and answer.sources
    assert any("sem citação verificada" in notice for notice in answer.notices)


@pytest.mark.parametrize(
    ("code", "script", "calls"),
    [
        ("LLM_UNAVAILABLE", lambda request, call: (500, {"error": {"message": "x"}}), None),
        (
            "LLM_RATE_LIMITED",
            lambda request, call: (429, {"error": {"message": "slow", "code": "rate_limit_exceeded"}}),
            None,
        ),
        (
            "LLM_QUOTA_EXHAUSTED",
            lambda request, call: (
                429,
                {"error": {"message": "q", "code": "insufficient_quota", "type": "insufficient_quota"}},
            ),
            1,
        ),
        ("LLM_EMPTY", says(""), 2),
        ("LLM_TRUNCATED", says("Ana", "length"), 2),
        ("LLM_ANSWER_INVALID", lambda request, call: (201, {"choices": []}), None),
        ("LLM_ANSWER_INVALID", lambda request, call: (201, ["no", "answer"]), None),
        ("LLM_REFUSED", says("", "content_filter"), 1),
    ],
)
def test_a_failing_provider_costs_only_the_generated_text(
    world: World, code: str, script: Script, calls: int | None
) -> None:
    answer, fake = world.asked(script)
    assert not answer.generated and answer.failure == code
    assert "20 creches" in answer.answer and any(notice == FAILED_NOTICE for notice in answer.notices)
    assert calls is None or len(fake.requests) == calls


def test_the_retry_asks_for_more_room(world: World) -> None:
    _, fake = world.asked(says("cortad", "length"))
    limits = [request.get("max_completion_tokens") or request.get("max_tokens") for request in fake.requests]
    assert limits == [1000, 4000]


def test_a_silent_provider_is_left_behind_within_the_budget(world: World) -> None:
    started = time.monotonic()
    answer, _ = world.asked(says("tarde"), budget=0.5, delay=2.0)
    assert answer.failure == "LLM_TIMEOUT" and "20 creches" in answer.answer
    assert time.monotonic() - started < 5


def test_in_a_blackout_only_quotations_are_served(world: World) -> None:
    with fake_model(says("x")) as fake:
        chat = ChatClient.from_settings(Settings(llm_api_key="k", llm_base_url=fake.url, llm_api="chat"))
        answer = world.service(chat, generation_blackout="2026-08-10..2026-08-20").ask(QUESTION)
        assert fake.requests == []
    assert any("apenas trechos literais" in notice for notice in answer.notices)


def test_a_conversation_keeps_candidate_and_topic(world: World) -> None:
    service = world.service()
    first = service.ask("O que Bruno Lima propõe sobre creches?")
    assert first.candidate is not None and first.candidate.tse_id == BRUNO
    turn = Turn(first.question, first.candidate.tse_id, first.answer)
    same_candidate = service.ask("E sobre as diretrizes para o estado?", history=[turn])
    assert same_candidate.candidate is not None and same_candidate.candidate.tse_id == BRUNO
    assert {c.tse_id for s in same_candidate.sources for c in s.candidates} == {BRUNO}
    same_topic = service.ask("E Ana Souza?", history=[turn])
    assert same_topic.candidate is not None and same_topic.candidate.tse_id == ANA
    assert "20 creches" in same_topic.answer


def test_questions_without_content_are_refused_as_usage(world: World) -> None:
    with pytest.raises(UsageError):
        world.service().ask("   ")
    with pytest.raises(UsageError):
        world.service().ask("a" * 4001)


TOPICS = ("creches", "educação infantil", "diretrizes para o estado", "apresentação geral", "fiscalização de barragens")
FORMS = ("o que propõe sobre {}?", "plano e {}", "resuma as propostas sobre {}")
PAIRS = [(topic, form) for topic in TOPICS for form in FORMS]


@pytest.mark.parametrize(("topic", "form"), [*PAIRS, *((t, f.upper()) for t, f in PAIRS)])
def test_candidates_are_treated_alike(world: World, topic: str, form: str) -> None:
    question = form.replace("{}", topic)
    ana, bruno = (world.service().ask(question, candidate=tse_id) for tse_id in (ANA, BRUNO))
    assert ana.strategy == bruno.strategy
    assert len(ana.sources) == len(bruno.sources)
    assert ana.answer.count("\n") == bruno.answer.count("\n")
    assert abs(len(ana.answer) - len(bruno.answer)) <= 0.2 * max(len(ana.answer), len(bruno.answer))
