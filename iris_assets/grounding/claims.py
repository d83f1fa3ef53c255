"""Rules that a sentence must pass against its cited evidences; each returns the reason of the first failure."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from iris_assets.grounding.bills import find_bills
from iris_assets.grounding.citations import without_markers
from iris_assets.grounding.dates import find_dates
from iris_assets.grounding.evidence import PAGE_BEFORE, GateEvidence
from iris_assets.grounding.normalise import clean, comparable, fold, without_emphasis
from iris_assets.grounding.numbers import Number, find_codes, find_numbers
from iris_assets.grounding.quantities import counts_something_else, find_counted, find_portions
from iris_assets.grounding.verdict import Failure

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
_ELLIPSIS = re.compile(r"\s*(?:\[\s*\.\.\.\s*\]|\(\s*\.\.\.\s*\)|\.\.\.)\s*")


class Sentence:
    """A sentence read once: comparable text, its numbers, dates, bill references, quotations and links."""

    def __init__(self, text: str) -> None:
        self.raw = text
        body = without_markers(clean(text))
        self.comparable = comparable(without_emphasis(_ITEM_MARK.sub(lambda m: " " * len(m[0]), body)))
        self.folded = fold(self.comparable.text)
        self.links = [match[0].rstrip(".,;") for match in _LINK.finditer(self.comparable.text)]
        self.bare = _LINK.sub(lambda match: " " * len(match[0]), self.folded)
        self.bills = find_bills(self.bare)
        rest = _blank(self.bare, [(bill.start, bill.end) for bill in self.bills])
        self.dates = find_dates(rest)
        rest = _blank(rest, [(date.start, date.end) for date in self.dates])
        self.codes = find_codes(rest)
        rest = _blank(rest, [(start, start + len(code)) for code, start in self.codes])
        self.numbers = find_numbers(rest)

    def quotations(self) -> Iterator[tuple[str, list[str]]]:
        """Each quotation and its parts between ellipses, in comparable form, end punctuation left out."""
        for match in _QUOTATION.finditer(self.comparable.text):
            inner = match[1] if match[1] is not None else match[2]
            parts = [part.strip(" .,;:!?-") for part in _ELLIPSIS.split(inner)]
            kept = [part for part in parts if part]
            if kept:
                yield inner.strip(), kept


def unsupported(sentence: Sentence, cited: Sequence[GateEvidence]) -> Failure | None:
    """The first quotation, link, bill, date or number that none of the cited evidences holds."""
    return (
        _bad_quotation(sentence, cited)
        or _bad_link(sentence, cited)
        or _bad_bill(sentence, cited)
        or _bad_date(sentence, cited)
        or _bad_number(sentence, cited)
        or _bad_portion(sentence, cited)
        or _bad_code(sentence, cited)
    )


def miscounted(sentence: Sentence, cited: Sequence[GateEvidence]) -> Failure | None:
    """`1.500 creches e 120 professores` of a passage with 120 creches and 1.500 professores."""
    written = [one for evidence in cited for one in evidence.counted]
    for said in find_counted(sentence.folded, sentence.numbers):
        if counts_something_else(said, written):
            detail = f"o número {said.value:f} conta outra coisa nas evidências citadas"
            return Failure("NUMBER_NOT_IN_EVIDENCE", detail)
    return None


def supports_number(number: Number, sentence: Sentence, cited: Sequence[GateEvidence]) -> bool:
    """Whether an evidence has the number, or the sentence itself counts what it shows."""
    before = sentence.folded[max(0, number.start - 30) : number.start]
    if PAGE_BEFORE.search(before):
        return any(evidence.has_page(number) for evidence in cited)
    money = _MONEY_TALK.search(sentence.folded) is not None
    held = any(evidence.has_number(number, money) or evidence.has_labelled(number, before) for evidence in cited)
    return held or _counts_itself(number, sentence, cited)


def _bad_quotation(sentence: Sentence, cited: Sequence[GateEvidence]) -> Failure | None:
    for text, parts in sentence.quotations():
        if not any(evidence.has_quotation(parts) for evidence in cited):
            return Failure("QUOTATION_NOT_IN_EVIDENCE", f"a citação literal “{text}” não está nas evidências citadas")
    return None


def _bad_link(sentence: Sentence, cited: Sequence[GateEvidence]) -> Failure | None:
    for link in sentence.links:
        if not any(link in evidence.comparable_text or link == evidence.url.lower() for evidence in cited):
            return Failure("LINK_NOT_IN_EVIDENCE", f"o endereço {link} não está nas evidências citadas")
    return None


def _bad_bill(sentence: Sentence, cited: Sequence[GateEvidence]) -> Failure | None:
    for bill in sentence.bills:
        if not any(evidence.has_bill(bill) for evidence in cited):
            return Failure("BILL_NOT_IN_EVIDENCE", f"a proposição {bill.text.upper()} não está nas evidências citadas")
    return None


def _bad_date(sentence: Sentence, cited: Sequence[GateEvidence]) -> Failure | None:
    for date in sentence.dates:
        if not any(evidence.has_date(date) for evidence in cited):
            return Failure("DATE_NOT_IN_EVIDENCE", f"a data {date.text} não está nas evidências citadas")
    return None


def _bad_number(sentence: Sentence, cited: Sequence[GateEvidence]) -> Failure | None:
    for number in sentence.numbers:
        if not supports_number(number, sentence, cited):
            return Failure("NUMBER_NOT_IN_EVIDENCE", f"o número {number.text} não está nas evidências citadas")
    return None


def _bad_portion(sentence: Sentence, cited: Sequence[GateEvidence]) -> Failure | None:
    for portion in find_portions(sentence.bare):
        if not any(portion.occurs(evidence.folded, evidence.numbers) for evidence in cited):
            return Failure("NUMBER_NOT_IN_EVIDENCE", f"“{portion.text}” não está nas evidências citadas")
    return None


def _bad_code(sentence: Sentence, cited: Sequence[GateEvidence]) -> Failure | None:
    for code, _ in sentence.codes:
        if not any(code in evidence.codes or _numbers_of_code(code, evidence) for evidence in cited):
            return Failure("NUMBER_NOT_IN_EVIDENCE", f"“{code}” não está nas evidências citadas")
    return None


def _numbers_of_code(code: str, evidence: GateEvidence) -> bool:
    """`14h30` where the passage writes 14:30; `20km` where it writes 20 km."""
    parts = re.findall(r"\d+|[a-z]+", code)
    digits = [part for part in parts if part.isdigit()]
    words = [part for part in parts if part.isalpha() and part != "h"]
    return all(any(value == Decimal(d) for value, _ in evidence.numbers) for d in digits) and all(
        evidence.mentions(word) for word in words
    )


def _counts_itself(number: Number, sentence: Sentence, cited: Sequence[GateEvidence]) -> bool:
    """`os dois candidatos … [E1][E2]` and `três frentes: a, b e c` count what stands in the sentence."""
    value, after = number.value, sentence.folded[number.end :]
    owners = {owner.key for evidence in cited for owner in evidence.owners}
    if re.match(rf" (?:\w+ )?{_COUNTED}", after) and value in (len(cited), len(owners)):
        return True
    if re.match(r" (?:deputad|parlamentar|autor|senador|pessoa)", after) and value in {e.author_count for e in cited}:
        return True
    if number.word and (before := re.search(r"([^.:]+):\W*o?a?s? *$", sentence.folded[: number.start])):
        return len(re.split(r",| e ", before[1])) == value
    listed = re.match(r"[^:]{0,60}:(.+)", after, re.DOTALL)
    if not listed or not number.word:
        return False
    items = [item for item in re.split(r",|;| e (?!s )", listed[1].strip(" .")) if item.strip()]
    return len(items) == value


def _blank(text: str, spans: list[tuple[int, int]]) -> str:
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text
