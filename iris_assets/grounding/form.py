"""A claim read once, and what of it must stand in its evidence as it is: quotations, links, references, dates, numbers."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cached_property

from iris_assets.grounding.evidence import Evidence
from iris_assets.grounding.failure import Failure
from iris_assets.grounding.markers import without_markers
from iris_assets.grounding.reading import Reading, blank
from iris_assets.words.comparable import clean, fold
from iris_assets.words.dates import FoundDate, find_dates
from iris_assets.words.numbers import Number, find_codes, find_numbers
from iris_assets.words.portions import Portion, find_portions

_LATIN = "ɏ"  # the last letter of the Latin blocks before those of other alphabets
_QUOTATION = re.compile(r"\"([^\"]*)(?:\"|$)|(?<!\w)'([^'\n]{3,}?)'(?!\w)")
_LINK = re.compile(
    r"(?:https?|ftp|javascript|data):[^\s)\]>\"]+|\bwww\.[^\s)\]>\"]+|\b[\w.+-]+@[\w-]+\.[\w.]+", re.IGNORECASE
)
_ITEM_MARK = re.compile(r"^\s*(?:\*\*|__)?\d{1,3}[.)º°ª]?\s*[-–.:)]\s")
_COUNTED = (
    r"(?:candidat|proposta|projeto|proposic|evidenci|document|fonte|registro|trecho|plano"
    r"|deputad|senador|governador|item|itens|citad|program)"
)
_MONEY_TALK = re.compile(
    r"\b(?:invest|recurs|verba|orcament|valor|cust|gast|salar|piso|bolsa|auxili|benefici|pagament|pag[ao]|receita|despes"
    r"|arrecad|repass|emprest|financ|credit|divida|mult|tax|tarif|prec|renda|alugue|subsid|econom|emenda|aport|fundo|teto"
    r"|patrimonio|bens\b|reais\b|dinheiro|montante|quantia|destin)|r\$"
)
_PAGE_BEFORE = re.compile(r"\b(?:p|pp|pag|pags|paginas?)\.? ?$")
_ROUNDED = re.compile(
    r"\b(?:(?P<more>mais de|acima de|superior a|passa\w* de)|(?P<less>quase|menos de|perto de)"
    r"|cerca de|aproximadamente|em torno de|por volta de) (?:r\$ ?)?$"
)
_ROUND, _LARGE = Decimal("0.05"), 10  # how far a rounded number may lie, and what is worth rounding
_ELLIPSIS = re.compile(r"\s*(?:\[\s*\.\.\.\s*\]|\(\s*\.\.\.\s*\)|\.\.\.)\s*")


class Claim(Reading):
    """A sentence, heading, item or row of an answer: its text as written, and all that stands in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        super().__init__(_ITEM_MARK.sub(lambda mark: " " * len(mark[0]), without_markers(clean(text))))

    @cached_property
    def acronyms(self) -> frozenset[str]:
        """The folded words that are written in capitals."""
        return frozenset(map(fold, re.findall(r"\b[A-Z]{2,8}\b", self.text)))

    @cached_property
    def links(self) -> list[str]:
        return [match[0].rstrip(".,;") for match in _LINK.finditer(self.view.text)]

    @cached_property
    def bare(self) -> str:
        """The folded text without links."""
        return _LINK.sub(lambda match: " " * len(match[0]), self.folded)

    @cached_property
    def dates(self) -> tuple[FoundDate, ...]:
        return tuple(find_dates(blank(self.bare, self.bills)))

    @cached_property
    def portions(self) -> list[Portion]:
        return find_portions(self.bare)

    @cached_property
    def found_codes(self) -> list[tuple[str, int]]:
        return find_codes(blank(blank(self.bare, self.bills), self.dates))

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        text = blank(blank(blank(self.bare, self.bills), self.dates), self.portions)
        for code, start in self.found_codes:
            text = text[:start] + " " * len(code) + text[start + len(code) :]
        return tuple(find_numbers(text))

    def quotations(self) -> Iterator[tuple[str, list[str]]]:
        """Each quotation and its parts between ellipses, in comparable form, end punctuation left out."""
        for match in _QUOTATION.finditer(self.view.text):
            inner = match[1] if match[1] is not None else match[2]
            kept = [part for part in (one.strip(" .,;:!?-") for one in _ELLIPSIS.split(inner)) if part]
            # A single small word in quotation marks is a word that the writer keeps at a distance.
            if kept and not re.fullmatch(r"[^\W\d_A-ZÀ-Ý]+", inner.strip()):
                yield inner.strip(), kept


def ill_formed(claim: Claim, cited: Sequence[Evidence]) -> Failure | None:
    """The first quotation, link, bill, date, number or script that none of the cited evidences holds."""
    quotations = (said for said, parts in claim.quotations() if not any(e.has_quotation(parts) for e in cited))
    links = (
        link for link in claim.links if not any(link in e.reading.view.text or link == e.url.lower() for e in cited)
    )
    bills = (bill.text.upper() for bill in claim.bills if not any(e.has_bill(bill) for e in cited))
    dates = (date.text for date in claim.dates if not any(e.has_date(date) for e in cited))
    numbers = (number.text for number in claim.numbers if not supports_number(number, claim, cited))
    portions = (p.text for p in claim.portions if not any(p.occurs(e.folded, e.values) for e in cited))
    codes = (code for code, _ in claim.found_codes if not any(e.has_code(code) for e in cited))
    checks = (
        ("QUOTATION", "a citação literal “{}” não está nas evidências citadas", quotations),
        ("LINK", "o endereço {} não está nas evidências citadas", links),
        ("BILL", "a proposição {} não está nas evidências citadas", bills),
        ("DATE", "a data {} não está nas evidências citadas", dates),
        ("NUMBER", "o número {} não está nas evidências citadas", numbers),
        ("NUMBER", "“{}” não está nas evidências citadas", portions),
        ("NUMBER", "“{}” não está nas evidências citadas", codes),
    )
    found = (
        Failure(f"{kind}_NOT_IN_EVIDENCE", detail.format(said)) for kind, detail, items in checks for said in items
    )
    return _mixed_script(claim, cited) or next(found, None)


def supports_number(number: Number, claim: Claim, cited: Sequence[Evidence]) -> bool:
    """Whether an evidence has the number, or the claim itself counts what it shows."""
    before = claim.folded[max(0, number.start - 30) : number.start]
    if _PAGE_BEFORE.search(before):
        return any(evidence.has_page(number) for evidence in cited)
    money = _MONEY_TALK.search(claim.folded) is not None
    held = any(evidence.has_number(number, money) or evidence.has_labelled(number, before) for evidence in cited)
    return held or _is_rounded(number, before, cited) or _counts_itself(number, claim, cited)


def _is_rounded(number: Number, before: str, cited: Sequence[Evidence]) -> bool:
    """`mais de 1.200` for 1.234, `quase 30%` for 29,6%, `cerca de 1,2 mil`."""
    told = _ROUNDED.search(before)
    if told is None:
        return False
    below, above = (0 if told["more"] else _ROUND), (0 if told["less"] else _ROUND)
    return any(
        kind == own and value >= _LARGE and value * (1 - below) <= written <= value * (1 + above)
        for value, kind in number.readings
        for evidence in cited
        for written, own in evidence.reading.values
    )


def claimed_pages(claim: Claim) -> set[int]:
    """The pages that a claim says it rests on."""
    paged = (n for n in claim.numbers if _PAGE_BEFORE.search(claim.folded[max(0, n.start - 12) : n.start]))
    return {int(number.value) for number in paged}


def _mixed_script(claim: Claim, cited: Sequence[Evidence]) -> Failure | None:
    """A word with letters of other alphabets that its evidence does not write so: `Lulа` with a Cyrillic а."""
    for word in re.findall(r"[^\W\d_]+", claim.view.text):
        foreign = any("LATIN" not in unicodedata.name(char, "LATIN") for char in word if char > _LATIN)
        if foreign and not any(word in evidence.reading.view.text for evidence in cited):
            return Failure("SCRIPT", f"“{word}” mistura letras de outro alfabeto")
    return None


def _counts_itself(number: Number, claim: Claim, cited: Sequence[Evidence]) -> bool:
    """`os dois candidatos … [E1][E2]`, `três deputados` of a bill of three, `três frentes: a, b e c`, `A e B: os dois`."""
    value, after = number.value, claim.folded[number.end :]
    owners = {owner.key for evidence in cited for owner in evidence.owners}
    if re.match(rf" (?:\w+ )?{_COUNTED}", after) and value in (len(cited), len(owners)):
        return True
    if re.match(r" (?:deputad|parlamentar|autor|senador|pessoa|signat|assinat)", after) and value in {
        e.author_count for e in cited
    }:
        return True
    if number.word and value == 2 and re.match(r"[^:-]{0,60}: ?uma? ", after):
        return True  # "dois projetos: um para … [E1] e outro para … [E2]"
    listed = re.match(r"[^:-]{0,60}[:-]([^-]+)", after, re.DOTALL) or re.search(
        r"([^.:]+):\W*[ao]?s? *$", claim.folded[: number.start]
    )
    return bool(number.word and listed) and value == _members(listed[1] if listed else "")


def _members(listed: str) -> int:
    return len([item for item in re.split(r",|;| e (?!s )", listed.strip(" .")) if item.strip()])
