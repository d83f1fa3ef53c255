"""Addresses of a source for people: the Câmara's page, the court's page, the file inside the court's archive."""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode

from iris_assets.retrieval.types import CandidateRef, Evidence
from iris_assets.ufs import REGIONS
from iris_assets.words.source_kinds import (
    CANDIDATE_RECORD,
    GOVERNMENT_PROPOSAL,
    POLITICAL_HISTORY,
    PROPOSITION,
    TOPIC_AGGREGATE,
)

FILTERS = {
    "office": "offices",
    "party": "parties",
    "state": "states",
}
LISTED_OF_CANDIDATE = {"bills": "propositions", "plans": "documents", "mandates": "history"}
BILL_PAGE = "https://www.camara.leg.br/proposicoesWeb/fichadetramitacao?idProposicao={id}"
DEPUTY_PAGE = "https://www.camara.leg.br/deputados/{id}"
COURT_PAGE = "https://divulgacandcontas.tse.jus.br/divulga/#/candidato/{region}/{state}/{election}/{sq}/{year}/{unit}"
COURT_DATASET = "https://dadosabertos.tse.jus.br/dataset/candidatos-{year}"
# What the court's pages call an election; its files have another number for it (CD_ELEICAO).
COURT_ELECTIONS: Final = {
    2018: "2022802018",
    2020: "2030402020",
    2022: "2040602022",
    2024: "2045202024",
    2026: "20322002026",
}


def human_url(evidence: Evidence) -> str | None:
    """The official page where a person can look the source up; None for a count and for news."""
    facts = evidence.structured
    if evidence.source_type == PROPOSITION:
        return BILL_PAGE.format(id=evidence.source_id)
    if evidence.source_type == POLITICAL_HISTORY and facts.get("camara_deputy_id"):
        return DEPUTY_PAGE.format(id=facts["camara_deputy_id"])
    if evidence.source_type in (GOVERNMENT_PROPOSAL, CANDIDATE_RECORD) and evidence.candidates:
        return court_page(evidence.candidates[0])
    return None


def court_page(candidate: CandidateRef) -> str:
    """The court's page of a candidacy; of an election whose pages are not known, where its files are published."""
    election, region = COURT_ELECTIONS.get(candidate.year), REGIONS.get(candidate.state)
    if election is None or region is None:
        return COURT_DATASET.format(year=candidate.year)
    unit = candidate.electoral_unit or candidate.state
    return COURT_PAGE.format(
        region=region, state=candidate.state, election=election, sq=candidate.tse_id, year=candidate.year, unit=unit
    )


def locator(evidence: Evidence) -> str | None:
    """Where in the file behind the address the source stands: the archive's member, the row of the candidate."""
    facts = evidence.structured
    if evidence.source_type == GOVERNMENT_PROPOSAL and facts.get("file_name"):
        return f"arquivo {facts['file_name']} dentro do pacote{_archive(evidence)} do TSE"
    if evidence.source_type == CANDIDATE_RECORD:
        return f"linha com SQ_CANDIDATO {evidence.source_id} no pacote{_archive(evidence)} de candidaturas do TSE"
    return None


def _archive(evidence: Evidence) -> str:
    name = (evidence.url or "").rpartition("/")[2]
    return f" {name}" if name.endswith(".zip") else ""


def list_url(evidence: Evidence) -> str | None:
    """The list behind a count, by the platform's own API; None where its filters say less than the count's."""
    facts = evidence.structured
    if evidence.source_type != TOPIC_AGGREGATE or not facts.get("listable", True) or facts.get("count") == 0:
        return None
    if evidence.candidates:
        return _list_of_candidate(evidence.candidates[0], facts)
    asked = {name: facts.get(plural) or [] for name, plural in FILTERS.items()}
    asked["year"] = [year for year in str(facts.get("elections") or "").split(", ") if year]
    if facts.get("counted") == "bills":
        return f"/api/propositions?{urlencode({**asked, **_of_bills(facts)}, doseq=True)}".rstrip("?")
    if facts.get("counted") != "candidates":
        return None
    standing = {"result": facts.get("results") or [], "registration": facts.get("registrations") or []}
    standing["round"] = [facts["last_round"]] if facts.get("last_round") else []
    return f"/api/candidates?{urlencode({**asked, **standing, 'listed': 'true'}, doseq=True)}"


def _list_of_candidate(candidate: CandidateRef, facts: Mapping[str, Any]) -> str | None:
    kind = LISTED_OF_CANDIDATE.get(str(facts.get("counted", "bills")))
    given = _of_bills(facts)
    if kind is None or (given and kind != "propositions"):
        return None
    query = urlencode({"year": candidate.year, **given}, doseq=True)
    return f"/api/candidates/{candidate.tse_id}/{kind}?{query}"


def _of_bills(facts: Mapping[str, Any]) -> dict[str, Any]:
    asked = {"type": facts.get("types"), "bill_year": facts.get("bill_years"), "topic": facts.get("topic")}
    return {name: value for name, value in asked.items() if value}
