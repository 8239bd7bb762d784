"""The reviewer's requests: first answers are looked at before the rest opens."""

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from medassay.campaign.room import Given, Reviewed
from medassay.web.answers import Refused
from medassay.web.bodies import ReviewVerdict
from medassay.web.routing import Call

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.responses import Response

    from medassay.campaign.room import RaterLine

_Key = tuple[str, str, str]


@dataclass(frozen=True)
class _Both:
    """What another reviewer said of a label since the page was read, and what this one says."""

    outcome: str
    words: str
    mine: ReviewVerdict

    @property
    def note(self) -> str:
        """Give the words of both, for one field."""
        return "\n".join(dict.fromkeys(filter(None, (self.words, self.mine.note))))


def waiting(call: Call) -> "Response":
    """List whose first answers wait for a review."""
    return call.page(
        "review_list",
        lines=call.room.lead.progress(call.name),
    )


def review_page(call: Call) -> "Response":
    """Show a rater's first answers with what was said of them."""
    return _page(call, _line(call))


def _page(call: Call, line: "RaterLine", both: "Mapping[_Key, _Both] | None" = None) -> "Response":
    return call.page(
        "review",
        409 if both else 200,
        both=both or {},
        line=line,
        first=call.room.lead.calibration_of(call.name, line.rater),
        Given=Given,
    )


def decide(call: Call) -> "Response":
    """Keep what a reviewer says of each label, and the decision on all of them."""
    line, body, lead = _line(call), call.body, call.room.lead
    first = lead.calibration_of(call.name, line.rater)
    if not {verdict.code for verdict in body.verdicts} <= {task.code for task in first.tasks}:
        raise Refused(404, "not_there", "There is no such answer among the first ones.")
    others = lead.review(
        call.name,
        *(
            Reviewed(
                line.rater, verdict.outcome, verdict.code, verdict.note, verdict.dimension,
                verdict.about, body.seen,
            )
            for verdict in body.verdicts
        ),
        read=body.read,
    )  # fmt: skip
    if others:
        said = {(one.code, one.dimension, one.about): one for one in body.verdicts}
        return _page(call, line, {key: _Both(*other, said[key]) for key, other in others.items()})
    if body.decision == "keep":
        return call.lead_to(f"/review/{quote(line.rater)}#decide")
    if line.stand.standing != "review":
        raise Refused(409, "not_in_review", "These first answers do not wait for a review now.")
    if body.decision == "again" and not body.note.strip():
        tasks = lead.calibration_of(call.name, line.rater).tasks
        if not any(remark.open for task in tasks for remark in task.remarks):
            must = "Call a label a clear mistake, or write a word: the rater must know what to do."
            raise Refused(422, "nothing_to_mend", must)
    lead.review(call.name, Reviewed(line.rater, body.decision, note=body.note, seen=body.seen))
    return call.lead_to("/review")


def _line(call: Call) -> "RaterLine":
    name = call.part("rater")
    for line in call.room.lead.progress(call.name):
        if line.rater == name:
            return line
    raise Refused(404, "not_there", "There is no such rater.")
