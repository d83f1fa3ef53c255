"""From records to Candidate rows: damage, filters in their order, mandatory fields, rounds, one row per candidate."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from operator import itemgetter
from typing import Any, Final

from iris_assets.errors import SourceContractError
from iris_assets.sources.candidate_values import (
    DAMAGED,
    OWN,
    TOWN,
    Filters,
    Verdict,
    judge,
    read_number,
    upper_or_none,
)
from iris_assets.sources.csv_records import BadRow, Record
from iris_assets.sources.sentinels import text_or_none
from iris_assets.ufs import NON_PARTITION_UNITS, UF_NAMES

MOST_ROWS: Final = 0.5  # a file whose first batch is bad to this degree is not read at all
ENOUGH_ROWS: Final = 20
COMBINATIONS: Final = 16_384  # of repeating cells that are remembered: some 5,000 in a municipal election


@dataclass(slots=True)
class CandidateBatch:
    """What one batch of the file's records gave.

    `rows` are keyed as the Candidate table; `rows_read` counts every record, so that
    rows_read = stored rows + bad_rows + sum(skipped) over the whole reading.
    """

    rows: list[dict[str, Any]]
    bad_rows: list[BadRow] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    rows_read: int = 0


class RowMaker:
    """Keeps what spans batches: the candidates already given, and the rows of two-round offices."""

    def __init__(self, filters: Filters, *, source_url: str, collected_at: datetime) -> None:
        self._filters = filters
        self._origin = {"removed_at_source": False, "source_url": source_url, "source_collected_at": collected_at}
        self._given: set[int] = set()
        self._held: dict[str, dict[str, Any]] = {}
        self._units: set[str] = set()
        self.generated = ""  # the day on which the court made the file, as the file writes it

    def use(self, positions: Mapping[str, int]) -> None:
        """Where the records that come next have their columns."""
        names = [name for name in positions if name not in (*OWN, *TOWN)]
        self._code, self._town = (positions.get(name) for name in TOWN)
        self._own = itemgetter(*(positions[name] for name in OWN))
        self._repeating = itemgetter(*(positions[name] for name in names))

        @lru_cache(maxsize=COMBINATIONS)
        def verdict(cells: tuple[str, ...]) -> Verdict:
            return self._judge(dict(zip(names, cells, strict=True)))

        self._verdict = verdict

    def make(self, records: Iterable[Record]) -> CandidateBatch:
        """The rows that need not wait for the end of the file."""
        batch = CandidateBatch([])
        for line, cells, fault in records:
            batch.rows_read += 1
            fault = fault or self._take(cells, batch)
            if fault:
                batch.bad_rows.append(BadRow(line, fault))
        return batch

    def finish(self) -> CandidateBatch:
        """The held rows: one per candidate, of the latest round."""
        return CandidateBatch(list(self._held.values()))

    def notes(self) -> list[str]:
        unknown = sorted(self._units - set(UF_NAMES) - NON_PARTITION_UNITS)
        shown = ", ".join(ascii(unit)[1:-1][:10] for unit in unknown[:20])
        return [f"electoral units not known: {shown}"] if unknown else []

    def _judge(self, cells: dict[str, str]) -> Verdict:
        self.generated = self.generated or text_or_none(cells.get("DT_GERACAO", "")) or ""
        unit = text_or_none(cells["SG_UF"])
        if unit:
            self._units.add(unit)
        return judge(cells, self._filters, self._origin)

    def _take(self, cells: list[str], batch: CandidateBatch) -> str:
        """Add the row to what the batch gives or leaves out; why it is a bad one, else empty."""
        verdict = self._verdict(self._repeating(cells))
        if verdict.elsewhere:
            batch.skipped[verdict.skipped] += 1
            return ""
        sq, number, name, ballot_name = self._own(cells)
        tse_number, candidate_number = read_number("SQ_CANDIDATO", sq), _candidate_number(number)
        if verdict.damaged or candidate_number is DAMAGED or tse_number is DAMAGED:
            return verdict.damaged or f"{'NR' if candidate_number is DAMAGED else 'SQ'}_CANDIDATO is not a number"
        if verdict.skipped:
            batch.skipped[verdict.skipped] += 1
            return ""
        full_name = text_or_none(name)
        if verdict.empty or tse_number is None or full_name is None:
            return verdict.empty or f"{'SQ' if tse_number is None else 'NM'}_CANDIDATO is empty"
        row = {
            "tse_id": sq.strip(),
            "name": full_name,
            "ballot_name": text_or_none(ballot_name),
            "candidate_number": candidate_number,
            "electoral_unit": None if self._code is None else upper_or_none(cells[self._code]),
            "electoral_unit_name": None if self._town is None else upper_or_none(cells[self._town]),
            **verdict.fields,
        }
        self._give(row, tse_number, verdict, batch)
        return ""

    def _give(self, row: dict[str, Any], tse_number: int, verdict: Verdict, batch: CandidateBatch) -> None:
        """The first row of each candidate; of two-round offices the last round, when the file has ended."""
        if verdict.two_rounds:
            self._hold(row, batch)
        elif tse_number in self._given:
            batch.skipped["repeated"] += 1
        else:
            self._given.add(tse_number)
            batch.rows.append(row)

    def _hold(self, row: dict[str, Any], batch: CandidateBatch) -> None:
        held = self._held.get(row["tse_id"])
        if held is not None:
            batch.skipped["other_round"] += 1
        if held is None or (row["round"] or 0) >= (held["round"] or 0):
            self._held[row["tse_id"]] = row


@lru_cache(maxsize=COMBINATIONS)
def _candidate_number(text: str) -> Any:
    return read_number("NR_CANDIDATO", text)


def refuse_garbage(bad: int, read: int) -> None:
    """SourceContractError CSV_MOST_ROWS_INVALID when most of the rows of a file's first batch are no candidates."""
    if read >= ENOUGH_ROWS and bad > read * MOST_ROWS:
        raise SourceContractError(
            "CSV_MOST_ROWS_INVALID",
            f"{bad} of the first {read} rows are invalid: nothing was read",
            hint="the layout changed or the file is damaged",
        )
