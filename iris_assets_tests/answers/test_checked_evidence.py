"""Evidences of the store as the citation verifier gets them."""

from dataclasses import replace

from iris_assets.answers.context import gate_evidence
from iris_assets.documents.structure import Structure
from iris_assets.grounding import verify
from iris_assets.retrieval.types import Evidence

FIRST, SECOND = "Construiremos vinte creches.\n\n", "Faremos três hospitais novos.\n"


def test_a_page_is_that_of_the_sentence_that_bears_the_claim() -> None:
    source = Structure(FIRST + SECOND, [(0, 4), (len(FIRST), 5)])
    found = Evidence("E1", "GOVERNMENT_PROPOSAL", "1", 0, "Plano", FIRST + SECOND, "")
    checked = gate_evidence(replace(found, source=source, place=(0, len(FIRST + SECOND))))
    assert checked.page_starts == ((0, 4), (len(FIRST), 5))
    right = verify("O plano prevê vinte creches (p. 4) [E1]. O plano prevê três hospitais (p. 5) [E1].", [checked])
    assert [claim.verdict for claim in right.claims] == ["borne_out", "borne_out"]
    wrong = verify("O plano prevê vinte creches (p. 5) [E1].", [checked])
    assert [reason.reason for reason in wrong.removed] == ["NUMBER_NOT_IN_EVIDENCE"]


def test_the_support_holds_the_numbers_at_its_end() -> None:
    checked = gate_evidence(Evidence("E1", "GOVERNMENT_PROPOSAL", "1", 0, "Plano", "A fila caiu 30%.\n\nOutro.", ""))
    claim = verify("O plano diz que a fila caiu 30% [E1].", [checked]).claims[0]
    assert [checked.passage[slice(*span)] for _, span in claim.supports] == ["A fila caiu 30%."]
