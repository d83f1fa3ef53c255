"""The HTTP client: which hosts, which headers, which tries, which names for what went wrong."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import httpx2
import pytest

from iris_assets import __version__
from iris_assets.errors import IrisAssetsError, SourceContractError, SourceUnavailableError
from iris_assets.retry_after import parse_retry_after
from iris_assets.sample.faults import CUT, DROP, HTML, TRUNCATE, Fault
from iris_assets.sample.reply import Reply, json_reply
from iris_assets.settings import load_settings
from iris_assets.sources.hosts import address_key, check_url
from iris_assets.sources.http import HttpClient
from iris_assets_tests.sources.conftest import World

PATH = "/api/v2/deputados/990001"
URL = f"https://dadosabertos.camara.leg.br{PATH}"


def client_of(handler: Callable[[httpx2.Request], httpx2.Response]) -> HttpClient:
    return HttpClient(load_settings({}), httpx2.MockTransport(handler), sleep=lambda seconds: None)


@pytest.mark.parametrize(
    "url",
    [
        "http://cdn.tse.jus.br/a.zip",
        "https://example.org/a.zip",
        "https://cdn.tse.jus.br.example.org/a.zip",
        "https://cdn.tse.jus.br:8443/a.zip",
        "https://user:secret@cdn.tse.jus.br/a.zip",
        "https://cdn.tse.jus.br\\@example.org/",
        "file:///etc/passwd",
    ],
)
def test_other_addresses_are_refused_before_anything_is_sent(url: str) -> None:
    with pytest.raises(SourceContractError) as caught:
        check_url(url)
    assert caught.value.code == "URL_NOT_ALLOWED"
    assert "secret" not in str(caught.value)


def test_exactly_the_three_headers_are_sent_and_cookies_never_come_back() -> None:
    seen: list[dict[str, str]] = []

    def handler(request: httpx2.Request) -> httpx2.Response:
        seen.append(dict(request.headers))
        return httpx2.Response(200, json={"dados": {}}, headers={"set-cookie": "a=b; Path=/"})

    with client_of(handler) as client:
        client.get_json(URL)
        client.get_json(URL)
    for headers in seen:
        assert headers.pop("host") == "dadosabertos.camara.leg.br"
        assert headers == {
            "accept": "application/json",
            "user-agent": f"Mozilla/5.0 (compatible; iris-assets/{__version__})",
            "accept-encoding": "gzip, deflate",
        }


def test_every_redirect_hop_is_checked() -> None:
    def handler(request: httpx2.Request) -> httpx2.Response:
        if request.url.path == "/api/v2/a":
            return httpx2.Response(302, headers={"location": "/api/v2/b"})
        return httpx2.Response(302, headers={"location": "https://example.org/c"})

    with client_of(handler) as client, pytest.raises(SourceContractError) as caught:
        client.get_json("https://dadosabertos.camara.leg.br/api/v2/a")
    assert caught.value.code == "URL_NOT_ALLOWED"
    assert client.calls == 2


def test_endless_redirects_end() -> None:
    client = client_of(lambda r: httpx2.Response(302, headers={"location": str(r.url)}))
    with client, pytest.raises(SourceContractError) as caught:
        client.get_json(URL)
    assert (caught.value.code, client.calls) == ("TOO_MANY_REDIRECTS", 6)


XML = Fault(Reply(200, b'<?xml version="1.0"?><erro><codigo>500</codigo></erro>'))
ERROR_BESIDE_DATA = Fault(json_reply({"dados": {"id": 1}, "erroCorpo": {"codigo": 500}}))
FAULTS: list[tuple[list[Any], str | None, int]] = [
    ([503, 500], None, 3),
    ([429, 502, 504], None, 4),
    ([DROP, TRUNCATE], None, 3),
    ([503] * 4, "SOURCE_UNAVAILABLE", 4),
    ([429] * 4, "SOURCE_RATE_LIMITED", 4),
    ([DROP] * 4, "SOURCE_UNAVAILABLE", 4),
    ([403], None, 2),
    ([403, 403], "SOURCE_FORBIDDEN", 2),
    ([404], "SOURCE_NOT_FOUND", 1),
    ([400], "SOURCE_REQUEST_REFUSED", 1),
    ([HTML], "SOURCE_NOT_JSON", 1),
    ([CUT, Fault(Reply(200, b""))], None, 3),
    ([CUT] * 4, "SOURCE_JSON_INVALID", 4),
    ([XML], None, 2),
    ([XML] * 4, "SOURCE_NOT_JSON", 4),
    ([ERROR_BESIDE_DATA], None, 2),
    ([ERROR_BESIDE_DATA] * 4, "SOURCE_ERROR_BODY", 4),
    ([Fault(Reply(200, b"[1]"))], "SOURCE_JSON_ROOT", 1),
]


@pytest.mark.parametrize(("faults", "code", "calls"), FAULTS)
@pytest.mark.parametrize("face", ["sync", "async"])
def test_what_is_tried_again_and_how_often(
    world: World, faults: list[Any], code: str | None, calls: int, face: str
) -> None:
    world.faults.script(PATH, faults)

    def ask() -> Any:
        return world.client.get_json(URL) if face == "sync" else world.client.run(world.client.aget_json(URL))

    if code is None:
        assert ask().data["dados"]["id"] == 990001
    else:
        with pytest.raises(IrisAssetsError) as caught:
            ask()
        assert caught.value.code == code
        assert isinstance(caught.value, SourceUnavailableError if calls > 1 else SourceContractError)
    assert world.client.calls == calls
    assert len(world.waits) >= calls - 1


def test_a_retry_says_nothing_on_stdout(world: World, capfd: pytest.CaptureFixture[str]) -> None:
    """The JSON of a command is read from there."""
    world.faults.script(PATH, [Fault(503), Fault(429, "0")])
    world.client.get_json(URL)
    world.faults.script(PATH, [Fault(503)])
    world.client.run(world.client.aget_json(URL))
    assert capfd.readouterr().out == ""


def test_the_html_page_is_named_with_its_length_and_first_bytes(world: World) -> None:
    world.faults.script(PATH, [HTML])
    with pytest.raises(SourceContractError, match=r"an HTML page \(\d+ bytes, begins '<!DOCTYPE html>"):
        world.client.get_json(URL)


def test_retry_after_is_obeyed_and_a_long_one_is_not_waited_for(world: World) -> None:
    world.faults.script(PATH, [Fault(429, "7")])
    world.client.get_json(URL)
    assert world.waits == [7.0]
    world.faults.script(PATH, [Fault(503, "3600")])
    with pytest.raises(SourceUnavailableError):
        world.client.get_json(URL)
    assert world.waits == [7.0]


def test_retry_after_as_seconds_and_as_http_date() -> None:
    now = datetime(2026, 8, 15, 12, 0, 0, tzinfo=UTC)
    assert parse_retry_after("30") == 30
    assert parse_retry_after("Sat, 15 Aug 2026 12:01:30 GMT", now) == 90
    assert parse_retry_after("Sat, 15 Aug 2026 11:00:00 GMT", now) == 0
    assert parse_retry_after("1.5") == 1.5
    assert parse_retry_after("-3") == 0
    assert parse_retry_after("soon") is parse_retry_after("inf") is parse_retry_after("") is None
    assert parse_retry_after(None) is None


def test_complaints_halve_the_calls_in_flight_and_good_answers_bring_them_back(
    make_world: Callable[..., World],
) -> None:
    world = make_world(camara_http_workers=8)
    world.faults.script(PATH, [Fault(429, "2")])
    world.client.run(world.client.aget_json(URL))
    assert world.client.limiter.limit == 4
    for _ in range(40):
        world.client.run(world.client.aget_json(URL))
    assert world.client.limiter.limit == 8


def test_addresses_are_compared_by_parsed_parameters() -> None:
    assert address_key("https://h/a?x=1&y=2") == address_key("https://h/a?y=2&x=1")
    assert address_key("https://h/a?x=1") != address_key("https://h/a?x=2")


def test_a_reply_can_be_scripted_whole(world: World) -> None:
    world.faults.script(PATH, [Fault(json_reply({"dados": {"id": 5}}))])
    assert world.client.get_json(URL).data == {"dados": {"id": 5}}
