"""How far raters have come, and raters who come and go midway, in the room and in sheets alike."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path
from typing import Final

from medassay.campaign.create import DESIGN
from medassay.campaign.people import said_keys
from medassay.campaign.plans import campaign_command, plan_named
from medassay.campaign.reassign import RaterWishes, Reassigned, change_raters
from medassay.campaign.room.database import Database
from medassay.campaign.room.export import assigned
from medassay.campaign.room.kept import Kept, facts_of
from medassay.campaign.room.logbook import Clock, moment, now
from medassay.campaign.room.open import done_in_room, mark_of, open_room, place_of_room
from medassay.campaign.subjects import abouts_of
from medassay.errors import InvalidInput, Problem
from medassay.judgements.campaign import (
    FOLDER,
    CampaignPlan,
    Key,
    Progress,
    find_plans,
    progress_of,
)
from medassay.study.folder import Study
from medassay.tables import is_there
from medassay.text import count_of

_STALLED: Final = 7


@dataclass(frozen=True)
class CampaignProgress:
    """How far the campaigns of a study have come.

    Attributes:
        raters: For each campaign its raters, by what the study and the room hold together.
        notes: What is in a room alone.
        problems: Why a room could not be read: its campaign is not among `raters`.
    """

    raters: dict[str, list[Progress]]
    notes: list[str]
    problems: list[Problem]


def status_with_rooms(study: Study, clock: Clock = now) -> CampaignProgress:
    """Say how far each rater of each campaign has come; a room is read, and nothing is written.

    A rater who has answers left and has rated none for seven days is named, and so is one who has
    not begun.

    Args:
        study: The study.
        clock: Tells the time.

    Where a room cannot be read nobody knows how far its raters have come, so nothing is counted.

    Raises:
        InvalidInput: A plan cannot be read.
        MissingBackend: There is a room, and SQLAlchemy is not installed.
    """
    raters, notes, problems = dict[str, list[Progress]](), list[str](), list[Problem]()
    for name, plan in find_plans(study.path).items():
        study_keys = said_keys(
            study.judgements_on_file, study.preferences_on_file, plan.settings.kind
        )
        room_keys, last = set[Key](), _last_days(study)
        if is_there(study.path / FOLDER / name / DESIGN):
            try:
                room_keys, days = _said_in_room(study.path, plan)
                last = {**last, **{who: max(day, last.get(who, "")) for who, day in days.items()}}
            except InvalidInput as error:
                problems += error.problems
                continue
        if waiting := len(room_keys - study_keys):
            notes.append(
                f"{count_of(waiting, 'label')} of campaign {name}: in the room and not yet in the "
                f"study. To add them: {campaign_command('export', study.path, name)}"
            )
        abouts = abouts_of(study, plan.settings)
        raters[name] = progress_of(plan, study_keys | room_keys, abouts)
        notes += _stalled(name, raters[name], plan.left, last, clock())
    return CampaignProgress(raters, notes, problems)


def _last_days(study: Study) -> dict[str, str]:
    """Give the last day on which the study holds anything of each rater, where times are stored."""
    days: dict[str, str] = {}
    for frame in (study.judgements_on_file.frame, study.preferences_on_file.frame):
        for rater, time in frame.select("rater", "time").drop_nulls().iter_rows():
            days[rater] = max(days.get(rater, ""), str(time)[:10])
    return days


def _stalled(
    name: str,
    raters: Iterable[Progress],
    left: Collection[str],
    last: Mapping[str, str],
    at: datetime,
) -> list[str]:
    """Name who has answers left and rates no more, or has not begun."""
    waiting = [one for one in raters if one.done < one.asked and one.rater not in left]
    notes = []
    for one in waiting:
        if one.rater in last:
            days = (at.date() - date.fromisoformat(last[one.rater])).days
            if days >= _STALLED:
                done = f"{one.done} of {one.asked} done"
                notes.append(f"{one.rater} has stalled in {name}: nothing for {days} days, {done}.")
    idle = [one.rater for one in waiting if not one.done and not one.begun]
    if idle:
        notes.append(f"Not begun in {name}: {', '.join(idle)}.")
    return notes


def _said_in_room(study: Path, plan: CampaignPlan) -> tuple[set[Key], dict[str, str]]:
    """Give the keys of what holds in a campaign's room now, and each rater's last day in it."""
    with Database(place_of_room(study, plan.settings.name)) as database:
        if facts_of(database).get("campaign") != mark_of(plan):
            line = f"{campaign_command('restore', study, plan.settings.name)} FILE"
            must, hint = "hold the campaign's room", f"Put your last backup back: {line}"
            raise InvalidInput(Problem(str(database), must, "none, or another's", hint))
        kept, keys, days = Kept(database), set[Key](), dict[str, str]()
        with database.reading() as connection:
            places = kept.places(connection)
            by_code = assigned(plan, places)
            for place in places:
                row = by_code[place.code]
                spoken = kept.spoken(connection, place.rater)
                if spoken.days:
                    days[row.rater] = max(spoken.days.values())
                given = spoken.given.get(place.code, {})
                keys |= {
                    (
                        row.rater, row.phase, dimension, row.item.case, row.item.pair,
                        row.item.sample, about,
                    )
                    for (dimension, about), label in given.items()
                    if label.holds
                }  # fmt: skip
        return keys, days


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
