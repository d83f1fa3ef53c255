"""The words by which a newspaper introduces somebody: titles, political nouns, what a noun phrase is built with."""

from dataclasses import dataclass, fields
from functools import cache

from iris_assets.words.data_files import document


@dataclass(frozen=True, slots=True)
class PressWords:
    """Closed classes of words, in small letters as they are written."""

    courtesy: frozenset[str]
    honorific: frozenset[str]
    short: frozenset[str]
    political: frozenset[str]
    candidacy: frozenset[str]
    former: frozenset[str]
    determiner: frozenset[str]
    preposition: frozenset[str]
    contraction: frozenset[str]
    copula: frozenset[str]
    plain: frozenset[str]
    correction: frozenset[str]
    other_person: frozenset[str]

    @property
    def titles(self) -> frozenset[str]:
        """What may stand in front of a name, short forms included."""
        return self.courtesy | self.honorific


@cache
def press_words() -> PressWords:
    """The words of the data file."""
    content = document("press.yaml")
    return PressWords(**{field.name: frozenset(content[field.name]) for field in fields(PressWords)})
