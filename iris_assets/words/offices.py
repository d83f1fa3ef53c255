"""Offices: the court's names, labels, the forms in which people write them, and where a text names one."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from iris_assets.words.data_files import document
from iris_assets.words.text import either, fold, fold_in_place


@dataclass(frozen=True, slots=True)
class Office:
    """`digits`: of a ballot number (None: the head's number); `vice_of`: whose vice or substitute; `plan`: files one."""

    name: str
    code: int
    label: str
    digits: int | None
    plan: bool
    municipal: bool
    vice_of: str | None
    masculine: tuple[str, ...]
    feminine: tuple[str, ...]
    plural: tuple[str, ...]
    seat: tuple[str, ...]
    short: tuple[str, ...]
    unless_before: tuple[str, ...]

    @property
    def persons(self) -> tuple[str, ...]:
        """The forms that name who holds or seeks the office, without abbreviations."""
        return (*self.masculine, *self.feminine, *self.plural)

    @property
    def forms(self) -> tuple[str, ...]:
        """Every form but the abbreviations."""
        return (self.name, *self.persons, *self.seat)


@dataclass(frozen=True, slots=True)
class OfficeGroup:
    """Words that stand for several offices at once: `deputados`, `suplentes de senador`, `vices`."""

    offices: tuple[str, ...]
    forms: tuple[str, ...]
    short: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OfficeMention:
    """The offices that some words of a text name (several for a group), and where."""

    offices: tuple[str, ...]
    start: int
    end: int


@cache
def offices() -> tuple[Office, ...]:
    """Every office, heads before their vices."""
    return tuple(_office(entry) for entry in document("offices.yaml")["offices"])


@cache
def office_groups() -> tuple[OfficeGroup, ...]:
    """The words that stand for several offices."""
    return tuple(
        OfficeGroup(tuple(entry["offices"]), tuple(entry["forms"]), tuple(entry.get("short", ())))
        for entry in document("offices.yaml")["groups"]
    )


@cache
def by_name() -> Mapping[str, Office]:
    """Every office by the court's name."""
    return {office.name: office for office in offices()}


@cache
def office_forms() -> Mapping[str, tuple[str, ...]]:
    """Folded form → the offices it names, abbreviations included: `DEPUTADAS FEDERAIS` → (`DEPUTADO FEDERAL`,)."""
    found: dict[str, tuple[str, ...]] = {}
    for group in office_groups():
        found |= dict.fromkeys(map(fold, (*group.forms, *group.short)), group.offices)
    for office in offices():
        found |= dict.fromkeys(map(fold, (*office.short, *office.forms)), (office.name,))
    return found


def offices_of(text: str) -> tuple[str, ...]:
    """The offices that a text names and nothing else: `deputada federal`, `Presidência da República`; () for others."""
    return office_forms().get(fold(text), ())


def vices_of(name: str) -> tuple[str, ...]:
    """The offices of an office's vice or substitutes."""
    return tuple(office.name for office in offices() if office.vice_of == name)


@lru_cache(maxsize=4096)
def ticket_offices(name: str) -> tuple[str, ...]:
    """The offices that stand on one ticket with this one, itself included: the head first, then its vices or substitutes."""
    office = by_name().get(name)
    head = (office.vice_of or office.name) if office else name
    return (head, *vices_of(head))


def find_offices(text: str) -> tuple[OfficeMention, ...]:
    """The offices that an NFC text names, in order, the longest form at each place."""
    return tuple(OfficeMention(_offices_of(match), *match.span()) for match in _pattern().finditer(fold_in_place(text)))


def _offices_of(match: "re.Match[str]") -> tuple[str, ...]:
    found = offices_of(match[0])
    return found or offices_of(fold(match[0]).replace("VICE", "VICE ", 1))


@cache
def _pattern() -> "re.Pattern[str]":
    named = [(form, "", office.unless_before) for office in offices() for form in office.forms]
    named += [(form, ".", ()) for office in offices() for form in office.short]
    named += [(form, "", ()) for group in office_groups() for form in group.forms]
    named += [(form, ".", ()) for group in office_groups() for form in group.short]
    ordered = sorted(named, key=lambda item: (-len(item[0]), item))
    return re.compile(rf"(?<!\w)(?:{either(_form_pattern(*item) for item in ordered)})")


def _form_pattern(form: str, stop: str, unless_before: Iterable[str]) -> str:
    """One form in `fold_in_place` text; of an abbreviation each word may, and a single one must, have its full stop."""
    parts = [re.escape(part) for part in re.split(r"[\s.-]+", fold_in_place(form))]
    between = r"\.?[\s-]*" if stop else r"[\s-]+"
    body = between.join(parts).replace(r"vice[\s-]+", r"vice[\s-]*", 1)
    end = r"(?!\w)" if not stop else (r"\.?(?!\w)" if len(parts) > 1 else r"\.(?!\w)")
    others = "|".join(fold_in_place(words).replace(" ", r"\s+") for words in unless_before)
    return body + end + (rf"(?!\s+(?:{others})\b)" if others else "")


def _office(entry: Mapping[str, Any]) -> Office:
    lists = ("masculine", "feminine", "plural", "seat", "short", "unless_before")
    values = {name: tuple(entry.get(name, ())) for name in lists}
    return Office(
        entry["name"],
        entry["code"],
        entry["label"],
        entry.get("digits"),
        entry.get("plan", False),
        entry.get("municipal", False),
        entry.get("vice_of"),
        **values,
    )
