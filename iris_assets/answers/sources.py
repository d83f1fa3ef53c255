"""The flat list of an answer's sources, each told cited or consulted, with the passage and the span it rests on."""

from collections.abc import Mapping, Sequence

from iris_assets.answers.links import human_url, list_url, locator
from iris_assets.answers.response import CandidateModel, CitationModel, SourceModel, SpanModel
from iris_assets.answers.wording import worded
from iris_assets.grounding.judge import Span
from iris_assets.grounding.verifier import Citation
from iris_assets.retrieval.order import by_ballot_name
from iris_assets.retrieval.types import CandidateRef, Evidence
from iris_assets.words.comparable import clean
from iris_assets.words.source_kinds import GOVERNMENT_PROPOSAL


def candidate_model(candidate: CandidateRef) -> CandidateModel:
    """A candidate for the outside (no row id)."""
    return CandidateModel(
        tse_id=candidate.tse_id,
        name=candidate.name,
        ballot_name=candidate.ballot_name,
        party=candidate.party,
        office=candidate.office,
        state=candidate.state,
        year=candidate.year,
        number=candidate.number,
        label=candidate.label,
    )


def source_models(
    evidences: Sequence[Evidence], quotes: Mapping[str, str], spans: Mapping[str, Span]
) -> list[SourceModel]:
    """All evidences in their order; those in `spans` (characters of their quote) are cited."""
    return [
        _source(evidence, quotes.get(evidence.evidence_id, ""), spans.get(evidence.evidence_id))
        for evidence in evidences
    ]


def citation_models(citations: Sequence[Citation]) -> list[CitationModel]:
    return [
        CitationModel(evidence_id=c.evidence_id, sentence=c.sentence, span=SpanModel(start=c.span[0], end=c.span[1]))
        for c in citations
    ]


def _source(evidence: Evidence, quote: str, span: Span | None) -> SourceModel:
    candidates = by_ballot_name(evidence.candidates)
    years = sorted({candidate.year for candidate in candidates})
    is_plan = evidence.source_type == GOVERNMENT_PROPOSAL
    return SourceModel(
        evidence_id=evidence.evidence_id,
        cited=span is not None,
        source_type=evidence.source_type,
        source_id=evidence.source_id,
        chunk_index=evidence.chunk_index,
        title=evidence.title,
        page_start=evidence.page_start,
        page_end=evidence.page_end,
        page_label=evidence.page_label,
        url=evidence.url,
        human_url=human_url(evidence),
        locator=locator(evidence),
        list_url=list_url(evidence),
        quote=clean(quote or worded("", evidence)),
        heading=evidence.heading,
        span=SpanModel(start=span[0], end=span[1]) if span else None,
        candidates=[candidate_model(candidate) for candidate in candidates],
        election_year=(is_plan and evidence.structured.get("election_year")) or (years[-1] if years else None),
        collected_at=evidence.collected_at,
        # A plan's identifier is the SHA-256 of its PDF; other records have the hash of the cited text.
        source_hash=evidence.source_id if is_plan else evidence.content_hash,
    )
