"""From text columns to Candidate rows: damage, filters in their order, mandatory fields, rounds; column by column."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from iris_assets.sources.csv_blocks import BadRow, Records
from iris_assets.sources.sentinels import number_or_none, text_or_none
from iris_assets.ufs import NON_PARTITION_UNITS, UF_NAMES

if TYPE_CHECKING:
    import pandas as pd

Objects = NDArray[np.object_]
Mask = NDArray[np.bool_]

ORDINARY: Final = 2
SQ_DIGITS: Final = 18  # what 64 bits hold; the court's have twelve
NUMBERS: Final = ("ANO_ELEICAO", "CD_CARGO", "NR_CANDIDATO", "NR_PARTIDO", "NR_TURNO", "CD_TIPO_ELEICAO")
REPEATED_TEXTS: Final = ("SG_UF", "DS_CARGO", "SG_PARTIDO", "DS_SITUACAO_CANDIDATURA", "DS_SIT_TOT_TURNO")
# President, governor, mayor and their deputies: the only offices that can have a second round. Their rows are held
# until the file ends, because the two rows of one candidate may be far apart.
TWO_ROUND_OFFICES: Final = frozenset({1, 2, 3, 4, 11, 12})
_DAMAGED: Final = object()


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
        columns = _Columns(records.frame)
        elsewhere = self._elsewhere(columns)
        keep = ~self._set_aside_damaged(columns, records.lines, elsewhere, made)
        keep = self._filter(columns, keep, made)
        keep = self._set_aside_incomplete(columns, records.lines, keep, made)
        chosen = np.flatnonzero(keep)
        rows = columns.rows(chosen, self._constant)
        made.rows = self._one_per_candidate(rows, columns.number("CD_CARGO")[chosen], made)
        return made

    def finish(self) -> Made:
        """The held rows: one per candidate, of the latest round."""
        return Made(list(self._held.values()))

    def notes(self) -> list[str]:
        unknown = self._units - set(UF_NAMES) - NON_PARTITION_UNITS
        return (
            [f"electoral units not known: {', '.join(sorted(ascii(u)[1:-1][:10] for u in unknown)[:20])}"]
            if unknown
            else []
        )

    def _elsewhere(self, columns: "_Columns") -> Mask:
        """Rows of the national file that plainly belong to another partition: their damage is counted there."""
        state = self._filters.state
        return _by_value(
            columns.text("SG_UF"), lambda value: state is not None and value in UF_NAMES and value != state
        )

    def _set_aside_damaged(self, columns: "_Columns", lines: NDArray[np.int64], elsewhere: Mask, made: Made) -> Mask:
        damaged = np.zeros(len(lines), dtype=bool)
        for name in NUMBERS:
            wrong = (columns.number(name) == _DAMAGED) & ~elsewhere
            _note(made, lines, wrong & ~damaged, f"{name} is not a number")
            damaged |= wrong
        wrong = columns.sq_damaged() & ~elsewhere
        _note(made, lines, wrong & ~damaged, "SQ_CANDIDATO is not a number")
        return damaged | wrong

    def _filter(self, columns: "_Columns", keep: Mask, made: Made) -> Mask:
        """Rows whose known value is another one are left out; an unknown value is judged later, as incomplete."""
        units = columns.text("SG_UF")
        self._units.update(unit for unit in set(units[keep].tolist()) if unit)
        f = self._filters
        steps: list[tuple[str, Objects, Callable[[Any], bool]]] = []
        if f.election_year is not None:
            steps.append(("year", columns.number("ANO_ELEICAO"), lambda value: value == f.election_year))
        if f.state is not None:
            steps.append(("uf", units, lambda value: value.upper() == f.state))
        if f.offices:
            steps.append(("office", columns.text("DS_CARGO"), lambda value: value.upper() in f.offices))
        steps.append(("election_type", columns.number("CD_TIPO_ELEICAO"), lambda value: value == ORDINARY))
        for name, values, wanted in steps:
            out = keep & ~_by_value(values, lambda value, wanted=wanted: value is None or wanted(value))  # type: ignore[misc]
            if out.any():
                made.skipped[name] += int(out.sum())
                keep &= ~out
        return keep

    def _set_aside_incomplete(self, columns: "_Columns", lines: NDArray[np.int64], keep: Mask, made: Made) -> Mask:
        checks: list[tuple[str, Mask]] = [
            ("ANO_ELEICAO", _is_none(columns.number("ANO_ELEICAO"))),
            ("SG_UF", _is_none(columns.text("SG_UF"))),
            ("DS_CARGO", _is_none(columns.text("DS_CARGO"))),
            ("SQ_CANDIDATO", columns.sq_missing()),
            ("NM_CANDIDATO", columns.blank("NM_CANDIDATO", keep)),
        ]
        for name, empty in checks:
            wrong = keep & empty
            _note(made, lines, wrong, f"{name} is empty")
            keep = keep & ~wrong
        return keep

    def _one_per_candidate(self, rows: list[dict[str, Any]], offices: Objects, made: Made) -> list[dict[str, Any]]:
        now = []
        for row, office in zip(rows, offices.tolist(), strict=True):
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
        numbers = np.fromiter((int(row["tse_id"]) for row in rows), dtype=np.int64, count=len(rows))
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


class _Columns:
    """The columns of one block, cleaned when first asked for. Values that repeat are cleaned once each."""

    def __init__(self, frame: "pd.DataFrame") -> None:
        self._frame = frame
        self._size = len(frame)
        self._cleaned: dict[str, Objects] = {}

    def number(self, name: str) -> Objects:
        """int, None or the mark of a damaged value."""
        return self._clean(name, _number)

    def text(self, name: str) -> Objects:
        """str or None."""
        return self._clean(name, text_or_none)

    def sq_damaged(self) -> Mask:
        values = self._raw("SQ_CANDIDATO")
        usual = ((len(v) <= SQ_DIGITS and v.isdecimal()) or (len(v) <= SQ_DIGITS and _is_number(v)) for v in values)
        return ~np.fromiter(usual, dtype=bool, count=self._size)

    def sq_missing(self) -> Mask:
        values = self._raw("SQ_CANDIDATO")
        return np.fromiter((not v.isdecimal() and _number(v) is None for v in values), dtype=bool, count=self._size)

    def blank(self, name: str, among: Mask) -> Mask:
        found = np.zeros(self._size, dtype=bool)
        raw = self._raw(name)
        for index in np.flatnonzero(among).tolist():
            found[index] = text_or_none(raw[index]) is None
        return found

    def rows(self, chosen: NDArray[np.intp], constant: dict[str, Any]) -> list[dict[str, Any]]:
        """Candidate rows of the chosen positions."""
        columns: dict[str, Iterable[Any]] = {
            "tse_id": [value.strip() for value in self._raw("SQ_CANDIDATO")[chosen]],
            "election_year": self.number("ANO_ELEICAO")[chosen].tolist(),
            "name": [text_or_none(value) for value in self._raw("NM_CANDIDATO")[chosen]],
            "ballot_name": [text_or_none(value) for value in self._raw("NM_URNA_CANDIDATO")[chosen]],
            "party": _upper(self.text("SG_PARTIDO")[chosen]),
            "party_number": self.number("NR_PARTIDO")[chosen].tolist(),
            "office": _upper(self.text("DS_CARGO")[chosen]),
            "state": _upper(self.text("SG_UF")[chosen]),
            "candidate_number": self.number("NR_CANDIDATO")[chosen].tolist(),
            "round": self.number("NR_TURNO")[chosen].tolist(),
            "registration_status": self.text("DS_SITUACAO_CANDIDATURA")[chosen].tolist(),
            "round_result": self.text("DS_SIT_TOT_TURNO")[chosen].tolist(),
        }
        names = tuple(columns)
        return [dict(zip(names, values, strict=True), **constant) for values in zip(*columns.values(), strict=True)]

    def _raw(self, name: str) -> Objects:
        values: Objects = self._frame[name].to_numpy(dtype=object)
        return values

    def _clean(self, name: str, clean: Callable[[str], Any]) -> Objects:
        if name not in self._cleaned:
            if name not in self._frame.columns:
                self._cleaned[name] = np.full(self._size, None, dtype=object)
            else:
                self._cleaned[name] = _mapped(self._raw(name), clean)
        return self._cleaned[name]


def _mapped(values: Objects, clean: Callable[[Any], Any]) -> Objects:
    """`clean` applied to each value, computed once per different value."""
    known: dict[Any, Any] = {}
    out = np.empty(len(values), dtype=object)
    for value in set(values.tolist()):
        known[value] = clean(value)
    out[:] = list(map(known.__getitem__, values.tolist()))
    return out


def _by_value(values: Objects, test: Callable[[Any], bool]) -> Mask:
    mask: Mask = _mapped(values, test).astype(bool)
    return mask


def _number(value: str) -> Any:
    try:
        return number_or_none(value)
    except ValueError:
        return _DAMAGED


def _is_number(value: str) -> bool:
    return _number(value) is not _DAMAGED


def _is_none(values: Objects) -> Mask:
    return np.fromiter((value is None for value in values.tolist()), dtype=bool, count=len(values))


def _upper(values: Objects) -> list[str | None]:
    result: list[str | None] = _mapped(values, lambda value: value.upper() if value else None).tolist()
    return result


def _note(made: Made, lines: NDArray[np.int64], wrong: Mask, reason: str) -> None:
    made.bad.extend(BadRow(line, reason) for line in lines[wrong].tolist())
