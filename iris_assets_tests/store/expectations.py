"""The stored expectations: what a statement's shape is, and how a text is compared with its file."""

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

GOLDEN: Final = Path(__file__).parent / "golden"


def shape(statement: str) -> str:
    """A statement without what differs from call to call: the length of an IN list, the number of a TOP."""
    return re.sub(r"\bTOP \d+", "TOP n", re.sub(r"IN \(\?(?:, \?)*\)", "IN (…)", statement))


def listed(shapes: Iterable[str]) -> str:
    """Shapes as the text of a golden file."""
    return "\n\n".join(f"{one};" for one in sorted(shapes)) + "\n"


def shapes_of(name: str) -> set[str]:
    """The statements of a golden file, white space and comments left out."""
    text = re.sub(r"--[^\n]*\n", "", (GOLDEN / name).read_text(encoding="utf-8"))
    return {" ".join(one.split()) for one in re.split(r";\s*\n", text) if one.strip()}


def compare(name: str, text: str) -> None:
    """Fail when the file has another text; with UPDATE_GOLDEN=1 it is written first."""
    path = GOLDEN / name
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text, f"{name} differs: UPDATE_GOLDEN=1, then read the difference"
