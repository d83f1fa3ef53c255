"""Facts of record: where a bill stands and who holds what is settled by the record, not by any text."""

import re
from collections.abc import Iterator, Sequence

from iris_assets.grounding.bills import FoundBill
from iris_assets.grounding.evidence import GateEvidence
from iris_assets.grounding.lexicon import root, word
from iris_assets.grounding.names import Register
from iris_assets.grounding.reading import Reading, find_phrases, read_passage
from iris_assets.grounding.verdict import Failure
from iris_assets.words.source_kinds import PROPOSITION

_AUTHORSHIP = re.compile(
    r"\b(?:autor[ae]?s?|autoria|coautor\w*|apresent\w+|prop(?:os|oe|ost\w+)|assin\w+|subscre\w+|protocol\w+)\b"
)
_OBJECTS = 3  # words after "aguarda" that tell what is waited for


def against_record(claim: Reading, cited: Sequence[GateEvidence]) -> Iterator[Failure]:
    """What a claim says of where a bill stands and the bill's record does not."""
    statuses = [evidence.status for evidence in cited if evidence.source_type == PROPOSITION]
    if not statuses or len(statuses) < len(cited):
        return
    readings = [read_passage(status) for status in statuses]
    known = {name for reading in readings for name, _, _ in find_phrases(reading, "record.txt")}
    for name, first, last in find_phrases(claim, "record.txt"):
        if name not in known:
            if not _told_by_the_bill(claim, first, last, cited):
                yield Failure("STATUS_NOT_IN_RECORD", _detail(claim, first, last, statuses))
                return
        elif name == "waiting" and not _waits_for(claim, last, readings):
            yield Failure("STATUS_NOT_IN_RECORD", _detail(claim, first, last, statuses))
            return


def _told_by_the_bill(claim: Reading, first: int, last: int, cited: Sequence[GateEvidence]) -> bool:
    """Whether the bill's own text has the words: `lei aprovada em 2016` in a summary says nothing of the bill."""
    forms = [claim.tokens[index].word.form for index in range(first, last + 1)]
    return any(all(root(form) in evidence.summary_keys for form in forms if word(form).weight) for evidence in cited)


def _waits_for(claim: Reading, last: int, statuses: Sequence[Reading]) -> bool:
    parts = claim.joints
    after = range(last + 1, min(last + 10, len(claim.tokens)))
    objects = [claim.tokens[i].word for i in after if parts[i][0] == parts[last][0] and claim.tokens[i].word.weight][
        :_OBJECTS
    ]
    answered = max(sum(any(key in status.places for key in word.keys) for word in objects) for status in statuses)
    return not objects or answered * 2 > len(objects)


def _detail(claim: Reading, first: int, last: int, statuses: Sequence[str]) -> str:
    said = claim.view.text[claim.tokens[first].start : claim.tokens[last].end]
    return f"a frase diz “{said}”; o registro diz “{re.sub(r'[“”]', '', statuses[0]) or 'nada'}”"


def wrong_author(
    claim: Reading, bills: Sequence[FoundBill], cited: Sequence[GateEvidence], register: Register
) -> Failure | None:
    """A person who is said to have written a bill and is none of its authors."""
    if not _AUTHORSHIP.search(claim.folded):
        return None
    for evidence in cited:
        if evidence.source_type != PROPOSITION or not any(evidence.has_bill(bill) for bill in bills):
            continue
        for mention in register.mentions(claim.view.text.title()):
            if not evidence.mentions(mention.alias) and not all(
                part in evidence.forms for part in mention.alias.split()
            ):
                detail = f"{mention.owner.names[0]} não está entre os autores de {evidence.title}"
                return Failure("OTHER_CANDIDATE", detail)
    return None
