"""The words of a question that no rule has understood yet: each rule takes what it reads, what is left is unknown."""

import re
import unicodedata
from collections.abc import Collection

from iris_assets.retrieval.text import WORD, normalised

TAKEN = "#"


class Unread:
    """The words of a question, normalised, in order; `raw` is how they were typed, `gaps` what stands before each."""

    def __init__(self, question: str) -> None:
        self.raw: list[str] = []
        self.gaps: list[str] = []
        self._forms: list[str] = []
        text, last = unicodedata.normalize("NFC", question), 0
        for match in WORD.finditer(text):
            form = normalised(match.group()).replace(" ", "")
            if form:
                self.raw.append(match.group())
                self.gaps.append(text[last : match.start()])
                self._forms.append(form)
                last = match.end()

    @property
    def capitals_tell(self) -> bool:
        """Whether a capital letter says anything: not in a question typed in capitals alone."""
        return any(raw != raw.upper() for raw in self.raw)

    @property
    def text(self) -> str:
        """The words by blanks, `#` for each that was taken."""
        return " ".join(self._forms)

    @property
    def left(self) -> list[str]:
        """The words that nobody took."""
        return [form for form in self._forms if form != TAKEN]

    @property
    def taken(self) -> frozenset[int]:
        """The places of the words that were taken."""
        return frozenset(place for place, form in enumerate(self._forms) if form == TAKEN)

    def take(self, pattern: str) -> list[re.Match[str]]:
        """The matches of a pattern over whole words; taken are the words of its group `it`, or else all of them."""
        found = list(re.finditer(rf"(?<!\S)(?:{pattern})(?!\S)", self.text))
        for match in found:
            group: str | int = "it" if "it" in match.re.groupindex else 0
            first = self.position(match, group)
            for position in range(first, first + match[group].count(" ") + 1):
                self.take_at(position)
        return found

    def take_words(self, words: Collection[str]) -> None:
        """Take every word that is one of these."""
        self._forms = [TAKEN if form in words else form for form in self._forms]

    def position(self, match: re.Match[str], group: str | int = 0) -> int:
        """The place of a match's first word among the words of the question."""
        return match.string.count(" ", 0, match.start(group))

    def take_at(self, position: int) -> None:
        """Take one word by its place."""
        self._forms[position] = TAKEN

    def form(self, position: int) -> str:
        """The normalised word at a place, `#` when it was taken, empty outside of the question."""
        return self._forms[position] if 0 <= position < len(self._forms) else ""

    def __len__(self) -> int:
        return len(self._forms)
