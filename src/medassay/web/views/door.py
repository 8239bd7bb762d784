"""In and out: links become cookies, languages are chosen, and the browser's own files are given."""

from typing import TYPE_CHECKING, Final

from medassay.web.answers import Refused, json_answer
from medassay.web.gate import LANGUAGE
from medassay.web.pages import page, static_file
from medassay.web.routing import Call

if TYPE_CHECKING:
    from starlette.responses import Response

__all__ = ["come_in", "door", "file", "home", "leave", "ping", "speak"]

SHARED: Final = "shared"
"""The cookie of a shared computer: nothing is kept in its browser."""

_HOME: Final = {"rater": "/rate", "reviewer": "/review", "lead": "/lead"}


def home(call: Call) -> "Response":
    """Lead everybody to where they work."""
    from starlette.responses import RedirectResponse

    return RedirectResponse(_HOME[call.person.role] if call.person else "/in", 303)


def door(call: Call) -> "Response":
    """Show the door. Nothing is recorded: mail scanners follow links, and see this."""
    title = call.room.design.title
    return page("door", call.texts, title=title, languages=call.languages, signed_in=call.person)


def come_in(call: Call) -> "Response":
    """Swap a link's token for a cookie."""
    from starlette.responses import RedirectResponse

    session = call.room.access.start(call.body.token, call.setup.session_hours)
    if session is None:
        must = "This link holds no more. Please ask the study lead for a new one."
        raise Refused(403, "link_ended", must)
    answer = RedirectResponse("/", 303)
    give_session(call, answer, session)
    shared = bool(call.body.shared)
    answer.set_cookie(
        SHARED, "yes" if shared else "no", path="/", samesite="lax", secure=call.setup.secure
    )
    return answer


def give_session(call: Call, answer: "Response", session: str) -> None:
    """Put a session's secret into a cookie that no script reads and no other site sends along."""
    answer.set_cookie(
        call.setup.cookie,
        session,
        path="/",
        httponly=True,
        samesite="lax",
        secure=call.setup.secure,
    )


def leave(call: Call) -> "Response":
    """End the session, and have the browser forget all that it kept."""
    from starlette.responses import RedirectResponse

    call.room.access.end(call.session)
    answer = RedirectResponse("/in", 303)
    answer.delete_cookie(call.setup.cookie, path="/", secure=call.setup.secure, httponly=True)
    answer.delete_cookie(SHARED, path="/")
    answer.headers["clear-site-data"] = '"storage"'
    return answer


def speak(call: Call) -> "Response":
    """Go on in another language."""
    from starlette.responses import RedirectResponse

    answer = RedirectResponse("/", 303)
    year = 365 * 24 * 3600
    answer.set_cookie(
        LANGUAGE, call.body.language, year, path="/", samesite="lax", secure=call.setup.secure
    )
    return answer


def ping(call: Call) -> "Response":
    """Say that this is the room: a ward's sign-in page in between answers otherwise."""
    return json_answer({"room": "here", "signed_in": call.person is not None})


def file(call: Call) -> "Response":
    """Give one of the browser's own files; they hold nothing of any study."""
    return static_file(call.part("file"), call.request.headers.get("if-none-match", ""))
