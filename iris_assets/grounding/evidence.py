"""What a passage supports: its numbers, dates, bill references, words and whose it is, read once for many sentences."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any

from iris_assets.grounding.bills import FoundBill, bill_of_record, find_bills
from iris_assets.grounding.dates import FoundDate, find_dates
from iris_assets.grounding.lexicon import data_lines, word
from iris_assets.grounding.normalise import clean, comparable, content_stems, fold, without_emphasis
from iris_assets.grounding.numbers import MONEY, PLAIN, Number, find_codes, find_numbers
from iris_assets.grounding.quantities import Counted, find_counted
from iris_assets.grounding.reading import Reading, read_passage
from iris_assets.grounding.sentences import pieces
from iris_assets.grounding.vocabulary import INSTITUTIONAL
from iris_assets.words.offices import find_offices
from iris_assets.words.parties import find_parties
from iris_assets.words.source_kinds import GOVERNMENT_PROPOSAL, POLITICAL_HISTORY, PROPOSITION

# Words by which a sentence may call the record that it cites.
RECORD_WORDS = {
    PROPOSITION: "projeto proposição matéria deputado deputada câmara apresentar tramitar tramitação",
    POLITICAL_HISTORY: (
        "mandato deputado deputada câmara parlamentar cargo exercício exercer registro histórico início data término"
        " fim começar partido legislatura casa"
    ),
    GOVERNMENT_PROPOSAL: "plano programa governo candidato candidatura",
}
STATES = {line.partition(":")[0]: fold(line.partition(":")[2]) for line in data_lines("states.txt")}
_PERSON = re.compile(
    r"\b(?:[Gg]overno|[Pp]resident[ea]|[Mm]inistr[oa]|[Ss]enador[a]?|[Dd]eputad[oa]|[Gg]eneral|[Jj]uiz|[Cc]apitão"
    r"|[Gg]overnador[a]?|[Pp]refeit[oa]|[Cc]andidat[oa]|chapa|ex-?\w*)\s+(?:d[eoa]\s+)?([A-ZÀ-Ý][a-zà-ÿ]{2,})"
    r"|\b([A-ZÀ-Ý][a-zà-ÿ]{2,})(?=\s+(?:é|foi|não|disse|quer|tem)\s)"
)
_BARRIER = "\n\n§\n\n"  # keeps quotations from running over the border of two fields
_TECHNICAL = (
    "hash",
    "token",
    "offset",
    "span",
    "index",
    "checksum",
    "embedding",
    "chunk",
    "score",
    "resource",
    "file",
    "camaraid",
    "deputyid",
)
_AMOUNTS = ("year", "number", "count", "total")
PAGE_BEFORE = re.compile(r"\b(?:p|pp|pag|pags|paginas?)\.? ?$")
_ELECTION_NEAR = re.compile(r"\b(?:elei|candidat|disput|pleito|plano|programa)")
_BALLOT_BEFORE = re.compile(r"(?:\bnumero(?: de urna| na urna)?|\bn[ºo°]\.?|\burna|·) ?$")
# The unit of a table's column stands in its head, not at its numbers.
_MONEY_HEAD = re.compile(
    r"r\$(?! ?\d)|(?<!\d )(?<!mil )(?<!milhoes )(?<!de )\breais\b|\bvalor(?:es)? (?:em|total|unitario|\()"
)
_PARTY_IN_LABEL = re.compile(r"\b([A-Z][A-ZÇÃ]{1,14})/[A-Z]{2}\b")
_IN_SCALE = re.compile(r"(?:em|r\$|\() ?(?:mil|milhoes|bilhoes)\b")


@dataclass(frozen=True, slots=True)
class Owner:
    """A candidate whose record an evidence is; `names` are the ways an answer may call them, the display name first."""

    key: str
    names: tuple[str, ...]


@dataclass(frozen=True)
class GateEvidence:
    """One evidence as the gate sees it. `text` is exactly the citable passage; `facts` are structured data and ids."""

    evidence_id: str
    text: str
    title: str = ""
    source_type: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    owners: tuple[Owner, ...] = ()
    url: str = ""
    pages: frozenset[int] = frozenset()
    ballot_numbers: frozenset[int] = frozenset()

    @cached_property
    def passage(self) -> str:
        """The citable passage, cleaned; spans count its characters."""
        return clean(self.text)

    @cached_property
    def reading(self) -> Reading:
        return read_passage(self.passage)

    @cached_property
    def record_keys(self) -> frozenset[str]:
        """Keys of the words of the title, the facts and the owners: what the record itself says."""
        owners = " ".join(name for owner in self.owners for name in owner.names)
        kind = RECORD_WORDS.get(self.source_type, "")
        states = " ".join(STATES.get(state, "") for state in _facts(self.facts, "state"))
        words = re.findall(r"[a-z]+", fold(" ".join((self.title, *_values(self.facts), owners, kind, states))))
        return frozenset(key for form in words if (known := word(form)).weight for key in known.keys)

    @cached_property
    def forms(self) -> frozenset[str]:
        """Every word form of the evidence, its title, facts and owners."""
        owners = " ".join(name for owner in self.owners for name in owner.names)
        states = " ".join(STATES.get(state, "") for state in _facts(self.facts, "state") + _facts(self.facts, "uf"))
        return frozenset(re.findall(r"[a-z]+", f"{self.folded} {fold(owners)} {states}"))

    @cached_property
    def keys(self) -> frozenset[str]:
        """Keys of every word of the evidence."""
        return frozenset(self.reading.places) | self.record_keys

    @cached_property
    def owner_parties(self) -> tuple[str, ...]:
        """The parties of whose record it is."""
        return tuple(dict.fromkeys(_facts(self.facts, "party")))

    @cached_property
    def parties(self) -> frozenset[str]:
        """Every party that the evidence is of or names."""
        found = {mention.acronym for mention in find_parties(self.everything)}
        return frozenset(found) | set(self.owner_parties) | self.labelled_parties

    @cached_property
    def offices(self) -> frozenset[str]:
        """Every office that the evidence names."""
        return frozenset(office for mention in find_offices(self.everything) for office in mention.offices)

    @cached_property
    def people(self) -> frozenset[str]:
        """Folded words by which the passage names people: after an office or title, and names of several words."""
        named = [match[1] or match[2] for match in _PERSON.finditer(self.passage)]
        folded = (fold(name) for name in named)
        lower = set(re.findall(r"(?<![\w.])[a-zà-ÿ]{3,}", self.passage))
        return frozenset(name for name in folded if name not in INSTITUTIONAL | lower)

    def spells(self, acronym: str) -> bool:
        """Whether successive words begin with the letters of a folded acronym: CGU for Controladoria-Geral da União."""
        small = r"(?:(?:de|da|do|das|dos|e|a|o|em|para|por) )*"
        pattern = r"[\s-]+".join(f"{letter}[a-z]+" for letter in acronym).replace(r"[\s-]+", rf"[\s-]+{small}")
        return len(acronym) > 1 and re.search(rf"\b{pattern}", self.folded) is not None

    @cached_property
    def status(self) -> str:
        """Where the record says that a bill stands."""
        found = re.search(r"(?m)^Situa[çc][ãa]o: *(.+)$", self.passage)
        return " ".join((found[1] if found else "", _fact(self.facts, "status")))

    @cached_property
    def election_years(self) -> frozenset[int]:
        people = self.facts.get("candidates")
        years = (
            [person.get("year") for person in people if isinstance(person, Mapping)] if isinstance(people, list) else []
        )
        return frozenset(int(str(year)) for year in [*years, self.facts.get("election_year")] if str(year).isdigit())

    @property
    def author_count(self) -> int:
        """How many authors the record of a bill names."""
        return len(_authors(self.facts))

    @cached_property
    def summary_keys(self) -> frozenset[str]:
        """Keys of the words of the passage without its status."""
        rest = re.sub(r"(?m)^Situa[çc][ãa]o: *.+$", "", self.passage)
        return frozenset(read_passage(rest).places)

    @cached_property
    def pieces(self) -> tuple[tuple[tuple[int, int], frozenset[str], frozenset[Decimal]], ...]:
        """(span, word stems, number values) of each sentence of the passage."""
        found = []
        for start, end in pieces(self.passage):
            piece = fold(comparable(self.passage[start:end]).text)
            values = frozenset(value for number in find_numbers(piece) for value, _ in number.readings)
            found.append(((start, end), content_stems(piece), values))
        return tuple(found)

    @cached_property
    def everything(self) -> str:
        """Passage, title and facts as one original text."""
        return _BARRIER.join(
            (self.passage, clean(self.title), clean(" \n ".join(_values(_without_elections(self.facts)))))
        )

    @cached_property
    def comparable_text(self) -> str:
        return comparable(without_emphasis(self.everything)).text

    @cached_property
    def folded(self) -> str:
        return fold(self.comparable_text)

    @cached_property
    def stems(self) -> frozenset[str]:
        return content_stems(self.folded)

    @cached_property
    def numbers(self) -> frozenset[tuple[Any, str]]:
        """(value, kind) of every number, years of dates and parts of references too."""
        found = {reading for number in find_numbers(self._without_full_dates) for reading in number.readings}
        years = {(reading, PLAIN) for date in self.dates if (reading := date.year) is not None}
        return frozenset(found) | frozenset(years) | self._numbers_between_blanks

    @cached_property
    def counted(self) -> tuple[Counted, ...]:
        """What the plain numbers of the passage count."""
        return tuple(find_counted(self._without_full_dates, find_numbers(self._without_full_dates)))

    @cached_property
    def _numbers_between_blanks(self) -> frozenset[tuple[Any, str]]:
        """A table row `20 300` is 20 and 300 as well as 20300."""
        apart = re.sub(r"(?<=\d) (?=\d{3})", " ; ", self._without_full_dates)
        return frozenset(reading for number in find_numbers(apart) for reading in number.readings)

    @cached_property
    def _without_full_dates(self) -> str:
        """A date's day and month are no amounts."""
        text = self.folded
        for date in self.dates:
            if date.day is not None and date.month is not None:
                text = text[: date.start] + " " * (date.end - date.start) + text[date.end :]
        return text

    @cached_property
    def dates(self) -> tuple[FoundDate, ...]:
        return tuple(find_dates(self.folded))

    @cached_property
    def bills(self) -> tuple[FoundBill, ...]:
        return tuple(find_bills(self.folded)) + tuple(bill_of_record(self.facts))

    @cached_property
    def labelled_parties(self) -> frozenset[str]:
        """Parties written as in labels: `PARTY/UF`."""
        return frozenset(_PARTY_IN_LABEL.findall(self.everything))

    @cached_property
    def _has_money_head(self) -> bool:
        return _MONEY_HEAD.search(self.folded) is not None

    @cached_property
    def codes(self) -> frozenset[str]:
        return frozenset(code for code, _ in find_codes(self.folded))

    def has_number(self, number: Number, of_money: bool = False) -> bool:
        """Whether any reading of `number` occurs here; per cent only as per cent, money only as money.

        `of_money`: the sentence speaks of money, so that it may leave out the `R$`.
        """
        return any(self._has(value, kind, of_money) for value, kind in number.readings) or self._has_in_scale(number)

    def _has(self, value: Any, kind: str, of_money: bool = False) -> bool:
        if (value, kind) in self.numbers:
            return True
        if kind == MONEY:
            return (value, PLAIN) in self.numbers and self._has_money_head
        return kind == PLAIN and of_money and (value, MONEY) in self.numbers

    def _has_in_scale(self, number: Number) -> bool:
        """`1,5 milhão` in a table whose head says "em milhões"."""
        digits = re.match(r"(?:r\$ ?)?([\d.,]+) ?(?:mil|mi|bi|milhao|milhoes|bilhao|bilhoes)$", number.text)
        if not digits or not _IN_SCALE.search(self.folded):
            return False
        plain = {value for number in find_numbers(digits[1]) for value, _ in number.readings}
        return any((value, kind) in self.numbers for value in plain for kind in (PLAIN, MONEY))

    def has_labelled(self, number: Number, before: str) -> bool:
        """A page or ballot number counts only where the words before it say that it is one."""
        values = {value for value, _ in number.readings}
        if _ELECTION_NEAR.search(before) and values & {Decimal(year) for year in self.election_years}:
            return True
        return bool(_BALLOT_BEFORE.search(before) and values & set(map(Decimal, self.ballot_numbers)))

    def has_page(self, number: Number) -> bool:
        """Whether a page is one of the evidence's (or of its title: `p. 12`); its text says nothing of its pages."""
        values = {value for value, _ in number.readings}
        named = {Decimal(page) for page in re.findall(r"\b(?:p|pag|pagina)\.? ?(\d{1,4})", fold(self.title))}
        return bool(values & (set(map(Decimal, self.pages)) | named))

    def has_date(self, date: FoundDate) -> bool:
        """Whether a date here says all that `date` says; day and month may stand apart from the year."""
        if any(date.agrees(own) for own in self.dates):
            return True
        if date.month is None:
            return any(own.day == date.day for own in self.dates) or any(value == date.day for value, _ in self.numbers)
        apart = any(own.year is None and (own.day, own.month) == (date.day, date.month) for own in self.dates)
        return apart and date.day is not None and any(value == date.year for value, _ in self.numbers)

    def has_bill(self, bill: FoundBill) -> bool:
        return any(bill.agrees(own) for own in self.bills)

    def has_quotation(self, parts: Iterable[str]) -> bool:
        """Whether the parts of a quotation (cut at ellipses) occur in this order."""
        position = 0
        for part in parts:
            found = self.comparable_text.find(part, position)
            if found < 0:
                return False
            position = found + len(part)
        return True

    def mentions(self, name: str) -> bool:
        """Whether a folded name occurs as whole words."""
        # The plain search is what keeps many names over long passages cheap.
        return name in self.folded and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", self.folded) is not None


def _facts(facts: Any, key: str) -> list[str]:
    """All texts of a fact in nested facts."""
    if isinstance(facts, Mapping):
        own = [facts[key]] if isinstance(facts.get(key), str) else []
        return own + [text for value in facts.values() for text in _facts(value, key)]
    return [text for value in facts for text in _facts(value, key)] if isinstance(facts, list | tuple) else []


def _without_elections(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Facts without the years of candidacies, which say nothing of what a document tells."""
    kept = {key: value for key, value in facts.items() if key != "election_year"}
    people = kept.get("candidates")
    if isinstance(people, list):
        kept["candidates"] = [{k: v for k, v in person.items() if k != "year"} for person in people]
    return kept


def _authors(facts: Any) -> Sequence[Any]:
    if not isinstance(facts, Mapping):
        return ()
    own = facts.get("authors")
    return own if isinstance(own, list | tuple) else next(filter(None, map(_authors, facts.values())), ())


def _fact(facts: Mapping[str, Any], key: str) -> str:
    """The text of a fact wherever it stands in nested facts."""
    own = facts.get(key)
    if isinstance(own, str):
        return own
    inner = (_fact(value, key) for value in facts.values() if isinstance(value, Mapping))
    return next((found for found in inner if found), "")


def _values(value: Any, key: str = "") -> list[str]:
    """All readable values of nested facts; technical fields (hashes, offsets) support nothing."""
    if any(part in key.lower() for part in _TECHNICAL):
        return []
    if isinstance(value, Mapping):
        return [text for name, inner in value.items() for text in _values(inner, str(name))]
    if isinstance(value, list | tuple):
        return [text for inner in value for text in _values(inner, key)]
    if value is None or isinstance(value, bool):
        return []
    if isinstance(value, str):
        return [value]
    # Bare integers are mostly orders and identifiers: those support no amount.
    return [str(value)] if any(part in key.lower() for part in _AMOUNTS) or not isinstance(value, int | float) else []
