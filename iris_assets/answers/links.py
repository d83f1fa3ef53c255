"""Addresses of a source for people: the Câmara's page, the court's page, the file inside the court's archive."""

from iris_assets.retrieval.types import Evidence
from iris_assets.words.source_kinds import CANDIDATE_RECORD, GOVERNMENT_PROPOSAL, POLITICAL_HISTORY, PROPOSITION

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
