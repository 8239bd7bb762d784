"""A route of the room, a call of it, and what the room was set up with."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias
from urllib.parse import urlsplit

from pydantic import BaseModel

from medassay.web.pages import page

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request
    from starlette.responses import Response

    from medassay.campaign.catalogues import Texts
    from medassay.campaign.room import Person, Room


@dataclass(frozen=True, slots=True)
class Setup:
    """How a room is reached.

    Attributes:
        address: What raters type, such as `https://rate.example.org/ratings`; links begin with it,
            its path is before that of every page, and cookies are for TLS only where it says https.
        proxies: Addresses of reverse proxies whose headers are believed.
        sign_on: The header in which such a proxy names the person; empty: links only.
        session_hours: When a session ends by itself.
        busy: Requests a second that one session may make on the long run.
    """

    address: str = "http://127.0.0.1:8000"
    proxies: tuple[str, ...] = ()
    sign_on: str = ""
    session_hours: float = 12
    busy: float = 40

    @property
    def secure(self) -> bool:
        """Say whether browsers reach the room over TLS."""
        return self.address.startswith("https://")

    @property
    def cookie(self) -> str:
        """Name the session's cookie; its prefix binds it to TLS and, at the root, to this host."""
        if not self.secure:
            return "room"
        # Browsers take __Host- for the whole host alone: under a path it would reach the others.
        return "__Secure-room" if self.prefix else "__Host-room"

    @property
    def prefix(self) -> str:
        """Give what stands before the path of every page; empty at the root.

        Example:
            >>> Setup("https://ward.example/ratings").prefix
            '/ratings'
        """
        return urlsplit(self.address).path.rstrip("/")

    def keep(self, answer: "Response", name: str, value: str, age: int | None = None) -> None:
        """Put something into a cookie that no script reads and no other site sends along.

        Args:
            answer: What is answered.
            name: The cookie's name.
            value: Its value.
            age: Seconds until the browser forgets it; when it is closed if not given.
        """
        answer.set_cookie(
            name, value, age, path=self.prefix or "/", httponly=True, samesite="lax",
            secure=self.secure,
        )  # fmt: skip

    def forget(self, answer: "Response", name: str) -> None:
        """Have the browser forget a cookie of the room."""
        answer.delete_cookie(name, path=self.prefix or "/", secure=self.secure)

    def link(self, token: str) -> str:
        """Write a person's link: the token stands behind `#`, so no server or proxy logs it.

        Example:
            >>> Setup("https://rate.example.org").link("k3y")
            'https://rate.example.org/in#k3y'
        """
        return f"{self.address.rstrip('/')}/in#{token}"


Actor: TypeAlias = Literal["signed out", "rater", "reviewer", "lead"]
Method: TypeAlias = Literal["GET", "POST"]

ANYONE: frozenset[Actor] = frozenset(("signed out", "rater", "reviewer", "lead"))
RATER: frozenset[Actor] = frozenset(("rater",))
REVIEWERS: frozenset[Actor] = frozenset(("reviewer", "lead"))
LEAD: frozenset[Actor] = frozenset(("lead",))


@dataclass(frozen=True)
class Call:
    """A request, once it is known who makes it and that they may.

    Attributes:
        request: The request.
        room: The room.
        setup: How the room is reached.
        person: Who asks; None where nobody is signed in.
        session: The secret of the session; empty where there is none.
        csrf: What this session must send along with whatever changes something.
        texts: The texts in the language of whoever asks.
        languages: Code and name of each language that the room speaks.
        body: What was sent, read and checked by the route's model; None where it has none.
    """

    request: "Request"
    room: "Room"
    setup: "Setup"
    person: "Person | None"
    session: str
    csrf: str
    texts: "Texts"
    languages: tuple[tuple[str, str], ...]
    body: Any = None

    @property
    def name(self) -> str:
        """Name the person; only for routes that nobody reaches signed out."""
        return "" if self.person is None else self.person.name

    def page(self, name: str, status: int = 200, **values: object) -> "Response":
        """Give a page of `templates/` to whoever asks."""
        known = {"design": self.room.design, "csrf": self.csrf, "person": self.person}
        return page(name, self.texts, status, root=self.setup.prefix, **known, **values)

    def lead_to(self, path: str) -> "Response":
        """Lead the browser on to another page of the room."""
        from starlette.responses import RedirectResponse

        return RedirectResponse(f"{self.setup.prefix}{path}", 303)

    def part(self, name: str) -> str:
        """Give a part of the path, such as `code`."""
        return str(self.request.path_params[name])


View: TypeAlias = "Callable[[Call], Response | Awaitable[Response]]"


@dataclass(frozen=True)
class Route:
    """One row of the table.

    Attributes:
        method: GET or POST.
        path: The path; `{code}` and the like are its parts.
        actors: Who may; everybody else is refused before the view is called.
        scope: Whose things it reads or changes: nobody's, one's own, or the whole campaign's.
        view: What answers.
        told: One line for the table and for OpenAPI.
        body: The model of what is sent.
        page: Whether a browser shows the answer, so that whoever is signed out is led to the door.
        free: Whether anybody gets the same, whoever they are: no session is looked up, and nothing
            counts towards a limit, since to refuse costs as much as to answer.
    """

    method: Method
    path: str
    actors: frozenset[Actor]
    scope: Literal["nobody", "own", "campaign"]
    view: View
    told: str
    body: type[BaseModel] | None = None
    page: bool = False
    free: bool = False

    @property
    def parts(self) -> tuple[str, ...]:
        """List the names of the path's parts.

        Example:
            >>> Route("GET", "/api/tasks/{code}", RATER, "own", print, "").parts
            ('code',)
        """
        pieces = self.path.split("/")
        return tuple(piece[1:-1] for piece in pieces if piece.startswith("{"))
