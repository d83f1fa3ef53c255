"""The addresses of the page: each has a title and a description of what it shows, escaped; what is not there is 404."""

import pytest
from fastapi.testclient import TestClient

from iris_assets_tests.answers.world import ANA


def test_an_answer_is_described_by_its_question_and_text(client: TestClient) -> None:
    answer = client.post("/api/ask", json={"question": 'O que dizem sobre "creches" <b>?'}).json()
    page = client.get(f"/r/{answer['answer_id']}")
    assert page.status_code == 200
    assert "<title>O que dizem sobre &quot;creches&quot; &lt;b&gt;? · Registros políticos oficiais</title>" in page.text
    assert '<meta property="og:description" content="' in page.text and "<script>alert" not in page.text
    assert client.get(f"/respostas/{answer['answer_id']}").text == page.text


@pytest.mark.parametrize(
    ("path", "status", "title"),
    [
        ("/?q=creches&c=1&utm_source=x", 200, "creches · "),
        (f"/candidatura/2026/{ANA}", 200, "ANA SOUZA — GOVERNADOR — PXA/SP · 10 · "),
        ("/proposicao/pl-1234-2023", 200, "PL 1234/2023 · "),
        ("/comparar?c=1&tema=creches", 200, "Comparação sobre creches · "),
        ("/busca?q=creches", 200, ""),
        ("/cobertura", 200, ""),
        ("/r/nothing", 404, ""),
        ("/candidatura/2022/1", 404, ""),
        ("/proposicao/PL-9-2023", 404, ""),
        ("/proposicao/x", 404, ""),
        ("/documento/x", 404, ""),
    ],
)
def test_every_address_has_the_title_of_what_it_shows(client: TestClient, path: str, status: int, title: str) -> None:
    page = client.get(path)
    assert page.status_code == status and "text/html" in page.headers["content-type"]
    assert f"<title>{title}Registros políticos oficiais</title>" in page.text


def test_the_page_weighs_less_than_90_kilobytes(client: TestClient) -> None:
    """Everything that a first visit loads, uncompressed."""
    names = "app.css main.js router.js dom.js api.js ask.js answer.js source.js page.js filters.js combobox.js profile.js figures.js"
    names += " compare.js bill.js search.js coverage.js icon.svg"
    parts = [client.get("/"), *(client.get(f"/static/{name}") for name in names.split())]
    assert all(part.status_code == 200 for part in parts)
    assert sum(len(part.content) for part in parts) < 90_000
