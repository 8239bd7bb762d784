"""What the raters of each answer say, side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from medassay.campaign.room.kept import Kept
from medassay.campaign.room.records import Given
from medassay.campaign.room.schema import tables
from medassay.campaign.room.sql import Sql

__all__ = ["Voices", "sided", "voices_by_item"]


@dataclass(frozen=True, slots=True)
class Voices:
    """What one rater says of one answer; of a pair as if its sides were in the order of ids.

    Attributes:
        rater: The rater; for counting, and never shown beside what was said.
        done: Whether the rater is done with it.
        given: What holds, by dimension and about.
    """

    rater: str
    done: bool
    given: Mapping[tuple[str, str], Given]


def voices_by_item(kept: Kept, connection: Sql) -> dict[int, Sequence[Voices]]:
    """Give what raters say of each item where it counts; answers handed on are left out.

    Whoever calls holds the lock under which what was said is folded.
    """
    columns = tables().assignments.c
    counted = columns.phase.in_(kept.counts)
    by_item: dict[int, list[Voices]] = {}
    for place in kept.places(connection, counted, columns.ended.is_(None)):
        spoken = kept.spoken(connection, place.rater)
        holding = {
            key: replace(label, label=sided(label.label, turned=place.turned))
            for key, label in spoken.given.get(place.code, {}).items()
            if label.holds
        }
        voices = Voices(place.rater, kept.is_done(place, spoken), holding)
        by_item.setdefault(place.item, []).append(voices)
    return {item: by_item[item] for item in sorted(by_item)}


def sided(label: str, *, turned: bool) -> str:
    """Give a choice as it reads with the sides changed; other labels stay.

    Example:
        >>> sided("A", turned=True), sided("tie", turned=True)
        ('B', 'tie')
    """
    return {"A": "B", "B": "A"}.get(label, label) if turned else label
