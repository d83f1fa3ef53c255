"""Nothing is dropped in silence: what the extractors agree on stays unless its own form shows that it is no text."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from iris_assets.articles.blocks import Block, BlockMap
from iris_assets.articles.contracts import Removal, RemovalReason
from iris_assets.articles.defects import FLAG_REASONS, HEADS, link_density
from iris_assets.articles.text import SENTENCE_ENDS, words
from iris_assets.words.text import fold_any_script

LABEL_WORDS: Final = 8  # words up to which a line without a sentence may be a label of the page
CAPTION_WORDS: Final = 40
LINKED: Final = 0.5  # share of a block's words in links from which it leads elsewhere
LEAST_LONE_SHARE: Final = 0.5  # of what one extractor alone has: half, since nothing else tells text from page
LONG_WORDS: Final = 12  # words from which a paragraph of one extractor is more than a line of the page


def body_blocks(blocks: BlockMap) -> list[Block]:
    """Every body block that an answer must keep or tell: the selected extractor's, and what it lacks."""
    return [block for block in told_blocks(blocks) if block.type not in HEADS]


def told_blocks(blocks: BlockMap) -> list[Block]:
    """What a model is told: the selected extractor's blocks, and those of the others that it has no equivalent of."""
    known = {key for block in blocks.selected for key in block.equivalences}
    return [*blocks.selected, *(block for block in blocks.others if block.id not in known)]


def restored(
    kept: Sequence[Block], claimed: Mapping[str, RemovalReason], blocks: BlockMap
) -> tuple[list[Block], list[str]]:
    """The kept blocks with those that the extractors agree on and nothing but the model's word removes; and their ids."""
    held = _held(kept)
    back = [
        block
        for block in blocks.selected
        if _is_text(block) and block.votes > 1 and not block.flags and block.id not in held
        and not _is_supported(block, claimed.get(block.id), blocks)
    ]  # fmt: skip
    body = list(kept)
    for block in back:
        body.insert(_place(body, block), block)
    return body, [block.id for block in back]


def lone_share(kept: Sequence[Block], claimed: Mapping[str, RemovalReason], blocks: BlockMap) -> float:
    """Words kept of the paragraphs that the selected extractor alone has, those left out that their form removes."""
    held = _held(kept)
    alone = [
        block
        for block in blocks.selected
        if _is_text(block) and block.votes == 1 and not block.flags and len(words(block.text)) >= LONG_WORDS
        and (block.id in held or not _is_supported(block, claimed.get(block.id), blocks))
    ]  # fmt: skip
    total = sum(len(words(block.text)) for block in alone)
    return sum(len(words(block.text)) for block in alone if block.id in held) / total if total else 1.0


def listed(kept: Sequence[Block], claimed: Mapping[str, RemovalReason], blocks: BlockMap) -> tuple[Removal, ...]:
    """Every body block that is not kept, with its reason: the one claimed, a structural one, or that nobody chose it."""
    held = _held(kept)
    gone = [block for block in body_blocks(blocks) if block.id not in held]
    return tuple(Removal(id=block.id, reason=claimed.get(block.id) or _reason(block)) for block in gone)


def _held(kept: Iterable[Block]) -> set[str]:
    return {key for block in kept for key in (block.id, *block.equivalences)}


def _is_text(block: Block) -> bool:
    return block.type not in (*HEADS, "image")


def _place(body: Sequence[Block], block: Block) -> int:
    """Before the first kept block that follows it in its extraction."""
    return next((i for i, b in enumerate(body) if b.extractor == block.extractor and b.order > block.order), len(body))


def _reason(block: Block) -> RemovalReason:
    flags = [FLAG_REASONS[flag] for flag in sorted(block.flags)]
    return flags[0] if flags else "not_chosen"


def _is_supported(block: Block, reason: RemovalReason | None, blocks: BlockMap) -> bool:
    """Whether the form of the block itself shows that it is what the reason says."""
    size = len(words(block.text))
    leads_elsewhere = link_density(block) >= LINKED
    is_label = size <= LABEL_WORDS and not block.text.endswith(tuple(SENTENCE_ENDS))
    if reason in ("navigation", "advertisement", "related_links"):
        return leads_elsewhere or is_label
    if reason == "caption":
        return block.type == "caption" or (size <= CAPTION_WORDS and _follows_image(block, blocks))
    return reason == "duplicate" and _is_repeated(block, blocks)


def _follows_image(block: Block, blocks: BlockMap) -> bool:
    place = next((i for i, found in enumerate(blocks.selected) if found.id == block.id), 0)
    return place > 0 and blocks.selected[place - 1].type == "image"


def _is_repeated(block: Block, blocks: BlockMap) -> bool:
    key = fold_any_script(block.text)
    return any(key in fold_any_script(other.text) for other in blocks.selected if other.id != block.id)
