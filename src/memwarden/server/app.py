"""The application: its layers, from the outermost in, and its routes."""

from __future__ import annotations

from fastapi import Depends, FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.telemetry import TelemetryConfig
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from structlog.typing import FilteringBoundLogger

from memwarden.errors import MemwardenError
from memwarden.memory.warden import Memwarden
from memwarden.server.access import verified_caller
from memwarden.server.authentication import ACTING_FOR, Authentication
from memwarden.server.deadline import Deadline
from memwarden.server.failures import answer_http, answer_invalid, answer_ours, answer_problem
from memwarden.server.known_hosts import KnownHosts
from memwarden.server.metrics import Metrics
from memwarden.server.openapi import document
from memwarden.server.options import ServerOptions
from memwarden.server.problems import ProblemError
from memwarden.server.rate_limit import RateLimit
from memwarden.server.request_body import RequestBody
from memwarden.server.request_log import RequestLog
from memwarden.server.routes import GOVERNED, health
from memwarden.server.security_headers import SecurityHeaders
from memwarden.server.tokens import TokenVerifier

_NO_TELEMETRY: TelemetryConfig = {"auto_configure": False, "tracing": False, "metrics": False, "logs": False}
"""FastAPI's own would send addresses and the texts of exceptions to wherever the environment says."""


def create_app(
    memwarden: Memwarden,
    verifier: TokenVerifier,
    options: ServerOptions,
    log: FilteringBoundLogger,
) -> FastAPI:
    """Return the application that serves ``memwarden`` to whoever has a token that ``verifier`` believes.

    The memory stays the caller's to close.
    """
    metrics = Metrics()
    app = FastAPI(
        title="Memwarden",
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        telemetry=_NO_TELEMETRY,
        middleware=_layers(verifier, options, log, metrics),
        exception_handlers={
            MemwardenError: answer_ours,
            ProblemError: answer_problem,
            HTTPException: answer_http,
            RequestValidationError: answer_invalid,
        },
    )
    app.state.memwarden = memwarden
    app.state.metrics = metrics
    app.include_router(health.open_router)
    # The layer of authentication has turned away whoever has no token; that it is there is not taken for granted.
    for router in GOVERNED:
        app.include_router(router, dependencies=[Depends(verified_caller)])
    app.add_api_route(
        "/openapi.json", _openapi, include_in_schema=False, dependencies=[Depends(verified_caller)]
    )
    return app


def _openapi(request: Request) -> Response:
    state = request.app.state
    if not hasattr(state, "document"):  # it takes a quarter of a second, and few ask for it
        state.document = JSONResponse(document(request.app.routes))
    return Response(state.document.body, media_type="application/json")


def _layers(
    verifier: TokenVerifier, options: ServerOptions, log: FilteringBoundLogger, metrics: Metrics
) -> list[Middleware]:
    return [
        Middleware(SecurityHeaders),
        Middleware(RequestLog, log=log, metrics=metrics),
        Middleware(KnownHosts, hosts=options.hosts),
        *_cross_origin(options.origins),
        Middleware(Authentication, verifier=verifier),
        Middleware(RateLimit, per_minute=options.requests_per_minute),
        Middleware(RequestBody, most=options.body_bytes),
        Middleware(Deadline, seconds=options.request_timeout_s),
    ]


def _cross_origin(origins: tuple[str, ...]) -> list[Middleware]:
    """Return the layer that lets pages of ``origins`` use the server; no layer, and no page, where there are none."""
    if not origins:
        return []
    layer = Middleware(
        CORSMiddleware,
        allow_origins=list(origins),
        allow_methods=["GET", "POST", "PUT", "DELETE"],
        allow_headers=["Authorization", "Content-Type", "If-Match", ACTING_FOR],
        expose_headers=["ETag", "Retry-After", "X-Request-Id"],
        allow_credentials=False,
    )
    return [layer]
