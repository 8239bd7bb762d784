"""The lead's requests: how far everybody is, and what the room does next."""

from typing import TYPE_CHECKING

from medassay.tables import csv_bytes
from medassay.web.routing import Call

if TYPE_CHECKING:
    from starlette.responses import Response


def lead_page(call: Call) -> "Response":
    """Show who has done what; the look is in the audit trail."""
    lines = call.room.lead.progress(call.name)
    asked = sum(line.stand.progress.asked for line in lines)
    done = sum(line.stand.progress.done for line in lines)
    with call.room.database.reading() as connection:
        status = call.room.kept.status(connection)
    return call.page(
        "lead",
        lines=lines,
        asked=asked,
        done=done,
        standing=status,
        full=bool(call.room.database.unwritten),
    )


def agreement(call: Call) -> "Response":
    """Show how raters agree by now; the look and what it showed are in the audit trail."""
    return call.page(
        "agreement",
        dimensions=call.room.lead.agreement(call.name),
    )


def hours(call: Call) -> "Response":
    """Give each rater's active hours as CSV, for payment."""
    from starlette.responses import Response

    header = ("rater", "answers", "hours", "claimed_hours", "minutes_an_answer", "last_day")
    rows = []
    for line in call.room.lead.progress(call.name):
        done = line.stand.progress.done
        seconds = line.stand.progress.seconds
        minutes = "" if seconds is None else round(seconds / 60, 2)
        hours = round(line.hours, 3), round(line.claimed, 3)
        rows.append((line.rater, done, *hours, minutes, line.last))
    headers = {"content-disposition": 'attachment; filename="hours.csv"'}
    return Response(csv_bytes(header, rows), media_type="text/csv", headers=headers)


def set_status(call: Call) -> "Response":
    """Open, pause or close the room."""
    call.room.lead.set_status(call.name, call.body.status, call.body.why)
    return call.lead_to("/lead")
