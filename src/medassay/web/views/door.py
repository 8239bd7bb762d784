"""In and out: links become cookies, languages are chosen, and the browser's own files are given."""

from typing import TYPE_CHECKING, Final

from medassay.__about__ import __version__
from medassay.web.answers import Refused, json_answer
from medassay.web.gate import LANGUAGE
from medassay.web.pages import static_file
from medassay.web.routing import Call

if TYPE_CHECKING:
    from starlette.responses import Response

SHARED: Final = "shared"
"""The cookie of a shared computer: nothing is kept in its browser."""

_HOME: Final = {"rater": "/rate", "reviewer": "/review", "lead": "/lead"}


def home(call: Call) -> "Response":
    """Lead everybody to where they work."""
    return call.lead_to(_HOME[call.person.role] if call.person else "/in")


def door(call: Call) -> "Response":
    """Show the door. Nothing is recorded: mail scanners follow links, and see this."""
    title = call.room.design.title
    return call.page("door", title=title, languages=call.languages)


def come_in(call: Call) -> "Response":
    """Swap a link's token for a cookie."""
    session = call.room.access.start(call.body.token, call.setup.session_hours)
    if session is None:
        must = "This link is no longer valid. Please ask the study lead for a new one."
        raise Refused(403, "link_ended", must)
    person = call.room.access.session(session)
    chosen = call.request.cookies.get(LANGUAGE, "")
    if person is not None and not person.language and chosen in dict(call.languages):
        call.room.access.speak(person.name, chosen)
    answer = call.lead_to("/")
    call.setup.keep(answer, call.setup.cookie, session)
    call.setup.keep(answer, SHARED, "yes" if call.body.shared else "no")
    return answer


def leave(call: Call) -> "Response":
    """End the session, and have the browser forget all that it kept."""
    call.room.access.end(call.session)
    answer = call.lead_to("/in")
    call.setup.forget(answer, call.setup.cookie)
    call.setup.forget(answer, SHARED)
    call.setup.forget(answer, LANGUAGE)
    if not call.setup.prefix:
        # Under a path it would wipe what other applications of the same host keep.
        answer.headers["clear-site-data"] = '"storage"'
    return answer


def speak(call: Call) -> "Response":
    """Go on in another language; whoever is signed in keeps it on every device.

    Raises:
        Refused: The room does not speak it.
    """
    if call.body.language not in dict(call.languages):
        raise Refused(422, "wrong", "The room does not speak this language.")
    if call.person is not None:
        call.room.access.speak(call.name, call.body.language)
    answer = call.lead_to("/")
    call.setup.keep(answer, LANGUAGE, call.body.language, 365 * 24 * 3600)
    return answer


def ping(call: Call) -> "Response":
    """Say that this is the room: a ward's sign-in page in between answers otherwise."""
    return json_answer({"room": "here", "signed_in": call.person is not None})


def health(call: Call) -> "Response":
    """Say how the room is to whoever watches over servers; its database is asked to read and write.

    Where it cannot, the answer is that of every such request: 503, or 507 where the disk is full.
    """
    status = call.room.database.write(call.room.kept.status)
    return json_answer({"room": status, "version": __version__})


def file(call: Call) -> "Response":
    """Give one of the browser's own files; they hold nothing of any study."""
    return static_file(call.part("file"), call.request.headers.get("if-none-match", ""))
