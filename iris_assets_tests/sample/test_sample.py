"""The synthetic sample is the same every time, and a folder that is none is refused."""

import hashlib
from pathlib import Path

import httpx2
import pytest

from iris_assets.errors import ConfigurationError
from iris_assets.sample.generator import generate
from iris_assets.sample.simulator import replay_transport


def digest(folder: Path) -> str:
    parts = [
        p.relative_to(folder).as_posix().encode() + p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()
    ]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    generate(tmp_path / "a")
    generate(tmp_path / "b")
    generate(tmp_path / "c", seed=7)
    assert digest(tmp_path / "a") == digest(tmp_path / "b") != digest(tmp_path / "c")


def test_a_folder_that_is_no_replay_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="REPLAY_FOLDER_MISSING"):
        replay_transport(tmp_path / "absent")


def test_the_content_network_answers_ranges_and_304_and_refuses_head(tmp_path: Path) -> None:
    generate(tmp_path)
    url = "https://cdn.tse.jus.br/estatistica/sead/odsele/consulta_cand/consulta_cand_2026.zip"
    with httpx2.Client(transport=replay_transport(tmp_path)) as client:
        whole = client.get(url)
        assert whole.content.startswith(b"PK\x03\x04")
        part = client.get(url, headers={"Range": "bytes=0-3"})
        assert (part.status_code, part.content) == (206, b"PK\x03\x04")
        assert client.get(url, headers={"If-None-Match": whole.headers["etag"]}).status_code == 304
        assert client.head(url).status_code == 403


def test_pages_links_and_totals_of_the_api(tmp_path: Path) -> None:
    generate(tmp_path)
    with httpx2.Client(transport=replay_transport(tmp_path)) as client:
        answer = client.get("https://dadosabertos.camara.leg.br/api/v2/deputados?itens=4&pagina=2&ordem=ASC")
        assert answer.headers["x-total-count"] == "10"
        assert answer.headers["link"].endswith(",")
        assert {link["rel"] for link in answer.json()["links"]} == {"self", "next", "first", "last"}
        refused = client.get("https://dadosabertos.camara.leg.br/api/v2/proposicoes?idLegislatura=57")
        assert (refused.status_code, refused.json()["instance"]) == (400, "idLegislatura")
        assert client.get("https://dadosabertos.camara.leg.br/api/v2/deputados/1/historico").json()["dados"] == []
        assert client.get("https://dadosabertos.camara.leg.br/api/v2/deputados/1").status_code == 404
