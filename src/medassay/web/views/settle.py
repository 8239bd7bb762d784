"""The adjudicator's requests: what raters differ on, without their names and the systems'."""

from math import isfinite, nan
from typing import TYPE_CHECKING

from medassay.campaign.room import Settled
from medassay.errors import InvalidInput, Problem
from medassay.web.answers import Refused
from medassay.web.routing import Call

if TYPE_CHECKING:
    from starlette.responses import Response

    from medassay.campaign.room import Disputed
    from medassay.web.bodies import Settles


def differing(call: Call) -> "Response":
    """List the answers that raters differ on."""
    lines = call.room.settling.waiting(call.name)
    return call.page(
        "settle_list",
        open_ones=[line for line in lines if line.settled < line.differences],
        settled=[line for line in lines if line.settled == line.differences],
    )


def settle_page(call: Call) -> "Response":
    """Show one of them, with what is to be settled."""
    return _page(call, _disputed(call))


def settle(call: Call) -> "Response":
    """Keep what the adjudicator says of one difference.

    What is typed and is no number that is asked for comes back with the page, to be mended.
    """
    disputed, body = _disputed(call), call.body
    reason = "cannot_judge" if body.label == "" else ""
    try:
        number = _number(body.number) if body.label is None else None
        call.room.settling.settle(
            call.name,
            Settled(
                disputed.item, body.dimension, body.about, body.label or "", reason, body.comment,
                number,
            ),
        )  # fmt: skip
    except InvalidInput:
        if body.label is not None:
            raise
        return _page(call, disputed, 422, refused=body)
    return call.lead_to(f"/settle/{disputed.item}#{body.at}")


def _page(
    call: Call, disputed: "Disputed", status: int = 200, refused: "Settles | None" = None
) -> "Response":
    return call.page(
        "settle",
        status,
        disputed=disputed,
        shown=disputed.shown,
        refused=refused,
    )


def _number(typed: str) -> float | None:
    """Read a number as people type it; None where nothing was typed."""
    if not typed.strip():
        return None
    try:
        number = float(typed.strip().replace(",", "."))
    except ValueError:
        number = nan
    if not isfinite(number):
        raise InvalidInput(Problem("number", "be a number", typed))
    return number


def _disputed(call: Call) -> "Disputed":
    item = call.part("item")
    number = int(item) if item.isascii() and item.isdecimal() and len(item) < 10 else -1  # noqa: PLR2004 - room for any study
    disputed = call.room.settling.disputed(call.name, number)
    if disputed is None:
        raise Refused(404, "not_there", "Raters do not differ on such an answer.")
    return disputed
