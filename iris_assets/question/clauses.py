"""The clauses of a question and their words, taken by the patterns that understand them; what nobody takes is left."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from itertools import pairwise
from typing import Any, Final

from iris_assets.indexing.analyzer import analyze
from iris_assets.question.parsed import Named, ParsedQuery
from iris_assets.words.data_files import document
from iris_assets.words.text import word_set

RESTRICTING: Final = frozenset({"PARTY", "PLACE", "OFFICE", "YEAR", "NUMBER", "TOPIC", "REFERENCE"})
STEMMED: Final = 5  # letters of a word of asking whose other forms ask too
# What restricts the counted ones although it stands before "quantos": "entre os jovens, quantos …".
SINGLING_OUT: Final = word_set(
    "ENTRE DENTRE DE DO DA DOS DAS EM NO NA NOS NAS COM SEM POR PELO PELA SO SOMENTE APENAS SOBRE"
)


@cache
def table() -> dict[str, Any]:
    """What counts and lists are asked with (counting.yaml); patterns may go over several lines there."""
    return {name: _joined(value) for name, value in document("counting.yaml").items()}


def _joined(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _joined(own) for name, own in value.items()}
    if isinstance(value, list):
        return [_joined(own) for own in value]
    return re.sub(r"\s+\|", "|", value) if isinstance(value, str) else value


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(table()[name])


@lru_cache(maxsize=512)
def _whole(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\S)(?:{pattern})(?!\S)")


@cache
def _grammar() -> frozenset[str]:
    return word_set(table()["grammar"])


@dataclass(frozen=True)
class Asking:
    """Words that restrict nothing: `everywhere` in any part of a question, `around` it before and after what is asked.

    `ballot_word` gives the word of ballot names that a word stands for (`pastores` → `PASTOR`).
    """

    everywhere: frozenset[str]
    around: Collection[str]
    ballot_word: Callable[[str], str | None]

    def asks(self, form: str) -> bool:
        """Whether a word only asks, or says only that somebody runs, wherever it stands."""
        if _pattern("restricting").match(form):
            return False
        known = form in _grammar() or form in self.everywhere or _pattern("running").fullmatch(form) is not None
        return known or bool(stems(self.everywhere).intersection(analyze(form)))


@lru_cache(maxsize=2)
def stems(frame: frozenset[str]) -> frozenset[str]:
    """The stems of the words of asking that are at least of STEMMED letters."""
    return frozenset(stem for word in frame if len(word) >= STEMMED for stem in analyze(word))


class Words:
    """The words of a clause; `named` are the slots in it and `pauses` its commas, their places counted in the clause."""

    def __init__(
        self, words: Sequence[tuple[str, str]], named: Sequence[Named] = (), pauses: Collection[int] = ()
    ) -> None:
        self.forms, self.tags = [form for form, _ in words], [tag for _, tag in words]
        self.named, self.pauses = list(named), pauses
        self.taken = [False] * len(words)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        return list(zip(self.forms, self.tags, strict=True))

    @property
    def untaken(self) -> list[tuple[str, str]]:
        return [pair for pair, taken in zip(self.pairs, self.taken, strict=True) if not taken]

    @cached_property
    def text(self) -> str:
        return " ".join(self.forms)

    def find(self, pattern: str, but: str = "") -> range | None:
        """The first place of whole words that fits, none of them taken or tagged `but`."""
        for match in _whole(pattern).finditer(self.text):
            start = match.string.count(" ", 0, match.start())
            places = range(start, start + match[0].count(" ") + 1)
            if not any(self.taken[place] or self.tags[place] == but for place in places):
                return places
        return None

    def take(self, pattern: str, but: str = "") -> str | None:
        """Take the first such place and give its words; None when there is none."""
        places = self.find(pattern, but)
        if places is None:
            return None
        self.take_places(places)
        return " ".join(self.forms[places.start : places.stop])

    def take_all(self, pattern: str) -> bool:
        """Take every such place; whether there was any."""
        return self.take(pattern) is not None and (self.take_all(pattern) or True)

    def take_places(self, places: Collection[int]) -> None:
        for place in places:
            self.taken[place] = True

    def name(self, places: range, tag: str, value: str) -> None:
        """Take some words as a slot."""
        self.take_places(places)
        self.named = sorted([*self.named, Named(places.start, places.stop, tag, (value,))], key=lambda one: one.at)

    def values(self, tag: str) -> tuple[str, ...]:
        """What the slots of a kind name."""
        return tuple(sorted({value for one in self.named if one.tag == tag for value in one.values}))

    def take_tags(self, *tags: str) -> None:
        """Take every word that has one of the tags."""
        self.take_places([at for at, tag in enumerate(self.tags) if tag in tags])

    def left(self, asking: Asking, start: int = 0) -> list[str]:
        """What nobody took and does more than ask; before `start` and at the very end people also greet and explain."""
        return [
            form
            for at, (form, taken) in enumerate(zip(self.forms, self.taken, strict=True))
            if not (taken or asking.asks(form) or self._is_around(at, start, asking))
        ]

    def _is_around(self, at: int, start: int, asking: Asking) -> bool:
        form, before = self.forms[at], self.forms[at - 1] if at else ""
        tags = (self.tags[max(at - 1, 0)], self.tags[at])
        if tags[1] != "FRAME" or _pattern("restricting").match(form) or before in SINGLING_OUT or form.isdigit():
            return False
        if at < start:
            return tags[0] == "FRAME" and not form.endswith("S")
        called = at == len(self.forms) - 1 and at in self.pauses  # ", mano?"
        return called and form in asking.around and not form.endswith("S")


def clauses(parsed: ParsedQuery, asking: Asking) -> Iterator[tuple[int, Words]]:
    """What is counted, cut before each further "quantos": other sentences lend their names and places only."""
    words = parsed.words
    starts = [at for at, (form, _) in enumerate(words) if re.fullmatch(table()["how_many"], form) and form[0] in "QC"]
    counting = {_sentence(parsed, at) for at in starts} or {_sentence(parsed, at) for at in range(len(words))}
    kept = [at for at in range(len(words)) if _sentence(parsed, at) in counting or _restricts(*words[at], asking)]
    more = [at for at in parsed.sentences[1:] if _goes_on(parsed, at) and starts and at > starts[0]]
    # "E no Acre, quantos?": what a sentence says before its first "quantos" restricts that one
    further = [at if _begin(parsed, at) <= before else _begin(parsed, at) for before, at in pairwise(starts)]
    for start, end in pairwise([-1, *sorted({*further, *more}), len(words)]):
        inside = [at for at in kept if start <= at < end] if start not in more else [*range(start, end)]
        if inside:
            place = {at: own for own, at in enumerate(inside)}
            named = [
                replace(one, at=place[one.at], end=place[one.end - 1] + 1)
                for one in parsed.named
                if one.at in place and one.end - 1 in place
            ]
            pauses = {place[at] for at in parsed.pauses if at in place}
            yield start, Words([words[at] for at in inside], named, pauses)


def _restricts(form: str, tag: str, asking: Asking) -> bool:
    """Whether a word of another sentence may restrict what this one counts."""
    slot = tag in RESTRICTING and not (tag == "TOPIC" and form in asking.around)
    return slot or re.match(table()["restricting"], form) is not None


def _goes_on(parsed: ParsedQuery, start: int) -> bool:
    """Whether a sentence asks the same of another party, UF or office: "E o MDB?"."""
    end = next((at for at in parsed.sentences if at > start), len(parsed.words))
    inside = {at for one in parsed.named for at in range(one.at, one.end)}
    inside |= {at for at, (_, tag) in enumerate(parsed.words) if tag == "PERSON"}
    rest = [parsed.words[at][0] for at in range(start, end) if at not in inside]
    return rest[:1] == ["E"] and len(rest) < end - start and all(len(form) <= 3 for form in rest)


def _begin(parsed: ParsedQuery, at: int) -> int:
    """Where the sentence of a word begins."""
    return max(start for start in parsed.sentences if start <= at)


def _sentence(parsed: ParsedQuery, at: int) -> int:
    return sum(start <= at for start in parsed.sentences)
