"""The original of a plan over HTTP: the PDF, a page's picture, the boxes of a quote."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from iris_assets.documents import PlanFiles
from iris_assets.web.app import create_app
from iris_assets_tests.answers.world import COLLECTED, build_world
from iris_assets_tests.documents.pdfs import pdf

DATA = pdf([["Capa do plano."], ["Vamos construir vinte creches."]])
HASH = hashlib.sha256(DATA).hexdigest()
ABSENT = "c" * 64


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder: Path = tmp_path_factory.mktemp("documents") / "data"
    settings, store = build_world(folder)
    for document_hash in (HASH, ABSENT):
        row = {
            "document_hash": document_hash, "election_year": 2026, "title": "Plano", "page_count": 2, "text_status": "OK",
            "source_url": "https://cdn.tse.jus.br/planos.zip", "file_name": "a.pdf", "source_collected_at": COLLECTED,
            "raw_text": "[Página 2]\nVamos construir vinte creches.", "page_labels": {"2": "ii"},
        }  # fmt: skip
        with store.transaction() as tx:
            store.documents.upsert(tx, row)
    PlanFiles(folder / "plans").keep(HASH, DATA)
    store.close()
    with TestClient(create_app(settings)) as opened:
        yield opened


def test_the_pdf_is_served_as_it_was_filed(client: TestClient) -> None:
    reply = client.get(f"/api/documents/{HASH}.pdf")
    assert (reply.status_code, reply.content) == (200, DATA)
    assert reply.headers["content-type"] == "application/pdf"
    again = client.get(f"/api/documents/{HASH}.pdf", headers={"If-None-Match": reply.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_a_page_is_a_picture_with_a_tag(client: TestClient) -> None:
    reply = client.get(f"/api/documents/{HASH}/pages/2.png")
    assert reply.status_code == 200 and reply.content.startswith(b"\x89PNG")
    assert "immutable" in reply.headers["cache-control"]
    tag = reply.headers["etag"]
    assert client.get(f"/api/documents/{HASH}/pages/2.png", headers={"If-None-Match": tag}).status_code == 304
    assert client.get(f"/api/documents/{HASH}/pages/1.png").headers["etag"] != tag


def test_a_page_has_its_text_and_the_boxes_of_a_quote(client: TestClient) -> None:
    page = client.get(f"/api/documents/{HASH}/pages/2", params={"quote": "vinte creches"}).json()
    assert (page["number"], page["label"], page["text"]) == (2, "ii", "Vamos construir vinte creches.")
    [[left, top, right, bottom]] = page["boxes"]
    assert 0 < left < right < 1 and 0 < top < bottom < 0.2
    assert page["picture"] == f"/api/documents/{HASH}/pages/2.png"
    assert page["page_count"] == 2 and page["pdf"] == f"/api/documents/{HASH}.pdf"
    assert client.get(f"/api/documents/{HASH}/pages/1").json()["text"] == ""


def test_a_page_whose_file_is_not_kept_has_its_text_alone(client: TestClient) -> None:
    page = client.get(f"/api/documents/{ABSENT}/pages/2", params={"quote": "vinte creches"}).json()
    assert (page["text"], page["picture"], page["pdf"], page["boxes"]) == (
        "Vamos construir vinte creches.", None, None, [],
    )  # fmt: skip


def test_a_document_without_its_text_says_who_filed_it(client: TestClient) -> None:
    found = client.get(f"/api/documents/{HASH}", params={"text": "false"}).json()
    assert found["pages"] == [] and found["page_count"] == 2


@pytest.mark.parametrize(
    ("address", "status", "code"),
    [
        (f"/api/documents/{HASH}/pages/3.png", 404, "PAGE_UNKNOWN"),
        (f"/api/documents/{'0' * 64}.pdf", 404, "DOCUMENT_UNKNOWN"),
        (f"/api/documents/{'0' * 64}/pages/1", 404, "DOCUMENT_UNKNOWN"),
        (f"/api/documents/{ABSENT}.pdf", 404, "DOCUMENT_FILE_ABSENT"),
        (f"/api/documents/{ABSENT}/pages/1.png", 404, "DOCUMENT_FILE_ABSENT"),
    ],
)
def test_what_is_not_there_is_told(client: TestClient, address: str, status: int, code: str) -> None:
    reply = client.get(address)
    assert (reply.status_code, reply.json()["details"]["code"]) == (status, code)
    assert client.get("/api/documents/xyz.pdf").status_code == 400
