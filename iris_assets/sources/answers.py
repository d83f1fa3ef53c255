"""Turns what a host answered (or failed to answer) into a JSON object or a typed error."""

import json
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import httpx2

from iris_assets.errors import IrisAssetsError, SourceContractError, SourceUnavailableError
from iris_assets.retry_after import parse_retry_after
from iris_assets.sources.hosts import shown
from iris_assets.sources.received import PERSONAL, describe, is_html, is_xml
from iris_assets.sources.retry import SourceFault

ERROR_BODY: Final = "erroCorpo"  # the Câmara's gateway puts it beside (or in place of) the data, with status 200


@dataclass(frozen=True, slots=True)
class JsonAnswer:
    """A JSON object with the headers and the final address of its answer."""

    data: dict[str, Any]
    headers: Mapping[str, str]
    url: str


def parse_json(url: str, response: httpx2.Response, body: bytes) -> JsonAnswer:
    """As `json_object`, with the headers and the address of the response."""
    return JsonAnswer(json_object(url, body), response.headers, str(response.url))


def json_object(url: str, body: bytes) -> dict[str, Any]:
    """The JSON object in `body`; anything else raises SourceFault with its own code.

    XML, an empty or cut body and one that says error are a source out of order: worth another try. A page of HTML and
    another root are not.
    """
    if is_html(body[:512]) or not body:
        said = f"JSON expected from {shown(url)}, {describe(body, len(body))} received"
        passing = not body or is_xml(body[:512])
        raise SourceFault((_out_of_order if passing else _contract)("SOURCE_NOT_JSON", said))
    try:
        data = json.loads(body)
    except ValueError as error:
        received = describe(body, len(body))
        raise SourceFault(
            _out_of_order("SOURCE_JSON_INVALID", f"the JSON of {shown(url)} is broken: {received}")
        ) from error
    if not isinstance(data, dict):
        raise SourceFault(
            _contract("SOURCE_JSON_ROOT", f"{shown(url)} answered a {type(data).__name__}, not an object")
        )
    if data.get(ERROR_BODY):
        said = f"{shown(url)} answered 200 with `{ERROR_BODY}`: {_escaped(data[ERROR_BODY])}"
        raise SourceFault(_out_of_order("SOURCE_ERROR_BODY", said))
    return data


def answer_fault(url: str, response: httpx2.Response, body: bytes) -> SourceFault:
    """The fault for a status other than success."""
    status = response.status_code
    retry_after = parse_retry_after(response.headers.get("retry-after")) if status in (403, 429, 503) else None
    return SourceFault(_status_error(url, status, body, retry_after), status=status, retry_after=retry_after)


def _status_error(url: str, status: int, body: bytes, retry_after: float | None) -> IrisAssetsError:
    where, details = shown(url), {"status": status}
    if status == 403:
        return SourceUnavailableError(
            "SOURCE_FORBIDDEN",
            f"{where} answered 403",
            hint="the source's shield refused us; try again later",
            details=details,
        )
    if status == 404:
        return _contract("SOURCE_NOT_FOUND", f"{where} answered 404", details)
    if status == 429:
        asked = f"; it asks to wait {retry_after:.0f} s" if retry_after else ""
        return SourceUnavailableError(
            "SOURCE_RATE_LIMITED",
            f"{where} answers 429 again and again{asked}",
            hint="lower CAMARA_HTTP_WORKERS or try again later",
            details=details,
        )
    if status >= 500:
        return SourceUnavailableError(
            "SOURCE_UNAVAILABLE",
            f"{where} answered {status}",
            hint="the source is out of order; try again later",
            details=details,
        )
    detail, instance = _refusal(body)
    return _contract(
        "SOURCE_REQUEST_REFUSED",
        f"{where} answered {status}{f': {detail}' if detail else ''}",
        {**details, "instance": instance},
    )


def network_fault(url: str, error: httpx2.HTTPError) -> SourceFault:
    """The fault for a connection that failed, a timeout, a broken stream or a failed handshake."""
    where = shown(url)
    reason = _tls_reason(error)
    if reason is not None:
        return SourceFault(
            SourceUnavailableError(
                "TLS_HANDSHAKE_FAILED",
                f"the secure connection to {where} failed: {type(reason).__name__}",
                hint="put the missing CA certificate into a file and name it in SSL_CERT_FILE; verification stays on",
                # A certificate that is not trusted will not be trusted at the next try either.
                retryable=not isinstance(reason, ssl.SSLCertVerificationError),
            )
        )
    if isinstance(error, httpx2.TimeoutException):
        return SourceFault(
            SourceUnavailableError(
                "SOURCE_TIMEOUT",
                f"{where} did not answer in time ({type(error).__name__})",
                hint="raise HTTP_READ_TIMEOUT_SECONDS or try again later",
            )
        )
    return SourceFault(
        SourceUnavailableError(
            "SOURCE_UNAVAILABLE",
            f"no whole answer from {where} ({type(error).__name__})",
            hint="check the network; try again later",
        )
    )


def _tls_reason(error: BaseException | None) -> ssl.SSLError | None:
    seen = 0
    while error is not None and seen < 10:
        if isinstance(error, ssl.SSLError):
            return error
        if "CERTIFICATE_VERIFY_FAILED" in str(error):
            return ssl.SSLCertVerificationError(str(error))
        error, seen = error.__cause__ or error.__context__, seen + 1
    return None


def _refusal(body: bytes) -> tuple[str, str]:
    """`detail` and `instance` (the refused parameter) of the Câmara's error answers, escaped and cut."""
    try:
        data = json.loads(body)
    except ValueError:
        return "", ""
    if not isinstance(data, dict):
        return "", ""
    return ascii(str(data.get("detail") or data.get("title") or ""))[1:-1][:200], str(data.get("instance") or "")[:100]


def _escaped(value: Any) -> str:
    return ascii(PERSONAL.sub("…", str(value)))[1:-1][:200]


def _out_of_order(code: str, message: str) -> SourceUnavailableError:
    return SourceUnavailableError(code, message, hint="the source is out of order; try again later")


def _contract(code: str, message: str, details: Mapping[str, Any] | None = None) -> SourceContractError:
    return SourceContractError(
        code, message, hint="the source changed or is out of order; see the message", details=details
    )
