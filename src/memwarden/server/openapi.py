"""The OpenAPI document: what FastAPI knows of the routes, with tokens and problems as they are here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any

from fastapi.openapi.utils import get_openapi
from starlette.routing import BaseRoute

from memwarden import __version__
from memwarden.server.authentication import ACTING_FOR, OPEN_PATHS
from memwarden.server.problems import MEDIA_TYPE

_ALWAYS = (400, 401, 403, 404, 405, 413, 415, 422, 429, 500, 503)
_ABOUT = f"""Governed memory of AI agents.

Every request but `/livez` carries a bearer token; tenant and user come from its verified claims and from nowhere else. A
service names the user it acts for in the header `{ACTING_FOR}`, and its token must grant that. Whatever does not
work is answered with problem details (RFC 9457)."""

_PROBLEM = {
    "type": "object",
    "required": ["type", "title", "status", "detail", "request_id"],
    "properties": {
        "type": {"type": "string", "format": "uri"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "request_id": {"type": "string"},
        "faults": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["where", "code", "message"],
                "properties": {name: {"type": "string"} for name in ("where", "code", "message")},
            },
        },
    },
    "examples": [
        {
            "type": "urn:memwarden:problem:not-found",
            "title": "Not found",
            "status": 404,
            "detail": "No such memory; list them to see their ids.",
            "request_id": "01K0Z9V7Y2M4Q8R6T5W3X1A0BC",
        }
    ],
}


def document(routes: Sequence[BaseRoute]) -> dict[str, Any]:
    """Return the document of these routes."""
    found = get_openapi(title="Memwarden", version=__version__, description=_ABOUT, routes=routes)
    parts = found.setdefault("components", {})
    schemas = parts.setdefault("schemas", {})
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    schemas["Problem"] = _PROBLEM
    parts["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}}
    found["security"] = [{"token": []}]
    for path, operation in _operations(found):
        _describe(path, operation)
    return found


def _operations(found: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, methods in found["paths"].items():
        for operation in methods.values():
            yield path, operation


def _describe(path: str, operation: dict[str, Any]) -> None:
    responses = operation["responses"]
    if path in OPEN_PATHS:
        operation["security"] = []
        return
    for status in _ALWAYS:
        responses[str(status)] = _problem(status)
    if any(parameter["name"] == "If-Match" for parameter in operation.get("parameters", ())):
        responses["412"] = _problem(412)
    if "requestBody" in operation:
        responses["409"] = _problem(409)


def _problem(status: int) -> dict[str, Any]:
    return {
        "description": HTTPStatus(status).phrase,
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
