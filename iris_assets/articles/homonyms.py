"""The homonym guard: a person of the same name in another UF, office or party is another person."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from iris_assets.articles.contracts import Profile
from iris_assets.articles.text import sentences, words
from iris_assets.ufs import NATIONAL, UF_NAMES
from iris_assets.words.offices import offices
from iris_assets.words.text import fold_any_script

NEAR: Final = 8  # words around a name in which label and office of its bearer stand
HARMLESS: Final = frozenset(("ex", "vice"))  # in front of an office: another one than the bare word tells
PARTICLES: Final = frozenset(("de", "da", "do", "das", "dos"))
# Folded title → office, both genders. "Presidente" is the title of many bodies, and "vice" says nothing: see HARMLESS.
OFFICES: Final = {
    fold_any_script(title): office.name
    for office in offices()
    if office.vice_of is None and office.name != "PRESIDENTE"
    for title in (*office.masculine, *office.feminine)
}


def names_of(profile: Profile) -> list[str]:
    """Folded names that may stand for the person, longest first; a single word is too little to know anybody by."""
    every = (*profile.names, profile.ballot_name or "", *profile.aliases)
    return sorted({key for name in every if len((key := fold_any_script(name)).split()) > 1}, key=len, reverse=True)


def guard(profile: Profile, texts: Sequence[str]) -> str | None:
    """Why the texts must not count as being about the profile: NAME_ABSENT, HOMONYM_OTHER_PARTY_OR_UF,
    HOMONYM_OTHER_OFFICE, HOMONYM_UNRESOLVED; None when the name stands with the profile's own context."""
    names = [name.split() for name in names_of(profile)]
    named = [(text, found) for text in texts if (found := list(_mentions(text, names)))]
    if not named:
        return "NAME_ABSENT"
    for problem in (_contradiction(mention, profile) for _, found in named for mention in found):
        if problem:
            return problem
    return None if any(_supported(text, profile) for text, _ in named) else "HOMONYM_UNRESOLVED"


@dataclass(frozen=True, slots=True)
class _Mention:
    """A name in a sentence: the words around it, the texts of the parenthesis and the apposition right behind it."""

    before: list[str]
    behind: list[str]
    parenthesis: str
    apposition: str


def _mentions(text: str, names: Sequence[list[str]]) -> Iterator[_Mention]:
    for sentence in sentences(text):
        found = words(sentence)
        keys = [fold_any_script(word) for word in found]
        for index in range(len(keys)):
            size = next((len(name) for name in names if keys[index : index + len(name)] == name), 0)
            rest = _after(sentence, found[: index + size]) if size else ""
            if size and not _goes_on(rest, sentence):
                behind = found[index + size : index + size + NEAR]
                yield _Mention(found[max(index - NEAR, 0) : index], behind, *_beside(rest.lstrip()))


def _after(sentence: str, consumed: Sequence[str]) -> str:
    """What follows the given words of a sentence."""
    position = 0
    for word in consumed:
        position = sentence.index(word, position) + len(word)
    return sentence[position:]


def _goes_on(rest: str, sentence: str) -> bool:
    """Whether the name is the beginning of a longer one: `Ana Lima Pereira`, `Ana Lima da Silva`."""
    following = words(rest[:80])[:2]
    if sentence.isupper() or not following or not rest.startswith(f" {following[0]}"):
        return False
    word = following[1] if following[0] in PARTICLES and len(following) > 1 else following[0]
    return word[0].isupper() and not word.isupper()


def _beside(rest: str) -> tuple[str, str]:
    """The parenthesis and the apposition that a text begins with, each maybe empty."""
    inside = ""
    if rest.startswith("("):
        inside, _, rest = rest[1:].partition(")")
    rest = rest.lstrip()
    return inside, rest[1:].partition(",")[0] if rest[:1] in (",", "–", "—", "-") else ""


def _contradiction(mention: _Mention, profile: Profile) -> str | None:
    if not all(_label_fits(label, profile) for label in _labels(mention)) or _is_elsewhere(mention, profile):
        return "HOMONYM_OTHER_PARTY_OR_UF"
    own = {fold_any_script(profile.office or ""), *(["deputado federal"] if profile.camara_id else [])}
    stated = {
        fold_any_script(office)
        for office in (_office_before(mention.before), _office_beside(mention.apposition))
        if office
    }
    return "HOMONYM_OTHER_OFFICE" if stated - own else None


def _office_before(around: Sequence[str]) -> str | None:
    """The office that ends these words; a former one or a deputy's (`ex-prefeita`, `vice-prefeita`) says nothing."""
    keys = fold_any_script(" ".join(around)).split()
    title = max((t for t in OFFICES if keys[-len(t.split()) :] == t.split()), key=len, default="")
    return _stated(keys, len(keys) - len(title.split()), title)


def _office_beside(apposition: str) -> str | None:
    """The office that an apposition begins with: `vereadora de Recife`, `a vereadora`, `candidata a vereadora`."""
    keys = fold_any_script(apposition).split()
    for start in range(3 if keys[:1] in (["candidato"], ["candidata"]) else 2):
        title = max((t for t in OFFICES if keys[start : start + len(t.split())] == t.split()), key=len, default="")
        if title:
            return _stated(keys, start, title)
    return None


def _stated(keys: Sequence[str], start: int, title: str) -> str | None:
    return None if not title or (start and keys[start - 1] in HARMLESS) else OFFICES[title]


def _labels(mention: _Mention) -> Iterator[list[str]]:
    """What tells party and UF right behind the name: `João Silva (PSD-MG)`, `João Silva, do PSD,`, `… PSD/MG`."""
    yield words(mention.parenthesis)
    beside = words(mention.apposition)
    if len(beside) == 2 and beside[0].islower() and _is_sign(beside[1]):
        yield beside[1:]
    for left, right in pairwise(mention.behind):
        if right in UF_NAMES and _is_sign(left):
            yield [left, right]


def _is_sign(word: str) -> bool:
    return len(word) > 1 and word.isalpha() and word.isupper() and word not in UF_NAMES


def _is_elsewhere(mention: _Mention, profile: Profile) -> bool:
    """An office with the name of another UF, just before the name or beside it: `deputada pelo Rio de Janeiro`."""
    for around in (" ".join(mention.before), mention.apposition):
        named = ufs_named(around)
        if (
            named
            and profile.uf not in (*named, NATIONAL)
            and any(f" {title} " in f" {fold_any_script(around)} " for title in OFFICES)
        ):
            return True
    return False


def ufs_named(text: str) -> set[str]:
    """The UFs whose full names stand in a text, the longest name first (Mato Grosso do Sul is not Mato Grosso)."""
    found, named, index = words(text), set(), 0
    keys = [fold_any_script(word) for word in found]
    while index < len(keys):
        size = 1
        for uf, parts in _UF_WORDS:
            # Without capital and accent `Pará` is a preposition, `Acre` a measure.
            proper = found[index][0].isupper() and (uf != "PA" or found[index].casefold() == "pará")
            if keys[index : index + len(parts)] == parts and proper:
                named.add(uf)
                size = len(parts)
                break
        index += size
    return named


_UF_WORDS: Final = sorted(
    ((uf, fold_any_script(name).split()) for uf, name in UF_NAMES.items() if uf != NATIONAL),
    key=lambda item: -len(item[1]),
)


def _label_fits(label: Sequence[str], profile: Profile) -> bool:
    """A label of other party or UF does not fit; one that is neither (an age, a nickname) says nothing."""
    if not label or len(label) > 4 or not any(part.isupper() for part in label):
        return True
    ufs = [part for part in label if part in UF_NAMES]
    parties = [part for part in label if part.isalpha() and part not in UF_NAMES]
    if ufs and profile.uf not in (*ufs, NATIONAL):
        return False
    own = fold_any_script(profile.party or "")
    return not parties or not own or fold_any_script(" ".join(parties)) == own


def _supported(text: str, profile: Profile) -> bool:
    """The paragraph also holds the profile's UF, party or one of its bills; a line in capitals tells no signs."""
    found = f" {fold_any_script(text)} "
    if profile.uf in ufs_named(text) or any(
        f" {fold_any_script(bill)} " in found for bill in profile.bills if fold_any_script(bill)
    ):
        return True
    exact, party = words(text), words(profile.party or "")
    if text.isupper():
        return False
    whole = bool(party) and f" {' '.join(party).casefold()} " in f" {' '.join(exact).casefold()} "
    return profile.uf in exact or (whole and any(part in exact for part in party))
