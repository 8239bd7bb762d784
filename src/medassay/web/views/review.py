"""The reviewer's requests: first answers are looked at before the rest opens."""

from typing import TYPE_CHECKING

from medassay.campaign.room import Reviewed
from medassay.web.answers import Refused
from medassay.web.pages import page
from medassay.web.routing import Call

if TYPE_CHECKING:
    from starlette.responses import Response

    from medassay.campaign.room import RaterLine

__all__ = ["decide", "review_page", "waiting"]


def waiting(call: Call) -> "Response":
    """List whose first answers wait for a review."""
    return page(
        "review_list",
        call.texts,
        design=call.room.design,
        lines=call.room.lead.progress(call.name),
        csrf=call.csrf,
        person=call.person,
    )


def review_page(call: Call) -> "Response":
    """Show a rater's first answers with what was said of them."""
    line = _line(call)
    return page(
        "review",
        call.texts,
        design=call.room.design,
        line=line,
        tasks=call.room.lead.calibration_of(call.name, line.rater),
        csrf=call.csrf,
        person=call.person,
    )


def decide(call: Call) -> "Response":
    """Keep a decision on one answer, or on all of them."""
    from starlette.responses import RedirectResponse

    line, body = _line(call), call.body
    of_all = body.outcome in {"passed", "again"}
    if of_all == bool(body.code):
        must = "One answer is fine, a mistake or a difference; all together pass or come again."
        raise Refused(422, "wrong", must)
    call.room.lead.review(call.name, Reviewed(line.rater, body.outcome, body.code, body.note))
    return RedirectResponse("/review" if of_all else f"/review/{line.rater}", 303)


def _line(call: Call) -> "RaterLine":
    name = call.part("rater")
    for line in call.room.lead.progress(call.name):
        if line.rater == name:
            return line
    raise Refused(404, "not_there", "There is no such rater.")
