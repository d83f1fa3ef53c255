"""What the Câmara says: deputies, their history, bills with authors and topics."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from sqlalchemy import Table, delete, func, select

from iris_assets.store.engine import Row, RowMapping, Tx
from iris_assets.store.records import BillRow, DeputyRow, HistoryRow
from iris_assets.store.tables.counts import BillCounts
from iris_assets.store.tables.rows import (
    Outcome,
    batches,
    fetch,
    fetch_in,
    fetch_one,
    insert_rows,
    select_rows,
    update_rows,
    upsert,
)
from iris_assets.store.tables.schema import (
    camara_deputy,
    political_history,
    proposition,
    proposition_author,
    proposition_topic,
    source_candidate,
)
from iris_assets.store.tables.values import differences, normalised
from iris_assets.words.source_kinds import PROPOSITION


class Camara(BillCounts):
    """CamaraDeputy, PoliticalHistory, Proposition, PropositionAuthor, PropositionTopic, and the counts over them."""

    def upsert_deputies(self, tx: Tx, rows: Sequence[RowMapping]) -> list[Outcome]:
        """By camara_id."""
        return [o for part in batches(rows) for o in upsert(tx, camara_deputy, ("camara_id",), part)]

    def deputies(self, columns: Collection[str] = ()) -> list[DeputyRow]:
        """Every deputy collected, by id (no `columns`: all of them)."""
        with self._access.snapshot() as tx:
            return fetch(tx, select_rows(camara_deputy, only=columns).order_by(camara_deputy.c.camara_id))

    def deputy(self, camara_id: int) -> DeputyRow | None:
        """One deputy by the Câmara's id."""
        with self._access.snapshot() as tx:
            return fetch_one(tx, select_rows(camara_deputy).where(camara_deputy.c.camara_id == camara_id))

    def deputies_by_id(self, camara_ids: Collection[int]) -> dict[int, DeputyRow]:
        """These deputies by the Câmara's id."""
        with self._access.snapshot() as tx:
            rows = fetch_in(tx, select_rows(camara_deputy), camara_deputy.c.camara_id, camara_ids)
        return {row["camara_id"]: row for row in rows}

    def upsert_history(self, tx: Tx, rows: Sequence[RowMapping]) -> list[Outcome]:
        """By external_id."""
        return [o for part in batches(rows) for o in upsert(tx, political_history, ("external_id",), part)]

    def history(self, external_id: str) -> HistoryRow | None:
        """One history record by its external id."""
        with self._access.snapshot() as tx:
            return fetch_one(tx, select_rows(political_history).where(political_history.c.external_id == external_id))

    def histories(self, external_ids: Collection[str]) -> dict[str, HistoryRow]:
        """History records by external id."""
        statement = select_rows(political_history)
        with self._access.snapshot() as tx:
            rows = fetch_in(tx, statement, political_history.c.external_id, external_ids)
        return {row["external_id"]: row for row in rows}

    def history_of_deputy(self, deputy_id: int) -> list[HistoryRow]:
        """A deputy's history, newest first."""
        statement = select_rows(political_history).where(political_history.c.camara_deputy_id == deputy_id)
        with self._access.snapshot() as tx:
            return fetch(tx, statement.order_by(political_history.c.start_date.desc(), political_history.c.external_id))

    def history_ids(self, deputy_ids: Iterable[int]) -> dict[int, list[str]]:
        """Deputy id → external ids of its stored history, for deputies that have one."""
        statement = select_rows(political_history, only=("camara_deputy_id", "external_id"))
        found: dict[int, list[str]] = {}
        with self._access.snapshot() as tx:
            for row in fetch_in(tx, statement, political_history.c.camara_deputy_id, deputy_ids):
                found.setdefault(row["camara_deputy_id"], []).append(row["external_id"])
        return found

    def upsert_bill(
        self, tx: Tx, bill: RowMapping, authors: Sequence[RowMapping], topics: Sequence[RowMapping]
    ) -> Outcome:
        """A bill with its authors (by author_key) and topics (by name); those that vanished are retired.

        UPDATED when the bill, an author or a topic changed, came or went.
        """
        return self.upsert_bills(tx, [(bill, authors, topics)])[0]

    def upsert_bills(
        self, tx: Tx, bills: Sequence[tuple[RowMapping, Sequence[RowMapping], Sequence[RowMapping]]]
    ) -> list[Outcome]:
        """Several bills, each as in `upsert_bill` and each at most once, in a few statements for all of them."""
        outcomes = upsert(tx, proposition, ("camara_id",), [bill for bill, _, _ in bills])
        numbers = [int(bill["camara_id"]) for bill, _, _ in bills]
        columns = (proposition.c.id.label("id"), proposition.c.camara_id.label("camara_id"))
        ids = {row["camara_id"]: row["id"] for row in fetch_in(tx, select(*columns), proposition.c.camara_id, numbers)}
        authors = {ids[number]: rows for number, (_, rows, _) in zip(numbers, bills, strict=True)}
        topics = {ids[number]: rows for number, (_, _, rows) in zip(numbers, bills, strict=True)}
        changed: set[int] = set()
        for table, key, parts in ((proposition_author, "author_key", authors), (proposition_topic, "name", topics)):
            changes = _part_changes(tx, table, key, parts)
            changes.apply(tx)
            changed |= changes.touched
        return [
            Outcome.UPDATED if outcome is Outcome.UNCHANGED and ids[number] in changed else outcome
            for number, outcome in zip(numbers, outcomes, strict=True)
        ]

    def upsert_bill_part(
        self,
        tx: Tx,
        bill: RowMapping,
        authors: Sequence[RowMapping],
        topics: Sequence[RowMapping],
        *,
        most: int | None = None,
    ) -> tuple[Outcome, bool]:
        """As `upsert_bill`, changing at most `most` authors and topics (a transaction's rows); and whether that was all.

        The same call in further transactions does the rest. Until then the bill has no status date, by which a collector
        knows that it must ask again.
        """
        number, most = int(bill["camara_id"]), most or tx.engine.limits.transaction_rows
        unfinished = {**bill, "status_at": None}
        inserted = not fetch_in(tx, select_rows(proposition, only=("id",)), proposition.c.camara_id, [number])
        if inserted:
            upsert(tx, proposition, ("camara_id",), [unfinished])
        bill_id = _bill_id(tx, number)
        changes = (
            _part_changes(tx, proposition_author, "author_key", {bill_id: authors}),
            _part_changes(tx, proposition_topic, "name", {bill_id: topics}),
        )
        whole = sum(map(len, changes)) <= most
        outcome = upsert(tx, proposition, ("camara_id",), [bill if whole else unfinished])[0]
        for part in changes:
            most -= part.apply(tx, most)
        if inserted:
            return Outcome.INSERTED, whole
        changed = outcome is not Outcome.UNCHANGED or any(changes)
        return (Outcome.UPDATED if changed else Outcome.UNCHANGED), whole

    def author_counts_of(self, camara_ids: Collection[int]) -> dict[int, int]:
        """camara_id → number of stored authors, of the stored ones of these bills that have any."""
        statement = (
            select(proposition.c.camara_id.label("bill"), func.count().label("authors"))
            .join(proposition_author, proposition_author.c.proposition_id == proposition.c.id)
            .group_by(proposition.c.camara_id)
        )
        with self._access.snapshot() as tx:
            return {row["bill"]: row["authors"] for row in fetch_in(tx, statement, proposition.c.camara_id, camara_ids)}

    def bill(self, camara_id: int) -> BillRow | None:
        """One bill with `authors` (in signature order) and `topics` (by name)."""
        bills = self.bills([camara_id])
        return bills[0] if bills else None

    def bills(self, camara_ids: Sequence[int]) -> list[BillRow]:
        """These bills with their authors and topics, by id."""
        with self._access.snapshot() as tx:
            rows = fetch_in(tx, select_rows(proposition), proposition.c.camara_id, camara_ids)
            return _with_parts(tx, sorted(rows, key=lambda row: row["camara_id"]))

    def bills_by_reference(self, type: str, number: int, year: int) -> list[BillRow]:
        """Bills called `type number/year`; year 0 finds those whose year was repaired, as the source writes them."""
        statement = select_rows(proposition).where(
            proposition.c.type == type.strip().upper(), proposition.c.number == number
        )
        wanted = proposition.c.year == year if year else proposition.c.year_repaired == True  # noqa: E712 - SQL
        statement = statement.where(wanted)
        with self._access.snapshot() as tx:
            return _with_parts(tx, fetch(tx, statement.order_by(proposition.c.camara_id)))

    def bills_of_candidate(self, candidate_id: int) -> list[BillRow]:
        """The bills linked to a candidate, newest presentation first, with authors and topics."""
        links = select(source_candidate.c.source_id).where(
            source_candidate.c.source_type == PROPOSITION, source_candidate.c.candidate_id == candidate_id
        )
        with self._access.snapshot() as tx:
            ids = [int(row[0]) for row in tx.connection.execute(links)]
        bills = self.bills(ids)
        return sorted(bills, key=lambda row: (str(row["presentation_date"] or ""), row["camara_id"]), reverse=True)

    def bills_by_author(self, deputy_ids: Collection[int]) -> dict[int, list[int]]:
        """deputy id → camara_ids of the stored bills that the deputy signs, ascending."""
        columns = (proposition_author.c.camara_author_id, proposition.c.camara_id)
        statement = select(*columns).join(proposition, proposition.c.id == proposition_author.c.proposition_id)
        found: dict[int, list[int]] = {}
        with self._access.snapshot() as tx:
            for part in batches(sorted(deputy_ids), tx.engine.limits.listed):
                for deputy, bill in tx.connection.execute(statement.where(columns[0].in_(part))):
                    found.setdefault(deputy, []).append(bill)
        return {deputy: sorted(set(bills)) for deputy, bills in found.items()}

    def bill_states(self, camara_ids: Collection[int] | None = None) -> dict[int, str | None]:
        """camara_id → when the status last changed at the source, of the stored ones of these bills (None: of all)."""
        statement = select_rows(proposition, only=("camara_id", "status_at"))
        with self._access.snapshot() as tx:
            wanted = proposition.c.camara_id
            rows = fetch(tx, statement) if camara_ids is None else fetch_in(tx, statement, wanted, camara_ids)
        return {row["camara_id"]: row["status_at"] for row in rows}


@dataclass
class _PartChanges:
    """What brings the authors or topics of bills to what they should be."""

    table: Table
    key: str
    inserts: list[Row]
    updates: dict[int, Row]
    gone: list[int]
    touched: set[int]

    def __len__(self) -> int:
        return len(self.inserts) + len(self.updates) + len(self.gone)

    def apply(self, tx: Tx, most: int | None = None) -> int:
        """Write them, or `most` of them; how many."""
        inserts = self.inserts[:most]
        rest = None if most is None else most - len(inserts)
        updates = dict(islice(self.updates.items(), rest))
        gone = self.gone[: None if rest is None else rest - len(updates)]
        insert_rows(tx, self.table, ("proposition_id", self.key), inserts)
        update_rows(tx, self.table, updates)
        for part in batches(gone, tx.engine.limits.listed):
            tx.connection.execute(delete(self.table).where(self.table.c.id.in_(part)))
        return len(inserts) + len(updates) + len(gone)


def _part_changes(tx: Tx, table: Table, key: str, parts: Mapping[int, Sequence[RowMapping]]) -> _PartChanges:
    """The authors or topics of bills (by row id) against the stored ones; those that are stored only go."""
    stored = {
        (row["proposition_id"], row[key]): row
        for row in fetch_in(tx, select_rows(table), table.c.proposition_id, parts)
    }
    inserts: dict[tuple[int, Any], Row] = {}
    changes: dict[int, Row] = {}
    touched: set[int] = set()
    for bill_id, rows in parts.items():
        for row in rows:
            new = normalised(table, {**row, "proposition_id": bill_id})
            old = stored.pop((bill_id, new[key]), None)
            if old is None:
                inserts[bill_id, new[key]] = new
            elif differences(table, old, new):
                changes[old["id"]] = new
            else:
                continue
            touched.add(bill_id)
    touched |= {row["proposition_id"] for row in stored.values()}
    gone = [row["id"] for row in stored.values()]
    return _PartChanges(table, key, list(inserts.values()), changes, gone, touched)


def thin_authors(tx: Tx, camara_id: int) -> bool:
    """Take a transaction's worth of authors from a bill that has more than a transaction takes; False when it has not.

    The bill loses its status date, so that a collector asks it again should it not go after all.
    """
    bill_id = _bill_id(tx, camara_id)
    c = proposition_author.c
    ids = tx.connection.execute(select(c.id).where(c.proposition_id == bill_id).order_by(c.id)).scalars().all()
    most = tx.engine.limits.transaction_rows
    if len(ids) <= most:
        return False
    for part in batches(ids[-most:], tx.engine.limits.listed):
        tx.connection.execute(delete(proposition_author).where(c.id.in_(part)))
    update_rows(tx, proposition, {bill_id: {"status_at": None}})
    return True


def _bill_id(tx: Tx, camara_id: int) -> int:
    statement = select(proposition.c.id).where(proposition.c.camara_id == camara_id)
    return int(tx.connection.execute(statement).scalar_one())


def _with_parts(tx: Tx, bills: list[Any]) -> list[BillRow]:
    ids = [bill["id"] for bill in bills]
    authors = _by_bill(fetch_in(tx, select_rows(proposition_author), proposition_author.c.proposition_id, ids))
    topics = _by_bill(fetch_in(tx, select_rows(proposition_topic), proposition_topic.c.proposition_id, ids))
    for bill in bills:
        bill["authors"] = sorted(authors.get(bill["id"], []), key=_signature_order)
        bill["topics"] = sorted(topics.get(bill["id"], []), key=lambda row: row["name"])
    return bills


def _by_bill(rows: list[Any]) -> dict[int, list[Any]]:
    found: dict[int, list[Any]] = {}
    for row in rows:
        found.setdefault(row["proposition_id"], []).append(row)
    return found


def _signature_order(row: RowMapping) -> tuple[Any, ...]:
    order = row["signature_order"]
    return (not row["is_main_author"], order is None, order or 0, row["author_key"])
