"""Who signs what in the yearly files, and when each bill was presented: read once per run, small enough to keep."""

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from iris_assets.sources.camara_records import as_date
from iris_assets.sources.yearly_csv import yearly_rows


@dataclass(frozen=True, slots=True)
class Signatures:
    """Per deputy the ids of the bills that name it as an author; per bill the ordinal of its presentation day."""

    bills: Mapping[int, "array[int]"]
    presented: Mapping[int, int]

    def of(self, deputy: int) -> list[int]:
        """Every bill that the deputy signs, each once, also one that no file of bills has."""
        return list(dict.fromkeys(self.bills.get(deputy, ())))

    def within(self, deputy: int, first: date, last: date) -> list[tuple[int, date]]:
        """(bill, presentation date) of the bills that the deputy signs and that were presented in the window."""
        low, high = first.toordinal(), last.toordinal()
        days = ((number, self.presented.get(number, 0)) for number in self.of(deputy))
        return [(number, date.fromordinal(day)) for number, day in days if low <= day <= high]


def read_signatures(authors: Iterable[Path], bills: Iterable[Path]) -> Signatures:
    """From the yearly files of authors and of bills."""
    signed: dict[int, array[int]] = {}
    for path in authors:
        for bill, deputy in yearly_rows(path, ("idProposicao", "idDeputadoAutor")):
            if deputy.isdigit() and bill.isdigit():
                signed.setdefault(int(deputy), array("q")).append(int(bill))
    presented: dict[int, int] = {}
    ordinals: dict[str, int] = {}  # one object for each day, however many bills were presented on it
    for path in bills:
        for bill, moment in yearly_rows(path, ("id", "dataApresentacao")):
            day = as_date(moment)
            if day is not None and bill.isdigit():
                presented[int(bill)] = ordinals.setdefault(moment[:10], day.toordinal())
    return Signatures(signed, presented)
