"""Bills by the Câmara's yearly files: three files a year in place of thousands of calls, the same rows."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import islice
from typing import Any, Final

from iris_assets.ingest.camara_deputies import STAGE
from iris_assets.ingest.camara_identity import BILL
from iris_assets.ingest.camara_plan import CODE_VERSION, Covered, Range
from iris_assets.ingest.camara_signers import Signers
from iris_assets.ingest.camara_storing import BillWriter
from iris_assets.ingest.consumption import consumed_key
from iris_assets.ingest.context import IngestContext
from iris_assets.ingest.reporting import StageRun
from iris_assets.sources.camara import Bill, windows
from iris_assets.sources.camara_bulk import BulkFiles, CamaraBulk

# Bills of one transaction. All of them come from one file that lies on disk, so a crash loses no call, only the
# work of one batch; a bill that the store refuses makes its batch be written one by one.
BILLS_PER_UNIT: Final = 100


class FileBills:
    """Reads the downloaded files for the deputies of a partition; files and filters that were consumed are not read."""

    def __init__(
        self, context: IngestContext, run: StageRun, bulk: CamaraBulk, files: BulkFiles, window: Range
    ) -> None:
        self._context = context
        self._run = run
        self._bulk = bulk
        self._files = files
        self._first, self._last = window
        self._limit = context.settings.camara_max_propositions_per_candidate

    def collect(
        self, uf: str, deputies: Sequence[int], signers: Signers, writer: BillWriter, *, full_refresh: bool
    ) -> None:
        """Store what the deputies sign within the window; bills already linked are compared with the files too."""
        store, unit = self._context.store, f"files:{uf}"
        key = self._key(deputies, signers)
        state = store.state.get(STAGE, unit)
        self._run.report.source_hash = self._files.hash
        if state is not None and state.consumed_key == key and not full_refresh and self._reaches(state.detail):
            return
        signed = self._bulk.signed(self._files, deputies, self._first, self._last)
        chosen = self._chosen(signed) | self._linked(uf, deputies, signers)
        self._write(sorted(chosen), writer)
        if not writer.failed:
            with store.transaction() as tx:
                store.state.put(tx, STAGE, unit, key, {"first": self._first.isoformat()})

    def _key(self, deputies: Sequence[int], signers: Signers) -> str:
        """Everything that decides which rows come out; the moving start of the window is compared apart."""
        settings = self._context.settings
        newest = self._files.newest
        return consumed_key(
            version=CODE_VERSION,
            files=self._files.hash,
            deputies=[(number, signers.candidates_of([number])) for number in sorted(deputies)],
            kept=sorted(signers.kept),
            bills=self._limit,
            authors=settings.camara_max_authors_per_proposition,
            last=min(self._last, newest) if newest else None,
        )

    def _reaches(self, detail: Mapping[str, Any]) -> bool:
        return date.fromisoformat(detail["first"]) <= self._first

    def _chosen(self, signed: Mapping[int, Sequence[tuple[int, date, str | None]]]) -> set[int]:
        """All bills, or the newest of each deputy in the order in which the API lists them."""
        if not self._limit:
            return {number for bills in signed.values() for number, _, _ in bills}
        starts = [start for start, _ in windows(self._first, self._last)]
        chosen: set[int] = set()
        for bills in signed.values():
            ranked = sorted(bills, key=lambda bill: (_window_of(bill[1], starts), -bill[0]))
            chosen.update(number for number, _, _ in ranked[: self._limit])
        return chosen

    def _linked(self, uf: str, deputies: Sequence[int], signers: Signers) -> set[int]:
        """Bills linked before: the files may have lost one of their signers."""
        own = set(signers.candidates_of(deputies))
        links = self._context.store.links.of_partition(uf, BILL)
        return {int(source_id) for (_, source_id), candidates in links.items() if own & set(candidates)}

    def _write(self, numbers: Sequence[int], writer: BillWriter) -> None:
        done = 0
        for batch in _batched(self._bulk.bills(self._files, numbers), BILLS_PER_UNIT):
            writer.write(batch)
            done += len(batch)
            self._run.report.work["bills_read_from_files"] += len(batch)
            self._context.progress("camara: bills of the yearly files", done, len(numbers))


def covered_by(files: BulkFiles) -> Covered:
    """What the API need not be asked for."""
    return Covered(frozenset(files.years), files.newest)


def _window_of(presented: date, starts: Sequence[date]) -> int:
    return next((place for place, start in enumerate(starts) if presented >= start), len(starts))


def _batched(bills: Iterator[Bill], size: int) -> Iterator[list[Bill]]:
    while batch := list(islice(bills, size)):
        yield batch
