"""Words of a sentence with their places."""

from dataclasses import dataclass

from iris_assets.words.text import fold_any_script


@dataclass(frozen=True, slots=True)
class Token:
    """A word, where it stands, and its folded form."""

    text: str
    start: int
    end: int
    key: str

    @property
    def capital(self) -> bool:
        """Whether it begins like a name."""
        return self.text[0].isupper()


def tokens(text: str) -> list[Token]:
    """Runs of letters and digits in order; a hyphen between letters holds them together (`ex-ministra`)."""
    found, start = [], None
    for place in range(len(text) + 1):
        if place < len(text) and (text[place].isalnum() or (start is not None and _joins(text, place))):
            start = place if start is None else start
        elif start is not None:
            word = text[start:place]
            found.append(Token(word, start, place, fold_any_script(word)))
            start = None
    return found


def _joins(text: str, place: int) -> bool:
    """A hyphen between small letters; between capitals it parts a party from its UF (`PT-DF`)."""
    if text[place] not in "-‑" or place + 1 >= len(text):
        return False
    return text[place - 1].islower() and text[place + 1].islower()
