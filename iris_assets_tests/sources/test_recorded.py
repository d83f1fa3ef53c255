"""Real answers of the Câmara, recorded in March 2020, through the client and the parsers; figures counted apart."""

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from iris_assets.errors import IrisAssetsError
from iris_assets.settings import load_settings
from iris_assets.sources.camara_api import CamaraSource, next_link
from iris_assets.sources.camara_records import bill_row, deputy_row, listed_deputies, ordered_authors
from iris_assets.sources.hosts import check_url
from iris_assets.sources.http import HttpClient

pytestmark = pytest.mark.real_data
API = "https://dadosabertos.camara.leg.br/api/v2/"


@pytest.fixture(scope="module")
def recorded(shared_data: Path) -> dict[str, Any]:
    path = shared_data / "replay" / "camara" / "recorded.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return {entry["url"]: entry for entry in map(json.loads, file)}


@pytest.fixture(scope="module")
def client(recorded: dict[str, Any]) -> Iterator[HttpClient]:
    def answer(request: httpx2.Request) -> httpx2.Response:
        entry = recorded[str(request.url)]
        # The bodies are decoded already.
        left_out = ("content-encoding", "transfer-encoding", "content-length")
        headers = {name: value for name, value in entry["headers"].items() if name not in left_out}
        return httpx2.Response(entry["status"], headers=headers, content=entry["body"].encode())

    with HttpClient(load_settings({}), httpx2.MockTransport(answer)) as made:
        yield made


def bodies(recorded: dict[str, Any], pattern: str) -> dict[int, Any]:
    """`dados` by the number in the address."""
    matches = ((re.fullmatch(API + pattern, url), entry) for url, entry in recorded.items())
    return {int(match[1]): json.loads(entry["body"])["dados"] for match, entry in matches if match}


def fetched(client: HttpClient, path: str, numbers: list[int], *, items: bool = False) -> dict[int, Any]:
    source = CamaraSource(client, client.settings)
    ask = source.aitems if items else source.arecord
    found = dict(client.stream(numbers, lambda number: ask(path.format(number))))
    assert not [error for error in found.values() if isinstance(error, IrisAssetsError)]
    return found


def test_every_recorded_bill_becomes_a_row(client: HttpClient, recorded: dict[str, Any]) -> None:
    bills = bodies(recorded, r"proposicoes/(\d+)")
    rows = {number: bill_row(item) for number, item in fetched(client, "proposicoes/{}", list(bills)).items()}
    assert len(rows) == 239
    assert {row["camara_id"] for row in rows.values()} == set(bills)
    repaired = {number for number, row in rows.items() if row["year_repaired"]}
    assert repaired == {number for number, item in bills.items() if not item["ano"]}
    assert len(repaired) == 43
    assert all(row["year"] == row["presentation_date"].year for row in rows.values() if row["year_repaired"])
    assert sum(row["summary"] is None for row in rows.values()) == 18
    assert all(row["type"] and row["title"] for row in rows.values())


def test_every_recorded_list_of_authors_is_ordered_and_whole(client: HttpClient, recorded: dict[str, Any]) -> None:
    lists = bodies(recorded, r"proposicoes/(\d+)/autores")
    rows = {
        number: ordered_authors(items)
        for number, items in fetched(client, "proposicoes/{}/autores", list(lists), items=True).items()
    }
    assert len(rows) == 95
    assert max(len(authors) for authors in rows.values()) == 201
    for number, authors in rows.items():
        names = {" ".join(item["nome"].split()) for item in lists[number]}
        assert {" ".join(author["name"].split()) for author in authors} == names
        signed = [author["signature_order"] or 0 for author in authors if author["is_main_author"]]
        assert signed == sorted(signed)
    everyone = [author for authors in rows.values() for author in authors]
    bodies_without_uri = [author for author in everyone if author["uri"] is None]
    assert bodies_without_uri
    assert all(author["camara_author_id"] is None for author in bodies_without_uri)


def test_every_recorded_deputy_becomes_a_row_without_anything_personal(
    client: HttpClient, recorded: dict[str, Any]
) -> None:
    details = bodies(recorded, r"deputados/(\d+)")
    rows = [deputy_row(item) for item in fetched(client, "deputados/{}", list(details)).values()]
    assert len(rows) == 177
    assert {row["camara_id"] for row in rows} == {item["id"] for item in details.values()}
    assert all(row["civil_name"] and row["status_name"] and row["party"] for row in rows)
    assert all(len(row["state"] or "") == 2 for row in rows)
    kept = json.dumps(rows, default=str)
    for name in ("cpf", "dataNascimento"):
        for value in {str(item.get(name) or "") for item in details.values()} - {""}:
            assert value not in kept


def test_the_recorded_listings_lead_to_official_pages_only(client: HttpClient, recorded: dict[str, Any]) -> None:
    links = 0
    for url, entry in recorded.items():
        link = next_link(json.loads(entry["body"]))
        if link is not None:
            assert check_url(link) == link != url
            links += 1
    assert links >= 3
    (empty,) = [entry for url, entry in recorded.items() if url.endswith("idLegislatura=0")]
    assert listed_deputies(json.loads(empty["body"])["dados"]) == []
