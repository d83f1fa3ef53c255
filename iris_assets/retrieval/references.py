"""Explicit references in a question: bills, Câmara and TSE ids, ballot numbers with office, pages of a plan."""

import re
from dataclasses import dataclass
from typing import Literal

from iris_assets.indexing.analyzer import fold

Kind = Literal["bill", "camara_id", "tse_id", "ballot", "page"]

BILL_TYPES = (
    "PL", "PLP", "PEC", "PDL", "PDC", "PRC", "MPV", "REQ", "INC", "PLV", "PFC", "RIC", "RCP", "MSC", "TVR", "PLN",
    "PDS", "PRN", "EMC", "EMP", "SBT", "PRL", "RPD", "RDF", "SUG", "CON", "ATC", "REC", "SIT", "VTS", "DTQ", "EMS",
    "SSP",
)  # fmt: skip
SPELLED_OUT = {
    "projeto de lei complementar": "PLP",
    "projeto de decreto legislativo": "PDL",
    "projeto de resolucao": "PRC",
    "projeto de lei": "PL",
    "proposta de emenda a constituicao": "PEC",
    "proposta de emenda constitucional": "PEC",
    "medida provisoria": "MPV",
    "requerimento de informacao": "RIC",
    "requerimento": "REQ",
    "indicacao": "INC",
    "mp": "MPV",
}
OFFICES = {
    r"president[ea]s?|presidencia(?: da republica)?|presidencia(?:vel|veis)": "PRESIDENTE",
    r"governador(?:a|es|as)?|governo(?: do estado| de estado)|governo d[oae]": "GOVERNADOR",
    r"senador(?:a|es|as)?|senado": "SENADOR",
    r"deputad[oa]s? federa(?:l|is)|camara dos deputados": "DEPUTADO FEDERAL",
    r"deputad[oa]s? estadua(?:l|is)": "DEPUTADO ESTADUAL",
    r"deputad[oa]s? distrita(?:l|is)": "DEPUTADO DISTRITAL",
}
NUMBER = r"(\d{1,3}(?:\.\d{3})+|\d{1,6})"
YEAR = r"(\d{4}|\d{2}|0)(?!\d)"
ORDINAL = r"(?:n(?:o|º|\.º|\.o|umero)?\.?\s*)?"
_TYPES = "|".join(sorted((*(t.lower() for t in BILL_TYPES), *SPELLED_OUT), key=lambda name: (-len(name), name)))
BILL = re.compile(rf"(?<![\w/])({_TYPES})s?\.?\s*[-:]?\s*{ORDINAL}{NUMBER}(?:\s*[/-]\s*|,?\s+de\s+){YEAR}")
NEXT_BILL = re.compile(rf"\s*(?:,|;|\be\b|\bou\b)\s*{ORDINAL}{NUMBER}(?:\s*/\s*|,?\s+de\s+){YEAR}")
CAMARA_ID = re.compile(
    r"(?:\bid(?:entificador)?|\bcamara\s?id|\bidproposicao|\bproposicao)"
    r"(?:\s+(?:da|na|de|do|no|numero|camara|proposicao|id))*\s*[:=nº#.]*\s*(\d{5,9})(?![\d/])"
)
TSE_ID = re.compile(r"(?<![\d./-])(\d{11,13})(?![\d/])")
PAGE = re.compile(r"\bpaginas?\s+(\d{1,4})\b|\bp(?:ag|g)?\.\s*(\d{1,4})\b")
PLAN_WORD = re.compile(r"\b(?:plano|programa|proposta|diretriz|documento)")
OFFICE_WORD = "|".join(OFFICES)
BALLOT = re.compile(
    rf"\b(?:candidat[oa]s?|numero|nº)\s+(?:de urna\s+)?(?:numero\s+|nº\s*)?(?P<n1>\d{{2,5}})\s+"
    rf"(?:a|ao|para|de|do|da)?\s*(?:o\s+|a\s+)?(?P<o1>{OFFICE_WORD})"
    rf"|\b(?:candidat[oa]\s+(?:a|ao|para)?\s*(?:o\s+|a\s+)?)?(?P<o2>{OFFICE_WORD})"
    rf"(?:\s+(?:de|do|da|em|no|na)\s+[\w ]{{2,30}}?)?,?\s+(?:de\s+)?"
    rf"(?:numero|nº|no\.?|com o numero)\s*(?P<n2>\d{{2,5}})\b"
)


@dataclass(frozen=True, slots=True)
class Reference:
    """One reference; `text` is how it is shown. Unused parts are empty or 0.

    bill: type, number, year; camara_id, tse_id: identifier; ballot: number, office; page: number.
    """

    kind: Kind
    text: str
    type: str = ""
    number: int = 0
    year: int = 0
    identifier: str = ""
    office: str = ""


@dataclass(frozen=True, slots=True)
class FoundReferences:
    """References in the order of the question, once each, and the folded question without them."""

    references: tuple[Reference, ...]
    rest: str


def find_references(question: str) -> FoundReferences:
    """All references of a question."""
    text = fold(question)
    found: list[tuple[int, int, Reference]] = [*_bills(text)]
    for match in BALLOT.finditer(text):
        number, office = match["n1"] or match["n2"], _office(match["o1"] or match["o2"])
        found.append((*match.span(), Reference("ballot", f"{office} {number}", number=int(number), office=office)))
    for kind, pattern in (("camara_id", CAMARA_ID), ("tse_id", TSE_ID)):
        for match in pattern.finditer(text):
            label = "id da Câmara" if kind == "camara_id" else "id do TSE"
            found.append((*match.span(), Reference(kind, f"{label} {match[1]}", identifier=match[1])))  # type: ignore[arg-type]
    if PLAN_WORD.search(text):
        for match in PAGE.finditer(text):
            page = int(match[1] or match[2])
            found.append((*match.span(), Reference("page", f"página {page}", number=page)))
    return _without_overlaps(text, found)


def _bills(text: str) -> list[tuple[int, int, Reference]]:
    found = []
    for match in BILL.finditer(text):
        kind = SPELLED_OUT.get(match[1], match[1].upper())
        found.append((*match.span(), _bill(kind, match[2], match[3])))
        end = match.end()
        while (follow := NEXT_BILL.match(text, end)) is not None:
            found.append((*follow.span(), _bill(kind, follow[1], follow[2])))
            end = follow.end()
    return found


def _bill(kind: str, number: str, year: str) -> Reference:
    value, when = int(number.replace(".", "")), full_year(year)
    return Reference("bill", f"{kind} {value}/{when or 0}", type=kind, number=value, year=when)


def full_year(text: str) -> int:
    """`23` → 2023, `98` → 1998, `2023` → 2023; `0` is what the Câmara writes for an unknown year."""
    year = int(text)
    if len(text) == 2:
        return year + (2000 if year < 50 else 1900)
    return year


def _office(text: str) -> str:
    return next(name for pattern, name in OFFICES.items() if re.fullmatch(pattern, text.strip()))


def _without_overlaps(text: str, found: list[tuple[int, int, Reference]]) -> FoundReferences:
    kept: dict[Reference, None] = {}
    rest, position = [], 0
    for start, end, reference in sorted(found, key=lambda item: (item[0], -item[1])):
        if start < position:
            continue
        kept.setdefault(reference)
        rest.append(text[position:start])
        position = end
    rest.append(text[position:])
    return FoundReferences(tuple(kept), " ".join(rest))
