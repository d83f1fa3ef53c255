"""From cells to Candidate rows: damage, filters in their order, mandatory fields, rounds."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from itertools import compress
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from iris_assets.errors import SourceContractError
from iris_assets.sources.candidate_values import DAMAGED, Columns, Mask, Values
from iris_assets.sources.csv_blocks import BadRow
from iris_assets.sources.csv_cells import Records
from iris_assets.ufs import NON_PARTITION_UNITS, UF_NAMES

ORDINARY: Final = 2
# President, governor, mayor and their deputies: the only offices that can have a second round. Their rows are held
# until the file ends, because the two rows of one candidate may be far apart.
TWO_ROUND_OFFICES: Final = frozenset({1, 2, 3, 4, 11, 12})
REPEATING_NUMBERS: Final = ("ANO_ELEICAO", "CD_CARGO", "NR_PARTIDO", "NR_TURNO", "CD_TIPO_ELEICAO")
MOST_ROWS: Final = 0.5  # a file whose first block is bad to this degree is not read at all
ENOUGH_ROWS: Final = 20

Sq = tuple[list[str], NDArray[np.int64], Mask | None, Mask | None]


@dataclass(frozen=True, slots=True)
class Filters:
    """None or empty: no such filter. Applied in the order year, UF, office, ordinary election."""

    election_year: int | None = None
    state: str | None = None
    offices: frozenset[str] = frozenset()


@dataclass(slots=True)
class Made:
    """Rows for the store, rows put aside, and how many each filter left out."""

    rows: list[dict[str, Any]]
    bad: list[BadRow] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)


class RowMaker:
    """Keeps what spans blocks: the SQs already given, and the rows of two-round offices."""

    def __init__(self, filters: Filters, *, source_url: str, collected_at: datetime) -> None:
        self._filters = filters
        self._source_url = source_url
        self._collected_at = collected_at
        self._given = _Given()
        self._held: dict[str, dict[str, Any]] = {}
        self._units: set[str] = set()
        self.generated = ""  # the day on which the court made the file, as the file writes it

    def make(self, records: Records) -> Made:
        """The rows of one block that need not wait."""
        made = Made([])
        if not len(records.lines):
            return made
        columns = Columns(records.cells, len(records.lines))
        self.generated = self.generated or next(filter(None, columns.text("DT_GERACAO").different()), "")
        sq = columns.sq()
        keep = ~self._set_aside_damaged(columns, sq, records.lines, made)
        keep = self._filter(columns, keep, made)
        if not keep.any():
            return made
        keep = self._set_aside_incomplete(columns, sq, records.lines, keep, made)
        if not keep.any():
            return made
        rows = self._rows(columns, sq, keep)
        waits = columns.number("CD_CARGO").where(TWO_ROUND_OFFICES.__contains__)[keep]
        made.rows = self._one_per_candidate(rows, sq[1][keep], waits, made)
        return made

    def finish(self) -> Made:
        """The held rows: one per candidate, of the latest round."""
        return Made(list(self._held.values()))

    def notes(self) -> list[str]:
        unknown = sorted(self._units - set(UF_NAMES) - NON_PARTITION_UNITS)
        shown = ", ".join(ascii(unit)[1:-1][:10] for unit in unknown[:20])
        return [f"electoral units not known: {shown}"] if unknown else []

    def _elsewhere(self, columns: Columns) -> Mask:
        """Rows of the national file that plainly belong to another partition: their damage is counted there."""
        state = self._filters.state
        return (
            columns.text("SG_UF")
            .upper()
            .where(lambda value: state is not None and value in UF_NAMES and value != state)
        )

    def _set_aside_damaged(self, columns: Columns, sq: Sq, lines: NDArray[np.int64], made: Made) -> Mask:
        elsewhere = self._elsewhere(columns)
        damaged = np.zeros(len(lines), dtype=bool)
        for name, wrong in (
            *((name, columns.number(name).where_is(DAMAGED)) for name in REPEATING_NUMBERS),
            ("NR_CANDIDATO", columns.own_number("NR_CANDIDATO").where_is(DAMAGED)),
            ("SQ_CANDIDATO", sq[2]),
        ):
            if wrong is not None:
                first = wrong & ~elsewhere & ~damaged
                _note(made, lines, first, f"{name} is not a number")
                damaged |= first
        return damaged

    def _filter(self, columns: Columns, keep: Mask, made: Made) -> Mask:
        """Rows whose known value is another one are left out; an unknown value is judged later, as incomplete."""
        units = columns.text("SG_UF")
        self._units.update(unit for unit in units.different() if unit)
        f = self._filters
        steps: list[tuple[str, Values, Callable[[Any], bool]]] = []
        if f.election_year is not None:
            steps.append(("year", columns.number("ANO_ELEICAO"), lambda value: value in (None, f.election_year)))
        if f.state is not None:
            steps.append(("uf", units, lambda value: value is None or value.upper() == f.state))
        if f.offices:
            steps.append(
                ("office", columns.text("DS_CARGO"), lambda value: value is None or value.upper() in f.offices)
            )
        steps.append(("election_type", columns.number("CD_TIPO_ELEICAO"), lambda value: value in (None, ORDINARY)))
        for name, values, wanted in steps:
            out = keep & ~values.where(wanted)
            if out.any():
                made.skipped[name] += int(out.sum())
                keep = keep & ~out
        return keep

    def _set_aside_incomplete(self, columns: Columns, sq: Sq, lines: NDArray[np.int64], keep: Mask, made: Made) -> Mask:
        checks = (
            ("ANO_ELEICAO", columns.number("ANO_ELEICAO").where_is(None)),
            ("SG_UF", columns.text("SG_UF").where_is(None)),
            ("DS_CARGO", columns.text("DS_CARGO").where_is(None)),
            ("SQ_CANDIDATO", sq[3]),
            ("NM_CANDIDATO", columns.name("NM_CANDIDATO").where_is(None)),
        )
        for name, empty in checks:
            if empty is not None:
                wrong = keep & empty
                _note(made, lines, wrong, f"{name} is empty")
                keep = keep & ~wrong
        return keep

    def _rows(self, columns: Columns, sq: Sq, keep: Mask) -> list[dict[str, Any]]:
        url, at = self._source_url, self._collected_at
        values: list[Iterable[Any]] = [
            sq[0],
            columns.number("ANO_ELEICAO").items(),
            columns.name("NM_CANDIDATO").items(),
            columns.name("NM_URNA_CANDIDATO").items(),
            columns.text("SG_PARTIDO").upper().items(),
            columns.number("NR_PARTIDO").items(),
            columns.text("DS_CARGO").upper().items(),
            columns.text("SG_UF").upper().items(),
            columns.own_number("NR_CANDIDATO").items(),
            columns.number("NR_TURNO").items(),
            columns.text("DS_SITUACAO_CANDIDATURA").items(),
            columns.text("DS_SIT_TOT_TURNO").items(),
        ]
        records: Iterable[Any] = zip(*values, strict=False)  # constants repeat without end
        if not keep.all():
            records = compress(records, keep.tolist())
        # One display of constant keys: twice as fast as dict(zip(names, values)), and this runs for every row.
        return [
            {
                "tse_id": tse_id,
                "election_year": year,
                "name": name,
                "ballot_name": ballot_name,
                "party": party,
                "party_number": party_number,
                "office": office,
                "state": state,
                "candidate_number": number,
                "round": turn,
                "registration_status": status,
                "round_result": result,
                "removed_at_source": False,
                "source_url": url,
                "source_collected_at": at,
            }
            for (
                tse_id, year, name, ballot_name, party, party_number, office, state, number, turn, status, result
            ) in records
        ]  # fmt: skip

    def _one_per_candidate(
        self, rows: list[dict[str, Any]], numbers: NDArray[np.int64], waits: Mask, made: Made
    ) -> list[dict[str, Any]]:
        if waits.any():
            for row in compress(rows, waits.tolist()):
                self._hold(row, made)
            rows, numbers = list(compress(rows, (~waits).tolist())), numbers[~waits]
        return self._without_repeats(rows, numbers, made)

    def _hold(self, row: dict[str, Any], made: Made) -> None:
        held = self._held.get(row["tse_id"])
        if held is not None:
            made.skipped["other_round"] += 1
        if held is None or (row["round"] or 0) >= (held["round"] or 0):
            self._held[row["tse_id"]] = row

    def _without_repeats(
        self, rows: list[dict[str, Any]], numbers: NDArray[np.int64], made: Made
    ) -> list[dict[str, Any]]:
        """The first row of each SQ."""
        if not rows:
            return rows
        ordered, first = np.unique(numbers, return_index=True)
        fresh = self._given.take(ordered)
        if fresh.all() and len(ordered) == len(rows):
            return rows
        kept = np.sort(first[fresh])
        made.skipped["repeated"] += len(rows) - len(kept)
        return [rows[index] for index in kept.tolist()]


class _Given:
    """The numbers seen so far, 8 bytes each: sorted runs, merged as they become as long as the one before."""

    def __init__(self) -> None:
        self._runs: list[NDArray[np.int64]] = []

    def take(self, ordered: NDArray[np.int64]) -> Mask:
        """Which of these sorted numbers are new; they are remembered."""
        fresh = np.ones(len(ordered), dtype=bool)
        for run in self._runs:
            if run[0] <= ordered[-1] and ordered[0] <= run[-1]:
                places = np.minimum(np.searchsorted(run, ordered), len(run) - 1)
                fresh &= run[places] != ordered
        new = ordered[fresh]
        while self._runs and len(self._runs[-1]) <= len(new):
            new = np.sort(np.concatenate((self._runs.pop(), new)), kind="stable")
        if len(new):
            self._runs.append(new)
        return fresh


def _note(made: Made, lines: NDArray[np.int64], wrong: Mask, reason: str) -> None:
    made.bad.extend(BadRow(line, reason) for line in lines[wrong].tolist())


def refuse_garbage(bad: int, read: int) -> None:
    """SourceContractError CSV_MOST_ROWS_INVALID when most of the rows of a file's first block are no candidates."""
    if read >= ENOUGH_ROWS and bad > read * MOST_ROWS:
        raise SourceContractError(
            "CSV_MOST_ROWS_INVALID",
            f"{bad} of the first {read} rows are invalid: nothing was read",
            hint="the layout changed or the file is damaged",
        )
