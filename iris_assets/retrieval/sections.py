"""Numbered parts of a plan that a question asks for: items, axes, goals, chapters; first and last page, number of pages."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from iris_assets.documents.sentences import Span
from iris_assets.documents.structure import Structure
from iris_assets.question.parsed import ParsedQuery
from iris_assets.store.records import ChunkRow
from iris_assets.words.messages import notice

KINDS: Final = "item|itens|ponto|eixo|meta|capitulo|secao|parte|tema|diretriz|proposta|compromisso|titulo|anexo|pilar|objetivo|artigo"
PART: Final = re.compile(rf"\b({KINDS.upper()})S? (?:DE )?(?:NUMERO |N )?(\d{{1,3}}|[IVX]{{1,5}})\b")
EDGE: Final = re.compile(r"\b(PRIMEIRA|ULTIMA) PAGINA\b|\bPAGINA (INICIAL|FINAL)\b")
PAGE_COUNT: Final = re.compile(
    r"\b(?:QUANT[OA]S|Q[NT]*T[OA]S|NUMERO DE|TOTAL DE|QUANTIDADE DE) (?:SAO AS |AS )?(?:PAGINAS?|PGS?|FOLHAS?|LAUDAS?)\b"
)
PAGES_TEXT: Final = notice("PLAN_LENGTH")
NO_PART: Final = notice("NO_PART")
NUMBERED: Final = frozenset(
    {"ITEM", "ITENS", "PONTO", "PROPOSTA", "DIRETRIZ", "COMPROMISSO"}
)  # a bare number heads them
LONGEST_BEGINNING: Final = 800  # characters of a section
ROMAN: Final = {"I": 1, "V": 5, "X": 10}


@dataclass(frozen=True, slots=True)
class Part:
    """A numbered part: `kind` as asked (folded), `number`."""

    kind: str
    number: int

    @property
    def text(self) -> str:
        return f"{self.kind.lower()} {self.number}"


def parts_of(parsed: ParsedQuery) -> list[Part]:
    """The numbered parts that a question asks for."""
    found = (Part(match[1], _number(match[2])) for match in PART.finditer(parsed.folded))
    return list(dict.fromkeys(found))


def spans_of_part(part: Part, source: Structure, _place: Span) -> tuple[Span, ...]:
    """A numbered part as the plan's structure has it: an item whole, the beginning of what a heading heads."""
    labels = (str(part.number), _roman(part.number))
    blocks = [block for label in labels if label for block in source.labelled(label)]
    named = [one for one in blocks if _named(source.text[one.start : one.end], part)]
    numbered = [one for one in blocks if one not in named] if part.kind in NUMBERED else []
    for block in (*named, *numbered):
        if block.kind != "heading":
            return ((block.start, block.end),)
        return _beginning(source, source.section(block))
    return ()


def _named(text: str, part: Part) -> bool:
    return _plain(text).upper().replace(" ", "").startswith(part.kind[:4])


def _beginning(source: Structure, section: Span) -> tuple[Span, ...]:
    """The first sentences of a section."""
    sentences = [span for _, span in source.around(*section)]
    return tuple(span for span in sentences if span[1] - section[0] <= LONGEST_BEGINNING) or tuple(sentences[:2])


def rows_of_part(part: Part, rows: Iterable[ChunkRow]) -> list[ChunkRow]:
    """The chunks where a part begins: its heading ("EIXO 2", "Meta 4:"), or for items the number that opens a line."""
    rows = list(rows)
    heading = re.compile(
        rf"\b{part.kind.removesuffix('S')}S?\s*(?:N[º°.]\s*)?0?(?:{part.number}|{_roman(part.number)})\b", re.IGNORECASE
    )
    opening = re.compile(rf"(?:^|\n|[.;:!?•]\s)\s*0?{part.number}\s?[.)º–-]\s*(?=[A-ZÀ-Ü“\"])")
    named = [row for row in rows if heading.search(_plain(row["content"]))]
    opened = [row for row in rows if opening.search(row["content"])]
    chosen = opened or named if part.kind in NUMBERED else _headings(part, named) or named or opened
    return chosen[:2]


def _headings(part: Part, rows: list[ChunkRow]) -> list[ChunkRow]:
    """Of the chunks that name the part those where its name opens a line or stands in capitals."""
    line = re.compile(rf"(?:^|\n)\s*{part.kind}\s*0?(?:{part.number}|{_roman(part.number)})\b", re.IGNORECASE)
    capitals = re.compile(rf"\b{part.kind}\s*0?(?:{part.number}|{_roman(part.number)})\b")
    return [row for row in rows if capitals.search(_plain(row["content"])) or line.search(_plain(row["content"]))]


def edge_page(parsed: ParsedQuery, rows: Iterable[ChunkRow]) -> int | None:
    """The number of the first or last page that the question asks for."""
    match = EDGE.search(parsed.folded)
    pages = [(row["page_start"], row["page_end"] or row["page_start"]) for row in rows if row["page_start"]]
    if match is None or not pages:
        return None
    first = (match[1] or match[2]) in ("PRIMEIRA", "INICIAL")
    return int(min(start for start, _ in pages) if first else max(end for _, end in pages))


def _plain(text: str) -> str:
    return text.translate(str.maketrans("íÍóÓçÇãÃúÚ", "iIoOcCaAuU"))


def _number(text: str) -> int:
    if text.isdigit():
        return int(text)
    values = [ROMAN[letter] for letter in text]
    pairs = zip(values, [*values[1:], 0], strict=True)
    return sum(-value if value < after else value for value, after in pairs)


def _roman(number: int) -> str:
    tens, rest = divmod(number, 10)
    ones = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")[rest]
    return "X" * tens + ones
