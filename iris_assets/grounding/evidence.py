"""One evidence as the citation verifier sees it: its passage, what its record says, and whose it is."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import Any

from iris_assets.grounding.reading import Reading, read_passage
from iris_assets.words.bill_references import FoundBill, bill_of_record
from iris_assets.words.comparable import clean, fold
from iris_assets.words.dates import FoundDate
from iris_assets.words.lexicon import named_words, pairs
from iris_assets.words.numbers import MONEY, PERCENT, PLAIN, Number, find_numbers
from iris_assets.words.offices import find_offices
from iris_assets.words.parties import find_parties
from iris_assets.words.portions import in_words

# Technical fields bear nothing out, and bare integers only under these names.
_TECHNICAL = re.compile(
    r"hash|token|offset|span|index|checksum|embedding|chunk|score|resource|file|camara_?id|deputy_?id"
)
_AMOUNTS = re.compile(r"year|number|count|total")
_BALLOT_BEFORE = re.compile(r"(?:\bnumero(?: de urna| na urna)?|\bn[ºo°]\.?|\burna|·) ?$")
_ELECTION_NEAR = re.compile(r"\b(?:elei|candidat|disput|pleito|plano|programa)")
# The unit of a table's column stands in its head, not at its numbers.
_MONEY_HEAD = re.compile(
    r"r\$(?! ?\d)|(?<!\d )(?<!mil )(?<!milhoes )(?<!de )\breais\b|\bvalor(?:es)? (?:em|total|unitario|\()"
)
_ORDINALS = ("primeir", "segund", "terceir", "quart", "quint", "sext", "setim", "oitav", "non")
_IN_SCALE = re.compile(r"(?:em|r\$|\() ?(?:mil|milhoes|bilhoes)\b")
_STATUS_LINE = re.compile(r"(?m)^Situa[çc][ãa]o: *(.+)$")
_PERSON = re.compile(
    r"\b(?:[Gg]overno|[Pp]resident[ea]|[Mm]inistr[oa]|[Ss]enador[a]?|[Dd]eputad[oa]|[Gg]eneral|[Jj]uiz|[Cc]apitão"
    r"|[Gg]overnador[a]?|[Pp]refeit[oa]|[Cc]andidat[oa]|chapa|ex-\w+)\s+(?:d[eoa]\s+)?([A-ZÀ-Ý][a-zà-ÿ]{2,})"
    r"|\b([A-ZÀ-Ý][a-zà-ÿ]{2,})(?=\s+(?:é|foi|não|disse|quer|tem)\s)"
)


@dataclass(frozen=True, slots=True)
class Owner:
    """A candidate whose record an evidence is; `names` are the ways an answer may call them, the display name first."""

    key: str
    names: tuple[str, ...]


@dataclass(frozen=True)
class Evidence:
    """`text` is exactly the citable passage; `facts` are structured data and ids of its record.

    `page_starts`: (character of the text, page) where each page begins, when the caller knows.
    """

    evidence_id: str
    text: str
    title: str = ""
    source_type: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    owners: tuple[Owner, ...] = ()
    url: str = ""
    pages: frozenset[int] = frozenset()
    ballot_numbers: frozenset[int] = frozenset()
    page_starts: tuple[tuple[int, int], ...] = ()

    @cached_property
    def passage(self) -> str:
        """The citable passage, cleaned; spans count its characters."""
        return _cleaned(self.text)

    @cached_property
    def reading(self) -> Reading:
        return read_passage(self.passage)

    @cached_property
    def record(self) -> Reading:
        """What title and facts say, owners and the names of their states included."""
        owners = (name for owner in self.owners for name in owner.names)
        states = (pairs("states.txt").get(state, "") for state in (*self._said("state"), *self._said("uf")))
        kind = pairs("records.txt").get(self.source_type, "")
        return read_passage(clean("\n\n".join((self.title, *_values(_timeless(self.facts)), *owners, *states, kind))))

    @cached_property
    def folded(self) -> str:
        return f"{self.reading.folded} § {self.record.folded}"

    @cached_property
    def forms(self) -> frozenset[str]:
        """Every word form of passage and record."""
        return self.reading.forms | self.record.forms

    @cached_property
    def keys(self) -> frozenset[str]:
        """Keys of every word of passage and record."""
        return frozenset(self.reading.places) | frozenset(self.record.places)

    @cached_property
    def owner_parties(self) -> tuple[str, ...]:
        """The parties of whose record it is."""
        return tuple(dict.fromkeys(self._said("party")))

    @cached_property
    def parties(self) -> frozenset[str]:
        """Every party that the evidence is of or names."""
        return frozenset(self.owner_parties) | _parties_in(self.title) | _parties_in(self.passage)

    @cached_property
    def offices(self) -> frozenset[str]:
        """Every office that the evidence names."""
        texts = (self.passage, self.title, *self._said("office"), *self._said("position"))
        return frozenset().union(*map(_offices_in, texts))

    @property
    def people(self) -> frozenset[str]:
        """Folded words by which the passage names people: after an office, or as a subject."""
        return _people_in(self.passage)

    @property
    def proper(self) -> frozenset[str]:
        """Folded words that the passage writes with a capital within sentences and nowhere small."""
        return _proper_in(self.passage)

    @cached_property
    def status(self) -> str:
        """Where the record says that a bill stands."""
        return " ".join((*_STATUS_LINE.findall(self.passage), *self._said("status")[:1]))

    @cached_property
    def summary_keys(self) -> frozenset[str]:
        """Keys of the words of the passage without its status."""
        return frozenset(read_passage(_STATUS_LINE.sub("", self.passage)).places)

    @property
    def author_count(self) -> int:
        """How many authors the record of a bill names."""
        return len(_authors(self.facts))

    def spells(self, acronym: str) -> bool:
        """Whether successive words begin with the letters of a folded acronym: CGU for Controladoria-Geral da União."""
        between = r"[\s-]+(?:(?:de|da|do|das|dos|e|a|o|em|para|por) )*"
        return (
            len(acronym) > 1 and re.search(rf"\b{between.join(f'{c}[a-z]+' for c in acronym)}", self.folded) is not None
        )

    def mentions(self, name: str) -> bool:
        """Whether a folded name occurs as whole words."""
        # The plain search is what keeps many names over long passages cheap.
        return name in self.folded and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", self.folded) is not None

    def has_number(self, number: Number, of_money: bool = False) -> bool:
        """Whether any reading of `number` occurs here; per cent only as per cent, money only as money.

        `of_money`: the sentence speaks of money, so that it may leave out the `R$`.
        """
        ordinal = re.fullmatch(r"([1-9])[ºª°]", number.text)
        if ordinal and any(form.startswith(_ORDINALS[int(ordinal[1]) - 1]) for form in self.forms):
            return True
        return any(self._has(value, kind, of_money) for value, kind in number.readings) or self._has_in_scale(number)

    def has_labelled(self, number: Number, before: str) -> bool:
        """A ballot number or the year of a candidacy counts where the words before it say that it is one."""
        values = {value for value, _ in number.readings}
        ballot = _BALLOT_BEFORE.search(before) and values & set(map(Decimal, self.ballot_numbers))
        return bool(ballot or (_ELECTION_NEAR.search(before) and values & self._election_years))

    def has_page(self, number: Number) -> bool:
        """Whether a page is one of the evidence's (or of its title: `p. 12`); its text says nothing of its pages."""
        values = {value for value, _ in number.readings}
        named = re.findall(r"\b(?:p|pag|pagina)\.? ?(\d{1,4})", fold(self.title))
        return bool(values & set(map(Decimal, (*self.pages, *named))))

    def pages_of(self, start: int, end: int) -> set[int]:
        """The pages of a span of the passage; none when the caller did not tell where they begin."""
        pages = [page for at, page in self.page_starts if at < end]
        before = sum(at <= start for at, _ in self.page_starts)
        return set(pages[max(before - 1, 0) :])

    def has_date(self, date: FoundDate) -> bool:
        """Whether a date here says all that `date` says; day and month may stand apart from the year."""
        own = (*self.reading.dates, *self.record.dates)
        if any(date.agrees(one) for one in own):
            return True
        if date.month is None:
            return any(one.day == date.day for one in own) or any(value == date.day for value, _ in self.values)
        apart = any(one.year is None and (one.day, one.month) == (date.day, date.month) for one in own)
        return apart and date.day is not None and any(value == date.year for value, _ in self.values)

    def has_bill(self, bill: FoundBill) -> bool:
        own = (*self.reading.bills, *self.record.bills, *bill_of_record(self.facts))
        return any(bill.agrees(one) for one in own)

    def has_quotation(self, parts: Sequence[str]) -> bool:
        """Whether the parts of a quotation (cut at ellipses) occur in this order."""
        return any(_in_order(parts, view.view.text) for view in (self.reading, self.record))

    def has_code(self, code: str) -> bool:
        """`5g`, `14h30`; also `14h30` where the passage writes 14:30, `20km` where it writes 20 km."""
        if code in self.reading.codes or code in self.record.codes:
            return True
        digits, words = re.findall(r"\d+", code), [word for word in re.findall(r"[a-z]+", code) if word != "h"]
        found = {value for value, _ in self.values}
        return all(Decimal(d) in found for d in digits) and all(map(self.mentions, words))

    def _said(self, key: str) -> list[str]:
        return self._texts.get(key, [])

    @cached_property
    def _texts(self) -> dict[str, list[str]]:
        """Key → its texts wherever they stand in the facts."""
        found: dict[str, list[str]] = {}
        for key, text in _texts(self.facts):
            found.setdefault(key, []).append(text)
        return found

    @cached_property
    def values(self) -> frozenset[tuple[Decimal, str]]:
        return self.reading.values | self.record.values

    @cached_property
    def _election_years(self) -> frozenset[Decimal]:
        people = self.facts.get("candidates") or ()
        years = [person.get("year") for person in people if isinstance(person, Mapping)]
        return frozenset(Decimal(str(y)) for y in [*years, self.facts.get("election_year")] if str(y).isdigit())

    def _has(self, value: Decimal, kind: str, of_money: bool) -> bool:
        if (value, kind) in self.values:
            return True
        if kind == PERCENT and in_words(value, self.folded):
            return True
        if kind == MONEY:
            return (value, PLAIN) in self.values and _MONEY_HEAD.search(self.folded) is not None
        return kind == PLAIN and of_money and (value, MONEY) in self.values

    def _has_in_scale(self, number: Number) -> bool:
        """`1,5 milhão` in a table whose head says "em milhões"."""
        digits = re.match(r"(?:r\$ ?)?([\d.,]+) ?(?:mil|mi|bi|milhao|milhoes|bilhao|bilhoes)$", number.text)
        if not digits or not _IN_SCALE.search(self.folded):
            return False
        plain = {value for number in find_numbers(digits[1]) for value, _ in number.readings}
        return any((value, kind) in self.values for value in plain for kind in (PLAIN, MONEY))


def _in_order(parts: Iterable[str], text: str) -> bool:
    position = 0
    for part in parts:
        found = text.find(part, position)
        if found < 0:
            return False
        position = found + len(part)
    return True


def _texts(facts: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """(key, text) of every text in nested facts."""
    if isinstance(facts, str):
        yield key, facts
    elif isinstance(facts, Mapping):
        for name, value in facts.items():
            yield from _texts(value, str(name))
    elif isinstance(facts, list | tuple):
        for value in facts:
            yield from _texts(value, key)


@lru_cache(maxsize=1024)
def _cleaned(text: str) -> str:
    return clean(text)


@lru_cache(maxsize=1024)
def _parties_in(text: str) -> frozenset[str]:
    labelled = re.findall(r"\b([A-Z][A-ZÇÃ]{1,14})/[A-Z]{2}\b", text)
    return frozenset(labelled) | {mention.acronym for mention in find_parties(text)}


@lru_cache(maxsize=1024)
def _offices_in(text: str) -> frozenset[str]:
    return frozenset(office for mention in find_offices(text) for office in mention.offices)


@lru_cache(maxsize=1024)
def _people_in(passage: str) -> frozenset[str]:
    named = {fold(match[1] or match[2]) for match in _PERSON.finditer(passage)}
    return frozenset(named - set(re.findall(r"(?<![\w.])[a-z]{3,}", passage)) - named_words("institutional"))


@lru_cache(maxsize=1024)
def _proper_in(passage: str) -> frozenset[str]:
    named = {fold(match[0]) for match in re.finditer(r"(?<=[a-zà-ÿ,] )[A-ZÀ-Ý][a-zà-ÿ]{3,}", passage)}
    small = {fold(word) for word in re.findall(r"(?<![\w.])[a-zà-ÿ]{4,}", passage)}
    return frozenset(named - small - named_words("institutional"))


def _authors(facts: Any) -> Sequence[Any]:
    if not isinstance(facts, Mapping):
        return ()
    own = facts.get("authors")
    return own if isinstance(own, list | tuple) else next(filter(None, map(_authors, facts.values())), ())


def _timeless(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Facts without the years of candidacies, which say nothing of what a document tells."""
    kept = {key: value for key, value in facts.items() if key != "election_year"}
    people = kept.get("candidates")
    if isinstance(people, list):
        kept["candidates"] = [
            {k: v for k, v in one.items() if k != "year"} for one in people if isinstance(one, Mapping)
        ]
    return kept


@lru_cache(maxsize=1024)
def _bears(key: str) -> str:
    """What a field may bear out: nothing, texts, or bare integers too."""
    return "" if _TECHNICAL.search(key.lower()) else "amounts" if _AMOUNTS.search(key.lower()) else "texts"


def _values(value: Any, key: str = "") -> Iterator[str]:
    """All readable values of nested facts; technical fields (hashes, offsets) support nothing."""
    if value is None or isinstance(value, bool) or _bears(key) == "":
        return
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _values(inner, str(name))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _values(inner, key)
    # Bare integers are mostly orders and identifiers: those support no amount.
    elif isinstance(value, str) or _bears(key) == "amounts" or not isinstance(value, int | float):
        yield str(value)
