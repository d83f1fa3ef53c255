"""The two chat interfaces of OpenAI-compatible servers: what is sent, how answers are read, what older servers lack."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal

from iris_assets.errors import ModelError
from iris_assets.llm.failures import failure_told

if TYPE_CHECKING:
    from openai import OpenAI

Finish = Literal["stop", "length", "refusal", "content_filter", "incomplete"]
# How the two interfaces name the end of an answer; another name is taken for an incomplete one.
FINISHES: Final[dict[str, Finish]] = {
    "stop": "stop",
    "end_turn": "stop",
    "length": "length",
    "max_output_tokens": "length",
    "content_filter": "content_filter",
}

MOST_TOKENS: Final = 1_000_000_000
SCHEMA_NAME: Final = "answer"
NO_SUCH_ROUTE: Final = frozenset({404, 405, 501})
ABOUT_FORMAT: Final = re.compile(r"response_format|json_schema|text\.format|structured", re.IGNORECASE)
TEXT_PARTS: Final = frozenset({"text", "output_text"})
THOUGHT: Final = re.compile(
    r"^.*?</think(?:ing)?>|<(think(?:ing)?|reasoning|reflection|thought)>.*?</\1>", re.DOTALL | re.IGNORECASE
)
OPEN_THOUGHT: Final = re.compile(r"<(?:think(?:ing)?|reasoning|reflection|thought)>.*", re.DOTALL | re.IGNORECASE)
FINAL_CHANNEL: Final = "<|channel|>final<|message|>"
OTHER_CHANNEL: Final = re.compile(r"<\|channel\|>(?:analysis|commentary)")
CHANNEL_SIGN: Final = re.compile(r"<\|(?:start|end|return|message|channel)\|>")
ABOUT_LIMIT: Final = re.compile(r"max_tokens|max_completion_tokens", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens of one answer as the server counted them; `output` includes `reasoning`."""

    input: int = 0
    output: int = 0
    reasoning: int = 0


@dataclass(frozen=True, slots=True)
class Ask:
    """One question to a model."""

    model: str
    system: str
    user: str
    max_output_tokens: int
    schema: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Options:
    """How this server wants to be asked; learnt from its refusals."""

    api: Literal["responses", "chat", "auto"] = "auto"
    limit_name: str = "max_tokens"
    strict_schema: bool = True  # False: JSON mode, the schema is told in words
    limit_tried: bool = False

    @property
    def interface(self) -> Literal["responses", "chat"]:
        return "chat" if self.api == "chat" else "responses"


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    text: str
    finish: Finish
    tokens: Tokens
    model: str | None


def older(options: Options, error: ModelError) -> Options | None:
    """The options to try after this refusal, or None when the refusal is about something else."""
    status = error.details.get("status")
    # A server or a page before it may answer an address that it does not know with anything.
    if options.api == "auto" and (status in NO_SUCH_ROUTE or error.code == "LLM_ANSWER_INVALID"):
        return replace(options, api="chat")
    if status not in (400, 422):
        return None
    if options.strict_schema and ABOUT_FORMAT.search(error.message):
        return replace(options, strict_schema=False)
    if options.interface == "chat" and not options.limit_tried and ABOUT_LIMIT.search(error.message):
        other = "max_tokens" if options.limit_name == "max_completion_tokens" else "max_completion_tokens"
        return replace(options, limit_name=other, limit_tried=True)
    return None


def send(client: "OpenAI", ask: Ask, options: Options, timeout: float) -> Answer:
    """One call. Raises the SDK's errors, and ModelError LLM_ANSWER_INVALID."""
    if options.interface == "responses":
        return _responses(client, ask, options, timeout)
    return _chat(client, ask, options, timeout)


def _responses(client: "OpenAI", ask: Ask, options: Options, timeout: float) -> Answer:
    extra: dict[str, Any] = {}
    if ask.schema is not None:
        extra["text"] = {"format": _schema_format(ask.schema) if options.strict_schema else {"type": "json_object"}}
    response: Any = client.responses.create(
        model=ask.model,
        instructions=_system(ask, options),
        input=ask.user,
        max_output_tokens=ask.max_output_tokens,
        store=False,
        timeout=timeout,
        **extra,
    )
    _refuse_error(response)
    output = getattr(response, "output", None)
    if not isinstance(output, list):
        raise _unreadable("responses")
    spoken = [item for item in output if getattr(item, "type", "message") == "message"]  # not the reasoning
    contents = [getattr(item, "content", None) or [] for item in spoken]
    if not all(isinstance(content, list) for content in contents):
        raise _unreadable("responses")
    parts = [part for content in contents for part in content]
    texts = [getattr(part, "text", None) for part in parts if getattr(part, "type", "") == "output_text"]
    text = spoken_alone("".join(_text(said, "responses") for said in texts))
    refused = any(getattr(part, "type", "") == "refusal" for part in parts)
    usage = getattr(response, "usage", None)
    reasoning = _number(getattr(usage, "output_tokens_details", None), "reasoning_tokens")
    tokens = Tokens(_number(usage, "input_tokens"), _number(usage, "output_tokens"), reasoning)
    return Answer(text, "refusal" if refused else _responses_finish(response), tokens, _model(response))


def _responses_finish(response: Any) -> Finish:
    if getattr(response, "status", None) in (None, "completed"):
        return "stop"
    reason = getattr(getattr(response, "incomplete_details", None), "reason", None)
    return _finish(reason)


def _chat(client: "OpenAI", ask: Ask, options: Options, timeout: float) -> Answer:
    extra: dict[str, Any] = {options.limit_name: ask.max_output_tokens}
    if ask.schema is not None:
        schema = {key: value for key, value in _schema_format(ask.schema).items() if key != "type"}
        strict = {"type": "json_schema", "json_schema": schema}
        extra["response_format"] = strict if options.strict_schema else {"type": "json_object"}
    response: Any = client.chat.completions.create(
        model=ask.model,
        messages=[{"role": "system", "content": _system(ask, options)}, {"role": "user", "content": ask.user}],
        timeout=timeout,
        **extra,
    )
    _refuse_error(response)
    choices = getattr(response, "choices", None)
    if not isinstance(choices, list) or not choices or getattr(choices[0], "message", None) is None:
        raise _unreadable("chat")
    message, reason = choices[0].message, str(getattr(choices[0], "finish_reason", None) or "stop")
    finish: Finish = "refusal" if getattr(message, "refusal", None) else _finish(reason)
    usage = getattr(response, "usage", None)
    reasoning = _number(getattr(usage, "completion_tokens_details", None), "reasoning_tokens")
    tokens = Tokens(_number(usage, "prompt_tokens"), _number(usage, "completion_tokens"), reasoning)
    text = spoken_alone(_text(getattr(message, "content", None), "chat"))
    return Answer(text, finish, tokens, _model(response))


def _finish(reason: object) -> Finish:
    return FINISHES.get(str(reason), "incomplete")


def _schema_format(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "json_schema", "name": SCHEMA_NAME, "schema": dict(schema), "strict": True}


def _system(ask: Ask, options: Options) -> str:
    if ask.schema is None or options.strict_schema:
        return ask.system
    told = json.dumps(ask.schema, ensure_ascii=False, sort_keys=True)
    return f"{ask.system}\n\nAnswer with one JSON object and nothing else. It must fit this JSON Schema:\n{told}"


def _number(usage: Any, name: str) -> int:
    """A count of tokens; what is none (text, a negative number, a list) counts nothing and spoils no answer."""
    value = getattr(usage, name, 0)
    return value if isinstance(value, int) and 0 <= value <= MOST_TOKENS else 0


def _text(content: Any, interface: str) -> str:
    """The text of a message: one string, or a list of parts of which those of text count."""
    if isinstance(content, list):
        if not all(isinstance(part, dict) for part in content):
            raise _unreadable(interface)
        said = [part.get("text") for part in content if part.get("type") in TEXT_PARTS]
        return "".join(_text(part, interface) for part in said)
    if content is not None and not isinstance(content, str):
        raise _unreadable(interface)
    return content or ""


def spoken_alone(text: str) -> str:
    """What the model says without what it thought, however its server marks that; a thought that has no end is all.

    `<think>…</think>` (also when the template opened it: a lone end), `<|channel|>analysis…<|channel|>final<|message|>`.
    """
    final = text.rpartition(FINAL_CHANNEL)[2] if FINAL_CHANNEL in text else text
    if final is text and OTHER_CHANNEL.search(text):
        return ""
    final = CHANNEL_SIGN.sub("", final)
    return OPEN_THOUGHT.sub("", THOUGHT.sub("", final)).strip()


def _refuse_error(response: Any) -> None:
    """A failure that a gateway sends with status 200 is that failure."""
    told = getattr(response, "error", None)
    if not told:
        return
    told = told if isinstance(told, dict) else getattr(told, "__dict__", {"message": str(told)})
    raise failure_told(told.get("code"), told.get("type"), told.get("message"))


def _model(response: Any) -> str | None:
    served = getattr(response, "model", None)
    return served if isinstance(served, str) and served.strip() else None


def _unreadable(interface: str) -> ModelError:
    return ModelError(
        "LLM_ANSWER_INVALID",
        f"the answer is not one of the {interface} interface",
        hint="check that the base URL is an OpenAI-compatible one",
    )
