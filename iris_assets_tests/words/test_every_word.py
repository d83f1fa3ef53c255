"""Every party, office and bill kind of words/ through the question reader and the citation verifier.

The verifier is asked through the check of anybody's answer, the reader through retrieval over a small store, so that
neither test knows how the rooms are built inside.
"""

from collections.abc import Iterator

import pytest

from iris_assets.answers.check import check_answer
from iris_assets.retrieval.service import RetrievalService
from iris_assets.store import open_store
from iris_assets.words.bill_kinds import BillKind, acronyms, bill_kinds, same_kind
from iris_assets.words.offices import Office, offices
from iris_assets.words.parties import Party, parties, same_party
from iris_assets_tests.retrieval.world import World

KINDS = [kind for kind in bill_kinds() if not kind.norm and not kind.is_word]
SPELLED = [kind for kind in KINDS if kind.names]
TODAY = [party for party in parties() if party.now is None and not party.merged and party.number]
OFFICES = list(enumerate(offices(), 100))
SUMMARY = "Institui o cadastro nacional de obras paralisadas."


def _label(value: object) -> str:
    return str(getattr(value, "acronym", getattr(value, "name", value)))


def kept(answer: str, text: str, **more: object) -> bool:
    """Whether the one sentence of an answer stays over one evidence with this text."""
    return str(check_answer({"evidences": [{"id": "E1", "text": text, **more}], "answer": answer})["answer"]) == answer


def bill(kind: str, number: int = 145, year: int = 2023) -> dict[str, object]:
    return {
        "text": f"{kind} {number}/{year}. Ementa: {SUMMARY}",
        "title": f"{kind} {number}/{year}",
        "source_type": "PROPOSITION",
        "structured": {"type": kind, "number": number, "year": year},
    }


def person(party: str, office: str = "DEPUTADO FEDERAL") -> dict[str, object]:
    label = f"ANA SOUZA — {office} — {party}/DF"
    return {
        "text": "Vamos construir creches em todos os bairros.",
        "title": f"Plano de governo — {label}",
        "source_type": "GOVERNMENT_PROPOSAL",
        "candidates": [
            {"name": "ANA SOUZA", "ballot_name": "ANA SOUZA", "party": party, "office": office, "state": "DF"}
        ],
    }


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.acronym)
def test_a_bill_of_another_kind_is_removed(kind: BillKind) -> None:
    other = "PL" if same_kind(kind.acronym, "REQ") else "REQ"
    sentence = f"A {kind.acronym} 145/2023 institui o cadastro nacional de obras paralisadas [E1]."
    assert not kept(sentence, **bill(other))
    assert not kept(sentence, **bill(kind.acronym, number=146))
    assert kept(sentence, **bill(kind.acronym))


@pytest.mark.parametrize("kind", SPELLED, ids=lambda kind: kind.acronym)
def test_a_bill_of_another_kind_is_removed_when_spelled_out(kind: BillKind) -> None:
    other = "PL" if same_kind(kind.acronym, "REQ") else "REQ"
    for name in kind.names:
        for text in (f"{name} 145/2023", f"{name} nº 145, de 2023"):
            sentence = f"A {text} institui o cadastro nacional de obras paralisadas [E1]."
            assert not kept(sentence, **bill(other)), text


@pytest.mark.parametrize("party", parties(), ids=lambda party: party.acronym)
def test_another_party_is_removed(party: Party) -> None:
    other = "PSDB" if same_party(party.acronym, "PT") else "PT"
    article = party.article[0].lower() if party.article else "o"
    for spelling in party.every_spelling:
        for affiliation in (f", d{article} {spelling},", f" ({spelling}/DF)", f", do partido {spelling},"):
            sentence = f"Ana Souza{affiliation} propõe creches em todos os bairros [E1]."
            assert not kept(sentence, **person(other)), sentence
            assert kept(sentence, **person(party.acronym)), sentence


@pytest.mark.parametrize("office", offices(), ids=lambda office: office.name)
def test_another_office_is_removed(office: Office) -> None:
    other = "DEPUTADO FEDERAL" if office.name != "DEPUTADO FEDERAL" else "SENADOR"
    for form in (*office.masculine, *office.feminine):
        sentence = f"Ana Souza, candidata a {form}, propõe creches em todos os bairros [E1]."
        assert not kept(sentence, **person("PT", other)), sentence
        assert kept(sentence, **person("PT", office.name)), sentence


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RetrievalService]:
    """A candidate of each office (party PT) and a federal deputy of each party, all in DF; a bill of each kind."""
    store = open_store(f"sqlite:///{tmp_path_factory.mktemp('every') / 'store.sqlite3'}")
    world = World(store)
    for place, office in OFFICES:
        state = "BR" if "PRESIDENTE" in office.name else "DF"
        world.candidate(str(place), f"CANDIDATA {place}", party="PT", office=office.name, state=state)
    for place, party in enumerate(TODAY, 200):
        world.candidate(str(place), f"PESSOA {place}", party=party.acronym, office="DEPUTADO FEDERAL", state="DF")
    for place, kind in enumerate(KINDS, 1000):
        world.bill(place, f"{kind.acronym} 145/2023", SUMMARY, ["106"])
    yield world.service()
    store.close()


def listed(service: RetrievalService, question: str) -> list[str]:
    """The TSE ids of the candidatures that a question's answer lists."""
    return [e.source_id for e in service.retrieve(question).evidences if e.source_type == "CANDIDATE"]


@pytest.mark.parametrize(("place", "office"), OFFICES, ids=_label)
def test_who_runs_for_an_office(service: RetrievalService, place: int, office: Office) -> None:
    where = "" if "PRESIDENTE" in office.name else " do DF"
    expected = [str(place)]
    if office.name == "DEPUTADO FEDERAL":
        expected += [str(number) for number, _ in enumerate(TODAY, 200)]
    for form in office.masculine:
        question = f"Quem são os candidatos a {form}{where}?"
        assert listed(service, question)[:20] == expected[:20], question


@pytest.mark.parametrize(("place", "party"), list(enumerate(TODAY, 200)), ids=_label)
def test_who_runs_for_a_party(service: RetrievalService, place: int, party: Party) -> None:
    article = party.article[0].lower() if party.article else "o"
    of_the_offices = next(str(number) for number, office in OFFICES if office.name == "DEPUTADO FEDERAL")
    expected = [of_the_offices, str(place)] if party.acronym == "PT" else [str(place)]
    for spelling in party.every_spelling:
        question = f"Quais são os candidatos a deputado federal d{article} {spelling} no DF?"
        assert listed(service, question) == expected, question


@pytest.mark.parametrize(("place", "kind"), list(enumerate(KINDS, 1000)), ids=_label)
def test_what_a_bill_of_a_kind_says(service: RetrievalService, place: int, kind: BillKind) -> None:
    is_plural = kind.acronym.removesuffix("S") in acronyms() - {kind.acronym}  # `pls` are several PL
    for acronym in (kind.acronym, *([] if is_plural else [kind.acronym.lower()])):
        found = service.retrieve(f"O que diz a {acronym} 145/2023?")
        assert [e.source_id for e in found.evidences[:1]] == [str(place)], acronym
