"""The simulated Câmara API v2: filters, pages, links, totals and refusals as the real host makes them."""

from collections.abc import Callable, Iterable
from datetime import date, timedelta
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from iris_assets.sample.replay import API, ReplayFolder, Row
from iris_assets.sample.reply import Reply, json_reply

Parameters = dict[str, list[str]]
PAGING: Final = frozenset({"pagina", "itens", "ordem", "ordenarPor"})
DEPUTY_FILTERS: Final = frozenset(
    {"id", "nome", "idLegislatura", "siglaUf", "siglaPartido", "siglaSexo", "dataInicio", "dataFim"}
)
BILL_FILTERS: Final = frozenset(
    {
        "id",
        "siglaTipo",
        "numero",
        "ano",
        "idDeputadoAutor",
        "dataInicio",
        "dataFim",
        "dataApresentacaoInicio",
        "dataApresentacaoFim",
    }
)
DEFAULT_ITEMS: Final = 15


class CamaraService:
    """Answers the paths below /api/v2."""

    def __init__(self, replay: ReplayFolder) -> None:
        self._replay = replay

    def answer(self, path: str, query: str) -> Reply:
        """`path` without /api/v2/, `query` as in the address."""
        parameters: Parameters = {}
        for name, value in parse_qsl(query, keep_blank_values=True):
            parameters.setdefault(name, []).extend(value.split(","))
        match path.strip("/").split("/"):
            case ["deputados"]:
                return self._deputies(parameters, query)
            case ["proposicoes"]:
                return self._bills(parameters, query)
            case ["deputados", number, *rest] if number.isdigit():
                return self._deputy(int(number), rest)
            case ["proposicoes", number, *rest] if number.isdigit():
                return self._bill(int(number), rest)
        return _refused(404, "Recurso não encontrado", path)

    def _deputies(self, parameters: Parameters, query: str) -> Reply:
        refusal = _check(parameters, DEPUTY_FILTERS, most=1000)
        if refusal:
            return refusal
        items = self._replay.listed_deputies
        for name, key in (
            ("siglaUf", "siglaUf"),
            ("siglaPartido", "siglaPartido"),
            ("id", "id"),
            ("idLegislatura", "idLegislatura"),
        ):
            if parameters.get(name):
                items = [item for item in items if str(item[key]) in parameters[name]]
        return _page("deputados", items[::-1] if _descending(parameters) else items, parameters, query)

    def _deputy(self, number: int, rest: list[str]) -> Reply:
        if not rest:
            deputy = self._replay.deputies.get(number)
            return (
                _record(f"deputados/{number}", deputy)
                if deputy
                else _refused(404, "Deputado não encontrado", str(number))
            )
        lists = {"historico": self._replay.histories, "mandatosExternos": self._replay.mandates}
        if len(rest) == 1 and rest[0] in lists:
            return _record(f"deputados/{number}/{rest[0]}", lists[rest[0]].get(str(number), []))
        return _refused(404, "Recurso não encontrado", "/".join(rest))

    def _bills(self, parameters: Parameters, query: str) -> Reply:
        refusal = _check(parameters, BILL_FILTERS, most=100)
        if refusal:
            return refusal
        replay = self._replay
        if parameters.get("idDeputadoAutor"):
            asked = (replay.bills_by_deputy.get(int(n), []) for n in parameters["idDeputadoAutor"] if n.isdigit())
            numbers = sorted({number for found in asked for number in found}, reverse=True)
        else:
            numbers = sorted(replay.bills, reverse=True)
        rows = [replay.bills[number] for number in numbers]
        for name, key in (("id", "id"), ("siglaTipo", "siglaTipo"), ("numero", "numero"), ("ano", "ano")):
            if parameters.get(name):
                rows = [row for row in rows if row[key] in parameters[name]]
        rows = self._dated(rows, parameters)
        if not _descending(parameters, default=True):
            rows.reverse()
        return _page("proposicoes", rows, parameters, query, _bill_item)

    def _dated(self, rows: list[Row], parameters: Parameters) -> list[Row]:
        filters = [
            ("dataApresentacao", "dataApresentacaoInicio", "dataApresentacaoFim"),
            ("ultimoStatus_dataHora", "dataInicio", "dataFim"),
        ]
        used = [(key, _first(parameters, low), _first(parameters, high)) for key, low, high in filters]
        if not any(low or high for _, low, high in used) and not {"id", "ano", "numero"} & parameters.keys():
            # Without dates the real host tells only what moved in the last thirty days.
            newest = max((row["ultimoStatus_dataHora"][:10] for row in self._replay.bills.values()), default="")
            used = [("ultimoStatus_dataHora", _days_before(newest, 30), None)]
        for key, low, high in used:
            if low or high:
                rows = [row for row in rows if (low or "") <= row[key][:10] <= (high or "9999")]
        return rows

    def _bill(self, number: int, rest: list[str]) -> Reply:
        row = self._replay.bills.get(number)
        if not rest:
            return (
                _record(f"proposicoes/{number}", _bill_detail(row))
                if row
                else _refused(404, "Proposição não encontrada", str(number))
            )
        if rest == ["autores"]:
            return _record(
                f"proposicoes/{number}/autores", [_author(entry) for entry in self._replay.authors.get(number, [])]
            )
        if rest == ["temas"]:
            return _record(
                f"proposicoes/{number}/temas", [_topic(entry) for entry in self._replay.topics.get(number, [])]
            )
        return _refused(404, "Recurso não encontrado", "/".join(rest))


def _check(parameters: Parameters, filters: frozenset[str], *, most: int) -> Reply | None:
    for name, values in parameters.items():
        if name not in filters | PAGING:
            return _refused(400, "Parâmetro(s) inválido(s).", name)
        if name in ("itens", "pagina") and not (
            values[0].isdigit() and 1 <= int(values[0]) <= (most if name == "itens" else 10**9)
        ):
            return _refused(400, f"Valor de {name} fora do intervalo.", name)
    return None


def _page(
    path: str, items: list[Any], parameters: Parameters, query: str, make: Callable[[Any], Any] = lambda item: item
) -> Reply:
    size, number = int(_first(parameters, "itens") or str(DEFAULT_ITEMS)), int(_first(parameters, "pagina") or "1")
    last = max(1, -(-len(items) // size))
    links = [{"rel": "self", "href": f"{API}/{path}{'?' + query if query else ''}"}]
    pages = {"next": number + 1, "first": 1, "last": last}
    if number >= last:
        del pages["next"]
    # The real host writes the parameters of these links in another order than they were sent.
    kept = [(k, v) for k, v in parse_qsl(query) if k not in ("pagina", "itens")]
    links += [
        {"rel": rel, "href": f"{API}/{path}?{urlencode([*kept, ('pagina', page), ('itens', size)])}"}
        for rel, page in pages.items()
    ]
    shown = [make(item) for item in items[(number - 1) * size : number * size]]
    header = "".join(f'<{link["href"]}>; rel="{link["rel"]}",' for link in links)
    return json_reply({"dados": shown, "links": links}, headers={"X-Total-Count": str(len(items)), "Link": header})


def _record(path: str, data: Any) -> Reply:
    return json_reply({"dados": data, "links": [{"rel": "self", "href": f"{API}/{path}"}]})


def _refused(status: int, detail: str, instance: str) -> Reply:
    return json_reply({"status": status, "title": detail, "detail": detail, "instance": instance}, status)


def _bill_item(row: Row) -> dict[str, Any]:
    return {
        "id": int(row["id"]),
        "uri": row["uri"],
        "siglaTipo": row["siglaTipo"],
        "codTipo": _int(row["codTipo"]),
        "numero": _int(row["numero"]),
        "ano": _int(row["ano"]),
        "ementa": row["ementa"],
        "dataApresentacao": row["dataApresentacao"][:16],
    }


def _bill_detail(row: Row) -> dict[str, Any]:
    status = {
        name.removeprefix("ultimoStatus_"): value or None
        for name, value in row.items()
        if name.startswith("ultimoStatus_")
    }
    status["dataHora"] = (status.get("dataHora") or "")[:16] or None
    return {
        **_bill_item(row),
        "uriOrgaoNumerador": row["uriOrgaoNumerador"] or None,
        "statusProposicao": {
            **status,
            "codTipoTramitacao": status.pop("idTipoTramitacao", None),
            "codSituacao": _int(status.pop("idSituacao", None)),
        },
        "uriAutores": f"{row['uri']}/autores",
        "descricaoTipo": row["descricaoTipo"],
        "ementaDetalhada": row["ementaDetalhada"] or None,
        "keywords": row["keywords"] or None,
        "urlInteiroTeor": row["urlInteiroTeor"] or None,
    }


def _author(row: Row) -> dict[str, Any]:
    return {
        "uri": row["uriAutor"] or None,
        "nome": row["nomeAutor"],
        "codTipo": _int(row["codTipoAutor"]),
        "tipo": row["tipoAutor"],
        "ordemAssinatura": _int(row["ordemAssinatura"]),
        "proponente": _int(row["proponente"]),
    }


def _topic(row: Row) -> dict[str, Any]:
    return {"codTema": _int(row["codTema"]), "tema": row["tema"], "relevancia": _int(row["relevancia"])}


def _int(text: str | None) -> int | None:
    return int(text) if text and text.lstrip("-").isdigit() else None


def _first(parameters: Parameters, name: str) -> str | None:
    return next(iter(parameters.get(name, ())), None) or None


def _descending(parameters: Parameters, *, default: bool = False) -> bool:
    order: Iterable[str] = parameters.get("ordem", ())
    return next((value.upper() == "DESC" for value in order), default)


def _days_before(day: str, days: int) -> str | None:
    return (date.fromisoformat(day) - timedelta(days=days)).isoformat() if day else None
