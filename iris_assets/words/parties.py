"""Parties: acronyms, ballot numbers, names, the spellings of official records, former names, and where a text names one."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from iris_assets.words.data_files import listed, rows
from iris_assets.words.text import either, fold, fold_in_place


@dataclass(frozen=True, slots=True)
class Party:
    """`now`: the acronym under which the same party goes on; `merged`: the parties that took it over.

    `words`: its spellings that are words of the language too; `article`: which articles make these words the party
    (O, A; in small letters where the plain word takes the same article).
    """

    acronym: str
    number: int | None
    name: str
    spellings: tuple[str, ...]
    now: str | None
    merged: tuple[str, ...]
    words: tuple[str, ...]
    article: str

    @property
    def every_spelling(self) -> tuple[str, ...]:
        """The acronym first, then its name and the other spellings."""
        return tuple(dict.fromkeys((self.acronym, self.name, *self.spellings)))


@dataclass(frozen=True, slots=True)
class Federation:
    """Parties that run as one list; `members` are acronyms."""

    name: str
    spellings: tuple[str, ...]
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PartyMention:
    """A party that a text names, and where."""

    acronym: str
    start: int
    end: int


@cache
def parties() -> tuple[Party, ...]:
    """Every party, by acronym."""
    return tuple(_party(row) for row in rows("parties.csv"))


@cache
def federations() -> tuple[Federation, ...]:
    """Every federation."""
    return tuple(
        Federation(row["name"], listed(row["spellings"]), listed(row["members"])) for row in rows("federations.csv")
    )


@cache
def party_forms() -> Mapping[str, str]:
    """Folded spelling → acronym: `UNIAO BRASIL` → `UNIÃO`. An acronym beats another party's spelling."""
    spelled = {fold(spelling): party.acronym for party in parties() for spelling in party.every_spelling}
    return spelled | {fold(party.acronym): party.acronym for party in parties()}


@cache
def by_acronym() -> Mapping[str, Party]:
    """Every party by its acronym."""
    return {party.acronym: party for party in parties()}


def party_of(text: str) -> Party | None:
    """The party that a text spells and nothing else: `uniao brasil`, `PCdoB`, `Solidari`; None for any other."""
    form = fold(text)
    acronym = party_forms().get(form) or _joined_forms().get(form.replace(" ", ""))
    return by_acronym()[acronym] if acronym else None


def same_party(one: str, other: str) -> bool:
    """Whether two spellings name one registered party, former names included: PMDB is MDB; DEM is not UNIÃO."""
    left, right = party_of(one), party_of(other)
    if left is None or right is None:
        return fold(one) == fold(other)
    return _registered(left) == _registered(right)


def stored_spellings(acronym: str, stored: Collection[str]) -> tuple[str, ...]:
    """Of the spellings that records use, those of this party, former names included; none: the acronym itself."""
    found = tuple(spelling for spelling in stored if same_party(spelling, acronym))
    return found or (acronym,)


def members_of(text: str) -> tuple[str, ...]:
    """The acronyms of the parties in the federation that a text spells; none when it spells none."""
    form = fold(text)
    return next((f.members for f in federations() if form in map(fold, (f.name, *f.spellings))), ())


@lru_cache(maxsize=4096)
def find_parties(text: str) -> tuple[PartyMention, ...]:
    """The parties that an NFC text names, in order.

    A spelling that is a word of the language too counts only as a name (`do Novo`, `(REDE/DF)`, `PT, Novo`), a short
    acronym in small letters only after such a cue, `PL` never before a number (it is a kind of bill there).
    """
    found: list[PartyMention] = []
    folded = fold_in_place(text)
    for match in _pattern().finditer(folded):
        party = party_of(match[0])
        cue = _CUE.search(folded, max(match.start() - _CUE_LENGTH, 0), match.start())
        listed = bool(found) and text[found[-1].end : match.start()] in _BETWEEN
        if party and _reads_as_party(text, match.span(), party, cue["article"] or "" if cue else None, listed=listed):
            found.append(PartyMention(party.acronym, *match.span()))
    return tuple(found)


# What makes the next word a party; `article` is the article in it, if any.
_CUE: Final = re.compile(
    r"(?:\b(?:partidos?|siglas?|legendas?|federacao)(?: d[aeo])? |[(/] ?|(?<!\S)[–—-] ?|\b(?:d|pel|n|a)?(?P<article>[ao]) )['\"“]?$"
)
_CUE_LENGTH: Final = 24
_BETWEEN: Final = frozenset({", ", " e ", " ou ", "/", " / ", "-", " - "})
_SHORT: Final = 3  # letters of an acronym that small letters may also write as something else
_NUMBER: Final = re.compile(r"s?[\s-]*(?:n[ºo°.]\.?\s*)?\d")
_NAME_GOES_ON: Final = re.compile(r"[ -][^\W\d_]")
# What may follow a party's name: the end, a sign, a joining word, a verb of what parties do; no noun or adjective.
_NAME_ENDS: Final = re.compile(
    r"\s*(?:$|[^\w\s]|(?:e|ou|a|ao|com|em|n[ao]s?|para|pel[ao]s?|por|que|desde|ate|tambem|nao|ja|foi|foram|e|sao|era|tem|teve|ha"
    r"|apoia|apoiou|assina|assinou|apresenta|apresentou|concorre|concorreu|defende|defendeu|disputa|disputou|elege|elegeu"
    r"|lanca|lancou|propoe|propos|promete|prometeu|preve|previu|quer|registra|registrou|vota|votou)\b)"
)


def _reads_as_party(text: str, span: tuple[int, int], party: Party, article: str | None, *, listed: bool) -> bool:
    """`article`: None where no cue stands before the name, "" where the cue has no article."""
    start, end = span
    said = text[start:end]
    if fold(said) == "PL" and _NUMBER.match(text.lower(), end):
        return False
    if fold(said) not in map(fold, party.words):
        return len(said) > _SHORT or said.isupper() or article is not None or listed
    if not said[0].isupper() or (not said.isupper() and _goes_on(text, end)):
        return False
    if listed or article == "" or (article and article.upper() in party.article):
        return True
    return article is not None and article in party.article and _NAME_ENDS.match(fold_in_place(text), end) is not None


def _goes_on(text: str, end: int) -> bool:
    """Whether the word is the beginning of a longer name: `Novo PAC`, `Rede Globo`."""
    return _NAME_GOES_ON.match(text, end) is not None and text[end + 1].isupper()


@cache
def _pattern() -> "re.Pattern[str]":
    forms = sorted(party_forms(), key=lambda form: (-len(form), form))
    patterns = (r"[\s-]+".join(map(re.escape, form.lower().split())) for form in forms)
    return re.compile(rf"(?<![\w.])(?:{either(patterns)})(?!\w)")


@cache
def _joined_forms() -> Mapping[str, str]:
    return {form.replace(" ", ""): acronym for form, acronym in party_forms().items()}


def _registered(party: Party) -> str:
    while party.now:
        party = by_acronym()[party.now]
    return party.acronym


def _party(row: Mapping[str, str]) -> Party:
    number = int(row["number"]) if row["number"] else None
    spellings, merged = listed(row["spellings"]), listed(row["merged"])
    return Party(
        row["acronym"], number, row["name"], spellings, row["now"] or None, merged, listed(row["words"]), row["article"]
    )
