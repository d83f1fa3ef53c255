"""Approved articles put into the store as unofficial sources: a URL has versions, the same agency text counts once."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from iris_assets.articles.runtime import Outcome
from iris_assets.articles.text import jaccard, shingles, words
from iris_assets.errors import NotFoundError
from iris_assets.store import Store, Tx
from iris_assets.store.inputs import ArticleValues
from iris_assets.store.records import ArticleRow
from iris_assets.store.tables.articles import CURRENT, SUPERSEDED
from iris_assets.words.press import press_words
from iris_assets.words.source_kinds import NEWS_ARTICLE
from iris_assets.words.text import fold_any_script

ROLE: Final = "SUBJECT"
NEAR_DUPLICATE: Final = 0.8  # likeness of runs of four words
NOTICE_WORDS: Final = 3  # a notice of correction names itself within its first words
REJECTED: Final = "NEWER_VERSION_REJECTED"
FILE_REMOVED: Final = "FILE_REMOVED"
BY_COMMAND: Final = "BY_COMMAND"
LONGEST_NOTE: Final = 1000


@dataclass(frozen=True, slots=True)
class Published:
    """What became of an outcome.

    `inserted`, `updated`, `unchanged`, `duplicate` (of `fingerprint`), `older` (than the version that counts), `partial` (a
    paywall, a live blog, a gallery: never published as if it were whole), `withdrawn` (by a person's decision), `retired`
    (the version that counted is no longer about the candidate) or `none`.
    """

    status: str
    fingerprint: str


def publish(store: Store, outcome: Outcome) -> Published:
    """Store an approved article and link it to its candidate; of one URL the newest version alone is searched.

    Raises NotFoundError CANDIDATE_NOT_FOUND.
    """
    manifest = outcome.manifest
    if manifest.status == "completed_text" and manifest.body_status == "PARTIAL_BODY":
        return Published("partial", manifest.fingerprint)
    if manifest.status == "failed":
        return Published("none", manifest.fingerprint)
    candidate = store.candidates.by_tse_id(manifest.profile_id)
    if candidate is None:
        raise NotFoundError("CANDIDATE_NOT_FOUND", f"no candidate {manifest.profile_id}", hint="ingest the UF first")
    versions = store.articles.versions(manifest.url[:1000], manifest.profile_id)
    current = next((row for row in versions if is_current(row)), None)
    if outcome.body_text is None:
        return _rejected(store, outcome, current)
    if any((row["status_reason"] or "").startswith(BY_COMMAND) for row in versions):
        return Published("withdrawn", manifest.fingerprint)
    if (
        current is not None
        and current["fingerprint"] != manifest.fingerprint
        and not _is_newer(outcome, current, versions)
    ):
        return _kept_as_older(store, outcome, current)
    same = None if current else _near(store, outcome)
    if same:
        return Published("duplicate", same)
    with store.transaction() as tx:
        return Published(_made_current(store, tx, outcome, candidate["id"], current), manifest.fingerprint)


def is_current(row: ArticleRow) -> bool:
    """Whether this version counts."""
    return row["status"] in (None, CURRENT)


def retire(store: Store, row: ArticleRow, status: str, reason: str, replaced_by: str | None = None) -> None:
    """Take a version out of the searches; its text stays readable under its fingerprint."""
    with store.transaction() as tx:
        _retired(store, tx, row, status, reason, replaced_by)


def _retired(store: Store, tx: Tx, row: ArticleRow, status: str, reason: str, replaced_by: str | None) -> None:
    store.articles.upsert(
        tx,
        {
            "fingerprint": row["fingerprint"],
            "status": status,
            "status_reason": reason[:500],
            "replaced_by": replaced_by,
        },
    )
    for link in store.links.of_source(NEWS_ARTICLE, row["fingerprint"]):
        store.links.remove(tx, NEWS_ARTICLE, row["fingerprint"], link["candidate_id"], keep_source=True)


def _rejected(store: Store, outcome: Outcome, current: ArticleRow | None) -> Published:
    fingerprint = outcome.manifest.fingerprint
    if current is None or current["fingerprint"] == fingerprint or _moment(outcome.fetched_at) <= _read_at(current):
        return Published("none", fingerprint)
    retire(store, current, SUPERSEDED, REJECTED)
    return Published("retired", current["fingerprint"])


def _is_newer(outcome: Outcome, current: ArticleRow, versions: Iterable[ArticleRow]) -> bool:
    """Read later; or, at no later moment, a text that was never stored."""
    read, known = _moment(outcome.fetched_at), _read_at(current)
    return read > known or (
        read == known and outcome.manifest.fingerprint not in {row["fingerprint"] for row in versions}
    )


def _kept_as_older(store: Store, outcome: Outcome, current: ArticleRow) -> Published:
    with store.transaction() as tx:
        row = _row(outcome)
        if store.articles.get(outcome.manifest.fingerprint) is None:
            row |= {"status": SUPERSEDED, "replaced_by": current["fingerprint"]}
            store.articles.upsert(tx, row)
    return Published("older", outcome.manifest.fingerprint)


def _made_current(store: Store, tx: Tx, outcome: Outcome, candidate_id: int, current: ArticleRow | None) -> str:
    fingerprint = outcome.manifest.fingerprint
    row = _row(outcome)
    if (
        current is not None
        and current["fingerprint"] == fingerprint
        and _read_at(current) > _moment(outcome.fetched_at)
    ):
        row["fetched_at"] = current["fetched_at"]
    found = store.articles.upsert(tx, {**row, "status": CURRENT, "status_reason": None, "replaced_by": None})
    store.links.set(tx, NEWS_ARTICLE, fingerprint, candidate_id, ROLE)
    if current is not None and current["fingerprint"] != fingerprint:
        _retired(store, tx, current, SUPERSEDED, "NEWER_VERSION", fingerprint)
        return "updated"
    return str(found.value).lower()


def _row(outcome: Outcome) -> ArticleValues:
    manifest = outcome.manifest
    return {
        "fingerprint": manifest.fingerprint, "tse_id": manifest.profile_id, "title": (manifest.title or "")[:500],
        "url": manifest.url[:1000], "published_at": manifest.published_at, "body_text": outcome.body_text,
        "manifest_json": manifest.model_dump_json(), "fetched_at": outcome.fetched_at[:40],
        "correction": correction_of(outcome.body_text or ""),
    }  # fmt: skip


def correction_of(text: str) -> str | None:
    """The paragraph by which a newspaper says that it corrected the text, None when there is none."""
    marks = {fold_any_script(word) for word in press_words().correction}
    for paragraph in text.split("\n\n"):
        if marks & {fold_any_script(word) for word in words(paragraph)[:NOTICE_WORDS]}:
            return paragraph[:LONGEST_NOTE]
    return None


def _read_at(row: ArticleRow) -> datetime:
    told = row["fetched_at"] or json.loads(row["manifest_json"] or "{}").get("fetched_at")
    return _moment(told or "")


def _moment(text: str) -> datetime:
    """The moment of an ISO text; one that is none is older than all others."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _near(store: Store, outcome: Outcome) -> str | None:
    """An article of the candidate at another URL that reads nearly the same."""
    own, manifest = shingles(fold_any_script(outcome.body_text or "")), outcome.manifest
    for row in sorted(store.articles.of_candidate(manifest.profile_id), key=lambda row: str(row["fingerprint"])):
        if row["fingerprint"] == manifest.fingerprint or row["url"] == manifest.url[:1000]:
            continue
        if jaccard(own, shingles(fold_any_script(row["body_text"] or ""))) >= NEAR_DUPLICATE:
            return str(row["fingerprint"])
    return None
