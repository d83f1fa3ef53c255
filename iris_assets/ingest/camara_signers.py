"""Which stored candidates a deputy is: what decides whose bill or history record a source is."""

from collections.abc import Iterable, Mapping
from typing import Any

from iris_assets.ingest.context import IngestContext


class Signers:
    """Deputy → row ids of every matched candidate, of any election and UF."""

    def __init__(self, by_deputy: Mapping[int, tuple[int, ...]], also_kept: Iterable[int] = ()) -> None:
        self._by_deputy = by_deputy
        # Deputies whose signature is kept beyond the limit of authors: also those whose partition comes later.
        self.kept = frozenset(by_deputy) | frozenset(also_kept)

    def candidates_of(self, deputy_ids: Iterable[int | None]) -> list[int]:
        """The matched candidates among these deputies, ascending."""
        return sorted({c for d in set(deputy_ids) if d is not None for c in self._by_deputy.get(d, ())})


def load_signers(context: IngestContext, also_kept: Iterable[int] = ()) -> Signers:
    """From every candidate in the store, those that the court has dropped meanwhile too."""
    found: dict[int, list[int]] = {}
    for row in _matched(context):
        found.setdefault(row["camara_deputy_id"], []).append(row["id"])
    return Signers({deputy: tuple(sorted(ids)) for deputy, ids in found.items()}, also_kept)


def _matched(context: IngestContext) -> Iterable[Mapping[str, Any]]:
    for row in context.store.candidates.list(include_removed=True):
        if row["match_status"] == "MATCHED" and row["camara_deputy_id"] is not None:
            yield row
