"""How replies travel: versioned addresses, HEAD, compression, tags, pages of other origins, proxies."""

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from iris_assets.errors import ConfigurationError
from iris_assets.settings import load_settings
from iris_assets.web.app import create_app
from iris_assets_tests.answers.world import ANA, build_world


def test_both_addresses_of_a_route_answer_alike(client: TestClient) -> None:
    assert client.get(f"/api/v1/candidates/{ANA}").json() == client.get(f"/api/candidates/{ANA}").json()
    assert client.post("/api/v1/search", json={"query": "creches"}).status_code == 200


@pytest.mark.parametrize("path", ["/api/health", "/api/v1/coverage", "/", "/sobre", "/static/app.css"])
def test_head_tells_what_get_would_send(client: TestClient, path: str) -> None:
    plain = {"Accept-Encoding": "identity"}
    head, whole = client.head(path, headers=plain), client.get(path, headers=plain)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == str(len(whole.content))


def test_a_client_that_has_a_reply_gets_304_until_it_changes(client: TestClient) -> None:
    first = client.get("/api/candidates")
    assert first.headers["cache-control"] == "no-cache"
    again = client.get("/api/candidates", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = client.get("/api/candidates?page_size=1", headers={"If-None-Match": first.headers["etag"]})
    assert other.status_code == 200 and other.headers["etag"] != first.headers["etag"]
    assert "etag" not in client.get("/api/candidates/0").headers


def test_replies_are_compressed_for_whoever_accepts_it_and_events_are_not(client: TestClient) -> None:
    accepted = {"Accept-Encoding": "gzip"}
    assert client.get("/static/app.css", headers=accepted).headers["content-encoding"] == "gzip"
    assert "content-encoding" not in client.get("/static/app.css", headers={"Accept-Encoding": "identity"}).headers
    events = client.post("/api/ask", json={"question": "creches"}, headers={**accepted, "Accept": "text/event-stream"})
    assert "content-encoding" not in events.headers and "event: answer" in events.text


def test_pages_of_named_origins_alone_may_use_the_api(tmp_path: Path) -> None:
    settings, store = build_world(tmp_path / "data", cors_origins="https://redacao.example, https://outra.example")
    store.close()
    with TestClient(create_app(settings)) as client:
        for origin, allowed in (("https://outra.example", "https://outra.example"), ("https://mal.example", None)):
            reply = client.get("/api/health", headers={"Origin": origin})
            assert reply.headers.get("access-control-allow-origin") == allowed


@pytest.mark.parametrize("wrong", [{"CORS_ORIGINS": "redacao.example"}, {"TRUSTED_PROXIES": "proxy.local"}])
def test_a_mistyped_origin_or_proxy_is_refused_at_start(wrong: dict[str, str]) -> None:
    with pytest.raises(ConfigurationError):
        load_settings(wrong)


def test_brotli_is_preferred_to_gzip_and_events_are_not_held_back(client: TestClient) -> None:
    packed = client.get("/static/app.css", headers={"Accept-Encoding": "gzip, br"})
    assert packed.headers["content-encoding"] == "br" and ".legend" in packed.text
    events = client.post(
        "/api/ask", json={"question": "creches"}, headers={"Accept": "text/event-stream", "Accept-Encoding": "br"}
    )
    assert "content-encoding" not in events.headers and events.text.startswith("event: ")
