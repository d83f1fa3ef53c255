"""Facts of record: where a bill stands and who wrote it is settled by the record, not by any text."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from iris_assets.grounding.case import Case
from iris_assets.grounding.failure import Failure
from iris_assets.grounding.reading import PARTICIPLE, Reading, find_phrases, read_passage
from iris_assets.words.lexicon import root, said_by_sources, word
from iris_assets.words.source_kinds import POLITICAL_HISTORY, PROPOSITION

_AUTHORSHIP = re.compile(
    r"\b(?:autor[ae]?s?|autoria|coautor\w*|apresent\w+|prop(?:os|oe|ost\w+)|assin\w+|subscre\w+|protocol\w+)\b"
)
# Powers and bodies that bring in bills as no person does.
_BY_POWER = re.compile(
    r"\b(?:autoria|apresentad[oa]s?|propost[oa]s?|enviad[oa]s?) (?:d|pel)[oa] (?:proprio )?"
    r"(governo|executivo|presidente|presidencia|planalto|senado|judiciario|supremo|tribunal|comissao|mesa|ministerio)\b"
)
_IS = frozenset({"foi", "foram", "esta", "estao", "ficou", "ficaram"})
_IF = frozenset({"se", "caso", "quando"})
_IRREAL = frozenset({"for", "forem", "seja", "sejam", "fosse", "fossem", "ser", "entrar", "entrarem"})
_PAST = re.compile(r".{3}(?:ou|aram|iram|eram)$")
_OBJECTS = 3  # words after "aguarda" that tell what is waited for


def against_record(case: Case) -> Iterator[Failure]:
    """What a claim says of a bill against the bill's record."""
    yield from _other_status(case)
    yield from _other_author(case)
    yield from _done_already(case)


def _other_status(case: Case) -> Iterator[Failure]:
    if not case.are_all(PROPOSITION) and not case.are_all(POLITICAL_HISTORY):
        return
    readings = [read_passage(evidence.status) for evidence in case.cited]
    known = {name for reading in readings for name, _, _ in find_phrases(reading, "record.txt")}
    for name, first, last in find_phrases(case.claim, "record.txt"):
        if name not in known and (_is_denied(case.claim, first, last) or _is_imagined(case.claim, first)):
            continue
        said = case.claim.view.text[case.claim.tokens[first].start : case.claim.tokens[last].end]
        wrong = not _told_by_the_bill(case, first, last) if name not in known else name == "waiting"
        if wrong and (name not in known or not _waits_for(case.claim, last, readings)):
            written = readings[0].original.strip() or "nada"
            yield Failure("STATUS_NOT_IN_RECORD", f"a frase diz “{said}”; o registro diz “{written}”")


def _told_by_the_bill(case: Case, first: int, last: int) -> bool:
    """Whether the bill's own text has the words: `lei aprovada em 2016` in a summary says nothing of the bill."""
    roots = [root(t.word.form) for t in case.claim.tokens[first : last + 1] if word(t.word.form).weight]
    return bool(roots) and any(all(one in evidence.summary_keys for one in roots) for evidence in case.cited)


def _is_denied(claim: Reading, first: int, last: int) -> bool:
    """`ainda não foi votado`, `não consta o fim do mandato`."""
    governors = (turn for token in range(first, last + 1) for turn in claim.governors.get(token, ()))
    return any(turn.name in ("not", "none", "without") for turn in governors)


def _is_imagined(claim: Reading, first: int) -> bool:
    """`se virar lei`, `caso seja aprovado`; not `se encontra em vigor` nor `quando foi aprovado`, which assert it."""
    is_irreal = claim.tokens[first].word.form.endswith("r") or claim.tokens[first - 1].word.form in _IRREAL
    return is_irreal and any(token.word.form in _IF for token in claim.tokens[max(first - 3, 0) : first])


def _waits_for(claim: Reading, last: int, statuses: Sequence[Reading]) -> bool:
    part = claim.joints[last][0]
    after = [i for i in range(last + 1, min(last + 10, len(claim.tokens))) if claim.joints[i][0] == part]
    objects = [claim.tokens[i].word for i in after if claim.tokens[i].word.weight][:_OBJECTS]
    answered = max(sum(any(key in status.places for key in one.keys) for one in objects) for status in statuses)
    return not objects or answered * 2 > len(objects)


def _other_author(case: Case) -> Iterator[Failure]:
    """A person or power that is said to have written a bill and is none of its authors."""
    if not _AUTHORSHIP.search(case.claim.folded):
        return
    for evidence in case.cited:
        if evidence.source_type == PROPOSITION and any(evidence.has_bill(bill) for bill in case.claim.bills):
            people = [(m.owner.names[0], m.alias.split()) for m in case.mentions]
            powers = [(found[1], [found[1]]) for found in _BY_POWER.finditer(case.claim.folded)]
            for name, parts in (*people, *powers):
                if not all(part in evidence.forms for part in parts):
                    yield Failure("OTHER_CANDIDATE", f"{name} não está entre os autores de {evidence.title}")


def _done_already(case: Case) -> Iterator[Failure]:
    """`prorrogou`, `está proibido` of a bill that only asks for it: a bill has done nothing yet."""
    tokens = case.claim.tokens if case.are_all(PROPOSITION) else ()
    laws = any(name == "law" for e in case.cited for name, _, _ in find_phrases(read_passage(e.status), "record.txt"))
    for before, token in pairwise(tokens) if not laws else ():
        form = token.word.form
        borne = before.word.form in _IS and PARTICIPLE.search(form) is not None
        keys = token.word.keys if borne else {root(form)}
        if not (borne or _PAST.search(form)) or _AUTHORSHIP.match(form) or root(form) in said_by_sources():
            continue
        if any(keys & e.summary_keys and form not in e.forms for e in case.cited):
            detail = f"a frase diz “{form}”; a proposição ainda não fez isso"
            yield Failure("MODALITY", detail, goes=False)
