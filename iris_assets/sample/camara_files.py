"""The Câmara's half of a generated replay folder: deputies, histories, mandates elsewhere, yearly files of bills."""

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from iris_assets.sample.replay import API

BILL_COLUMNS: Final = (
    "id",
    "uri",
    "siglaTipo",
    "numero",
    "ano",
    "codTipo",
    "descricaoTipo",
    "ementa",
    "ementaDetalhada",
    "keywords",
    "dataApresentacao",
    "uriOrgaoNumerador",
    "uriPropAnterior",
    "uriPropPrincipal",
    "uriPropPosterior",
    "urlInteiroTeor",
    "urnFinal",
    "ultimoStatus_dataHora",
    "ultimoStatus_sequencia",
    "ultimoStatus_uriRelator",
    "ultimoStatus_idOrgao",
    "ultimoStatus_siglaOrgao",
    "ultimoStatus_uriOrgao",
    "ultimoStatus_regime",
    "ultimoStatus_descricaoTramitacao",
    "ultimoStatus_idTipoTramitacao",
    "ultimoStatus_descricaoSituacao",
    "ultimoStatus_idSituacao",
    "ultimoStatus_despacho",
    "ultimoStatus_apreciacao",
    "ultimoStatus_url",
)
AUTHOR_COLUMNS: Final = (
    "idProposicao",
    "uriProposicao",
    "idDeputadoAutor",
    "uriAutor",
    "codTipoAutor",
    "tipoAutor",
    "nomeAutor",
    "siglaPartidoAutor",
    "uriPartidoAutor",
    "siglaUFAutor",
    "ordemAssinatura",
    "proponente",
)
TOPIC_COLUMNS: Final = ("uriProposicao", "siglaTipo", "numero", "ano", "codTema", "tema", "relevancia")
KINDS: Final = {
    "PL": (139, "Projeto de Lei"),
    "PEC": (136, "Proposta de Emenda à Constituição"),
    "REQ": (295, "Requerimento"),
}


@dataclass(slots=True)
class MadeBill:
    """One invented bill. `record_year` names the yearly file that holds it; `year` 0 stands for a missing year."""

    number: int
    kind: str
    serial: int
    year: int
    record_year: int
    presented: str
    moved: str
    summary: str
    signers: Sequence[Mapping[str, Any]]  # id (None: no deputy), name, party, state, main
    topics: Sequence[tuple[int, str]] = ()
    status: str = "Aguardando Parecer"
    detail: str = ""
    keywords: str = field(default="")


def write_camara(
    folder: Path,
    deputies: Sequence[Mapping[str, Any]],
    histories: Mapping[str, Any],
    mandates: Mapping[str, Any],
    bills: Iterable[MadeBill],
) -> None:
    """camara/ below `folder`."""
    place = folder / "camara"
    place.mkdir(parents=True, exist_ok=True)
    for name, data in (("deputados", deputies), ("historico", histories), ("mandatosExternos", mandates)):
        (place / f"{name}.json").write_text(json.dumps(data, ensure_ascii=False, indent=0), encoding="utf-8")
    by_year: dict[int, list[MadeBill]] = {}
    for bill in bills:
        by_year.setdefault(bill.record_year, []).append(bill)
    for year, made in sorted(by_year.items()):
        _write(place / f"proposicoes-{year}.csv", BILL_COLUMNS, map(_bill, made), bom=True)
        _write(
            place / f"proposicoesAutores-{year}.csv",
            AUTHOR_COLUMNS,
            (row for bill in made for row in _authors(bill)),
            bom=True,
        )
        _write(
            place / f"proposicoesTemas-{year}.csv",
            TOPIC_COLUMNS,
            (row for bill in made for row in _topics(bill)),
            bom=False,
        )


def deputy_detail(
    number: int, civil: str | None, name: str, party: str, state: str, legislature: int = 57
) -> dict[str, Any]:
    """The `dados` of a deputy's detail, without any personal field filled."""
    uri = f"{API}/deputados/{number}"
    status = {
        "id": number,
        "uri": uri,
        "nome": name,
        "siglaPartido": party,
        "uriPartido": None,
        "siglaUf": state,
        "idLegislatura": legislature,
        "urlFoto": None,
        "email": None,
        "data": "2023-02-01T10:00",
        "nomeEleitoral": name,
        "situacao": "Exercício",
        "condicaoEleitoral": "Titular",
        "descricaoStatus": None,
    }
    return {"id": number, "uri": uri, "nomeCivil": civil, "ultimoStatus": status, "cpf": "", "dataNascimento": None}


def status_event(
    number: int, name: str, party: str, state: str, moment: str, words: str, legislature: int = 57
) -> dict[str, Any]:
    """One line of a deputy's history."""
    return {
        "id": number,
        "uri": f"{API}/deputados/{number}",
        "nome": name,
        "nomeEleitoral": name,
        "siglaPartido": party,
        "siglaUf": state,
        "idLegislatura": legislature,
        "dataHora": moment,
        "situacao": "Exercício",
        "condicaoEleitoral": "Titular",
        "descricaoStatus": words,
    }


def _write(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, Any]], *, bom: bool) -> None:
    with path.open("w", encoding="utf-8-sig" if bom else "utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, delimiter=";", quoting=csv.QUOTE_ALL, restval="", lineterminator="\r\n")
        writer.writeheader()
        writer.writerows(rows)


def _uri(bill: MadeBill) -> str:
    return f"{API}/proposicoes/{bill.number}"


def _bill(bill: MadeBill) -> dict[str, Any]:
    code, words = KINDS.get(bill.kind, (0, bill.kind))
    return {
        "id": bill.number,
        "uri": _uri(bill),
        "siglaTipo": bill.kind,
        "numero": bill.serial,
        "ano": bill.year,
        "codTipo": code,
        "descricaoTipo": words,
        "ementa": bill.summary,
        "ementaDetalhada": bill.detail,
        "keywords": bill.keywords,
        "dataApresentacao": bill.presented,
        "ultimoStatus_dataHora": bill.moved,
        "ultimoStatus_sequencia": 1,
        "ultimoStatus_descricaoTramitacao": "Recebimento",
        "ultimoStatus_idTipoTramitacao": 500,
        "ultimoStatus_descricaoSituacao": bill.status,
        "ultimoStatus_despacho": "Despacho fictício.\r\n\r\nSegunda linha.",
    }


def _authors(bill: MadeBill) -> Iterable[dict[str, Any]]:
    for order, signer in enumerate(bill.signers, start=1):
        number = signer["id"]
        yield {
            "idProposicao": bill.number,
            "uriProposicao": _uri(bill),
            "idDeputadoAutor": number or "",
            "uriAutor": f"{API}/deputados/{number}" if number else "",
            "codTipoAutor": 10000 if number else 30000,
            "tipoAutor": "Deputado(a)" if number else "Órgão do Poder Executivo",
            "nomeAutor": signer["name"],
            "siglaPartidoAutor": str(signer.get("party") or "")[:8],
            "siglaUFAutor": signer.get("state") or "",
            "ordemAssinatura": order,
            "proponente": 1 if signer.get("main") else 0,
        }


def _topics(bill: MadeBill) -> Iterable[dict[str, Any]]:
    for code, name in bill.topics:
        yield {
            "uriProposicao": _uri(bill),
            "siglaTipo": bill.kind,
            "numero": bill.serial,
            "ano": bill.year,
            "codTema": code,
            "tema": name,
            "relevancia": 0,
        }
