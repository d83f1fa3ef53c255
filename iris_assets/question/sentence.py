"""Where in a question a word stands: after a title, before a verb, beside a recognised name, as a place, as a name."""

from collections.abc import Sequence

from iris_assets.question.question_words import (
    ARTICLES,
    COMPARING,
    INSIDE,
    JOINING,
    OWNED,
    PARTICLES,
    PLACES,
    TITLE_PARTS,
    TITLES,
    VERBS,
    Word,
    capitals_tell,
)

SEVERAL = frozenset(verb for verb in VERBS if verb.endswith(("EM", "AM", "AO")) and verb != "TEM")
LEADING = PARTICLES | ARTICLES | INSIDE | {"COM", "PARA", "POR", "SOBRE", "AO", "UM", "UMA"}


class Sentence:
    """The words of a question; `taken` are the places of recognised names, which tell of the words beside them."""

    def __init__(self, words: Sequence[Word]) -> None:
        self.words = words
        self.texts = tuple(word.text for word in words)
        self.telling = capitals_tell(words)
        self.taken: set[int] = set()

    def of(self, run: Sequence[int]) -> tuple[str, ...]:
        """The words at these places."""
        return tuple(self.texts[at] for at in run)

    def at(self, place: int) -> str:
        """The word at a place, empty outside the question."""
        return self.texts[place] if 0 <= place < len(self.texts) else ""

    def is_told(self, at: int) -> bool:
        """Whether the capital of a word says that it is a name: not at the beginning of a sentence."""
        return self.telling and self.words[at].capital and not self.words[at].opens

    def is_titled(self, at: int) -> bool:
        """Whether a title ("candidata", "deputado federal", "ex-presidente") stands right before."""
        while self.at(at - 1) in TITLE_PARTS:
            at -= 1
        return self.at(at - 1) in TITLES

    def is_place(self, run: Sequence[int], *, whole_name: bool = False) -> bool:
        """A place's name, or words after "em" that are no more than a part of somebody's name."""
        return " ".join(self.of(run)) in PLACES or (self.at(run[0] - 1) in INSIDE and not whole_name)

    def is_free(self, at: int) -> bool:
        """No small word leads to it."""
        return self.at(at - 1) not in LEADING

    def is_first(self, at: int) -> bool:
        """Whether only "e" and an article stand before ("e o Ciro?")."""
        return self.at(at - 1) in ARTICLES and set(self.texts[:at]) <= ARTICLES | {"E"}

    def stands_as_name(self, run: Sequence[int]) -> bool:
        """After a title, a comparing word or what belongs to somebody; before a verb; beside a recognised name."""
        first, last = run[0], run[-1]
        before, earlier = self.at(first - 1), self.at(first - 2)
        if self.is_titled(first) or before in COMPARING or (before in PARTICLES and earlier in OWNED):
            return True
        if earlier == "QUEM" and before in ("E", "EH", "FOI", "SAO"):
            return True
        acts = self.at(last + 1) in VERBS and before not in INSIDE and before not in PARTICLES - {"E"}
        return acts or self.is_beside_name(run)

    def is_beside_name(self, run: Sequence[int]) -> bool:
        """Whether a recognised name stands next to it, joined by "e", "ou", "versus" or a comma."""
        return self._joined(run[0], -1) or self._joined(run[-1], 1)

    def _joined(self, edge: int, step: int) -> bool:
        near = edge + step
        comma = step < 0 and self.words[edge].breaks
        if self.at(near) in ARTICLES:
            comma = comma or (step < 0 and self.words[near].breaks)
            near += step
        if near in self.taken and (comma or (step > 0 and self.words[near].breaks)):
            return True
        if self.at(near) not in JOINING:
            return False
        near += step
        return near in self.taken or (step > 0 and self.at(near) in ARTICLES and near + 1 in self.taken)

    def follows_list(self, run: Sequence[int]) -> bool:
        """Whether these words come after a comma behind a list of names that "e" has ended: its topic, no name."""
        ended = any(
            self.texts[at] in JOINING and at - 1 in self.taken and {at + 1, at + 2} & self.taken
            for at in range(1, run[0])
        )
        return ended and self.words[run[0]].breaks and not self._joined(run[-1], 1)

    def lists_people(self) -> bool:
        """Whether the question compares, or its verb has several subjects."""
        texts = set(self.texts)
        return bool(texts & (COMPARING | SEVERAL | {"VERSUS", "VS"}))
