"""The cells of a candidate's row as values, and what the cells that repeat say about their row."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from iris_assets.sources.sentinels import number_or_none, text_or_none
from iris_assets.ufs import UF_NAMES

DAMAGED: Final = object()  # stands for a code field that is no number: the row's columns are shifted
ORDINARY: Final = 2
# President, governor, mayor and their deputies: the only offices that can have a second round. Their rows are held
# until the file ends, because the two rows of one candidate may be far apart.
TWO_ROUND_OFFICES: Final = frozenset({1, 2, 3, 4, 11, 12})
MOST_DIGITS: Final = 18  # what 64 bits hold; the court's longest numbers have twelve
# The largest number that a field can hold; what is beyond it (a CPF, say) stands in the wrong column.
LARGEST: Final = {
    "ANO_ELEICAO": 9999,
    "CD_CARGO": 99,
    "NR_PARTIDO": 99,
    "NR_TURNO": 9,
    "CD_TIPO_ELEICAO": 99,
    "NR_CANDIDATO": 99_999,
    "SQ_CANDIDATO": 10**MOST_DIGITS - 1,
}
REPEATING_NUMBERS: Final = ("ANO_ELEICAO", "CD_CARGO", "NR_PARTIDO", "NR_TURNO", "CD_TIPO_ELEICAO")
# Each row has its own; all other columns repeat, but for the thousands of towns.
OWN: Final = ("SQ_CANDIDATO", "NR_CANDIDATO", "NM_CANDIDATO", "NM_URNA_CANDIDATO")
TOWN: Final = ("SG_UE", "NM_UE")
DISTINCT_TEXTS: Final = 16_384  # that are remembered: a municipal election has 5,570 towns, each with a code and a name


@dataclass(frozen=True, slots=True)
class Filters:
    """None or empty: no such filter. Applied in the order year, UF, office, ordinary election."""

    election_year: int | None = None
    state: str | None = None
    offices: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the repeating cells of a row mean for it; the reasons are empty where there is none.

    `elsewhere`: it plainly belongs to another partition, which also counts its damage. `skipped` names the filter that
    leaves it out, `empty` the mandatory field without a value, `fields` are its share of the Candidate row.
    """

    elsewhere: bool
    damaged: str
    skipped: str
    empty: str
    two_rounds: bool
    fields: Mapping[str, Any]


def read_number(name: str, text: str) -> Any:
    """int, None for a sentinel, or DAMAGED."""
    try:
        number = number_or_none(text)
    except ValueError:
        return DAMAGED
    return DAMAGED if number is not None and number > LARGEST[name] else number


@lru_cache(maxsize=DISTINCT_TEXTS)
def upper_or_none(text: str) -> str | None:
    """As `text_or_none`, in capitals."""
    cleaned = text_or_none(text)
    return cleaned and cleaned.upper()


def judge(cells: Mapping[str, str], filters: Filters, origin: Mapping[str, Any]) -> Verdict:
    """The verdict on one combination of repeating cells; a column that the file does not have says nothing.

    `origin`: what all Candidate rows of the file have in common.
    """
    numbers = {name: read_number(name, cells.get(name, "")) for name in REPEATING_NUMBERS}
    state, office = upper_or_none(cells["SG_UF"]), upper_or_none(cells["DS_CARGO"])
    mandatory = {"ANO_ELEICAO": numbers["ANO_ELEICAO"], "SG_UF": state, "DS_CARGO": office}
    return Verdict(
        elsewhere=filters.state is not None and state in UF_NAMES and state != filters.state,
        damaged=next((f"{name} is not a number" for name, value in numbers.items() if value is DAMAGED), ""),
        skipped=_filter_that_skips(numbers, state, office, filters),
        empty=next((f"{name} is empty" for name, value in mandatory.items() if value is None), ""),
        two_rounds=numbers["CD_CARGO"] in TWO_ROUND_OFFICES,
        fields={
            "election_year": numbers["ANO_ELEICAO"],
            "party": upper_or_none(cells["SG_PARTIDO"]),
            "party_number": numbers["NR_PARTIDO"],
            "office": office,
            "state": state,
            "round": numbers["NR_TURNO"],
            "registration_status": text_or_none(cells.get("DS_SITUACAO_CANDIDATURA", "")),
            "round_result": text_or_none(cells.get("DS_SIT_TOT_TURNO", "")),
            **origin,
        },
    )


def _filter_that_skips(numbers: Mapping[str, Any], state: str | None, office: str | None, filters: Filters) -> str:
    """The first filter that a known value does not pass; an unknown value is judged later, as incomplete."""
    steps: tuple[tuple[str, Any, Callable[[Any], bool]], ...] = (
        ("year", numbers["ANO_ELEICAO"], lambda year: filters.election_year in (None, year)),
        ("uf", state, lambda uf: filters.state in (None, uf)),
        ("office", office, lambda name: not filters.offices or name in filters.offices),
        ("election_type", numbers["CD_TIPO_ELEICAO"], lambda kind: kind == ORDINARY),
    )
    return next((name for name, value, passes in steps if value is not None and not passes(value)), "")
