"""Which years a question names: one, several, a range, since or until; of elections or of what it asks about."""

import re
from dataclasses import dataclass

from iris_assets.question.unread import Unread

YEAR = r"(?:19|20)\d\d"
SINCE = r"(?:DESDE|A PARTIR D[EO]|A CONTAR D[EO])(?: O (?:INICIO|COMECO) D[EO])?"
AFTER = r"DEPOIS D[EO]|APOS"
UNTIL = r"ATE(?: O (?:FIM|FINAL) D[EO])?"
BEFORE = r"ANTES D[EO]"
OF_ELECTION = r"ELEIC(?:AO|OES)(?: GERA(?:L|IS))?|PLEITOS?|ELEIT[OA]S?|CANDIDAT[OA]S?|CANDIDATURAS?"
PHRASE = (
    rf"(?:(?P<election>{OF_ELECTION}) )?"
    rf"(?P<it>(?:(?P<how>ENTRE|{SINCE}|{AFTER}|{UNTIL}|{BEFORE}|EM|DE|DO|DOS|NO|NOS|DURANTE) )?"
    rf"(?:OS? )?(?:ANOS? (?:DE )?)?{YEAR}(?:(?: (?:E|OU|A|ATE))?(?: (?:EM|DE))? {YEAR})*)"
)
FIRST, LAST = 1900, 2099


@dataclass(frozen=True, slots=True)
class Years:
    """Some years (`values`), or all from `first` to `last` (None: open); empty: any year."""

    values: tuple[int, ...] = ()
    first: int | None = None
    last: int | None = None

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


@dataclass(frozen=True, slots=True)
class YearsNamed:
    """The years of elections and the other ones; `clear` is false when a phrase or their combination is not."""

    elections: Years = Years()
    others: Years = Years()
    clear: bool = True

    @property
    def is_empty(self) -> bool:
        return self.elections.is_empty and self.others.is_empty


def take_years(unread: Unread) -> YearsNamed:
    """The years that the question names; their words are taken."""
    phrases: dict[bool, list[Years | None]] = {True: [], False: []}
    for match in unread.take(PHRASE):
        dashed = any(gap in unread.gaps[_last_word(unread, match)] for gap in "-–—")
        phrases[bool(match["election"])].append(_meaning(match["how"] or "", match["it"], dashed))
    elections, others = _united(phrases[True]), _united(phrases[False])
    return YearsNamed(elections or Years(), others or Years(), elections is not None and others is not None)


def _last_word(unread: Unread, match: re.Match[str]) -> int:
    return unread.position(match, "it") + match["it"].count(" ")


def _meaning(how: str, phrase: str, dashed: bool) -> Years | None:
    years = tuple(int(year) for year in re.findall(YEAR, phrase))
    through = len(years) == 2 and re.search(rf"{YEAR} (?:A|ATE)(?: \w+)? {YEAR}", phrase) is not None
    if len(years) == 2 and (how == "ENTRE" or through or (dashed and re.search(rf"{YEAR} {YEAR}", phrase))):
        return Years(first=years[0], last=years[1]) if years[0] <= years[1] else None
    if len(years) == 1:
        one = years[0]
        for words, meaning in (
            (SINCE, Years(first=one)),
            (AFTER, Years(first=one + 1)),
            (UNTIL, Years(last=one)),
            (BEFORE, Years(last=one - 1)),
        ):
            if re.fullmatch(words, how):
                return meaning
    plain = re.fullmatch(r"(?:EM|DE|DO|DOS|NO|NOS|DURANTE)?", how) is not None
    return Years(tuple(sorted(set(years)))) if plain and not re.search(r" (?:A|ATE) ", phrase) else None


def _united(phrases: list[Years | None]) -> Years | None:
    """One meaning: lists are joined; a range stands alone; None when that is not clear."""
    known = [years for years in phrases if years is not None]
    if len(known) < len(phrases) or (len(known) > 1 and not all(years.values for years in known)):
        return None
    if len(known) == 1:
        return known[0]
    return Years(tuple(sorted({year for years in known for year in years.values})))
