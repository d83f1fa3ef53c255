"""Every failure as problem+json with a sentence for the reader: never a stack trace, never another shape."""

import logging
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.types import Scope

from iris_assets.errors import BusyError, IrisAssetsError, ModelError, NotFoundError, StoreError, UsageError
from iris_assets.words.messages import Language, failure, preferred_language

log = logging.getLogger(__name__)

NAMES = {
    400: "invalid_request",
    404: "not_found",
    405: "method_not_allowed",
    408: "request_timeout",
    409: "conflict",
    413: "payload_too_large",
    429: "too_many_requests",
    500: "internal_error",
    503: "provider_unavailable",
}
CONFLICTS = {
    "VECTORS_ABSENT",
    "PARTY_UNKNOWN",
    "OFFICE_UNKNOWN",
    "YEAR_UNKNOWN",
}  # valid requests that what is stored cannot serve
PROBLEM = "application/problem+json"


def language_of(scope: Scope) -> Language:
    """The language of a request's failures, by its Accept-Language."""
    accepted = next((value for name, value in scope["headers"] if name == b"accept-language"), b"")
    return preferred_language(accepted.decode("latin-1"))


def error_body(status: int, language: Language, *, code: str | None = None, details: Any = None) -> dict[str, Any]:
    """The body of a failure (RFC 9457) with a sentence for the reader; `error`, `message` and `details` are ours."""
    name, message = NAMES.get(status, "error"), failure(code, status, language)
    body = {
        "type": "about:blank", "title": name, "status": status, "detail": message, "code": code or name.upper(),
        "error": name, "message": message,
    }  # fmt: skip
    return body if details is None else {**body, "details": details}


def typed_body(error: IrisAssetsError, language: Language) -> dict[str, Any]:
    """The body of a typed failure; what it says in English is a technical detail."""
    told = {"code": error.code, "hint": error.hint, "technical": error.message}
    return error_body(status_of(error), language, code=error.code, details=told)


def error_response(body: dict[str, Any], headers: dict[str, str] | None = None) -> JSONResponse:
    return JSONResponse(body, body["status"], headers, media_type=PROBLEM)


def status_of(error: IrisAssetsError) -> int:
    """The HTTP status of a typed error."""
    if error.code in CONFLICTS:
        return 409
    if isinstance(error, NotFoundError):
        return 404
    if isinstance(error, UsageError):
        return 400
    return 503 if isinstance(error, ModelError | StoreError | BusyError) else 500


def install(app: FastAPI) -> None:
    """Register the handlers."""
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(IrisAssetsError, _typed)
    app.add_exception_handler(Exception, _unexpected)


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    details = [
        {"field": ".".join(str(part) for part in item["loc"]), "message": item["msg"]} for item in error.errors()
    ]
    return error_response(error_body(400, language_of(request.scope), details=details))


async def _http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    status = 400 if error.status_code == 422 else error.status_code
    return error_response(error_body(status, language_of(request.scope)), dict(error.headers or {}))


async def _typed(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, IrisAssetsError)
    if status_of(error) >= 500:
        log.error("%s %s failed: %s", request.method, request.url.path, error.code)
    wait = error.details.get("retry_after") if isinstance(error, BusyError) else None
    headers = {"Retry-After": str(wait)} if wait is not None else None
    return error_response(typed_body(error, language_of(request.scope)), headers)


async def _unexpected(request: Request, error: Exception) -> JSONResponse:
    log.exception("%s %s failed", request.method, request.url.path, exc_info=error)
    return error_response(error_body(500, language_of(request.scope)))
