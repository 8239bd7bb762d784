"""Who may come in, and what no other site may do in their name."""

import asyncio
import hmac
import inspect
import sys
import time
from collections import OrderedDict
from collections.abc import Callable, MutableMapping
from hashlib import sha256
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl, urlsplit

from pydantic import BaseModel, ValidationError

from medassay.campaign.catalogues import Catalogues, Texts
from medassay.campaign.room import UnusableRoom
from medassay.errors import InvalidInput, Problem
from medassay.web.answers import Refused, error_json, json_answer
from medassay.web.pages import page_of_error, script_source
from medassay.web.routing import Actor, Call, Route

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from starlette.requests import Request
    from starlette.responses import Response

    from medassay.campaign.room import Person, Room
    from medassay.web.routing import Setup

MOST_BYTES: Final = 256 * 1024
"""The largest body that is read: fifty labels, each with a long comment."""

_POLICY: Final = (
    "default-src 'none'; script-src 'self' {script}; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
_HEADERS: Final = {
    "x-content-type-options": "nosniff",
    # Not no-referrer: with it browsers call the origin of our own forms "null".
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    "x-frame-options": "DENY",
    "x-robots-tag": "noindex, nofollow",
}
_TLS_ONLY: Final = {"strict-transport-security": "max-age=31536000"}


class Guarded:
    """The application under its path, with the headers that every answer carries.

    A proxy may pass the path on or strip it. Texts are never stored.

    Args:
        app: The application, of Starlette.
        address: What people type. Its path is before that of every page; over TLS at the root of a
            server, browsers are told to use nothing else there.

    Raises:
        InvalidInput: The path begins as a page of the application does, so that nobody could tell
            whether it was stripped.
    """

    def __init__(self, app: Any, address: str) -> None:  # noqa: ANN401 - ASGI
        parts = urlsplit(address)
        self._app, self._prefix = app, parts.path.rstrip("/")
        first = self._prefix.strip("/").partition("/")[0]
        if first and first in {route.path.split("/")[1] for route in app.routes}:
            must = "have a path that begins as no page here does"
            hint = f"Give it another, such as {parts.scheme}://{parts.netloc}/study-{first}."
            raise InvalidInput(Problem("--url", must, f"/{first}", hint))
        alone = parts.scheme == "https" and not self._prefix
        policy = {"content-security-policy": _POLICY.format(script=script_source())}
        headers = {**policy, **_HEADERS, **(_TLS_ONLY if alone else {})}
        self._headers = [(name.encode(), value.encode()) for name, value in headers.items()]

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401 - ASGI
        """Answer one request."""
        if scope["type"] == "http" and self._prefix:
            path, under = scope["path"], f"{self._prefix}/"
            rest = path.removeprefix(self._prefix) if f"{path}/".startswith(under) else path
            # Starlette looks for a page behind `root_path`.
            scope = {**scope, "root_path": self._prefix, "path": self._prefix + (rest or "/")}

        async def send_with(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                own = {name for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *self._headers]
                if b"cache-control" not in own:
                    message["headers"].append((b"cache-control", b"no-store"))
            await send(message)

        await self._app(scope, receive, send_with if scope["type"] == "http" else send)


def csrf_of(session: str) -> str:
    """Give what a session sends along to change something; it follows from the session."""
    return hmac.digest(session.encode(), b"medassay.csrf", "sha256").hex()


def _refuse_from_elsewhere(request: "Request", address: str) -> None:
    """Refuse what a page of another site sends, or one whose site the browser hides.

    Args:
        request: What changes something.
        address: Where people reach the room; a proxy may pass another host on.

    Raises:
        Refused: The browser says that it comes from elsewhere, or from nowhere.
    """
    site = request.headers.get("sec-fetch-site", "same-origin")
    origin = request.headers.get("origin", "")
    own = {request.headers.get("host", ""), urlsplit(address).netloc}
    # No server's name stands in "null", nor in the "file://" of a page that was opened as a file.
    foreign = bool(origin) and (origin.partition("://")[2] or "null") not in own
    if site not in {"same-origin", "none"} or foreign:
        raise Refused(403, "elsewhere", "This was sent from a page of another site.")


def _refuse_other_names(request: "Request", address: str) -> None:
    """Refuse a request under a name that is not the room's.

    A page of another site could have its own name point here, and read what is answered. An address
    of numbers cannot be made to point elsewhere, so it is taken.

    Raises:
        Refused: The host is another's.
    """
    try:
        name = urlsplit(f"//{request.headers.get('host', '')}").hostname or ""
    except ValueError:
        name = ""
    if name in {"localhost", urlsplit(address).hostname or ""}:
        return
    try:
        ip_address(name)
    except ValueError:
        words = f"This rating room is at {address}. For another name, start it with --url."
        raise Refused(421, "other_name", words) from None


class Buckets:
    """How often somebody may ask: so much at once, and so much a second on the long run.

    Keys are kept as hashes, in memory, and the oldest are forgotten.

    Args:
        a_second: Requests a second on the long run.
        at_once: Requests at once.
        clock: Tells seconds.
    """

    _MOST: Final = 4096

    def __init__(
        self, a_second: float, at_once: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate, self._size, self._clock = a_second, at_once, clock
        self._left: OrderedDict[bytes, tuple[float, float]] = OrderedDict()

    def take(self, key: str) -> None:
        """Count one request.

        Raises:
            Refused: It is one too many.
        """
        name, now = sha256(key.encode()).digest(), self._clock()
        left, since = self._left.pop(name, (self._size, now))
        left = min(self._size, left + (now - since) * self._rate)
        self._left[name] = (max(left - 1, 0.0), now)
        if len(self._left) > self._MOST:
            self._left.popitem(last=False)
        if left < 1:
            raise Refused(429, "too_many", "Too many requests. Please try again in a moment.")


LANGUAGE: Final = "language"
"""The cookie that holds a chosen language: nothing else about anybody."""

_SHOWN_PROBLEMS: Final = 20


class Gate:
    """Lets requests through to views, by the table of routes.

    Args:
        room: The room.
        setup: How it is reached.
        catalogues: The languages it speaks.
    """

    def __init__(self, room: "Room", setup: "Setup", catalogues: Catalogues) -> None:
        self._room, self._setup, self._catalogues = room, setup, catalogues
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
                if not route.free and call.session != request.cookies.get(self._setup.cookie, ""):
                    self._setup.keep(answer, self._setup.cookie, call.session)
            except Refused as refused:
                return self.told(request, refused, page=route.page)
            except UnusableRoom as error:
                # Where the database is, and what it said, is for whoever runs the server.
                sys.stderr.write(f"{error}\n")
                must = "The server cannot save just now. Your labels stay in this browser."
                full = Refused(507 if error.full else 503, "no_space", must)
                return self.told(request, full, page=route.page)
            except InvalidInput as error:
                problems = [problem.as_dict() for problem in error.problems]
                wrong = Refused(422, "wrong", str(error), problems)
                return self.told(request, wrong, page=route.page)
            return answer

        return endpoint

    def texts(self, request: "Request", person: "Person | None" = None) -> Texts:
        """Give the texts in the language of whoever asks: the person's, this browser's choice."""
        wished = request.headers.get("accept-language", "")
        chosen = person.language if person else ""
        return self._catalogues.choose(chosen or request.cookies.get(LANGUAGE, ""), wished)

    def told(self, request: "Request", refused: Refused, *, page: bool) -> "Response":
        """Tell what is wrong: to a program as JSON, to a person as a page or at the door."""
        from starlette.responses import RedirectResponse

        if not page:
            return json_answer(error_json(refused), refused.status)
        if refused.status == 401:  # noqa: PLR2004 - nobody is signed in
            return RedirectResponse(f"{self._setup.prefix}/in", 303)
        asked = request.method == "GET"
        return page_of_error(self.texts(request), refused, self._setup.prefix, asked=asked)

    async def _call(self, route: Route, request: "Request") -> Call:
        from starlette.concurrency import run_in_threadpool

        session = request.cookies.get(self._setup.cookie, "")
        host = request.client.host if request.client else ""
        if host not in self._setup.proxies:
            _refuse_other_names(request, self._setup.address)
        if route.free:
            texts, languages = self.texts(request), self._catalogues.languages
            return Call(request, self._room, self._setup, None, "", "", texts, languages)
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
        named = self._named(request, host)
        if named and (person is None or person.name != named):
            # Somebody else may have signed in at the same computer: the proxy knows who it is now.
            session = await run_in_threadpool(self._vouched, named)
            person = await asyncio.wrap_future(self._room.access.ask(session))
        actor: Actor = "signed out" if person is None else person.role
        if actor not in route.actors:
            raise _refusal(actor)
        csrf = csrf_of(session) if session else ""
        body = None
        if route.method == "POST":
            _refuse_from_elsewhere(request, self._setup.address)
            fields = await _fields(route, request)
            sent = request.headers.get("x-csrf") or fields.pop("csrf", "")
            if person is not None and "signed out" not in route.actors and sent != csrf:
                raise Refused(403, "stale_page", "Please load this page again.")
            body = None if route.body is None else _read(route.body, fields)
        texts, languages = self.texts(request, person), self._catalogues.languages
        return Call(request, self._room, self._setup, person, session, csrf, texts, languages, body)

    def _named(self, request: "Request", host: str) -> str:
        """Give whom a proxy names; nobody where two names came: one may be the browser's own."""
        if not self._setup.sign_on or host not in self._setup.proxies:
            return ""
        names = request.headers.getlist(self._setup.sign_on)
        return names[0] if len(names) == 1 else ""

    def _vouched(self, name: str) -> str:
        return self._room.access.start_for(name, self._setup.session_hours) or ""


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
