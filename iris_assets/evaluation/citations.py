"""How an answer cites: do its citations hold, and how much of the text rests on one."""

import re
from collections.abc import Collection

from iris_assets.answers.response import AnswerResponse, SourceModel
from iris_assets.grounding.layout import ITEM, PARAGRAPH, ROW, split_blocks
from iris_assets.grounding.markers import cited_ids


def citation_values(answer: AnswerResponse) -> dict[str, float]:
    """Figures of one answer, each from 0 to 1; none for an answer that has no evidence to cite.

    `answers_with_citation`: 1 when a source is cited. `citation_validity`: the citations that hold, of those shown
    and those that the citation verifier removed. `citation_coverage`: the sentences with a citation that holds; in an extract
    each quotation is one sentence and lines that quote nothing are left out.
    """
    if not answer.sources:
        return {}
    values = {"answers_with_citation": float(any(source.cited for source in answer.sources))}
    texts = _sentences(answer.answer) if answer.generated else _quotations(answer.answer)
    held = [[holds(answer, key, text) for key in cited_ids(text)] for text in texts]
    shown = sum(len(one) for one in held)
    if shown or answer.removed:
        values["citation_validity"] = sum(map(sum, held)) / (shown + len(answer.removed))
    if texts:
        values["citation_coverage"] = sum(map(any, held)) / len(texts)
    return values


def shows(answer: AnswerResponse, sentence: str, relevant: Collection[tuple[str, int | None]]) -> bool:
    """Whether a cited quote holds the sentence and names a page on which it is known to stand: (source id, page)."""
    return any(
        source.cited and sentence in source.quote and (source.source_id, source.page_start) in relevant
        for source in answer.sources
    )


def holds(answer: AnswerResponse, key: str, text: str) -> bool:
    """Whether the citation `key` in `text` points to a cited source and a span inside its chunk.

    In an extract the words of that span must also be those that the text shows.
    """
    source = next((source for source in answer.sources if source.evidence_id == key), None)
    if source is None or not source.cited or source.span is None:
        return False
    chunk = _quoted(source)
    return bool(chunk.strip()) and (answer.generated or _words(chunk) in _words(text))


def _quoted(source: SourceModel) -> str:
    assert source.span is not None
    start, end = source.span.start, source.span.end
    return source.quote[start:end] if 0 <= start < end <= len(source.quote) else ""


def _sentences(text: str) -> list[str]:
    blocks = split_blocks(text)
    return [sentence for block in blocks if block.kind in (PARAGRAPH, ITEM, ROW) for sentence in block.sentences]


def _quotations(text: str) -> list[str]:
    return [line for line in text.split("\n") if cited_ids(line)]


def _words(text: str) -> str:
    # Compared without blanks and marks: an extract escapes delimiters and joins lines.
    return "".join(re.findall(r"\w+", text))
