"""Models by role: certified only, every attempt recorded with tokens, cost and latency."""

from collections.abc import Iterator

import pytest

from iris_assets.errors import ConfigurationError, ModelError
from iris_assets.llm.roles import FALLBACK, PRIMARY, RoleGateway, load_roles
from iris_assets_tests.llm.fake_openai import CHAT, FakeOpenAI, Reply, fake_openai, rate_limited

SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": False}
KEYS = {"GROQ_API_KEY": "groq-key", "DEEPSEEK_API_KEY": "deepseek-key"}


@pytest.fixture
def fake() -> Iterator[FakeOpenAI]:
    with fake_openai() as server:
        yield server


def gateway(fake: FakeOpenAI) -> RoleGateway:
    environment = {**KEYS, "RUNTIME_PRIMARY_BASE_URL": fake.url, "RUNTIME_FALLBACK_BASE_URL": fake.url}
    return RoleGateway(load_roles(environment=environment), environment=environment, pause=0.001)


def test_the_roles_have_their_default_models() -> None:
    roles = load_roles(environment={}).roles
    assert roles[PRIMARY].model == "openai/gpt-oss-20b"
    assert roles[FALLBACK].model == "deepseek-v4-flash"
    assert roles[PRIMARY].base_url == "https://api.groq.com/openai/v1"


def test_a_model_that_is_not_certified_is_refused_at_start() -> None:
    with pytest.raises(ConfigurationError, match="MODEL_NOT_CERTIFIED"):
        load_roles(environment={"RUNTIME_PRIMARY_MODEL": "gpt-5-pro"})


def test_a_configuration_without_a_role_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="ROLE_MISSING"):
        load_roles({"version": "1", "certified": [], "roles": {}}, environment={})
    with pytest.raises(ConfigurationError, match="ROLES_INVALID"):
        load_roles({"version": "1"}, environment={})


def test_an_attempt_carries_tokens_cost_and_latency(fake: FakeOpenAI) -> None:
    fake.replies.append('{"a": 1}')
    answer = gateway(fake).complete(PRIMARY, "s", "u", schema=SCHEMA)
    assert answer.data == {"a": 1}
    (attempt,) = answer.attempts
    assert (attempt.role, attempt.provider, attempt.model) == (PRIMARY, "groq", "openai/gpt-oss-20b")
    assert (attempt.number, attempt.status) == (1, "ok")
    assert attempt.cost == pytest.approx((11 * 0.075 + 7 * 0.30) / 1e6)
    assert attempt.latency > 0
    assert fake.keys == ["Bearer groq-key"]


def test_failed_attempts_are_recorded_too(fake: FakeOpenAI) -> None:
    fake.fail(CHAT, rate_limited())
    fake.replies.extend([Reply(""), Reply('{"a": 2}')])
    answer = gateway(fake).complete(FALLBACK, "s", "u", schema=SCHEMA)
    assert [attempt.status for attempt in answer.attempts] == ["LLM_RATE_LIMITED", "LLM_EMPTY", "ok"]
    assert answer.cost == pytest.approx(2 * (11 * 0.14 + 7 * 0.28) / 1e6)


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (Reply("sem JSON"), "LLM_NOT_JSON"),
        (Reply('{"a"', "length"), "LLM_TRUNCATED"),
        (Reply("x", "refusal"), "LLM_REFUSED"),
    ],
)
def test_a_decision_is_never_asked_for_again(fake: FakeOpenAI, reply: Reply, code: str) -> None:
    fake.replies.append(reply)
    with pytest.raises(ModelError) as raised:
        gateway(fake).complete(PRIMARY, "s", "u", schema=SCHEMA)
    assert raised.value.code == code
    assert [attempt.status for attempt in raised.value.details["attempts"]] == [code]
    assert fake.calls == {CHAT: 1}


def test_a_role_without_its_key_says_which_variable_is_missing() -> None:
    with pytest.raises(ConfigurationError, match="GROQ_API_KEY"):
        RoleGateway(load_roles(environment={}), environment={}).complete(PRIMARY, "s", "u", schema=SCHEMA)
