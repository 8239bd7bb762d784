"""The table of routes as a document of OpenAPI."""

from collections.abc import Iterable
from typing import Any

from medassay.__about__ import __version__
from medassay.web.routing import Route

__all__ = ["openapi"]

_ERROR = {
    "type": "object",
    "required": ["word", "sentence", "problems"],
    "properties": {
        "word": {"type": "string"},
        "sentence": {"type": "string"},
        "problems": {"type": "array", "items": {"type": "object"}},
    },
}
_WRONG = {
    "400": "What was sent cannot be read.",
    "401": "Nobody is signed in.",
    "403": "Not for this person, or sent from another page.",
    "404": "There is no such thing, or it is somebody else's.",
    "409": "Not now.",
    "413": "Too much was sent at once.",
    "415": "What was sent is of another kind.",
    "422": "What was sent holds something that it may not.",
    "429": "Too many requests; try again in a moment.",
    "503": "The database cannot be reached; nothing of this was kept.",
    "507": "The disk is full; nothing of this was kept.",
}


def openapi(routes: Iterable[Route]) -> dict[str, Any]:
    """Write down the table of routes.

    Example:
        >>> openapi([])["openapi"]
        '3.1.0'
    """
    paths: dict[str, dict[str, object]] = {}
    schemas: dict[str, object] = {"Error": _ERROR}
    for route in routes:
        operation: dict[str, object] = {
            "summary": route.told,
            "operationId": f"{route.method.lower()}{route.path.replace('/', '_')}",
            "x-actors": sorted(route.actors),
            "x-scope": route.scope,
            "responses": _responses(),
        }
        if route.parts:
            operation["parameters"] = [
                {
                    "name": name,
                    "in": "path",
                    "required": True,
                    "schema": {"type": "string", "minLength": 1, "maxLength": 200},
                }
                for name in route.parts
            ]
        if "signed out" not in route.actors:
            operation["security"] = [{"session": [], "csrf": []}]
        if route.body is not None:
            schema = route.body.model_json_schema(ref_template="#/components/schemas/{model}")
            schemas.update(schema.pop("$defs", {}))
            schemas[route.body.__name__] = schema
            reference = {"$ref": f"#/components/schemas/{route.body.__name__}"}
            kind = "application/x-www-form-urlencoded" if route.page else "application/json"
            operation["requestBody"] = {"required": True, "content": {kind: {"schema": reference}}}
        paths.setdefault(route.path, {})[route.method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {"title": "medassay, the rating room", "version": __version__},
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "session": {"type": "apiKey", "in": "cookie", "name": "room"},
                "csrf": {"type": "apiKey", "in": "header", "name": "X-CSRF"},
            },
        },
    }


def _responses() -> dict[str, object]:
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    wrong = {status: {"description": words, "content": error} for status, words in _WRONG.items()}
    good = {"200": {"description": "As asked."}, "303": {"description": "Go on at another page."}}
    return {**good, **wrong}
