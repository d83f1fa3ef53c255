"""Approved articles put into the store as unofficial sources; the same agency text counts once."""

from dataclasses import dataclass
from typing import Final

from iris_assets.articles.runtime import Outcome
from iris_assets.articles.text import jaccard, shingles
from iris_assets.errors import NotFoundError
from iris_assets.store import Store
from iris_assets.store.inputs import ArticleValues
from iris_assets.words.source_kinds import NEWS_ARTICLE
from iris_assets.words.text import fold_any_script

ROLE: Final = "SUBJECT"
NEAR_DUPLICATE: Final = 0.8  # likeness of runs of four words


@dataclass(frozen=True, slots=True)
class Published:
    """What became of an outcome: `inserted`, `updated`, `unchanged`, `duplicate` (of `fingerprint`) or `none`."""

    status: str
    fingerprint: str


def publish(store: Store, outcome: Outcome) -> Published:
    """Store an approved article and link it to its candidate. Raises NotFoundError CANDIDATE_NOT_FOUND."""
    manifest = outcome.manifest
    if outcome.markdown is None or outcome.body_text is None:
        return Published("none", manifest.fingerprint)
    candidate = store.candidates.by_tse_id(manifest.profile_id)
    if candidate is None:
        raise NotFoundError("CANDIDATE_NOT_FOUND", f"no candidate {manifest.profile_id}", hint="ingest the UF first")
    same = _near(store, manifest.profile_id, manifest.fingerprint, outcome.body_text)
    if same:
        return Published("duplicate", same)
    row: ArticleValues = {
        "fingerprint": manifest.fingerprint, "tse_id": manifest.profile_id, "title": (manifest.title or "")[:500],
        "url": manifest.url[:1000], "published_at": manifest.published_at, "body_text": outcome.body_text,
        "manifest_json": manifest.model_dump_json(),
    }  # fmt: skip
    with store.transaction() as tx:
        result = store.articles.upsert(tx, row)
        store.links.set(tx, NEWS_ARTICLE, manifest.fingerprint, candidate["id"], ROLE)
    return Published(str(result.value).lower(), manifest.fingerprint)


def _near(store: Store, tse_id: str, fingerprint: str, text: str) -> str | None:
    own = shingles(fold_any_script(text))
    for row in sorted(store.articles.of_candidate(tse_id), key=lambda row: str(row["fingerprint"])):
        if (
            row["fingerprint"] != fingerprint
            and jaccard(own, shingles(fold_any_script(row["body_text"] or ""))) >= NEAR_DUPLICATE
        ):
            return str(row["fingerprint"])
    return None
