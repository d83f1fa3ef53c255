"""The identity cases that wait for a human, with the evidence of every deputy considered."""

from collections.abc import Mapping
from typing import Any

from iris_assets.errors import NotFoundError
from iris_assets.settings import Settings
from iris_assets.store import Store
from iris_assets.store.records import CandidateRow, MatchRow

SHOWN_OF_CANDIDATE = ("tse_id", "election_year", "name", "ballot_name", "party", "office", "state", "match_status")


def review_cases(store: Store, settings: Settings | None = None) -> list[dict[str, Any]]:
    """Candidates in REVIEW by ballot name; `considered` holds the deputies with points, evidence and words.

    Near names are not here: they change no status and are listed by `suggested_cases`.
    """
    names = _deputy_names(store)
    return [
        {**_person(case), "considered": [_considered(row, names) for row in case["considered"]]}
        for case in store.matches.review_cases()
    ]


def suggested_cases(store: Store) -> list[dict[str, Any]]:
    """Candidates in UNMATCHED for whom a deputy with a near or half-known name is proposed, by TSE id."""
    names = _deputy_names(store)
    rows = store.matches.suggested()
    people = store.candidates.by_ids({row["candidate_id"] for row in rows})
    cases: dict[int, dict[str, Any]] = {}
    for row in rows:
        case = cases.setdefault(row["candidate_id"], {**_person(people[row["candidate_id"]]), "considered": []})
        told = _considered(row, names)
        told["explanation"] = row["evidence_json"]["suggestion"]["explanation"]
        case["considered"].append(told)
    return sorted(cases.values(), key=lambda case: (case["election_year"], case["tse_id"]))


def require_known(store: Store, tse_id: str, deputy_id: int) -> None:
    """A decision is about people whom the records know.

    Raises NotFoundError CANDIDATE_NOT_FOUND, DEPUTY_NOT_FOUND.
    """
    if store.candidates.by_tse_id(tse_id.strip()) is None:
        raise NotFoundError("CANDIDATE_NOT_FOUND", f"no candidate {tse_id} is stored", hint="ingest the UF first")
    if store.camara.deputy(deputy_id) is None:
        raise NotFoundError(
            "DEPUTY_NOT_FOUND", f"no deputy {deputy_id} is stored", hint="take the id from: iris-assets review"
        )


def _person(row: CandidateRow) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name in SHOWN_OF_CANDIDATE}


def _considered(row: MatchRow, names: Mapping[int, str]) -> dict[str, Any]:
    told = row["evidence_json"]
    return {
        "camara_deputy_id": row["camara_deputy_id"],
        "deputy_name": names.get(row["camara_deputy_id"], ""),
        "score": row["score"],
        "outcome": row["outcome"],
        "explanation": told.get("explanation", ""),
        "evidence": told.get("evidence", []),
        "conflicts": told.get("conflicts", []),
    }


def _deputy_names(store: Store) -> dict[int, str]:
    return {row["camara_id"]: row["status_name"] or row["civil_name"] or "" for row in store.camara.deputies()}
