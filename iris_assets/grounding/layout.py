"""An answer cut into blocks (headings, items, rows, paragraphs) and these into sentences, and put together again."""

import re
from dataclasses import dataclass, field
from functools import cache

from iris_assets.grounding.markers import MARKER, UNKNOWN
from iris_assets.words.lexicon import data_lines

HEADING, LEAD_IN, ITEM, ROW, RULE, PARAGRAPH, BLANK = "heading", "lead_in", "item", "row", "rule", "paragraph", "blank"

# A full stop ends a sentence before a blank, a citation or, right after a citation, a capital.
_END = re.compile(r"(?:\.{3}|[.!?…])[\"”»'’)\]*_]*(?=\s|$|\[E\d)|(?<=\])\.(?=[A-ZÀ-Ý])")
_LAST_WORD = re.compile(r"(?<![\w.º])[\w.º]+$")
_TRAILING = re.compile(r"\s*(?:\[E\d+\]\s*)+[.,;]?")
NEAR = 60  # characters around a full stop that tell whether it ends a sentence
_HEADING = re.compile(r"^(\s{0,3}#{1,6}\s+)(.*)$")
_BOLD_LINE = re.compile(r"^\s*(?:\*\*|__)([^*_]+)(?:\*\*|__):?\s*$")
_ITEM = re.compile(r"^(\s*(?:[-*•–▪◦·]|\d{1,3}[.)]|\(?[a-z]\))\s+)(.*)$")
_QUOTE = re.compile(r"^(\s*(?:>\s?)+)(.*)$")
_TABLE_RULE = re.compile(r"^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$")
_FENCE = re.compile(r"^\s*(?:`{3,}|~{3,})\S*\s*$")
_ONLY_MARKERS = re.compile(r"^\s*(?:\[E\d+\][\s.,;]*)+$")
_SEGMENT_END = re.compile(
    r"[.!?…]+[\"”»)\]*_]*\s+(?=[A-ZÀ-Ý\d\"“‘«•(–-])|[;:]\s*\n\s*|;\s+|\n\s*\n\s*"
    r"|\n\s*(?=(?:[•▪◦●■►➢✓✔*–-]|\d{1,3}[.)]|[a-z]\))\s|[A-ZÀ-Ý][\wÀ-ÿ/]{2,20}(?: [\wÀ-ÿ/]+)?: )"
    r"|\n(?=[A-ZÀ-Ý][A-ZÀ-Ý\d ,./&()–-]{6,}\n)|(?<=[A-ZÀ-Ý]{4})\n(?=[A-ZÀ-Ý]? ?[a-zà-ÿ])"
)
_HARD_WRAP = 60  # shorter lines were ended on purpose


@dataclass(slots=True)
class Block:
    """A line or paragraph: `prefix` is its bullet or heading mark, `depth` its heading level or indentation."""

    kind: str
    prefix: str
    text: str
    depth: int = 0
    sentences: list[str] = field(default_factory=list)


def split_blocks(text: str) -> list[Block]:
    """Blocks of a Markdown-like answer in order; code-fence lines are dropped, what they hold is kept."""
    blocks: list[Block] = []
    for line in text.split("\n"):
        if _FENCE.match(line):
            continue
        block = _classify(line)
        if _ONLY_MARKERS.match(line) and blocks and blocks[-1].kind in (PARAGRAPH, ITEM):
            blocks[-1].text += " " + line.strip()
        elif block.kind == PARAGRAPH and blocks and _continues(blocks[-1], line):
            blocks[-1].text += "\n" + line.strip()
        else:
            blocks.append(block)
    _mark_lead_ins(blocks)
    for block in blocks:
        block.sentences = [block.text] if block.kind in (HEADING, LEAD_IN, ROW, RULE) else split_sentences(block.text)
    return blocks


def split_sentences(text: str) -> list[str]:
    """Sentences of one paragraph; citations that follow the full stop stay with the sentence before it."""
    sentences: list[str] = []
    start = 0
    protected = _protected(text)
    for match in _END.finditer(text):
        end = match.end()
        if (
            end <= start
            or any(a <= match.start() < b - 1 for a, b in protected)
            or _is_abbreviation(text, match.start(), end)
        ):
            continue
        trailing = _TRAILING.match(text, end)
        end = trailing.end() if trailing else end
        if not _may_start(text[end : end + NEAR]):
            continue
        sentences.append(text[start:end].strip())
        start = end
    sentences.append(text[start:].strip())
    return [sentence for sentence in sentences if sentence]


def segment_starts(passage: str) -> list[int]:
    """Where the segments of a passage begin after the first: sentences, list items, fields, headings."""
    return [
        match.end()
        for match in _SEGMENT_END.finditer(passage)
        if passage[match.start()] != "." or not _is_abbreviation(passage, match.start(), match.start() + 1)
    ]


def _may_start(rest: str) -> bool:
    """Whether what follows a full stop looks like a new sentence (or nothing)."""
    following = rest.lstrip(" \t\n\"“«'‘(*_[-–")
    return not following or not following[0].islower()


@cache
def _abbreviations() -> frozenset[str]:
    """As they are written, with their marks."""
    return frozenset(next(line for line in data_lines("names.txt") if line.startswith("abbreviations:")).split()[1:])


def _is_abbreviation(text: str, position: int, end: int) -> bool:
    if text[position] != "." or end - position > 1:
        return False
    before = text[max(position - NEAR, 0) : position]
    word = _LAST_WORD.search(before)
    if word is None:
        return False
    token = word[0].lower()
    following = text[end : end + NEAR].lstrip()
    if token.isdigit() and before[: word.start()].rstrip()[-1:] in (":", ";", "("):
        return True  # "em ordem: 1. creches; 2. escolas" numbers a list within the sentence
    if token.isdigit():
        # "art. 5. 300" is no sentence end, "em 2026. O plano" is.
        return bool(following) and following[0].isdigit()
    if len(token) == 1:
        return word[0].isupper() or token in _abbreviations()
    ends_anyway = (
        token in {"etc", "com", "set", "mar", "sec", "no", "nos"} and bool(following) and following[0].isupper()
    )
    return token in _abbreviations() and not ends_anyway


def _protected(text: str) -> list[tuple[int, int]]:
    """Spans inside quotation marks: a full stop there ends no sentence of ours (unless it closes the quotation)."""
    return [
        found.span()
        for found in re.finditer(r"“[^”]{0,2000}”|«[^»]{0,2000}»|\"[^\"\n]*\"|‘[^’\n]{0,2000}’(?!\w)", text)
    ]


def _classify(line: str) -> Block:
    if not line.strip():
        return Block(BLANK, "", "")
    if heading := _HEADING.match(line):
        return Block(HEADING, heading[1], heading[2].strip(), heading[1].count("#"))
    if (bold := _BOLD_LINE.match(line)) and not MARKER.search(line):
        return Block(HEADING, "", line.strip(), 7 if bold[1] else 0)
    if _TABLE_RULE.match(line) and "-" in line and ("|" in line or line.strip().startswith("--")):
        return Block(RULE, "", line.strip())
    if line.strip().startswith("|"):
        return Block(ROW, "", line.strip())
    if item := _ITEM.match(line):
        return Block(ITEM, item[1], item[2].strip(), len(item[1]) - len(item[1].lstrip()) + 1)
    if quote := _QUOTE.match(line):
        return Block(ITEM, quote[1], quote[2].strip(), 1)
    return Block(PARAGRAPH, "", line.strip())


def _continues(previous: Block, line: str) -> bool:
    """Whether a plain line goes on with the block above (hard-wrapped text)."""
    if previous.kind not in (PARAGRAPH, ITEM) or not previous.text:
        return False
    last = previous.text.split("\n")[-1]
    if re.search(r"(?:[.!?…:;]|\[E\d+\])[\"”»)*_]*$", last):
        return False
    return line.strip()[0].islower() or len(last) >= _HARD_WRAP


def _mark_lead_ins(blocks: list[Block]) -> None:
    """An uncited line ending in a colon before a list or table leads it in, as a table's first row does."""
    for index, block in enumerate(blocks):
        following = next((b for b in blocks[index + 1 :] if b.kind != BLANK), None)
        if following is None or MARKER.search(block.text):
            continue
        leads = block.text.rstrip("*_ ").endswith(":") and following.kind in (ITEM, ROW)
        deeper = block.kind != ITEM or following.depth > block.depth
        if (block.kind in (PARAGRAPH, ITEM) and leads and deeper) or (block.kind == ROW and following.kind == RULE):
            block.kind = LEAD_IN


def render(blocks: list[Block]) -> str:
    """The text of the blocks with the sentences that they still have; blanks tidied."""
    lines: list[str] = []
    for block in blocks:
        if block.kind == BLANK:
            lines.append("")
        elif block.sentences:
            lines.append(block.prefix + " ".join(block.sentences))
    return tidy("\n".join(lines))


def tidy(text: str) -> str:
    """Blanks and punctuation left behind by removals, put right."""
    text = text.replace(UNKNOWN, "")
    text = re.sub(r"[ \t]+", " ", re.sub(r"(?m)^([ \t]*)", lambda m: m[1].replace("\t", "  ").replace(" ", "\0"), text))
    text = text.replace("\0", " ")
    text = re.sub(r"(?<=\S) +([.,;:!?])", r"\1", text)
    text = re.sub(r"(?<=[^\s(\[“\"'])(\[E\d+\])", r" \1", text)
    text = re.sub(r"(\[E\d+\]) (?=\[E\d+\])", r"\1", text)
    text = re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE)
    return re.sub(r"\n{3,}", "\n\n", text).strip()
