"""The synthetic sample: a seeded, plainly fictitious replay folder that lets the whole platform run offline."""

import json
import os
import random
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final

from iris_assets.sample.camara_files import MadeBill, deputy_detail, status_event, write_camara
from iris_assets.sample.people import Person, sample_people
from iris_assets.sample.tse_files import write_tse

BILLS: Final = 24
FIRST_BILL: Final = 9_900_001
# Fixed, so that the files' validators do not change when the sample is written again.
FILE_TIME: Final = 1_791_180_000
SUBJECTS: Final = (
    ("Institui o programa de telessaúde para comunidades ribeirinhas fictícias", ((56, "Saúde"),)),
    ("Cria o cadastro de vagas de creche da amostra", ((46, "Educação"), (44, "Direitos Humanos e Minorias"))),
    ("Dispõe sobre câmeras corporais na segurança pública imaginária", ((57, "Defesa e Segurança"),)),
    ("Estabelece o bilhete único de barco, trem e ônibus", ((61, "Viação, Transporte e Mobilidade"),)),
    (
        "Altera a lei inventada do saneamento para reduzir perdas de água",
        ((48, "Meio Ambiente e Desenvolvimento Sustentável"),),
    ),
    ("Concede microcrédito a pequenas empresas de vilas fictícias", ((40, "Economia"), (66, "Trabalho e Emprego"))),
    ("Declara a festa do vagalume patrimônio cultural da amostra", ((35, "Arte, Cultura e Religião"),)),
    (
        "Cria incentivo à agricultura familiar do Vale Imaginário",
        ((64, "Agricultura, Pecuária, Pesca e Extrativismo"),),
    ),
)


def generate(folder: Path, seed: int = 2026) -> None:
    """Write the sample's replay folder; the same seed gives the same bytes and file times."""
    rng = random.Random(seed)
    people = sample_people(rng)
    write_tse(folder, people, rng)
    deputies = [person for person in people if person.deputy is not None]
    write_camara(folder, _details(deputies), _histories(deputies), _mandates(deputies), _bills(deputies, rng))
    (folder / "README.md").write_text(
        "A synthetic replay folder: people, parties, plans and bills are invented. Made by `iris-assets sample`.\n",
        encoding="utf-8",
    )
    states = sorted({person.state for person in people})
    (folder / "SCOPE.json").write_text(json.dumps({"states": states}) + "\n", encoding="utf-8")
    for path in folder.rglob("*"):
        if path.is_file():
            os.utime(path, (FILE_TIME, FILE_TIME))


def _details(deputies: list[Person]) -> list[dict[str, Any]]:
    details = [
        deputy_detail(_number(p), p.name, p.ballot.title(), p.parties[-1], str(p.deputy_state)) for p in deputies
    ]
    # A namesake of the first deputy, in the same UF, whose civil name nobody knows.
    first = deputies[0]
    details.append(deputy_detail(990_009, None, first.ballot.title(), "PRAIAR", str(first.deputy_state), 56))
    details.append(
        deputy_detail(990_010, "SUPLENTE QUE NINGUÉM CONHECE DA AMOSTRA", "Suplente da Amostra", "PVAGA", "RR")
    )
    details[-1]["ultimoStatus"].update(nome=None, nomeEleitoral=None)
    return details


def _histories(deputies: list[Person]) -> dict[str, list[dict[str, Any]]]:
    found = {}
    for person in deputies:
        number, name, state = _number(person), person.ballot.title(), str(person.deputy_state)
        events = [
            status_event(
                number, name, person.parties[0], state, "2023-02-01T12:05", "Entrada - Posse de Eleito Titular"
            )
        ]
        if len(person.parties) > 1:
            events.append(
                status_event(number, name, person.parties[-1], state, "2024-03-20T09:30", "Alteração de partido")
            )
        found[str(number)] = events
    return found


def _mandates(deputies: list[Person]) -> dict[str, list[dict[str, Any]]]:
    """Offices elsewhere: one ended inside the look-back window, one long before, years as text and as numbers."""
    first, second = deputies[0], deputies[4]
    return {
        str(_number(first)): [
            {
                "cargo": "Vereador(a)",
                "siglaUf": first.state,
                "municipio": "Vila Aurora",
                "anoInicio": "2021",
                "anoFim": "2023",
                "siglaPartidoEleicao": first.party,
            },
            {
                "cargo": "Prefeito(a)",
                "siglaUf": first.state,
                "municipio": "Porto Sereno",
                "anoInicio": "1997",
                "anoFim": "2000",
                "siglaPartidoEleicao": first.party,
            },
        ],
        str(_number(second)): [
            {
                "cargo": "Deputado(a) Estadual",
                "siglaUf": second.state,
                "municipio": None,
                "anoInicio": 2019,
                "anoFim": 2023,
                "siglaPartidoEleicao": second.party,
            },
        ],
    }


def _bills(deputies: list[Person], rng: random.Random) -> list[MadeBill]:
    bills = []
    first_day = date(2024, 2, 5)
    for place in range(BILLS):
        summary, topics = SUBJECTS[place % len(SUBJECTS)]
        presented = first_day + timedelta(days=40 * place)
        signers = [_signer(person, main=order == 0) for order, person in enumerate(_team(deputies, place, rng))]
        if place % 9 == 8:
            signers.append({"id": None, "name": "Poder Executivo da Amostra", "main": False})
        bills.append(
            MadeBill(
                number=FIRST_BILL + place,
                kind=("PL", "PL", "PEC", "REQ")[place % 4],
                serial=100 + place,
                year=0 if place % 11 == 10 else presented.year,
                record_year=presented.year,
                presented=f"{presented.isoformat()}T14:30:00",
                moved=f"{(presented + timedelta(days=20)).isoformat()}T10:00:00",
                summary=f"{summary} (versão {place // len(SUBJECTS) + 1}).",
                signers=signers,
                topics=topics if place % 7 else (),
                detail="Projeto fictício; nenhuma pessoa ou órgão real o apresentou." if place % 5 == 0 else "",
            )
        )
    return bills


def _team(deputies: list[Person], place: int, rng: random.Random) -> list[Person]:
    """Every third bill is signed by one deputy, the others by two to four."""
    lead = deputies[place % len(deputies)]
    others = [person for person in deputies if person is not lead]
    return [lead, *(rng.sample(others, rng.randint(1, 3)) if place % 3 else [])]


def _signer(person: Person, *, main: bool) -> dict[str, Any]:
    return {
        "id": person.deputy,
        "name": person.ballot.title(),
        "party": person.parties[-1],
        "state": person.deputy_state,
        "main": main,
    }


def _number(person: Person) -> int:
    assert person.deputy is not None
    return person.deputy
