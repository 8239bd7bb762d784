"""How fast and how evenly a rater goes, for the lead alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import median

from medassay.campaign.room.kept import Kept, Place, Spoken

__all__ = ["Pace", "pace_of"]


@dataclass(frozen=True, slots=True)
class Pace:
    """How a rater went so far.

    Attributes:
        seconds: The median of active seconds over finished answers; None before there is one.
        run: The most answers one after another with one label for a question; 0 before any.
        label: That label.
        title: That question.
    """

    seconds: float | None = None
    run: int = 0
    label: str = ""
    title: str = ""


def pace_of(kept: Kept, mine: Sequence[Place], spoken: Spoken) -> Pace:
    """Say how a rater went so far; of equal runs the first question's is told.

    Questions about the answer as a whole are read, in the order of the plan.

    Args:
        kept: What the room keeps.
        mine: The rater's assignments, in order.
        spoken: What the rater has said.
    """
    done = [place for place in mine if kept.is_done(place, spoken)]
    took = [spoken.seconds.get(place.code, 0.0) for place in done]
    longest = Pace(median(took) if any(took) else None)
    for dimension in kept.design.rubric.dimensions:
        said = [spoken.given.get(place.code, {}).get((dimension.id, "")) for place in done]
        labels = [given.label for given in said if given is not None]
        for label, together in groupby(labels):
            run = len(list(together))
            if label and run > longest.run:
                title = dimension.title or dimension.id
                longest = Pace(longest.seconds, run, label, title)
    return longest
