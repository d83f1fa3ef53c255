"""The profile (ECP snapshot) of a candidate, built from the store alone."""

from typing import Any

from iris_assets.articles.contracts import Profile
from iris_assets.articles.validation import digest
from iris_assets.errors import NotFoundError
from iris_assets.store import Store

MOST_BILLS = 50


def build_profile(store: Store, tse_id: str) -> Profile:
    """Who the candidate is. Raises NotFoundError CANDIDATE_NOT_FOUND."""
    row = store.candidates.by_tse_id(tse_id)
    if row is None:
        raise NotFoundError("CANDIDATE_NOT_FOUND", f"no candidate {tse_id} in the store", hint="ingest the UF first")
    bills = store.camara.bills_of_candidate(row["id"])[:MOST_BILLS]
    deputy = store.camara.deputy(row["camara_deputy_id"]) if row["camara_deputy_id"] else None
    known = (deputy["electoral_name"], deputy["status_name"], deputy["civil_name"]) if deputy else ()
    aliases = {str(name or "") for name in known}
    names = (str(row["name"]),)
    return with_version(
        {
            "profile_id": tse_id, "names": names, "ballot_name": row["ballot_name"], "party": row["party"],
            "office": row["office"], "uf": row["state"], "camara_id": row["camara_deputy_id"],
            "bills": sorted({f"{b['type']} {b['number']}/{b['year']}" for b in bills if b["number"]}),
            "topics": sorted({topic["name"] for bill in bills for topic in bill["topics"]}),
            "aliases": sorted(aliases - {"", *names}),
        }
    )  # fmt: skip


def with_version(content: dict[str, Any]) -> Profile:
    """A profile whose version is the hash of its content."""
    return Profile.model_validate({**content, "version": digest(content)[:16]})
