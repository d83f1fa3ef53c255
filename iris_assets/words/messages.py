"""What readers are told: the sentence of each failure in Portuguese and English, and the notices beside an answer."""

from functools import cache
from typing import Any, Final, Literal

from iris_assets.words.data_files import document

Language = Literal["pt", "en"]
DEFAULT: Final[Language] = "pt"


def failure(code: str | None, status: int, language: Language = DEFAULT) -> str:
    """The sentence of a failure: that of its code, of the kind of codes it belongs to, or of the HTTP status."""
    errors = _messages()["errors"]
    code = code or ""
    sentence = errors.get(code) or errors.get(code.partition("_")[0]) or errors.get(str(status)) or errors["500"]
    return str(sentence[language])


def notice(name: str) -> str:
    """A notice by its name in the table, in Portuguese; KeyError for another name."""
    return str(_messages()["notices"][name])


def preferred_language(accepted: str) -> Language:
    """The language that an `Accept-Language` header likes best of those here; Portuguese when it likes none."""
    ranked: list[tuple[float, int, Language]] = []
    for place, entry in enumerate(accepted[:500].split(",")):
        name, _, weight = entry.strip().partition(";q=")
        primary = name.partition("-")[0].strip().lower()
        if primary in ("pt", "en"):
            ranked.append((-_weight(weight), place, "pt" if primary == "pt" else "en"))
    liked = [entry for entry in sorted(ranked) if entry[0] < 0]
    return liked[0][2] if liked else DEFAULT


def _weight(text: str) -> float:
    try:
        return float(text) if text else 1.0
    except ValueError:
        return 0.0


@cache
def _messages() -> dict[str, Any]:
    found: dict[str, Any] = document("messages.yaml")
    return found
