"""The answer without a model: what the evidences say, quoted, grouped by candidate in neutral order."""

from collections.abc import Sequence
from dataclasses import dataclass

from iris_assets.answers.context import escape
from iris_assets.grounding.normalise import clean, content_stems, fold
from iris_assets.grounding.sentences import pieces
from iris_assets.grounding.spans import Span
from iris_assets.retrieval.order import grouped
from iris_assets.retrieval.types import CandidateLookup, CandidateRef, Evidence

LONGEST = 320


@dataclass(frozen=True, slots=True)
class Extract:
    """The text and, for each quoted evidence, the span of its passage that is shown."""

    text: str
    spans: dict[str, Span]


def build_extract(question: str, evidences: Sequence[Evidence]) -> Extract:
    """Evidences grouped by candidate, at most 320 characters each, cut at a word, each with its [E#]."""
    paragraphs: list[str] = []
    spans: dict[str, Span] = {}
    for candidates, group in grouped(evidences):
        lines = [_heading(candidates)] if candidates else []
        for evidence in group:
            line, spans[evidence.evidence_id] = _line(question, evidence)
            lines.append(f"- {line}")
        paragraphs.append("\n".join(lines))
    return Extract("\n\n".join(paragraphs), spans)


def build_lookup(question: str, lookup: CandidateLookup) -> Extract:
    """One entry per candidate of the page: an excerpt, or which kind of absence it is."""
    lines: list[str] = []
    spans: dict[str, Span] = {}
    for entry in lookup.entries:
        if entry.evidence is None:
            lines.append(f"- {escape(entry.candidate.label)}: {entry.text}.")
        else:
            text, spans[entry.evidence.evidence_id] = _line(lookup.topic or question, entry.evidence)
            lines.append(f"- {escape(entry.candidate.label)}: {text}")
    return Extract("\n".join(lines), spans)


def excerpt(question: str, content: str) -> Span:
    """The span, at most 320 characters, that begins with the sentence sharing most words with the question."""
    passage = clean(content)
    wanted = content_stems(question)
    starts = [(len(wanted & content_stems(passage[a:b])), -a, a) for a, b in pieces(passage)]
    start = max(starts)[2] if starts and max(starts)[0] > 0 else 0
    # A match near the end would show a scrap: go back as far as the room allows, to a word.
    start = min(start, max(0, len(passage) - LONGEST))
    while start > 0 and not passage[start - 1].isspace():
        start += 1
    return start, _cut(passage, start)


def _cut(passage: str, start: int) -> int:
    if len(passage) - start <= LONGEST:
        return len(passage.rstrip())
    end = start + LONGEST
    while end > start and not passage[end].isspace():
        end -= 1
    return end if end > start else start + LONGEST


def _line(question: str, evidence: Evidence) -> tuple[str, Span]:
    span = excerpt(question, evidence.content)
    passage = clean(evidence.content)
    shown = " ".join(escape(passage[slice(*span)]).split())
    before, after = ("… " if span[0] else ""), ("…" if span[1] < len(passage.rstrip()) else "")
    title = _title(evidence)
    return f"{title}{before}{shown}{after} [{evidence.evidence_id}]", span


def _title(evidence: Evidence) -> str:
    title = " ".join(escape(evidence.title).split())
    page = f", p. {evidence.page_start}" if evidence.page_start else ""
    opens = fold(evidence.content)[: len(title)] == fold(title)
    return "" if opens or not title else f"{title}{page}: "


def _heading(candidates: tuple[CandidateRef, ...]) -> str:
    return "; ".join(escape(candidate.label) for candidate in candidates)
