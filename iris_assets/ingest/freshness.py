"""How long ago each scheduled UF was last refreshed, by the audit of its runs."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from iris_assets.ingest.stages import AUDITED
from iris_assets.store import Store
from iris_assets.store.tables.runs import DONE

# The refresh is daily: a late night is a warning, a missed one an error.
WARN_AFTER: Final = timedelta(hours=26)
FAIL_AFTER: Final = timedelta(hours=50)


@dataclass(frozen=True, slots=True)
class Refreshed:
    """When a UF was last refreshed whole (SUCCESS or PARTIAL); None: never."""

    uf: str
    at: datetime | None

    def age(self, now: datetime) -> timedelta | None:
        return None if self.at is None else now - self.at


def refreshed(store: Store, stage: str, ufs: Iterable[str], election_year: int) -> list[Refreshed]:
    """Each UF with its last good run of the stage for an election, the oldest first, never refreshed ones before them."""
    runs = store.runs.latest_of_each(AUDITED[stage], DONE)
    own = {uf: run.finished_at for (uf, year), run in runs.items() if year in (election_year, None)}
    found = [Refreshed(uf, own.get(uf)) for uf in ufs]
    return sorted(found, key=lambda one: (one.at is not None, one.at, one.uf))
