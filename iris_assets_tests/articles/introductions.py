"""How newspapers introduce a candidate and somebody else of the name: one text per form, for any profile."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from iris_assets.articles.contracts import Profile
from iris_assets.ufs import NATIONAL, UF_NAMES
from iris_assets.words.offices import by_name
from iris_assets.words.parties import party_of, same_party

SMALL = frozenset(("de", "da", "do", "das", "dos", "e"))
AFTER = "A agenda começou às 9h e terminou no fim da tarde, com perguntas do público sobre transporte e saúde."


@dataclass(frozen=True)
class Person:
    """The words with which a text speaks of a candidate."""

    name: str
    civil: str
    party: str
    article: str
    uf: str
    office: str
    place: str


Form = Callable[[Person], str]

# About the candidate: what each form says is true of every candidate.
TRUE: dict[str, Form] = {
    "label": lambda p: f"{p.name} ({label(p)}) visitou ontem uma escola.",
    "candidate before": lambda p: (
        f"O candidato d{p.article} {p.party} a {p.office}, {p.name}, visitou ontem uma escola."
    ),
    "candidate before, no comma": lambda p: f"A candidata a {p.office} {p.name} ({p.party}) visitou ontem uma escola.",
    "candidate behind": lambda p: (
        f"{p.name}, candidata d{p.article} {p.party} a {p.office}{p.place}, visitou ontem uma escola."
    ),
    "candidate with age": lambda p: (
        f"{p.name}, 52 anos, candidato a {p.office} pel{p.article} {p.party}, visitou uma escola."
    ),
    "title": lambda p: f"Em nota, a Dra. {p.name} ({label(p)}) disse que vai à escola.",
    "office today": lambda p: f"A senadora {p.name} ({label(p)}), candidata a {p.office}, visitou uma escola.",
    "predicate": lambda p: f"{p.name} é candidato a {p.office} pel{p.article} {p.party} e visitou uma escola.",
    "received": lambda p: f"O governador do Rio recebeu a candidata {p.name} ({label(p)}) nesta sexta.",
    "civil name": lambda p: f"{p.civil} ({label(p)}) visitou ontem uma escola.",
    "told later": lambda p: (
        f"Em visita à escola, {p.name} falou de saúde.\nA candidata a {p.office} pel{p.article} {p.party} ficou."
    ),
}
# About somebody else, or something, of the same name.
OTHER: dict[str, Form] = {
    "judge": lambda p: f"A juíza {p.name} negou ontem o pedido da empresa.",
    "street": lambda p: f"Um cano rompeu na rua {p.name} e deixou o bairro sem água.",
    "Street": lambda p: f"A Rua {p.name} ficou sem água.",
    "mayor of Itu": lambda p: f"A prefeita de Itu, {p.name}, inaugurou ontem uma ponte.",
    "nurse": lambda p: f"{p.name}, enfermeira do hospital, 34 anos, ganhou ontem um prêmio.",
    "longer name": lambda p: f"Ana {p.name} Wanderbilt ganhou ontem o torneio de xadrez.",
    "other party": lambda p: f"{p.name} ({'PL' if same_party(p.party, 'PV') else 'PV'}) visitou ontem uma escola.",
    "kin": lambda p: f"O filho de José, o estudante {p.name}, ganhou ontem um prêmio.",
    "councillor": lambda p: f"O vereador de Uberaba {p.name} propôs ontem uma lei.",
    "said to be another": lambda p: (
        f"{p.name}, homônimo do candidato d{p.article} {p.party} a {p.office}, ganhou um prêmio."
    ),
    "player": lambda p: f"O atacante {p.name} marcou dois gols no clássico de domingo.",
}


def label(person: Person) -> str:
    return f"{person.party}-{person.uf}" if person.uf != NATIONAL else person.party


def titled(name: str) -> str:
    return " ".join(word.lower() if word.lower() in SMALL else word.title() for word in name.split())


def persons(profile: Profile) -> Iterator[Person]:
    """The candidate with every spelling of the party that a text may use."""
    party = party_of(profile.party or "")
    article = "a" if party and party.article == "a" else "o"
    spelled = dict.fromkeys(
        (profile.party, party.name if party else None, party.words[-1] if party and party.words else None)
    )
    office = by_name()[profile.office or ""].feminine[0]
    place = f" por {UF_NAMES[profile.uf]}" if profile.uf != NATIONAL else ""
    for spelling in spelled:
        if spelling:
            yield Person(
                titled(profile.ballot_name or profile.names[0]),
                titled(profile.names[0]),
                spelling,
                article,
                profile.uf,
                office,
                place,
            )


def texts(profile: Profile) -> Iterator[tuple[str, str, list[str]]]:
    """(expected verdict's side, the form's name, the paragraphs)."""
    for person in persons(profile):
        for expected, forms in (("approve", TRUE), ("reject", OTHER)):
            for name, form in forms.items():
                yield expected, name, [*form(person).split("\n"), AFTER]
