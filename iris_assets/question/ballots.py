"""Ballot numbers with an office, on either side of it and with a UF: `13 para presidente`, `governador 13 do Piauí`."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from iris_assets.ufs import UF_NAMES
from iris_assets.words.offices import offices, offices_of
from iris_assets.words.text import fold_for_index

DIGITS: Final = {office.name: office.digits for office in offices() if office.digits}
UFS: Final = {fold_for_index(name): uf for uf, name in UF_NAMES.items()} | {uf.lower(): uf for uf in UF_NAMES}


def _forms(forms: Iterable[str]) -> str:
    return "|".join(sorted({fold_for_index(form) for form in forms}, key=lambda form: (-len(form), form)))


# The UF may stand behind the preposition of the bare seat ("governo do Piauí").
_OFFICE = _forms(["governo", *(form for office in offices() if office.digits for form in office.forms)])
_PERSON = _forms(form for office in offices() if office.digits for form in office.persons)
_UF = "|".join(sorted(UFS, key=lambda name: (-len(name), name)))
_IN = r"(?:\s*[/(-]\s*|,?\s+(?:d[eoa]|em|n[oa]|pel[oa])\s+(?:estado\s+d[eoa]\s+)?)"
_PLACE = rf"(?:{_IN}(?P<uf>{_UF})\b\)?)?"
_NUMBERS = r"(?P<numbers>\d{2,5}(?!\d)(?:(?:\s*,\s*|\s+(?:e|ou)\s+)\d{2,5}(?!\d|[./]\d))*)(?!\d|[.,/]\d)"
_CUE = r"(?:candidat[oa]s?|numeros?|nº)"
_FOR = r"(?:a|ao|aos|as|para|pra|de|do|da|como)"
# "governador 13 promessas", "13 anos": a number of things.
_NO_THINGS = r"(?!\s+(?:mil|por cento|milho|bilho|vez)|\s*%|\s+(?!d[oa]s\b|n[oa]s\b|mas\b|quais\b)[a-z]{3,}s\b)"

# The cue says that a number is meant whatever its digits; without one the digits must be those of the office.
_CUED = (
    re.compile(
        rf"\b{_CUE}\s+(?:de urna\s+)?(?:numeros?\s+|nº\s*)?{_NUMBERS}\s+{_FOR}?\s*(?:[oa]\s+)?"
        rf"(?P<office>{_OFFICE})\b{_PLACE}"
    ),
    re.compile(
        rf"\b(?:candidat[oa]s?\s+{_FOR}?\s*(?:[oa]\s+)?)?(?P<office>{_OFFICE})"
        rf"(?:{_IN}(?P<uf>{_UF})\b\)?|\s+(?:d[eoa]|em|n[oa]|por)\s+[\w ]{{2,30}}?)?,?\s+(?:de\s+)?"
        rf"(?:numeros?|nº|no\.?|com o numero)\s*{_NUMBERS}"
    ),
)
_BARE = (
    re.compile(
        rf"(?<![\w-])(?:candidat[oa]s?\s+(?:a|ao|para)\s+(?:[oa]\s+)?(?P<office>{_OFFICE})|(?P<person>{_PERSON}))"
        rf"\s*[:(]?\s*{_NUMBERS}{_NO_THINGS}\)?{_PLACE}"
    ),
    re.compile(rf"(?<![\w-])(?P<office>{_PERSON}){_IN}(?P<uf>{_UF})\b\)?,?\s*{_NUMBERS}{_NO_THINGS}"),
    re.compile(rf"(?<![\d./,-]){_NUMBERS}\s+(?:para|pra|a|ao)\s+(?:[oa]\s+)?(?P<office>{_OFFICE})\b{_PLACE}"),
)


def find_ballots(text: str) -> Iterator[tuple[int, int, list[int], str, str]]:
    """(start, end, numbers, office, UF or "") of the ballot numbers in a folded text."""
    for patterns, cued in ((_CUED, True), (_BARE, False)):
        for pattern in patterns:
            for match in pattern.finditer(text):
                parts = match.groupdict()
                office = _office(parts["office"] or parts["person"])
                state = UFS.get(parts["uf"] or "", "") if office != "PRESIDENTE" else ""
                numbers = [int(n) for n in re.findall(r"\d+", match["numbers"]) if _fits(n, office, cued=cued)]
                if numbers:
                    yield *match.span(), numbers, office, state


def _fits(number: str, office: str, *, cued: bool) -> bool:
    """Whether a number can be one of the office. Four digits of these centuries are a year ("candidatos 2022 a
    presidente"), but for a cued number of an office that has four."""
    of_office = len(number) == DIGITS[office]
    if re.fullmatch(r"(?:19|20)\d\d", number):
        return cued and of_office
    return cued or of_office


def _office(text: str) -> str:
    return "GOVERNADOR" if text.strip() == "governo" else offices_of(text)[0]
