"""Answers that are valid HTTP and JSON and yet none: wrong types, nestings and names end in a typed error, no traceback."""

from collections.abc import Callable
from typing import Any

import pytest

from iris_assets.errors import ModelError
from iris_assets.llm.roles import PRIMARY, RoleGateway, load_roles
from iris_assets_tests.llm.fake_openai import CHAT, FakeOpenAI, Fault, fake_openai

GOOD = '{"ok": 1}'
SCHEMA = {
    "type": "object",
    "properties": {"ok": {"type": "integer"}},
    "required": ["ok"],
    "additionalProperties": False,
}
Change = Callable[[dict[str, Any]], Any]


def message(**values: Any) -> Change:
    def change(body: dict[str, Any]) -> Any:
        body["choices"][0]["message"].update(values)
        return body

    return change


def top(**values: Any) -> Change:
    return lambda body: {**body, **values}


ODD: dict[str, tuple[str, Change]] = {
    "content a number": ("LLM_ANSWER_INVALID", message(content=7)),
    "content a list of texts": ("LLM_ANSWER_INVALID", message(content=["a", "b"])),
    "content an object": ("LLM_ANSWER_INVALID", message(content={"ok": 1})),
    "content true": ("LLM_ANSWER_INVALID", message(content=True)),
    "content null": ("LLM_EMPTY", message(content=None)),
    "content blank": ("LLM_EMPTY", message(content="\n \t")),
    "content nested too deep": ("LLM_NOT_JSON", message(content="[" * 200_000)),
    "content a huge number": ("LLM_NOT_JSON", message(content="9" * 10_000)),
    "content with text around": ("LLM_NOT_JSON", message(content=f"Claro! {GOOD}")),
    "content cut": ("LLM_NOT_JSON", message(content=GOOD[:5])),
    "content twice": ("LLM_NOT_JSON", message(content=GOOD + GOOD)),
    "refusal": ("LLM_REFUSED", message(refusal="não")),
    "refusal an object": ("LLM_REFUSED", message(refusal={"why": "não"})),
    "no choices": ("LLM_ANSWER_INVALID", top(choices=None)),
    "empty choices": ("LLM_ANSWER_INVALID", top(choices=[])),
    "choices an object": ("LLM_ANSWER_INVALID", top(choices={"message": {"content": GOOD}})),
    "choices a text": ("LLM_ANSWER_INVALID", top(choices="stop")),
    "choice null": ("LLM_ANSWER_INVALID", top(choices=[None])),
    "choice a list": ("LLM_ANSWER_INVALID", top(choices=[[GOOD]])),
    "message null": ("LLM_ANSWER_INVALID", top(choices=[{"index": 0, "finish_reason": "stop", "message": None}])),
    "message a text": ("LLM_EMPTY", top(choices=[{"index": 0, "finish_reason": "stop", "message": GOOD}])),
    "finish a number": ("LLM_TRUNCATED", top(choices=[{"finish_reason": 3, "message": {"content": GOOD}}])),
    "finish an object": ("LLM_TRUNCATED", top(choices=[{"finish_reason": {"x": 1}, "message": {"content": GOOD}}])),
    "a list": ("LLM_ANSWER_INVALID", lambda body: [body]),
    "a text": ("LLM_ANSWER_INVALID", lambda body: "ok"),
    "a number": ("LLM_ANSWER_INVALID", lambda body: 5),
    "null": ("LLM_ANSWER_INVALID", lambda body: None),
    "an empty object": ("LLM_ANSWER_INVALID", lambda body: {}),
    "an error with status 200": ("LLM_ANSWER_INVALID", lambda body: {"error": {"message": "x"}}),
    "thought without end": ("LLM_EMPTY", message(content=f"<think>Talvez {GOOD}")),
    "a channel of thought alone": ("LLM_EMPTY", message(content=f"<|channel|>analysis<|message|>{GOOD}")),
    "no credit with status 200": (
        "LLM_QUOTA_EXHAUSTED", lambda body: {"error": {"code": 402, "message": "Insufficient credits"}},
    ),
    "too many with status 200": ("LLM_RATE_LIMITED", lambda body: {"error": {"code": 429, "message": "slow down"}}),
    "overloaded with status 200": (
        "LLM_UNAVAILABLE", lambda body: {"error": {"type": "overloaded_error", "message": "busy"}},
    ),
    "another model": ("MODEL_NOT_SERVED", top(model="gpt-9-turbo")),
    "another model of a like name": ("MODEL_NOT_SERVED", top(model="openai/gpt-oss-200b")),
}  # fmt: skip
HARMLESS: dict[str, Change] = {
    "content a list of parts": message(
        content=[{"type": "text", "text": GOOD[:3]}, {"type": "text", "text": GOOD[3:]}]
    ),
    "a part of thought": message(content=[{"type": "thinking", "text": "hm"}, {"type": "text", "text": GOOD}]),
    "a field of thought": message(reasoning_content="Primeiro, {", reasoning="hm"),
    "thought in tags": message(content=f"<think>Talvez {{</think>\n{GOOD}"),
    "thought whose tag the template opened": message(content=f"Talvez {{</think>{GOOD}"),
    "thought in a channel": message(
        content=f"<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>{GOOD}<|return|>"
    ),
    "usage absent": top(usage=None),
    "usage a text": top(usage="muito"),
    "usage a list": top(usage=[1, 2]),
    "usage of texts": top(usage={"prompt_tokens": "x", "completion_tokens": "y", "total_tokens": "z"}),
    "usage negative": top(usage={"prompt_tokens": -4, "completion_tokens": -1, "total_tokens": -5}),
    "usage nested": top(usage={"prompt_tokens": {"a": 1}, "completion_tokens": [2], "total_tokens": None}),
    "usage infinite": top(usage={"prompt_tokens": 1e300, "completion_tokens": 10**30, "total_tokens": 0}),
    "details a text": top(usage={"prompt_tokens": 0, "completion_tokens": 0, "completion_tokens_details": "x"}),
    "model absent": top(model=None),
    "model an object": top(model={"name": "x"}),
    "model without its maker": top(model="gpt-oss-20b"),
    "model with a date": top(model="openai/gpt-oss-20b-2026-01"),
    "unknown fields": top(extra={"x": [1]}, system_fingerprint=4),
}


@pytest.fixture
def served() -> Any:
    with fake_openai() as fake:
        fake.reply = lambda system, user: GOOD
        yield fake


def ask(fake: FakeOpenAI, change: Change) -> Any:
    roles = load_roles(None, {"RUNTIME_PRIMARY_BASE_URL": fake.url})
    gateway = RoleGateway(roles, environment={"GROQ_API_KEY": "k"}, attempts=1, pause=0.0)
    fake.fail(CHAT, Fault(change=change))
    return gateway.complete(PRIMARY, "s", "u", schema=SCHEMA, seconds=20.0)


def test_there_are_forty_odd_answers() -> None:
    assert len(ODD) + len(HARMLESS) >= 40


@pytest.mark.parametrize("name", ODD)
def test_an_odd_answer_is_a_typed_error(served: FakeOpenAI, name: str) -> None:
    code, change = ODD[name]
    with pytest.raises(ModelError) as raised:
        ask(served, change)
    assert raised.value.code == code and raised.value.details["attempts"][0].status == code


@pytest.mark.parametrize("name", HARMLESS)
def test_what_says_nothing_of_the_answer_spoils_none(served: FakeOpenAI, name: str) -> None:
    answer = ask(served, HARMLESS[name])
    assert answer.data == {"ok": 1} and answer.attempts[0].tokens.input >= 0
