"""The embedding client against a loopback server: order, limits, blanks, faults."""

from collections.abc import Iterator

import numpy as np
import pytest

from iris_assets.errors import ModelError
from iris_assets.llm.embeddings import EmbeddingClient, embedding_client
from iris_assets.llm.packing import EmbeddingInput, pack
from iris_assets.settings import load_settings
from iris_assets_tests.llm.fake_openai import (
    EMBEDDINGS,
    FakeOpenAI,
    Fault,
    dropped,
    fake_openai,
    quota,
    rate_limited,
    renumbered,
    short_answer,
    shuffled,
    slow,
    unavailable,
    wrong_dimension,
)


@pytest.fixture
def fake() -> Iterator[FakeOpenAI]:
    with fake_openai() as server:
        yield server


def client(fake: FakeOpenAI, **options: object) -> EmbeddingClient:
    chosen = {"batch_size": 50, "attempts": 3, "timeout": 5.0, "pause": 0.001, **options}
    return EmbeddingClient(fake.url, "key-of-the-test", "m", None, 64, **chosen)  # type: ignore[arg-type]


def same(vector: np.ndarray, expected: np.ndarray) -> bool:
    return vector.dtype == np.float32 and np.allclose(vector, expected, atol=1e-6)


def test_every_text_gets_its_own_vector_in_order(fake: FakeOpenAI) -> None:
    texts = [f"texto número {n}" for n in range(120)]
    vectors = client(fake).embed_documents(texts)
    assert vectors.shape == (120, 64)
    assert all(same(vectors[n], fake.vector(text)) for n, text in enumerate(texts))
    assert fake.calls[EMBEDDINGS] == 3
    assert fake.keys[0] == "Bearer key-of-the-test"


def test_an_answer_in_another_order_is_put_right_by_its_index(fake: FakeOpenAI) -> None:
    fake.fail(EMBEDDINGS, shuffled())
    vectors = client(fake).embed_documents(["um", "dois", "três"])
    assert all(same(vectors[n], fake.vector(text)) for n, text in enumerate(["um", "dois", "três"]))


@pytest.mark.parametrize("blank", ["", " ", "\n\n", "\u00a0", "\u200b\u200b", "\ufeff"])
def test_a_blank_text_is_not_sent_and_keeps_its_slot(fake: FakeOpenAI, blank: str) -> None:
    vectors = client(fake).embed_documents(["um", blank, "dois"])
    assert fake.inputs == ["um", "dois"]
    assert same(vectors[0], fake.vector("um"))
    assert not vectors[1].any()
    assert same(vectors[2], fake.vector("dois"))


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (short_answer(), "EMBEDDING_ANSWER_SHORT"),
        (renumbered(), "EMBEDDING_ANSWER_MISALIGNED"),
        (wrong_dimension(), "EMBEDDING_DIMENSION"),
        (quota(), "LLM_QUOTA_EXHAUSTED"),
        (Fault(401), "LLM_UNAUTHORIZED"),
        (Fault(400, message="unknown model"), "LLM_BAD_REQUEST"),
        (Fault(body=b"<html>porta</html>"), "EMBEDDING_ANSWER_SHORT"),
    ],
)
def test_an_unusable_answer_is_an_error_after_one_call(fake: FakeOpenAI, fault: Fault, code: str) -> None:
    fake.fail(EMBEDDINGS, fault)
    with pytest.raises(ModelError) as raised:
        client(fake).embed_documents(["um", "dois"])
    assert raised.value.code == code
    assert fake.calls[EMBEDDINGS] == 1
    assert "key-of-the-test" not in str(raised.value)


@pytest.mark.parametrize("fault", [rate_limited(), rate_limited(None), unavailable(500), unavailable(503), dropped()])
def test_a_passing_failure_is_tried_again(fake: FakeOpenAI, fault: Fault) -> None:
    fake.fail(EMBEDDINGS, fault, fault)
    assert same(client(fake).embed_documents(["um"])[0], fake.vector("um"))
    assert fake.calls[EMBEDDINGS] == 3


def test_tries_are_bounded_and_the_sdk_adds_none(fake: FakeOpenAI) -> None:
    fake.fail(EMBEDDINGS, *[unavailable()] * 9)
    with pytest.raises(ModelError, match="LLM_UNAVAILABLE"):
        client(fake).embed_documents(["um"])
    assert fake.calls[EMBEDDINGS] == 3


def test_a_long_retry_after_is_not_waited_for(fake: FakeOpenAI) -> None:
    fake.fail(EMBEDDINGS, rate_limited("3600"))
    with pytest.raises(ModelError, match="LLM_RATE_LIMITED"):
        client(fake).embed_documents(["um"])


def test_a_slow_server_is_a_timeout(fake: FakeOpenAI) -> None:
    fake.fail(EMBEDDINGS, slow(2))
    with pytest.raises(ModelError, match="LLM_TIMEOUT"):
        client(fake, timeout=0.2, attempts=1).embed_documents(["um"])


def test_an_oversize_input_fails_alone_by_its_key(fake: FakeOpenAI) -> None:
    inputs = [
        EmbeddingInput("a", "um", 1),
        EmbeddingInput("b", "longo", 9000),
        EmbeddingInput("c", "\n", 1),
        EmbeddingInput("d", "dois", 1),
    ]
    (batch,) = client(fake).embed_batches(inputs)
    assert batch.keys == ("a", "d")
    assert [(p.key, p.code) for p in batch.rejected] == [
        ("b", "EMBEDDING_INPUT_TOO_LONG"),
        ("c", "EMBEDDING_INPUT_BLANK"),
    ]
    assert fake.inputs == ["um", "dois"]


def test_an_input_that_the_server_refuses_fails_alone(fake: FakeOpenAI) -> None:
    fake.longest_input = 100
    inputs = [EmbeddingInput(n, "x " * 80 if n == 5 else f"texto {n}", 10) for n in range(8)]
    (batch,) = client(fake).embed_batches(inputs)
    assert batch.keys == (0, 1, 2, 3, 4, 6, 7)
    assert [(p.key, p.code) for p in batch.rejected] == [(5, "EMBEDDING_INPUT_REJECTED")]
    assert same(batch.vectors[5], fake.vector("texto 6"))


def test_requests_keep_count_and_token_limits() -> None:
    tiny = [EmbeddingInput(n, "x", 1) for n in range(2049)]
    assert [len(r.inputs) for r in pack(tiny, batch_size=2048)] == [2048, 1]
    large = [EmbeddingInput(n, "x", 1000) for n in range(400)]
    assert [len(r.inputs) for r in pack(large, batch_size=2048)] == [250, 150]
    assert [len(r.inputs) for r in pack(large, batch_size=100)] == [100] * 4


def test_several_requests_are_in_flight(fake: FakeOpenAI) -> None:
    fake.fail(EMBEDDINGS, *[slow(0.15)] * 4)
    inputs = [EmbeddingInput(n, f"texto {n}", 2) for n in range(8)]
    batches = list(client(fake, batch_size=2, in_flight=4).embed_batches(inputs))
    assert [key for batch in batches for key in batch.keys] == list(range(8))
    assert fake.most_at_once == 4


def test_batches_that_succeeded_are_handed_out_before_the_failure(fake: FakeOpenAI) -> None:
    inputs = [EmbeddingInput(n, f"texto {n}", 2) for n in range(6)]
    fake.refuses = lambda route, body: None
    fake.fail(EMBEDDINGS, Fault(), quota())
    got: list[object] = []
    with pytest.raises(ModelError, match="LLM_QUOTA_EXHAUSTED"):
        for batch in client(fake, batch_size=2, in_flight=1).embed_batches(inputs):
            got += batch.keys
    assert got[:2] == [0, 1]


def test_questions_use_their_own_model_name(fake: FakeOpenAI) -> None:
    asked = EmbeddingClient(fake.url, None, "e5-passage", "e5-query", 64)
    vector = asked.embed_query("saúde")
    assert vector.shape == (64,)
    assert same(vector, fake.vector("saúde", "e5-query"))
    asked.embed_documents(["saúde"])
    assert [body["model"] for _, body in fake.bodies] == ["e5-query", "e5-passage"]


def test_the_dimension_is_sent_only_to_models_that_take_it(fake: FakeOpenAI) -> None:
    EmbeddingClient(fake.url, None, "text-embedding-3-small", None, 256).embed_documents(["um"])
    client(fake).embed_documents(["um"])
    assert [body.get("dimensions") for _, body in fake.bodies] == [256, None]


def test_without_key_and_endpoint_there_is_no_client() -> None:
    assert embedding_client(load_settings({})) is None
    local = embedding_client(load_settings({"EMBEDDING_BASE_URL": "http://127.0.0.1:1/v1"}))
    assert local is not None
    assert embedding_client(load_settings({"LLM_API_KEY": "k"})) is not None
