"""Which stored candidates a deputy is: what decides whose bill or history record a source is."""

from collections.abc import Iterable, Mapping

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
    matched = context.store.candidates.matched()
    return Signers({deputy: tuple(ids) for deputy, ids in matched.items()}, also_kept)
