"""What a model answered is checked against the internal map before any of it counts."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from iris_assets.articles.blocks import Block, BlockMap
from iris_assets.articles.completeness import LEAST_LONE_SHARE, listed, lone_share, restored
from iris_assets.articles.configuration import Thresholds
from iris_assets.articles.contracts import HygieneAnswer, Removal, RemovalReason, Repair
from iris_assets.articles.defects import HEADS, conservative
from iris_assets.articles.repairs import Attested, repaired
from iris_assets.articles.text import words
from iris_assets.errors import ModelError
from iris_assets.words.text import fold_any_script


@dataclass(frozen=True, slots=True)
class Cleaned:
    """The article that was decided on: blocks in order, repaired texts by id, link URLs, what went and why."""

    title: str | None
    subtitle: str | None
    author: str | None
    body: tuple[Block, ...]
    texts: Mapping[str, str]
    links: frozenset[str]
    removed: tuple[Removal, ...]
    restored: tuple[str, ...] = ()
    applied: tuple[Repair, ...] = ()
    dropped: tuple[str, ...] = ()


def _ungrounded(code: str, message: str) -> ModelError:
    return ModelError(code, message, hint="the fallback model or the deterministic selection takes over")


def apply_answer(answer: HygieneAnswer, blocks: BlockMap, limits: Thresholds) -> Cleaned:
    """The article that the ids name. Raises ModelError GROUNDING_* when any id, type, order or share is wrong."""
    by_id = blocks.by_id
    _check_ids(answer, by_id)
    chosen = [by_id[key] for key in answer.kept]
    _check_order(chosen)
    claimed = {item.id: item.reason for item in answer.removed}
    _check_shares(chosen, claimed, blocks, limits)
    kept, back = restored(chosen, claimed, blocks)
    body = _with_images(kept, answer.images, blocks)
    own = {block.id: block.text for block in kept}
    texts, applied, dropped = repaired(answer.repairs, own, Attested(blocks), limits)
    cleaned = Cleaned(
        title=_head("title", answer.title, blocks),
        subtitle=_head("subtitle", answer.subtitle, blocks),
        author=_head("author", answer.author, blocks),
        body=tuple(body),
        texts=texts,
        links=frozenset(url for key in answer.links for _, url in by_id[key].links),
        removed=listed(body, claimed, blocks),
        restored=tuple(back),
        applied=applied,
        dropped=dropped,
    )
    return checked(cleaned)


def deterministic(blocks: BlockMap, limits: Thresholds) -> Cleaned:
    """The conservative article without any model. Raises ModelError GROUNDING_KEPT_SHARE, GROUNDING_EMPTY."""
    body, removed = conservative(blocks)
    links = frozenset(url for block in body for _, url in block.links)
    heads = {kind: _head(kind, None, blocks) for kind in HEADS}
    gone = listed(body, removed, blocks)
    _check_shares(body, removed, blocks, limits)
    texts = {block.id: block.text for block in body}
    cleaned = Cleaned(heads["title"], heads["subtitle"], heads["author"], tuple(body), texts, links, gone)
    return checked(cleaned)


def _check_shares(
    kept: Sequence[Block], claimed: Mapping[str, RemovalReason], blocks: BlockMap, limits: Thresholds
) -> None:
    if not any(words(block.text) for block in kept):
        raise _ungrounded("GROUNDING_EMPTY", "nothing of the article was kept")
    if kept_share(kept, blocks) < limits.minimum_kept_share:
        raise _ungrounded("GROUNDING_KEPT_SHARE", "too little was kept of what the extractors agree on")
    if lone_share(kept, claimed, blocks) < LEAST_LONE_SHARE:
        raise _ungrounded("GROUNDING_KEPT_SHARE", "too little was kept of what one extractor alone has")


def checked(cleaned: Cleaned) -> Cleaned:
    """The same without repetition of title or subtitle, which goes as a duplicate."""
    heads = {fold_any_script(text) for text in (cleaned.title, cleaned.subtitle) if text}
    body = tuple(block for block in cleaned.body if block.type == "image" or fold_any_script(block.text) not in heads)
    if not any(words(block.text) for block in body):
        raise _ungrounded("GROUNDING_EMPTY", "nothing of the article was kept")
    repeated = (Removal(id=block.id, reason="duplicate") for block in cleaned.body if block not in body)
    return replace(cleaned, body=body, removed=(*cleaned.removed, *repeated))


def kept_share(body: Iterable[Block], blocks: BlockMap) -> float:
    """Words kept of those that at least two extractors have and no structural flag marks."""
    held = {key for block in body for key in (block.id, *block.equivalences)}
    agreed = [b for b in blocks.selected if b.type not in HEADS and b.votes > 1 and not b.flags]
    total = sum(len(words(block.text)) for block in agreed)
    return sum(len(words(block.text)) for block in agreed if block.id in held) / total if total else 1.0


def _check_ids(answer: HygieneAnswer, by_id: Mapping[str, Block]) -> None:
    every = [*answer.kept, *answer.images, *answer.links, *(item.id for item in answer.removed)]
    every += [key for key in (answer.title, answer.subtitle, answer.author) if key is not None]
    if any(key not in by_id for key in every):
        raise _ungrounded("GROUNDING_UNKNOWN_ID", "the answer names a block that does not exist")
    for group in (answer.kept, answer.images, answer.links, tuple(item.id for item in answer.removed)):
        if len(set(group)) != len(group):
            raise _ungrounded("GROUNDING_REPEATED_ID", "the answer names a block twice")
    if set(answer.kept) & {item.id for item in answer.removed}:
        raise _ungrounded("GROUNDING_CONTRADICTION", "the answer keeps and removes a block")
    typed = [(key, kind) for kind in HEADS if (key := getattr(answer, kind)) is not None]
    wrong = any(by_id[key].type != kind for key, kind in typed)
    wrong = wrong or any(by_id[key].type in (*HEADS, "image") for key in answer.kept)
    wrong = wrong or any(by_id[key].type != "image" for key in answer.images)
    if wrong or not set(answer.links) <= set(answer.kept):
        raise _ungrounded("GROUNDING_WRONG_TYPE", "the answer uses a block as what it is not")


def _check_order(kept: Sequence[Block]) -> None:
    orders: dict[str, int] = {}
    seen: set[str] = set()
    for block in kept:
        if block.order < orders.get(block.extractor, -1):
            raise _ungrounded("GROUNDING_ORDER", "the answer changes the order of the blocks")
        orders[block.extractor] = block.order
        if block.id in seen:
            raise _ungrounded("GROUNDING_REPEATED_ID", "the answer keeps a block and its equivalent")
        if len(words(block.text)) > 4:
            seen.update(block.equivalences)


def _with_images(kept: Sequence[Block], images: Sequence[str], blocks: BlockMap) -> list[Block]:
    """The chosen pictures where they stood: before the first kept block that follows them in their extraction."""
    body = list(kept)
    for key in images:
        image = blocks.by_id[key]
        place = next(
            (i for i, b in enumerate(body) if b.extractor == image.extractor and b.order > image.order), len(body)
        )
        body.insert(place, image)
    return body


def _head(kind: str, key: str | None, blocks: BlockMap) -> str | None:
    if key is not None:
        return blocks.by_id[key].text
    if kind == "subtitle":  # pages copy their first paragraph into the description: one extractor alone proves none
        own = [block for block in blocks.selected if block.type == kind]
        agreed = [block for block in blocks.others if block.type == kind and block.votes > 1]
        return (own or agreed)[0].text if own or agreed else None
    found = [block for block in (*blocks.selected, *blocks.others) if block.type == kind]
    # The title or author that most extractors agree on; the selected one's first.
    return max(found, key=lambda block: block.votes).text if found else None
