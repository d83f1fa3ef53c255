"""One block's text columns cleaned into values, a whole column at a time: what repeats is cleaned once."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import compress, repeat
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from iris_assets.sources.sentinels import number_or_none, text_or_none

Mask = NDArray[np.bool_]

SQ_DIGITS: Final = 18  # what 64 bits hold; the court's have twelve
DAMAGED: Final = object()  # stands for a code field that is no number: the row's columns are shifted


class Values(NamedTuple):
    """A cleaned column, and the different values in it (for names: only whether None is among them)."""

    items: list[Any]
    different: set[Any]


class Columns:
    """The columns of one block, cleaned when first asked for."""

    def __init__(self, raw: Mapping[str, list[str]], size: int) -> None:
        self._raw = raw
        self._size = size
        self._cleaned: dict[str, Values] = {}

    def number(self, name: str) -> Values:
        """int, None or DAMAGED."""
        return self._clean(name, _number)

    def text(self, name: str) -> Values:
        """str or None."""
        return self._clean(name, text_or_none)

    def name(self, name: str) -> Values:
        """str or None, for columns in which hardly a value repeats."""
        if name not in self._cleaned:
            made = [value if _is_clean(value) else text_or_none(value) for value in self._raw[name]]
            self._cleaned[name] = Values(made, {None} if None in made else set())
        return self._cleaned[name]

    def sq_damaged(self) -> Mask:
        """Where SQ_CANDIDATO is neither a number nor a sentinel."""
        values = self._raw["SQ_CANDIDATO"]
        if all(map(str.isdecimal, values)) and max(map(len, values)) <= SQ_DIGITS:
            return np.zeros(self._size, dtype=bool)
        usual = (len(value) <= SQ_DIGITS and _number(value) is not DAMAGED for value in values)
        return ~np.fromiter(usual, dtype=bool, count=self._size)

    def sq_missing(self) -> Mask:
        """Where SQ_CANDIDATO is a sentinel."""
        values = self._raw["SQ_CANDIDATO"]
        if all(map(str.isdecimal, values)):
            return np.zeros(self._size, dtype=bool)
        return np.fromiter((_number(value) is None for value in values), dtype=bool, count=self._size)

    def rows(self, keep: Mask, constant: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Candidate rows of the kept positions."""
        columns: dict[str, Iterable[Any]] = {
            "tse_id": map(str.strip, self._raw["SQ_CANDIDATO"]),
            "election_year": self.number("ANO_ELEICAO").items,
            "name": self.name("NM_CANDIDATO").items,
            "ballot_name": self.name("NM_URNA_CANDIDATO").items,
            "party": _upper(self.text("SG_PARTIDO")),
            "party_number": self.number("NR_PARTIDO").items,
            "office": _upper(self.text("DS_CARGO")),
            "state": _upper(self.text("SG_UF")),
            "candidate_number": self.number("NR_CANDIDATO").items,
            "round": self.number("NR_TURNO").items,
            "registration_status": self.text("DS_SITUACAO_CANDIDATURA").items,
            "round_result": self.text("DS_SIT_TOT_TURNO").items,
            **{name: repeat(value, self._size) for name, value in constant.items()},
        }
        names = tuple(columns)
        records: Iterable[tuple[Any, ...]] = zip(*columns.values(), strict=True)
        if not keep.all():
            records = compress(records, keep.tolist())
        return [dict(zip(names, values, strict=True)) for values in records]

    def _clean(self, name: str, clean: Callable[[str], Any]) -> Values:
        if name not in self._cleaned:
            given = self._raw.get(name)
            self._cleaned[name] = Values([None] * self._size, {None}) if given is None else _mapped(given, clean)
        return self._cleaned[name]


def where(values: Values, test: Callable[[Any], bool]) -> Mask:
    """Where the cleaned value passes the test, which is asked once per different value."""
    known = {value: bool(test(value)) for value in values.different}
    if len(set(known.values())) == 1:
        return np.full(len(values.items), next(iter(known.values())), dtype=bool)
    return np.fromiter(map(known.__getitem__, values.items), dtype=bool, count=len(values.items))


def is_none(values: Values) -> Mask:
    """Where there is no value."""
    if None not in values.different:
        return np.zeros(len(values.items), dtype=bool)
    return np.fromiter((value is None for value in values.items), dtype=bool, count=len(values.items))


def _mapped(given: Sequence[Any], clean: Callable[[Any], Any]) -> Values:
    known = {value: clean(value) for value in set(given)}
    if len(known) == 1:
        return Values(list(known.values()) * len(given), set(known.values()))
    return Values(list(map(known.__getitem__, given)), set(known.values()))


def _upper(values: Values) -> list[Any]:
    if all(value is None or value == value.upper() for value in values.different):
        return values.items
    return _mapped(values.items, lambda value: value.upper() if value else None).items


def _number(value: str) -> Any:
    try:
        return number_or_none(value)
    except ValueError:
        return DAMAGED


def _is_clean(value: str) -> bool:
    """True for text that surely needs no cleaning; sentinels begin with # or N."""
    return value[:1] not in "#Nn " and value[-1] != " " and "  " not in value and value.isprintable()
