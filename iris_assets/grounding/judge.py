"""Whether the evidences that a claim cites bear it: all checks against its support, and where that stands."""

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from iris_assets.grounding.account import unborne
from iris_assets.grounding.case import Case
from iris_assets.grounding.evidence import Evidence, Owner
from iris_assets.grounding.failure import Failure
from iris_assets.grounding.figures import misplaced
from iris_assets.grounding.form import Claim, claimed_pages, ill_formed, supports_number
from iris_assets.grounding.hearsay import hearsay
from iris_assets.grounding.markers import cited_ids
from iris_assets.grounding.names import Register
from iris_assets.grounding.reading import words_alone
from iris_assets.grounding.record import against_record
from iris_assets.grounding.sense import turned
from iris_assets.grounding.sides import exchanged
from iris_assets.grounding.support import Alignment, align
from iris_assets.grounding.who import misattributed
from iris_assets.words.lexicon import VERB
from iris_assets.words.parties import find_parties

Span = tuple[int, int]
LONGEST = 400  # words of a sentence that can be laid beside another
LONGEST_SPAN = 1200  # characters that are worth highlighting
_ELSEWHERE = 0.75  # the share of a claim that another evidence must have
_AROUND = 1  # sentences before and after a support whose words a claim may use
_PREFIX, _LITERAL = 12, 4  # words of telling at most; words of a passage at least
# That the evidences say nothing of something is said with words that they do not have.
_ABSENCE = re.compile(
    r"\b(?:nao|nem|nenhum\w*) (?:\w+ ){0,6}?(?:inform|detalh|menciona|trata|traz|apresent|especific|cita|consta|aborda"
    r"|indica|esclarec|descrev|registr|ha\b|mostra|fala)"
)
_CLAUSE = re.compile(r"(.*?)((?:\s*\[E\d+\])+)", re.DOTALL)
_WORDS = re.compile(r"[^\W\d_]{4,}")


@dataclass(frozen=True, slots=True)
class Judgement:
    """What was found against a claim, and the span of each evidence on which it rests."""

    failures: tuple[Failure, ...]
    spans: Mapping[str, Span]

    @property
    def removal(self) -> Failure | None:
        return next((failure for failure in self.failures if failure.goes), None)


def judge(
    text: str, cited: Sequence[Evidence], everyone: Sequence[Evidence], register: Register, scope: Owner | None = None
) -> Judgement:
    """The judgement of a sentence, clause by clause where each clause has citations and words of its own."""
    clauses = _clauses(text, cited)
    whole = Case(Claim(text), cited, everyone, register, scope)
    if len(clauses) == 1:
        return _judge(whole)
    parts = [_judge(Case(Claim(clause), own, everyone, register, scope)) for clause, own in clauses]
    failures = (failure for part in (_judge(whole, alone=False), *parts) for failure in part.failures)
    spans = {key: span for part in parts for key, span in part.spans.items()}
    return Judgement(tuple(failures), spans)


def _clauses(text: str, cited: Sequence[Evidence]) -> list[tuple[str, list[Evidence]]]:
    if text.count("[E") < 2:
        return [(text, list(cited))]
    by_id = {evidence.evidence_id: evidence for evidence in cited}
    clauses = [(body, [by_id[key] for key in cited_ids(markers)]) for body, markers in _CLAUSE.findall(text)]
    rest = _CLAUSE.sub("", text)
    if len(clauses) < 2 or len(_WORDS.findall(rest)) > 1 or any(len(_WORDS.findall(body)) < 3 for body, _ in clauses):
        return [(text, list(cited))]
    return clauses


def _judge(case: Case, *, alone: bool = True) -> Judgement:
    """`alone`: the claim is no whole of clauses that are judged one by one."""
    claim = case.claim
    if len(claim.tokens) > LONGEST:
        return Judgement((Failure("NOT_IN_EVIDENCE", "a frase é longa demais para ser conferida"),), {})
    if failure := ill_formed(claim, case.cited):
        return Judgement((failure,), {})
    wanted = _content(case)
    alignment = align(claim, wanted, case.passages)
    failures = list(misattributed(case, wanted, alignment.places)) + list(against_record(case))
    failures += hearsay(case)
    if alone:
        failures += _cited_elsewhere(case)
        if not (_ABSENCE.search(claim.folded) or _stands_there(case)):
            around = frozenset().union(*(e.record.places for e in case.cited), _keys_around(case, alignment))
            known = {t for t in wanted if claim.tokens[t].word.keys & around or _is_acronym(case, t)}
            failures += _beside_the_support(case, wanted, known, alignment)
    spans = {e.evidence_id: _span(case, index, alignment) for index, e in enumerate(case.cited)}
    return Judgement((*failures, *_other_page(case, spans, failures)), spans)


def _beside_the_support(
    case: Case, wanted: Sequence[int], known: Container[int], alignment: Alignment
) -> Iterator[Failure]:
    claim = case.claim
    for failure in unborne(claim, wanted, known, alignment):
        yield (
            Failure("OTHER_CANDIDATE", "o conteúdo está na evidência de outra candidatura")
            if (failure.goes and _borne_by_another(case, wanted))
            else failure
        )
    yield from misplaced(claim, case.passages, alignment)
    if alignment.supports:
        yield from turned(claim, case.passages, alignment, known)
        yield from exchanged(claim, case.passages, alignment)


def _is_acronym(case: Case, token: int) -> bool:
    """`CGU` where an evidence writes it out."""
    own = case.claim.tokens[token]
    return own.word.form in case.claim.acronyms and any(evidence.spells(own.word.form) for evidence in case.cited)


def _keys_around(case: Case, alignment: Alignment) -> set[str]:
    """Keys of the words of the sentences next to the supports: they say what a pronoun or a list is about."""
    found: set[str] = set()
    for support in alignment.supports:
        passage = case.passages[support.evidence]
        first = passage.segments[max(support.first - _AROUND, 0)][0]
        after = passage.segments[min(support.last + _AROUND, len(passage.segments) - 1)][1]
        found.update(key for token in passage.tokens[first:after] if token.word.weight for key in token.word.keys)
    return found


def _borne_by_another(case: Case, wanted: Sequence[int]) -> bool:
    """Whether another candidate's evidence has nearly all the words of a claim that its own evidences lack."""
    own = {owner.key for evidence in case.cited for owner in evidence.owners}
    others = [e for e in case.everyone if own and e.owners and not own & {owner.key for owner in e.owners}]
    needed = [case.claim.tokens[token].word.keys for token in wanted]
    return any(sum(bool(keys & e.keys) for keys in needed) >= _ELSEWHERE * len(needed) for e in others)


def _content(case: Case) -> list[int]:
    """The tokens that must be borne: content words, not those of numbers, dates, links and the candidates' names."""
    claim = case.claim
    parties = find_parties(claim.view.text.title())
    named: list[Any] = [*claim.numbers, *claim.dates, *claim.bills, *claim.portions, *case.mentions, *parties]
    spans = [(one.start, one.end) for one in named]
    return [
        index
        for index, token in enumerate(claim.tokens)
        if token.word.weight and claim.bare[token.start] != " " and not any(a <= token.start < b for a, b in spans)
    ]


def _stands_there(case: Case) -> bool:
    """Whether a claim gives a passage's own words, after words of telling ("segundo o plano, …")."""
    for token in case.claim.tokens[:_PREFIX]:
        run = words_alone(case.claim.folded[token.start :])
        if run.count(" ") > _LITERAL and any(passage.holds(run) for passage in case.passages):
            return True
        named = any(mention.start <= token.start < mention.end for mention in case.mentions)
        if token.word.weight >= VERB and not named:
            return False
    return False


def _cited_elsewhere(case: Case) -> Iterator[Failure]:
    """`120 creches [E1] e 1.500 professores [E2]` where the 1.500 stands in E1 only."""
    clauses = _CLAUSE.findall(case.claim.text) if case.claim.text.count("[E") > 1 else ()
    for body, markers in clauses if len(clauses) > 1 else ():
        clause, keys = Claim(body), cited_ids(markers)
        own = [evidence for evidence in case.cited if evidence.evidence_id in keys]
        for number in clause.numbers:
            if not supports_number(number, clause, own):
                detail = f"o número {number.text} não está na evidência citada logo depois dele"
                yield Failure("CITATION", detail, goes=False)


def _span(case: Case, index: int, alignment: Alignment) -> Span:
    """Where a claim rests in one of its evidences: a quotation, else its support there, else the beginning."""
    passage = case.passages[index]
    for _, parts in case.claim.quotations():
        start = passage.view.text.find(parts[0])
        end = passage.view.text.find(parts[-1], start) + len(parts[-1]) if start >= 0 else -1
        if 0 <= start < end:
            return passage.view.original_span(start, end)
    support = next((one for one in alignment.supports if one.evidence == index), None)
    if support is None:
        alone = align(case.claim, _content(case), [passage]).supports
        support = alone[0] if alone else None
    if support is None:
        return 0, min(len(passage.original), LONGEST_SPAN)
    start, end = passage.span(support.first, support.last)
    return start, min(end, start + LONGEST_SPAN)


def _other_page(case: Case, spans: Mapping[str, Span], found: Sequence[Failure]) -> Iterator[Failure]:
    """A page that the claim names and its support does not stand on, or that has only a part of what the claim says."""
    pages = {page for e in case.cited if e.page_starts for page in e.pages_of(*spans[e.evidence_id])}
    is_partial = any(failure.reason == "PARAPHRASE" for failure in found)
    for page in claimed_pages(case.claim):
        if pages and (page not in pages or is_partial):
            yield Failure("NUMBER_NOT_IN_EVIDENCE", f"o trecho citado não está na página {page}")
