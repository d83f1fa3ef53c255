"""The one form in which names are compared; what is stored and shown keeps its accents and case."""

from iris_assets.words.text import fold


def normalise_name(text: str | None) -> str:
    """The folded name: `D'Ávila ` → `D AVILA`; None and text without a letter or digit give "" (see `same_name`)."""
    return fold(text) if text else ""


def same_name(one: str | None, other: str | None) -> bool:
    """Equal in the compared form; an unknown name never equals another unknown name."""
    left = normalise_name(one)
    return bool(left) and left == normalise_name(other)
