"""The rater's requests."""

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from medassay.campaign.room import Guess, Said, Task, remarks_in, task_in
from medassay.campaign.translations import translation_of
from medassay.web.answers import Refused, json_answer, plain
from medassay.web.laid_out import laid_out
from medassay.web.routing import Call
from medassay.web.views.door import SHARED

if TYPE_CHECKING:
    from starlette.responses import Response


def room_page(call: Call) -> "Response":
    """Show the room; its modules ask for everything else."""
    options = call.room.design.options
    information = options.information
    rubric = call.room.design.rubric
    translation = translation_of(rubric, call.texts)
    start = {
        "csrf": call.csrf,
        "who": call.name,
        "title": call.room.design.title,
        "shared": call.request.cookies.get(SHARED) == "yes",
        "wording": rubric.wording,
        "rationale": (translation and translation.rationale) or rubric.rationale,
        "keep_open": (translation and translation.keep_open) or rubric.keep_open,
        "translated_by": translation.by if translation and rubric.translations else "",
        "information": {
            "text": information.text,
            "ethics": information.ethics,
            "danger": information.danger,
            "withdrawal": information.withdrawal,
            "version": information.version,
        },
        "asks": {
            "why": options.ask_why,
            "review": options.review_calibration,
            "signature": options.signatures,
        },
        "words": dict(call.texts.words),
        "language": call.texts.language,
        "languages": call.languages,
    }
    return call.page("rate", title=call.room.design.title, start=start)


def now(call: Call) -> "Response":
    """Say where the rater stands, with the answer to go on at."""
    stand = call.room.rating.stand(call.name)
    task_open = call.room.rating.task(call.name, stand.code) if stand.standing == "task" else None
    left = stand.progress.seconds_left
    remarks = remarks_in(stand.remarks, call.room.design.rubric, call.texts)
    told = plain(replace(stand, remarks=remarks))
    shown = None if task_open is None else _as_read(call, task_open)
    return json_answer({**told, "seconds_left": left, "task": shown})


def _as_read(call: Call, task_open: Task) -> object:
    """Give a task as its rater reads it: in their language, laid out."""
    design = call.room.design
    return laid_out(plain(task_in(task_open, design.rubric, call.texts)), design.render)


def task(call: Call) -> "Response":
    """Give one of the rater's own answers that is open; anybody else's is not there."""
    task_open = call.room.rating.task(call.name, call.part("code"))
    if task_open is None:
        raise Refused(404, "not_there", "There is no such answer among yours, or it is not open.")
    return json_answer(_as_read(call, task_open))


def ahead(call: Call) -> "Response":
    """Give the answers that come next, for when the line is cut; kept in memory alone."""
    tasks = [_as_read(call, task_open) for task_open in call.room.rating.ahead(call.name)]
    return json_answer({"tasks": tasks})


def here(call: Call) -> "Response":
    """Say whether the rater rates on this device, or go on here."""
    devices, body = call.room.rating.devices, call.body
    if body.leaves:
        devices.leave(call.name, body.device)
        return json_answer({"here": False})
    return json_answer({"here": devices.sit(call.name, body.device, takes=body.takes)})


async def say(call: Call) -> "Response":
    """Take what the rater said; answered only when the disk has it."""
    said = (Said(**entry.model_dump()) for entry in call.body.said)
    receipts = await asyncio.wrap_future(call.room.rating.submit(call.name, *said))
    return json_answer({"receipts": plain(receipts)})


def agree(call: Call) -> "Response":
    """Keep that the rater agrees to the information as it stands."""
    version = call.room.design.options.information.version
    if call.body.version != version:
        raise Refused(409, "newer_text", "The information has changed. Please read it again.")
    call.room.rating.consent(call.name, version)
    return json_answer({"saved": True})


def rest(call: Call) -> "Response":
    """Keep that the rater goes on after a break."""
    call.room.rating.take_break(call.name, call.body.after)
    return json_answer({"saved": True})


def later(call: Call) -> "Response":
    """Keep that the rater wants an answer at the end of its batch."""
    if not call.room.rating.put_off(call.name, call.body.code):
        raise Refused(409, "only_one", "This answer is the last one open in its batch.")
    return json_answer({"saved": True})


def hand_in(call: Call) -> "Response":
    """Give first answers back to the reviewer."""
    if not call.room.rating.hand_in(call.name):
        must = "Change each label that the reviewer calls a mistake, or say why you keep it."
        raise Refused(409, "still_open", must)
    return json_answer({"saved": True})


def read_review(call: Call) -> "Response":
    """Keep that the rater has read what the reviewer decided."""
    call.room.rating.read_review(call.name, call.body.review)
    return json_answer({"saved": True})


def guesses(call: Call) -> "Response":
    """Give the answers whose systems are to be guessed, once all is rated."""
    if call.room.rating.stand(call.name).standing != "guess":
        raise Refused(409, "not_now", "This opens when everything is rated.")
    due = call.room.rating.guesses_due(call.name)
    shown = laid_out(plain(due), call.room.design.render)
    return json_answer({"systems": list(call.room.design.systems), "tasks": shown})


def guess(call: Call) -> "Response":
    """Take one guess."""
    if call.room.rating.stand(call.name).standing != "guess":
        raise Refused(409, "not_now", "This opens when everything is rated.")
    body = call.body
    receipt = call.room.rating.guess(
        call.name, Guess(body.client, body.code, body.system, body.sure)
    )
    return json_answer(plain(receipt))
