"""The application: the table of routes, made into what a server runs."""

from functools import cache
from typing import TYPE_CHECKING, Any

from medassay.web.answers import Refused, json_answer
from medassay.web.catalogues import Catalogues, shipped
from medassay.web.gate import Gate
from medassay.web.openapi import openapi
from medassay.web.pages import page_of_error
from medassay.web.routes import ROUTES
from medassay.web.security import MOST_BYTES, Guarded

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request
    from starlette.responses import Response

    from medassay.campaign.room import Room
    from medassay.web.setup import Setup

__all__ = ["room_app"]


def room_app(room: "Room", setup: "Setup", catalogues: Catalogues | None = None) -> Guarded:
    """Make the application of a room.

    Args:
        room: The room.
        setup: How it is reached.
        catalogues: The languages it speaks; those that are shipped if not given.

    Raises:
        MissingBackend: A package of the extra `web` is not installed.
    """
    from starlette.applications import Starlette
    from starlette.exceptions import HTTPException
    from starlette.routing import Route as Path

    gate = Gate(room, setup, catalogues or shipped(), page_of_error)
    paths = [Path(route.path, gate.endpoint(route), methods=[route.method]) for route in ROUTES]
    paths.append(Path("/openapi.json", lambda _: json_answer(_document()), methods=["GET"]))
    app = Starlette(
        routes=paths,
        exception_handlers={HTTPException: _telling(gate), Exception: _telling(gate)},
        max_body_size=MOST_BYTES,
    )
    # It would lead to whatever name the request bears, before the gate looks at that.
    app.router.redirect_slashes = False
    return Guarded(app, secure=setup.secure)


@cache
def _document() -> dict[str, Any]:
    """Write down the routes, once; most rooms are never asked for it."""
    return openapi(ROUTES)


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
