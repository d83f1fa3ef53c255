"""Kinds of the Câmara's documents and of laws: acronyms, names spelled out, and patterns that find either."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from iris_assets.words.data_files import listed, rows
from iris_assets.words.text import fold, fold_in_place, word_set


@dataclass(frozen=True, slots=True)
class BillKind:
    """`also`: other acronyms of the kind; `is_word`: its acronym is a plain word; `norm`: law in force, no document."""

    acronym: str
    names: tuple[str, ...]
    also: tuple[str, ...]
    is_word: bool
    norm: bool


@cache
def bill_kinds() -> tuple[BillKind, ...]:
    """Every kind, documents of the Câmara first, each part by acronym."""
    return tuple(
        BillKind(row["acronym"], listed(row["names"]), listed(row["also"]), bool(row["is_word"]), bool(row["norm"]))
        for row in rows("bill_kinds.csv")
    )


@cache
def acronyms() -> frozenset[str]:
    """The acronyms that name a kind by themselves, other acronyms of a kind included; no law in force, no plain word."""
    kinds = [kind for kind in bill_kinds() if not kind.norm and not kind.is_word]
    return frozenset(acronym for kind in kinds for acronym in (kind.acronym, *kind.also))


@cache
def by_acronym() -> Mapping[str, BillKind]:
    """Every kind by each of its acronyms."""
    return {acronym: kind for kind in bill_kinds() for acronym in (kind.acronym, *kind.also)}


@cache
def spelled_out() -> tuple[tuple[str, str], ...]:
    """(pattern in `fold_in_place` text, acronym) of every name, singular and plural, longest name first."""
    named = [(name, kind.acronym) for kind in bill_kinds() for name in kind.names]
    return tuple((_pattern(name), acronym) for name, acronym in sorted(named, key=lambda item: -len(item[0])))


def kind_of(text: str) -> BillKind | None:
    """The kind that a text names and nothing else: `pec`, `Projetos de Lei`, `PLs`; None for any other."""
    said = text.strip()
    plural = said[:-1] if said.endswith("s") else said
    forms = (plural, said) if plural.isupper() else (said.upper(), plural.upper())
    if found := next((by_acronym()[form] for form in forms if form in by_acronym()), None):
        return found
    folded = " ".join(fold_in_place(text).split())
    name = next((acronym for pattern, acronym in spelled_out() if re.fullmatch(pattern, folded)), None)
    return by_acronym()[name] if name else None


def same_kind(one: str, other: str) -> bool:
    """Whether two acronyms are of one kind: MP is MPV, PDC is PDL; PL is never PLP."""
    left, right = by_acronym().get(one.upper()), by_acronym().get(other.upper())
    return one.upper() == other.upper() if left is None or right is None else left is right


_KEPT: Final = word_set("a o as os de do da dos das em no na ao aos e por pela pelo com para ldo cpi tcu plenario")
_PLURALS: Final = (("ao", "(?:ao|oes)"), ("al", "(?:al|ais)"), ("m", "(?:m|ns)"), ("r", "r(?:es)?"))


def _pattern(name: str) -> str:
    """`Indicação de Autoridade` → a pattern that finds its plural too."""
    return r"[\s-]+".join(_either_number(word) for word in fold(name).lower().split())


def _either_number(word: str) -> str:
    if word in _KEPT or word.endswith("s"):
        return word
    return next((word.removesuffix(end) + both for end, both in _PLURALS if word.endswith(end)), f"{word}s?")
