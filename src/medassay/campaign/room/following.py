"""A room follows its campaign's plan where raters came and went since it was opened."""

from collections.abc import Sequence

from medassay.campaign.room.create import place_of
from medassay.campaign.room.kept import Place
from medassay.campaign.room.room import Room
from medassay.campaign.room.schema import tables
from medassay.campaign.room.sql import Sql, sql
from medassay.judgements.campaign import CampaignPlan

__all__ = ["done_in_room", "follow_plan"]


def done_in_room(room: Room) -> frozenset[str]:
    """List the codes of which nothing is missing in a room."""
    with room.rating.folding, room.database.reading() as connection:
        return frozenset(
            place.code
            for place in room.kept.places(connection)
            if room.kept.is_done(place, room.kept.spoken(connection, place.rater))
        )


def follow_plan(room: Room, plan: CampaignPlan, trail: Sequence[Sequence[str]]) -> None:
    """Take over what the plan says anew: who came, who left, what was handed on.

    Nothing that was said changes. Given twice it does nothing more, so a change that was cut off
    between the plan and the room is made whole the next time that the room is opened.

    Args:
        room: The room.
        plan: The plan as it is now.
        trail: The lines of `reassigned.csv`: time, who, what, old, new, why.
    """
    t, s = tables(), sql()

    def follow(connection: Sql) -> None:
        places = {place.code: place for place in room.kept.places(connection)}
        new = [row for row in plan.assignments if row.code not in places]
        people = dict(connection.execute(s.select(t.people.c.rater, t.people.c.ended)).all())
        for rater in plan.settings.raters:
            if rater not in people:
                connection.execute(t.people.insert(), {"rater": rater, "role": "rater"})
        _end_and_open(connection, plan, people, trail)
        if new:
            items = _items(plan, places)
            rows = [place_of(row, items[row.item.upright]) for row in new]
            connection.execute(t.assignments.insert(), rows)
        for row in plan.assignments:
            if row.ended and row.code in places and places[row.code].ended is None:
                mine = t.assignments.update().where(t.assignments.c.code == row.code)
                connection.execute(mine.values(ended=row.ended))
        events = t.events.c
        known = {
            tuple(line)
            for line in connection.execute(
                s.select(events.time, events.who, events.what, events.old, events.new)
            ).all()
        }
        lines = [line for line in trail if tuple(line[:5]) not in known]
        names = ("time", "who", "what", "old", "new", "why")
        if lines:
            rows = [dict(zip(names, line, strict=True)) for line in lines]
            connection.execute(t.events.insert(), rows)

    if plan.left or any(row.wave or row.ended for row in plan.assignments) or trail:
        room.database.write(follow)


def _items(plan: CampaignPlan, places: dict[str, Place]) -> dict[object, int]:
    """Give the number in the room of each item."""
    return {
        row.item.upright: places[row.code].item for row in plan.assignments if row.code in places
    }


def _end_and_open(
    connection: Sql,
    plan: CampaignPlan,
    people: dict[str, str | None],
    trail: Sequence[Sequence[str]],
) -> None:
    """End the part of who left, and open that of who came back since."""
    t = tables()
    went = {line[3]: line[0] for line in trail if line[2] == "drop rater"}
    came = {line[4]: line[0] for line in trail if line[2] == "add rater"}
    for rater in plan.settings.raters:
        ended = people.get(rater)
        person = t.people.update().where(t.people.c.rater == rater)
        if rater in plan.left and ended is None:
            connection.execute(person.values(ended=went[rater]))
        elif rater not in plan.left and ended is not None and came.get(rater, "") > ended:
            connection.execute(person.values(ended=None))
