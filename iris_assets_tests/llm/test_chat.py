"""The chat client against a loopback server: both interfaces, outcomes, structured output, budget."""

import time
from collections.abc import Iterator

import pytest

from iris_assets.errors import ModelError
from iris_assets.llm.chat import ChatClient
from iris_assets.llm.connection import Endpoint
from iris_assets.llm.wire import Tokens
from iris_assets.settings import load_settings
from iris_assets_tests.llm.fake_openai import (
    CHAT,
    RESPONSES,
    FakeOpenAI,
    Fault,
    Reply,
    dropped,
    fake_openai,
    quota,
    rate_limited,
    slow,
    unavailable,
)

SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": False}


@pytest.fixture
def fake() -> Iterator[FakeOpenAI]:
    with fake_openai() as server:
        yield server


def client(fake: FakeOpenAI, **options: object) -> ChatClient:
    return ChatClient(fake.url, "key-of-the-test", "m", **{"attempts": 3, "pause": 0.001, **options})  # type: ignore[arg-type]


@pytest.mark.parametrize(("api", "route"), [("responses", RESPONSES), ("chat", CHAT), ("auto", RESPONSES)])
def test_the_answer_comes_with_its_figures(fake: FakeOpenAI, api: str, route: str) -> None:
    fake.replies.append("Olá [E1].")
    answer = client(fake, api=api).complete("sistema", "pergunta", max_output_tokens=300)
    assert (answer.text, answer.finish, answer.problem, answer.model) == ("Olá [E1].", "stop", None, "m")
    assert answer.tokens in (Tokens(11, 7, 3), Tokens(11, 7, 0))
    assert answer.latency > 0
    assert fake.calls == {route: 1}


def test_nothing_is_kept_at_the_provider(fake: FakeOpenAI) -> None:
    client(fake).complete("sistema", "pergunta", max_output_tokens=300)
    (_, body) = fake.bodies[0]
    assert body["store"] is False
    assert body["instructions"] == "sistema"
    assert body["input"] == "pergunta"
    assert body["max_output_tokens"] == 300


def test_a_server_without_responses_is_asked_by_chat_from_then_on(fake: FakeOpenAI) -> None:
    fake.routes = {CHAT}
    chat = client(fake)
    for _ in range(2):
        assert chat.complete("s", "u", max_output_tokens=300).api == "chat"
    assert fake.calls == {CHAT: 2}
    assert fake.bodies[0][1]["max_tokens"] == 300


def test_a_server_that_wants_the_other_limit_name_gets_it(fake: FakeOpenAI) -> None:
    fake.refuses = lambda route, body: (
        "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'." if "max_tokens" in body else None
    )
    chat = client(fake, api="chat")
    chat.complete("s", "u", max_output_tokens=300)
    chat.complete("s", "u", max_output_tokens=300)
    assert [body.get("max_completion_tokens") for _, body in fake.bodies] == [None, 300, 300]


@pytest.mark.parametrize("api", ["responses", "chat"])
@pytest.mark.parametrize(
    ("reply", "finish", "problem"),
    [
        (Reply("meia resp", "length"), "length", "LLM_TRUNCATED"),
        (Reply("", "stop"), "stop", "LLM_EMPTY"),
        (Reply("", "length"), "length", "LLM_EMPTY"),
        (Reply("não posso", "refusal"), "refusal", "LLM_REFUSED"),
        (Reply("", "content_filter"), "content_filter", "LLM_REFUSED"),
    ],
)
def test_an_answer_that_is_not_whole_says_so(
    fake: FakeOpenAI, api: str, reply: Reply, finish: str, problem: str
) -> None:
    fake.replies.append(reply)
    answer = client(fake, api=api).complete("s", "u", max_output_tokens=300)
    assert (answer.finish, answer.problem) == (finish, problem)
    with pytest.raises(ModelError, match=problem):
        answer.require_complete()


@pytest.mark.parametrize("api", ["responses", "chat"])
def test_structured_output_is_asked_by_schema(fake: FakeOpenAI, api: str) -> None:
    fake.replies.append('{"a": 1}')
    assert client(fake, api=api).complete("s", "u", max_output_tokens=300, schema=SCHEMA).data() == {"a": 1}
    body = fake.bodies[0][1]
    told = body["text"]["format"] if api == "responses" else body["response_format"]["json_schema"]
    assert told["schema"] == SCHEMA
    assert told["strict"] is True


def test_a_server_without_schemas_is_told_the_schema_in_words(fake: FakeOpenAI) -> None:
    fake.refuses = lambda route, body: (
        "response_format json_schema is unavailable"
        if body.get("response_format", {}).get("type") == "json_schema"
        else None
    )
    fake.replies.append('```json\n{"a": 2}\n```')
    assert client(fake, api="chat").complete("s", "u", max_output_tokens=300, schema=SCHEMA).data() == {"a": 2}
    assert fake.bodies[1][1]["response_format"] == {"type": "json_object"}
    assert '"additionalProperties": false' in fake.bodies[1][1]["messages"][0]["content"]


def test_an_answer_that_is_no_json_is_an_error(fake: FakeOpenAI) -> None:
    fake.replies.append("isto não é JSON")
    with pytest.raises(ModelError, match="LLM_NOT_JSON"):
        client(fake).complete("s", "u", max_output_tokens=300, schema=SCHEMA).data()


@pytest.mark.parametrize("fault", [rate_limited(), unavailable(), unavailable(500), dropped()])
def test_a_passing_failure_is_tried_again(fake: FakeOpenAI, fault: Fault) -> None:
    fake.fail(RESPONSES, fault, fault)
    client(fake).complete("s", "u", max_output_tokens=300)
    assert fake.calls == {RESPONSES: 3}


@pytest.mark.parametrize(
    ("fault", "code"),
    [(quota(), "LLM_QUOTA_EXHAUSTED"), (Fault(401), "LLM_UNAUTHORIZED"), (Fault(400), "LLM_BAD_REQUEST")],
)
def test_a_lasting_failure_is_not(fake: FakeOpenAI, fault: Fault, code: str) -> None:
    fake.fail(RESPONSES, fault)
    with pytest.raises(ModelError) as raised:
        client(fake).complete("s", "u", max_output_tokens=300)
    assert raised.value.code == code
    assert sum(fake.calls.values()) == 1


def test_the_budget_holds_retries_and_slow_servers(fake: FakeOpenAI) -> None:
    fake.fail(RESPONSES, *[slow(3)] * 5)
    started = time.monotonic()
    with pytest.raises(ModelError, match="LLM_TIMEOUT"):
        client(fake).complete("s", "u", max_output_tokens=300, budget=0.4)
    assert time.monotonic() - started < 1.5


def test_a_page_of_html_is_not_an_answer(fake: FakeOpenAI) -> None:
    fake.fail(RESPONSES, Fault(body=b"<html>porta</html>"))
    fake.fail(CHAT, Fault(body=b"<html>porta</html>"))
    with pytest.raises(ModelError, match="LLM_ANSWER_INVALID"):
        client(fake).complete("s", "u", max_output_tokens=300)


def test_a_missing_server_is_unavailable() -> None:
    with pytest.raises(ModelError, match="LLM_UNAVAILABLE"):
        ChatClient("http://127.0.0.1:9/v1", None, "m", attempts=1).complete("s", "u", max_output_tokens=300)


def test_settings_without_key_give_no_client() -> None:
    assert ChatClient.from_settings(load_settings({})) is None
    assert ChatClient.from_settings(load_settings({"LLM_BASE_URL": "http://127.0.0.1:9/v1"})) is not None


def test_a_page_in_place_of_responses_leads_to_chat_and_is_remembered(fake: FakeOpenAI) -> None:
    fake.fail(RESPONSES, Fault(body=b"<html>not here</html>"))
    chat = client(fake)
    assert [chat.complete("s", "u", max_output_tokens=300).api for _ in range(2)] == ["chat", "chat"]
    assert fake.calls == {RESPONSES: 1, CHAT: 2}


def test_a_server_that_knew_neither_interface_is_asked_anew(fake: FakeOpenAI) -> None:
    chat, fake.routes = client(fake), set()
    with pytest.raises(ModelError) as raised:
        chat.complete("s", "u", max_output_tokens=300)
    assert raised.value.code == "LLM_NOT_FOUND"
    fake.routes = {RESPONSES}
    assert chat.complete("s", "u", max_output_tokens=300).api == "responses"


def test_an_account_without_credit_is_not_asked_again(fake: FakeOpenAI) -> None:
    fake.fail(CHAT, Fault(402, message="Insufficient Balance"))
    with pytest.raises(ModelError) as raised:
        client(fake, api="chat").complete("s", "u", max_output_tokens=300)
    assert (raised.value.code, fake.calls) == ("LLM_QUOTA_EXHAUSTED", {CHAT: 1})


def test_another_host_gets_no_account_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-elsewhere")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-elsewhere")
    headers = Endpoint("http://127.0.0.1:9/v1").client.default_headers
    assert "elsewhere" not in " ".join(str(value) for value in headers.values())


@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:9", "gopher://127.0.0.1:9"])
def test_a_proxy_that_cannot_be_used_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch, proxy: str) -> None:
    monkeypatch.setenv("ALL_PROXY", proxy)
    with pytest.raises(ModelError) as raised:
        ChatClient("http://model.invalid/v1", "k", "m", attempts=1).complete("s", "u", max_output_tokens=9, budget=5)
    assert raised.value.code == "PROXY_UNUSABLE" and "\n" not in str(raised.value)
