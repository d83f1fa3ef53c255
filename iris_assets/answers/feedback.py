"""Whether readers found an answer helpful: one line each in a file of the data folder, sent nowhere."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from os import SEEK_END
from pathlib import Path
from typing import Any, Final

from iris_assets.answers.record import looked_at_answer
from iris_assets.errors import StoreError
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
        """Append one verdict; StoreError FEEDBACK_UNWRITABLE where the folder takes none."""
        line = {"answer_id": answer_id, "helped": helped, "at": datetime.now(UTC).isoformat(timespec="seconds")}
        try:
            with locked(self._file.with_suffix(".lock")):
                self._append(json.dumps(line).encode())
        except OSError as error:
            raise StoreError(
                "FEEDBACK_UNWRITABLE",
                f"{self._file.name}: {error.strerror}",
                hint="check the data folder's rights and room",
            ) from error

    def _append(self, line: bytes) -> None:
        with self._file.open("a+b") as file:
            size = file.seek(0, SEEK_END)
            file.seek(max(size - 1, 0))
            cut = size > 0 and file.read(1) != b"\n"  # by a killed process: it must cost itself only
            file.write((b"\n" if cut else b"") + line + b"\n")
        if size > LARGEST_BYTES:
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
        answer = looked_at_answer(store, answer_id)
        if answer is not None:
            cited = [{"source_id": s.source_id, "page": s.page_start} for s in answer.sources if s.cited]
            verdicts = {"helped": counted[True], "did_not_help": counted[False]}
            found.append({"question": answer.question, "answer_id": answer_id, **verdicts, "shown": cited})
    return sorted(found, key=lambda one: (-one["did_not_help"], one["question"]))
