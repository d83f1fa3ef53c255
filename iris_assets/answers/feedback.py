"""Whether readers found an answer helpful: one line each in a file of the data folder, sent nowhere."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from iris_assets.answers.record import stored_answer
from iris_assets.files import locked, write_atomically
from iris_assets.store import Store

LARGEST_BYTES: Final = 2_000_000  # about 20,000 verdicts; then the older half goes


@dataclass(frozen=True, slots=True)
class Feedback:
    """The file `feedback.jsonl`: answer id, verdict, moment; nothing of the reader."""

    folder: Path

    @property
    def _file(self) -> Path:
        return self.folder / "feedback.jsonl"

    def add(self, answer_id: str, helped: bool) -> None:
        """Append one verdict. Raises OSError where the folder cannot be written."""
        line = {"answer_id": answer_id, "helped": helped, "at": datetime.now(UTC).isoformat(timespec="seconds")}
        with locked(self._file.with_suffix(".lock")):
            with self._file.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
            if self._file.stat().st_size > LARGEST_BYTES:
                lines = self._file.read_bytes().splitlines(keepends=True)
                write_atomically(self._file, b"".join(lines[len(lines) // 2 :]))

    def verdicts(self) -> dict[str, Counter[bool]]:
        """answer id → how often it helped and how often not; a line that a killed process cut is passed over."""
        counted: dict[str, Counter[bool]] = {}
        for line in self._lines():
            counted.setdefault(line["answer_id"], Counter())[line["helped"]] += 1
        return counted

    def _lines(self) -> Iterator[dict[str, Any]]:
        if not self._file.exists():
            return
        for line in self._file.read_text(encoding="utf-8").splitlines():
            try:
                yield json.loads(line)
            except ValueError:
                continue


def candidates_for_the_set(store: Store, feedback: Feedback) -> list[dict[str, Any]]:
    """The judged answers that are still stored, those that did not help first: question, verdicts, what was shown.

    They are candidates: whoever takes one into a question set says what is right, by the records.
    """
    found = []
    for answer_id, counted in feedback.verdicts().items():
        answer = stored_answer(store, answer_id)
        if answer is not None:
            cited = [{"source_id": s.source_id, "page": s.page_start} for s in answer.sources if s.cited]
            verdicts = {"helped": counted[True], "did_not_help": counted[False]}
            found.append({"question": answer.question, "answer_id": answer_id, **verdicts, "shown": cited})
    return sorted(found, key=lambda one: (-one["did_not_help"], one["question"]))
