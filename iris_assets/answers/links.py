"""Addresses of a source for people: the Câmara's page, the court's page, the file inside the court's archive."""

from urllib.parse import urlencode

from iris_assets.retrieval.types import Evidence
from iris_assets.words.source_kinds import (
    CANDIDATE_RECORD,
    GOVERNMENT_PROPOSAL,
    POLITICAL_HISTORY,
    PROPOSITION,
    TOPIC_AGGREGATE,
)

FILTERS = {"office": "offices", "party": "parties", "state": "states"}
LISTED_OF_CANDIDATE = {"bills": "propositions", "plans": "documents", "mandates": "history"}
BILL_PAGE = "https://www.camara.leg.br/proposicoesWeb/fichadetramitacao?idProposicao={id}"
DEPUTY_PAGE = "https://www.camara.leg.br/deputados/{id}"
COURT_PAGE = "https://dadosabertos.tse.jus.br/dataset/candidatos-{year}"


def human_url(evidence: Evidence) -> str | None:
    """The official page where a person can look the source up; None for a count and for news."""
    facts = evidence.structured
    if evidence.source_type == PROPOSITION:
        return BILL_PAGE.format(id=evidence.source_id)
    if evidence.source_type == POLITICAL_HISTORY and facts.get("camara_deputy_id"):
        return DEPUTY_PAGE.format(id=facts["camara_deputy_id"])
    if evidence.source_type in (GOVERNMENT_PROPOSAL, CANDIDATE_RECORD) and evidence.candidates:
        return COURT_PAGE.format(year=evidence.candidates[0].year)
    return None


def locator(evidence: Evidence) -> str | None:
    """Where in the file behind the address the source stands: the archive's member, the row of the candidate."""
    facts = evidence.structured
    if evidence.source_type == GOVERNMENT_PROPOSAL and facts.get("file_name"):
        return f"arquivo {facts['file_name']} dentro do pacote do TSE"
    if evidence.source_type == CANDIDATE_RECORD:
        return f"linha com SQ_CANDIDATO {evidence.source_id} no pacote de candidaturas do TSE"
    return None


def list_url(evidence: Evidence) -> str | None:
    """The list behind a count, by the platform's own API; None where its filters say less than the count's."""
    facts = evidence.structured
    if evidence.source_type != TOPIC_AGGREGATE:
        return None
    if evidence.candidates:
        kind = LISTED_OF_CANDIDATE.get(str(facts.get("counted", "bills")))
        whole = not any(facts.get(name) for name in ("topic", "types", "years"))
        return f"/api/candidates/{evidence.candidates[0].tse_id}/{kind}" if kind and whole else None
    asked = {name: facts.get(plural) or [] for name, plural in FILTERS.items()}
    elections = [year for year in str(facts.get("elections") or "").split(", ") if year]
    asked["year"] = elections
    exact = facts.get("counted") == "candidates" and not facts.get("results")
    if not exact or any(len(values) > 1 for values in asked.values()) or not all(map(str.isdigit, elections)):
        return None
    return f"/api/candidates?{urlencode({name: values[0] for name, values in asked.items() if values})}"
