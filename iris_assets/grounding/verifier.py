"""The citation verifier: nothing is shown that its evidence does not bear, and all that was taken out is listed."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from iris_assets.grounding.evidence import Evidence, Owner
from iris_assets.grounding.failure import Failure
from iris_assets.grounding.form import Claim
from iris_assets.grounding.judge import Span, judge
from iris_assets.grounding.layout import (
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
    tidy,
)
from iris_assets.grounding.markers import MARKER, UNKNOWN, cited_ids, normalise_citations
from iris_assets.grounding.names import Register
from iris_assets.grounding.reading import words_alone
from iris_assets.words.comparable import clean, fold

BORNE_OUT, DOUBTED, REMOVED = "borne_out", "doubted", "removed"
OwnVoice = Callable[[str], tuple[str, str] | None]
# What a heading need not account for: it names a theme, and what stands under it says the rest.
_LOOSE = frozenset({"PARAPHRASE", "NOT_IN_EVIDENCE", "NOT_ATTRIBUTED"})
_LONGEST_HEADING = 160
_PRONOUN = re.compile(
    r"^\W*(?:também|além disso|ainda|por fim|já|ele|ela|[oa] (?:candidat|deputad|senador|governador|parlamentar)\w*|"
    r"seu plano|sua proposta|propõe|promete|defende|prevê)\b",
    re.IGNORECASE,
)
NO_CITATION_NOTICE = "A resposta ficou sem citação verificada: as fontes listadas foram apenas consultadas."


@dataclass(frozen=True, slots=True)
class Removed:
    """What was taken out or doubted; `reason` is a stable code, `detail` says it in Portuguese.

    `support` is the sentence of the evidence that comes nearest, to be read beside it.
    """

    text: str
    reason: str
    detail: str
    support: str = ""

    def as_json(self) -> dict[str, str]:
        return {"text": self.text, "reason": self.reason, "detail": self.detail, "support": self.support}


@dataclass(frozen=True, slots=True)
class Citation:
    """One citation that stayed: the sentence, and the span of the evidence's passage on which it rests."""

    evidence_id: str
    sentence: str
    span: Span


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A claim as it was written, its verdict (`borne_out`, `doubted`, `removed`), why, and where it rests."""

    text: str
    verdict: str
    reasons: tuple[Removed, ...]
    supports: tuple[tuple[str, Span], ...]


@dataclass(frozen=True, slots=True)
class Verified:
    """An answer after the citation verifier; `claims`: its sentences, items and rows, then its headings."""

    text: str
    removed: tuple[Removed, ...]
    flagged: tuple[Removed, ...]
    citations: tuple[Citation, ...]
    notices: tuple[str, ...]
    claims: tuple[CheckedClaim, ...] = ()

    @property
    def cited(self) -> tuple[str, ...]:
        """Cited evidence ids in order of first appearance."""
        return tuple(dict.fromkeys(citation.evidence_id for citation in self.citations))


@dataclass(slots=True)
class _Work:
    evidences: Mapping[str, Evidence]
    register: Register
    own_voice: OwnVoice | None
    of_sources: Collection[str]
    claims: list[CheckedClaim] = field(default_factory=list)
    citations: list[Citation] = field(default_factory=list)

    def cited(self, text: str) -> list[Evidence]:
        return [self.evidences[key] for key in cited_ids(text)]

    def settle(self, text: str, failures: Sequence[Failure], spans: Mapping[str, Span]) -> bool:
        """Write down a claim's verdict; whether it stays."""
        text = tidy(text.replace(UNKNOWN, ""))
        removal = next((failure for failure in failures if failure.goes), None)
        counted = [removal] if removal else list(dict.fromkeys(failures))
        nearest = next((self.words(key, span) for key, span in spans.items()), "")
        reasons = tuple(Removed(text, one.reason, one.detail, nearest) for one in counted)
        verdict = REMOVED if removal else DOUBTED if reasons else BORNE_OUT
        self.claims.append(CheckedClaim(text, verdict, reasons, tuple(spans.items())))
        return removal is None

    def words(self, key: str, span: Span) -> str:
        return " ".join(self.evidences[key].passage[slice(*span)].split())

    def reasons(self, verdict: str) -> tuple[Removed, ...]:
        return tuple(reason for claim in self.claims if claim.verdict == verdict for reason in claim.reasons)


def verify(
    answer: str,
    evidences: Sequence[Evidence],
    *,
    own_voice: OwnVoice | None = None,
    of_sources: Collection[str] = (),
) -> Verified:
    """Check every sentence of `answer` against the evidences that it cites. Never raises for any text.

    `own_voice` finds (code, words) in a sentence that its caller never says, whatever the evidence; where the code is in
    `of_sources`, the very words of a cited evidence may be told ("um programa socialista").
    """
    by_id = {evidence.evidence_id: evidence for evidence in evidences}
    work = _Work(by_id, Register(evidences), own_voice, of_sources)
    normalised = normalise_citations(clean(answer), list(by_id))
    unknown = tuple(Removed(text, "UNKNOWN_CITATION", "a evidência não existe") for text in normalised.unknown)
    blocks = split_blocks(normalised.text)
    _judge_sentences(blocks, work)
    _judge_headings(blocks, work)
    removed = unknown + work.reasons(REMOVED)
    notices = _notices(len(removed) - len(unknown), len(unknown), bool(work.citations))
    claims = tuple(work.claims)
    return Verified(render(blocks), removed, work.reasons(DOUBTED), tuple(work.citations), notices, claims)


def _judge_sentences(blocks: list[Block], work: _Work) -> None:
    scopes = _Scopes(work.register)
    for block in blocks:
        scopes.enter(block)
        if block.kind in (HEADING, LEAD_IN, RULE, BLANK):
            continue
        kept = []
        previous: Owner | None = None
        for sentence in block.sentences:
            scope = previous if previous and _PRONOUN.match(sentence) else scopes.current
            if sentence.strip(f"{UNKNOWN} ") and _judge(sentence, scope, work, block):
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
    """Whether a sentence stays; citations that stay get their spans."""
    cited = work.cited(text)
    if failure := _unfit(text, cited, work):
        return work.settle(text, [failure], {})
    judgement = judge(text, cited, list(work.evidences.values()), work.register, scope)
    stays = work.settle(text, [*judgement.failures, *_not_literal(text, block, cited)], judgement.spans)
    if stays:
        # One for each marker as it stands in the text, so that a reader can open the n-th one.
        work.citations += [Citation(f"E{n}", text, judgement.spans[f"E{n}"]) for n in MARKER.findall(text)]
    return stays


def _unfit(text: str, cited: Sequence[Evidence], work: _Work) -> Failure | None:
    """Why a sentence goes whatever its evidences say."""
    if failure := _own_voice(text, cited, work):
        return failure
    if not cited and UNKNOWN in text:
        return Failure("UNKNOWN_CITATION", "a frase só cita evidências que não existem")
    if not cited:
        return Failure("NO_CITATION", "a frase não cita nenhuma evidência")
    if not re.search(r"\w", MARKER.sub("", text)):
        return Failure("NO_CITATION", "a citação não acompanha nenhuma frase")
    return None


def _own_voice(text: str, cited: Sequence[Evidence], work: _Work) -> Failure | None:
    """What the caller never says, unless it may tell it as its sources' word and one of them has it."""
    found = work.own_voice(work.register.masked(text)) if work.own_voice else None
    if found is None:
        return None
    told = words_alone(fold(found[1]))
    if found[0] in work.of_sources and any(told in words_alone(evidence.folded) for evidence in cited):
        return None
    return Failure(found[0], f"“{found[1]}” não é dito por este serviço")


def _not_literal(text: str, block: Block, cited: Sequence[Evidence]) -> list[Failure]:
    """A block quotation is a quotation: its words stand in the evidence as they are."""
    if not block.prefix.strip().startswith(">"):
        return []
    claim = Claim(text)
    words = " ".join(claim.view.text.split()).strip(" .,;:!?-\"'")
    if any(evidence.has_quotation([words]) for evidence in cited) or any(True for _ in claim.quotations()):
        return []
    return [Failure("QUOTATION_NOT_IN_EVIDENCE", "está destacada como citação, mas não é cópia literal")]


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
        stays = work.settle(block.text, [replace(failure, goes=True)] if failure else [], {})
        block.sentences = [MARKER.sub("", block.text).rstrip()] if stays else []


def _heading_failure(text: str, cited: list[Evidence], work: _Work) -> Failure | None:
    if failure := _own_voice(text, cited, work):
        return failure
    if not cited:
        return Failure("NO_CITATION", "nada do que o título anuncia pôde ser confirmado")
    if len(text) > _LONGEST_HEADING:
        return Failure("NO_CITATION", "o título é longo demais para não ter citação")
    found_there = judge(text, cited, list(work.evidences.values()), work.register).failures
    return next((failure for failure in found_there if failure.reason not in _LOOSE), None)


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


def _notices(sentences: int, unknown: int, cited: bool) -> tuple[str, ...]:
    notices = [
        _plural(sentences, "trecho foi retirado", "trechos foram retirados", "por não ter confirmação nas evidências"),
        _plural(
            unknown, "citação foi retirada", "citações foram retiradas", "por não corresponder a nenhuma evidência"
        ),
        "" if cited else NO_CITATION_NOTICE,
    ]
    return tuple(notice for notice in notices if notice)


def _plural(count: int, one: str, many: str, why: str) -> str:
    return f"{count} {one if count == 1 else many} {why}." if count else ""
