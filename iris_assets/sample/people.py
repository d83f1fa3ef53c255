"""Invented people for the sample: candidates of SP, AC and BR, and the deputies that some of them are."""

import random
from dataclasses import dataclass, field
from typing import Final

FIRST: Final = (
    "Abelinda",
    "Belarmino",
    "Cassildo",
    "Dorvalina",
    "Eudócia",
    "Florisbelo",
    "Genovaldo",
    "Hermelina",
    "Isaltina",
    "Jurandir",
    "Katarino",
    "Leopolda",
    "Marcolino",
    "Nivaldina",
    "Ostílio",
    "Perpétua",
    "Quintino",
    "Rosalvo",
    "Serafina",
    "Teobaldo",
    "Urânia",
    "Valdomira",
    "Wandercleia",
    "Xenofonte",
    "Ypê",
    "Zulmiro",
)
MIDDLE: Final = ("Aurora", "das Conchas", "do Luar", "Pirilampo", "Riacho", "Saracura", "Taquaral", "Vagalume")
LAST: Final = (
    "Amendoeira",
    "Beija-Flor",
    "Cumaru",
    "d'Alvorada",
    "Estrela",
    "Figueiral",
    "Graúna",
    "Jatobá",
    "Kapixaba",
    "Manacá",
)
# Parties that do not exist, with numbers that the court has not given.
PARTIES: Final = (("PAZUL", 91), ("PVAGA", 92), ("PARVORE", 93), ("PNUVEM", 94), ("PRAIAR", 95))
PARTY_NAMES: Final = {
    "PAZUL": "PARTIDO AZUL DA AMOSTRA",
    "PVAGA": "PARTIDO VAGALUME",
    "PARVORE": "PARTIDO ÁRVORE",
    "PNUVEM": "PARTIDO NUVEM",
    "PRAIAR": "PARTIDO RAIAR",
}


@dataclass(slots=True)
class Person:
    """One candidate, and the deputy's number when the person sits (or sat) in the Câmara."""

    sq: int
    name: str
    ballot: str
    party: str
    party_number: int
    number: int
    office: str
    state: str
    deputy: int | None = None
    deputy_state: str | None = None
    parties: list[str] = field(default_factory=list)
    second_round: bool = False


def sample_people(rng: random.Random) -> list[Person]:
    """62 candidates: federal deputies and governors of SP and AC, presidents, and others that no default run wants."""
    wanted = [
        ("SP", "DEPUTADO FEDERAL", 24),
        ("SP", "GOVERNADOR", 3),
        ("SP", "DEPUTADO ESTADUAL", 5),
        ("SP", "SENADOR", 1),
        ("AC", "DEPUTADO FEDERAL", 16),
        ("AC", "GOVERNADOR", 3),
        ("AC", "DEPUTADO ESTADUAL", 3),
        ("BR", "PRESIDENTE", 4),
        ("BR", "VICE-PRESIDENTE", 3),
    ]
    people: list[Person] = []
    names: set[str] = set()
    for state, office, count in wanted:
        for place in range(count):
            people.append(_person(rng, names, state, office, place, len(people)))
    _seat_deputies(people)
    return people


def _person(rng: random.Random, names: set[str], state: str, office: str, place: int, serial: int) -> Person:
    name = _new_name(rng, names)
    party, number = PARTIES[serial % len(PARTIES)]
    digits = {
        "DEPUTADO FEDERAL": f"{number}{10 + place:02d}",
        "DEPUTADO ESTADUAL": f"{number}{100 + place}",
        "SENADOR": f"{number}{place}",
    }
    words = name.split()
    prefix = {"SP": 25, "AC": 1, "BR": 28}[state]
    return Person(
        sq=prefix * 10**10 + 2_609_000_000 + serial,
        name=name.upper(),
        ballot=f"{words[0]} {words[-1]}".upper(),
        party=party,
        party_number=number,
        number=int(digits.get(office, str(number))),
        office=office,
        state=state,
        parties=[party],
    )


def _new_name(rng: random.Random, names: set[str]) -> str:
    while True:
        name = f"{rng.choice(FIRST)} {rng.choice(MIDDLE)} {rng.choice(LAST)}"
        if name not in names:
            names.add(name)
            return name


def _seat_deputies(people: list[Person]) -> None:
    """Eight candidates are deputies: clear cases, a change of party, one REVIEW case, and one of a homonym pair."""
    federal = [person for person in people if person.office == "DEPUTADO FEDERAL"]
    south, north = [p for p in federal if p.state == "SP"], [p for p in federal if p.state == "AC"]
    for number, person in enumerate([*south[:4], *north[:3]], start=990001):
        person.deputy, person.deputy_state = number, person.state
    # Equal civil and ballot name, but the deputy sits for another UF: 60 + 20 + 5 = 85 points, for a human to decide.
    review = north[3]
    review.deputy, review.deputy_state = 990008, "SP"
    # A deputy who changed party: the old one is in the history.
    south[1].parties.insert(0, "PNUVEM" if south[1].party != "PNUVEM" else "PRAIAR")
    # Homonyms: another candidate shares the ballot name of a deputy, not the civil name.
    south[5].ballot = south[0].ballot
    governors = [person for person in people if person.office == "GOVERNADOR" and person.state == "SP"]
    governors[0].second_round = governors[1].second_round = True
