"""What has to be asked for each deputy: ranges by presentation the first time, by procedure afterwards."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, Final

from iris_assets.ingest.fingerprints import input_fingerprint
from iris_assets.settings import Settings
from iris_assets.store import State

CODE_VERSION: Final = "1"
OVERLAP: Final = timedelta(days=1)
Range = tuple[date, date]


@dataclass(frozen=True, slots=True)
class Plan:
    """The listings of one deputy: `presented` newest first, `moved` by procedure, `again` what failed before."""

    deputy: int
    presented: tuple[Range, ...] = ()
    moved: Range | None = None
    again: tuple[int, ...] = ()
    known_from: date | None = None  # an unknown bill that moved is new when presented since then


@dataclass(slots=True)
class Found:
    """Ids that the listings of one deputy gave."""

    presented: list[int] = field(default_factory=list)
    moved: list[int] = field(default_factory=list)
    cut: bool = False
    absent: int = 0  # bills that the listings declare and never gave
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Covered:
    """What the yearly files give: the years that are there, and the newest date inside them."""

    years: frozenset[int] = frozenset()
    newest: date | None = None


class Planner:
    """Turns a deputy's state and today's window into a Plan, and back into the state to remember."""

    def __init__(self, settings: Settings, window: Range, covered: Covered | None = None) -> None:
        self._first, self._last = window
        self._limit = settings.camara_max_propositions_per_candidate
        self._covered = covered or Covered()
        # Another limit of authors changes what is stored of each bill: then everything is fetched anew.
        self.key = input_fingerprint(version=CODE_VERSION, authors=settings.camara_max_authors_per_proposition)

    def plan(self, deputy: int, state: State | None, *, full_refresh: bool) -> Plan:
        """The first time (or after a change of rules) everything, later what moved since the last run."""
        if state is None or full_refresh or self._needs_all(state.detail):
            again = tuple(state.detail["missing"]) if state else ()
            since = self._since(state) if state and not full_refresh else None
            newest = self._covered.newest
            moved = self._moved(since) or (self._moved(newest) if newest and self._covered.years else None)
            return Plan(deputy, tuple(self._uncovered(self._first, self._last)), moved, again, since or newest)
        since = self._since(state)
        older = date.fromisoformat(state.detail["first"])
        presented = self._uncovered(self._first, older) if self._first < older and not state.detail["cut"] else ()
        return Plan(deputy, tuple(presented), self._moved(since), tuple(state.detail["missing"]), since)

    def remember(self, state: State | None, found: Found, missing: Sequence[int]) -> dict[str, Any]:
        """The state's detail after a run."""
        first, last = self._first, self._last
        if state is not None:
            first = min(first, date.fromisoformat(state.detail["first"]))
            last = max(last, date.fromisoformat(state.detail["last"]))
        cut = found.cut or bool(state and state.detail["cut"] and not self._needs_all(state.detail))
        return {
            "first": first.isoformat(),
            "last": last.isoformat(),
            "limit": self._limit,
            "cut": cut,
            "missing": sorted(missing),
        }

    def _needs_all(self, detail: dict[str, Any]) -> bool:
        """A higher limit reaches bills that a lower one had cut off."""
        limit = self._limit or float("inf")
        return bool(detail["cut"]) and limit > detail["limit"]

    def _since(self, state: State) -> date:
        return date.fromisoformat(state.detail["last"]) - OVERLAP

    def _moved(self, since: date | None) -> Range | None:
        return (since, self._last) if since is not None and since <= self._last else None

    def _uncovered(self, first: date, last: date) -> list[Range]:
        """The parts of the range whose year no file covers, newest first, neighbouring years joined."""
        ranges: list[Range] = []
        for year in range(last.year, first.year - 1, -1):
            if year in self._covered.years:
                continue
            start, end = max(first, date(year, 1, 1)), min(last, date(year, 12, 31))
            if ranges and ranges[-1][0] == end + timedelta(days=1):
                ranges[-1] = (start, ranges[-1][1])
            else:
                ranges.append((start, end))
        return ranges
