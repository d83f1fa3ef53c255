"""Extractions turned into blocks with opaque stable ids: the only material that an article may be made of."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, Final

from rapidfuzz import fuzz

from iris_assets.articles.contracts import Article, Extraction
from iris_assets.articles.dom import BLOCK_TAGS, SILENT_TAGS, absolute, dom, tag_of
from iris_assets.articles.text import one_line, shingles, undamaged
from iris_assets.words.text import fold_any_script

HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
SHORT: Final = 12  # characters up to which two texts are equal or different, nothing between
OVERLAP: Final = 0.7  # share of words that two blocks must have in common before their sequence is compared
SAME: Final = 92.0  # likeness in percent (rapidfuzz) from which two blocks read the same
COVERED: Final = 0.6  # share of a block's runs of words that another extractor must have


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of one extraction; `links` are (anchor text, URL), `votes` the extractors that have it."""

    id: str
    type: str
    extractor: str
    field: str
    text: str
    order: int
    url: str | None = None
    parent: str | None = None
    level: int = 0
    links: tuple[tuple[str, str], ...] = ()
    equivalences: tuple[str, ...] = ()
    votes: int = 1
    flags: frozenset[str] = frozenset()
    hash: str = ""


@dataclass(slots=True)
class _Piece:
    type: str
    text: str = ""
    url: str | None = None
    parent: str | None = None
    level: int = 0
    links: list[tuple[str, str]] = field(default_factory=list)


def blocks_of(name: str, extraction: Extraction, base: str) -> list[Block]:
    """The blocks of one extraction: title, subtitle and author first, then the body in its own order."""
    source, pieces = _body(extraction, base)
    heads = [("title", extraction.title), ("subtitle", extraction.subtitle), ("author", extraction.author)]
    found = [_block(name, kind, _Piece(kind, value), -1) for kind, value in heads if value and one_line(value)]
    found += [_block(name, source, piece, order) for order, piece in enumerate(pieces) if piece.text or piece.url]
    return list({block.id: block for block in found}.values())


def _block(name: str, source: str, piece: _Piece, order: int) -> Block:
    text = undamaged(one_line(piece.text))
    content = sha256(f"{piece.type}\n{text}\n{piece.url or ''}".encode()).hexdigest()
    identity = sha256(f"{name}\n{source}\n{order}\n{content}".encode()).hexdigest()[:10]
    return Block(
        f"b{identity}", piece.type, name, source, text, order, piece.url, piece.parent, piece.level,
        tuple((undamaged(one_line(anchor)), url) for anchor, url in piece.links), hash=content,
    )  # fmt: skip


def _body(extraction: Extraction, base: str) -> tuple[str, list[_Piece]]:
    if extraction.html:
        return "html", list(_from_html(dom(extraction.html), base))
    if extraction.markdown:
        return "markdown", list(_from_html(dom(_rendered(extraction.markdown)), base))
    return "text", [_text_piece(line) for line in (extraction.text or "").splitlines() if line.strip()]


def _text_piece(line: str) -> _Piece:
    stripped = line.strip()
    return _Piece("list_item", stripped[2:]) if stripped[:2] in ("- ", "* ", "• ") else _Piece("paragraph", stripped)


def _rendered(markdown: str) -> str:
    from markdown_it import MarkdownIt

    return str(MarkdownIt("commonmark", {"html": False}).render(markdown))


def _kind(tags: list[str]) -> tuple[str, int]:
    """The type of what stands inside these open elements (outermost first)."""
    if "figcaption" in tags or "caption" in tags:
        return "caption", 0
    for tag in reversed(tags):
        if tag in HEADINGS:
            return "heading", int(tag[1])
    if "li" in tags:
        return "list_item", 0
    if "td" in tags or "th" in tags:
        return "table", 0
    return ("quote", 0) if "blockquote" in tags else ("paragraph", 0)


def _from_html(root: Any, base: str) -> Iterator[_Piece]:
    """Every run of text between block borders, and every picture where it stands."""
    tags: list[str] = []
    piece = _Piece("paragraph")
    stack: list[tuple[Any, bool]] = [(root, False)]
    while stack:
        node, closing = stack.pop()
        tag = tag_of(node)
        border = tag in BLOCK_TAGS or tag in ("br", "img")
        if border and (piece.text.strip() or closing):
            yield from _finished(piece, tags)
            piece = _Piece("paragraph")
        if closing:
            if tag in BLOCK_TAGS:
                tags.pop()
            piece.text += (node.tail or "") if node is not root else ""
            continue
        if tag == "img":
            url = absolute(node.get("src") or "", base)
            yield from [_Piece("image", node.get("alt") or "", url)] if url else []
        if tag == "a" and (target := absolute(node.get("href") or "", base)):
            piece.links.append(("".join(node.itertext()), target))
        if not tag or tag in SILENT_TAGS:
            piece.text += node.tail or ""
            continue
        if tag in BLOCK_TAGS:
            tags.append(tag)
        piece.text += node.text or ""
        stack.append((node, True))
        stack.extend((child, False) for child in reversed(node))
    yield from _finished(piece, tags)


def _finished(piece: _Piece, tags: list[str]) -> Iterator[_Piece]:
    if one_line(piece.text):
        piece.type, piece.level = _kind(tags)
        piece.parent = tags[-1] if tags else None
        yield piece


@dataclass(frozen=True, slots=True)
class BlockMap:
    """The internal map of an article: `selected` in order, `others`, and every block by id."""

    selected: tuple[Block, ...]
    others: tuple[Block, ...]

    @property
    def by_id(self) -> dict[str, Block]:
        return {block.id: block for block in (*self.selected, *self.others)}


def map_blocks(article: Article) -> BlockMap:
    """All blocks, each with its equivalents in the other extractions and its votes (1 to 3)."""
    every = {name: blocks_of(name, extraction, article.url) for name, extraction in article.extractions.items()}
    bags = {name: shingles(fold_any_script(" ".join(block.text for block in blocks))) for name, blocks in every.items()}
    keys = {name: [(fold_any_script(block.text), block) for block in blocks] for name, blocks in every.items()}
    linked = {name: [_linked(block, keys, bags) for block in blocks] for name, blocks in every.items()}
    chosen = article.selected_extractor
    return BlockMap(tuple(linked[chosen]), tuple(b for name, found in linked.items() if name != chosen for b in found))


def _linked(block: Block, keys: dict[str, list[tuple[str, Block]]], bags: dict[str, Any]) -> Block:
    key, votes, same = fold_any_script(block.text), 1, []
    if not key:
        return block
    own = shingles(key)
    for name in keys:
        if name == block.extractor:
            continue
        twins = [other.id for text, other in keys[name] if _equivalent(key, text)]
        same += twins
        votes += bool(twins) or (own & bags[name]).total() >= COVERED * own.total()
    return replace(block, equivalences=tuple(same), votes=votes)


def _equivalent(left: str, right: str) -> bool:
    """Equal once folded; or most words shared and, in sequence, nearly the same."""
    if left == right:
        return True
    shorter, longer = sorted((len(left), len(right)))
    # Lengths that differ more cannot be so alike; the cheap test first, most pairs end here.
    if shorter <= SHORT or shorter < 0.8 * longer or not fuzz.ratio(left, right, score_cutoff=SAME):
        return False
    ours, theirs = Counter(left.split()), Counter(right.split())
    return (ours & theirs).total() >= OVERLAP * max(ours.total(), theirs.total())
