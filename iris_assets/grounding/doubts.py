"""Doubts about a sentence that no rule can settle: paraphrase, negation, direction, unknown names."""

import re
from collections.abc import Iterator, Sequence

from iris_assets.grounding.citations import cited_ids
from iris_assets.grounding.claims import Sentence, supports_number
from iris_assets.grounding.evidence import GateEvidence
from iris_assets.grounding.names import Register
from iris_assets.grounding.normalise import content_stems
from iris_assets.grounding.verdict import Failure

_PARAPHRASE_SHARE = 0.4
_CLAUSE = re.compile(r"(.*?)((?:\s*\[E\d+\])+)", re.DOTALL)
# That the evidences say nothing of something is said with words that they do not have.
_ABSENCE = re.compile(
    r"\b(?:nao|nem|nenhum\w*) (?:\w+ ){0,6}?(?:inform|detalh|menciona|trata|traz|apresent|especific|cita|consta|aborda"
    r"|indica|esclarec|descrev|registr|ha\b|mostra|fala)"
)


def nothing_shared(sentence: Sentence, cited: Sequence[GateEvidence], register: Register) -> Failure | None:
    """The failure of a sentence of which no word stands in the evidences: nothing there could bear it out."""
    wanted, found = _shared(sentence, cited, register)
    if len(wanted) < 3 or found or _ABSENCE.search(sentence.folded):
        return None
    return Failure("NOT_IN_EVIDENCE", "nenhuma palavra do que se afirma está nas evidências citadas")


def doubts(
    text: str, sentence: Sentence, cited: Sequence[GateEvidence], register: Register, *, quoted: bool
) -> Iterator[Failure]:
    """Doubts about a sentence that passed every rule; `quoted` is one set off as a block quotation."""
    if quoted and not _is_literal(sentence, cited):
        yield Failure("PARAPHRASE", "está destacada como citação, mas não é cópia literal")
    yield from _cited_elsewhere(text, cited)


def _cited_elsewhere(text: str, cited: Sequence[GateEvidence]) -> Iterator[Failure]:
    """`120 creches [E1] e 1.500 professores [E2]` where the 1.500 stands in E1 only."""
    clauses = _CLAUSE.findall(text)
    for body, markers in clauses if len(clauses) > 1 else ():
        clause, keys = Sentence(body), cited_ids(markers)
        own = [evidence for evidence in cited if evidence.evidence_id in keys]
        for number in clause.numbers:
            if not supports_number(number, clause, own):
                yield Failure("CITATION", f"o número {number.text} não está na evidência citada logo depois dele")
                return


def _shared(
    sentence: Sentence, cited: Sequence[GateEvidence], register: Register
) -> tuple[frozenset[str], frozenset[str]]:
    """Stems of what is said (candidates' names apart), and those of them that the evidences have."""
    wanted = register.without_names(content_stems(sentence.folded))
    return wanted, wanted & frozenset().union(*(evidence.stems for evidence in cited))


def _is_literal(sentence: Sentence, cited: Sequence[GateEvidence]) -> bool:
    words = " ".join(sentence.comparable.text.split()).strip(" .,;:!?-\"'")
    return any(evidence.has_quotation([words]) for evidence in cited) or any(True for _ in sentence.quotations())
