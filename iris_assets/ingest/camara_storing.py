"""One bill into the store: the bill, its authors and topics, its links to every matched signer, its counters."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from iris_assets.errors import IrisAssetsError, StoreError
from iris_assets.ingest.camara_evidence import BILL
from iris_assets.ingest.camara_signers import Signers
from iris_assets.ingest.context import IngestContext
from iris_assets.ingest.reporting import StageRun
from iris_assets.sources.camara import Bill, limit_authors
from iris_assets.store import Outcome, Tx

AUTHOR: Final = "AUTHOR"
SKIPPED: Final = "skipped"
LINKS_PER_UNIT: Final = 100
COUNTERS: Final = {Outcome.INSERTED: "created", Outcome.UPDATED: "updated", Outcome.UNCHANGED: SKIPPED}


class BillWriter:
    """Writes bills, by default one transaction each; counters are written with the bill that they describe."""

    def __init__(self, context: IngestContext, run: StageRun, signers: Signers) -> None:
        self._store = context.store
        self._run = run
        self._signers = signers
        self._most_authors = context.settings.camara_max_authors_per_proposition
        self.failed: set[int] = set()
        self.not_signed: set[int] = set()
        self.beyond: set[int] = set()  # deputies who sign after the limit of authors: kept only when matched
        self._counted: dict[int, str] = {}  # bill → its counter: a bill is one unit, however often it is met

    def write(self, bills: Sequence[Bill]) -> None:
        """`bills` in one transaction; when one of them is refused, each alone, so that it costs itself only."""
        try:
            with self._store.transaction() as tx:
                written = self._write(tx, bills)
                # Counted last: what is undone together with its bill must not stay in the report.
                self._count(tx, written)
        except StoreError as error:
            if len(bills) == 1:
                self.fail(bills[0].bill["camara_id"], error)
                return
            for bill in bills:
                self.write([bill])

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

    def _write(self, tx: Tx, bills: Sequence[Bill]) -> list[tuple[int, str]]:
        """(bill, the name of the counter that it belongs to)."""
        links = self._store.links
        wanted = {
            bill.bill["camara_id"]: self._signers.candidates_of(author["camara_author_id"] for author in bill.authors)
            for bill in bills
        }
        linked = links.of_sources(tx, BILL, [str(number) for number in wanted])
        counted = [(number, self._refuse(tx, number)) for number, people in wanted.items() if not people]
        signed = [bill for bill in bills if wanted[bill.bill["camara_id"]]]
        outcomes = self._store.camara.upsert_bills(tx, [self._rows(bill) for bill in signed])
        fresh: dict[bool, dict[str, set[int]]] = {True: {}, False: {}}
        for bill, outcome in zip(signed, outcomes, strict=True):
            number = bill.bill["camara_id"]
            people, before = set(wanted[number]), linked.get(str(number), frozenset())
            fresh[outcome is Outcome.INSERTED][str(number)] = people - before
            changed = outcome is Outcome.UNCHANGED and people != before
            counted.append((number, COUNTERS[Outcome.UPDATED if changed else outcome]))
        for new_sources, people_of in fresh.items():
            ordered = {source_id: sorted(people) for source_id, people in people_of.items()}
            links.add(tx, BILL, ordered, AUTHOR, new_sources=new_sources)
        for bill in signed:
            number = bill.bill["camara_id"]
            for candidate_id in sorted(linked.get(str(number), frozenset()).difference(wanted[number])):
                links.remove(tx, BILL, str(number), candidate_id)
        return counted

    def _rows(self, bill: Bill) -> tuple[Mapping[str, Any], Sequence[Mapping[str, Any]], Sequence[Mapping[str, Any]]]:
        last = bill.authors[self._most_authors :]
        self.beyond.update(author["camara_author_id"] for author in last if author["camara_author_id"] is not None)
        authors = limit_authors(bill.authors, self._most_authors, self._signers.kept)
        return {**bill.bill, "source_collected_at": datetime.now(UTC)}, authors, bill.topics

    def _refuse(self, tx: Tx, camara_id: int) -> str:
        """No matched signer in the bill's own list of authors: it is not attributed, and retired when it was."""
        self.not_signed.add(camara_id)
        links = self._store.links.of_source(BILL, str(camara_id))
        for link in links:
            self._store.links.remove(tx, BILL, str(camara_id), link["candidate_id"])
        if links:
            figures = self._run.report.figures
            figures["bills_retired"] = figures.get("bills_retired", 0) + 1
        return COUNTERS[Outcome.UPDATED if links else Outcome.UNCHANGED]

    def link_stored(self, uf: str, deputies: Iterable[int]) -> None:
        """Link stored bills that these deputies sign and that a matched candidate is not linked to yet."""
        deputies = sorted(set(deputies))
        linked = {
            int(source_id): set(candidates)
            for (_, source_id), candidates in self._store.links.of_partition(uf, BILL).items()
        }
        missing: dict[int, set[int]] = {}
        own = set().union(*linked.values()) | self._own(uf)
        for deputy, bills in self._store.camara.bills_by_author(deputies).items():
            candidates = own & set(self._signers.candidates_of([deputy]))
            for bill in bills:
                if absent := candidates - linked.get(bill, set()):
                    missing.setdefault(bill, set()).update(absent)
        for part in _slices(sorted(missing), LINKS_PER_UNIT):
            with self._store.transaction() as tx:
                self._store.links.add(tx, BILL, {str(bill): sorted(missing[bill]) for bill in part}, AUTHOR)
                self._count(tx, [(bill, COUNTERS[Outcome.UPDATED]) for bill in part])

    def _own(self, uf: str) -> set[int]:
        rows = self._store.candidates.list(states=(uf,), include_removed=True, columns=("id",))
        return {row["id"] for row in rows}


def _slices(numbers: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    for start in range(0, len(numbers), size):
        yield numbers[start : start + size]
