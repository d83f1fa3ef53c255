"""What the court corrected between two archives: fields that differ from the stored rows, counted and sampled."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

from iris_assets.store.inputs import ChangeValues

SAMPLE: Final = 20  # of the corrections, shown with the run; the store keeps all of them
# What a correction of the court can change; the columns of identity and technical ones are not compared.
COMPARED: Final = (
    "name",
    "ballot_name",
    "party",
    "party_number",
    "office",
    "state",
    "electoral_unit",
    "electoral_unit_name",
    "candidate_number",
    "round",
    "registration_status",
    "round_result",
    "removed_at_source",
)
# A store of an earlier version does not have these: reading them for the first time is no correction.
READ_LATER: Final = frozenset({"electoral_unit", "electoral_unit_name"})


class Changes:
    """Sees rows before they are stored, beside those that are stored under the same TSE ids."""

    def __init__(self, election_year: int, run_key: str) -> None:
        self._origin = {"election_year": election_year, "run_key": run_key}
        self._new = 0
        self.fields: Counter[str] = Counter()
        self.sample: list[dict[str, Any]] = []

    def see(
        self, rows: Iterable[Mapping[str, Any]], stored: Mapping[str, Mapping[str, Any]]
    ) -> dict[str, list[ChangeValues]]:
        """TSE id → what differs from the stored row, for those that differ."""
        found: dict[str, list[ChangeValues]] = {}
        for row in rows:
            old = stored.get(row["tse_id"])
            if old is None:
                self._new += 1
                continue
            for name in COMPARED:
                if (row[name] or None) != (old[name] or None) and not (name in READ_LATER and old[name] is None):
                    found.setdefault(row["tse_id"], []).append(self._change(row["tse_id"], name, old[name], row[name]))
        return found

    def removed(self, tse_ids: Iterable[str]) -> list[ChangeValues]:
        """The court dropped these candidates; they are counted apart."""
        return [self._values(tse_id, "removed_at_source", False, True) for tse_id in tse_ids]

    def counts(self, removed: int) -> list[dict[str, Any]]:
        """Rows of the table: how many candidates came, went, and changed in which field."""
        found = {
            "(new candidates)": self._new,
            "(no longer in the archive)": removed,
            **dict(self.fields.most_common()),
        }
        return [{"field": name, "candidates": number} for name, number in found.items() if number]

    def _change(self, tse_id: str, name: str, old: Any, new: Any) -> ChangeValues:
        self.fields[name] += 1
        if len(self.sample) < SAMPLE:
            self.sample.append({"tse_id": tse_id, "field": name, "before": str(old), "after": str(new)})
        return self._values(tse_id, name, old, new)

    def _values(self, tse_id: str, name: str, old: Any, new: Any) -> ChangeValues:
        before, after = (None if value is None else str(value)[:255] for value in (old, new))
        values: ChangeValues = {"tse_id": tse_id, "field": name, "value_before": before, "value_after": after}
        return values | self._origin  # type: ignore[return-value]
