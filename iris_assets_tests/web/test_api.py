"""The routes and their errors: one shape for every status, nothing personal, the OpenAPI that holds."""

import csv
import io
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2
import pytest
import schemathesis
from fastapi import FastAPI
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, settings

from iris_assets.settings import Settings
from iris_assets.web.app import create_app
from iris_assets.web.routes_documents import LONGEST_QUOTE
from iris_assets.words.messages import failure
from iris_assets_tests.answers.fake_llm import fake_model
from iris_assets_tests.answers.world import ANA, BRUNO, CELIA, build_world

QUESTION = "O que os planos dizem sobre creches?"


def test_health_tells_the_state_of_the_store(client: TestClient) -> None:
    body = client.get("/api/health").json()
    assert body["status"] == "ok" and body["store"] == "sqlite" and body["pending_vectors"] == 3
    assert body["generation"] is False and body["schema_version"]


def test_candidates_are_found_without_accents_in_ballot_order(client: TestClient) -> None:
    everyone = client.get("/api/candidates").json()
    assert [item["ballot_name"] for item in everyone["items"]] == ["ANA SOUZA", "BRUNO LIMA", "CÉLIA"]
    assert everyone["items"][0]["label"] == "ANA SOUZA — GOVERNADOR — PXA/SP · 10"
    assert client.get("/api/candidates", params={"name": "celia"}).json()["total"] == 1
    assert client.get("/api/candidates", params={"party": "PXB"}).json()["items"][0]["tse_id"] == BRUNO


def test_several_values_are_alternatives_and_a_result_lists_only_whom_the_court_lists(client: TestClient) -> None:
    both = client.get("/api/candidates", params={"party": ["PXB", "PXC"], "year": [2026]}).json()
    assert [item["tse_id"] for item in both["items"]] == [BRUNO, CELIA]
    deputies = client.get("/api/candidates", params={"office": ["GOVERNADOR", "DEPUTADO ESTADUAL"]}).json()
    assert deputies["total"] == 3  # of an office of which nobody is stored there is nobody
    typo = client.get("/api/candidates", params={"office": ["GOVERNADOR", "DEPUTADO"]}).json()
    assert typo["details"]["code"] == "OFFICE_UNKNOWN"
    assert client.get("/api/candidates", params={"registration": "DEFERIDO", "listed": True}).json()["total"] == 3
    assert client.get("/api/candidates", params={"result": "ELEITO"}).json()["total"] == 0


def test_a_count_of_bills_opens_the_bills_that_were_counted(client: TestClient) -> None:
    [count] = client.post("/api/ask", json={"question": "Quantos PLs de 2023 tem Ana Souza?"}).json()["sources"]
    listed = client.get(count["list_url"]).json()
    assert [bill["reference"] for bill in listed["items"]] == ["PL 1234/2023"] and "1 " in count["quote"]
    [count] = client.post("/api/ask", json={"question": "Quantas proposições de 2023 há?"}).json()["sources"]
    assert client.get(count["list_url"]).json()["items"] == [{"reference": "PL 1234/2023"}]
    assert client.get("/api/propositions", params={"bill_year": 2022}).json()["total"] == 0
    address = f"/api/candidates/{ANA}/propositions"
    for other in ({"type": "PEC"}, {"bill_year": 2022}, {"topic": "Turismo"}):
        assert client.get(address, params=other).json()["total"] == 0


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("souza ana", [ANA]),
        ("li", [BRUNO]),  # Lima begins so; Célia only holds it
        ("elia", [CELIA]),  # nobody's name begins so
        ("nunes celia", [CELIA]),
        ("PXB", [BRUNO]),
        ("30", [CELIA]),
        ("lima sp governador", [BRUNO]),
        ("ana pxb", []),
        ("%", [ANA, BRUNO, CELIA]),  # no letters: no restriction, never a wildcard
    ],
)
def test_people_are_found_by_words_in_any_order(client: TestClient, words: str, found: list[str]) -> None:
    listed = client.get("/api/candidates", params={"name": words}).json()["items"]
    assert [item["tse_id"] for item in listed] == found


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({"party": "pxb"}, [BRUNO]),
        ({"state": "sp", "office": "governadora", "party": "pxa"}, [ANA]),
        ({"state": "São Paulo", "office": "Governador", "party": "PXB"}, [BRUNO]),
        ({"party": "PXC"}, [CELIA]),
        ({"state": "XX"}, []),
    ],
)
def test_filters_in_any_case_by_sigla_or_name_in_every_route(
    client: TestClient, filters: dict[str, str], found: list[str]
) -> None:
    listed = client.get("/api/candidates", params=filters).json()["items"]
    assert [item["tse_id"] for item in listed] == found
    names = {"state": "states", "party": "parties", "office": "offices"}
    body = {names[key]: [value] for key, value in filters.items()}
    results = client.post("/api/search", json={"query": "creches", "filters": body}).json()["results"]
    assert {one["tse_id"] for result in results for one in result["candidates"]} <= set(found) | {ANA, BRUNO}
    assert all(set(found) & {one["tse_id"] for one in result["candidates"]} for result in results)
    answer = client.post("/api/ask", json={"question": "Quantos candidatos há?", "filters": body}).json()
    assert f" {len(found)} candidatura" in answer["answer"]


def test_a_value_that_no_record_has_is_refused_with_the_known_ones_in_every_route(client: TestClient) -> None:
    listed = client.get("/api/candidates", params={"party": "NADA"})
    searched = client.post("/api/search", json={"query": "creches", "filters": {"offices": ["vereador"]}})
    asked = client.post("/api/ask", json={"question": "creches?", "filters": {"years": [2002]}})
    for reply, code, known in (
        (listed, "PARTY_UNKNOWN", "PXA"), (searched, "OFFICE_UNKNOWN", "GOVERNADOR"), (asked, "YEAR_UNKNOWN", "2026"),
    ):  # fmt: skip
        body = reply.json()
        assert (reply.status_code, body["code"]) == (409, code) and known in body["details"]["hint"]


def test_a_candidate_has_a_profile_bills_history_and_documents(client: TestClient) -> None:
    profile = client.get(f"/api/candidates/{ANA}").json()
    assert profile["proposition_count"] == 1 and profile["document_count"] == 1
    assert profile["match_text"] == "ainda não comparada com os registros da Câmara"
    bill = client.get(f"/api/candidates/{ANA}/propositions").json()["items"][0]
    assert bill["reference"] == "PL 1234/2023"
    assert [(a["name"], a["is_main_author"]) for a in bill["authors"]] == [("ANA SOUZA", True), ("BRUNO LIMA", False)]
    assert client.get(f"/api/candidates/{ANA}/history").json() == {"items": [], "total": 0}
    document = client.get(f"/api/candidates/{ANA}/documents").json()["items"][0]
    pages = client.get(f"/api/documents/{document['document_hash']}").json()
    assert [page["number"] for page in pages["pages"]] == [1, 2] and "20 creches" in pages["pages"][1]["text"]
    assert "id" not in profile and "camara_deputy_id" in profile


def test_search_keeps_its_scores_apart(client: TestClient) -> None:
    result = client.post("/api/search", json={"query": "creches", "mode": "lexical"}).json()["results"][0]
    assert result["scores"]["lexical_rank"] == 1 and result["scores"]["vector_similarity"] is None


def test_the_coverage_says_what_is_stored_and_how_its_collection_ended(client: TestClient) -> None:
    found = client.get("/api/coverage").json()
    [election] = found["elections"]
    assert (election["year"], election["candidates"], election["states"]) == (2026, 3, {"SP": 3})
    assert election["plans"] == {"with_text": 2, "image_only": 0, "missing": 1}  # Célia filed none
    assert (found["bills"], found["bills_by_year"], found["topics"]) == (1, {"2023": 1}, ["Meio Ambiente"])
    assert [(one["what"], one["partition"], one["status"]) for one in found["collections"]] == [
        ("candidaturas", "SP", "concluída")
    ]


def test_a_search_by_meaning_without_vectors_is_refused(client: TestClient) -> None:
    reply = client.post("/api/search", json={"query": "creches", "mode": "vector"})
    assert (reply.status_code, reply.json()["code"]) == (409, "VECTORS_ABSENT")


def test_an_answer_and_its_permalink_are_equal(client: TestClient) -> None:
    answer = client.post("/api/ask", json={"question": QUESTION}).json()
    assert client.get(f"/api/answers/{answer['answer_id']}").json() == answer
    assert {"answer", "sources", "removed", "candidate", "intent", "strategy", "prompt", "timings", "notices"} <= set(
        answer
    )
    assert set(answer["timings"]) == {"plan", "lexical", "vector", "context", "generation"}
    assert all(isinstance(source["cited"], bool) for source in answer["sources"])


def test_events_bring_the_text_only_at_the_end(client: TestClient) -> None:
    with client.stream(
        "POST", "/api/ask", json={"question": QUESTION}, headers={"Accept": "text/event-stream"}
    ) as reply:
        blocks = "".join(reply.iter_text()).strip().split("\n\n")
    events = [block.split("\n")[0] for block in blocks]
    assert events == ["event: progress"] * 3 + ["event: answer"]
    assert not any("creches" in block for block in blocks[:-1])
    assert "creches" in json.loads(blocks[-1].split("data: ", 1)[1])["answer"]


def test_a_chosen_reading_is_followed_but_for_a_refusal(client: TestClient) -> None:
    question = {"question": "O que Ana Souza diz sobre creches?"}
    plain = client.post("/api/ask", json=question).json()
    as_bills = client.post("/api/ask", json={**question, "reading": "bills"}).json()
    assert (plain["understood"]["intent"], as_bills["understood"]["intent"]) == ("plan", "bills")
    assert plain["answer_id"] != as_bills["answer_id"]
    refused = client.post("/api/ask", json={"question": "Em quem devo votar?", "reading": "plan"}).json()
    assert refused["strategy"] == "refused" or refused["intent"] == "refused"
    assert client.post("/api/ask", json={**question, "reading": "refuse"}).status_code == 400


def test_an_unknown_candidate_in_events_is_an_error_event(client: TestClient) -> None:
    body = {"question": QUESTION, "candidate": "999"}
    reply = client.post("/api/ask", json=body, headers={"Accept": "text/event-stream"}).text
    assert reply.startswith("event: progress") and '"error": "not_found"' in reply


def test_comparison_is_in_ballot_order_and_exports_the_same_table(client: TestClient) -> None:
    query = {"candidate": [CELIA, BRUNO, ANA], "topic": "creches"}
    result = client.get("/api/comparison", params=query).json()
    assert [c["candidate"]["ballot_name"] for c in result["columns"]] == ["ANA SOUZA", "BRUNO LIMA", "CÉLIA"]
    rows = list(csv.reader(io.StringIO(client.get("/api/comparison", params={**query, "format": "csv"}).text)))
    assert rows[0] == ["", *(c["candidate"]["label"] for c in result["columns"])]
    assert (
        rows[-1][0] == "Sobre: creches"
        and "20 creches" in rows[-1][1]
        and rows[-1][3].startswith("sem plano registrado")
    )
    markdown = client.get("/api/comparison", params={**query, "format": "markdown"}).text
    assert markdown.count("\n| ") == 8 and "<script>" not in markdown.replace("\\<", "")
    assert client.get("/api/comparison", params={"candidate": [ANA, ANA]}).status_code == 400


def test_a_cell_that_looks_like_a_formula_is_exported_as_text(client: TestClient) -> None:
    query = {"candidate": [ANA, BRUNO], "topic": "=1+1 creches", "format": "csv"}
    assert "\n=1" not in client.get("/api/comparison", params=query).text


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "error"),
    [
        ("GET", "/api/nothing", None, 404, "not_found"),
        ("GET", "/nothing", None, 404, "not_found"),
        ("GET", "/static/../app.py", None, 404, "not_found"),
        ("GET", "/static/%2e%2e/app.py", None, 404, "not_found"),
        ("GET", "/static/..%2f..%2fsettings.py", None, 404, "not_found"),
        ("GET", "/api/candidates/0", None, 404, "not_found"),
        ("GET", "/api/candidates/..%2f..", None, 404, "not_found"),
        ("GET", "/api/documents/" + "0" * 64, None, 404, "not_found"),
        ("GET", "/api/documents/x", None, 400, "invalid_request"),
        ("GET", "/api/answers/00000000-0000-0000-0000-000000000000", None, 404, "not_found"),
        ("GET", "/api/candidates?page=0", None, 400, "invalid_request"),
        ("GET", "/api/candidates?nome=ana", None, 400, "invalid_request"),
        ("POST", "/api/search?top_k=3", {"query": "creches"}, 400, "invalid_request"),
        ("GET", "/api/v2/candidates", None, 404, "not_found"),
        ("DELETE", "/api/candidates", None, 405, "method_not_allowed"),
        ("POST", "/api/ask", {}, 400, "invalid_request"),
        ("POST", "/api/ask", {"question": "   "}, 400, "invalid_request"),
        ("POST", "/api/ask", {"question": "x" * 4001}, 400, "invalid_request"),
        ("POST", "/api/ask", {"question": "creches", "candidate": "0"}, 404, "not_found"),
        ("POST", "/api/ask", {"question": "creches", "extra": 1}, 400, "invalid_request"),
        ("POST", "/api/search", {"query": "x", "top_k": 51}, 400, "invalid_request"),
        ("POST", "/api/search", {"query": "x", "top_k": "8"}, 400, "invalid_request"),
        ("POST", "/api/search", {"query": "x" * 200_000}, 413, "payload_too_large"),
    ],
)
def test_failures_have_one_shape(
    client: TestClient, method: str, path: str, body: object, status: int, error: str
) -> None:
    reply = client.request(method, path, json=body)
    assert reply.status_code == status, reply.text
    assert reply.json()["error"] == error and reply.headers["content-type"] == "application/problem+json"
    code = reply.json()["code"]
    assert reply.json()["message"] == reply.json()["detail"] == failure(code, status, "pt")
    english = client.request(method, path, json=body, headers={"Accept-Language": "en-GB,pt;q=0.4"}).json()
    assert english["message"] == failure(code, status, "en")
    assert "Traceback" not in reply.text


def test_a_body_without_declared_length_is_cut_off_too(client: TestClient) -> None:
    reply = client.post("/api/search", content=(b"x" * 10_000 for _ in range(100)))
    assert reply.status_code == 413


def test_the_excess_gets_429_with_a_time_to_wait(tmp_path: Path) -> None:
    settings_, store = build_world(tmp_path / "data")
    store.close()
    with TestClient(create_app(settings_, rate_per_minute=5)) as limited:
        replies = [limited.get("/api/runs") for _ in range(8)]
        assert [reply.status_code for reply in replies] == [200] * 5 + [429] * 3
        assert 1 <= int(replies[-1].headers["Retry-After"]) <= 12
        assert replies[-1].json()["error"] == "too_many_requests"
        assert limited.get("/api/health").status_code == 200


def test_the_default_limit_lets_a_reader_read(tmp_path: Path) -> None:
    settings_, store = build_world(tmp_path / "data")
    store.close()
    with TestClient(create_app(settings_)) as limited:
        replies = [limited.get("/api/answers/x") for _ in range(130)]
    codes = [reply.status_code for reply in replies]
    assert codes[:120] == [400] * 120 and codes[-1] == 429
    assert all(int(reply.headers["Retry-After"]) >= 1 for reply in replies if reply.status_code == 429)


def test_a_provider_that_is_down_gives_503_with_the_extract(tmp_path: Path) -> None:
    _, store = build_world(tmp_path / "data")
    store.close()
    with fake_model(lambda request, call: (500, {"error": {"message": "x"}})) as fake:
        down = Settings(
            iris_assets_data=tmp_path / "data",
            llm_api_key="k",
            llm_base_url=fake.url,
            llm_api="chat",
            http_max_retries=1,
        )
        with TestClient(create_app(down)) as client:
            reply = client.post("/api/ask", json={"question": QUESTION})
    assert reply.status_code == 503 and reply.json()["error"] == "provider_unavailable"
    assert "20 creches" in reply.json()["details"]["answer"]["answer"]


def test_every_response_carries_the_security_headers(client: TestClient) -> None:
    for path in ("/", "/api/health", "/api/nothing", "/static/main.js"):
        headers = client.get(path, headers={"Origin": "https://mal.example"}).headers
        assert (
            "unsafe-inline" not in headers["content-security-policy"]
            and "script-src 'self'" in headers["content-security-policy"]
        )
        assert headers["x-content-type-options"] == "nosniff" and headers["x-frame-options"] == "DENY"
        assert "access-control-allow-origin" not in headers


def test_the_page_has_no_inline_script_or_foreign_address(client: TestClient) -> None:
    page = client.get("/").text
    assert (
        "<script>" not in page
        and "onclick" not in page
        and "style=" not in page
        and "http" not in page.replace("http-equiv", "")
    )


def test_the_openapi_says_what_happens(client: TestClient) -> None:
    document = client.get("/api/openapi.json").json()
    assert "422" not in json.dumps(document["paths"])
    assert {"/api/v1/health", "/api/v1/candidates", "/api/v1/search", "/api/v1/ask", "/api/v1/runs"} <= set(
        document["paths"]
    )


def test_the_contract_holds_for_generated_requests(app: FastAPI, client: TestClient) -> None:
    schema = schemathesis.openapi.from_asgi("/api/openapi.json", app)

    for operation in schema.get_all_operations():
        schemathesis_check(operation.ok())


def schemathesis_check(operation: object) -> None:
    """Generated requests of one operation: no 500, no breach of the documented contract."""
    from hypothesis import given

    @given(case=operation.as_strategy())  # type: ignore[attr-defined]
    # No shrinking: a failing request is shown as it was found.
    @settings(
        max_examples=6, deadline=None, phases=[Phase.explicit, Phase.generate], suppress_health_check=list(HealthCheck)
    )
    def run(case: schemathesis.Case) -> None:
        case.call_and_validate()

    run()


def test_the_longest_quote_is_an_address_that_the_server_reads(server: str) -> None:
    """Found by generated requests: a longer address is refused before the application sees it."""
    for letters, status in ((LONGEST_QUOTE, 404), (LONGEST_QUOTE + 1, 400)):
        quote = "\U0001d7d9" * letters
        reply = httpx2.get(f"{server}/api/documents/{'0' * 64}/pages/1", params={"quote": quote}, trust_env=False)
        assert (reply.status_code, reply.headers["content-type"]) == (status, "application/problem+json")


def test_fifty_clients_at_once_get_answers(server: str) -> None:
    """The short form of `benchmarks/bench_web.py`, which keeps them at it for a minute."""
    limits = httpx2.Limits(max_connections=50, max_keepalive_connections=50)
    with (
        httpx2.Client(base_url=server, timeout=60, limits=limits, trust_env=False) as http,
        ThreadPoolExecutor(50) as pool,
    ):

        def visit(number: int) -> list[int]:
            asked = http.post("/api/ask", json={"question": f"{QUESTION} {number}"})
            return [asked.status_code, http.post("/api/search", json={"query": "creches"}).status_code]

        codes = [code for result in pool.map(visit, range(50)) for code in result]
    assert codes == [200] * 100
