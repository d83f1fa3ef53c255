"""How the records of each kind of source go when its last link goes: one table, by the names of `words.source_kinds`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from sqlalchemy import Column, delete, select

from iris_assets.store.engine import Tx
from iris_assets.store.tables.camara import thin_authors
from iris_assets.store.tables.schema import (
    news_article,
    political_history,
    proposal_document,
    proposition,
    proposition_author,
    proposition_topic,
)
from iris_assets.words.source_kinds import GOVERNMENT_PROPOSAL, NEWS_ARTICLE, POLITICAL_HISTORY, PROPOSITION


@dataclass(frozen=True, slots=True)
class Retirement:
    """`retire` deletes the records of one source; `thin` takes what does not fit one transaction beforehand, True if it did."""

    retire: Callable[[Tx, str], None]
    thin: Callable[[Tx, str], bool] = lambda tx, source_id: False


def retire(tx: Tx, source_type: str, source_id: str) -> None:
    """Delete the records of a source."""
    RETIREMENTS[source_type].retire(tx, source_id)


def thinned(tx: Tx, source_type: str, source_id: str) -> bool:
    """Take one transaction's worth from a source whose records do not fit in one; False when all the rest fits."""
    return RETIREMENTS[source_type].thin(tx, source_id)


def _retire_bill(tx: Tx, source_id: str) -> None:
    statement = select(proposition.c.id).where(proposition.c.camara_id == int(source_id))
    for bill_id in [row[0] for row in tx.connection.execute(statement)]:
        for part in (proposition_author, proposition_topic):
            tx.connection.execute(delete(part).where(part.c.proposition_id == bill_id))
        tx.connection.execute(delete(proposition).where(proposition.c.id == bill_id))


def _delete_by(key: Column[str], tx: Tx, source_id: str) -> None:
    tx.connection.execute(delete(key.table).where(key == source_id))


RETIREMENTS: Final[Mapping[str, Retirement]] = {
    PROPOSITION: Retirement(_retire_bill, lambda tx, source_id: thin_authors(tx, int(source_id))),
    GOVERNMENT_PROPOSAL: Retirement(partial(_delete_by, proposal_document.c.document_hash)),
    POLITICAL_HISTORY: Retirement(partial(_delete_by, political_history.c.external_id)),
    NEWS_ARTICLE: Retirement(partial(_delete_by, news_article.c.fingerprint)),
}
