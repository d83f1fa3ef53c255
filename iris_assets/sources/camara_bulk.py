"""The Câmara's yearly files: three downloads a year in place of thousands of API calls, giving the same rows."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice
from pathlib import Path
from sys import intern
from typing import Any, Final
from urllib.parse import urlsplit

from iris_assets.errors import SourceContractError
from iris_assets.files import write_atomically
from iris_assets.settings import Settings
from iris_assets.sources.camara_records import (
    Bill,
    Item,
    as_date,
    bill_row,
    id_of_uri,
    make_bill,
)
from iris_assets.sources.camara_signatures import Signatures, read_signatures
from iris_assets.sources.downloads import Download
from iris_assets.sources.http import HttpClient
from iris_assets.sources.yearly_csv import check_yearly_csv, yearly_rows

BILL_COLUMNS: Final = (
    "id",
    "uri",
    "siglaTipo",
    "numero",
    "ano",
    "ementa",
    "ementaDetalhada",
    "dataApresentacao",
    "ultimoStatus_dataHora",
    "ultimoStatus_descricaoSituacao",
    "ultimoStatus_descricaoTramitacao",
)
AUTHOR_COLUMNS: Final = (
    "idProposicao",
    "idDeputadoAutor",
    "uriAutor",
    "tipoAutor",
    "nomeAutor",
    "ordemAssinatura",
    "proponente",
)
TOPIC_COLUMNS: Final = ("uriProposicao", "codTema", "tema")
COLUMNS: Final = {
    "proposicoes": BILL_COLUMNS,
    "proposicoesAutores": AUTHOR_COLUMNS,
    "proposicoesTemas": TOPIC_COLUMNS,
}
SLICE: Final = 50_000  # bills whose authors and topics are in memory at once


@dataclass(frozen=True, slots=True)
class Year:
    """The files of one year; topics may be missing at the source."""

    bills: Path
    authors: Path
    topics: Path | None


@dataclass(frozen=True, slots=True)
class BulkFiles:
    """The downloaded years. `newest` is the last day that any bill in them moved; `hash` is over all their bytes."""

    hash: str
    newest: date | None
    years: tuple[int, ...]
    not_modified: bool
    notes: tuple[str, ...]
    parts: Mapping[int, Year]


class CamaraBulk:
    """Downloads the yearly files and streams what is asked of them. A year's file holds records of that year, not
    presentations of it: bills are chosen by the date in their row.
    """

    def __init__(self, client: HttpClient, settings: Settings, downloads: Path) -> None:
        self._client = client
        self._downloads = downloads
        self._host = urlsplit(settings.camara_base_url).netloc
        self._signatures: tuple[str, Signatures] | None = None  # hash of the files, what they say

    def files(self, first: date, last: date) -> BulkFiles:
        """The files of every year that the window touches. A year that the host does not have (404) is a state."""
        parts: dict[int, Year] = {}
        hashes: list[str] = []
        notes: list[str] = []
        missing: list[int] = []
        moved: list[date] = []
        unchanged = True
        for year in range(first.year, last.year + 1):
            found = {kind: self._download(kind, year) for kind in COLUMNS}
            bills, authors, topics = (found[kind] for kind in COLUMNS)
            notes += [note for download in found.values() if download is not None for note in download.notes]
            if bills is None or authors is None:
                missing.append(year)
                continue
            if topics is None:
                notes.append(f"the Câmara has no file of topics for {year}")
            parts[year] = Year(bills.path, authors.path, topics.path if topics else None)
            present = [download for download in (bills, authors, topics) if download is not None]
            hashes += [f"{year}:{download.sha256}" for download in present]
            unchanged = unchanged and all(download.not_modified for download in present)
            day = _newest_day(bills)
            moved += [day] if day else []
        if missing:
            notes.append(f"the Câmara has no yearly file for {', '.join(map(str, missing))}")
        return BulkFiles(
            hash=hashlib.sha256("\n".join(hashes).encode()).hexdigest(),
            newest=max(moved, default=None),
            years=tuple(parts),
            not_modified=unchanged,
            notes=tuple(notes),
            parts=parts,
        )

    def signatures(self, files: BulkFiles) -> Signatures:
        """Who signs what in these files; they are read at the first call for them."""
        if self._signatures is None or self._signatures[0] != files.hash:
            parts = files.parts.values()
            self._signatures = files.hash, read_signatures((p.authors for p in parts), (p.bills for p in parts))
        return self._signatures[1]

    def bills(self, files: BulkFiles, camara_ids: Iterable[int]) -> Iterator[Bill]:
        """The wanted bills that the files hold, each once, in slices: memory is bounded by SLICE bills."""
        waiting = iter(dict.fromkeys(camara_ids))
        while wanted := set(islice(waiting, SLICE)):
            yield from self._slice(files, {str(number) for number in wanted})

    def _slice(self, files: BulkFiles, wanted: set[str]) -> Iterator[Bill]:
        authors = _authors(files, wanted)
        topics = _topics(files, wanted)
        given: set[str] = set()
        # Newest year first: should a bill stand in two files, the later record is the one that counts.
        for year in sorted(files.parts, reverse=True):
            for row in yearly_rows(files.parts[year].bills, BILL_COLUMNS):
                number = row[0]
                if number in wanted and number not in given:
                    given.add(number)
                    signed = [_author_item(entry) for entry in authors.get(number, ())]
                    named = [{"codTema": code, "tema": name} for code, name in topics.get(number, ())]
                    yield make_bill(bill_row(_bill_item(row)), signed, named)

    def _download(self, kind: str, year: int) -> Download | None:
        url = f"https://{self._host}/arquivos/{kind}/csv/{kind}-{year}.csv"
        try:
            return self._client.download(url, self._downloads, check=lambda path: check_yearly_csv(path, COLUMNS[kind]))
        except SourceContractError as error:
            if error.code != "SOURCE_NOT_FOUND":
                raise
            return None


Entry = tuple[str, str, str, str, str]


def _authors(files: BulkFiles, wanted: set[str]) -> dict[str, list[Entry]]:
    """Per bill its author entries as small tuples; names and addresses repeat, so each is kept once."""
    found: dict[str, list[Entry]] = {}
    for part in files.parts.values():
        for bill, deputy, uri, kind, name, order, main in yearly_rows(part.authors, AUTHOR_COLUMNS):
            if bill in wanted:
                address = uri or (f"https://dadosabertos.camara.leg.br/api/v2/deputados/{deputy}" if deputy else "")
                entry = (intern(address), intern(name), intern(kind), intern(order), intern(main))
                found.setdefault(bill, []).append(entry)
    return found


def _topics(files: BulkFiles, wanted: set[str]) -> dict[str, list[tuple[str, str]]]:
    """Topics join by the number at the end of the bill's address: they have no id column."""
    found: dict[str, list[tuple[str, str]]] = {}
    for part in files.parts.values():
        if part.topics is None:
            continue
        for uri, code, name in yearly_rows(part.topics, TOPIC_COLUMNS):
            bill = str(id_of_uri(uri))
            if bill in wanted:
                found.setdefault(bill, []).append((intern(code), intern(name)))
    return found


def _author_item(entry: Entry) -> Item:
    uri, name, kind, order, main = entry
    return {"uri": uri, "nome": name, "tipo": kind, "ordemAssinatura": order, "proponente": main}


def _bill_item(row: Sequence[str]) -> Item:
    item: dict[str, Any] = dict(zip(BILL_COLUMNS[:8], row[:8], strict=True))
    item["statusProposicao"] = {"dataHora": row[8], "descricaoSituacao": row[9], "descricaoTramitacao": row[10]}
    return item


def _newest_day(bills: Download) -> date | None:
    """The last day that a bill of the file moved, not after its collection; remembered beside the file."""
    facts = bills.path.with_name(f"{bills.path.name}.facts.json")
    try:
        return as_date(json.loads(facts.read_text(encoding="utf-8"))["newest"])
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        limit = bills.collected_at.date().isoformat()
        days = (row[8][:10] for row in yearly_rows(bills.path, BILL_COLUMNS))
        newest = max((day for day in days if as_date(day) and day <= limit), default=None)
        write_atomically(facts, json.dumps({"newest": newest}).encode("utf-8"))
        return as_date(newest)
