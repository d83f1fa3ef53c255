"""Bills by the Câmara's yearly files: three files a year in place of thousands of calls, the same rows."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import islice
from typing import Any, Final

from iris_assets.ingest.camara_deputies import STAGE
from iris_assets.ingest.camara_plan import CODE_VERSION, Covered, Range
from iris_assets.ingest.camara_signers import Signers
from iris_assets.ingest.camara_storing import BillWriter
from iris_assets.ingest.context import IngestContext
from iris_assets.ingest.fingerprints import input_fingerprint
from iris_assets.ingest.reporting import StageRun
from iris_assets.sources.camara import Bill, windows
from iris_assets.sources.camara_bulk import BulkFiles, CamaraBulk
from iris_assets.words.source_kinds import PROPOSITION

# Bills of one transaction. All of them come from one file that lies on disk, so a crash loses no call, only the
# work of one batch; a bill that the store refuses makes its batch be written one by one.
BILLS_PER_UNIT: Final = 100
MOST_BEYOND: Final = 2000  # deputies that a state's detail can name: its length is limited


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
        known = state.detail if state and state.consumed_key == key and self._reaches(state.detail) else None
        if full_refresh or known is None:
            beyond = self._read(self._chosen(uf, deputies, signers), writer)
        elif known.get("kept") == _kept(known.get("beyond"), signers):
            self._run.report.notes.append("the yearly files and the deputies are those of the last run: none was read")
            return
        else:
            beyond = known.get("beyond")
            chosen = self._chosen(uf, deputies, signers)
            if not self._complete(known, chosen, signers):
                beyond = self._read(chosen, writer)
        if not writer.failed:
            detail = {"first": self._first.isoformat(), "beyond": beyond, "kept": _kept(beyond, signers)}
            with store.transaction() as tx:
                store.state.put(tx, STAGE, unit, key, detail)

    def _key(self, deputies: Sequence[int], signers: Signers) -> str:
        """What decides which rows come out; the moving start of the window and the kept signers are compared apart."""
        settings = self._context.settings
        newest = self._files.newest
        return input_fingerprint(
            version=CODE_VERSION,
            files=self._files.hash,
            deputies=[(number, signers.candidates_of([number])) for number in sorted(deputies)],
            bills=self._limit,
            authors=settings.camara_max_authors_per_proposition,
            last=min(self._last, newest) if newest else None,
        )

    def _reaches(self, detail: Mapping[str, Any]) -> bool:
        return date.fromisoformat(detail["first"]) <= self._first

    def _complete(self, known: Mapping[str, Any], chosen: set[int], signers: Signers) -> bool:
        """Whether deputies that were matched meanwhile already stand among the stored authors of these bills.

        They do when their own partition came later and wrote the bills that they share with this one.
        """
        beyond = known.get("beyond")
        if beyond is None:
            return False
        before: set[int] = set(known["kept"])
        now = signers.kept.intersection(beyond)
        stored = self._context.store.camara.bills_by_author(now - before)
        signatures = self._bulk.signatures(self._files)
        return before <= now and all(
            chosen.intersection(signatures.of(deputy)) <= set(stored.get(deputy, ())) for deputy in now - before
        )

    def _chosen(self, uf: str, deputies: Sequence[int], signers: Signers) -> set[int]:
        """All bills, or the newest of each deputy in the order in which the API lists them; and those linked before."""
        signatures = self._bulk.signatures(self._files)
        starts = [start for start, _ in windows(self._first, self._last)] if self._limit else []
        chosen = self._linked(uf, deputies, signers)
        for deputy in deputies:
            bills = signatures.within(deputy, self._first, self._last)
            if self._limit:
                bills = sorted(bills, key=lambda bill: (_window_of(bill[1], starts), -bill[0]))[: self._limit]
            chosen.update(number for number, _ in bills)
        return chosen

    def _linked(self, uf: str, deputies: Sequence[int], signers: Signers) -> set[int]:
        """Bills linked before: the files may have lost one of their signers."""
        own = set(signers.candidates_of(deputies))
        links = self._context.store.links.of_partition(uf, PROPOSITION)
        return {int(source_id) for (_, source_id), candidates in links.items() if own & set(candidates)}

    def _read(self, chosen: set[int], writer: BillWriter) -> list[int] | None:
        """Write the bills as the files have them; the deputies who sign beyond the limit, None when too many."""
        done = 0
        for batch in _batched(self._bulk.bills(self._files, sorted(chosen)), BILLS_PER_UNIT):
            writer.write(batch)
            done += len(batch)
            self._run.report.work["bills_read_from_files"] += len(batch)
            self._context.progress("camara: bills of the yearly files", done, len(chosen))
        return sorted(writer.beyond) if len(writer.beyond) <= MOST_BEYOND else None


def _kept(beyond: Sequence[int] | None, signers: Signers) -> list[int] | str:
    """Which matched deputies matter to the stored authors: those who sign beyond the limit (None: any, as a key).

    A match elsewhere changes nothing here unless that deputy is one of them.
    """
    return input_fingerprint(kept=sorted(signers.kept)) if beyond is None else sorted(signers.kept.intersection(beyond))


def covered_by(files: BulkFiles) -> Covered:
    """What the API need not be asked for."""
    return Covered(frozenset(files.years), files.newest)


def _window_of(presented: date, starts: Sequence[date]) -> int:
    return next((place for place, start in enumerate(starts) if presented >= start), len(starts))


def _batched(bills: Iterator[Bill], size: int) -> Iterator[list[Bill]]:
    while batch := list(islice(bills, size)):
        yield batch
