"""An answer's text before it becomes a response: quoted from the evidences, or a model's after the citation gate."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from iris_assets.answers.context import citable_span, gate_evidence
from iris_assets.answers.extract import Extract, quoted_lines
from iris_assets.answers.fixed import NOTHING_VERIFIED, REPLACED
from iris_assets.answers.generation import Chat, Generated
from iris_assets.answers.neutrality import OF_SOURCES, breach
from iris_assets.answers.second_reader import read_again
from iris_assets.answers.wording import worded
from iris_assets.grounding.markers import cited_ids
from iris_assets.grounding.verifier import Citation, Removed, Verified, verify
from iris_assets.retrieval.evidence import show
from iris_assets.retrieval.excerpts import holds_topic, sentences_at
from iris_assets.retrieval.types import Evidence


@dataclass(frozen=True, slots=True)
class Draft:
    """`quotes` is what is shown of each evidence, and the spans of the citations are characters of it.

    `resting` are the evidences as the text rests on them: their pages are those of what is shown.
    """

    text: str
    citations: tuple[Citation, ...] = ()
    quotes: Mapping[str, str] = field(default_factory=dict)
    notices: tuple[str, ...] = ()
    removed: tuple[Removed, ...] = ()
    flagged: tuple[Removed, ...] = ()
    resting: Mapping[str, Evidence] = field(default_factory=dict)
    model: str | None = None
    seconds: float = 0.0
    generated: bool = False
    failure: str | None = None


def quoted(extract: Extract, notices: tuple[str, ...] = (), failed: Generated | None = None) -> Draft:
    """An extract; `failed` is the model call in whose place it is served."""
    draft = Draft(extract.text, _whole(extract.quotes), extract.quotes, notices)
    if failed is None:
        return draft
    return replace(draft, model=failed.model, seconds=failed.seconds, failure=failed.problem)


def verified(
    question: str, topic: str, generated: Generated, evidences: Sequence[Evidence], reader: Chat | None = None
) -> Draft:
    """A model's text after the citation verifier; in place of what was removed stand the excerpts that it cited.

    Only those that hold a word of the `topic` (any, where the question has none); `reader` reads what is doubted once
    more.
    """
    result = verify(
        generated.text or "",
        [gate_evidence(evidence) for evidence in evidences],
        own_voice=breach,
        of_sources=OF_SOURCES,
    )
    result = read_again(result, reader) if reader else result
    by_id = {evidence.evidence_id: evidence for evidence in evidences}
    resting = _resting(question, result.citations, by_id)
    citations = tuple(_in_quote(citation, by_id, resting) for citation in result.citations)
    text, quotes = _with_excerpts(question, topic, result, by_id)
    return Draft(
        text,
        (*citations, *_whole(quotes)),
        {**{key: one.quote for key, one in resting.items()}, **quotes},
        result.notices,
        result.removed,
        result.flagged,
        resting,
        generated.model,
        generated.seconds,
        generated=bool(result.text),
    )


def _whole(quotes: Mapping[str, str]) -> tuple[Citation, ...]:
    return tuple(Citation(key, "", (0, len(quote))) for key, quote in quotes.items())


def _resting(question: str, citations: Iterable[Citation], by_id: Mapping[str, Evidence]) -> dict[str, Evidence]:
    """The cited evidences, each showing the sentences on which the text rests (of a record: all of it, in words)."""
    spans: dict[str, list[tuple[int, int]]] = {}
    for citation in citations:
        spans.setdefault(citation.evidence_id, []).append(_in_source(citation, by_id[citation.evidence_id]))
    shown = {}
    for key, places in spans.items():
        evidence = by_id[key]
        sentences = sentences_at(evidence.source, places) if evidence.source else ()
        shown[key] = show(evidence, sentences) if sentences else replace(evidence, quote=worded(question, evidence))
    return shown


def _in_source(citation: Citation, evidence: Evidence) -> tuple[int, int]:
    first, _ = citable_span(evidence) or (0, 0)
    return first + citation.span[0], first + citation.span[1]


def _in_quote(citation: Citation, by_id: Mapping[str, Evidence], resting: Mapping[str, Evidence]) -> Citation:
    """The citation with its span counted in the quote."""
    evidence, shown = by_id[citation.evidence_id], resting[citation.evidence_id]
    if evidence.source is None:
        return replace(citation, span=_in_record(evidence.content[slice(*citation.span)], shown.quote))
    words = evidence.source.one_line(_in_source(citation, evidence))
    start = max(shown.quote.find(words), 0)
    return replace(citation, span=(start, min(start + len(words), len(shown.quote))))


def _in_record(line: str, said: str) -> tuple[int, int]:
    """Where a record's words tell the value of one of its lines (`Ementa: …`); all of them where they tell it otherwise."""
    value = " ".join((line.partition(": ")[2] or line).split())
    start = said.find(value)
    return (start, start + len(value)) if value and start >= 0 else (0, len(said))


def _with_excerpts(
    question: str, topic: str, result: Verified, by_id: Mapping[str, Evidence]
) -> tuple[str, dict[str, str]]:
    """The text, with the excerpts of the evidences that only removed sentences cited, and these excerpts."""
    kept = {citation.evidence_id for citation in result.citations}
    lost = dict.fromkeys(key for item in result.removed for key in cited_ids(item.text))
    said = {key: worded(question, by_id[key]) for key in lost if key in by_id and key not in kept}
    quotes = {key: text for key, text in said.items() if text and holds_topic(text, topic)}
    lines = quoted_lines(question, [by_id[key] for key in quotes])
    text = "\n\n".join(part for part in (result.text or NOTHING_VERIFIED, lines and f"{REPLACED}\n{lines}") if part)
    return text, quotes
