"""Which candidates a source concerns; the last link that goes takes the source and its chunks with it."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from sqlalchemy import delete, select

from iris_assets.store.engine import Tx
from iris_assets.store.records import LinkRow
from iris_assets.store.search import SearchFilter
from iris_assets.store.tables.candidates import restricted
from iris_assets.store.tables.chunks import retire_chunks
from iris_assets.store.tables.filters import chunk_ids, refresh_filters
from iris_assets.store.tables.retirement import retire, thinned
from iris_assets.store.tables.rows import Outcome, Repository, fetch, fetch_in, insert_rows, select_rows, upsert
from iris_assets.store.tables.schema import candidate, source_candidate

KEY: Final = ("source_type", "source_id", "candidate_id")


class Links(Repository):
    """SourceCandidate."""

    def set(
        self,
        tx: Tx,
        source_type: str,
        source_id: str,
        candidate_id: int,
        role: str,
        file_name: str | None = None,
        **filing: Any,
    ) -> Outcome:
        """Link a source to a candidate; a new link refreshes what the source's chunks can be filtered by.

        `filing`: title, source_url and source_collected_at of a document as this candidate filed it.
        """
        row = {
            "source_type": source_type,
            "source_id": source_id,
            "candidate_id": candidate_id,
            "link_role": role,
            "file_name": file_name,
            **filing,
        }
        outcome = upsert(tx, source_candidate, KEY, [row])[0]
        if outcome is Outcome.INSERTED:
            refresh_filters(tx, [(source_type, source_id)])
        return outcome

    def add(
        self, tx: Tx, source_type: str, candidates: Mapping[str, Iterable[int]], role: str, *, new_sources: bool = False
    ) -> int:
        """Link several sources to their candidates in a few statements; how many links are new.

        `new_sources` says that the sources were made in this transaction, so that no chunk of theirs needs another filter.
        """
        linked = self.of_sources(tx, source_type, candidates)
        rows = [
            {"source_type": source_type, "source_id": source_id, "candidate_id": candidate_id, "link_role": role}
            for source_id, ids in candidates.items()
            for candidate_id in ids
            if candidate_id not in linked.get(source_id, ())
        ]
        insert_rows(tx, source_candidate, KEY, rows)
        if not new_sources:
            refresh_filters(tx, [(source_type, str(row["source_id"])) for row in rows])
        return len(rows)

    def of_sources(self, tx: Tx, source_type: str, source_ids: Iterable[str]) -> dict[str, frozenset[int]]:
        """source_id → ids of the candidates linked to it, for sources that have a link."""
        columns = (
            source_candidate.c.source_id.label("source_id"),
            source_candidate.c.candidate_id.label("candidate_id"),
        )
        statement = select(*columns).where(source_candidate.c.source_type == source_type)
        found: dict[str, list[int]] = {}
        for row in fetch_in(tx, statement, source_candidate.c.source_id, source_ids):
            found.setdefault(row["source_id"], []).append(row["candidate_id"])
        return {source_id: frozenset(ids) for source_id, ids in found.items()}

    def remove(self, tx: Tx, source_type: str, source_id: str, candidate_id: int, *, keep_source: bool = False) -> bool:
        """Unlink; True when this was the last link, so that the source, its chunks and their vectors went too.

        `keep_source` keeps the source's own row (a deputy's history), never its chunks.
        """
        linked = _candidate_ids(tx, source_type, source_id)
        if candidate_id not in linked:
            return False
        statement = delete(source_candidate).where(
            source_candidate.c.source_type == source_type,
            source_candidate.c.source_id == source_id,
            source_candidate.c.candidate_id == candidate_id,
        )
        tx.connection.execute(statement)
        if len(linked) > 1:
            refresh_filters(tx, [(source_type, source_id)])
            return False
        retire_chunks(tx, source_type, source_id)
        if not keep_source:
            retire(tx, source_type, source_id)
        return True

    def withdraw(self, source_type: str, source_id: str, candidate_id: int, *, keep_source: bool = False) -> bool:
        """`remove` in as many transactions of its own as what hangs on the source takes.

        Until the last transaction the link is there, so that a break is ended by the next call, or mended by the stages.
        """
        while True:
            with self._access.transaction() as tx:
                last = _candidate_ids(tx, source_type, source_id) == {candidate_id}
                if not (last and _thinned(tx, source_type, source_id)):
                    return self.remove(tx, source_type, source_id, candidate_id, keep_source=keep_source)

    def of_source(self, source_type: str, source_id: str) -> list[LinkRow]:
        """The links of one source."""
        statement = select_rows(source_candidate).where(
            source_candidate.c.source_type == source_type, source_candidate.c.source_id == source_id
        )
        with self._access.snapshot() as tx:
            return fetch(tx, statement.order_by(source_candidate.c.candidate_id))

    def of_candidate(self, candidate_id: int, source_type: str | None = None) -> list[LinkRow]:
        """The sources linked to one candidate."""
        statement = select_rows(source_candidate).where(source_candidate.c.candidate_id == candidate_id)
        if source_type is not None:
            statement = statement.where(source_candidate.c.source_type == source_type)
        with self._access.snapshot() as tx:
            return fetch(tx, statement.order_by(source_candidate.c.source_type, source_candidate.c.source_id))

    def owners(self, source_types: Collection[str], filter: SearchFilter) -> list[int]:
        """Row ids of the candidates that a filter leaves and that have a source of one of these types."""
        statement = (
            select(source_candidate.c.candidate_id)
            .join(candidate, candidate.c.id == source_candidate.c.candidate_id)
            .where(source_candidate.c.source_type.in_(list(source_types)))
            .distinct()
        )
        with self._access.snapshot() as tx:
            return sorted(row[0] for row in tx.connection.execute(restricted(statement, filter)))

    def of_partition(self, partition: str, source_type: str | None = None) -> dict[tuple[str, str], list[int]]:
        """(source_type, source_id) → ids of the candidates of that UF which the source is linked to."""
        statement = (
            select(source_candidate.c.source_type, source_candidate.c.source_id, source_candidate.c.candidate_id)
            .join(candidate, candidate.c.id == source_candidate.c.candidate_id)
            .where(candidate.c.state == partition)
            .order_by(source_candidate.c.source_type, source_candidate.c.source_id, source_candidate.c.candidate_id)
        )
        if source_type is not None:
            statement = statement.where(source_candidate.c.source_type == source_type)
        found: dict[tuple[str, str], list[int]] = {}
        with self._access.snapshot() as tx:
            for row in tx.connection.execute(statement):
                found.setdefault((row[0], row[1]), []).append(row[2])
        return found


def _candidate_ids(tx: Tx, source_type: str, source_id: str) -> set[int]:
    statement = select(source_candidate.c.candidate_id).where(
        source_candidate.c.source_type == source_type, source_candidate.c.source_id == source_id
    )
    return {row[0] for row in tx.connection.execute(statement)}


def _thinned(tx: Tx, source_type: str, source_id: str) -> bool:
    """Take one transaction's worth from a source whose chunks or authors do not fit in one; False when all the rest fits."""
    chunks, most = len(chunk_ids(tx, source_type, source_id)), tx.engine.limits.transaction_rows
    if chunks > most:
        return retire_chunks(tx, source_type, source_id, first=chunks - most) > 0
    return thinned(tx, source_type, source_id)
