"""A made-up Chamber as a replay folder: invented deputies, bills with shared authorship, seeded and of any size."""

import csv
import json
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from iris_assets.sample.camara_files import AUTHOR_COLUMNS, BILL_COLUMNS, TOPIC_COLUMNS
from iris_assets.store import Store

API = "https://dadosabertos.camara.leg.br/api/v2"
UFS = ("SP", "RJ", "MG", "BA", "PI")
TOPICS = ("Saúde", "Educação", "Meio Ambiente", "Segurança")


def civil_name(number: int) -> str:
    return f"PESSOA INVENTADA {number}"


@dataclass
class World:
    """Deputies 1…n (deputy k of UF k modulo five), and bills by year; `write` makes the replay folder."""

    deputies: dict[int, dict[str, Any]] = field(default_factory=dict)
    bills: dict[int, dict[str, str]] = field(default_factory=dict)
    authors: dict[int, list[dict[str, str]]] = field(default_factory=dict)
    topics: dict[int, list[str]] = field(default_factory=dict)
    histories: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    mandates: dict[int, list[dict[str, Any]]] = field(default_factory=dict)

    def add_deputy(self, number: int, **status: Any) -> None:
        uri = f"{API}/deputados/{number}"
        last = {
            "id": number,
            "uri": uri,
            "nome": f"Deputado {number}",
            "siglaPartido": "PT",
            "siglaUf": UFS[number % len(UFS)],
            "idLegislatura": 57,
            "nomeEleitoral": f"DEPUTADO {number}",
            **status,
        }
        self.deputies[number] = {"id": number, "uri": uri, "nomeCivil": civil_name(number), "ultimoStatus": last}
        self.histories[number] = [
            {"siglaPartido": "PT", "siglaUf": last["siglaUf"], "idLegislatura": 57, "dataHora": "2023-02-01T10:00",
             "situacao": "Exercício", "condicaoEleitoral": "Titular", "descricaoStatus": None}
        ]  # fmt: skip

    def add_bill(
        self, number: int, presented: date, signers: Iterable[int], *, moved: str | None = None, topic: str = "Saúde"
    ) -> None:
        year = presented.year
        self.bills[number] = {
            "id": str(number), "uri": f"{API}/proposicoes/{number}", "siglaTipo": "PL", "numero": str(number),
            "ano": str(year), "codTipo": "139", "descricaoTipo": "Projeto de Lei",
            "ementa": f"Dispõe sobre o assunto inventado {number}.\r\nE dá outras \"providências\".",
            "dataApresentacao": f"{presented}T11:30:00",
            "ultimoStatus_dataHora": moved or f"{presented}T12:00:00",
            "ultimoStatus_descricaoSituacao": "Aguardando Parecer",
        }  # fmt: skip
        self.authors[number] = [self._author(number, signer, place) for place, signer in enumerate(signers, start=1)]
        self.topics[number] = [topic]

    def _author(self, bill: int, deputy: int, place: int) -> dict[str, str]:
        return {
            "idProposicao": str(bill), "uriProposicao": f"{API}/proposicoes/{bill}", "idDeputadoAutor": str(deputy),
            "uriAutor": f"{API}/deputados/{deputy}", "codTipoAutor": "10000", "tipoAutor": "Deputado",
            "nomeAutor": f"Deputado {deputy}", "siglaPartidoAutor": "PT", "siglaUFAutor": UFS[deputy % len(UFS)],
            "ordemAssinatura": str(place), "proponente": "1" if place == 1 else "0",
        }  # fmt: skip

    def drop_signer(self, bill: int, deputy: int) -> None:
        self.authors[bill] = [a for a in self.authors[bill] if a["idDeputadoAutor"] != str(deputy)]

    def move(self, bill: int, moment: str) -> None:
        self.bills[bill]["ultimoStatus_dataHora"] = moment

    def until(self, day: date) -> "World":
        """The same Chamber with the bills presented until this day."""
        bills = {n: bill for n, bill in self.bills.items() if bill["dataApresentacao"][:10] <= day.isoformat()}
        return replace(self, bills=bills)

    def write(self, folder: Path) -> Path:
        """The replay folder, as the simulator reads it."""
        for part in ("tse/package_show", "tse/files", "camara"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        camara = folder / "camara"
        (camara / "deputados.json").write_text(json.dumps(list(self.deputies.values())), "utf-8")
        (camara / "historico.json").write_text(json.dumps(self.histories), "utf-8")
        (camara / "mandatosExternos.json").write_text(json.dumps(self.mandates), "utf-8")
        for year in {bill["ano"] for bill in self.bills.values()}:
            ids = [number for number, bill in self.bills.items() if bill["ano"] == year]
            _csv(camara / f"proposicoes-{year}.csv", BILL_COLUMNS, (self.bills[n] for n in ids), bom=True)
            authors = (author for n in ids for author in self.authors[n])
            _csv(camara / f"proposicoesAutores-{year}.csv", AUTHOR_COLUMNS, authors, bom=True)
            topics = (self._topic(n, topic) for n in ids for topic in self.topics[n])
            _csv(camara / f"proposicoesTemas-{year}.csv", TOPIC_COLUMNS, topics, bom=False)
        return folder

    def _topic(self, number: int, topic: str) -> dict[str, str]:
        bill = self.bills[number]
        return {"uriProposicao": bill["uri"], "siglaTipo": "PL", "numero": bill["numero"], "ano": bill["ano"],
                "codTema": str(TOPICS.index(topic) + 40), "tema": topic, "relevancia": "0"}  # fmt: skip


def _csv(path: Path, columns: Sequence[str], rows: Iterable[dict[str, str]], *, bom: bool) -> None:
    with path.open("w", encoding="utf-8-sig" if bom else "utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, restval="", delimiter=";", quoting=csv.QUOTE_ALL, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def made(
    deputies: int, bills: int, *, seed: int = 1, signers: int = 3, first: date = date(2023, 2, 1), days: int = 700
) -> World:
    """`deputies` and `bills` with one to `signers` authors each, presented within `days` of `first`."""
    dice = random.Random(seed)
    world = World()
    for number in range(1, deputies + 1):
        world.add_deputy(number)
    for place in range(bills):
        presented = first + timedelta(days=dice.randrange(days))
        chosen = dice.sample(range(1, deputies + 1), min(deputies, dice.randint(1, signers)))
        world.add_bill(10_000 + place, presented, chosen, topic=dice.choice(TOPICS))
    return world


def add_candidates(store: Store, numbers: Iterable[int], *, year: int = 2026, **changes: Any) -> None:
    """Candidates who are the deputies of these numbers, at home and under the same names."""
    rows = [
        {
            "tse_id": f"{year}{number:08d}", "election_year": year, "name": civil_name(number),
            "ballot_name": f"DEPUTADO {number}", "party": "PT", "office": "DEPUTADO FEDERAL",
            "state": UFS[number % len(UFS)], **changes,
        }
        for number in numbers
    ]  # fmt: skip
    with store.transaction() as tx:
        store.candidates.upsert(tx, rows)
