"""The one HTTP client of the official hosts, with a sync and an async face over one retry policy and one call limit."""

import asyncio
import logging
import ssl
import threading
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path
from typing import Any, Final, TypeVar

import httpx2
import stamina

from iris_assets import __version__, logs
from iris_assets.errors import ConfigurationError, IrisAssetsError, SourceContractError
from iris_assets.settings import Settings
from iris_assets.sources.answers import JsonAnswer, answer_fault, network_fault, parse_json
from iris_assets.sources.background import BackgroundLoop
from iris_assets.sources.downloads import Download, DownloadFolder, Receiver
from iris_assets.sources.hosts import check_url, shown
from iris_assets.sources.limiter import AdaptiveLimiter
from iris_assets.sources.retry import RetryPlan, SourceFault

# Its default hook prints each retry to stdout, where results go.
stamina.instrumentation.set_on_retry_hooks(())

log = logging.getLogger(__name__)

T = TypeVar("T")
Params = Mapping[str, str | int | float]

USER_AGENT: Final = f"Mozilla/5.0 (compatible; iris-assets/{__version__})"
# The only headers that we send: the sources' shields refuse clients that send others.
JSON_HEADERS: Final = {"Accept": "application/json", "User-Agent": USER_AGENT, "Accept-Encoding": "gzip, deflate"}
# Files come as they are, so that their length can be compared and their hash is that of the published bytes.
FILE_HEADERS: Final = {"Accept": "*/*", "User-Agent": USER_AGENT, "Accept-Encoding": "identity"}
MAX_REDIRECTS: Final = 5
MAX_JSON_BYTES: Final = 64 * 1024 * 1024
BLOCK_BYTES: Final = 256 * 1024
NOT_THERE: Final = frozenset({"SOURCE_NOT_FOUND"})


class HttpClient:
    """GET on the official hosts.

    `transport` replaces the network (simulator, tests): an httpx2 transport that is sync, async or both.
    `sleep` and `async_sleep` make the pauses between tries. `calls` counts requests sent, redirect hops and
    repeated tries included. Safe to share between threads; `close()` when done.
    """

    def __init__(
        self,
        settings: Settings,
        transport: Any = None,
        *,
        sleep: Callable[[float], None] = time.sleep,
        async_sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.settings = settings
        self.calls = 0
        self.limiter = AdaptiveLimiter(settings.camara_http_workers)
        self._transport = transport
        self._sleep = sleep
        self._async_sleep = async_sleep
        self._lock = threading.Lock()
        self._client: httpx2.Client | None = None
        self._async_client: httpx2.AsyncClient | None = None
        self._background = BackgroundLoop("official-hosts")

    # -- small JSON answers ------------------------------------------------------------------------------------

    def get_json(self, url: str, params: Params | None = None) -> JsonAnswer:
        """The JSON object at `url`.

        Raises SourceUnavailableError (SOURCE_UNAVAILABLE, SOURCE_TIMEOUT, SOURCE_RATE_LIMITED, SOURCE_FORBIDDEN,
        TLS_HANDSHAKE_FAILED, SOURCE_ERROR_BODY, SOURCE_JSON_INVALID, SOURCE_NOT_JSON for XML and nothing) or
        SourceContractError (SOURCE_NOT_FOUND, SOURCE_REQUEST_REFUSED, SOURCE_NOT_JSON for HTML, SOURCE_JSON_ROOT,
        URL_NOT_ALLOWED, TOO_MANY_REDIRECTS).
        """
        address = _with_params(url, params)
        return self._retrying(address, lambda: self._json_once(address))

    async def aget_json(self, url: str, params: Params | None = None) -> JsonAnswer:
        """As get_json, under the process-wide limit of calls in flight; only inside `run` or `stream`."""
        address = _with_params(url, params)
        plan = RetryPlan()
        try:
            async for attempt in stamina.retry_context(plan, attempts=self.settings.http_max_retries, timeout=None):
                with attempt:
                    if attempt.num > 1:
                        plan.log(address, attempt.num)
                        await self._async_sleep(plan.delay)
                    return await self._json_in_slot(address)
        except SourceFault as fault:
            raise fault.error from fault.__cause__
        raise AssertionError("a retry loop ends by an answer or an error")

    def run(self, coroutine: Any) -> Any:
        """The result of a coroutine that uses the async face, run on this client's own loop."""
        return self._background.run(coroutine)

    def stream(
        self, items: Iterable[Any], work: Callable[[Any], Any], *, window: int | None = None
    ) -> Iterator[tuple[Any, Any | IrisAssetsError]]:
        """`(item, result or IrisAssetsError)` for each item, in order of arrival; `work(item)` is a coroutine.

        At most `window` (default four per allowed call) items are under way, so that the reader's own speed
        bounds what waits in memory.
        """
        return self._background.stream(items, work, window or 4 * self.limiter.most)

    # -- files -------------------------------------------------------------------------------------------------

    def download(self, url: str, folder: Path, *, check: Callable[[Path], None] | None = None) -> Download:
        """The file at `url` in the content-addressed `folder`, fetched only when the host says it changed.

        `check(path)` refuses a damaged file by raising SourceContractError before it takes its place; the last
        good copy is then returned with a note, when there is one. Adds DOWNLOAD_INCOMPLETE to get_json's errors.
        """

        def transfer(receiver: Receiver) -> None:
            self._retrying(url, lambda: self._file_once(url, receiver))

        with logs.timed(log, "download", expected=NOT_THERE, url=shown(url)) as said:
            file = DownloadFolder(folder).fetch(check_url(url), transfer, check)
            said |= {"bytes": file.size, "unchanged": file.not_modified}
            if file.notes:  # what came was refused: the last good copy
                said["code"] = file.notes[0].partition(":")[0]
        return file

    def close(self) -> None:
        """Close both faces and stop the client's own loop; a later call opens them again."""
        with self._lock:
            client, self._client = self._client, None
            async_client, self._async_client = self._async_client, None
        if client is not None:
            client.close()
        if async_client is not None:
            self._background.run(async_client.aclose())
        self._background.close()

    def __enter__(self) -> "HttpClient":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- one try -----------------------------------------------------------------------------------------------

    def _retrying(self, url: str, once: Callable[[], T]) -> T:
        plan = RetryPlan()
        try:
            for attempt in stamina.retry_context(plan, attempts=self.settings.http_max_retries, timeout=None):
                with attempt:
                    if attempt.num > 1:
                        plan.log(url, attempt.num)
                        self._sleep(plan.delay)
                    return once()
        except SourceFault as fault:
            raise fault.error from fault.__cause__
        raise AssertionError("a retry loop ends by an answer or an error")

    def _json_once(self, url: str) -> JsonAnswer:
        with self._answer(url, JSON_HEADERS) as response, _network_errors(url):
            return parse_json(url, response, _joined(response.iter_bytes(BLOCK_BYTES), url))

    def _file_once(self, url: str, receiver: Receiver) -> None:
        with self._answer(url, {**FILE_HEADERS, **receiver.validators}) as response, _network_errors(url):
            receiver.receive(response, response.iter_raw(BLOCK_BYTES))

    @contextmanager
    def _answer(self, url: str, headers: Mapping[str, str]) -> Iterator[httpx2.Response]:
        """The final answer after at most MAX_REDIRECTS checked hops; a refused status raises SourceFault."""
        for _ in range(MAX_REDIRECTS + 1):
            request = self._request(url, headers)
            with _network_errors(url):
                response = self._sync().send(request, stream=True, follow_redirects=False)
            try:
                if not response.has_redirect_location:
                    if response.status_code not in (200, 304):
                        with _network_errors(url):
                            head = next(iter(response.iter_bytes(4096)), b"")
                        raise answer_fault(url, response, head)
                    yield response
                    return
                url = str(response.url.join(response.headers["location"]))
            finally:
                response.close()
        raise _too_many_redirects(url)

    async def _json_in_slot(self, url: str) -> JsonAnswer:
        async with self.limiter.slot() as slot:
            pause = self.limiter.pause()
            if pause:
                await self._async_sleep(pause)
            try:
                answer = await self._json_once_async(url)
            except SourceFault as fault:
                if fault.status in (429, 503):
                    slot.complaint(fault.retry_after)
                raise
            slot.well()
            return answer

    async def _json_once_async(self, url: str) -> JsonAnswer:
        for _ in range(MAX_REDIRECTS + 1):
            request = self._request(url, JSON_HEADERS)
            with _network_errors(url):
                response = await self._async().send(request, stream=True, follow_redirects=False)
                try:
                    body = await _read(response, url)
                finally:
                    await response.aclose()
            if not response.has_redirect_location:
                if response.status_code != 200:
                    raise answer_fault(url, response, body)
                return parse_json(url, response, body)
            url = str(response.url.join(response.headers["location"]))
        raise _too_many_redirects(url)

    def _request(self, url: str, headers: Mapping[str, str]) -> httpx2.Request:
        """One request, built without the client's defaults (cookies, Connection): only our headers go out."""
        connect, read = self.settings.http_connect_timeout_seconds, self.settings.http_read_timeout_seconds
        timeout = httpx2.Timeout(read, connect=connect).as_dict()
        request = httpx2.Request("GET", check_url(url), headers=dict(headers), extensions={"timeout": timeout})
        with self._lock:
            self.calls += 1
        return request

    # -- the two faces -----------------------------------------------------------------------------------------

    def _sync(self) -> httpx2.Client:
        with self._lock:
            if self._client is None:
                self._client = httpx2.Client(**self._options())
            return self._client

    def _async(self) -> httpx2.AsyncClient:
        with self._lock:
            if self._async_client is None:
                limits = httpx2.Limits(max_connections=self.limiter.most, max_keepalive_connections=self.limiter.most)
                self._async_client = httpx2.AsyncClient(limits=limits, **self._options())
            return self._async_client

    def _options(self) -> dict[str, Any]:
        options: dict[str, Any] = {"cookies": CookieJar(policy=DefaultCookiePolicy(allowed_domains=[]))}
        if self._transport is not None:
            return {**options, "transport": self._transport, "trust_env": False}
        return {**options, "verify": ssl_context(self.settings)}


def ssl_context(settings: Settings) -> ssl.SSLContext:
    """The system's trust with SSL_CERT_FILE as an extra CA bundle; verification is always on."""
    context = ssl.create_default_context()
    if settings.ssl_cert_file is not None:
        try:
            context.load_verify_locations(cafile=str(settings.ssl_cert_file))
        except (OSError, ssl.SSLError) as error:
            raise ConfigurationError(
                "SSL_CERT_FILE_UNREADABLE",
                f"SSL_CERT_FILE: {settings.ssl_cert_file} is no readable CA bundle",
                hint="give the path of a PEM file with CA certificates",
            ) from error
    return context


@contextmanager
def _network_errors(url: str) -> Iterator[None]:
    try:
        yield
    except httpx2.HTTPError as error:
        raise network_fault(url, error) from error


def _with_params(url: str, params: Params | None) -> str:
    return str(httpx2.URL(url).copy_merge_params(dict(params))) if params else url


def _joined(blocks: Iterable[bytes], url: str) -> bytes:
    received = bytearray()
    for block in blocks:
        received += block
        _check_size(len(received), url)
    return bytes(received)


async def _read(response: httpx2.Response, url: str) -> bytes:
    received = bytearray()
    async for block in response.aiter_bytes(BLOCK_BYTES):
        received += block
        _check_size(len(received), url)
    return bytes(received)


def _check_size(received: int, url: str) -> None:
    if received > MAX_JSON_BYTES:
        error = SourceContractError(
            "SOURCE_ANSWER_TOO_LARGE", f"the answer of {shown(url)} is larger than {MAX_JSON_BYTES} bytes"
        )
        raise SourceFault(error)


def _too_many_redirects(url: str) -> SourceContractError:
    return SourceContractError(
        "TOO_MANY_REDIRECTS", f"more than {MAX_REDIRECTS} redirects, the last one to {shown(url)}"
    )
