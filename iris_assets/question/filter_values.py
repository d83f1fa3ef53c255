"""Filter values as the records spell them: any case, accents or not, names and aliases of UFs, parties and offices."""

from collections.abc import Iterable
from dataclasses import replace

from iris_assets.errors import UsageError
from iris_assets.question.parties import party_forms
from iris_assets.retrieval.text import normalised
from iris_assets.store import Store
from iris_assets.store.search import SearchFilter
from iris_assets.ufs import NON_PARTITION_UNITS, UF_NAMES
from iris_assets.words.offices import offices_of

STATES = {normalised(name): uf for uf, name in UF_NAMES.items()} | {uf: uf for uf in (*UF_NAMES, *NON_PARTITION_UNITS)}


def as_stored(filters: SearchFilter, store: Store) -> SearchFilter:
    """The filter in the spelling of the records, so that every path compares alike; an alternative counts once.

    A value that no record has stays and leaves nothing: it never becomes no filter.
    """
    if not (filters.states or filters.parties or filters.offices):
        return filters
    parties = store.candidates.spellings("party") if filters.parties else []
    offices = store.candidates.spellings("office") if filters.offices else []
    return replace(
        filters,
        states=_once(STATES.get(normalised(value), value.strip().upper()) for value in filters.states),
        parties=_once(party_value(value, parties) for value in filters.parties),
        offices=_once(office_value(value, offices) for value in filters.offices),
    )


def state_value(text: str) -> str:
    """`piaui`, `Piauí`, `pi` → `PI`; UsageError UF_UNKNOWN."""
    found = STATES.get(normalised(text))
    if found is None:
        raise UsageError("UF_UNKNOWN", f"unknown UF: {text}", hint=f"use one of {', '.join(UF_NAMES)}")
    return found


def party_value(text: str, stored: Iterable[str] = ()) -> str:
    """`uniao`, `União Brasil` → `UNIÃO`; `PCdoB` → `PC DO B`; `Partido dos Trabalhadores` → `PT`."""
    forms = party_forms(list(stored))
    compact = {form.replace(" ", ""): sigla for form, sigla in forms.items()}
    form = normalised(text)
    return forms.get(form) or compact.get(form.replace(" ", "")) or text.strip().upper()


def office_value(text: str, stored: Iterable[str] = ()) -> str:
    """`presidente`, `Presidência da República` → `PRESIDENTE`; `deputada federal` → `DEPUTADO FEDERAL`."""
    form = normalised(text)
    spelled = {normalised(office): office for office in stored}
    return spelled.get(form) or next(iter(offices_of(text)), text.strip().upper())


def _once(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))
