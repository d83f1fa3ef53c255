"""Candidates of one UF who bear the same name: never merged, only shown, since they may be one person twice."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from iris_assets.words.offices import offices

SAMPLE: Final = 20
# Councils of one state hold thousands of honest namesakes, and the files' towns are not kept: those are not shown.
NOT_COMPARED: Final = frozenset(office.name for office in offices() if office.municipal)


class Doubles:
    """Sees the rows of one partition; two with one civil name are a possible double registration."""

    def __init__(self) -> None:
        self._first: dict[str, tuple[str, str]] = {}
        self._count = 0
        self.sample: list[dict[str, Any]] = []

    def see(self, rows: Iterable[Mapping[str, Any]]) -> None:
        for row in rows:
            if row["office"] in NOT_COMPARED:
                continue
            mine = (row["tse_id"], row["office"])
            other = self._first.setdefault(row["name"], mine)
            if other != mine:
                self._count += 1
                if len(self.sample) < SAMPLE:
                    self.sample.append({"name": row["name"], **_told("first", other), **_told("second", mine)})

    def notes(self) -> list[str]:
        found = f"{self._count} candidates bear the name of another one of this UF: both are kept, see possible_doubles"
        return [found] if self._count else []


def _told(which: str, candidate: tuple[str, str]) -> dict[str, str]:
    return {which: candidate[0], f"{which}_office": candidate[1]}
