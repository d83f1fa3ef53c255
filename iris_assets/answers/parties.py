"""Parties that a sentence lays at a candidate's door: the cited evidence must know them."""

import re
from collections.abc import Iterable

from iris_assets.answers.evidence import GateEvidence
from iris_assets.answers.vocabulary import PARTIES

_IN_LABEL = re.compile(r"\b([A-Z][A-ZÇÃ]{1,14})/[A-Z]{2}\b")
_SAID = re.compile(
    r"(?:\b(?:[Dd][oa]|[Pp]el[oa]|ao?|[Nn][oa]|partido|sigla|legenda) |\()"
    r"(?P<party>PCdoB|[A-ZÇÃÕ]{2,15})\b(?! ?(?:n[ºo°.]|\d))"
)


def foreign_party(text: str, cited: Iterable[GateEvidence], everyone: Iterable[GateEvidence]) -> str | None:
    """The first party named in `text` that none of the cited evidences holds."""
    known = PARTIES | {found for evidence in everyone for found in _IN_LABEL.findall(evidence.everything)}
    held = " ".join(evidence.everything for evidence in cited)
    said = [match["party"] for match in _SAID.finditer(text) if match["party"] in known]
    return next((party for party in said if not re.search(rf"(?<!\w){re.escape(party)}(?!\w)", held)), None)
