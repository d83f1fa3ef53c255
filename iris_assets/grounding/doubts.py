"""Doubts about a sentence that no rule can settle: paraphrase, negation, direction, unknown names."""

import re
from collections.abc import Iterator, Sequence

from iris_assets.grounding.citations import cited_ids
from iris_assets.grounding.claims import Failure, Sentence, supports_number
from iris_assets.grounding.evidence import GateEvidence
from iris_assets.grounding.names import Register, capitalised_words, names_in_subject
from iris_assets.grounding.normalise import content_stems, fold
from iris_assets.grounding.polarity import direction_differs, negation_differs
from iris_assets.grounding.spans import Span

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
    text: str, sentence: Sentence, rests_on: Sequence[tuple[GateEvidence, Span]], register: Register, *, quoted: bool
) -> Iterator[Failure]:
    """Doubts about a sentence that passed every rule; `quoted` is one set off as a block quotation."""
    cited = [evidence for evidence, _ in rests_on]
    wanted, found = _shared(sentence, cited, register)
    share = len(found) / len(wanted) if wanted else 1.0
    absent = _ABSENCE.search(sentence.folded) is not None and share <= 0.5
    if len(wanted) >= 2 and not absent and share < _PARAPHRASE_SHARE:
        yield Failure("PARAPHRASE", "poucas palavras da frase estão nas evidências citadas")
    elif quoted and not _is_literal(sentence, cited):
        yield Failure("PARAPHRASE", "está destacada como citação, mas não é cópia literal")
    yield from _cited_elsewhere(text, cited)
    if not absent:
        yield from _against(sentence, [_place(evidence, span) for evidence, span in rests_on])
    names = [*names_in_subject(text), *capitalised_words(text)]
    unknown = [name for name in names if not any(_knows(evidence, name) for evidence in cited)]
    if unknown:
        yield Failure("NAME", f"as evidências citadas não trazem o nome {unknown[0]}")


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


def _against(sentence: Sentence, places: Sequence[str]) -> Iterator[Failure]:
    """Doubts about a sentence that every place it rests on seems to contradict."""
    if all(negation_differs(sentence.folded, place) for place in places):
        yield Failure("NEGATION", "a frase e a evidência diferem numa negação")
    elif all(direction_differs(sentence.folded, place) for place in places):
        yield Failure("NEGATION", "a frase e a evidência vão em direções contrárias")


def _is_literal(sentence: Sentence, cited: Sequence[GateEvidence]) -> bool:
    words = " ".join(sentence.comparable.text.split()).strip(" .,;:!?-\"'")
    return any(evidence.has_quotation([words]) for evidence in cited) or any(True for _ in sentence.quotations())


def _place(evidence: GateEvidence, span: Span) -> str:
    """The words that a sentence rests on; before a quotation also the words that it was cut from ("não …")."""
    start, end = span
    before = re.split(r"[.;:!?\n]", evidence.passage[max(0, start - 25) : start])[-1]
    return fold(before + evidence.passage[start:end])


def _knows(evidence: GateEvidence, name: str) -> bool:
    words = set(fold(name).split())
    owned = any(words <= set(fold(" ".join(owner.names)).split()) for owner in evidence.owners)
    return owned or evidence.mentions(fold(name))
