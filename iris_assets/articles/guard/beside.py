"""What stands beside a name and tells whose it is: parties, UFs and offices of its descriptions."""

from collections.abc import Iterator, Sequence

from iris_assets.articles.guard.descriptions import Description, descriptions
from iris_assets.articles.guard.evidence import Evidence, Person, weighed
from iris_assets.articles.guard.mentions import Mention
from iris_assets.articles.guard.places import ufs_named, ufs_of_capitals, ufs_of_people
from iris_assets.articles.guard.tokens import Token, tokens
from iris_assets.ufs import NATIONAL, UF_NAMES
from iris_assets.words.offices import OfficeMention, by_name, find_offices
from iris_assets.words.parties import federations, find_parties, party_of, same_party
from iris_assets.words.press import party_members, press_words
from iris_assets.words.text import fold_any_script


def beside_name(mention: Mention, person: Person) -> Iterator[Evidence]:
    """What the descriptions of one mention say for or against the person."""
    for description in descriptions(mention, person.forms):
        if description.noun:
            yield weighed("other_role", description.noun)
        yield from _parties(description, person)
        yield from _places(description, person)
        if not description.label or find_offices(description.text):
            yield from _offices(description, person)


def _parties(description: Description, person: Person) -> Iterator[Evidence]:
    named = _parties_of(description)
    if not named or not person.party:
        return
    if any(same_party(one, person.party) for one in named):
        yield weighed("party", description.text)
    elif not any(same_party(one, former) for one in named for former in person.former_parties):
        yield weighed("other_party", description.text)


def _parties_of(description: Description) -> list[str]:
    """Acronyms; in a label every part may be one, also of a party that words/ does not know."""
    text = description.text
    words = tokens(text)
    found = [item.acronym for item in find_parties(text)]
    found += [party_members()[word.key] for word in words if word.key in party_members()]
    if description.label or (not found and len(words) == 2 and words[0].text in press_words().contraction):
        found += _signs(text, words, label=description.label)
    folded = fold_any_script(text)
    for federation in federations():
        if any(fold_any_script(name) in folded for name in (federation.name, *federation.spellings) if len(name) > 3):
            found += federation.members
    return list(dict.fromkeys(found))


def _signs(text: str, words: Sequence[Token], *, label: bool) -> list[str]:
    parts = [part.strip() for part in _split(text)]
    known = [party.acronym for part in parts if (party := party_of(part)) and (label or part.isupper())]
    if known:
        return known
    unknown = [token.text for token in words if _is_sign(token.text)]
    has_uf = any(token.text in UF_NAMES for token in words)
    return unknown[:1] if unknown and (has_uf or not label) else []


def _split(text: str) -> list[str]:
    for border in "-–—/|,•":
        text = text.replace(border, "\n")
    return text.split("\n")


def _is_sign(word: str) -> bool:
    return len(word) > 1 and word.isalpha() and word.isupper() and word not in UF_NAMES


def _places(description: Description, person: Person) -> Iterator[Evidence]:
    named = ufs_named(description.text) | ufs_of_people(description.text)
    if find_offices(description.text):
        named |= ufs_of_capitals(description.text)
    if person.party in UF_NAMES:  # the former PR is written as the UF is
        named -= {person.party}
    if not named or person.uf in (None, NATIONAL):
        return
    if person.uf in named:
        yield weighed("uf", description.text)
    elif description.label or find_offices(description.text):
        yield weighed("other_uf", description.text)


def _offices(description: Description, person: Person) -> Iterator[Evidence]:
    text = description.text
    for mention in find_offices(text):
        before = [token.text.lower() for token in tokens(text[: mention.start])]
        if (before and before[-1] in press_words().former) or _is_of_a_body(text, mention):
            continue
        sought = any(word.startswith(tuple(press_words().candidacy)) for word in before)
        name = _sought(mention.offices, person) if sought else _held(mention.offices, person)
        if name:
            yield weighed(name, text)


def _is_of_a_body(text: str, mention: OfficeMention) -> bool:
    """`presidente da Funai` presides over something else than the country."""
    following = tokens(text[mention.end :])
    bare = fold_any_script(text[mention.start : mention.end]) in ("presidente", "presidenta", "presidentes")
    return bare and bool(following) and following[0].text not in ("e", "eleito", "eleita") and not following[0].capital


def _sought(offices: Sequence[str], person: Person) -> str | None:
    if not person.office:
        return None
    return "candidacy" if person.office in offices else "other_candidacy"


def _held(offices: Sequence[str], person: Person) -> str | None:
    """An office held today beside another candidacy is normal; of a sitting deputy it is another person's."""
    if person.deputy:
        return "office_held" if "DEPUTADO FEDERAL" in offices else "other_office"
    if person.office and person.office in offices:  # of several deputies or mayors it tells nobody
        one = len(offices) == 1 and person.office != "DEPUTADO FEDERAL" and not by_name()[person.office].municipal
        return "office_held" if one else "office_possible"
    return "municipal_office" if all(by_name()[office].municipal for office in offices) else "office_possible"
