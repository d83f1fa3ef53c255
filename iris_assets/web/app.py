"""The web application: HTTP API under /api and the page at /, over one configuration."""

import logging
import os
import socket
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager, suppress
from typing import Any

from anyio import to_thread
from fastapi import Depends, FastAPI
from fastapi.middleware.cors import CORSMiddleware
from fastapi.staticfiles import StaticFiles

import iris_assets
from iris_assets import logs
from iris_assets.errors import ConfigurationError, StoreError
from iris_assets.platform import Platform, open_platform
from iris_assets.settings import Settings, load_settings, read_environment
from iris_assets.store import require_store
from iris_assets.web import routes_documents, routes_pages, routes_questions, routes_records
from iris_assets.web.errors import PROBLEM, install
from iris_assets.web.exchange import VERSION, Compressed, Head, Tagged, Versioned
from iris_assets.web.guards import MAX_BODY_BYTES, BodyLimit, RateLimit, SecurityHeaders
from iris_assets.web.health import Health
from iris_assets.web.questions import Questions
from iris_assets.web.routes_pages import STATIC
from iris_assets.web.schemas import ErrorReply
from iris_assets.web.wiring import known_parameters

log = logging.getLogger(__name__)

THREADS = 8  # for routes that read records; questions have their own
GRACE_SECONDS = 5  # for answers that are being made when the server is told to end

FAILURES = {
    400: "invalid request",
    404: "not found",
    405: "method not allowed",
    408: "the request came too slowly",
    409: "not possible with what is stored",
    413: "payload too large",
    429: "too many requests",
    503: "store or provider unavailable",
}


def create_app(
    settings: Settings,
    *,
    platform: Platform | None = None,
    rate_per_minute: int | None = None,
    max_body: int = MAX_BODY_BYTES,
) -> FastAPI:
    """The ASGI application; without `platform` it opens that of the settings at its start, and closes it."""
    app = FastAPI(
        title="iris-assets",
        version=getattr(iris_assets, "__version__", "0.1.0"),
        description="Official political records of Brazil with verified citations.",
        lifespan=_lifespan(settings, platform),
        docs_url=None,  # the interactive pages load scripts from other hosts
        redoc_url=None,
        openapi_url="/api/openapi.json",
        responses={code: {"model": ErrorReply, "description": text} for code, text in FAILURES.items()},
    )
    # Documents before records: `….pdf` is no document's hash.
    for part in (routes_documents, routes_records, routes_questions):
        app.include_router(part.router, dependencies=[Depends(known_parameters)])
    app.include_router(routes_pages.router)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    install(app)
    _add_guards(app, settings, rate_per_minute or settings.rate_limit_per_minute, max_body)
    app.openapi = lambda: _schema(app)  # type: ignore[method-assign]
    return app


def _add_guards(app: FastAPI, settings: Settings, rate_per_minute: int, max_body: int) -> None:
    """What every request passes, the last one first."""
    app.add_middleware(Tagged)
    app.add_middleware(Head)
    app.add_middleware(Compressed)
    app.add_middleware(BodyLimit, limit=max_body)
    app.add_middleware(RateLimit, per_minute=rate_per_minute)
    app.add_middleware(Versioned)
    if settings.cors_origin_list:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.cors_origin_list,
            allow_methods=["GET", "HEAD", "POST"],
            allow_headers=["Accept-Language", "Content-Type", "If-None-Match"],
            expose_headers=["ETag", "Retry-After"],
        )
    app.add_middleware(SecurityHeaders)


def serve(settings: Settings, host: str = "127.0.0.1", port: int = 8000, workers: int = 1) -> None:
    """Serve until interrupted; the address and the store are tried before anything is started.

    ConfigurationError ADDRESS_UNUSABLE (port taken, no such address, no right to it) or STORE_ABSENT (no SQLite file in
    the data folder: a mistyped folder would be served as an empty platform), StoreError for a store that does not open.
    """
    import uvicorn

    require_store(settings.store_url)
    logging.getLogger("uvicorn").setLevel(logging.INFO)
    with _listening(host, port) as listener, open_platform(settings) as platform:
        log.info("http://%s:%s", f"[{host}]" if ":" in host else host, port)
        with suppress(KeyboardInterrupt):  # Ctrl+C is how it is meant to end
            if workers == 1:
                uvicorn.Server(_config(settings, create_app(settings, platform=platform))).run(sockets=[listener])
            else:
                _serve_by_workers(settings, listener, platform, workers)


def _serve_by_workers(settings: Settings, listener: socket.socket, platform: Platform, workers: int) -> None:
    """Processes that share the socket and the store; one that dies is replaced. They read the environment."""
    from uvicorn.supervisors import Multiprocess

    platform.close()  # each worker opens its own
    os.environ.update(IRIS_ASSETS_DATA=str(settings.iris_assets_data))  # what --data said
    config = _config(settings, f"{__name__}:app_of_environment", factory=True, workers=workers)
    Multiprocess(config, sockets=[listener]).run()


def app_of_environment() -> FastAPI:
    """The application of a worker process."""
    logs.set_up(read_environment())
    return create_app(load_settings())


def _config(settings: Settings, app: FastAPI | str, **more: Any) -> Any:
    import uvicorn

    from iris_assets.web.connections import PatientProtocol

    # Forwarded headers are believed of the proxies in TRUSTED_PROXIES alone: anybody can write them.
    return uvicorn.Config(
        app,
        http=PatientProtocol,
        ws="none",
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=settings.trusted_proxies,
        server_header=False,
        log_config=None,
        timeout_graceful_shutdown=GRACE_SECONDS,
        **more,
    )


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        if not host:
            raise OSError(None, "an empty --host would mean every network of this machine; say 0.0.0.0")
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise ConfigurationError(
            "ADDRESS_UNUSABLE",
            f"cannot listen on {host}:{port}: {str(error.strerror or error).partition(' (while')[0]}",
            hint="choose another --port or --host, or stop the program that has it",
        ) from None


def _lifespan(settings: Settings, platform: Platform | None) -> Any:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        with ExitStack() as stack:
            app.state.platform = platform or stack.enter_context(open_platform(settings))
            app.state.questions, app.state.health = Questions(), Health(app.state.platform)
            to_thread.current_default_thread_limiter().total_tokens = THREADS
            with suppress(StoreError):  # told to those who ask
                await app.state.health.now()
            yield

    return lifespan


def _schema(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document as the application really behaves: invalid requests answer 400, never 422."""
    if app.openapi_schema is None:
        schema = FastAPI.openapi(app)
        for operations in schema["paths"].values():
            for operation in operations.values():
                operation["responses"].pop("422", None)
                for status, reply in operation["responses"].items():
                    if status >= "400" and "application/json" in reply.get("content", {}):
                        reply["content"] = {PROBLEM: reply["content"]["application/json"]}
        for name in ("HTTPValidationError", "ValidationError"):
            schema.get("components", {}).get("schemas", {}).pop(name, None)
        schema["paths"] = {VERSION + path.removeprefix("/api"): taken for path, taken in schema["paths"].items()}
        app.openapi_schema = schema
    return app.openapi_schema
