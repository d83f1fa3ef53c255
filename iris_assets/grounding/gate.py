"""The citation gate: nothing leaves it that its cited evidences do not hold, and all that was taken out is listed."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from iris_assets.grounding.attribution import continues_previous, moved_fact
from iris_assets.grounding.bearing import bear
from iris_assets.grounding.citations import MARKER, cited_ids, normalise_citations
from iris_assets.grounding.claims import Sentence, miscounted, unsupported
from iris_assets.grounding.doubts import doubts, nothing_shared
from iris_assets.grounding.evidence import GateEvidence, Owner
from iris_assets.grounding.names import Register
from iris_assets.grounding.neutrality import breach
from iris_assets.grounding.normalise import clean
from iris_assets.grounding.sentences import (
    BLANK,
    HEADING,
    ITEM,
    LEAD_IN,
    PARAGRAPH,
    ROW,
    RULE,
    Block,
    render,
    split_blocks,
)
from iris_assets.grounding.spans import Span, supporting_span
from iris_assets.grounding.verdict import Failure

NO_CITATION_NOTICE = "A resposta ficou sem citação verificada: as fontes listadas foram apenas consultadas."


@dataclass(frozen=True, slots=True)
class Removed:
    """A sentence or marker that was taken out; `reason` is a stable code, `detail` says it in Portuguese."""

    text: str
    reason: str
    detail: str

    def as_json(self) -> dict[str, str]:
        return {"text": self.text, "reason": self.reason, "detail": self.detail}


@dataclass(frozen=True, slots=True)
class Citation:
    """One citation that stayed: the sentence, and the span of the evidence's passage on which it rests."""

    evidence_id: str
    sentence: str
    span: Span


@dataclass(frozen=True, slots=True)
class Verified:
    """An answer after the gate."""

    text: str
    removed: tuple[Removed, ...]
    flagged: tuple[Removed, ...]
    citations: tuple[Citation, ...]
    notices: tuple[str, ...]

    @property
    def cited(self) -> tuple[str, ...]:
        """Cited evidence ids in order of first appearance."""
        return tuple(dict.fromkeys(citation.evidence_id for citation in self.citations))


@dataclass(slots=True)
class _Work:
    evidences: Mapping[str, GateEvidence]
    register: Register
    removed: list[Removed] = field(default_factory=list)
    flagged: list[Removed] = field(default_factory=list)
    citations: list[Citation] = field(default_factory=list)

    def cited(self, text: str) -> list[GateEvidence]:
        return [self.evidences[key] for key in cited_ids(text)]


def verify(answer: str, evidences: Sequence[GateEvidence]) -> Verified:
    """Check every sentence of `answer` against the evidences that it cites. Never raises for any text."""
    by_id = {evidence.evidence_id: evidence for evidence in evidences}
    work = _Work(by_id, Register(evidences))
    normalised = normalise_citations(clean(answer), list(by_id))
    work.removed += [Removed(text, "UNKNOWN_CITATION", "a evidência não existe") for text in normalised.unknown]
    blocks = split_blocks(normalised.text)
    _judge_sentences(blocks, work)
    _judge_headings(blocks, work)
    text = render(blocks)
    return Verified(text, tuple(work.removed), tuple(work.flagged), tuple(work.citations), _notices(work))


def _judge_sentences(blocks: list[Block], work: _Work) -> None:
    scopes = _Scopes(work.register)
    for block in blocks:
        scopes.enter(block)
        if block.kind in (HEADING, LEAD_IN, RULE, BLANK):
            continue
        kept = []
        previous: Owner | None = None
        for sentence in block.sentences:
            scope = previous if previous and continues_previous(sentence) else scopes.current
            if _judge(sentence, scope, work, block):
                kept.append(sentence)
            previous = _only_mention(sentence, work.register) or previous
        block.sentences = kept


class _Scopes:
    """The candidate that headings and lead-ins put over what follows them."""

    def __init__(self, register: Register) -> None:
        self._register = register
        self._heading: Owner | None = None
        self._lead: Owner | None = None

    def enter(self, block: Block) -> None:
        if block.kind == HEADING:
            named = _only_mention(block.text, self._register)
            self._heading = named or (self._heading if block.depth > 2 else None)
            self._lead = None
        elif block.kind == LEAD_IN:
            self._lead = _only_mention(block.text, self._register)
        elif block.kind == PARAGRAPH:
            self._lead = None

    @property
    def current(self) -> Owner | None:
        return self._lead or self._heading


def _only_mention(text: str, register: Register) -> Owner | None:
    owners = {mention.owner.key: mention.owner for mention in register.mentions(text)}
    return next(iter(owners.values())) if len(owners) == 1 else None


def _judge(text: str, scope: Owner | None, work: _Work, block: Block) -> bool:
    """Whether a sentence stays; what goes is listed, doubts are flagged, citations get their spans."""
    cited = work.cited(text)
    sentence = Sentence(text)
    failure = _failure(text, sentence, cited, scope, work)
    if failure:
        work.removed.append(Removed(text, failure.reason, failure.detail))
        return False
    spans = {evidence.evidence_id: supporting_span(sentence, evidence) for evidence in cited}
    borne = bear(text, cited, list(work.evidences.values()), work.register)
    if borne.failure:
        work.removed.append(Removed(text, borne.failure.reason, borne.failure.detail))
        return False
    quoted = block.prefix.strip().startswith(">")
    found = [*doubts(text, sentence, cited, work.register, quoted=quoted), *borne.doubts]
    work.flagged += [Removed(text, doubt.reason, doubt.detail) for doubt in found]
    # One for each marker as it stands in the text, so that a reader can open the n-th one.
    work.citations += [Citation(f"E{n}", text, spans[f"E{n}"]) for n in MARKER.findall(text)]
    return True


def _failure(
    text: str, sentence: Sentence, cited: list[GateEvidence], scope: Owner | None, work: _Work
) -> Failure | None:
    if found := breach(work.register.masked(text)):
        return Failure(found[0], f"“{found[1]}” não é dito por este serviço")
    if not cited:
        return Failure("NO_CITATION", "a frase não cita nenhuma evidência")
    if not re.search(r"\w", sentence.folded):
        return Failure("NO_CITATION", "a citação não acompanha nenhuma frase")
    everyone = list(work.evidences.values())
    return (
        unsupported(sentence, cited)
        or moved_fact(text, cited, everyone, work.register, scope)
        or miscounted(sentence, cited)
        or nothing_shared(sentence, cited, work.register)
    )


def _judge_headings(blocks: list[Block], work: _Work) -> None:
    """A heading or lead-in stays when something under it stays and that evidence bears what it says."""
    for index in range(len(blocks) - 1, -1, -1):
        block = blocks[index]
        if block.kind not in (HEADING, LEAD_IN, RULE):
            continue
        below = [
            text
            for other in _section(blocks, index)
            if other.kind in (ITEM, PARAGRAPH, ROW)
            for text in other.sentences
        ]
        cited = work.cited(" ".join(below))
        if block.kind == RULE:
            block.sentences = block.sentences if below and "|" in block.text else []
            continue
        failure = _heading_failure(block.text, cited, work)
        block.sentences = [] if failure else [MARKER.sub("", block.text).rstrip()]
        if failure:
            work.removed.append(Removed(block.text, failure.reason, failure.detail))


def _heading_failure(text: str, cited: list[GateEvidence], work: _Work) -> Failure | None:
    if found := breach(work.register.masked(text)):
        return Failure(found[0], f"“{found[1]}” não é dito por este serviço")
    if not cited:
        return Failure("NO_CITATION", "nada do que o título anuncia pôde ser confirmado")
    if len(text) > 160:
        return Failure("NO_CITATION", "o título é longo demais para não ter citação")
    return unsupported(Sentence(text), cited) or moved_fact(
        text, cited, list(work.evidences.values()), work.register, None
    )


def _section(blocks: list[Block], index: int) -> list[Block]:
    """The blocks that a heading, lead-in or table rule governs."""
    head, rest = blocks[index], blocks[index + 1 :]
    section: list[Block] = []
    for block in rest:
        if head.kind == HEADING and block.kind == HEADING and block.depth <= head.depth:
            break
        if head.kind != HEADING and _leaves(head, block):
            break
        section.append(block)
    return section


def _leaves(head: Block, block: Block) -> bool:
    """Whether a block lies outside a lead-in's list or table."""
    if block.kind in (HEADING, PARAGRAPH):
        return True
    return head.kind == LEAD_IN and head.depth > 0 and block.kind in (ITEM, LEAD_IN) and block.depth <= head.depth


def _notices(work: _Work) -> tuple[str, ...]:
    unknown = sum(item.reason == "UNKNOWN_CITATION" for item in work.removed)
    sentences = len(work.removed) - unknown
    notices = []
    if sentences:
        notices.append(
            _plural(
                sentences, "trecho foi retirado", "trechos foram retirados", "por não ter confirmação nas evidências"
            )
        )
    if unknown:
        notices.append(
            _plural(
                unknown, "citação foi retirada", "citações foram retiradas", "por não corresponder a nenhuma evidência"
            )
        )
    if not work.citations:
        notices.append(NO_CITATION_NOTICE)
    return tuple(notices)


def _plural(count: int, one: str, many: str, why: str) -> str:
    return f"{count} {one if count == 1 else many} {why}."
