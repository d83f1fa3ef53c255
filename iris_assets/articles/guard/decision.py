"""From what a text says to a verdict: weighed evidence for a person of the records, compared with their namesakes."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Final

from iris_assets.articles.contracts import GuardRecord, Namesake, Profile, Verdict
from iris_assets.articles.guard.descriptions import Description, descriptions
from iris_assets.articles.guard.mentions import Mention, mentions
from iris_assets.articles.guard.persons import NameForms, name_forms
from iris_assets.articles.guard.tokens import Token, tokens
from iris_assets.articles.text import sentences
from iris_assets.ufs import NATIONAL, UF_NAMES
from iris_assets.words.offices import OfficeMention, by_name, find_offices
from iris_assets.words.parties import federations, find_parties, party_of, same_party
from iris_assets.words.press import capitals, palaces, party_members, people_of_ufs, press_words
from iris_assets.words.text import fold_any_script

APPROVED_FROM: Final = 3
REJECTED_TO: Final = -3
SEAT_WORDS: Final = 4  # words behind an office within which it says for whom it was held
MARGIN: Final = 2  # by which the profile must lead a namesake of the records

# The whole scoring rule: what is said of the bearer of the name, and how much it tells.
WEIGHTS: Final[dict[str, int]] = {
    "party": 4,
    "other_party": -6,
    "uf": 2,
    "other_uf": -6,
    "candidacy": 4,
    "other_candidacy": -6,
    "office_held": 3,
    "office_possible": 1,
    "municipal_office": -3,
    "other_office": -6,
    "other_role": -3,
    "longer_name": -2,
    "short_name": -1,
    "said_to_be_another": -6,
    "civil_name": 1,
    "bill": 4,
    "described_in_text": 6,
    "party_in_text": 2,
    "uf_in_text": 1,
    "candidacy_in_text": 2,
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """One thing that the text says, its points, and the words."""

    name: str
    points: int
    said: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether a text is about the person: the points, what they are made of, and the code of a refusal."""

    verdict: Verdict
    points: int
    evidence: tuple[Evidence, ...]
    code: str | None = None

    @property
    def explanation(self) -> str:
        """One line: the verdict and every point."""
        parts = [f"{item.name} {item.points:+d} ({item.said})" for item in self.evidence]
        return f"{self.verdict} {self.points:+d}: {'; '.join(parts) or 'nothing tells who it is'}"[:1000]

    @property
    def record(self) -> GuardRecord:
        """The same for the manifest."""
        evidence = [asdict(item) for item in self.evidence]
        return GuardRecord.model_validate(
            {"verdict": self.verdict, "points": self.points, "code": self.code, "evidence": evidence}
        )


def judge(profile: Profile, texts: Sequence[str]) -> Judgement:
    """Whether the texts are about the profile's person; REVIEW where they do not tell."""
    own = _weighed(_Person.of(profile), texts)
    if own is None:
        return Judgement("REJECT", 0, (), "NAME_ABSENT")
    points = sum(item.points for item in own)
    rivals = [(rival, _total(rival, texts)) for rival in map(_Person.of_namesake, profile.namesakes)]
    nearest = max((total for _, total in rivals if total is not None), default=None)
    if nearest is not None and nearest > points:
        return Judgement("REJECT", points, own, "HOMONYM_KNOWN")
    if points >= APPROVED_FROM and (nearest is None or points - nearest >= MARGIN):
        return Judgement("APPROVE", points, own)
    if points <= REJECTED_TO:
        return Judgement("REJECT", points, own, _code(own))
    return Judgement("REVIEW", points, own, "HOMONYM_UNRESOLVED")


def _total(person: "_Person", texts: Sequence[str]) -> int | None:
    evidence = _weighed(person, texts)
    return None if evidence is None else sum(item.points for item in evidence)


def _code(evidence: Iterable[Evidence]) -> str:
    worst = min(evidence, key=lambda item: item.points)
    return "HOMONYM_OTHER_PARTY_OR_UF" if worst.name in ("other_party", "other_uf") else "HOMONYM_OTHER_OFFICE"


@dataclass(frozen=True, slots=True)
class _Person:
    """What the records know of somebody, as far as a text can tell it."""

    forms: NameForms
    party: str | None
    former_parties: tuple[str, ...]
    uf: str | None
    office: str | None
    deputy: bool
    bills: tuple[str, ...] = ()

    @classmethod
    def of(cls, profile: Profile) -> "_Person":
        forms = name_forms((*profile.names, *profile.aliases), profile.ballot_name or "")
        deputy = profile.camara_id is not None
        return cls(forms, profile.party, profile.former_parties, profile.uf, profile.office, deputy, profile.bills)

    @classmethod
    def of_namesake(cls, known: Namesake) -> "_Person":
        forms = name_forms(known.names, "")
        return cls(forms, known.party, known.former_parties, known.uf, known.office, known.deputy)


def _weighed(person: _Person, texts: Sequence[str]) -> tuple[Evidence, ...] | None:
    """The best and the worst of each kind; None when the name does not stand in the texts."""
    found = [mention for text in texts for mention in mentions(text, person.forms)]
    named = [mention for mention in found if mention.form]
    if not named:
        return None
    local = [item for mention in named for item in _local(mention, person)]
    if _is_short_for_another(found, local):
        return None
    if any(not mention.form for mention in found) and not any(item.points >= 3 for item in local):
        local.append(_evidence("longer_name", next(" ".join(m.words) for m in found if not m.form)))
    denied = list(_denied(texts))
    described = [] if denied else list(_described(person, texts))
    if described:  # who changed parties since is told with the old one as a candidate
        local = [item for item in local if item.name != "other_party"]
    local += denied
    evidence = [*local, *described]
    if all(item.points > 0 for item in local):
        evidence += _context(person, named, texts)
    if not any(mention.form and mention.form.alone for mention in named) and not any(
        item.points >= 3 for item in evidence
    ):
        evidence.append(_evidence("short_name", " ".join(named[0].words)))
    best: dict[str, Evidence] = {}
    for item in evidence:
        best.setdefault(item.name, item)
    _drop_general(best)
    return tuple(sorted(best.values(), key=lambda item: (-abs(item.points), item.name)))


def _is_short_for_another(found: Sequence[Mention], local: Sequence[Evidence]) -> bool:
    """Whether a single word stands for a longer name of the text: `Rocha` where it introduced `Mara Rocha`."""
    own = [mention for mention in found if mention.form]
    longer = {word for mention in found if not mention.form for word in mention.words}
    if any(len(mention.words) > 1 or mention.words[0] not in longer for mention in own):
        return False
    return not any(item.points >= APPROVED_FROM for item in local)


def _drop_general(best: dict[str, Evidence]) -> None:
    """What is said beside the name makes the same of the whole text worthless."""
    for beside, around in (("party", "party_in_text"), ("uf", "uf_in_text"), ("candidacy", "candidacy_in_text")):
        if beside in best:
            best.pop(around, None)
    if "described_in_text" in best:
        for around in ("party_in_text", "uf_in_text", "candidacy_in_text"):
            best.pop(around, None)
    if "office_held" in best or "candidacy" in best:
        best.pop("office_possible", None)


def _evidence(name: str, said: str) -> Evidence:
    return Evidence(name, WEIGHTS[name], " ".join(said.split())[:80])


def _denied(texts: Sequence[str]) -> Iterator[Evidence]:
    for text in texts:
        for token in tokens(text):
            if token.text.lower().startswith(tuple(press_words().other_person)):
                yield _evidence("said_to_be_another", token.text)
                return
        folded = f" {fold_any_script(text)} "
        for phrase in sorted(press_words().other_person_phrases):
            if f" {fold_any_script(phrase)} " in folded:
                yield _evidence("said_to_be_another", phrase)
                return


def _local(mention: Mention, person: _Person) -> Iterator[Evidence]:
    for description in descriptions(mention, person.forms):
        if description.noun:
            yield _evidence("other_role", description.noun)
        yield from _parties(description, person)
        yield from _places(description, person)
        if not description.label or find_offices(description.text):
            yield from _offices(description, person)


def _parties(description: Description, person: _Person) -> Iterator[Evidence]:
    named = _parties_of(description)
    if not named or not person.party:
        return
    if any(same_party(one, person.party) for one in named):
        yield _evidence("party", description.text)
    elif not any(same_party(one, former) for one in named for former in person.former_parties):
        yield _evidence("other_party", description.text)


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


def _places(description: Description, person: _Person) -> Iterator[Evidence]:
    named = ufs_named(description.text) | _ufs_of_people(description.text)
    if find_offices(description.text):
        named |= _ufs_of_capitals(description.text)
    if person.party in UF_NAMES:  # the former PR is written as the UF is
        named -= {person.party}
    if not named or person.uf in (None, NATIONAL):
        return
    if person.uf in named:
        yield _evidence("uf", description.text)
    elif description.label or find_offices(description.text):
        yield _evidence("other_uf", description.text)


def ufs_named(text: str) -> set[str]:
    """The UFs whose signs or full names stand in a text, the longest name first (Mato Grosso do Sul is not Mato Grosso)."""
    words = tokens(text)
    named = set() if text.isupper() and len(words) > 3 else {word.text for word in words if word.text in UF_NAMES}
    index = 0
    while index < len(words):
        uf, size = _uf_at([word.text for word in words[index : index + 6]])
        named |= {uf} - {""}
        index += size
    return named - {NATIONAL}


def _uf_at(words: Sequence[str]) -> tuple[str, int]:
    keys = [fold_any_script(word) for word in words]
    for uf, parts in _UF_WORDS:
        # Without capital and accent `Pará` is a preposition, `Acre` a measure.
        proper = words[0][0].isupper() and (uf != "PA" or words[0].casefold() == "pará")
        if keys[: len(parts)] == parts and proper:
            return uf, len(parts)
    return "", 1


_UF_WORDS: Final = sorted(
    ((uf, fold_any_script(name).split()) for uf, name in UF_NAMES.items() if uf != NATIONAL),
    key=lambda item: -len(item[1]),
)


def _offices(description: Description, person: _Person) -> Iterator[Evidence]:
    text = description.text
    for mention in find_offices(text):
        before = [token.text.lower() for token in tokens(text[: mention.start])]
        if (before and before[-1] in press_words().former) or _is_of_a_body(text, mention):
            continue
        sought = any(word.startswith(tuple(press_words().candidacy)) for word in before)
        name = _sought(mention.offices, person) if sought else _held(mention.offices, person)
        if name:
            yield _evidence(name, text)


def _is_of_a_body(text: str, mention: OfficeMention) -> bool:
    """`presidente da Funai` presides over something else than the country."""
    following = tokens(text[mention.end :])
    bare = fold_any_script(text[mention.start : mention.end]) in ("presidente", "presidenta", "presidentes")
    return bare and bool(following) and following[0].text not in ("e", "eleito", "eleita") and not following[0].capital


def _sought(offices: Sequence[str], person: _Person) -> str | None:
    if not person.office:
        return None
    return "candidacy" if person.office in offices else "other_candidacy"


def _held(offices: Sequence[str], person: _Person) -> str | None:
    """An office held today beside another candidacy is normal; of a sitting deputy it is another person's."""
    if person.deputy:
        return "office_held" if "DEPUTADO FEDERAL" in offices else "other_office"
    if person.office and person.office in offices:  # of several deputies or mayors it tells nobody
        one = len(offices) == 1 and person.office != "DEPUTADO FEDERAL" and not by_name()[person.office].municipal
        return "office_held" if one else "office_possible"
    return "municipal_office" if all(by_name()[office].municipal for office in offices) else "office_possible"


def _context(person: _Person, named: Sequence[Mention], texts: Sequence[str]) -> Iterator[Evidence]:
    if any(mention.form and mention.form.whole for mention in named):
        yield _evidence("civil_name", " ".join(named[0].words))
    for text in texts:
        yield from _context_of(text, person)


def _context_of(text: str, person: _Person) -> Iterator[Evidence]:
    folded = f" {fold_any_script(text)} "
    for bill in person.bills:
        if fold_any_script(bill) and f" {fold_any_script(bill)} " in folded:
            yield _evidence("bill", bill)
    if person.party and any(same_party(item.acronym, person.party) for item in find_parties(text)):
        yield _evidence("party_in_text", person.party)
    if person.uf != NATIONAL and person.uf in ufs_named(text):
        yield _evidence("uf_in_text", UF_NAMES[person.uf or NATIONAL])
    for sentence in sentences(text):
        stems = tuple(press_words().candidacy)
        if any(token.text.lower().startswith(stems) for token in tokens(sentence)) and any(
            person.office in item.offices for item in find_offices(sentence)
        ):
            yield _evidence("candidacy_in_text", sentence)
            yield from _party_of_candidacy(sentence, person)


def _party_of_candidacy(sentence: str, person: _Person) -> Iterator[Evidence]:
    """Beside a candidature a party's word with its capital is the party (`pelo Novo`)."""
    party = party_of(person.party or "")
    keys = {fold_any_script(word) for word in (party.acronym, *party.words)} if party else set()
    if any(token.capital and token.key in keys for token in tokens(sentence)):
        yield _evidence("party_in_text", person.party or "")


def _described(person: _Person, texts: Sequence[str]) -> Iterator[Evidence]:
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
            uf = person.uf != NATIONAL and person.uf in ufs_named(said) | _ufs_of_people(said)
            if (office and (party or uf)) or (seat and party and uf):
                yield _evidence("described_in_text", sentence)


def _speaks_of_another(text: str) -> bool:
    """Whether a candidate comes into the sentence as somebody else than who it speaks of (`apoia o candidato do PSB`)."""
    found = tokens(text)
    joints = press_words().determiner | press_words().contraction
    for before, token in pairwise(found):
        if token.key.startswith("candidat") and before.text.lower() in joints:
            return before.start > 0 and text[: before.start].rstrip()[-1:] not in (",", ";", ":", "–", "—")
    return False


def _holds_seat(text: str, person: _Person) -> bool:
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


_STEMS: Final = tuple(fold_any_script(stem) for stem in press_words().candidacy)


def _without_parentheses(text: str) -> str:
    before, opened, rest = text.partition("(")
    return before + _without_parentheses(rest.partition(")")[2]) if opened else before


def _names_office(text: str, person: _Person) -> bool:
    if any(person.office in item.offices for item in find_offices(text)):
        return True
    folded = f" {fold_any_script(text)} "
    if person.office == "PRESIDENTE":
        return any(f" {name} " in folded for name in press_words().head_of_state)
    return person.office == "GOVERNADOR" and any(
        f" {palace} " in folded for palace, uf in palaces().items() if uf == person.uf
    )


def _names_party(text: str, person: _Person, *, seat: bool) -> bool:
    if not person.party:
        return False
    named = [item.acronym for item in find_parties(text)]
    named += [party_members()[token.key] for token in tokens(text) if token.key in party_members()]
    own = any(same_party(one, person.party) for one in named)
    return own or (seat and any(True for _ in _party_of_candidacy(text, person)))


def _ufs_of_people(text: str) -> set[str]:
    return {people_of_ufs()[token.key] for token in tokens(text) if token.key in people_of_ufs()}


def _ufs_of_capitals(text: str) -> set[str]:
    folded = f" {fold_any_script(text)} "
    return {
        uf
        for name, uf in capitals().items()
        if any(f" {joint} {name} " in folded for joint in ("de", "do", "em", "no"))
    }
