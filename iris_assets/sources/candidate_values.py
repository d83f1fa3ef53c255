"""One block's cells cleaned into values, a whole column at a time: what repeats is cleaned once."""

import re
from collections.abc import Callable, Iterable
from itertools import repeat
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from iris_assets.sources.csv_cells import MOST_DIGITS, Cells
from iris_assets.sources.sentinels import number_or_none, text_or_none

Mask = NDArray[np.bool_]

DAMAGED: Final = object()  # stands for a code field that is no number: the row's columns are shifted
NAME_END: Final = "|"
# The largest number that a field can hold; what is beyond it (a CPF, say) stands in the wrong column.
LARGEST: Final = {
    "ANO_ELEICAO": 9999,
    "CD_CARGO": 99,
    "NR_CANDIDATO": 99_999,
    "NR_PARTIDO": 99,
    "NR_TURNO": 9,
    "CD_TIPO_ELEICAO": 99,
}
# How a name that is no name begins: nothing at all, a blank, a sentinel's first letters.
UNCLEAN_START: Final = re.compile(r"\|(?:[| #]|[Nn][ÃãAa][Oo] [Dd])")


class Values:
    """A cleaned column that mostly repeats: its different values, and which of them each row has."""

    def __init__(self, different: list[Any], codes: NDArray[np.intp]) -> None:
        self._different = different
        self._codes = codes

    def items(self) -> Iterable[Any]:
        """The value of each row; without end when it is the same everywhere."""
        if len(self._different) == 1:
            return repeat(self._different[0])
        values = np.empty(len(self._different), dtype=object)
        values[:] = self._different
        taken: list[Any] = values[self._codes].tolist()
        return taken

    def different(self) -> list[Any]:
        return self._different

    def where(self, test: Callable[[Any], bool]) -> Mask:
        """Where the value passes the test, which is asked once per different value."""
        return np.array([bool(test(value)) for value in self._different], dtype=bool)[self._codes]

    def where_is(self, value: Any) -> Mask | None:
        """Where the value is this object (None, DAMAGED); None when it is nowhere."""
        return self.where(lambda other: other is value) if any(v is value for v in self._different) else None

    def upper(self) -> "Values":
        return Values([value.upper() if value else None for value in self._different], self._codes)


class Own:
    """A cleaned column in which hardly a value repeats."""

    def __init__(self, values: list[Any], *, whole: bool) -> None:
        self._values = values
        self._whole = whole

    def items(self) -> list[Any]:
        return self._values

    def where_is(self, value: Any) -> Mask | None:
        """As Values.where_is; a column that is known to be whole is not searched."""
        if self._whole or not any(item is value for item in self._values):
            return None
        return np.fromiter((item is value for item in self._values), dtype=bool, count=len(self._values))


class Columns:
    """The columns of one block, cleaned when first asked for."""

    def __init__(self, cells: Cells, size: int) -> None:
        self._cells = cells
        self._size = size
        self._repeating: dict[str, Values] = {}
        self._own: dict[str, Own] = {}

    def number(self, name: str) -> Values:
        """int, None or DAMAGED."""
        return self._factored(name, lambda text: _number(text, LARGEST[name]))

    def text(self, name: str) -> Values:
        """str or None."""
        return self._factored(name, text_or_none)

    def name(self, name: str) -> Own:
        """str or None."""
        if name not in self._own:
            self._own[name] = _clean_names(self._cells.texts(name))
        return self._own[name]

    def own_number(self, name: str) -> Own:
        """int, None or DAMAGED."""
        if name not in self._own:
            digits, largest = self._cells.digits(name), LARGEST[name]
            if digits is not None and digits.max() <= largest:
                self._own[name] = Own(digits.tolist(), whole=True)
            else:
                self._own[name] = Own([_number(text, largest) for text in self._cells.texts(name)], whole=False)
        return self._own[name]

    def sq(self) -> tuple[list[str], NDArray[np.int64], Mask | None, Mask | None]:
        """SQ_CANDIDATO as text and as number (0 where it is none), where it is damaged, where it is a sentinel."""
        texts, digits = self._cells.texts("SQ_CANDIDATO"), self._cells.digits("SQ_CANDIDATO")
        if digits is not None:
            return texts, digits, None, None
        values = Own([_number(text) for text in texts], whole=False)
        numbers = [value if isinstance(value, int) else 0 for value in values.items()]
        texts = [text.strip() for text in texts]
        return texts, np.array(numbers, dtype=np.int64), values.where_is(DAMAGED), values.where_is(None)

    def _factored(self, name: str, clean: Callable[[str], Any]) -> Values:
        if name not in self._repeating:
            if name in self._cells:
                texts, codes = self._cells.factor(name)
                self._repeating[name] = Values([clean(text) for text in texts], codes)
            else:
                self._repeating[name] = Values([None], np.zeros(self._size, dtype=np.intp))
        return self._repeating[name]


def _number(value: str, largest: int = 10**MOST_DIGITS - 1) -> Any:
    try:
        number = number_or_none(value)
    except ValueError:
        return DAMAGED
    return DAMAGED if number is not None and number > largest else number


def _clean_names(names: list[str]) -> Own:
    """The names cleaned; looking at all of them at once shows whether one of them needs it."""
    joined = NAME_END + NAME_END.join(names) + NAME_END
    blanks = "  " in joined or f" {NAME_END}" in joined or not joined.isprintable()
    if not blanks and not UNCLEAN_START.search(joined):
        return Own(names, whole=True)
    return Own([text_or_none(name) for name in names], whole=False)
