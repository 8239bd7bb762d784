"""Raters who come and go midway, where a campaign has a room and where it has sheets only."""

from dataclasses import replace

from medassay.campaign.create import DESIGN
from medassay.campaign.plans import campaign_command, plan_named
from medassay.campaign.reassign import RaterWishes, Reassigned, change_raters
from medassay.campaign.room.clock import Clock, moment, now
from medassay.campaign.room.following import done_in_room
from medassay.campaign.room.open import open_room
from medassay.judgements.campaign import FOLDER
from medassay.study.folder import Study

__all__ = ["change_raters_midway"]


def change_raters_midway(
    study: Study, name: str, wishes: RaterWishes, clock: Clock = now
) -> Reassigned:
    """Let raters come and go, as `change_raters` does; a room that is open takes it over at once.

    Args:
        study: The study.
        name: The campaign.
        wishes: Who comes, who goes, what is handed on.
        clock: Tells the time.

    Raises:
        InvalidInput: As `change_raters` does.
        MissingBackend: There is a room, and SQLAlchemy is not installed.
    """
    time, done = moment(clock()), frozenset[str]()
    has_room = (study.path / FOLDER / name / DESIGN).is_file()
    if has_room:
        with open_room(study, name, clock) as room:
            done = done_in_room(room)
    before = _rating(study, name)
    changed = change_raters(study, name, wishes, time, done)
    if not has_room:
        return changed
    open_room(study, name, clock).close()
    came = sorted(_rating(study, name) - before)
    if came:
        line = campaign_command("invite", study.path, name, *came)
        note = f"Who came has no link yet. To write it: {line}"
        changed = replace(changed, notes=[*changed.notes, note])
    return changed


def _rating(study: Study, name: str) -> set[str]:
    """Give who rates in a campaign."""
    plan = plan_named(study, name)
    return {*plan.settings.raters} - {*plan.left}
