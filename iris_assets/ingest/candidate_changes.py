"""What the court corrected between two archives: fields that differ from the stored rows, counted and sampled."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

SAMPLE: Final = 20
# What a correction of the court can change; the columns of identity and technical ones are not compared.
COMPARED: Final = (
    "name",
    "ballot_name",
    "party",
    "party_number",
    "office",
    "state",
    "candidate_number",
    "round",
    "registration_status",
    "round_result",
    "removed_at_source",
)


class Changes:
    """Sees rows before they are stored, beside those that are stored under the same TSE ids."""

    def __init__(self) -> None:
        self._new = 0
        self.fields: Counter[str] = Counter()
        self.sample: list[dict[str, Any]] = []

    def see(self, rows: Iterable[Mapping[str, Any]], stored: Mapping[str, Mapping[str, Any]]) -> None:
        for row in rows:
            old = stored.get(row["tse_id"])
            if old is None:
                self._new += 1
                continue
            for name in COMPARED:
                if (row[name] or None) != (old[name] or None):
                    self._note(row["tse_id"], name, old[name], row[name])

    def counts(self, removed: int) -> list[dict[str, Any]]:
        """Rows of the table: how many candidates came, went, and changed in which field."""
        found = {
            "(new candidates)": self._new,
            "(no longer in the archive)": removed,
            **dict(self.fields.most_common()),
        }
        return [{"field": name, "candidates": number} for name, number in found.items() if number]

    def _note(self, tse_id: str, name: str, old: Any, new: Any) -> None:
        self.fields[name] += 1
        if len(self.sample) < SAMPLE:
            self.sample.append({"tse_id": tse_id, "field": name, "before": str(old), "after": str(new)})
