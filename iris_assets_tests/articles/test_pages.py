"""Pages from a loopback web site and from files: redirects, sizes, deadlines, private hosts, encodings."""

import codecs
import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from iris_assets.articles import fetching
from iris_assets.articles.fetching import LARGEST_BYTES, REDIRECTS, fetch
from iris_assets.articles.pages import decoded
from iris_assets.cli import app
from iris_assets.errors import IrisAssetsError
from iris_assets_tests.articles import samples
from iris_assets_tests.articles.site import Answer, Site, packed, redirect, site

BODY = "".join(
    f"<p>{line} Texto número {number} da reportagem.</p>" for number, line in enumerate(samples.PARAGRAPHS * 3)
)
PAGE = f"<html lang='pt-BR'><head><title>{samples.TITLE}</title></head><body><article>{BODY}</article></body></html>"


@pytest.fixture
def web() -> Iterator[Site]:
    with site() as found:
        yield found


def code_of(url: str, **options: float | bool) -> str:
    with pytest.raises(IrisAssetsError) as caught:
        fetch(url, **{"private": True, **options})  # type: ignore[arg-type]
    return caught.value.code


def test_a_page_is_followed_to_where_it_stands(web: Site) -> None:
    web.paths = {"/a": redirect("/b?x=1"), "/b?x=1": redirect(f"{web.url}/c"), "/c": Answer(PAGE.encode())}
    page = fetch(f"{web.url}/a#parte", private=True)
    assert (page.url, page.data.decode()) == (f"{web.url}/c", PAGE)
    assert [path for _, path, _, _ in web.requests] == ["/a", "/b?x=1", "/c"]
    web.paths = {"/not%C3%ADcia": packed(PAGE.encode())}
    assert fetch(f"{web.url}/notícia", private=True).data.decode() == PAGE


def test_what_cannot_be_taken_is_refused_with_a_code(web: Site) -> None:
    web.paths = {
        "/loop": redirect("/loop"), "/file": redirect("file:///etc/passwd"), "/gone": Answer(b"", 410),
        "/pdf": Answer(b"%PDF-", headers={"Content-Type": "application/pdf"}),
        "/big": Answer(b"x" * (LARGEST_BYTES + 1)), "/bomb": packed(b"x" * (LARGEST_BYTES + 1)),
        "/br": Answer(b"x", headers={"Content-Type": "text/html", "Content-Encoding": "br"}),
        "/bad": Answer(b"not gzip", headers={"Content-Type": "text/html", "Content-Encoding": "gzip"}),
    }  # fmt: skip
    codes = {path: code_of(f"{web.url}{path}") for path in web.paths}
    assert codes == {
        "/loop": "PAGE_REDIRECTS", "/file": "URL_INVALID", "/gone": "PAGE_STATUS", "/pdf": "PAGE_NOT_HTML",
        "/big": "PAGE_TOO_LARGE", "/bomb": "PAGE_TOO_LARGE", "/br": "PAGE_NOT_HTML", "/bad": "PAGE_UNAVAILABLE",
    }  # fmt: skip
    assert sum(path == "/loop" for _, path, _, _ in web.requests) == REDIRECTS + 1
    assert code_of("ftp://jornal.example/n") == code_of("http://") == code_of("http://[x") == "URL_INVALID"


def test_a_slow_or_silent_host_ends_with_the_deadline(web: Site) -> None:
    web.paths = {"/drip": Answer(b"x" * 200, drip=0.1)}
    started = time.monotonic()
    assert code_of(f"{web.url}/drip", seconds=1.0) == "PAGE_UNAVAILABLE"
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        assert code_of(f"http://127.0.0.1:{silent.getsockname()[1]}/", seconds=0.5) == "PAGE_UNAVAILABLE"
    assert time.monotonic() - started < 6


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "10.0.0.1", "169.254.169.254", "192.168.1.1",
                                  "0.0.0.0", "[::ffff:127.0.0.1]", "224.0.0.1", "2130706433"])  # fmt: skip
def test_a_host_of_the_private_network_is_not_even_asked(host: str) -> None:
    assert code_of(f"http://{host}:9/", private=False) == "PAGE_HOST_PRIVATE"


def test_a_public_page_cannot_redirect_into_the_private_network(web: Site) -> None:
    # The first step stands for a public host: only what follows it is checked as such.
    web.paths = {"/a": redirect(f"{web.url}/secret"), "/secret": Answer(PAGE.encode())}
    target = fetching._once(f"{web.url}/a", True, time.monotonic() + 5)
    assert isinstance(target, str) and code_of(target, private=False) == "PAGE_HOST_PRIVATE"
    assert [path for _, path, _, _ in web.requests] == ["/a"]


TEXT = "Eleição: “não” – três ações"


@pytest.mark.parametrize(
    ("data", "header", "expected"),
    [
        (TEXT.encode(), "", TEXT),
        (TEXT.encode(), "text/html; charset=iso-8859-1", TEXT),  # a wrong declaration does no harm
        (codecs.BOM_UTF8 + TEXT.encode(), "", TEXT),
        (codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"), "", TEXT),
        (codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"), "text/html; charset=utf-8", TEXT),
        (TEXT.encode("cp1252"), "", TEXT),
        (TEXT.encode("cp1252"), "text/html; charset=ISO-8859-1", TEXT),
        (TEXT.encode("cp1252"), "text/html; charset=utf-8", TEXT),
        (TEXT.encode("cp1252"), "text/html; charset=no-such", TEXT),
        ("Ação".encode("cp850"), "text/html; charset=cp850", "Ação"),
        (b"<meta charset=cp850>" + "Ação".encode("cp850"), "", "<meta charset=cp850>Ação"),
        (b'<meta http-equiv="Content-Type" content="text/html; charset=cp850">' + "é".encode("cp850"), "",
         '<meta http-equiv="Content-Type" content="text/html; charset=cp850">é'),
        (b"a\xff\x81z", "text/html; charset=iso-8859-1", "aÿ\ufffdz"),
    ],
)  # fmt: skip
def test_bytes_become_the_text_that_was_meant(data: bytes, header: str, expected: str) -> None:
    assert decoded(data, header) == expected


def test_extract_reads_files_and_addresses_from_the_command_line(web: Site, tmp_path: Path) -> None:
    saved = tmp_path / "página.html"
    saved.write_bytes(PAGE.encode("cp1252"))
    web.paths = {"/n": redirect("/n/1"), "/n/1": Answer(PAGE.encode("cp1252"), headers={"Content-Type": "text/html"})}
    run = CliRunner().invoke
    from_file = run(app, ["extract", str(saved), "--url", "https://jornal.example/n/1", "--json"])
    from_web = run(app, ["extract", f"{web.url}/n", "--allow-private-hosts", "--json"])
    assert (from_file.exit_code, from_web.exit_code) == (0, 0)
    one, two = json.loads(from_file.stdout), json.loads(from_web.stdout)
    assert (one["url"], two["url"]) == ("https://jornal.example/n/1", f"{web.url}/n/1")
    assert one["extractions"] == two["extractions"] and len(one["extractions"]) == 3
    chosen = one["extractions"][one["selected_extractor"]]
    assert samples.PARAGRAPHS[1] in chosen["text"] and one["language"] == "pt-BR"
    assert set(one["agreement"]) == set(one["extractions"])
    for arguments, code in (([str(saved)], "URL_MISSING"), ([str(tmp_path / "no.html"), "--url", "x"], "INPUT_UNREADABLE"),
                            ([f"{web.url}/n"], "PAGE_HOST_PRIVATE")):  # fmt: skip
        done = run(app, ["extract", *arguments])
        assert (done.exit_code, done.stdout) == (2, "") and code in done.stderr


@pytest.mark.parametrize(
    "address", ["64:ff9b::a00:1", "64:ff9b:1::a00:1", "2002:a00:1::1", "::ffff:10.0.0.1", "::ffff:8.8.8.8", "::7f00:1"]
)
def test_an_address_that_carries_another_one_is_private(address: str) -> None:
    assert code_of(f"http://[{address}]:9/", private=False) == "PAGE_HOST_PRIVATE"
