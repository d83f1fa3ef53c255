"""A text read once: its words with what is known of them, its segments, and the words that turn its sense."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, lru_cache
from itertools import pairwise

from iris_assets.grounding.layout import segment_starts
from iris_assets.words.bill_references import FoundBill, find_bills
from iris_assets.words.comparable import Comparable, comparable, fold, without_emphasis
from iris_assets.words.dates import FoundDate, find_dates
from iris_assets.words.lexicon import VERB, Word, phrases, root, senses, single_words, word
from iris_assets.words.numbers import PLAIN, Number, find_codes, find_numbers
from iris_assets.words.portions import Portion

_WORD = re.compile(r"[a-z]+|(?<!\w)[1-9][ªº°](?!\w)")
_ORDINALS = ["primeira", "segunda", "terceira", "quarta", "quinta", "sexta", "setima", "oitava", "nona"]
_RUN = re.compile(r"[^_\W]+")
_DENIED = re.compile(r" (?:nao|nunca|jamais|nem|sem|pod(?:e|em|era|erao|eria|eriam)|possam?|talvez)(?: \w+){0,2}$")
_TO_BE_MET = ("arem", "erem", "irem")
_TIME = re.compile(r"\d{1,2}h(?:\d{2})?")
_IN_ROW = re.compile(r"\d \d{3}")
_ARTICLES = frozenset({"a", "o", "as", "os"})  # "vedada a candidatura": what follows is meant
PARTICIPLE = re.compile(r"(?:[ai]d|sus?pens|isent|extint|aceit|impost|propost)[oa]s?$")
_JOINS = frozenset({"e", "mas", "ou", "nem", "enquanto", "alem"})
_STRONG = re.compile(r"[.;:()!?|\[\]]")


@dataclass(frozen=True, slots=True)
class Token:
    """A word at a place of the comparable text; `clause` counts strong punctuation, `comma` commas too."""

    word: Word
    start: int
    end: int
    clause: int
    comma: int


@dataclass(frozen=True, slots=True)
class Turn:
    """Words that turn the sense: their class, their first and last token, and the content tokens they govern."""

    name: str
    first: int
    last: int
    governed: tuple[int, ...]


class Reading:
    """`text` in comparable form and what stands in it; `original` keeps the lines that segments are cut at."""

    def __init__(self, original: str, view: Comparable | None = None) -> None:
        self.original = original
        self.view = view or comparable(without_emphasis(original))
        self.folded = fold(self.view.text)

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        found = []
        clause = comma = position = 0
        for match in _WORD.finditer(self.folded):
            start, end = match.span()
            gap = self.folded[position:start]
            if len(gap) > 1:
                clause += _STRONG.search(gap) is not None and not gap.strip()[:1].isdigit()
                comma += "," in gap
            form = match[0] if match[0].isalpha() and match[0][0] > "9" else _ORDINALS[int(match[0][0]) - 1]
            found.append(Token(word(form), start, end, clause, clause + comma))
            position = end
        return tuple(found)

    @cached_property
    def segments(self) -> tuple[tuple[int, int], ...]:
        """(first token, token after the last) of each segment that has words."""
        starts = [token.start for token in self.tokens]
        edges = sorted({bisect_right(starts, cut - 1) for cut in self._cuts} | {len(starts)})
        return tuple((a, b) for a, b in pairwise(edges) if a < b)

    @cached_property
    def segment_of(self) -> tuple[int, ...]:
        """The segment of each token."""
        return tuple(number for number, (first, after) in enumerate(self.segments) for _ in range(first, after))

    @cached_property
    def run(self) -> str:
        """Every word and figure with single blanks around them."""
        return words_alone(self.folded)

    def holds(self, run: str) -> bool:
        """Whether words stand here in this order as whole segments, and nothing denies or weakens them right before."""
        at = self.run.find(run)
        if at < 0:
            return False
        first = self.run.count(" ", 0, at + 1) - 1
        whole = first in self._edges and first + run.count(" ") - 1 in self._edges
        return whole and not _DENIED.search(self.run[:at])

    @cached_property
    def _edges(self) -> frozenset[int]:
        """How many words and figures stand before each cut between segments, and in all."""
        return frozenset(len(_RUN.findall(self.folded[:cut])) for cut in (*self._cuts, len(self.folded)))

    @cached_property
    def joints(self) -> list[tuple[int, int]]:
        """For each token, which clause or list member it stands in."""
        found, count = [], 0
        for token in self.tokens:
            count += token.word.form in _JOINS
            found.append((token.comma, count))
        return found

    @cached_property
    def forms(self) -> frozenset[str]:
        return frozenset(re.findall(r"[a-z]+", self.folded))

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """Key of a word → its tokens."""
        found: dict[str, list[int]] = {}
        for index, token in enumerate(self.tokens):
            if token.word.weight:
                for key in token.word.keys:
                    found.setdefault(key, []).append(index)
        return found

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """The words that turn the sense, in order."""
        found = [self._turn(name, first, last) for name, first, last in find_phrases(self, "senses.txt")]
        found += [self._turn("when", at, at) for at in range(len(self.tokens)) if self._restricts(at)]
        return tuple(sorted(found, key=lambda turn: turn.first))

    def _restricts(self, index: int) -> bool:
        """`que cumprirem`, `que não tiverem`."""
        following = [token.word.form for token in self.tokens[index + 1 : index + 3] if token.word.form != "nao"]
        return self.tokens[index].word.form == "que" and bool(following) and following[0].endswith(_TO_BE_MET)

    @cached_property
    def governors(self) -> dict[int, list[Turn]]:
        """Token → the turning words that govern it."""
        found: dict[int, list[Turn]] = {}
        for turn in self.turns:
            for token in turn.governed:
                found.setdefault(token, []).append(turn)
        return found

    @cached_property
    def turns_at(self) -> dict[int, list[Turn]]:
        """Token → the turning words that it is of."""
        found: dict[int, list[Turn]] = {}
        for turn in self.turns:
            for token in range(turn.first, turn.last + 1):
                found.setdefault(token, []).append(turn)
        return found

    def turns_within(self, first: int, last: int) -> list[Turn]:
        """The turning words of the segments `first` to `last`."""
        start, after = self.segments[first][0], self.segments[last][1]
        return [turn for token in range(start, after) for turn in self.turns_at.get(token, ()) if turn.first == token]

    @cached_property
    def bills(self) -> tuple[FoundBill, ...]:
        return tuple(find_bills(self.bare))

    @property
    def bare(self) -> str:
        return self.folded

    @cached_property
    def codes(self) -> frozenset[str]:
        return frozenset(code for code, _ in find_codes(self.folded))

    @cached_property
    def values(self) -> frozenset[tuple[Decimal, str]]:
        """(value, kind) of every number; years of dates and parts of references too; a row `20 300` is also 20 and 300."""
        text = blank(self.folded, [date for date in self.dates if date.day is not None and date.month is not None])
        apart = re.sub(r"(?<=\d) (?=\d{3})", " ; ", text) if _IN_ROW.search(text) else ""
        found = {reading for number in (*self.numbers, *find_numbers(apart)) for reading in number.readings}
        times = (part for code in self.codes if _TIME.fullmatch(code) for part in code.split("h") if part)
        found |= {(Decimal(part).normalize(), PLAIN) for part in times}
        return frozenset(found | {(Decimal(date.year), PLAIN) for date in self.dates if date.year is not None})

    @cached_property
    def dates(self) -> tuple[FoundDate, ...]:
        return tuple(find_dates(self.folded))

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        """Numbers; a date's day and month are none."""
        full = [date for date in self.dates if date.day is not None and date.month is not None]
        return tuple(find_numbers(blank(self.folded, full)))

    def segments_with(self, number: Number) -> set[int]:
        """The segments that hold a number with one of these readings."""
        places = (token for reading in number.readings for token in self._number_places.get(reading, ()))
        return {self.segment_of[token] for token in places}

    @cached_property
    def _number_places(self) -> dict[tuple[Decimal, str], list[int]]:
        found: dict[tuple[Decimal, str], list[int]] = {}
        for number in self.numbers if self.tokens else ():
            for reading in number.readings:
                found.setdefault(reading, []).append(self.token_by(number.start))
        return found

    def token_at(self, position: int) -> int:
        """The first token that starts at or after a position of the comparable text."""
        return bisect_right(self._starts, position - 1)

    def token_by(self, position: int) -> int:
        """The token after a position, or the one before it where a segment ends in between."""
        after = self.token_at(position)
        ended = after == len(self.tokens) or bisect_right(self._cuts, position) < bisect_right(
            self._cuts, self.tokens[after].start
        )
        return max(after - 1, 0) if ended else after

    def span(self, first: int, last: int) -> tuple[int, int]:
        """The original characters of the segments `first` to `last`, the numbers and signs around their words included."""
        start, end = self.tokens[self.segments[first][0]].start, self.tokens[self.segments[last][1] - 1].start
        cut = bisect_right(self._cuts, start) - 1
        following = bisect_right(self._cuts, end)
        text = self.view.text
        start = self._cuts[cut] if cut >= 0 else 0
        end = self._cuts[following] if following < len(self._cuts) else len(text)
        end = start + len(text[start:end].rstrip())
        return self.view.original_span(start + len(text[start:end]) - len(text[start:end].lstrip()), end)

    @cached_property
    def _cuts(self) -> list[int]:
        """Where segments begin in the comparable text."""
        return sorted({0, *(self.view.position(at) for at in segment_starts(self.original))})

    @cached_property
    def _starts(self) -> list[int]:
        return [token.start for token in self.tokens]

    def _turn(self, name: str, first: int, last: int) -> Turn:
        sense = senses()[name]
        before, after = self._reach(first, -1, sense.before), self._reach(last, 1, sense.after)
        if not sense.both:
            following = self.tokens[last + 1].word.form if last + 1 < len(self.tokens) else ""
            participle = (
                first == last and PARTICIPLE.search(self.tokens[first].word.form) and following not in _ARTICLES
            )
            here = self.joints[last]
            followed = any(self.joints[i] == here and self.tokens[i].word.weight >= VERB for i in after)
            after, before = ([], before) if before and (participle or not followed) else (after, [])
        return Turn(name, first, last, (*after, *before))

    def _reach(self, index: int, step: int, count: int) -> list[int]:
        """The nearest content words on one side, within the clause."""
        found: list[int] = []
        clause, segment = self.tokens[index].clause, self.segment_of[index]
        index += step
        while (
            0 <= index < len(self.tokens)
            and len(found) < count
            and self.tokens[index].clause == clause
            and self.segment_of[index] == segment
        ):
            if self.tokens[index].word.weight:
                found.append(index)
            index += step
        return found


def blank(text: str, found: Iterable[FoundBill | FoundDate | Portion]) -> str:
    """A text with what was found in it blanked; positions stay."""
    for one in found:
        text = text[: one.start] + " " * (one.end - one.start) + text[one.end :]
    return text


def words_alone(folded: str) -> str:
    """Words and figures of a folded text with single blanks around them."""
    return f" {' '.join(_RUN.findall(folded))} "


def find_phrases(reading: Reading, file: str) -> Iterator[tuple[str, int, int]]:
    """(class, first token, last token) of the words and phrases of a data file, the longest at each place."""
    tokens, starting = reading.tokens, phrases(file)
    covered = -1
    for index, token in enumerate(tokens):
        if index <= covered:
            continue
        for words, name in starting.get(token.word.form) or starting.get(root(token.word.form)) or ():
            last = index + len(words) - 1
            if last < len(tokens) and all(
                said in (tokens[index + n].word.form, root(tokens[index + n].word.form)) for n, said in enumerate(words)
            ):
                yield name, index, last
                covered = last
                break
        if index > covered:
            for name in single_words(file, token.word.form):
                yield name, index, index


@lru_cache(maxsize=1024)
def read_passage(text: str) -> Reading:
    """The reading of a passage; passages come again from question to question."""
    return Reading(text)
