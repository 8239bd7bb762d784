"""The adjudicator's requests: what raters differ on, without their names and the systems'."""

from math import isfinite, nan
from typing import TYPE_CHECKING

from medassay.campaign.room import Settled
from medassay.web.answers import Refused
from medassay.web.pages import page
from medassay.web.routing import Call

if TYPE_CHECKING:
    from starlette.responses import Response

    from medassay.campaign.room import Disputed

__all__ = ["differing", "settle", "settle_page"]


def differing(call: Call) -> "Response":
    """List the answers that raters differ on."""
    lines = call.room.settling.waiting(call.name)
    return page(
        "settle_list",
        call.texts,
        design=call.room.design,
        open_ones=[line for line in lines if line.settled < line.differences],
        settled=[line for line in lines if line.settled == line.differences],
        csrf=call.csrf,
        person=call.person,
    )


def settle_page(call: Call) -> "Response":
    """Show one of them, with what is to be settled."""
    disputed = _disputed(call)
    return page(
        "settle",
        call.texts,
        design=call.room.design,
        disputed=disputed,
        shown=disputed.shown,
        csrf=call.csrf,
        person=call.person,
    )


def settle(call: Call) -> "Response":
    """Keep what the adjudicator says of one difference."""
    from starlette.responses import RedirectResponse

    disputed, body = _disputed(call), call.body
    reason = "cannot_judge" if body.label == "" else ""
    number = _number(body.number) if body.label is None else None
    label = body.label or ""
    settled = Settled(
        disputed.item, body.dimension, body.about, label, reason, body.comment, number
    )
    call.room.settling.settle(call.name, settled)
    return RedirectResponse(f"/settle/{disputed.item}#{body.at}", 303)


def _number(typed: str) -> float | None:
    """Read a number as people type it; None where nothing was typed."""
    if not typed.strip():
        return None
    try:
        number = float(typed.strip().replace(",", "."))
    except ValueError:
        number = nan
    if not isfinite(number):
        raise Refused(422, "no_number", "This is not a number that is asked for.")
    return number


def _disputed(call: Call) -> "Disputed":
    item = call.part("item")
    number = int(item) if item.isascii() and item.isdecimal() and len(item) < 10 else -1  # noqa: PLR2004 - room for any study
    disputed = call.room.settling.disputed(call.name, number)
    if disputed is None:
        raise Refused(404, "not_there", "Raters do not differ on such an answer.")
    return disputed
