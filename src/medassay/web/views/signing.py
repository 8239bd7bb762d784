"""Passphrases and signatures: the rater's requests, and what the lead sees of them."""

from typing import TYPE_CHECKING

from medassay.web.answers import Refused, json_answer, plain
from medassay.web.routing import Call

if TYPE_CHECKING:
    from starlette.responses import Response


def set_passphrase(call: Call) -> "Response":
    """Set the rater's passphrase, where none is set."""
    return json_answer(plain(call.room.signing.set_passphrase(call.name, call.body.passphrase)))


def sign(call: Call) -> "Response":
    """Sign finished batches as the rater was shown them."""
    shown = {one.batch: one.sha256 for one in call.body.batches}
    return json_answer(plain(call.room.signing.sign(call.name, call.body.passphrase, shown)))


def signatures(call: Call) -> "Response":
    """Show who has signed what, and whether it still holds; the look is in the audit trail."""
    _must_be_asked(call)
    lines, given = call.room.signing.signatures(call.name)
    return call.page(
        "signatures",
        lines=lines,
        signatures=given,
    )


def reset(call: Call) -> "Response":
    """Take away a rater's passphrase: a new one is set at the next visit."""
    _must_be_asked(call)
    call.room.signing.reset(call.name, call.body.rater, call.body.why)
    return call.lead_to("/lead/signatures")


def _must_be_asked(call: Call) -> None:
    if not call.room.signing.asked:
        raise Refused(404, "not_there", "Nothing is signed in this campaign.")
