"""The rating room as an application, and the document that describes its routes."""

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any

from medassay.__about__ import __version__
from medassay.campaign.catalogues import Catalogues, shipped
from medassay.web.answers import Refused, json_answer
from medassay.web.gate import MOST_BYTES, Gate, Guarded
from medassay.web.routes import ROUTES
from medassay.web.routing import Route, Setup

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request
    from starlette.responses import Response

    from medassay.campaign.room import Room

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


def openapi(routes: Iterable[Route], setup: Setup | None = None) -> dict[str, Any]:
    """Write down the table of routes.

    Args:
        routes: The routes.
        setup: How the room is reached; at the root of this machine if not given.

    Example:
        >>> openapi([])["openapi"]
        '3.1.0'
    """
    setup = setup or Setup()
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
        "servers": [{"url": setup.prefix or "/"}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "session": {"type": "apiKey", "in": "cookie", "name": setup.cookie},
                "csrf": {"type": "apiKey", "in": "header", "name": "X-CSRF"},
            },
        },
    }


def _responses() -> dict[str, object]:
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    wrong = {status: {"description": words, "content": error} for status, words in _WRONG.items()}
    good = {"200": {"description": "As asked."}, "303": {"description": "Go on at another page."}}
    return {**good, **wrong}


def room_app(room: "Room", setup: Setup, catalogues: Catalogues | None = None) -> Guarded:
    """Make the application of a room.

    Args:
        room: The room.
        setup: How it is reached.
        catalogues: The languages it speaks; those that are shipped if not given.

    Raises:
        InvalidInput: The address has a path that begins as one of the room's pages does.
        MissingBackend: A package of the extra `web` is not installed.
    """
    from starlette.applications import Starlette
    from starlette.exceptions import HTTPException
    from starlette.routing import Route as Path

    gate = Gate(room, setup, catalogues or shipped())
    # Written down when it is asked for; most rooms never are.
    document = cache(lambda: openapi(ROUTES, setup))
    paths = [Path(route.path, gate.endpoint(route), methods=[route.method]) for route in ROUTES]
    paths.append(Path("/openapi.json", lambda _: json_answer(document()), methods=["GET"]))
    app = Starlette(
        routes=paths,
        exception_handlers={HTTPException: _telling(gate), Exception: _telling(gate)},
        max_body_size=MOST_BYTES,
    )
    # It would lead to whatever name the request bears, before the gate looks at that.
    app.router.redirect_slashes = False
    return Guarded(app, setup.address)


def _telling(gate: Gate) -> "Callable[[Request, Exception], Response]":
    """Tell what goes wrong outside of a view in the one form of errors."""
    from starlette.exceptions import HTTPException

    words = {404: "not_there", 405: "wrong_method", 413: "too_large"}

    def tell(request: "Request", error: Exception) -> "Response":
        status, detail = 500, "Something went wrong here. Nothing was changed."
        if isinstance(error, HTTPException):
            status, detail = error.status_code, error.detail
        refused = Refused(status, words.get(status, "broken"), f"{detail.rstrip('.')}.")
        browser = "text/html" in request.headers.get("accept", "")
        return gate.told(request, refused, page=browser)

    return tell
