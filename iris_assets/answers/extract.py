"""The answer without a model: what the evidences say, quoted, grouped by candidate in neutral order."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from iris_assets.answers.context import escape, pages_text
from iris_assets.answers.wording import worded
from iris_assets.retrieval.order import grouped
from iris_assets.retrieval.types import CandidateLookup, CandidateRef, Evidence, LookupEntry
from iris_assets.words.text import fold

MOST_NAMED: Final = 3  # candidates in one heading


@dataclass(frozen=True, slots=True)
class Extract:
    """The text and, for each quoted evidence, what of it is shown."""

    text: str
    quotes: dict[str, str] = field(default_factory=dict)


def build_extract(question: str, evidences: Sequence[Evidence], absent: Iterable[LookupEntry] = ()) -> Extract:
    """Evidences grouped by candidate, each with its page and its [E#]; then who has none, with the reason."""
    quotes = _quotes(question, evidences)
    paragraphs: list[str] = []
    for candidates, group in grouped([one for one in evidences if one.evidence_id in quotes]):
        lines = [_heading(candidates)] if candidates else []
        lines += [f"- {_line(evidence, quotes)}" for evidence in group]
        paragraphs.append("\n".join(lines))
    missing = "\n".join(f"- {absence_line(entry)}" for entry in absent)
    return Extract("\n\n".join(filter(None, (*paragraphs, missing))), quotes)


def build_lookup(question: str, lookup: CandidateLookup) -> Extract:
    """One entry per candidate of the page: an excerpt, or which kind of absence it is."""
    quotes = {
        entry.evidence.evidence_id: worded(lookup.topic or question, entry.evidence)
        for entry in lookup.entries
        if entry.evidence
    }
    lines = [
        f"- {escape(entry.candidate.label)} ({entry.candidate.year}): {_line(entry.evidence, quotes)}"
        if entry.evidence
        else f"- {absence_line(entry)}"
        for entry in lookup.entries
    ]
    return Extract("\n".join(lines), quotes)


def absence_line(entry: LookupEntry) -> str:
    """Who has no evidence, and why."""
    return f"{escape(entry.candidate.label)} ({entry.candidate.year}): {entry.text}."


def quoted_lines(question: str, evidences: Sequence[Evidence]) -> str:
    """The evidences as lines of a list."""
    quotes = _quotes(question, evidences)
    return "\n".join(f"- {_line(evidence, quotes)}" for evidence in evidences if evidence.evidence_id in quotes)


def _quotes(question: str, evidences: Iterable[Evidence]) -> dict[str, str]:
    """What each evidence says; two passages of one bill say the same, so that only the first one is quoted."""
    quotes: dict[str, str] = {}
    for evidence in evidences:
        said = worded(question, evidence)
        if said not in quotes.values():
            quotes[evidence.evidence_id] = said
    return quotes


def _line(evidence: Evidence, quotes: dict[str, str]) -> str:
    said = escape(quotes[evidence.evidence_id])
    heading = f"{escape(evidence.heading)} — " if evidence.heading else ""
    return f"{_title(evidence, said)}{heading}{said} [{evidence.evidence_id}]"


def _title(evidence: Evidence, said: str) -> str:
    """What stands before the quote; a record that opens with its own title needs none, a page always has its own."""
    title = " ".join(escape(evidence.title).split())
    opens = not evidence.page_start and fold(said).startswith(fold(title))
    return "" if opens or not title else f"{title}{pages_text(evidence, ', p. ')}: "


def _heading(candidates: Sequence[CandidateRef]) -> str:
    """Whose evidence follows, with the election; of many the first and how many more."""
    shown = "; ".join(f"{escape(candidate.label)} ({candidate.year})" for candidate in candidates[:MOST_NAMED])
    more = len(candidates) - MOST_NAMED
    return f"{shown} e mais {more} {'candidatura' if more == 1 else 'candidaturas'}" if more > 0 else shown
