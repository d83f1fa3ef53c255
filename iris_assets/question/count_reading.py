"""From a "how many" question to an exact count: every word of it is understood, or there is no count."""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from iris_assets.indexing.analyzer import analyze
from iris_assets.question.bill_types import type_of
from iris_assets.question.count_words import (
    ABOUT,
    ACRONYM,
    BESIDE,
    BILL_NOUNS,
    CANDIDACY,
    COUNTED_NOUNS,
    GRAMMAR,
    OF_BILLS,
    OWNER,
    OWNERS,
    SOMEBODY,
    TITLE,
    TYPE_PHRASES,
    VERBS,
    WOMEN,
    both_sexes,
)
from iris_assets.question.intents import HOW_MANY
from iris_assets.question.scope import DEPUTIES, QuestionScope, is_scattered, take_scope
from iris_assets.question.standing import take_standing
from iris_assets.question.unread import TAKEN, Unread
from iris_assets.question.years import Years
from iris_assets.store.search import SearchFilter
from iris_assets.store.tables.candidates import Standing

Value = TypeVar("Value", str, int)
TopicNamed = Callable[[Sequence[str]], str | None]


@dataclass(frozen=True, slots=True)
class Asked:
    """A count question: its text, what it counts, recognised names (normalised words), how many candidates are known."""

    text: str
    noun: str
    names: tuple[tuple[str, ...], ...] = ()
    known: int = 0


@dataclass(frozen=True, slots=True)
class CountWish:
    """Records of `noun` of the candidates that `scope` and `standing` leave; bills of `types`, `years` and `topic`.

    `elections` is how the question says the election years of `scope`, `indexed_elections` which of several the store
    holds. Empty values do not restrict.
    """

    noun: str
    scope: SearchFilter
    elections: Years = field(default_factory=Years)
    types: tuple[str, ...] = ()
    years: Years = field(default_factory=Years)
    topic: str | None = None
    standing: Standing = field(default_factory=Standing)
    indexed_elections: tuple[int, ...] = ()


def read_count(
    asked: Asked, scope: SearchFilter, parties: Collection[str], topic_named: TopicNamed
) -> CountWish | None:
    """The count that a question asks for; None when a word of it restricts by what is not understood or not stored.

    `scope` is the caller's filter, which holds too; `parties` are siglas as the records spell them; `topic_named`
    gives the one topic of the Câmara that some words name.
    """
    return _CountReader(asked, scope, parties, topic_named).wish()


class _CountReader:
    """Takes the words of one question group by group; the order decides what an ambiguous word is."""

    def __init__(self, asked: Asked, scope: SearchFilter, parties: Collection[str], topic_named: TopicNamed) -> None:
        self._asked, self._scope, self._parties, self._topic_named = asked, scope, parties, topic_named
        self._unread = Unread(both_sexes(asked.text))
        self._whole = self._unread.text  # the words before any is taken
        self._of_bills = asked.noun in OF_BILLS

    def wish(self) -> CountWish | None:
        if not self._is_countable() or not self._take_people():
            return None
        types = self._take_types() if self._of_bills else ()
        if types is None:
            return None
        between = self._take_bills() if self._of_bills else range(0)
        named = take_scope(self._unread, self._parties)
        standing = take_standing(self._unread, named.offices) if self._asked.noun == "candidates" else Standing()
        self._unread.take(COUNTED_NOUNS[self._asked.noun])
        if self._asked.noun in OWNERS:
            self._unread.take(OWNERS[self._asked.noun])
        self._unread.take("(?P<it>CARGOS?|VAGAS?) (?:D[EO] )?#")
        fitting = self._fitting(named, between)
        scope = None if fitting is None or self._is_about_scope() else self._united(fitting)
        if scope is None or standing is None:
            return None
        years = named.years.others if self._of_bills else Years()
        return self._with_topic(
            CountWish(self._asked.noun, scope, self._elections(named), types, years, None, standing)
        )

    def _is_countable(self) -> bool:
        """One thing is counted, and not women alone (no record says who is one)."""
        if WOMEN.search(self._whole.replace("CANDIDATURAS ELEITAS", "")):
            return False
        candidacies = self._asked.noun == "candidates"
        if candidacies and (self._asked.known or not CANDIDACY.search(self._whole)):
            return False
        return len(self._unread.take(HOW_MANY)) <= 1

    def _take_people(self) -> bool:
        """Names with their titles; false when one person is meant whom nothing tells."""
        before = self._unread.taken
        for name in sorted(self._asked.names, key=len, reverse=True):
            self._unread.take(" ".join(name))
        names = self._unread.taken - before
        if names:
            self._unread.take(rf"(?P<it>{TITLE}(?: AO? {TITLE})?) #")
        if is_scattered(self._unread, names, ("X", TAKEN)):
            return False  # "de Ana assinados por Bia": what both have in common
        if self._asked.known:
            self._unread.take(OWNER)
            return True
        return self._asked.noun == "candidates" or not re.search(SOMEBODY, self._unread.text)

    def _take_types(self) -> tuple[str, ...] | None:
        """Kinds of bills; None when one is about another ("requerimentos sobre PECs") or stands beside all of them."""
        before = self._unread.taken
        found = {name for pattern, name in TYPE_PHRASES if self._unread.take(pattern)}
        for position, raw in enumerate(self._unread.raw):
            if re.fullmatch(rf"(?:{ACRONYM})s", raw):
                self._unread.take_at(position)
                found.add(type_of(raw[:-1].lower()))
        while matches := self._unread.take(rf"(?:#|# E|# OU|TIPOS?) (?P<it>(?:{ACRONYM})S?)"):
            found |= {type_of(match["it"].lower()) for match in matches}
        scattered = is_scattered(self._unread, self._unread.taken - before)
        beside = re.search(
            rf"(?<!\S)(?:# (?:{BESIDE}) (?:{BILL_NOUNS})|(?:{BILL_NOUNS}) (?:E|OU) #)", self._unread.text
        )
        self._unread.take(r"(?:D[OE] )?TIPOS?(?= #)")
        return None if found and (scattered or beside) else tuple(sorted(found))

    def _take_bills(self) -> range:
        """The places between what is counted and the bills whose it is ("autores [...] dos projetos")."""
        nouns = self._unread.take(COUNTED_NOUNS[self._asked.noun])
        start = self._unread.position(nouns[0]) if nouns else 0
        bills = self._unread.take(BILL_NOUNS)
        end = self._unread.position(bills[0]) if bills else len(self._unread)
        return range(start + 1, end)

    def _fitting(self, named: QuestionScope, between: range) -> QuestionScope | None:
        """The restrictions as they apply to what is counted; None when they say something else of it."""
        noun, restricts = self._asked.noun, bool(named.parties or named.states or named.offices or self._asked.names)
        years = named.years
        two_elections = not (self._of_bills or years.others.is_empty or years.elections.is_empty)
        if named.scattered or two_elections or not years.clear:
            return None
        if noun == "mandates" and (named.parties or named.states or named.offices or not named.years.is_empty):
            return None  # party, UF and office of a mandate are not those of the candidature
        if noun == "authors" and restricts and any(self._unread.form(place) == TAKEN for place in between):
            return None  # "autores do PT": the filter is on the bills' candidates, not on who signs
        if self._of_bills and named.offices and "CANDIDAT" not in self._whole:
            # Whoever signs a bill of the Câmara is a federal deputy, whatever office the candidature is for.
            return replace(named, offices=()) if set(named.offices) in (set(DEPUTIES), {DEPUTIES[-1]}) else None
        return named

    def _is_about_scope(self) -> bool:
        """Whether a place, party or office is what bills are about or for ("sobre o Piauí"), hence no restriction."""
        text, article = self._unread.text, "(?:(?:O|A|OS|AS) )?"
        other = "|".join(sorted(GRAMMAR))
        about = rf"(?<!\S)(?:{ABOUT}) (?:(?:{other}) )*#|(?<!\S)(?:{ABOUT}) (?:[^ #]+ )*(?:E|OU) {article}#"
        return self._of_bills and re.search(rf"{about}|(?<!\S)PARA {article}#", text) is not None

    def _elections(self, named: QuestionScope) -> Years:
        years = named.years
        return years.elections if self._of_bills or not years.elections.is_empty else years.others

    def _united(self, named: QuestionScope) -> SearchFilter | None:
        """The caller's filter and the question's restrictions, both; None where nothing can satisfy both."""
        parties = _both(self._scope.parties, named.parties)
        states = _both(self._scope.states, named.states)
        offices = _both(self._scope.offices, named.offices)
        years = _both(self._scope.years, self._elections(named).listed)
        if parties is None or states is None or offices is None or years is None:
            return None
        return replace(self._scope, parties=parties, states=states, offices=offices, years=years)

    def _with_topic(self, wish: CountWish) -> CountWish | None:
        """The wish with what is left of the question as its topic; None when that is no topic."""
        if self._asked.known <= 1:
            self._unread.take("AO TODO|NO TOTAL|EM TOTAL|TOTAL")
        if self._asked.noun in ("bills", "authors"):
            self._unread.take(ABOUT)
        left = [word for word in self._unread.left if word not in GRAMMAR | VERBS[self._asked.noun]]
        if not left:
            return wish
        if self._asked.noun not in ("bills", "authors") or not all(analyze(word) for word in left):
            return None
        topic = self._topic_named(left)
        return None if topic is None else replace(wish, topic=topic)


def _both(callers: tuple[Value, ...], own: tuple[Value, ...]) -> tuple[Value, ...] | None:
    """The values that the caller and the question allow; None when there are none (empty restricts nothing)."""
    if not callers or not own:
        return callers or own
    return tuple(value for value in callers if value in own) or None
