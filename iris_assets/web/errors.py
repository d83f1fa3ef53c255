"""Every failure as JSON {error, message, details?}: never a stack trace, never another shape."""

import logging
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from iris_assets.errors import IrisAssetsError, ModelError, NotFoundError, StoreError, UsageError

log = logging.getLogger(__name__)

NAMES = {
    400: "invalid_request",
    404: "not_found",
    405: "method_not_allowed",
    413: "payload_too_large",
    429: "too_many_requests",
    500: "internal_error",
    503: "provider_unavailable",
}
MESSAGES = {
    404: "Não há nada neste endereço.",
    405: "Este endereço não aceita este método.",
    413: "O corpo da requisição é grande demais.",
    429: "Muitas requisições em pouco tempo. Tente de novo em instantes.",
    500: "Erro interno. Tente de novo.",
}


def error_body(status: int, message: str, details: Any = None) -> dict[str, Any]:
    """The body of a failure."""
    body: dict[str, Any] = {"error": NAMES.get(status, "error"), "message": message}
    return body if details is None else {**body, "details": details}


def error_response(
    status: int, message: str = "", details: Any = None, headers: dict[str, str] | None = None
) -> JSONResponse:
    return JSONResponse(error_body(status, message or MESSAGES.get(status, ""), details), status, headers)


def status_of(error: IrisAssetsError) -> int:
    """The HTTP status of a typed error."""
    if isinstance(error, NotFoundError):
        return 404
    if isinstance(error, UsageError):
        return 400
    return 503 if isinstance(error, ModelError | StoreError) else 500


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
    return error_response(400, "A requisição não está no formato esperado.", details)


async def _http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    status = 400 if error.status_code == 422 else error.status_code
    return error_response(status, MESSAGES.get(status, str(error.detail)), None, dict(error.headers or {}))


async def _typed(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, IrisAssetsError)
    status = status_of(error)
    if status >= 500:
        log.error("%s %s failed: %s", request.method, request.url.path, error.code)
    return error_response(status, error.message, {"code": error.code, "hint": error.hint})


async def _unexpected(request: Request, error: Exception) -> JSONResponse:
    log.exception("%s %s failed", request.method, request.url.path, exc_info=error)
    return error_response(500)
