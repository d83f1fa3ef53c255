"""The UFs that a text names: by sign or full name, by its people, by its capital."""

from collections.abc import Sequence
from typing import Final

from iris_assets.articles.guard.tokens import tokens
from iris_assets.ufs import NATIONAL, UF_NAMES
from iris_assets.words.press import capitals, people_of_ufs
from iris_assets.words.text import fold_any_script


def ufs_named(text: str) -> set[str]:
    """The UFs whose signs or full names stand in a text, the longest name first (Mato Grosso do Sul is not Mato Grosso)."""
    words = tokens(text)
    named = set() if text.isupper() and len(words) > 3 else {word.text for word in words if word.text in UF_NAMES}
    index = 0
    while index < len(words):
        uf, size = _uf_at([word.text for word in words[index : index + 6]])
        named |= {uf} - {""}
        index += size
    return named - {NATIONAL}


def _uf_at(words: Sequence[str]) -> tuple[str, int]:
    keys = [fold_any_script(word) for word in words]
    for uf, parts in _UF_WORDS:
        # Without capital and accent `Pará` is a preposition, `Acre` a measure.
        proper = words[0][0].isupper() and (uf != "PA" or words[0].casefold() == "pará")
        if keys[: len(parts)] == parts and proper:
            return uf, len(parts)
    return "", 1


_UF_WORDS: Final = sorted(
    ((uf, fold_any_script(name).split()) for uf, name in UF_NAMES.items() if uf != NATIONAL),
    key=lambda item: -len(item[1]),
)


def ufs_of_people(text: str) -> set[str]:
    return {people_of_ufs()[token.key] for token in tokens(text) if token.key in people_of_ufs()}


def ufs_of_capitals(text: str) -> set[str]:
    folded = f" {fold_any_script(text)} "
    return {
        uf
        for name, uf in capitals().items()
        if any(f" {joint} {name} " in folded for joint in ("de", "do", "em", "no"))
    }
