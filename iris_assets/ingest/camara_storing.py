"""One bill into the store: the bill, its authors and topics, its links to every matched signer, its counters."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from iris_assets.errors import IrisAssetsError, StoreError
from iris_assets.ingest.camara_signers import Signers
from iris_assets.ingest.context import IngestContext
from iris_assets.ingest.reporting import StageRun
from iris_assets.sources.camara import Bill, limit_authors
from iris_assets.store import Outcome, Tx, batches, in_units
from iris_assets.words.source_kinds import PROPOSITION

AUTHOR: Final = "AUTHOR"
SKIPPED: Final = "skipped"
COUNTERS: Final = {Outcome.INSERTED: "created", Outcome.UPDATED: "updated", Outcome.UNCHANGED: SKIPPED}


class BillWriter:
    """Writes bills; counters are written with the bills that they describe."""

    def __init__(self, context: IngestContext, run: StageRun, signers: Signers) -> None:
        self._store = context.store
        self._run = run
        self._signers = signers
        self._most_authors = context.settings.camara_max_authors_per_proposition
        self.failed: set[int] = set()
        self.not_signed: set[int] = set()
        self.beyond: set[int] = set()  # deputies who sign after the limit of authors: kept only when matched
        self._doubled: set[int] = set()
        self._counted: dict[int, str] = {}  # bill → its counter: a bill is one unit, however often it is met

    def write(self, bills: Sequence[Bill]) -> None:
        """`bills` in as few transactions as the limit of changed rows allows; one that the store refuses costs itself only."""
        most = self._store.limits.transaction_rows
        self._count_doubles(bills)
        stored = self._store.camara.author_counts_of([bill.bill["camara_id"] for bill in bills])
        for part in in_units(bills, lambda bill: self._changes(bill, stored), most):
            self._write_part(part, self._changes(part[0], stored) > most)

    def _count_doubles(self, bills: Sequence[Bill]) -> None:
        for bill in bills:
            if bill.doubles and bill.bill["camara_id"] not in self._doubled:
                self._doubled.add(bill.bill["camara_id"])
                figures = self._run.report.figures
                figures["duplicate_authors"] = figures.get("duplicate_authors", 0) + bill.doubles

    def _changes(self, bill: Bill, stored: Mapping[int, int]) -> int:
        """Rows of the most affected table that storing the bill can change, all authors or topics replaced."""
        authors, people = self._authors(bill), self._people(bill)
        return max(len(authors) + stored.get(bill.bill["camara_id"], 0), 2 * len(bill.topics), len(people))

    def _write_part(self, bills: Sequence[Bill], in_parts: bool) -> None:
        try:
            linked = self._linked(bills)
            self._unlink_others(bills, linked)
            if in_parts:
                self._write_in_parts(bills[0], linked.get(bills[0].bill["camara_id"], frozenset()))
                return
            with self._store.transaction() as tx:
                written = self._write(tx, bills, linked)
                # Counted last: what is undone together with its bill must not stay in the report.
                self._count(tx, written)
        except StoreError as error:
            if len(bills) == 1:
                self.fail(bills[0].bill["camara_id"], error)
                return
            for bill in bills:
                self.write([bill])

    def _linked(self, bills: Sequence[Bill]) -> dict[int, frozenset[int]]:
        with self._store.snapshot() as tx:
            found = self._store.links.of_sources(tx, PROPOSITION, [str(bill.bill["camara_id"]) for bill in bills])
        return {int(source_id): candidates for source_id, candidates in found.items()}

    def _unlink_others(self, bills: Sequence[Bill], linked: Mapping[int, frozenset[int]]) -> None:
        """Candidates that sign no more lose the bill, which goes when none is left.

        Before the bill is brought up to date: after a break it is still seen to have changed.
        """
        for bill in bills:
            number, people = bill.bill["camara_id"], self._people(bill)
            before = linked.get(number, frozenset())
            gone = sorted(before.difference(people))
            if gone:
                self._link(number, set(people) - before)  # first: the last link that goes takes the bill with it
            for candidate_id in gone:
                self._store.links.withdraw(PROPOSITION, str(number), candidate_id)
            if not people:
                self.not_signed.add(number)
                if before:
                    figures = self._run.report.figures
                    figures["bills_retired"] = figures.get("bills_retired", 0) + 1

    def fail(self, camara_id: int, error: IrisAssetsError) -> None:
        """A bill that could not be had or stored: counted, explained, asked again next time."""
        self.failed.add(camara_id)
        with self._store.transaction() as tx:
            self._run.count(tx, read=1, failed=1)
        self._run.report.unit_failed(error.code, f"bill {camara_id}: {error.message}")

    def skip(self, camara_ids: Iterable[int]) -> None:
        """Bills that were looked at and are unchanged."""
        fresh = [(number, SKIPPED) for number in sorted(set(camara_ids) - self._counted.keys())]
        if fresh:
            with self._store.transaction() as tx:
                self._count(tx, fresh)

    def _count(self, tx: Tx, outcomes: Iterable[tuple[int, str]]) -> None:
        """One unit per bill and run; one that was skipped at first and changes later moves to the other counter."""
        counts: Counter[str] = Counter()
        for number, outcome in outcomes:
            before = self._counted.get(number)
            if before is None:
                counts.update({"read": 1, outcome: 1})
            elif before == SKIPPED and outcome != SKIPPED:
                counts.update({SKIPPED: -1, outcome: 1})
            else:
                continue
            self._counted[number] = outcome
        self._run.count(tx, **counts)

    def _write(self, tx: Tx, bills: Sequence[Bill], linked: Mapping[int, frozenset[int]]) -> list[tuple[int, str]]:
        """(bill, the name of the counter that it belongs to)."""
        signed = [bill for bill in bills if self._people(bill)]
        counted = []
        for bill in bills:
            if not self._people(bill):
                number = bill.bill["camara_id"]
                counted.append((number, COUNTERS[Outcome.UPDATED if number in linked else Outcome.UNCHANGED]))
        outcomes = self._store.camara.upsert_bills(tx, [self._rows(bill) for bill in signed])
        fresh: dict[bool, dict[str, list[int]]] = {True: {}, False: {}}
        for bill, outcome in zip(signed, outcomes, strict=True):
            number, people = bill.bill["camara_id"], set(self._people(bill))
            before = linked.get(number, frozenset())
            fresh[outcome is Outcome.INSERTED][str(number)] = sorted(people - before)
            counted.append((number, _counter(outcome, people != before)))
        for new_sources, people_of in fresh.items():
            self._store.links.add(tx, PROPOSITION, people_of, AUTHOR, new_sources=new_sources)
        return counted

    def _write_in_parts(self, bill: Bill, before: frozenset[int]) -> None:
        """A bill of hundreds of signers: its authors and then its links in several transactions.

        A break before the last author leaves the bill without a status date, one before the last link is mended by
        `link_stored`.
        """
        number, people = bill.bill["camara_id"], self._people(bill)
        rows = self._rows(bill)
        outcomes, whole = [], False
        while people and not whole:
            with self._store.transaction() as tx:
                outcome, whole = self._store.camara.upsert_bill_part(tx, *rows)
                outcomes.append(outcome)
        self._link(number, set(people) - before)
        first = next((outcome for outcome in outcomes if outcome is not Outcome.UNCHANGED), Outcome.UNCHANGED)
        with self._store.transaction() as tx:
            self._count(tx, [(number, _counter(first, set(people) != before))])

    def _link(self, number: int, people: Iterable[int]) -> None:
        for part in batches(sorted(people), self._store.limits.transaction_rows):
            with self._store.transaction() as tx:
                self._store.links.add(tx, PROPOSITION, {str(number): part}, AUTHOR)

    def _people(self, bill: Bill) -> list[int]:
        """The matched candidates in the bill's own list of authors: without any it is attributed to nobody."""
        return self._signers.candidates_of(author["camara_author_id"] for author in bill.authors)

    def _authors(self, bill: Bill) -> Sequence[Mapping[str, Any]]:
        return limit_authors(bill.authors, self._most_authors, self._signers.kept)

    def _rows(self, bill: Bill) -> tuple[Mapping[str, Any], Sequence[Mapping[str, Any]], Sequence[Mapping[str, Any]]]:
        last = bill.authors[self._most_authors :]
        self.beyond.update(author["camara_author_id"] for author in last if author["camara_author_id"] is not None)
        row = {**bill.bill, "author_total": len(bill.authors), "source_collected_at": datetime.now(UTC)}
        return row, self._authors(bill), bill.topics

    def link_stored(self, uf: str, deputies: Iterable[int]) -> None:
        """Link stored bills that these deputies sign and that a matched candidate is not linked to yet."""
        deputies = sorted(set(deputies))
        linked = {
            int(source_id): set(candidates)
            for (_, source_id), candidates in self._store.links.of_partition(uf, PROPOSITION).items()
        }
        missing: dict[int, set[int]] = {}
        own = set().union(*linked.values()) | self._own(uf)
        for deputy, bills in self._store.camara.bills_by_author(deputies).items():
            candidates = own & set(self._signers.candidates_of([deputy]))
            for bill in bills:
                if absent := candidates - linked.get(bill, set()):
                    missing.setdefault(bill, set()).update(absent)
        for part in in_units(sorted(missing), lambda bill: len(missing[bill]), self._store.limits.transaction_rows):
            with self._store.transaction() as tx:
                self._store.links.add(tx, PROPOSITION, {str(bill): sorted(missing[bill]) for bill in part}, AUTHOR)
                self._count(tx, [(bill, COUNTERS[Outcome.UPDATED]) for bill in part])

    def _own(self, uf: str) -> set[int]:
        rows = self._store.candidates.list(states=(uf,), include_removed=True, columns=("id",))
        return {row["id"] for row in rows}


def _counter(outcome: Outcome, other_people: bool) -> str:
    return COUNTERS[Outcome.UPDATED if outcome is Outcome.UNCHANGED and other_people else outcome]
