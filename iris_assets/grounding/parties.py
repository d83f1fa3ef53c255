"""Parties that a sentence lays at a candidate's door: the cited evidence must know them."""

import re
from collections.abc import Iterable

from iris_assets.grounding.evidence import GateEvidence
from iris_assets.grounding.vocabulary import PARTIES

_SAID = re.compile(
    r"(?:\b(?:[Dd][oa]|[Pp]el[oa]|ao?|[Nn][oa]|partido|sigla|legenda) |\()"
    r"(?P<party>PCdoB|[A-ZÇÃÕ]{2,15})\b(?! ?(?:n[ºo°.]|\d))"
)


def foreign_party(text: str, cited: Iterable[GateEvidence], everyone: Iterable[GateEvidence]) -> str | None:
    """The first party named in `text` that none of the cited evidences holds."""
    said = [match["party"] for match in _SAID.finditer(text)]
    if not said:
        return None
    known = PARTIES.union(*(evidence.labelled_parties for evidence in everyone))
    return next((party for party in said if party in known and not any(_holds(e, party) for e in cited)), None)


def _holds(evidence: GateEvidence, party: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(party)}(?!\w)", evidence.everything) is not None
