"""The three questions of a run: what is the article, is it about the profile, how does it speak."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import unquote

from iris_assets.articles.asking import Asker
from iris_assets.articles.blocks import Block, BlockMap
from iris_assets.articles.completeness import told_blocks
from iris_assets.articles.configuration import Thresholds
from iris_assets.articles.contracts import Article, Decision, Enrichment, HygieneAnswer, Profile, Relevance
from iris_assets.articles.guard.decision import judge
from iris_assets.articles.harness import Cleaned, apply_answer, deterministic
from iris_assets.articles.markdown import assemble, urls_of
from iris_assets.articles.text import one_line
from iris_assets.errors import ModelError
from iris_assets.words.text import fold_any_script

Payload = dict[str, Any]
UNREACHED = ("LLM_", "MODEL_", "ROLE_")  # codes of models that gave no answer to judge
MARKUP = frozenset("<>[]{}`|\\")
FEWEST_TAGS = 3
ENDING, STEM = 3, 5  # letters of an ending that may differ, letters that must not
ABOUT = ("direct", "contextual")


def clean(blocks: BlockMap, limits: Thresholds, asker: Asker) -> Payload:
    """The cleaned article by the first believable model, else by structure. Raises ModelError HYGIENE_FAILED."""

    def check(answer: HygieneAnswer) -> tuple[Cleaned, str]:
        return _assembled(apply_answer(answer, blocks, limits), blocks)

    note = ""
    try:
        (cleaned, markdown), by = asker.ask("hygiene", _material(blocks), check)
    except ModelError as error:
        note, by = error.code, "deterministic"
        cleaned, markdown = _by_structure(blocks, limits, error.code)
    return _payload(cleaned, markdown, Decision.model_validate({"what": "hygiene", "by": by, "detail": note}))


def cleaned_without_a_model(payload: Payload) -> bool:
    """Whether no model could be asked when the content was cleaned: it is cleaned again once one can."""
    first = payload["decisions"][0]
    return first["by"] == "deterministic" and str(first["detail"]).startswith(UNREACHED)


def _assembled(cleaned: Cleaned, blocks: BlockMap) -> tuple[Cleaned, str]:
    """The article and its Markdown. Raises ModelError GROUNDING_URL for an address that no block has."""
    markdown = assemble(cleaned.title, cleaned.subtitle, cleaned.body, cleaned.texts, cleaned.links)
    every = (*blocks.selected, *blocks.others)
    known = {block.url for block in every if block.url} | {url for block in every for _, url in block.links}
    if not {unquote(url) for url in urls_of(markdown)} <= {unquote(url) for url in known}:
        raise ModelError("GROUNDING_URL", "the Markdown leads to an address that is not in the input")
    return cleaned, markdown


def _by_structure(blocks: BlockMap, limits: Thresholds, code: str) -> tuple[Cleaned, str]:
    try:
        return _assembled(deterministic(blocks, limits), blocks)
    except ModelError as error:
        raise ModelError("HYGIENE_FAILED", f"models: {code}; deterministic: {error.code}") from error


def _material(blocks: BlockMap) -> Payload:
    own = {block.id for block in blocks.selected}
    return {"blocks": [_told(block, block.id in own) for block in told_blocks(blocks)]}


def _told(block: Block, selected: bool) -> Payload:
    facts: Payload = {"id": block.id, "type": block.type, "selected": selected, "votes": block.votes}
    return {**facts, "text": block.text, "links": len(block.links), "flags": sorted(block.flags)}


def _payload(cleaned: Cleaned, markdown: str, decision: Decision) -> Payload:
    body = cleaned.body
    texts = [cleaned.texts.get(block.id, block.text) for block in body if block.type != "image"]
    return {
        "markdown": markdown,
        "title": cleaned.title, "subtitle": cleaned.subtitle, "author": cleaned.author,
        "body_text": "\n\n".join(texts),
        "paragraphs": [{"id": block.id, "text": cleaned.texts.get(block.id, block.text)}
                       for block in body if block.type != "image"],
        "kept": [block.id for block in body],
        "removed": [item.model_dump() for item in cleaned.removed],
        "restored": list(cleaned.restored),
        "repairs_applied": [item.model_dump() for item in cleaned.applied],
        "repairs_dropped": list(cleaned.dropped),
        "decisions": [decision.model_dump()],
    }  # fmt: skip


def published_at(article: Article) -> str | None:
    """When the article says it was published: the selected extraction, its JSON-LD, then the others."""
    chosen = article.extractions[article.selected_extractor]
    others = [item.published_at for item in article.extractions.values()]
    found = next((value for value in (chosen.published_at, _dated(chosen.json_ld), *others) if value), None)
    return one_line(found)[:40] if found else None


def _dated(value: Any, depth: int = 0) -> str | None:
    if depth > 6:
        return None
    if isinstance(value, dict):
        own = value.get("datePublished")
        return own if isinstance(own, str) else next(filter(None, (_dated(v, depth + 1) for v in value.values())), None)
    if isinstance(value, list):
        return next(filter(None, (_dated(item, depth + 1) for item in value)), None)
    return None


def gate(profile: Profile, payload: Payload, asker: Asker) -> Payload:
    """{"approved", "relevance", "decisions"}. Raises ModelError when neither model gives a believable answer."""
    ids = {item["id"] for item in payload["paragraphs"]}

    def check(answer: Relevance) -> Relevance:
        _evidence(answer.evidence, ids, required=answer.category in ABOUT)
        return answer

    material = {"profile": profile.model_dump(mode="json"), "title": payload["title"], "subtitle": payload["subtitle"],
                "blocks": payload["paragraphs"]}  # fmt: skip
    answer, by = asker.ask("gate", material, check)
    approved = answer.category in ABOUT
    texts = [payload["title"] or "", payload["subtitle"] or "", *(item["text"] for item in payload["paragraphs"])]
    decisions = [*payload["decisions"], {"what": "gate", "by": by, "detail": answer.category}]
    found: Payload = {"approved": approved, "relevance": answer.model_dump(), "decisions": decisions}
    if approved:
        judged = judge(profile, texts)
        found |= {"approved": judged.verdict == "APPROVE", "guard": judged.record.model_dump(mode="json")}
        if judged.code:
            decisions.append({"what": "homonym_guard", "by": "deterministic", "detail": judged.code})
    return found


def enrich(article: Article, profile: Profile, payload: Payload, asker: Asker) -> Payload:
    """{"enrichment", "decisions"}; the body is not touched. Raises ModelError when neither model is believable."""
    ids = {item["id"] for item in payload["paragraphs"]}
    held = set(
        fold_any_script(" ".join([payload["title"] or "", payload["subtitle"] or "", payload["body_text"]])).split()
    )

    def check(answer: Enrichment) -> Enrichment:
        _evidence(answer.evidence, ids, required=answer.tone != "neutral")
        return answer.model_copy(update={"tags": _grounded(answer.tags, held)})

    person = {"name": profile.ballot_name or profile.names[0], "office": profile.office, "uf": profile.uf}
    material = {"title": payload["title"], "subtitle": payload["subtitle"], "blocks": payload["paragraphs"],
                "language": article.language, "profile": person}  # fmt: skip
    answer, by = asker.ask("enrichment", material, check)
    decisions = [*payload["decisions"], {"what": "enrichment", "by": by, "detail": ""}]
    return {"enrichment": answer.model_dump(), "decisions": decisions}


def _grounded(tags: Sequence[str], held: set[str]) -> tuple[str, ...]:
    """The tags whose every word stands in the article, each once. Raises ModelError GROUNDING_TAGS below three."""
    plain = {
        fold_any_script(tag): one_line(tag) for tag in reversed(tags) if tag == one_line(tag) and not MARKUP & {*tag}
    }
    kept = [tag for key, tag in reversed(plain.items()) if key and all(_stands_in(word, held) for word in key.split())]
    if len(kept) < FEWEST_TAGS:
        raise ModelError("GROUNDING_TAGS", f"fewer than {FEWEST_TAGS} tags are made of words of the article")
    return tuple(kept)


def _stands_in(word: str, held: set[str]) -> bool:
    """The word, or one with another ending (`escolas` for `escola`)."""
    stem = word[: max(len(word) - ENDING, STEM)]
    return word in held or (len(word) > STEM and any(other.startswith(stem) for other in held))


def _evidence(found: Sequence[str], ids: set[str], *, required: bool) -> None:
    if not set(found) <= ids or len(set(found)) != len(found) or (required and not found):
        raise ModelError("GROUNDING_EVIDENCE", "the evidence is not in the article")
