"""Vectors from an OpenAI-compatible endpoint: packed requests, several in flight, every answer verified."""

import base64
import logging
import re
from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from pydantic import SecretStr

from iris_assets import logs
from iris_assets.errors import ModelError
from iris_assets.llm.connection import Endpoint
from iris_assets.llm.failures import with_retries
from iris_assets.llm.packing import EmbeddingInput, Request, pack
from iris_assets.settings import Settings

log = logging.getLogger(__name__)

REQUESTS_IN_FLIGHT: Final = 4
QUESTION_SECONDS: Final = 20.0
TAKES_DIMENSIONS: Final = "text-embedding-3"
ABOUT_AN_INPUT: Final = re.compile(r"token|length|too long|too large|maximum|empty|blank|\binput\b", re.IGNORECASE)

Matrix = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Rejected:
    """One input that got no vector: EMBEDDING_INPUT_BLANK, EMBEDDING_INPUT_TOO_LONG or EMBEDDING_INPUT_REJECTED."""

    key: Hashable
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class EmbeddedBatch:
    """`vectors[i]` (float32, n × dimension) belongs to `keys[i]`; `calls` counts requests sent, `tokens` as billed."""

    keys: tuple[Hashable, ...]
    vectors: Matrix
    rejected: tuple[Rejected, ...]
    calls: int
    tokens: int


class EmbeddingClient:
    """One embedding model; (`model`, `dimension`) is the spec of its vectors, whatever name questions are sent under."""

    def __init__(
        self,
        base_url: str | None,
        api_key: SecretStr | str | None,
        model: str,
        query_model: str | None,
        dimension: int,
        *,
        batch_size: int = 50,
        attempts: int = 4,
        timeout: float = 60.0,
        in_flight: int = REQUESTS_IN_FLIGHT,
        pause: float = 0.5,
    ) -> None:
        key = SecretStr(api_key) if isinstance(api_key, str) else api_key
        self._endpoint = Endpoint(base_url, key, timeout)
        self.model, self.query_model, self.dimension = model, query_model or model, dimension
        self._batch_size, self._attempts, self._in_flight, self._pause = batch_size, attempts, in_flight, pause

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """float32 (n, dimension), one row per text; a blank text has the zero row and is not sent.

        Raises ModelError, also EMBEDDING_INPUT_REJECTED when the endpoint refuses one of the texts.
        """
        return self._embed_all(texts, self.model)

    def embed_queries(self, texts: Sequence[str]) -> Matrix:
        """float32 (n, dimension) under the model name for questions; blank texts have the zero row."""
        return self._embed_all(texts, self.query_model, seconds=QUESTION_SECONDS)

    def embed_query(self, text: str) -> Matrix:
        """float32 (dimension,) of one question. Raises ModelError."""
        return self.embed_queries([text])[0]  # type: ignore[no-any-return]

    def embed_batches(self, inputs: Iterable[EmbeddingInput]) -> Iterator[EmbeddedBatch]:
        """Batches as they are answered, in the order of the inputs, which are read as requests are sent.

        An input that is blank, too long or refused fails alone, by its key. When the endpoint fails for good
        (ModelError), the batches that were in flight and succeeded are still handed out first.
        """
        with ThreadPoolExecutor(self._in_flight, thread_name_prefix="embeddings") as pool:
            waiting: deque[Future[EmbeddedBatch]] = deque()
            for request in pack(inputs, batch_size=self._batch_size):
                waiting.append(pool.submit(copy_context().run, self._batch, request, self.model))
                if len(waiting) > self._in_flight:
                    yield from _first(waiting)
            while waiting:
                yield from _first(waiting)

    def _embed_all(self, texts: Sequence[str], model: str, seconds: float | None = None) -> Matrix:
        found = np.zeros((len(texts), self.dimension), dtype=np.float32)
        inputs = (EmbeddingInput(index, text) for index, text in enumerate(texts))
        for request in pack(inputs, batch_size=self._batch_size):
            batch = self._batch(request, model, seconds)
            for problem in batch.rejected:
                if problem.code != "EMBEDDING_INPUT_BLANK":
                    raise ModelError(problem.code, problem.message, details={"index": problem.key})
            found[[int(str(key)) for key in batch.keys]] = batch.vectors
        return found

    def _batch(self, request: Request, model: str, seconds: float | None = None) -> EmbeddedBatch:
        refused = tuple(Rejected(item.key, code, "the input was not sent") for item, code in request.refused)
        answered = self._halved(request.inputs, model, seconds)
        return EmbeddedBatch(
            answered.keys, answered.vectors, refused + answered.rejected, answered.calls, answered.tokens
        )

    def _halved(self, inputs: tuple[EmbeddingInput, ...], model: str, seconds: float | None) -> EmbeddedBatch:
        """Ask for all; when the endpoint refuses because of one input, find that one by halves."""
        if not inputs:
            return EmbeddedBatch((), np.zeros((0, self.dimension), dtype=np.float32), (), 0, 0)
        try:
            vectors, tokens = self._ask([item.text for item in inputs], model, seconds)
            return EmbeddedBatch(tuple(item.key for item in inputs), vectors, (), 1, tokens)
        except ModelError as error:
            if error.code != "LLM_BAD_REQUEST" or not ABOUT_AN_INPUT.search(error.message):
                raise
            if len(inputs) == 1:
                problem = Rejected(inputs[0].key, "EMBEDDING_INPUT_REJECTED", error.message)
                return EmbeddedBatch((), np.zeros((0, self.dimension), dtype=np.float32), (problem,), 1, 0)
        middle = len(inputs) // 2
        left, right = (self._halved(part, model, seconds) for part in (inputs[:middle], inputs[middle:]))
        return EmbeddedBatch(
            left.keys + right.keys,
            np.concatenate([left.vectors, right.vectors]),
            left.rejected + right.rejected,
            1 + left.calls + right.calls,
            left.tokens + right.tokens,
        )

    def _ask(self, texts: list[str], model: str, seconds: float | None) -> tuple[Matrix, int]:
        extra: dict[str, Any] = {"dimensions": self.dimension} if TAKES_DIMENSIONS in model else {}
        encoding: Any = "base64" if self._endpoint.is_openai else "float"  # not every server knows base64
        if seconds is not None:
            extra["timeout"] = seconds

        def call() -> Any:
            create = self._endpoint.client.embeddings.create
            return create(model=model, input=texts, encoding_format=encoding, **extra)

        about = {"model": model, "url": self._endpoint.shown}
        with logs.about(**about), logs.timed(log, "model call", inputs=len(texts)) as said:
            response = with_retries(call, attempts=self._attempts, seconds=seconds, pause=self._pause)
            vectors = _verified(response, len(texts), self.dimension)
            said["input_tokens"] = tokens = _billed(response)
        return vectors, tokens


def _first(waiting: deque[Future[EmbeddedBatch]]) -> Iterator[EmbeddedBatch]:
    """The oldest answer; when it failed, the later ones that came first, then the failure."""
    try:
        yield waiting.popleft().result()
    except ModelError:
        for future in waiting:
            if not future.cancel() and future.exception() is None:
                yield future.result()
        waiting.clear()
        raise


def _verified(response: Any, count: int, dimension: int) -> Matrix:
    """The vectors in the order of the inputs, or ModelError: a short answer never shifts vectors to other texts."""
    items = getattr(response, "data", None)
    if not isinstance(items, list) or len(items) != count:
        got = len(items) if isinstance(items, list) else "no list of"
        raise ModelError(
            "EMBEDDING_ANSWER_SHORT", f"{count} inputs were sent, {got} vectors came back", hint="nothing was stored"
        )
    if sorted(getattr(item, "index", -1) for item in items) != list(range(count)):
        raise ModelError(
            "EMBEDDING_ANSWER_MISALIGNED", "the vectors are not numbered 0 to n-1", hint="nothing was stored"
        )
    vectors = [_vector(item.embedding) for item in sorted(items, key=lambda item: int(item.index))]
    lengths = {vector.shape[0] for vector in vectors}
    if lengths != {dimension}:
        raise ModelError(
            "EMBEDDING_DIMENSION",
            f"the endpoint returned vectors of length {sorted(lengths)}, configured are {dimension}",
            hint=f"set EMBEDDING_DIMENSION={max(lengths)} or choose another EMBEDDING_MODEL",
        )
    matrix = np.stack(vectors)
    if not np.isfinite(matrix).all() or not matrix.any(axis=1).all():
        raise ModelError("EMBEDDING_ANSWER_INVALID", "a vector is zero or holds NaN or infinity")
    return matrix


def _vector(value: Any) -> Matrix:
    try:
        if isinstance(value, str):
            return np.frombuffer(base64.b64decode(value, validate=True), dtype="<f4").astype(np.float32)
        return np.asarray(value, dtype=np.float32).reshape(-1)
    except (ValueError, TypeError) as error:
        raise ModelError("EMBEDDING_ANSWER_INVALID", "a vector cannot be read") from error


def _billed(response: Any) -> int:
    usage = getattr(response, "usage", None)
    return int(getattr(usage, "total_tokens", 0) or 0)


def embedding_client(settings: Settings) -> EmbeddingClient | None:
    """The endpoint of the settings (EMBEDDING_* or else LLM_*); None without any key and any base URL."""
    key = settings.embedding_api_key or settings.llm_api_key
    base_url = settings.embedding_base_url or settings.llm_base_url
    if key is None and base_url is None:
        return None
    return EmbeddingClient(
        base_url,
        key,
        settings.embedding_model,
        settings.embedding_query_model,
        settings.embedding_dimension,
        batch_size=settings.embedding_batch_size,
        attempts=settings.http_max_retries,
        timeout=settings.http_read_timeout_seconds,
    )
