"""Inputs of an embedding run packed into requests that the API takes, by count and by tokens."""

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

MAX_INPUTS: Final = 2048
MAX_INPUT_TOKENS: Final = 8192
MAX_REQUEST_TOKENS: Final = 250_000  # the API takes 300,000; the rest is room for counting differences


@dataclass(frozen=True, slots=True)
class EmbeddingInput:
    """One text to embed. `tokens` is its exact count, None when unknown (then an estimate packs it)."""

    key: Hashable
    text: str
    tokens: int | None = None

    @property
    def weight(self) -> int:
        # Two bytes a token is on the safe side for text in Latin script.
        return self.tokens if self.tokens is not None else len(self.text.encode()) // 2 + 1

    @property
    def problem(self) -> str | None:
        """Why this input cannot be sent at all, as a code."""
        if not visible(self.text):
            return "EMBEDDING_INPUT_BLANK"
        if self.tokens is not None and self.tokens > MAX_INPUT_TOKENS:
            return "EMBEDDING_INPUT_TOO_LONG"
        return None


def visible(text: str) -> bool:
    """Whether anything is left without blanks and zero-width or control characters."""
    return any(character.isprintable() and not character.isspace() for character in text)


@dataclass(frozen=True, slots=True)
class Request:
    """What goes into one call, and the inputs met on the way that can never be sent."""

    inputs: tuple[EmbeddingInput, ...]
    refused: tuple[tuple[EmbeddingInput, str], ...] = ()


def pack(
    inputs: Iterable[EmbeddingInput], *, batch_size: int, max_tokens: int = MAX_REQUEST_TOKENS
) -> Iterator[Request]:
    """Requests of at most min(batch_size, 2,048) inputs and `max_tokens` tokens, in order, read lazily."""
    limit = min(batch_size, MAX_INPUTS)
    taken: list[EmbeddingInput] = []
    refused: list[tuple[EmbeddingInput, str]] = []
    weight = 0
    for item in inputs:
        problem = item.problem
        if problem is not None:
            refused.append((item, problem))
            continue
        if taken and (len(taken) == limit or weight + item.weight > max_tokens):
            yield Request(tuple(taken), tuple(refused))
            taken, refused, weight = [], [], 0
        taken.append(item)
        weight += item.weight
    if taken or refused:
        yield Request(tuple(taken), tuple(refused))
