"""News articles about a candidate: unofficial, kept apart from the official records."""

from sqlalchemy import select

from iris_assets.store.engine import Tx
from iris_assets.store.inputs import ArticleValues
from iris_assets.store.records import ArticleRow
from iris_assets.store.tables.rows import Outcome, Repository, fetch, fetch_one, select_rows, upsert
from iris_assets.store.tables.schema import news_article


class Articles(Repository):
    """NewsArticle."""

    def upsert(self, tx: Tx, row: ArticleValues) -> Outcome:
        """By fingerprint."""
        return upsert(tx, news_article, ("fingerprint",), [row])[0]

    def get(self, fingerprint: str) -> ArticleRow | None:
        """One article with its text."""
        with self._access.snapshot() as tx:
            return fetch_one(tx, select_rows(news_article).where(news_article.c.fingerprint == fingerprint))

    def of_candidate(self, tse_id: str) -> list[ArticleRow]:
        """The articles about one candidate, newest first."""
        statement = select_rows(news_article).where(news_article.c.tse_id == tse_id)
        with self._access.snapshot() as tx:
            return fetch(tx, statement.order_by(news_article.c.published_at.desc(), news_article.c.fingerprint))

    def fingerprints(self) -> set[str]:
        """Every article that is stored."""
        with self._access.snapshot() as tx:
            return {row[0] for row in tx.connection.execute(select(news_article.c.fingerprint))}
