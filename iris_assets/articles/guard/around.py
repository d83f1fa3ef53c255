"""What the sentences of a text tell of a person apart from the name: who is meant when it does not stand beside."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from iris_assets.articles.guard.evidence import Evidence, Person, weighed
from iris_assets.articles.guard.mentions import Mention
from iris_assets.articles.guard.places import ufs_named, ufs_of_people
from iris_assets.articles.guard.tokens import tokens
from iris_assets.articles.text import sentences
from iris_assets.ufs import NATIONAL, UF_NAMES
from iris_assets.words.offices import find_offices
from iris_assets.words.parties import find_parties, party_of, same_party
from iris_assets.words.press import palaces, party_members, press_words
from iris_assets.words.text import fold_any_script

SEAT_WORDS: Final = 4  # words behind an office within which it says for whom it was held

_STEMS: Final = tuple(fold_any_script(stem) for stem in press_words().candidacy)


def denied(texts: Sequence[str]) -> Iterator[Evidence]:
    """The first words by which a text says itself that another person is meant."""
    for text in texts:
        for token in tokens(text):
            if token.text.lower().startswith(tuple(press_words().other_person)):
                yield weighed("said_to_be_another", token.text)
                return
        folded = f" {fold_any_script(text)} "
        for phrase in sorted(press_words().other_person_phrases):
            if f" {fold_any_script(phrase)} " in folded:
                yield weighed("said_to_be_another", phrase)
                return


def context(person: Person, named: Sequence[Mention], texts: Sequence[str]) -> Iterator[Evidence]:
    """The whole civil name, a bill, the party, UF or candidacy anywhere in the texts."""
    if any(mention.form and mention.form.whole for mention in named):
        yield weighed("civil_name", " ".join(named[0].words))
    for text in texts:
        yield from _context_of(text, person)


def _context_of(text: str, person: Person) -> Iterator[Evidence]:
    folded = f" {fold_any_script(text)} "
    for bill in person.bills:
        if fold_any_script(bill) and f" {fold_any_script(bill)} " in folded:
            yield weighed("bill", bill)
    if person.party and any(same_party(item.acronym, person.party) for item in find_parties(text)):
        yield weighed("party_in_text", person.party)
    if person.uf != NATIONAL and person.uf in ufs_named(text):
        yield weighed("uf_in_text", UF_NAMES[person.uf or NATIONAL])
    for sentence in sentences(text):
        stems = tuple(press_words().candidacy)
        if any(token.text.lower().startswith(stems) for token in tokens(sentence)) and any(
            person.office in item.offices for item in find_offices(sentence)
        ):
            yield weighed("candidacy_in_text", sentence)
            yield from _party_of_candidacy(sentence, person)


def _party_of_candidacy(sentence: str, person: Person) -> Iterator[Evidence]:
    """Beside a candidature a party's word with its capital is the party (`pelo Novo`)."""
    party = party_of(person.party or "")
    keys = {fold_any_script(word) for word in (party.acronym, *party.words)} if party else set()
    if any(token.capital and token.key in keys for token in tokens(sentence)):
        yield weighed("party_in_text", person.party or "")


def described(person: Person, texts: Sequence[str]) -> Iterator[Evidence]:
    """A sentence that tells two things of the candidate at once: the office sought with party or UF, or a seat of both.

    It stands for the person wherever it is (`Candidata pelo Novo em 2022, ela …`). Labels of others do not count.
    """
    for text in texts:
        for sentence in sentences(text):
            said = _without_parentheses(sentence)
            if _speaks_of_another(said):
                continue
            keys = [token.key for token in tokens(said)]
            seeks = any(key.startswith(_STEMS) for key in keys)
            seat = seeks or any(key.startswith(tuple(press_words().elected)) for key in keys)
            named = [name for item in find_offices(said) for name in item.offices]
            if seeks and named and not _names_office(said, person):
                continue  # another office is sought
            office = (seat and _names_office(said, person)) or _holds_seat(said, person)
            party = _names_party(said, person, seat=seat)
            uf = person.uf != NATIONAL and person.uf in ufs_named(said) | ufs_of_people(said)
            if (office and (party or uf)) or (seat and party and uf):
                yield weighed("described_in_text", sentence)


def _speaks_of_another(text: str) -> bool:
    """Whether a candidate comes into the sentence as somebody else than who it speaks of (`apoia o candidato do PSB`)."""
    found = tokens(text)
    joints = press_words().determiner | press_words().contraction
    for before, token in pairwise(found):
        if token.key.startswith("candidat") and before.text.lower() in joints:
            return before.start > 0 and text[: before.start].rstrip()[-1:] not in (",", ";", ":", "–", "—")
    return False


def _holds_seat(text: str, person: Person) -> bool:
    """`Ex-deputada federal pelo Acre`, `deputado pelo PT`: the office with what it was held for right behind it."""
    for mention in find_offices(text):
        behind = text[mention.end :]
        found = tokens(behind)[:SEAT_WORDS]
        joint = bool(found) and found[0].text in ("pelo", "pela", "por")
        if person.office in mention.offices and joint:
            tail = behind[: found[-1].end]
            if _names_party(tail, person, seat=True) or person.uf in ufs_named(tail):
                return True
    return False


def _without_parentheses(text: str) -> str:
    before, opened, rest = text.partition("(")
    return before + _without_parentheses(rest.partition(")")[2]) if opened else before


def _names_office(text: str, person: Person) -> bool:
    if any(person.office in item.offices for item in find_offices(text)):
        return True
    folded = f" {fold_any_script(text)} "
    if person.office == "PRESIDENTE":
        return any(f" {name} " in folded for name in press_words().head_of_state)
    return person.office == "GOVERNADOR" and any(
        f" {palace} " in folded for palace, uf in palaces().items() if uf == person.uf
    )


def _names_party(text: str, person: Person, *, seat: bool) -> bool:
    if not person.party:
        return False
    named = [item.acronym for item in find_parties(text)]
    named += [party_members()[token.key] for token in tokens(text) if token.key in party_members()]
    own = any(same_party(one, person.party) for one in named)
    return own or (seat and any(True for _ in _party_of_candidacy(text, person)))
