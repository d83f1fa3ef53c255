"""Articles taken out of the searches: by a person's decision, or because their file left the inbox."""

from collections.abc import Collection
from typing import Any

from iris_assets.articles.publishing import BY_COMMAND, FILE_REMOVED, is_current, retire
from iris_assets.errors import NotFoundError
from iris_assets.store import Store
from iris_assets.store.records import ArticleRow
from iris_assets.store.tables.articles import CURRENT, WITHDRAWN


def versions_of(store: Store, url: str) -> list[dict[str, Any]]:
    """Every version of a page with its text and what became of it, newest first.

    Raises NotFoundError ARTICLE_NOT_FOUND.
    """
    return [_told(row) for row in _known(store, url)]


def withdraw(store: Store, url: str, reason: str) -> list[dict[str, Any]]:
    """Take every version of a page out of the searches, for good. Raises NotFoundError ARTICLE_NOT_FOUND."""
    for row in _known(store, url):
        retire(store, row, WITHDRAWN, f"{BY_COMMAND}: {reason}" if reason else BY_COMMAND)
    return versions_of(store, url)


def restore(store: Store, url: str) -> list[dict[str, Any]]:
    """Forget the decision: the next run over the inbox publishes the page again. Raises NotFoundError ARTICLE_NOT_FOUND."""
    with store.transaction() as tx:
        for row in _known(store, url):
            if (row["status_reason"] or "").startswith(BY_COMMAND):
                store.articles.upsert(tx, {"fingerprint": row["fingerprint"], "status_reason": None})
    return versions_of(store, url)


def withdraw_absent(store: Store, tse_ids: Collection[str], present: Collection[str]) -> int:
    """Retire the articles of these candidates whose URL no file of the inbox has; how many."""
    gone = [
        row for tse_id in sorted(tse_ids) for row in store.articles.of_candidate(tse_id) if row["url"] not in present
    ]
    for row in gone:
        retire(store, row, WITHDRAWN, FILE_REMOVED)
    return len(gone)


def _known(store: Store, url: str) -> list[ArticleRow]:
    found = store.articles.versions(url)
    if not found:
        raise NotFoundError(
            "ARTICLE_NOT_FOUND", "no article of this address is stored", hint="give the URL of the page"
        )
    return found


def _told(row: ArticleRow) -> dict[str, Any]:
    unsaid = ("id", "manifest_json", "created_at", "updated_at")
    told = {name: value for name, value in row.items() if name not in unsaid}
    return {**told, "status": CURRENT if is_current(row) else row["status"]}
