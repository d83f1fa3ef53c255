"""A deputy's statuses and mandates elsewhere as PoliticalHistory rows, and the look-back window that limits them."""

import hashlib
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Final

from iris_assets.sources.camara_records import HistoryRow, Item, as_date, as_int, as_text, party

LONGEST_WINDOW_DAYS: Final = 92
API: Final = "https://dadosabertos.camara.leg.br/api/v2/deputados"


def lookback(as_of: date, years: int) -> tuple[date, date]:
    """(first, last) day of the look-back window; 29 February becomes 28."""
    try:
        return as_of.replace(year=as_of.year - years), as_of
    except ValueError:
        return as_of.replace(year=as_of.year - years, day=28), as_of


def windows(first: date, last: date, days: int = LONGEST_WINDOW_DAYS) -> Iterator[tuple[date, date]]:
    """Windows of at most `days` days (both ends counted), newest first; neighbours share one day.

    The shared day is safe whether the source counts the last day in or not; doubles are dropped by id.
    """
    end = last
    while True:
        start = max(first, end - timedelta(days=days - 1))
        yield start, end
        if start <= first:
            return
        end = start


def camara_history(deputy: int, items: Iterable[Item], first: date, last: date) -> list[HistoryRow]:
    """Statuses dated within the window. Several at one minute are one row whose status names them all."""
    rows: dict[str, HistoryRow] = {}
    for item in items:
        moment = as_text(item.get("dataHora"))
        day = as_date(moment)
        if moment is None or day is None or not first <= day <= last:
            continue
        legislature = as_int(item.get("idLegislatura"))
        key = f"CAMARA_HIST:{deputy}:{'' if legislature is None else legislature}:{moment}"
        row = _status_row(deputy, key, item, day)
        if key in rows:
            row["status"] = _joined([rows[key]["status"], row["status"]], " / ")
        rows[key] = row
    return list(rows.values())


def _status_row(deputy: int, key: str, item: Item, day: date) -> HistoryRow:
    return {
        "external_id": key,
        "camara_deputy_id": deputy,
        "institution": "CAMARA",
        "position": "DEPUTADO FEDERAL",
        "party": party(item.get("siglaPartido")),
        "state": as_text(item.get("siglaUf")),
        "municipality": None,
        "start_date": day,
        "end_date": None,
        "date_precision": "DAY",
        "status": _joined(
            [as_text(item.get(name)) for name in ("situacao", "condicaoEleitoral", "descricaoStatus")], "; "
        ),
        "source_url": f"{API}/{deputy}/historico",
    }


def external_mandates(deputy: int, items: Iterable[Item], first: date, last: date) -> list[HistoryRow]:
    """Mandates elsewhere that overlap the window; their dates are whole years (precision YEAR)."""
    rows: dict[str, HistoryRow] = {}
    for item in items:
        begin, end = as_int(item.get("anoInicio")), as_int(item.get("anoFim"))
        if (begin and begin > last.year) or (end and end < first.year):
            continue
        row = _mandate_row(deputy, item, begin, end)
        rows[row["external_id"]] = row
    return list(rows.values())


def _mandate_row(deputy: int, item: Item, begin: int | None, end: int | None) -> HistoryRow:
    office, state = as_text(item.get("cargo")), as_text(item.get("siglaUf"))
    municipality, acronym = as_text(item.get("municipio")), as_text(item.get("siglaPartidoEleicao"))
    parts = (office, state, municipality, begin, end, acronym)
    digest = hashlib.sha256("|".join("" if part is None else str(part) for part in parts).encode()).hexdigest()
    return {
        "external_id": f"CAMARA_EXT:{deputy}:{digest[:48]}",
        "camara_deputy_id": deputy,
        "institution": "MANDATO EXTERNO",
        "position": office or "MANDATO",
        "party": party(acronym),
        "state": state,
        "municipality": municipality,
        "start_date": _year_end(begin, 1, 1),
        "end_date": _year_end(end, 12, 31),
        "date_precision": "YEAR",
        "status": None,
        "source_url": f"{API}/{deputy}/mandatosExternos",
    }


def _year_end(year: int | None, month: int, day: int) -> date | None:
    return date(year, month, day) if year and 1 <= year <= 9999 else None


def _joined(parts: Iterable[str | None], separator: str) -> str | None:
    return separator.join(dict.fromkeys(part for part in parts if part)) or None
