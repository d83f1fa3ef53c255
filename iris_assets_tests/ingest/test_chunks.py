"""The stages `chunks` and `embeddings` over a real store and a loopback model server."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from iris_assets.ingest.chunks import ingest_chunks
from iris_assets.ingest.context import IngestContext
from iris_assets.ingest.embeddings import ingest_embeddings
from iris_assets.llm.embeddings import EmbeddingClient, embedding_client
from iris_assets.settings import load_settings
from iris_assets.sources.http import HttpClient
from iris_assets.store import Store, open_store
from iris_assets.store.search import SearchFilter
from iris_assets_tests.llm.fake_openai import EMBEDDINGS, FakeOpenAI, Fault, fake_openai, quota, short_answer
from iris_assets_tests.store.conftest import add_candidate, author_row, bill_row

PLAN = "GOVERNMENT_PROPOSAL"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{tmp_path / 'store.sqlite3'}")
    yield opened
    opened.close()


@pytest.fixture
def fake() -> Iterator[FakeOpenAI]:
    with fake_openai() as server:
        yield server


def context(store: Store, folder: Path, embedder: EmbeddingClient | None = None, **settings: Any) -> IngestContext:
    chosen = load_settings({}, iris_assets_data=folder, embedding_model="m", embedding_dimension=64, **settings)
    return IngestContext(store, chosen, HttpClient(chosen), embedder)


def embedder(fake: FakeOpenAI, model: str = "m", **options: Any) -> EmbeddingClient:
    chosen = {"batch_size": 2, "attempts": 2, "pause": 0.001, "in_flight": 1, **options}
    return EmbeddingClient(fake.url, None, model, None, 64, **chosen)


def pages(*texts: str) -> str:
    return "\n\n".join(f"[Página {number}]\n{text}" for number, text in enumerate(texts, start=1))


def add_plan(store: Store, document_hash: str, candidates: list[int], raw_text: str | None, **changes: Any) -> None:
    row = {
        "document_hash": document_hash,
        "election_year": 2026,
        "title": "Proposta de governo - MARIA DA SAÚDE - documento 01",
        "source_url": "https://cdn.tse.jus.br/x.zip",
        "source_resource_id": "r1",
        "file_name": "2026SP1_01.pdf",
        "text_status": "OK",
        "raw_text": raw_text,
        **changes,
    }
    with store.transaction() as tx:
        store.documents.upsert(tx, row)
        for candidate in candidates:
            store.links.set(tx, PLAN, document_hash, candidate, "FILED_BY", row["file_name"])


def add_bill(store: Store, candidate: int, camara_id: int = 2300001, **changes: Any) -> None:
    with store.transaction() as tx:
        topics = [{"name": "Saúde", "external_code": 1}, {"name": "Educação", "external_code": 2}]
        authors = [author_row("BETA", 2), author_row("ALFA", 1, main=True)]
        store.camara.upsert_bill(tx, bill_row(camara_id, **changes), authors, topics)
        store.links.set(tx, "PROPOSITION", str(camara_id), candidate, "AUTHOR")


def add_history(store: Store, candidate: int) -> None:
    with store.transaction() as tx:
        store.camara.upsert_deputies(tx, [{"camara_id": 77, "civil_name": "CIVIL", "electoral_name": "Fulana"}])
        row = {
            "external_id": "CAMARA_EXT:77:abc",
            "camara_deputy_id": 77,
            "institution": "CÂMARA MUNICIPAL",
            "position": "VEREADORA",
            "party": "PXA",
            "state": "SP",
            "start_date": date(2017, 1, 1),
            "end_date": date(2020, 12, 31),
            "status": None,
        }
        store.camara.upsert_history(tx, [row])
        store.links.set(tx, "POLITICAL_HISTORY", row["external_id"], candidate, "HOLDER")


def contents(store: Store, source_type: str, source_id: str) -> list[str]:
    return [row["content"] for row in store.chunks.of_source(source_type, source_id)]


def test_a_bill_is_its_lines_in_order(store: Store, tmp_path: Path) -> None:
    add_bill(store, add_candidate(store), status="Aguardando parecer")
    report = ingest_chunks(context(store, tmp_path), "SP")
    assert (report.status, dict(report.counters)) == ("SUCCESS", {"read": 1, "created": 1})
    (row,) = store.chunks.of_source("PROPOSITION", "2300001")
    assert row["content"].split("\n") == [
        "Título: PL 1234/2023",
        "Autores: Dep. ALFA; Dep. BETA",
        "Temas: Educação; Saúde",
        "Ementa: Dispõe sobre a merenda escolar.",
        "Situação: Aguardando parecer",
    ]
    assert row["header"] == "PL 1234/2023 · Educação; Saúde"
    assert row["title"] == "PL 1234/2023"
    assert row["page_start"] is None
    assert row["metadata_json"] == {
        "camaraId": 2300001,
        "number": 1234,
        "topics": ["Educação", "Saúde"],
        "type": "PL",
        "year": 2023,
    }


def test_a_history_record_is_its_lines_in_order(store: Store, tmp_path: Path) -> None:
    add_history(store, add_candidate(store))
    ingest_chunks(context(store, tmp_path), "SP")
    (row,) = store.chunks.of_source("POLITICAL_HISTORY", "CAMARA_EXT:77:abc")
    assert row["content"].split("\n") == [
        "Instituição: CÂMARA MUNICIPAL",
        "Cargo/Função: VEREADORA",
        "Partido: PXA",
        "UF: SP",
        "Período: 2017–2020",
    ]
    assert (row["title"], row["header"]) == ("VEREADORA", "Fulana · VEREADORA")


def test_a_plan_has_exact_pages_and_no_markers(store: Store, tmp_path: Path) -> None:
    texts = [" ".join(f"p{page}w{word}" for word in range(60)) for page in range(1, 6)]
    add_plan(store, "d1", [add_candidate(store)], pages(*texts), ocr_pages=[4])
    ingest_chunks(context(store, tmp_path, chunk_size_tokens=100, chunk_overlap_tokens=20), "SP")
    rows = store.chunks.of_source(PLAN, "d1")
    assert len(rows) > 8
    for row in rows:
        assert "[Página" not in row["content"]
        assert row["token_count"] <= 100
        told = [int(word[1 : word.index("w")]) for word in row["content"].split()]
        assert (row["page_start"], row["page_end"]) == (told[0], told[-1])
        assert row["metadata_json"]["pageStart"] == told[0]
        assert row["metadata_json"]["ocrPages"] == ([4] if 4 in told else [])
    whole = "\n\n".join(texts)
    assert all(whole[row["span_start"] : row["span_end"]] == row["content"] for row in rows)


def test_a_plan_of_two_candidates_names_both_whatever_partition_runs(store: Store, tmp_path: Path) -> None:
    first = add_candidate(store)
    second = add_candidate(store, "160001", ballot_name="ANA", party="PXB", office="GOVERNADOR", state="PR")
    add_plan(store, "d1", [first, second], pages("Texto do plano."))
    header = (
        "Proposta de governo - MARIA DA SAÚDE - documento 01 · ANA · PXB · GOVERNADOR · PR; "
        "MARIA DA SAÚDE · PXA · DEPUTADO FEDERAL · SP · 2026"
    )
    for uf, counters in (("PR", {"read": 1, "created": 1}), ("SP", {"read": 1, "skipped": 1})):
        assert dict(ingest_chunks(context(store, tmp_path), uf).counters) == counters
        assert [row["header"] for row in store.chunks.of_source(PLAN, "d1")] == [header]


def test_a_line_on_every_page_is_kept_once(store: Store, tmp_path: Path) -> None:
    subjects = ("saúde", "escola", "obras", "água", "cultura", "esporte")
    texts = [f"COLIGAÇÃO INVENTADA\nTexto sobre {word}.\nPágina {page} de 6" for page, word in enumerate(subjects)]
    add_plan(store, "d1", [add_candidate(store)], pages(*texts))
    ingest_chunks(context(store, tmp_path), "SP")
    (content,) = contents(store, PLAN, "d1")
    assert content.count("COLIGAÇÃO INVENTADA") == 1
    assert content.count("Texto sobre") == 6


def test_the_second_run_cuts_and_writes_nothing(store: Store, tmp_path: Path) -> None:
    candidate = add_candidate(store)
    add_bill(store, candidate)
    add_history(store, candidate)
    add_plan(store, "d1", [candidate], pages("Texto."))
    add_plan(store, "d2", [candidate], None, text_status="EMPTY")
    first = ingest_chunks(context(store, tmp_path), "SP")
    assert dict(first.counters) == {"read": 4, "created": 3, "skipped": 1}
    second = ingest_chunks(context(store, tmp_path), "SP")
    assert dict(second.counters) == {"read": 4, "skipped": 4}
    assert dict(second.work) == {"sources_chunked": 0, "chunks_written": 0, "chunks_removed": 0}
    forced = ingest_chunks(context(store, tmp_path), "SP", full_refresh=True)
    assert (forced.work["sources_chunked"], forced.work["chunks_written"]) == (4, 0)


def test_one_changed_page_replaces_only_its_passages(store: Store, tmp_path: Path) -> None:
    candidate = add_candidate(store)
    texts = [" ".join(f"p{page}w{word}" for word in range(60)) for page in range(1, 6)]
    small = {"chunk_size_tokens": 100, "chunk_overlap_tokens": 20}
    add_plan(store, "d1", [candidate], pages(*texts))
    ingest_chunks(context(store, tmp_path, **small), "SP")
    before = {row["id"]: row["content"] for row in store.chunks.of_source(PLAN, "d1")}
    add_plan(store, "d1", [candidate], pages(*texts[:4], texts[4].replace("p5", "p9")))
    report = ingest_chunks(context(store, tmp_path, **small), "SP")
    after = {row["id"]: row["content"] for row in store.chunks.of_source(PLAN, "d1")}
    assert dict(report.counters) == {"read": 1, "updated": 1}
    assert len(before.keys() & after.keys()) >= len(before) // 2
    assert not any("p5w" in content for content in after.values())
    assert store.lexical.verify().ok


def test_another_chunk_size_cuts_everything_anew(store: Store, tmp_path: Path) -> None:
    add_plan(store, "d1", [add_candidate(store)], pages("palavra " * 300))
    ingest_chunks(context(store, tmp_path), "SP")
    report = ingest_chunks(context(store, tmp_path, chunk_size_tokens=100, chunk_overlap_tokens=0), "SP")
    assert report.work["sources_chunked"] == 1
    rows = store.chunks.of_source(PLAN, "d1")
    assert [row["chunk_index"] for row in rows] == list(range(len(rows)))
    assert max(row["token_count"] for row in rows) <= 100


def test_a_plan_that_went_and_came_back_is_cut_again(store: Store, tmp_path: Path) -> None:
    candidate = add_candidate(store)
    add_plan(store, "d1", [candidate], pages("Texto."))
    ingest_chunks(context(store, tmp_path), "SP")
    with store.transaction() as tx:
        assert store.links.remove(tx, PLAN, "d1", candidate)
    assert contents(store, PLAN, "d1") == []
    add_plan(store, "d1", [candidate], pages("Texto."))
    assert ingest_chunks(context(store, tmp_path), "SP").counters["created"] == 1
    assert contents(store, PLAN, "d1") == ["Texto."]


def test_special_tokens_and_blank_pages_are_harmless(store: Store, tmp_path: Path) -> None:
    add_plan(
        store, "d1", [add_candidate(store)], pages("antes <|endoftext|> <|im_start|> depois", "\u00a0\u200b", "fim")
    )
    ingest_chunks(context(store, tmp_path), "SP")
    assert contents(store, PLAN, "d1") == ["antes <|endoftext|> <|im_start|> depois\n\nfim"]


def test_an_article_is_marked_as_not_official(store: Store, tmp_path: Path) -> None:
    candidate = add_candidate(store)
    article = {
        "fingerprint": "f1",
        "tse_id": "250001",
        "title": "Hospital novo",
        "url": "https://jornal.invalid/a",
        "published_at": "2026-05-01T10:00:00-03:00",
        "body_text": "A candidata visitou o hospital.",
    }
    with store.transaction() as tx:
        store.articles.upsert(tx, article)
        store.links.set(tx, "NEWS_ARTICLE", "f1", candidate, "SUBJECT")
    ingest_chunks(context(store, tmp_path), "SP")
    (row,) = store.chunks.of_source("NEWS_ARTICLE", "f1")
    assert row["content"] == "A candidata visitou o hospital."
    assert row["header"] == "Notícia, fonte não oficial · Hospital novo · MARIA DA SAÚDE · 2026-05-01"
    assert row["metadata_json"]["official"] is False


# --- embeddings


def plans(store: Store, folder: Path, count: int = 5) -> None:
    candidate = add_candidate(store)
    for number in range(count):
        add_plan(store, f"d{number}", [candidate], pages(f"Texto do plano {number}."), title=f"Plano {number}")
    ingest_chunks(context(store, folder), "SP")


def test_every_passage_gets_the_vector_of_its_header_and_text(store: Store, tmp_path: Path, fake: FakeOpenAI) -> None:
    plans(store, tmp_path)
    report = ingest_embeddings(context(store, tmp_path, embedder(fake)), "SP")
    assert (report.status, dict(report.counters)) == ("SUCCESS", {"read": 5, "updated": 5})
    assert report.work["embedding_calls"] == fake.calls[EMBEDDINGS] == 3
    assert report.figures["pending_vectors"] == 0
    header = "Plano 3 · MARIA DA SAÚDE · PXA · DEPUTADO FEDERAL · SP · 2026"
    wanted = fake.vector(f"{header}\nTexto do plano 3.")
    (best, *_) = store.vectors.search(wanted.astype(np.float32), "m", 64, SearchFilter(), 5)
    (row,) = store.chunks.of_source(PLAN, "d3")
    assert best.chunk_id == row["id"]
    assert best.similarity == pytest.approx(1.0, abs=1e-5)


def test_a_text_that_520_sources_share_is_embedded_once(store: Store, tmp_path: Path, fake: FakeOpenAI) -> None:
    candidate = add_candidate(store)
    for number in range(520):
        add_bill(store, candidate, 2300001 + number)
    ingest_chunks(context(store, tmp_path), "SP")
    report = ingest_embeddings(context(store, tmp_path, embedder(fake)), "SP")
    assert dict(report.counters) == {"read": 520, "updated": 520} and report.figures["pending_vectors"] == 0
    assert (report.work["embedding_calls"], report.work["vectors_reused"]) == (1, 0)


def test_the_second_run_asks_for_nothing(store: Store, tmp_path: Path, fake: FakeOpenAI) -> None:
    plans(store, tmp_path)
    ingest_embeddings(context(store, tmp_path, embedder(fake)), "SP")
    report = ingest_embeddings(context(store, tmp_path, embedder(fake)), "SP", full_refresh=True)
    assert report.counters == {}
    assert report.work["embedding_calls"] == 0
    assert fake.calls[EMBEDDINGS] == 3


def test_equal_text_is_embedded_once(store: Store, tmp_path: Path, fake: FakeOpenAI) -> None:
    candidate = add_candidate(store)
    for number in range(4):
        add_plan(store, f"d{number}", [candidate], pages("O mesmo texto."))
    ingest_chunks(context(store, tmp_path), "SP")
    report = ingest_embeddings(context(store, tmp_path, embedder(fake)), "SP")
    assert report.work["chunks_embedded"] == 4
    assert len(fake.inputs) == 1
    add_plan(store, "d9", [candidate], pages("O mesmo texto."))
    ingest_chunks(context(store, tmp_path), "SP")
    later = ingest_embeddings(context(store, tmp_path, embedder(fake)), "SP")
    assert (later.work["vectors_reused"], later.work["embedding_calls"]) == (1, 0)
    assert len(fake.inputs) == 1


def test_without_an_endpoint_the_stage_is_partial_and_says_how_many_wait(store: Store, tmp_path: Path) -> None:
    plans(store, tmp_path)
    report = ingest_embeddings(context(store, tmp_path), "SP")
    assert (report.status, report.error_code) == ("PARTIAL", "EMBEDDINGS_NO_KEY")
    assert report.figures["pending_vectors"] == 5
    assert not store.vectors.has("m", 64)


def test_another_model_makes_every_passage_pending(store: Store, tmp_path: Path, fake: FakeOpenAI) -> None:
    plans(store, tmp_path)
    ingest_embeddings(context(store, tmp_path, embedder(fake)), "SP")
    switched = context(store, tmp_path, embedder(fake, "n"))
    switched.settings = switched.settings.model_copy(update={"embedding_model": "n"})
    assert ingest_embeddings(switched, "SP").work["chunks_embedded"] == 5
    assert store.vectors.has("n", 64)
    assert not store.vectors.has("m", 64)


def test_exhausted_quota_stops_with_its_code_and_keeps_what_is_done(
    store: Store, tmp_path: Path, fake: FakeOpenAI
) -> None:
    plans(store, tmp_path)
    fake.fail(EMBEDDINGS, Fault(), quota(), quota())
    report = ingest_embeddings(context(store, tmp_path, embedder(fake)), "SP")
    assert (report.status, report.error_code) == ("FAILED", "LLM_QUOTA_EXHAUSTED")
    assert report.counters["updated"] == 2
    assert report.figures["pending_vectors"] == 3
    again = ingest_embeddings(context(store, tmp_path, embedder(fake)), "SP")
    assert (again.status, again.counters["updated"]) == ("SUCCESS", 3)


def test_a_short_answer_writes_nothing_to_other_passages(store: Store, tmp_path: Path, fake: FakeOpenAI) -> None:
    plans(store, tmp_path)
    fake.fail(EMBEDDINGS, short_answer())
    report = ingest_embeddings(context(store, tmp_path, embedder(fake, in_flight=1)), "SP")
    assert (report.status, report.error_code) == ("FAILED", "EMBEDDING_ANSWER_SHORT")
    for number in range(5):
        (row,) = store.chunks.of_source(PLAN, f"d{number}")
        known = store.chunks.known_vectors([row["embedded_text_hash"]], "m", 64)
        for vector in known.values():
            assert np.allclose(vector, fake.vector(f"{row['header']}\n{row['content']}"), atol=1e-6)


def test_a_passage_that_the_server_refuses_fails_alone(store: Store, tmp_path: Path, fake: FakeOpenAI) -> None:
    plans(store, tmp_path)
    fake.refuses = lambda route, body: (
        "this input is too long" if any("plano 2" in text for text in body["input"]) else None
    )
    report = ingest_embeddings(context(store, tmp_path, embedder(fake)), "SP")
    assert (report.status, report.counters["failed"], report.counters["updated"]) == ("PARTIAL", 1, 4)
    assert report.errors[0].startswith("EMBEDDING_INPUT_REJECTED: GOVERNMENT_PROPOSAL d2 #0")


def test_only_the_partition_is_embedded(store: Store, tmp_path: Path, fake: FakeOpenAI) -> None:
    plans(store, tmp_path, 2)
    other = add_candidate(store, "160001", state="PR")
    add_plan(store, "dpr", [other], pages("Plano do Paraná."))
    ingest_chunks(context(store, tmp_path), "PR")
    assert ingest_embeddings(context(store, tmp_path, embedder(fake)), "PR").work["chunks_embedded"] == 1
    assert store.chunks.pending_count("m", 64) == 2


def test_the_settings_make_the_client(tmp_path: Path, fake: FakeOpenAI) -> None:
    settings = load_settings({"EMBEDDING_BASE_URL": fake.url, "EMBEDDING_MODEL": "m", "EMBEDDING_DIMENSION": "64"})
    made = embedding_client(settings)
    assert made is not None
    assert np.allclose(made.embed_query("saúde"), fake.vector("saúde"), atol=1e-6)
