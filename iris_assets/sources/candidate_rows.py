"""From text columns to Candidate rows: damage, filters in their order, mandatory fields, rounds."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from itertools import compress
from operator import itemgetter
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from iris_assets.sources.candidate_values import DAMAGED, Columns, Mask, Values, is_none, where
from iris_assets.sources.csv_blocks import BadRow, Records
from iris_assets.ufs import NON_PARTITION_UNITS, UF_NAMES

ORDINARY: Final = 2
NUMBERS: Final = ("ANO_ELEICAO", "CD_CARGO", "NR_CANDIDATO", "NR_PARTIDO", "NR_TURNO", "CD_TIPO_ELEICAO")
# President, governor, mayor and their deputies: the only offices that can have a second round. Their rows are held
# until the file ends, because the two rows of one candidate may be far apart.
TWO_ROUND_OFFICES: Final = frozenset({1, 2, 3, 4, 11, 12})


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
        self._constant = {"removed_at_source": False, "source_url": source_url, "source_collected_at": collected_at}
        self._given: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._held: dict[str, dict[str, Any]] = {}
        self._units: set[str] = set()

    def make(self, records: Records) -> Made:
        """The rows of one block that need not wait."""
        made = Made([])
        if not len(records.lines):
            return made
        columns = Columns(records.columns, len(records.lines))
        keep = ~self._set_aside_damaged(columns, records.lines, made)
        keep = self._filter(columns, keep, made)
        keep = self._set_aside_incomplete(columns, records.lines, keep, made)
        rows = columns.rows(keep, self._constant)
        made.rows = self._one_per_candidate(rows, columns.number("CD_CARGO"), keep, made)
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
        return where(columns.text("SG_UF"), lambda value: state is not None and value in UF_NAMES and value != state)

    def _set_aside_damaged(self, columns: Columns, lines: NDArray[np.int64], made: Made) -> Mask:
        elsewhere = self._elsewhere(columns)
        damaged = np.zeros(len(lines), dtype=bool)
        for name in NUMBERS:
            if DAMAGED in columns.number(name).different:
                wrong = where(columns.number(name), lambda value: value is DAMAGED) & ~elsewhere & ~damaged
                _note(made, lines, wrong, f"{name} is not a number")
                damaged |= wrong
        wrong = columns.sq_damaged() & ~elsewhere & ~damaged
        _note(made, lines, wrong, "SQ_CANDIDATO is not a number")
        return damaged | wrong

    def _filter(self, columns: Columns, keep: Mask, made: Made) -> Mask:
        """Rows whose known value is another one are left out; an unknown value is judged later, as incomplete."""
        units = columns.text("SG_UF")
        self._units.update(unit for unit in units.different if unit)
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
            out = keep & ~where(values, wanted)
            if out.any():
                made.skipped[name] += int(out.sum())
                keep = keep & ~out
        return keep

    def _set_aside_incomplete(self, columns: Columns, lines: NDArray[np.int64], keep: Mask, made: Made) -> Mask:
        checks: list[tuple[str, Mask]] = [
            ("ANO_ELEICAO", is_none(columns.number("ANO_ELEICAO"))),
            ("SG_UF", is_none(columns.text("SG_UF"))),
            ("DS_CARGO", is_none(columns.text("DS_CARGO"))),
            ("SQ_CANDIDATO", columns.sq_missing()),
            ("NM_CANDIDATO", is_none(columns.name("NM_CANDIDATO"))),
        ]
        for name, empty in checks:
            wrong = keep & empty
            _note(made, lines, wrong, f"{name} is empty")
            keep = keep & ~wrong
        return keep

    def _one_per_candidate(
        self, rows: list[dict[str, Any]], offices: Values, keep: Mask, made: Made
    ) -> list[dict[str, Any]]:
        if TWO_ROUND_OFFICES.isdisjoint(offices.different):
            return self._without_repeats(rows, made)
        now = []
        for row, office in zip(rows, compress(offices.items, keep.tolist()), strict=True):
            if office in TWO_ROUND_OFFICES:
                self._hold(row, made)
            else:
                now.append(row)
        return self._without_repeats(now, made)

    def _hold(self, row: dict[str, Any], made: Made) -> None:
        held = self._held.get(row["tse_id"])
        if held is not None:
            made.skipped["other_round"] += 1
        if held is None or (row["round"] or 0) >= (held["round"] or 0):
            self._held[row["tse_id"]] = row

    def _without_repeats(self, rows: list[dict[str, Any]], made: Made) -> list[dict[str, Any]]:
        """The first row of each SQ; 8 bytes per candidate are kept, not its text."""
        if not rows:
            return rows
        numbers = np.fromiter(map(int, map(itemgetter("tse_id"), rows)), dtype=np.int64, count=len(rows))
        ordered, first = np.unique(numbers, return_index=True)
        places = np.searchsorted(self._given, ordered)
        fresh = np.ones(len(ordered), dtype=bool)
        inside = places < len(self._given)
        fresh[inside] = self._given[places[inside]] != ordered[inside]
        self._given = np.insert(self._given, places[fresh], ordered[fresh])
        if fresh.all() and len(ordered) == len(rows):
            return rows
        kept = np.sort(first[fresh])
        made.skipped["repeated"] += len(rows) - len(kept)
        return [rows[index] for index in kept.tolist()]


def _note(made: Made, lines: NDArray[np.int64], wrong: Mask, reason: str) -> None:
    made.bad.extend(BadRow(line, reason) for line in lines[wrong].tolist())
