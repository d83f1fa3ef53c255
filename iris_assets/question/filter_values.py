"""Filter values as the records spell them: any case, accents or not, names and aliases of UFs, parties and offices."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from iris_assets.errors import UsageError
from iris_assets.store import Store
from iris_assets.store.search import SearchFilter
from iris_assets.ufs import NON_PARTITION_UNITS, UF_NAMES
from iris_assets.words.offices import by_name, offices_of
from iris_assets.words.parties import party_of, stored_spellings
from iris_assets.words.source_kinds import SOURCE_KINDS, source_kind_of
from iris_assets.words.text import fold

T = TypeVar("T")
STATES = {fold(name): uf for uf, name in UF_NAMES.items()} | {uf: uf for uf in (*UF_NAMES, *NON_PARTITION_UNITS)}


def search_filter(
    states: Iterable[str] | None,
    parties: Iterable[str] | None,
    offices: Iterable[str] | None,
    years: Iterable[int] | None,
) -> SearchFilter:
    """The filter of what a caller names; UsageError UF_UNKNOWN. Parties and offices are compared by `as_stored`."""
    return SearchFilter(
        states=tuple(map(state_value, states or ())),
        parties=tuple(parties or ()),
        offices=tuple(offices or ()),
        years=tuple(years or ()),
    )


def as_stored(filters: SearchFilter, store: Store) -> SearchFilter:
    """The filter in the spelling of the records, so that every path compares alike; an alternative counts once.

    UsageError PARTY_UNKNOWN, OFFICE_UNKNOWN, YEAR_UNKNOWN for a value that no candidate of the store has. A UF without
    candidates stays and leaves nothing: it never becomes no filter. So does, beside one that is stored, an office of which
    nobody is stored ("deputados").
    """
    stored = store.candidates
    parties = stored.spellings("party") if filters.parties else []
    offices = stored.spellings("office") if filters.offices else []
    return replace(
        filters,
        states=_once(STATES.get(fold(value), value.strip().upper()) for value in filters.states),
        parties=_known("party", (party_value(value, parties) for value in filters.parties), parties),
        offices=_known("office", (office_value(value, offices) for value in filters.offices), offices, by_name()),
        years=_known("year", filters.years, stored.election_years() if filters.years else []),
    )


def _known(name: str, values: Iterable[T], stored: Sequence[T], others: Collection[T] = ()) -> tuple[T, ...]:
    """The values, each once; a store without any candidate knows none and refuses none.

    `others` are real values that pass beside a stored one.
    """
    chosen = _once(values)
    passing = others if any(value in stored for value in chosen) else ()
    unknown = [str(value) for value in chosen if value not in stored and value not in passing]
    if unknown and stored:
        raise UsageError(
            f"{name.upper()}_UNKNOWN",
            f"no candidate in the records has the {name} {', '.join(unknown)}",
            hint=f"use one of {', '.join(map(str, stored))}",
        )
    return chosen


def state_value(text: str) -> str:
    """`piaui`, `Piauí`, `pi` → `PI`; UsageError UF_UNKNOWN."""
    found = STATES.get(fold(text))
    if found is None:
        raise UsageError("UF_UNKNOWN", f"unknown UF: {text}", hint=f"use one of {', '.join(UF_NAMES)}")
    return found


def party_value(text: str, stored: Collection[str] = ()) -> str:
    """`uniao`, `União Brasil` → `UNIÃO`; `PCdoB` → `PC DO B`; `Partido dos Trabalhadores` → `PT`."""
    spelled = {fold(sigla): sigla for sigla in stored}
    party = party_of(text)
    return spelled.get(fold(text)) or (stored_spellings(party.acronym, stored)[0] if party else text.strip().upper())


def office_value(text: str, stored: Collection[str] = ()) -> str:
    """`presidente`, `Presidência da República` → `PRESIDENTE`; `deputada federal` → `DEPUTADO FEDERAL`."""
    spelled = {fold(office): office for office in stored}
    named = offices_of(text)
    return spelled.get(fold(text)) or (named[0] if len(named) == 1 else text.strip().upper())


def _once(values: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(values))


def source_type(name: str) -> str:
    """The source type of a name or alias; UsageError SOURCE_TYPE_UNKNOWN for any other."""
    found = source_kind_of(name)
    if found is None:
        raise UsageError(
            "SOURCE_TYPE_UNKNOWN",
            f"unknown source type: {name}",
            hint=f"use one of {', '.join(kind.name for kind in SOURCE_KINDS)}",
        )
    return found.name
