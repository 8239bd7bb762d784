"""From a request to a call: who asks, whether they may, and what they sent."""

import asyncio
import inspect
import sys
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl

from pydantic import BaseModel, ValidationError

from medassay.campaign.room import UnusableRoom
from medassay.errors import InvalidInput
from medassay.web.answers import Refused, error_json, json_answer
from medassay.web.catalogues import Catalogues, Texts
from medassay.web.routing import Actor, Call, Route
from medassay.web.security import Buckets, csrf_of, refuse_from_elsewhere, refuse_other_names

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request
    from starlette.responses import Response

    from medassay.campaign.room import Person, Room
    from medassay.web.setup import Setup

__all__ = ["LANGUAGE", "Gate"]

LANGUAGE: Final = "language"
"""The cookie that holds a chosen language: nothing else about anybody."""

_SHOWN_PROBLEMS: Final = 20


class Gate:
    """Lets requests through to views, by the table of routes.

    Args:
        room: The room.
        setup: How it is reached.
        catalogues: The languages it speaks.
        page_of_error: Shows an error to people.
    """

    def __init__(
        self,
        room: "Room",
        setup: "Setup",
        catalogues: Catalogues,
        page_of_error: "Callable[[Texts, Refused], Response]",
    ) -> None:
        self._room, self._setup, self._catalogues = room, setup, catalogues
        self._page_of_error = page_of_error
        self._sessions = Buckets(setup.busy, setup.busy * 5)
        self._strangers = Buckets(10, 200)

    def endpoint(self, route: Route) -> "Callable[[Request], Awaitable[Response]]":
        """Give what Starlette calls for a route."""
        from starlette.concurrency import run_in_threadpool

        async def endpoint(request: "Request") -> "Response":
            try:
                call = await self._call(route, request)
                if inspect.iscoroutinefunction(route.view):
                    answer: Response = await route.view(call)
                else:
                    answer = await run_in_threadpool(route.view, call)
            except Refused as refused:
                return self.told(request, refused, page=route.page)
            except UnusableRoom as error:
                # Where the database is, and what it said, is for whoever runs the server.
                sys.stderr.write(f"{error}\n")
                must = "The server cannot write just now. What you said stays in this browser."
                full = Refused(507 if error.full else 503, "no_space", must)
                return self.told(request, full, page=route.page)
            except InvalidInput as error:
                problems = [problem.as_dict() for problem in error.problems]
                wrong = Refused(422, "wrong", str(error), problems)
                return self.told(request, wrong, page=route.page)
            return answer

        return endpoint

    def texts(self, request: "Request") -> Texts:
        """Give the texts in the language of whoever asks."""
        wished = request.headers.get("accept-language", "")
        return self._catalogues.choose(request.cookies.get(LANGUAGE, ""), wished)

    def told(self, request: "Request", refused: Refused, *, page: bool) -> "Response":
        """Tell what is wrong: to a program as JSON, to a person as a page or at the door."""
        from starlette.responses import RedirectResponse

        if not page:
            return json_answer(error_json(refused), refused.status)
        if refused.status == 401:  # noqa: PLR2004 - nobody is signed in
            return RedirectResponse("/in", 303)
        return self._page_of_error(self.texts(request), refused)

    async def _call(self, route: Route, request: "Request") -> Call:
        from starlette.concurrency import run_in_threadpool

        session = request.cookies.get(self._setup.cookie, "")
        host = request.client.host if request.client else ""
        if host not in self._setup.proxies:
            refuse_other_names(request, self._setup.address)
        person: Person | None = None
        if session:
            person = await asyncio.wrap_future(self._room.access.ask(session))
        if person is None:
            session = ""
        # A cookie that nobody was given is a stranger's; behind a proxy strangers differ by where
        # the proxy says that they come from. The address is hashed, in memory, and soon forgotten.
        (self._strangers if person is None else self._sessions).take(
            session or caller(request, host, self._setup.proxies)
        )
        if person is None and self._setup.sign_on and host in self._setup.proxies:
            name = request.headers.get(self._setup.sign_on, "")
            session = await run_in_threadpool(self._vouched, name)
            person = await asyncio.wrap_future(self._room.access.ask(session))
        actor: Actor = "signed out" if person is None else person.role
        if actor not in route.actors:
            raise _refusal(actor)
        csrf = csrf_of(session) if session else ""
        body = None
        if route.method == "POST":
            refuse_from_elsewhere(request, self._setup.address)
            fields = await _fields(route, request)
            sent = request.headers.get("x-csrf") or fields.pop("csrf", "")
            if person is not None and "signed out" not in route.actors and sent != csrf:
                raise Refused(403, "stale_page", "Please load this page again.")
            body = None if route.body is None else _read(route.body, fields)
        return Call(
            request, self._room, self._setup, person, session, csrf, self.texts(request), body
        )

    def _vouched(self, name: str) -> str:
        hours = self._setup.session_hours
        return (name and self._room.access.start_for(name, hours)) or ""


def caller(request: "Request", host: str, proxies: tuple[str, ...]) -> str:
    """Say where a request comes from: who connects or, behind a named proxy, whom that names.

    Every proxy adds whom it was called by at the end; what stands before the first that is not
    ours may be made up by the caller.
    """
    if host not in proxies:
        return host
    named = request.headers.get("x-forwarded-for", "").split(",")
    return (
        next((each for each in map(str.strip, reversed(named)) if each not in proxies), "") or host
    )


def _refusal(actor: Actor) -> Refused:
    if actor == "signed out":
        return Refused(401, "signed_out", "Please open your personal link.")
    return Refused(403, "not_for_you", "This is not for your part in the study.")


async def _fields(route: Route, request: "Request") -> dict[str, Any]:
    """Read what was sent: a form of a page, or JSON."""
    import json

    from starlette.requests import ClientDisconnect

    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    form = "application/x-www-form-urlencoded"
    if kind not in ({form} if route.page else {"application/json"}):
        raise Refused(415, "wrong_kind", "What was sent is of another kind.")
    try:
        text = (await request.body()).decode()
        fields = dict(parse_qsl(text, keep_blank_values=True)) if route.page else json.loads(text)
    except (ValueError, RecursionError, ClientDisconnect) as error:
        raise Refused(400, "unreadable", "What was sent cannot be read.") from error
    if not isinstance(fields, dict):
        raise Refused(400, "unreadable", "What was sent must be an object.")
    return fields


def _read(model: type[BaseModel], fields: dict[str, Any]) -> BaseModel:
    try:
        return model.model_validate(fields)
    except ValidationError as error:
        # What was sent may be a comment on an answer: it is not quoted.
        problems = [
            {"column": ".".join(map(str, error_of["loc"])), "must": error_of["msg"]}
            for error_of in error.errors(
                include_input=False, include_context=False, include_url=False
            )
        ]
        must = "What was sent holds something that it may not."
        raise Refused(422, "wrong", must, problems[:_SHOWN_PROBLEMS]) from error
