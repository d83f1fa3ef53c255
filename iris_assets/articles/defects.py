"""Defects that structure alone shows: repetition, titles in the body, lists of links, captions, stray lines."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from iris_assets.articles.blocks import Block, BlockMap
from iris_assets.articles.contracts import RemovalReason
from iris_assets.articles.text import words
from iris_assets.words.text import fold_any_script

HEADS: Final = ("title", "subtitle", "author")
DENSE: Final = 0.6  # share of a block's words that are anchors of links
REPEATED_WORDS: Final = 5  # shorter lines may rightly come twice (a refrain, a speaker's name)
FLAG_REASONS: Final[dict[str, RemovalReason]] = {
    "duplicate": "duplicate",
    "title_repeated": "duplicate",
    "link_list": "related_links",
    "caption": "caption",
    "stray": "navigation",
}


def flagged(blocks: BlockMap) -> BlockMap:
    """The same map with structural flags on the selected extractor's body blocks."""
    # Only a subtitle that will be shown counts: pages copy their first paragraph into the description.
    titles = {fold_any_script(b.text) for b in (*blocks.selected, *blocks.others) if b.type == "title"}
    heads = titles | {fold_any_script(b.text) for b in blocks.selected if b.type == "subtitle"}
    seen: set[str] = set()
    after_image = False
    marked = []
    for block in blocks.selected:
        flags = set() if block.type in HEADS else set(_flags(block, heads, seen, after_image))
        marked.append(replace(block, flags=frozenset(flags)))
        after_image = block.type == "image"
        if block.type not in HEADS:
            seen.add(fold_any_script(block.text))
    return BlockMap(tuple(_stray_ends(marked)), blocks.others)


def _flags(block: Block, heads: set[str], seen: set[str], after_image: bool) -> list[str]:
    if block.type == "image":
        return []
    key, found = fold_any_script(block.text), []
    if key in seen and len(words(key)) >= REPEATED_WORDS:
        found.append("duplicate")
    if key in heads:
        found.append("title_repeated")
    if block.type == "caption" or (after_image and block.votes == 1 and len(words(key)) < 30):
        found.append("caption")
    if link_density(block) >= DENSE and block.votes < 3:
        found.append("link_list")
    return found


def link_density(block: Block) -> float:
    """The share of a block's words that stand in links."""
    total = len(words(block.text))
    return sum(len(words(anchor)) for anchor, _ in block.links) / total if total else 0.0


def _stray_ends(blocks: Sequence[Block]) -> list[Block]:
    """Flag the blocks before the first and after the last one that another extractor has too."""
    body = [i for i, block in enumerate(blocks) if block.type not in HEADS and block.type != "image"]
    shared = [i for i in body if blocks[i].votes > 1]
    if not shared:
        return list(blocks)
    outside = {i for i in body if i < shared[0] or i > shared[-1]}
    return [replace(block, flags=block.flags | {"stray"}) if i in outside else block for i, block in enumerate(blocks)]


def recovered(blocks: BlockMap) -> list[Block]:
    """The body to start from: the selected blocks, and list items that both others have, after what precedes them."""
    body = [block for block in blocks.selected if block.type not in HEADS]
    held = {twin for block in body for twin in (block.id, *block.equivalences)}
    names = sorted({block.extractor for block in blocks.others})
    for name in names[:1]:
        theirs = [block for block in blocks.others if block.extractor == name and block.type not in HEADS]
        for before, block in zip([None, *theirs], theirs, strict=False):
            if block.type != "list_item" or block.id in held or block.votes < 2 or _known(block, blocks):
                continue
            body.insert(_place(body, before), block)
    return body


def _known(block: Block, blocks: BlockMap) -> bool:
    key = fold_any_script(block.text)
    return any(key in fold_any_script(own.text) for own in blocks.selected)


def _place(body: Sequence[Block], before: Block | None) -> int:
    if before is None:
        return 0
    for index, block in enumerate(body):
        if block.id == before.id or before.id in block.equivalences:
            return index + 1
    return len(body)


def conservative(blocks: BlockMap) -> tuple[list[Block], dict[str, RemovalReason]]:
    """The deterministic article: what carries no structural flag; and why each other block went."""
    kept, removed = [], {}
    for block in recovered(blocks):
        reasons = [FLAG_REASONS[flag] for flag in sorted(block.flags)]
        if reasons:
            removed[block.id] = reasons[0]
        else:
            kept.append(block)
    return kept, removed
