"""The homonym guard: a person of the same name in another UF, office or party is another person."""

from collections.abc import Iterator, Sequence
from typing import Final

from iris_assets.articles.contracts import Profile
from iris_assets.articles.text import fold, sentences, words
from iris_assets.ufs import UF_NAMES

# The offices that the TSE registers candidates for, both genders: a controlled vocabulary of the source.
OFFICES: Final = {
    "deputado federal": "DEPUTADO FEDERAL", "deputada federal": "DEPUTADO FEDERAL",
    "deputado estadual": "DEPUTADO ESTADUAL", "deputada estadual": "DEPUTADO ESTADUAL",
    "deputado distrital": "DEPUTADO DISTRITAL", "deputada distrital": "DEPUTADO DISTRITAL",
    "senador": "SENADOR", "senadora": "SENADOR", "governador": "GOVERNADOR", "governadora": "GOVERNADOR",
    "prefeito": "PREFEITO", "prefeita": "PREFEITO", "vereador": "VEREADOR", "vereadora": "VEREADOR",
}  # fmt: skip


def names_of(profile: Profile) -> list[str]:
    """Folded names that may stand for the person, longest first; a single word is too little to know anybody by."""
    every = (*profile.names, profile.ballot_name or "", *profile.aliases)
    return sorted({key for name in every if len((key := fold(name)).split()) > 1}, key=len, reverse=True)


def guard(profile: Profile, texts: Sequence[str]) -> str | None:
    """Why the texts must not count as being about the profile: NAME_ABSENT, HOMONYM_OTHER_PARTY_OR_UF,
    HOMONYM_OTHER_OFFICE, HOMONYM_UNRESOLVED; None when the name stands with the profile's own context."""
    names = names_of(profile)
    mentions = [text for text in texts if _mentions(text, names)]
    if not mentions:
        return "NAME_ABSENT"
    for text in mentions:
        for sentence in sentences(text):
            problem = _contradiction(sentence, names, profile)
            if problem:
                return problem
    return None if any(_supported(text, profile) for text in mentions) else "HOMONYM_UNRESOLVED"


def _mentions(text: str, names: Sequence[str]) -> bool:
    padded = f" {fold(text)} "
    return any(f" {name} " in padded for name in names)


def _contradiction(sentence: str, names: Sequence[str], profile: Profile) -> str | None:
    found = fold(sentence)
    name = next((name for name in names if f" {name} " in f" {found} "), None)
    if name is None:
        return None
    for label in _labels_after(sentence, name):
        if not _label_fits(label, profile):
            return "HOMONYM_OTHER_PARTY_OR_UF"
    before = f" {found} ".split(f" {name} ")[0].strip()
    office = next((value for title, value in OFFICES.items() if f" {before}".endswith(f" {title}")), None)
    own = {fold(profile.office or ""), *(["deputado federal"] if profile.camara_id else [])}
    return "HOMONYM_OTHER_OFFICE" if office and fold(office) not in own else None


def _labels_after(sentence: str, name: str) -> Iterator[list[str]]:
    """What stands in parentheses right after the name, as words: `João Silva (PSD-MG)` → [PSD, MG]."""
    before, mark, rest = sentence.partition("(")
    while mark:
        label, _, after = rest.partition(")")
        if fold(before).endswith(name):
            yield words(label)
        before, mark, rest = after.partition("(")


def _label_fits(label: Sequence[str], profile: Profile) -> bool:
    """A label of other party or UF does not fit; one that is neither (an age, a nickname) says nothing."""
    if not label or len(label) > 4 or not any(part.isupper() for part in label):
        return True
    ufs = [part for part in label if part in UF_NAMES]
    parties = [part for part in label if part.isalpha() and part not in UF_NAMES]
    if ufs and profile.uf not in ufs and profile.uf != "BR":
        return False
    own = fold(profile.party or "")
    return not parties or not own or fold(" ".join(parties)) == own


def _supported(text: str, profile: Profile) -> bool:
    """The paragraph also holds the profile's UF, party or one of its bills."""
    found, exact = f" {fold(text)} ", words(text)
    signs = [UF_NAMES.get(profile.uf, ""), *profile.bills]
    if any(f" {fold(sign)} " in found for sign in signs if fold(sign)):
        return True
    party = words(profile.party or "")
    whole = bool(party) and f" {' '.join(party).casefold()} " in f" {' '.join(exact).casefold()} "
    return profile.uf in exact or (whole and any(part in exact for part in party))
