"""Whether the evidences that a sentence cites bear it: its support, what the support lacks and what it turns."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from iris_assets.grounding.account import unborne
from iris_assets.grounding.citations import cited_ids
from iris_assets.grounding.claims import Sentence
from iris_assets.grounding.evidence import GateEvidence
from iris_assets.grounding.figures import misplaced
from iris_assets.grounding.lexicon import VERB
from iris_assets.grounding.names import Register
from iris_assets.grounding.reading import Reading, words_alone
from iris_assets.grounding.record import against_record, wrong_author
from iris_assets.grounding.sense import turned
from iris_assets.grounding.support import Alignment, align
from iris_assets.grounding.verdict import Failure
from iris_assets.grounding.who import hearsay, merged, unknown_names

# That the evidences say nothing of something is said with words that they do not have.
ABSENCE = re.compile(
    r"\b(?:nao|nem|nenhum\w*) (?:\w+ ){0,6}?(?:inform|detalh|menciona|trata|traz|apresent|especific|cita|consta|aborda"
    r"|indica|esclarec|descrev|registr|ha\b|mostra|fala)"
)
LONGEST = 400  # words of a sentence that can be laid beside another
_PREFIX, _LITERAL = 12, 4  # words of telling at most; words of a passage at least
_CLAUSE = re.compile(r"(.*?)((?:\s*\[E\d+\])+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Bearing:
    """How far a claim is borne: why it goes, or what is doubtful, and by what it is borne."""

    failure: Failure | None
    doubts: tuple[Failure, ...]
    alignment: Alignment


def bear(text: str, cited: Sequence[GateEvidence], everyone: Sequence[GateEvidence], register: Register) -> Bearing:
    """The bearing of a sentence on its cited evidences, clause by clause where each clause has citations of its own."""
    clauses = _clauses(text, cited)
    found = [_bear(clause, own, everyone, register) for clause, own in clauses]
    failure = next((one.failure for one in found if one.failure), None)
    return Bearing(failure, tuple(doubt for one in found for doubt in one.doubts), found[0].alignment)


def _clauses(text: str, cited: Sequence[GateEvidence]) -> list[tuple[str, list[GateEvidence]]]:
    pieces = _CLAUSE.findall(text)
    if len(pieces) < 2 or any(len(re.findall(r"[^\W\d_]{4,}", body)) < 3 for body, _ in pieces):
        return [(text, list(cited))]
    by_id = {evidence.evidence_id: evidence for evidence in cited}
    rest = text[sum(len(body) + len(markers) for body, markers in pieces) :]
    clauses = [(body, [by_id[key] for key in cited_ids(markers)]) for body, markers in pieces]
    if len(re.findall(r"[^\W\d_]{4,}", rest)) >= 2:
        return [(text, list(cited))]
    return clauses


def _bear(text: str, cited: Sequence[GateEvidence], everyone: Sequence[GateEvidence], register: Register) -> Bearing:
    sentence = Sentence(text)
    claim = Reading(sentence.raw, sentence.comparable)
    if len(claim.tokens) > LONGEST:
        return Bearing(Failure("NOT_IN_EVIDENCE", "a frase é longa demais para ser conferida"), (), Alignment((), {}))
    passages = [evidence.reading for evidence in cited]
    wanted = content(claim, sentence, register)
    alignment = align(claim, wanted, passages)
    record = frozenset().union(*(evidence.record_keys for evidence in cited))
    known = {token for token in wanted if claim.tokens[token].word.keys & record}
    trusted = ABSENCE.search(sentence.folded) is not None or _stands_there(claim, passages, register)
    found = [] if trusted else list(unborne(claim, wanted, known, alignment))
    found += [] if trusted else misplaced(claim, sentence.numbers, passages, alignment)
    found += [(True, failure) for failure in against_record(claim, cited)]
    author = wrong_author(claim, sentence.bills, cited, register)
    found += [(True, author)] if author else []
    found += [(True, failure) for failure in merged(claim, sentence.bills, cited, register, alignment.places)]
    found += [(True, failure) for failure in unknown_names(text, cited, everyone)]
    found += hearsay(text, claim, cited, register)
    failure = next((failure for goes, failure in found if goes), None)
    doubts = tuple(failure for goes, failure in found if not goes)
    if alignment.supports and not trusted:
        doubts += tuple(turned(claim, passages, alignment))
    return Bearing(failure, doubts, alignment)


def _stands_there(claim: Reading, passages: Sequence[Reading], register: Register) -> bool:
    """Whether a sentence gives a passage's own words, after words of telling ("segundo o plano, …")."""
    mentions = register.mentions(claim.view.text.title())
    for token in claim.tokens[:_PREFIX]:
        run = words_alone(claim.folded[token.start :])
        if run.count(" ") > _LITERAL and any(passage.holds(run) for passage in passages):
            return True
        named = any(mention.start <= token.start < mention.end for mention in mentions)
        if token.word.weight >= VERB and not named:
            return False
    return False


def content(claim: Reading, sentence: Sentence, register: Register) -> list[int]:
    """The tokens that must be borne: content words, not those of numbers, dates, links and the candidates' names."""
    spans = [(n.start, n.end) for n in sentence.numbers] + [(d.start, d.end) for d in sentence.dates]
    spans += [(bill.start, bill.end) for bill in sentence.bills]
    spans += [(m.start, m.end) for m in register.mentions(claim.view.text.title())]
    return [
        index
        for index, token in enumerate(claim.tokens)
        if token.word.weight and sentence.bare[token.start] != " " and not any(a <= token.start < b for a, b in spans)
    ]
