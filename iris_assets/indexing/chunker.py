"""A text cut into overlapping windows of tokens with exact character spans: the text is sliced, never decoded."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from iris_assets.indexing.tokenizer import DEFAULT_ENCODING, Tokenizer, tokenizer

MAX_CHARACTERS: Final = 32_000
SPARE_TOKENS: Final = 8


@dataclass(frozen=True, slots=True)
class Window:
    """Characters `start` to `end` (exclusive) of the text, and how many tokens they have without outer blanks."""

    start: int
    end: int
    token_count: int


def chunk_text(
    text: str,
    *,
    size: int,
    overlap: int,
    encoding: str = DEFAULT_ENCODING,
    max_characters: int = MAX_CHARACTERS,
) -> list[Window]:
    """Windows of at most `size` tokens and `max_characters` characters, each sharing at most `overlap` with the next.

    The windows cover the text; starts and ends strictly grow, so that none lies inside the one before it. A border
    lies beside a blank, or between two characters of a run that is longer than a window. A text of blanks only has
    no window. A single character that needs more than `size` tokens is a window by itself.
    Raises ValueError unless 0 <= overlap < size.
    """
    if not 0 <= overlap < size:
        raise ValueError(f"overlap must be at least 0 and less than size, got {overlap} and {size}")
    if not text or text.isspace():
        return []
    return _Cutter(text, tokenizer(encoding), size, overlap, max_characters).windows()


class _Cutter:
    """One pass over the borders between tokens; positions `s`, `e` count tokens."""

    def __init__(self, text: str, tokens: Tokenizer, size: int, overlap: int, max_characters: int) -> None:
        self._text, self._tokenizer = text, tokens
        self._size, self._overlap, self._longest = size, overlap, max_characters
        encoded = tokens.encode(text)
        self._count = len(encoded.tokens)
        # Positions between characters, and those of them beside a blank or at an end of the text. Arrays, not lists:
        # a window looks at a dozen of them, a text has thousands.
        self._offsets = encoded.offsets
        self._characters = encoded.is_char_border.nonzero()[0]
        self._words = (encoded.is_char_border & encoded.is_word_border).nonzero()[0]

    def windows(self) -> list[Window]:
        found: list[Window] = []
        start, end = 0, 0
        while end < self._count:
            end, tokens = self._end(start, end)
            found.append(Window(int(self._offsets[start]), int(self._offsets[end]), tokens))
            start = self._next_start(start, end)
        return found

    def _end(self, start: int, after: int) -> tuple[int, int]:
        """The last border that a window from `start` may reach, beyond `after`, and the window's token count."""
        limit = min(start + self._size, self._count, self._within_characters(start))
        end = self._border_before(limit, after)
        tokens = self._exact(start, end)
        while tokens > self._size:
            shorter = self._border_before(end - 1, after)
            if shorter >= end:
                break
            end, tokens = shorter, self._exact(start, shorter)
        return end, tokens

    def _border_before(self, limit: int, after: int) -> int:
        """The last word border in (after, limit]; else the last character border; else the first one beyond."""
        for borders in (self._words, self._characters):
            index = _after(borders, limit) - 1
            if index >= 0 and borders[index] > after:
                return int(borders[index])
        return int(self._characters[_after(self._characters, after)])

    def _within_characters(self, start: int) -> int:
        return _after(self._offsets, self._offsets[start] + self._longest) - 1

    def _next_start(self, start: int, end: int) -> int:
        """Where the next window begins: at most `overlap` tokens back, later when what follows `end` needs the room."""
        if end == self._count:
            return end
        needed = self._needed_after(end)
        for_characters = _from(self._offsets, self._offsets[needed] - self._longest)
        earliest = max(end - self._overlap, start + 1, needed - self._size, for_characters)
        return self._border_from(min(earliest, end), end)

    def _needed_after(self, end: int) -> int:
        """What the next window must reach to move on: the next whole word when it fits, else the next character."""
        word = int(self._words[_after(self._words, end)])
        # A word without the blank before it may need more tokens than with it.
        spare = word + min(SPARE_TOKENS, self._size - (word - end))
        if word - end <= self._size and self._offsets[word] - self._offsets[end] <= self._longest:
            return min(spare, self._count)
        return int(self._characters[_after(self._characters, end)])

    def _border_from(self, earliest: int, end: int) -> int:
        """The first word border in [earliest, end], else (inside a long run) the first character border."""
        word = int(self._words[_from(self._words, earliest)])
        return word if word <= end else int(self._characters[_from(self._characters, earliest)])

    def _exact(self, start: int, end: int) -> int:
        """Tokens of the window without its outer blanks, as a fresh encoding of that text counts them.

        Only the outer words can count differently than in the whole text, so only they are encoded again.
        """
        head = self._first_word_end(start, end)
        tail = self._last_word_start(start, end)
        if head >= tail:
            return self._tokenizer.count(self._slice(start, end).strip())
        first, last = self._slice(start, head).lstrip(), self._slice(tail, end).rstrip()
        return self._tokenizer.count(first) + (tail - head) + self._tokenizer.count(last)

    def _first_word_end(self, start: int, end: int) -> int:
        index = _after(self._words, start)
        while self._words[index] < end and self._slice(self._words[index - 1], self._words[index]).isspace():
            index += 1
        return min(int(self._words[index]), end)

    def _last_word_start(self, start: int, end: int) -> int:
        index = _from(self._words, end) - 1
        while self._words[index] > start and self._slice(self._words[index], self._words[index + 1]).isspace():
            index -= 1
        return max(int(self._words[index]), start)

    def _slice(self, start: int, end: int) -> str:
        return self._text[self._offsets[start] : self._offsets[end]]


def _after(values: NDArray[np.int64], value: int) -> int:
    """Index of the first of the ascending values above `value`."""
    return int(values.searchsorted(value, "right"))


def _from(values: NDArray[np.int64], value: int) -> int:
    """Index of the first of the ascending values that is `value` or above."""
    return int(values.searchsorted(value, "left"))
