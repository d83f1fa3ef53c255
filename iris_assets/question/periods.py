"""The years that a question names: single ones, lists, ranges with an open or a closed end."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from iris_assets.words.numbers import parse_words

FIRST, LAST = 1900, 2099
_Y: Final = r"((?:19|20)\d\d)"
_OF: Final = r"(?:(?:EM|DE|DO|DA|NO|NA|DURANTE|ANO|ELEIC(?:AO|OES)|PLEITO|GERAIS) )*"
_ELECTION: Final = re.compile(r"ELEIC|PLEITO")
_SPOKEN: Final = r"DOIS MIL E (?:DEZOITO|VINTE(?: E (?:UM|DOIS|TRES|QUATRO|CINCO|SEIS|SETE|OITO|NOVE))?)"
FORMS: Final = (
    (rf"ENTRE {_OF}{_Y} E {_OF}{_Y}", "range"),
    (rf"DE {_Y} (?:A|ATE) {_OF}{_Y}", "range"),
    (rf"(?:DESDE|A PARTIR D[EO]) {_OF}{_Y}", "since"),
    (rf"(?:DEPOIS D[EO]|APOS) {_OF}{_Y}", "after"),
    (rf"ATE {_OF}{_Y}", "until"),
    (rf"ANTES D[EO] {_OF}{_Y}", "before"),
    (rf"{_OF}{_Y}", "in"),
)


@dataclass(frozen=True, slots=True)
class Years:
    """A list of years, or a range from `first` to `last` (None: open); empty: any year."""

    values: tuple[int, ...] = ()
    first: int | None = None
    last: int | None = None
    of_elections: bool = False

    @property
    def is_empty(self) -> bool:
        return not self.values and self.first is None and self.last is None

    @property
    def label(self) -> str:
        """`2022, 2023`, `desde 2022`, `até 2022`, `de 2019 a 2022`; empty for any year."""
        if self.values or self.is_empty:
            return ", ".join(map(str, self.values))
        if self.last is None:
            return f"desde {self.first}"
        return f"até {self.last}" if self.first is None else f"de {self.first} a {self.last}"

    @property
    def listed(self) -> tuple[int, ...]:
        """Every year that is meant, one by one (an open end is closed at 1900 and 2099)."""
        if self.values or self.is_empty:
            return self.values
        return tuple(range(self.first or FIRST, (self.last or LAST) + 1))


def periods(take: Callable[[str], str | None]) -> Years | None:
    """The years named by the words that `take` takes; None when several ranges stand together."""
    ranges: list[Years] = []
    values: set[int] = set()
    of_elections = False
    while (spoken := take(_OF + _SPOKEN)) is not None:
        values.add(int(parse_words(spoken[spoken.index("DOIS MIL") :].lower()) or 0))
    for pattern, kind in FORMS:
        while (text := take(pattern)) is not None:
            of_elections |= _ELECTION.search(text) is not None
            years = sorted(int(year) for year in re.findall(_Y, text))
            if kind == "in":
                values.update(years)
            else:
                ranges.append(_range(kind, years))
    if not ranges:
        return Years(tuple(sorted(values)), of_elections=of_elections)
    return ranges[0] if len(ranges) == 1 and not values else None


def _range(kind: str, years: list[int]) -> Years:
    first, last = years[0], years[-1]
    return {
        "range": Years(first=first, last=last),
        "since": Years(first=first),
        "after": Years(first=first + 1),
        "until": Years(last=last),
        "before": Years(last=last - 1),
    }[kind]
