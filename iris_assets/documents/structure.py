"""The structure of a plan's text: headings, items, paragraphs and their sentences, each with its place and page.

Found from the lines alone, so that it holds for any plan: nothing here knows what a plan is about.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

from iris_assets.documents.lines import Line, lines_of
from iris_assets.documents.sentences import Span, sentence_spans

Kind = Literal["heading", "item", "paragraph", "note"]  # note: a footnote or contents
PageMarks = Sequence[tuple[int, int]]

CAPITALS: Final = 0.8  # share of a heading's letters
_NUMBERED: Final = re.compile(
    r"(\d{1,3}(?:\.\d{1,3})*)\s?[ºª°]?(?:\s*[.)–—-]\s+|\s+(?=[A-ZÀ-Ý]))|(\d{1,3}(?:\.\d{1,3})+)\.?\s"
)
_LETTERED: Final = re.compile(r"\(?([a-z]|[ivx]{1,5})\)\s+|([IVX]{1,6})\s*[.)–—-]\s+")
_BULLET: Final = re.compile(r"[-–—•▪▫➢✓●○◦·*‣■□◆►»❖✔➤⇒→✅]\s+|o\s+(?=[A-ZÀ-Ý])")
_NAMED: Final = re.compile(
    r"(eixo|cap[íi]tulo|se[çc][ãa]o|parte|t[íi]tulo|anexo|diretriz|pilar|tema|[áa]rea|proposta|meta|compromisso"
    r"|desafio|programa|objetivo)\s+(?:n?[º°.]\s*)?(\d{1,3}|[ivxlc]{1,6})\b",
    re.IGNORECASE,
)
_NOTE: Final = re.compile(r"\d{1,3}\s+(?:.{0,60}://|fontes?\b)|.{0,80}dispon[íi]vel em:?\s*<?http", re.IGNORECASE)
_ENTRY: Final = re.compile(r"(?=.{8}).*[^\W\d_][\s.…_]+\d{1,3}$")
_SPACED: Final = re.compile(r"\b(?:[^\W\d_] ){2,}[^\W\d_]\b")
_ENDED: Final = re.compile(r"[.!?…:;][\"”»'’)\]]*$|https?://\S+$")
_TAIL: Final = re.compile(
    r"(?:[,;.(–—-]|\b(?:e|ou|de|da|do|das|dos|em|na|no|nas|nos|a|o|as|os|à|às|ao|aos|com|para|por|pelo|pela|pelos|pelas"
    r"|que|um|uma|sem|sob|sobre|entre|seu|sua|seus|suas))$",
    re.IGNORECASE,
)
LONGEST_HEADING: Final = 120


@dataclass(frozen=True, slots=True)
class Block:
    """Characters `start` to `end` of the text: a heading, an item or a paragraph.

    `label` is the number or letter by which the document calls it (`46`, `2.1`, `a`; "" without), `level` of a heading
    counts from 1, `heading` is the index of the block that heads this one (-1: none).
    """

    kind: Kind
    start: int
    end: int
    label: str = ""
    level: int = 0
    heading: int = -1


class Structure:
    """Blocks of one text in order, with the page of every character."""

    def __init__(self, text: str, page_marks: PageMarks = ()) -> None:
        """`page_marks` are (offset, physical page number), ascending."""
        self.text, self.page_marks = text, tuple(page_marks)
        self._offsets = [offset for offset, _ in self.page_marks]

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """All blocks; together they hold every word."""
        return tuple(_headed(_Reader(self.text, self.page_marks).blocks()))

    @cached_property
    def _starts(self) -> list[int]:
        return [block.start for block in self.blocks]

    def pages(self, start: int, end: int) -> tuple[int, int] | None:
        """First and last physical page of a span; None for a text without pages."""
        if not self.page_marks:
            return None
        first, last = (max(bisect_right(self._offsets, at) - 1, 0) for at in (start, max(end - 1, start)))
        return self.page_marks[first][1], self.page_marks[last][1]

    def page_span(self, number: int) -> Span | None:
        """Where the text of a page lies; None when there is no such page or it has no text."""
        for index, (offset, page) in enumerate(self.page_marks):
            if page == number:
                following = self._offsets[index + 1] if index + 1 < len(self._offsets) else len(self.text)
                return offset, offset + len(self.text[offset:following].rstrip())
        return None

    def by_page(self, span: Span) -> list[tuple[int | None, Span]]:
        """The span cut where pages begin: (physical page, part), parts without text left out."""
        borders = [offset for offset in self._offsets if span[0] < offset < span[1]]
        parts = zip((span[0], *borders), (*borders, span[1]), strict=True)
        found = [(self.pages(start, end), (start, end)) for start, end in parts if self.text[start:end].strip()]
        return [(pages[0] if pages else None, part) for pages, part in found]

    def block_at(self, offset: int) -> int:
        """Index of the block that holds a character, or the last one before it (-1: none)."""
        return bisect_right(self._starts, offset) - 1

    def sentences(self, index: int) -> list[Span]:
        """The sentences of a block; a heading is one."""
        block = self.blocks[index]
        whole = [(block.start, block.end)]
        return whole if block.kind in ("heading", "note") else sentence_spans(self.text, block.start, block.end)

    def around(self, start: int, end: int) -> Iterator[tuple[int, Span]]:
        """(block index, sentence) for every sentence that has a character in the span, whole ones."""
        for index in range(max(self.block_at(start), 0), len(self.blocks)):
            if self.blocks[index].start >= end:
                return
            yield from ((index, span) for span in self.sentences(index) if span[0] < end and span[1] > start)

    def heading_of(self, index: int) -> Block | None:
        """The heading above a block."""
        above = self.blocks[index].heading
        return self.blocks[above] if above >= 0 else None

    def labelled(self, label: str) -> list[Block]:
        """The items and headings that carry this number or letter (`46`, `2.1`, `Eixo 2` → `2`), in order."""
        wanted = label.strip().lower()
        return [block for block in self.blocks if block.label.lower() == wanted]

    def section(self, heading: Block) -> Span:
        """From a heading to the next one of its level or above; of an item, the item itself."""
        if heading.kind != "heading":
            return heading.start, heading.end
        later = (block for block in self.blocks[self.block_at(heading.start) + 1 :])
        following = next((b for b in later if b.kind == "heading" and b.level <= heading.level), None)
        end = following.start if following else len(self.text)
        return heading.start, heading.start + len(self.text[heading.start : end].rstrip())

    def one_line(self, span: Span) -> str:
        """The text of a span with its line breaks as blanks."""
        return " ".join(self.text[slice(*span)].split())


class _Reader:
    """One pass over the lines: each begins a block or goes on with the one before."""

    def __init__(self, text: str, page_marks: PageMarks) -> None:
        self._text = text
        self._lines = lines_of(text, [offset for offset, _ in page_marks])
        self._number = 0  # of the last numbered item: the next one counts on

    def blocks(self) -> list[Block]:
        found: list[Block] = []
        for index, line in enumerate(self._lines):
            before = self._lines[index - 1] if index else None
            after = self._lines[index + 1] if index + 1 < len(self._lines) else None
            begun = self._begins(line, before, after, found[-1] if found else None)
            if begun is None:
                found[-1] = _longer(found[-1], line.end)
            else:
                found.append(begun)
        return found

    def _begins(self, line: Line, before: Line | None, after: Line | None, last: Block | None) -> Block | None:
        """The block that a line begins; None when it goes on with the last one."""
        if _NOTE.match(line.text) or (_is_entry(line) and (_is_entry(before) or _is_entry(after))):
            return Block("note", line.start, line.end)
        if last is not None and last.kind == "note":
            if line.text.startswith("http"):
                return None
            last = None  # what a note interrupts is not the note's
        free = before is None or last is None or _is_free(line, before, last)
        marked = self._marked(line, free)
        if marked is not None:
            label, length = marked
            kind: Kind = "heading" if self._is_title(line, after, line.text[length:], numbered=True) else "item"
            return Block(kind, line.start, line.end, label, label.count(".") + 1 if kind == "heading" else 0)
        if (
            free
            and (named := _NAMED.match(_closed_up(line.text)))
            and self._is_title(line, after, line.text, numbered=True)
        ):
            return Block("heading", line.start, line.end, named[2], 1)
        if free and self._is_title(line, after, line.text):
            return self._title(line, before, last)
        if last is None or last.kind == "heading" or (free and _breaks(line, before)):
            return Block("paragraph", line.start, line.end)
        return None

    def _title(self, line: Line, before: Line | None, last: Block | None) -> Block | None:
        capitals = _in_capitals(line.text)
        goes_on = last is not None and last.kind == "heading" and before is not None and not (line.apart or line.opens)
        if goes_on and last is not None and capitals == _in_capitals(self._text[last.start : last.end]):
            return None
        return Block("heading", line.start, line.end, "", 1 if capitals else 3)

    def _marked(self, line: Line, free: bool) -> tuple[str, int] | None:
        """(label, length of the marker) of a line that begins an item."""
        if (numbered := _NUMBERED.match(line.text)) is not None:
            label = numbered[1] or numbered[2]
            number = int(label.split(".")[0])
            if number == self._number + 1 or (free and numbered.end() < len(line.text)):
                self._number = number
                return label, numbered.end()
            return None
        if not free:
            return ("", bullet.end()) if (bullet := _BULLET.match(line.text)) and line.text[0] not in "-–—o*" else None
        if (lettered := _LETTERED.match(line.text)) is not None:
            return lettered[1] or lettered[2], lettered.end()
        return ("", bullet.end()) if (bullet := _BULLET.match(line.text)) else None

    def _is_title(self, line: Line, after: Line | None, words: str, *, numbered: bool = False) -> bool:
        """Whether a line heads what follows: short, no end of a sentence, nothing that goes on in the next line."""
        letters = sum(map(str.isalpha, words))
        if letters < 3 or len(words) > LONGEST_HEADING:
            return False
        if _in_capitals(words):
            return not words.endswith((",", ";"))
        if _ENDED.search(words) or _TAIL.search(words) or not words.lstrip("\"“«'‘(")[:1].isupper():
            return False
        if after is None or not (after.text[:1].isupper() or _NUMBERED.match(after.text) or _BULLET.match(after.text)):
            return False
        return len(line.text) < (0.8 if numbered else 0.7) * line.width and (numbered or letters > 0.6 * len(words))


def _is_free(line: Line, before: Line, last: Block) -> bool:
    """Whether a line may begin something new: the one before ended, was a heading, or was left short."""
    if last.kind == "heading" or _ENDED.search(before.text):
        return True
    if _TAIL.search(before.text) or line.text[:1].islower():
        return False
    return line.apart or len(before.text) < 0.6 * before.width


def _breaks(line: Line, before: Line | None) -> bool:
    """Whether a free line that is no heading begins a paragraph."""
    if line.text[:1].islower():
        return False
    apart = before is None or line.apart or before.text.endswith((":", ";")) or "://" in before.text
    return apart or (before is not None and len(before.text) < 0.8 * before.width)


def _is_entry(line: Line | None) -> bool:
    """Whether a line may be one of a table of contents: it ends with the number of a page."""
    return line is not None and _ENTRY.match(line.text) is not None


def _closed_up(text: str) -> str:
    """`E I X O 2` → `EIXO 2`: letters that a heading sets apart are one word."""
    return _SPACED.sub(lambda found: found[0].replace(" ", ""), text)


def _in_capitals(text: str) -> bool:
    letters = [char for char in text if char.isalpha()]
    return len(letters) > 2 and sum(char.isupper() for char in letters) >= CAPITALS * len(letters)


def _longer(block: Block, end: int) -> Block:
    return Block(block.kind, block.start, end, block.label, block.level)


def _headed(blocks: list[Block]) -> Iterator[Block]:
    """Each block with the heading above it; a heading's own is the nearest of a higher level."""
    above: list[tuple[int, int]] = []  # (level, index)
    for index, block in enumerate(blocks):
        if block.kind == "heading":
            above = [entry for entry in above if entry[0] < block.level]
        yield Block(block.kind, block.start, block.end, block.label, block.level, above[-1][1] if above else -1)
        if block.kind == "heading":
            above.append((block.level, index))
