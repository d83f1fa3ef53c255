"""The Câmara's API v2: listings that are followed page by page, and single records fetched together under one limit."""

import asyncio
import json
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
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
    make_bill,
)
from iris_assets.sources.hosts import address_key, check_url, shown
from iris_assets.sources.http import HttpClient, Params

By = Literal["presentation", "procedure"]
DATE_PARAMETERS: Final[dict[By, tuple[str, str]]] = {
    "presentation": ("dataApresentacaoInicio", "dataApresentacaoFim"),
    "procedure": ("dataInicio", "dataFim"),
}
MOST_PAGES: Final = 2000
MOST_READINGS: Final = 3
Same = Callable[[Item], Hashable]


def _id_of(item: Item) -> Hashable:
    return as_int(item.get("id"))


def _whole(item: Item) -> Hashable:
    """The listing of deputies repeats an id for each party and legislature: only equal entries are doubles."""
    return json.dumps(item, sort_keys=True)


@dataclass(slots=True)
class Listing:
    """All items of a listing, doubles removed, with what was odd about it; `missing` of those declared never came."""

    items: list[Item]
    declared: int | None
    notes: list[str] = field(default_factory=list)
    missing: int = 0


@dataclass(frozen=True, slots=True)
class DeputyRecords:
    """One deputy as fetched: the row for identity, and the history rows within the window."""

    deputy: DeputyRow
    history: list[HistoryRow]


@dataclass(frozen=True, slots=True)
class ListedBills:
    """Ids of the bills that the API lists for a deputy, newest window first; `more`: the limit cut the list.

    `missing`: how many bills the listings declared and never gave.
    """

    bill_ids: tuple[int, ...]
    more: bool
    notes: tuple[str, ...] = ()
    missing: int = 0


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

    def deputies(self, first: date, last: date) -> tuple[list[ListedDeputy], Listing]:
        """Every deputy of the window, and the listing that they come from."""
        parameters = {
            "dataInicio": first.isoformat(),
            "dataFim": last.isoformat(),
            "ordem": "ASC",
            "ordenarPor": "nome",
        }
        listing: Listing = self._client.run(self.alisting("deputados", parameters, same=_whole))
        return listed_deputies(listing.items), listing

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
        missing = 0
        for place in range(0, len(calls), together):
            for listing in await _together(*(call() for call in calls[place : place + together])):
                notes += listing.notes
                missing += listing.missing
                numbers = (as_int(item.get("id")) for item in listing.items)
                found.update(dict.fromkeys(number for number in numbers if number is not None))
            if limit and len(found) >= limit:
                break
        ids = tuple(found)
        chosen, more = (ids[:limit] if limit else ids), bool(limit and len(ids) > limit)
        return ListedBills(chosen, more, tuple(dict.fromkeys(notes)), missing)

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
        return make_bill(bill_row(detail), authors, topics)

    # -- the envelope ------------------------------------------------------------------------------------------

    async def arecord(self, path: str) -> Item:
        """The object in `dados`; an empty one is a contract error."""
        answer = await self._client.aget_json(f"{self._base}/{path}")
        data = answer.data.get("dados")
        if not isinstance(data, dict) or not data:
            raise _contract("ENVELOPE_INVALID", f"{shown(answer.url)} has no record in `dados`")
        return data

    async def aitems(self, path: str) -> list[Item]:
        """All entries of a sub-resource, doubles included; an incomplete one raises LISTING_INCOMPLETE."""
        listing = await self.alisting(path, {}, same=None)
        if listing.missing:
            raise _contract("LISTING_INCOMPLETE", listing.notes[-1])
        return listing.items

    async def alisting(self, path: str, parameters: Params, *, same: Same | None = _id_of) -> Listing:
        """All pages of a listing; items for which `same` gives the same key are one.

        Pages shift when the source changes while they are read: fewer items than it declares, doubles removed, are
        read again, and what all readings gave together counts.
        """
        listing = await self._reading(path, parameters, same)
        readings = 1
        while listing.missing and readings < MOST_READINGS:
            listing = _merged(listing, await self._reading(path, parameters, same), same)
            readings += 1
        if listing.missing:
            listing.notes.append(
                f"{path}: {listing.missing} of {listing.declared} items missing after {readings} readings"
            )
        elif readings > 1:
            listing.notes.append(f"{path}: pages shifted while they were read, complete after {readings} readings")
        return listing

    async def _reading(self, path: str, parameters: Params, same: Same | None) -> Listing:
        """Pages are followed by `next` inside the official hosts, never twice to the same page."""
        paged = {**parameters, "itens": self._page_size} if parameters else {}
        answer = await self._first_page(f"{self._base}/{path}", paged)
        items: list[Item] = []
        declared = as_int(answer.headers.get("x-total-count"))
        seen = {address_key(answer.url)}
        while True:
            page = _entries(answer)
            items += page
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
            declared = as_int(answer.headers.get("x-total-count")) or declared
        return _counted(items, declared, same)

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


def _counted(items: list[Item], declared: int | None, same: Same | None) -> Listing:
    if same is not None:
        first: dict[Hashable, Item] = {}
        for item in items:
            first.setdefault(same(item), item)
        items = list(first.values())
    return Listing(items, declared, missing=max(0, (declared or 0) - len(items)))


def _merged(before: Listing, now: Listing, same: Same | None) -> Listing:
    """The last reading and, by their keys, what only the ones before it gave."""
    return now if same is None else _counted([*now.items, *before.items], now.declared, same)


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
