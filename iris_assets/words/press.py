"""The words by which a newspaper introduces somebody: titles, political nouns, what a noun phrase is built with."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache

from iris_assets.words.data_files import document
from iris_assets.words.text import fold_any_script


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
    generation: frozenset[str]
    elected: frozenset[str]
    plain: frozenset[str]
    correction: frozenset[str]
    subscribe: frozenset[str]
    read_on: frozenset[str]
    other_person: frozenset[str]
    other_person_phrases: frozenset[str]
    head_of_state: frozenset[str]

    @property
    def titles(self) -> frozenset[str]:
        """What may stand in front of a name, short forms included."""
        return self.courtesy | self.honorific


@cache
def press_words() -> PressWords:
    """The words of the data file."""
    content = document("press.yaml")
    return PressWords(**{field.name: frozenset(content[field.name]) for field in fields(PressWords)})


@cache
def people_of_ufs() -> Mapping[str, str]:
    """Folded word for somebody of a UF or of its capital → UF: `sul mato grossense` → `MS`."""
    places = document("press.yaml")["places"]
    return {fold_any_script(word): uf for uf, place in places.items() for word in place["people"]}


@cache
def capitals() -> Mapping[str, str]:
    """Folded name of a capital → UF."""
    return {fold_any_script(place["capital"]): uf for uf, place in document("press.yaml")["places"].items()}


@cache
def palaces() -> Mapping[str, str]:
    """Folded name of a governor's palace → UF."""
    return {fold_any_script(place["palace"]): uf for uf, place in document("press.yaml")["places"].items()}


@cache
def party_members() -> Mapping[str, str]:
    """Folded word for a member of a party → acronym: `petista` → `PT`."""
    return {fold_any_script(word): name for name, words in document("press.yaml")["members"].items() for word in words}
