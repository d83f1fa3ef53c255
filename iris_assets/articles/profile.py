"""The profile (ECP snapshot) of a candidate, built from the store alone: who they are and who else is called so."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from iris_assets.articles.contracts import Namesake, Profile
from iris_assets.articles.guard.persons import name_forms
from iris_assets.articles.validation import digest
from iris_assets.errors import NotFoundError
from iris_assets.store import Store
from iris_assets.words.parties import same_party
from iris_assets.words.text import fold

MOST_BILLS = 50
MOST_NAMESAKES = 50
NAMES_OF_DEPUTY = ("electoral_name", "status_name", "civil_name")
Record = Mapping[str, Any]


def build_profile(store: Store, tse_id: str) -> Profile:
    """Who the candidate is. Raises NotFoundError CANDIDATE_NOT_FOUND."""
    row = store.candidates.by_tse_id(tse_id)
    if row is None:
        raise NotFoundError("CANDIDATE_NOT_FOUND", f"no candidate {tse_id} in the store", hint="ingest the UF first")
    bills = store.camara.bills_of_candidate(row["id"])[:MOST_BILLS]
    deputy = store.camara.deputy(row["camara_deputy_id"]) if row["camara_deputy_id"] else None
    aliases = set(_deputy_names(deputy)) if deputy else set()
    names = (str(row["name"]),)
    return with_version(
        {
            "profile_id": tse_id, "names": names, "ballot_name": row["ballot_name"], "party": row["party"],
            "office": row["office"], "uf": row["state"], "camara_id": row["camara_deputy_id"],
            "bills": sorted({f"{b['type']} {b['number']}/{b['year']}" for b in bills if b["number"]}),
            "topics": sorted({topic["name"] for bill in bills for topic in bill["topics"]}),
            "aliases": sorted(aliases - {"", *names}),
            "former_parties": _former_parties(deputy, row["party"]) if deputy else [],
            "namesakes": [known.model_dump(mode="json") for known in _namesakes(store, row)],
        }
    )  # fmt: skip


def with_version(content: dict[str, Any]) -> Profile:
    """A profile whose version is the hash of its content."""
    return Profile.model_validate({**content, "version": digest(content)[:16]})


def _namesakes(store: Store, row: Record) -> list[Namesake]:
    """Other candidates and deputies whom a name of this candidate may mean, by their id."""
    spelled = sorted({str(row["name"]), str(row["ballot_name"] or row["name"])})
    candidates = {str(found["tse_id"]): found for name in spelled for found in store.candidates.search(name=name).items}
    deputies = store.camara.deputies(("camara_id", *NAMES_OF_DEPUTY, "party", "state", "parties_json", "legislature"))
    every = [*map(_candidate, candidates.values()), *map(_deputy, _in_office(deputies))]
    own = name_forms((spelled[0],), spelled[-1])
    asked = [tuple(name) for name in {own.civil, *own.called}]
    found = [known for known in every if not _is_same(known, row) and _may_be_called(known, asked)]
    return sorted(found, key=lambda known: known.source_id)[:MOST_NAMESAKES]


def _may_be_called(known: Namesake, asked: Iterable[tuple[str, ...]]) -> bool:
    forms = name_forms(known.names, "")
    return any(forms.form_of(words) for words in asked)


def _is_same(known: Namesake, row: Record) -> bool:
    """Another record of the candidate: the same registration, another election's, or their seat in the Câmara."""
    same_name = any(fold(name) == fold(str(row["name"])) for name in known.names)
    near = known.uf == row["state"] or "BR" in (known.uf, row["state"])
    return known.source_id in (row["tse_id"], f"camara:{row['camara_deputy_id']}") or (same_name and near)


def _candidate(row: Record) -> Namesake:
    names = tuple(dict.fromkeys((str(row["name"]), str(row["ballot_name"] or row["name"]))))
    return Namesake(
        source_id=str(row["tse_id"]), names=names, party=row["party"], uf=row["state"], office=row["office"],
        deputy=row["camara_deputy_id"] is not None,
    )  # fmt: skip


def _in_office(deputies: Iterable[Record]) -> Iterator[Record]:
    """Those of the last two legislatures that the records hold: older ones are not in the news."""
    known = [row for row in deputies if row["legislature"] and (row["civil_name"] or row["status_name"])]
    last = max((row["legislature"] for row in known), default=0)
    return (row for row in known if row["legislature"] >= last - 1)


def _deputy(row: Record) -> Namesake:
    names = tuple(dict.fromkeys((*([row["civil_name"]] if row["civil_name"] else []), *_deputy_names(row))))
    return Namesake(
        source_id=f"camara:{row['camara_id']}", names=names, party=row["party"], uf=row["state"],
        former_parties=tuple(_former_parties(row, row["party"])), office="DEPUTADO FEDERAL", deputy=True,
    )  # fmt: skip


def _deputy_names(row: Record) -> list[str]:
    return [str(row[key]) for key in NAMES_OF_DEPUTY if row[key]]


def _former_parties(deputy: Record, party: str | None) -> list[str]:
    held = deputy["parties_json"] or []
    every = json.loads(held) if isinstance(held, str) else held
    return sorted({str(name) for name in every if not party or not same_party(str(name), party)})
