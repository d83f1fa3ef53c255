"""The electoral court's half of the sample: catalogue answer, candidates archive and archives of plans."""

import io
import json
import random
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from iris_assets.sample.pdf import pdf_bytes, text_pages
from iris_assets.sample.people import PARTY_NAMES, Person
from iris_assets.sample.plans_text import plan_paragraphs
from iris_assets.ufs import UF_NAMES
from iris_assets.words.offices import by_name

YEAR: Final = 2026
CDN: Final = "https://cdn.tse.jus.br/estatistica/sead/odsele"
# The 50 columns of the years 2024 and 2026.
COLUMNS: Final = (
    "DT_GERACAO",
    "HH_GERACAO",
    "ANO_ELEICAO",
    "CD_TIPO_ELEICAO",
    "NM_TIPO_ELEICAO",
    "NR_TURNO",
    "CD_ELEICAO",
    "DS_ELEICAO",
    "DT_ELEICAO",
    "TP_ABRANGENCIA",
    "SG_UF",
    "SG_UE",
    "NM_UE",
    "CD_CARGO",
    "DS_CARGO",
    "SQ_CANDIDATO",
    "NR_CANDIDATO",
    "NM_CANDIDATO",
    "NM_URNA_CANDIDATO",
    "NM_SOCIAL_CANDIDATO",
    "NR_CPF_CANDIDATO",
    "DS_EMAIL",
    "CD_SITUACAO_CANDIDATURA",
    "DS_SITUACAO_CANDIDATURA",
    "TP_AGREMIACAO",
    "NR_PARTIDO",
    "SG_PARTIDO",
    "NM_PARTIDO",
    "NR_FEDERACAO",
    "NM_FEDERACAO",
    "SG_FEDERACAO",
    "DS_COMPOSICAO_FEDERACAO",
    "SQ_COLIGACAO",
    "NM_COLIGACAO",
    "DS_COMPOSICAO_COLIGACAO",
    "SG_UF_NASCIMENTO",
    "DT_NASCIMENTO",
    "NR_TITULO_ELEITORAL_CANDIDATO",
    "CD_GENERO",
    "DS_GENERO",
    "CD_GRAU_INSTRUCAO",
    "DS_GRAU_INSTRUCAO",
    "CD_ESTADO_CIVIL",
    "DS_ESTADO_CIVIL",
    "CD_COR_RACA",
    "DS_COR_RACA",
    "CD_OCUPACAO",
    "DS_OCUPACAO",
    "CD_SIT_TOT_TURNO",
    "DS_SIT_TOT_TURNO",
)
BARE: Final = frozenset(
    {
        "ANO_ELEICAO",
        "CD_TIPO_ELEICAO",
        "NR_TURNO",
        "CD_ELEICAO",
        "CD_CARGO",
        "SQ_CANDIDATO",
        "NR_CANDIDATO",
        "NR_PARTIDO",
    }
)
ZIP_TIME: Final = (2026, 10, 5, 6, 0, 0)


def write_tse(folder: Path, people: list[Person], rng: random.Random) -> None:
    """tse/package_show and tse/files below `folder`."""
    files = folder / "tse" / "files"
    files.mkdir(parents=True, exist_ok=True)
    (files / f"consulta_cand_{YEAR}.zip").write_bytes(candidates_zip(people))
    plans = _plans(people, rng)
    for uf, members in plans.items():
        (files / f"proposta_governo_{YEAR}_{uf}.zip").write_bytes(zip_bytes({**members, "leiame.pdf": _readme()}))
    _write_catalogue(folder / "tse" / "package_show", sorted(plans))


def candidates_zip(people: Iterable[Person]) -> bytes:
    """One CSV per UF that has candidates, BR, and BRASIL as their exact union; some rows are bad on purpose."""
    lines: dict[str, list[str]] = {"SP": [], "AC": [], "BR": []}
    for person in people:
        lines[person.state] += [candidate_line(row) for row in candidate_rows(person)]
    lines["SP"] += [_bad_line("NM_CANDIDATO", ""), _bad_line("CD_CARGO", "MASCULINO"), _by_election_line()]
    lines["AC"].append(_bad_line("SQ_CANDIDATO", "#NULO", SG_UF="AC"))
    header = ";".join(f'"{name}"' for name in COLUMNS)
    members = {uf: [header, *rows] for uf, rows in lines.items()}
    members["BRASIL"] = [header, *(line for rows in lines.values() for line in rows)]
    return zip_bytes(
        {
            f"consulta_cand_{YEAR}_{uf}.csv": ("\r\n".join(rows) + "\r\n").encode("latin-1")
            for uf, rows in members.items()
        }
    )


def candidate_rows(person: Person) -> list[dict[str, str]]:
    """One row, or one for each round."""
    rows = [_row(person, 1, "2º TURNO" if person.second_round else "#NULO")]
    if person.second_round:
        rows.append(_row(person, 2, "NÃO ELEITO" if person.sq % 2 else "ELEITO"))
    return rows


def _row(person: Person, turn: int, result: str) -> dict[str, str]:
    values = dict.fromkeys(COLUMNS, "#NULO")
    values |= {
        "DT_GERACAO": "05/10/2026",
        "HH_GERACAO": "06:00:00",
        "ANO_ELEICAO": str(YEAR),
        "CD_TIPO_ELEICAO": "2",
        "NM_TIPO_ELEICAO": "ELEIÇÃO ORDINÁRIA",
        "NR_TURNO": str(turn),
        "CD_ELEICAO": "9999",
        "DS_ELEICAO": "Eleição fictícia da amostra",
        "DT_ELEICAO": "04/10/2026" if turn == 1 else "25/10/2026",
        "SG_UF": person.state,
        "SG_UE": person.state,
        "NM_UE": UF_NAMES[person.state].upper(),
        "CD_CARGO": str(by_name()[person.office].code),
        "DS_CARGO": person.office,
        "SQ_CANDIDATO": str(person.sq),
        "NR_CANDIDATO": str(person.number),
        "NM_CANDIDATO": person.name,
        "NM_URNA_CANDIDATO": person.ballot,
        "NR_CPF_CANDIDATO": "-4",
        "DS_EMAIL": "NÃO DIVULGÁVEL",
        "CD_SITUACAO_CANDIDATURA": "-3",
        "DS_SITUACAO_CANDIDATURA": "#NE",
        "NR_PARTIDO": str(person.party_number),
        "SG_PARTIDO": person.party,
        "NM_PARTIDO": PARTY_NAMES.get(person.party, person.party),
        "DT_NASCIMENTO": "",
        "NR_TITULO_ELEITORAL_CANDIDATO": "-4",
        "CD_COR_RACA": "03",
        "CD_SIT_TOT_TURNO": "-1",
        "DS_SIT_TOT_TURNO": result,
    }
    return values


def candidate_line(values: Mapping[str, str]) -> str:
    """A CSV line as the court writes it: text in quotes, most numbers bare."""
    return ";".join(values[name] if name in BARE else '"' + values[name].replace('"', '""') + '"' for name in COLUMNS)


def _fictitious() -> Person:
    return Person(
        250009999999, "LINHA DE TESTE DA AMOSTRA", "LINHA DE TESTE", "PAZUL", 91, 9199, "DEPUTADO FEDERAL", "SP"
    )


def _bad_line(column: str, value: str, **others: str) -> str:
    return candidate_line({**_row(_fictitious(), 1, "#NULO"), **others, column: value})


def _by_election_line() -> str:
    return candidate_line(
        {**_row(_fictitious(), 1, "#NULO"), "CD_TIPO_ELEICAO": "1", "NM_TIPO_ELEICAO": "ELEIÇÃO SUPLEMENTAR"}
    )


def _plans(people: list[Person], rng: random.Random) -> dict[str, dict[str, bytes]]:
    """Three plans with text (SP, AC, BR), one of SP that is only drawings, and one of nobody."""
    plans: dict[str, dict[str, bytes]] = {}
    for uf, office in (("SP", "GOVERNADOR"), ("AC", "GOVERNADOR"), ("BR", "PRESIDENTE")):
        standing = [person for person in people if person.state == uf and person.office == office]
        first = standing[0]
        paragraphs = plan_paragraphs(rng, first.ballot.title(), office)
        title = f"Plano de governo fictício - {first.ballot.title()}"
        plans[uf] = {_member(uf, first.sq, 1): pdf_bytes(text_pages(paragraphs), title)}
        if uf == "SP":
            plans[uf][_member(uf, standing[1].sq, 1)] = pdf_bytes([[], []], "Plano sem camada de texto")
            plans[uf][_member(uf, 250009999998, 1)] = pdf_bytes([["Plano de ninguém."]], "Plano sem candidatura")
    return plans


def _member(uf: str, sq: int, number: int) -> str:
    return f"{uf}/{YEAR}{uf}{sq}_{number:02d}.pdf"


def _readme() -> bytes:
    return pdf_bytes([["Leia-me da amostra fictícia. Este arquivo não é um plano de governo."]], "leiame")


def zip_bytes(members: Mapping[str, bytes]) -> bytes:
    """A ZIP with these members in this order and fixed dates."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            info = zipfile.ZipInfo(name, ZIP_TIME)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o100644 << 16
            archive.writestr(info, data)
    return out.getvalue()


def _write_catalogue(folder: Path, with_plans: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    resources = [
        _resource("Candidatos", "CSV", f"{CDN}/consulta_cand/consulta_cand_{YEAR}_old.zip", state="deleted"),
        _resource("Bens de candidatos", "CSV", f"{CDN}/bem_candidato/bem_candidato_{YEAR}.zip"),
        _resource("Candidatos", "CSV", f"{CDN}/consulta_cand/consulta_cand_{YEAR}.zip"),
        *(
            _resource(f"{uf} - Proposta de governo", "PDF", f"{CDN}/proposta_governo/proposta_governo_{YEAR}_{uf}.zip")
            for uf in with_plans
        ),
    ]
    answer = {
        "help": "",
        "success": True,
        "result": {"name": f"candidatos-{YEAR}", "title": "Candidatos (amostra fictícia)", "resources": resources},
    }
    text = json.dumps(answer, ensure_ascii=False, indent=1)
    (folder / f"candidatos-{YEAR}.json").write_text(text, encoding="utf-8")


def _resource(name: str, form: str, url: str, state: str = "active") -> dict[str, Any]:
    number = random.Random(f"{name}|{url}").getrandbits(128)
    return {
        "id": str(UUID(int=number, version=4)),
        "name": name,
        "format": form,
        "mimetype": "application/zip",
        "state": state,
        "url": url,
    }
