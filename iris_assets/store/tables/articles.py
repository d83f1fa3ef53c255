"""News articles about a candidate: unofficial, kept apart from the official records; a URL is a source with versions."""

from typing import Final

from sqlalchemy import ColumnElement, or_, select

from iris_assets.store.engine import Tx
from iris_assets.store.inputs import ArticleValues
from iris_assets.store.records import ArticleRow
from iris_assets.store.tables.rows import Outcome, Repository, fetch, fetch_one, select_rows, upsert
from iris_assets.store.tables.schema import news_article

CURRENT: Final = "CURRENT"
SUPERSEDED: Final = "SUPERSEDED"
WITHDRAWN: Final = "WITHDRAWN"


class Articles(Repository):
    """NewsArticle."""

    def upsert(self, tx: Tx, row: ArticleValues) -> Outcome:
        """By fingerprint."""
        return upsert(tx, news_article, ("fingerprint",), [row])[0]

    def get(self, fingerprint: str) -> ArticleRow | None:
        """One version of an article with its text, also one that no longer counts."""
        with self._access.snapshot() as tx:
            return fetch_one(tx, select_rows(news_article).where(news_article.c.fingerprint == fingerprint))

    def of_candidate(self, tse_id: str) -> list[ArticleRow]:
        """The articles about one candidate in the version that counts, newest first."""
        return self._found(news_article.c.tse_id == tse_id, _is_current())

    def versions(self, url: str, tse_id: str | None = None) -> list[ArticleRow]:
        """Every version of a page, newest first, also those that no longer count."""
        conditions = [news_article.c.url == url]
        return self._found(*conditions, *([news_article.c.tse_id == tse_id] if tse_id else []))

    def _found(self, *conditions: ColumnElement[bool]) -> list[ArticleRow]:
        c = news_article.c
        statement = select_rows(news_article).where(*conditions)
        with self._access.snapshot() as tx:
            return fetch(tx, statement.order_by(c.published_at.desc(), c.fetched_at.desc(), c.fingerprint))

    def fingerprints(self) -> set[str]:
        """Every version that is stored."""
        with self._access.snapshot() as tx:
            return {row[0] for row in tx.connection.execute(select(news_article.c.fingerprint))}


def _is_current() -> ColumnElement[bool]:
    return or_(news_article.c.status.is_(None), news_article.c.status == CURRENT)
