"""The Câmara's API v2: listings that are followed page by page, and single records fetched together under one limit."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from typing import Any, Final, Literal

from iris_assets.errors import IrisAssetsError, SourceContractError
from iris_assets.settings import Settings
from iris_assets.sources.answers import JsonAnswer
from iris_assets.sources.camara_history import camara_history, external_mandates, windows
from iris_assets.sources.camara_records import (
    Bill,
    DeputyRow,
    HistoryRow,
    Item,
    ListedDeputy,
    as_int,
    bill_row,
    deputy_row,
    listed_deputies,
    ordered_authors,
    topic_rows,
)
from iris_assets.sources.hosts import address_key, check_url, shown
from iris_assets.sources.http import HttpClient, Params

By = Literal["presentation", "procedure"]
DATE_PARAMETERS: Final[dict[By, tuple[str, str]]] = {
    "presentation": ("dataApresentacaoInicio", "dataApresentacaoFim"),
    "procedure": ("dataInicio", "dataFim"),
}
MOST_PAGES: Final = 2000


@dataclass(slots=True)
class Listing:
    """All items of a listing, each id once, with what was odd about it."""

    items: list[Item]
    declared: int | None
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class DeputyRecords:
    """One deputy as fetched: the row for identity, and the history rows within the window."""

    deputy: DeputyRow
    history: list[HistoryRow]


@dataclass(frozen=True, slots=True)
class ListedBills:
    """Ids of the bills that the API lists for a deputy, newest window first; `more`: the limit cut the list."""

    bill_ids: tuple[int, ...]
    more: bool
    notes: tuple[str, ...] = ()


class CamaraSource:
    """Typed records of the API. Methods named `a…` are coroutines for HttpClient.run and HttpClient.stream.

    The other methods run them and wait. Iterators give `(id, records or IrisAssetsError)` in order of arrival:
    one failure costs one record.
    """

    def __init__(self, client: HttpClient, settings: Settings) -> None:
        self._client = client
        self._base = settings.camara_base_url
        self._page_size = settings.camara_page_size

    # -- deputies ----------------------------------------------------------------------------------------------

    def deputies(self, first: date, last: date) -> tuple[list[ListedDeputy], list[str]]:
        """Every deputy of the window, and notes on the listing."""
        parameters = {
            "dataInicio": first.isoformat(),
            "dataFim": last.isoformat(),
            "ordem": "ASC",
            "ordenarPor": "nome",
        }
        listing: Listing = self._client.run(self.alisting("deputados", parameters, unique=False))
        return listed_deputies(listing.items), listing.notes

    async def adeputy(self, listed: ListedDeputy, first: date, last: date) -> DeputyRecords:
        """The three calls of one deputy, together."""
        number = listed.camara_id
        detail, statuses, mandates = await _together(
            self.arecord(f"deputados/{number}"),
            self.aitems(f"deputados/{number}/historico"),
            self.aitems(f"deputados/{number}/mandatosExternos"),
        )
        _same_id(detail, number)
        history = camara_history(number, statuses, first, last) + external_mandates(number, mandates, first, last)
        return DeputyRecords(deputy_row(detail, statuses, listed), history)

    # -- bills -------------------------------------------------------------------------------------------------

    async def abills_of(
        self, deputy: int, first: date, last: date, *, limit: int = 0, by: By = "presentation"
    ) -> ListedBills:
        """Windows of at most 92 days, newest first, until `limit` ids are known; without a limit all at once."""
        calls = [partial(self._awindow, deputy, by, *window) for window in windows(first, last)]
        together = 1 if limit else len(calls)
        found: dict[int, None] = {}
        notes: list[str] = []
        for place in range(0, len(calls), together):
            for listing in await _together(*(call() for call in calls[place : place + together])):
                notes += listing.notes
                numbers = (as_int(item.get("id")) for item in listing.items)
                found.update(dict.fromkeys(number for number in numbers if number is not None))
            if limit and len(found) >= limit:
                break
        ids = tuple(found)
        return ListedBills(ids[:limit] if limit else ids, bool(limit and len(ids) > limit), tuple(dict.fromkeys(notes)))

    async def _awindow(self, deputy: int, by: By, first: date, last: date) -> Listing:
        dates = dict(zip(DATE_PARAMETERS[by], (first.isoformat(), last.isoformat()), strict=True))
        return await self.alisting(
            "proposicoes", {"idDeputadoAutor": deputy, **dates, "ordem": "DESC", "ordenarPor": "id"}
        )

    def bills(self, bill_ids: Iterable[int]) -> Iterator[tuple[int, Bill | IrisAssetsError]]:
        """Detail, authors and topics of each bill."""
        return self._client.stream(bill_ids, self.abill)

    async def abill(self, number: int) -> Bill:
        """The three calls of one bill, together. Authors are all of them, ordered: cut them with limit_authors."""
        detail, authors, topics = await _together(
            self.arecord(f"proposicoes/{number}"),
            self.aitems(f"proposicoes/{number}/autores"),
            self.aitems(f"proposicoes/{number}/temas"),
        )
        _same_id(detail, number)
        return Bill(bill_row(detail), ordered_authors(authors), topic_rows(topics))

    # -- the envelope ------------------------------------------------------------------------------------------

    async def arecord(self, path: str) -> Item:
        """The object in `dados`; an empty one is a contract error."""
        answer = await self._client.aget_json(f"{self._base}/{path}")
        data = answer.data.get("dados")
        if not isinstance(data, dict) or not data:
            raise _contract("ENVELOPE_INVALID", f"{shown(answer.url)} has no record in `dados`")
        return data

    async def aitems(self, path: str) -> list[Item]:
        """All entries of a sub-resource; pages are followed when the source makes some."""
        return (await self.alisting(path, {}, unique=False)).items

    async def alisting(self, path: str, parameters: Params, *, unique: bool = True) -> Listing:
        """All pages of a listing: `next` is followed inside the official hosts, never twice to the same page."""
        paged = {**parameters, "itens": self._page_size} if parameters else {}
        answer = await self._first_page(f"{self._base}/{path}", paged)
        listing = Listing([], as_int(answer.headers.get("x-total-count")))
        seen = {address_key(answer.url)}
        while True:
            page = _entries(answer)
            listing.items += page
            link = next_link(answer.data)
            if link is None or not page:
                break
            key = address_key(check_url(link))
            if key in seen:
                raise _contract(
                    "PAGING_LOOP", f"the `next` link of {shown(answer.url)} leads back to a page that was read"
                )
            if len(seen) >= MOST_PAGES:
                raise _contract("PAGING_ENDLESS", f"more than {MOST_PAGES} pages under {shown(answer.url)}")
            seen.add(key)
            answer = await self._client.aget_json(link)
        return _finished(listing, path, unique)

    async def _first_page(self, url: str, parameters: Mapping[str, Any]) -> JsonAnswer:
        """The first page; a parameter that the source refuses by name is dropped, once."""
        try:
            return await self._client.aget_json(url, parameters)
        except SourceContractError as error:
            refused = str(error.details.get("instance") or "")
            # Without its filters a listing would give everybody's records: only paging and order may be dropped.
            if (
                error.code != "SOURCE_REQUEST_REFUSED"
                or refused not in {"itens", "ordem", "ordenarPor"}
                or refused not in parameters
            ):
                raise
            return await self._client.aget_json(url, {k: v for k, v in parameters.items() if k != refused})


def next_link(data: Mapping[str, Any]) -> str | None:
    """The address of `rel=next` in an envelope's `links`."""
    links = data.get("links")
    for link in links if isinstance(links, list) else ():
        if isinstance(link, dict) and link.get("rel") == "next" and link.get("href"):
            return str(link["href"])
    return None


def _entries(answer: JsonAnswer) -> list[Item]:
    data = answer.data.get("dados")
    if not isinstance(data, list) or not all(isinstance(item, dict) for item in data):
        raise _contract("ENVELOPE_INVALID", f"{shown(answer.url)} has no list in `dados`")
    return data


def _finished(listing: Listing, path: str, unique: bool) -> Listing:
    received = len(listing.items)
    if listing.declared is not None and listing.declared != received:
        listing.notes.append(f"{path}: {received} items received, {listing.declared} declared")
    if unique:
        by_id = {item.get("id"): item for item in reversed(listing.items)}
        listing.items = list(reversed(by_id.values()))
    return listing


async def _together(*calls: Any) -> list[Any]:
    """Results of all calls; the first failure cancels the others and is raised alone."""
    tasks = [asyncio.ensure_future(call) for call in calls]
    try:
        return list(await asyncio.gather(*tasks))
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise


def _same_id(detail: Item, number: int) -> None:
    if as_int(detail.get("id")) != number:
        raise _contract("RECORD_INVALID", f"record {number} was asked for, another one was answered")


def _contract(code: str, message: str) -> SourceContractError:
    return SourceContractError(code, message, hint="the Câmara's API changed or is out of order")
