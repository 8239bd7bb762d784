"""How far each rater has come."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from medassay.judgements.campaign.assignment import Assignment, Item
from medassay.judgements.campaign.plan import CampaignPlan

__all__ = ["Abouts", "Key", "Progress", "done_codes", "progress_of"]

Key = tuple[str, str, str, str, tuple[str, ...], int, str]
"""Rater, phase, dimension, case, the system or the two, sorted, sample, about."""

_Asked = tuple[str, str, str, str, tuple[str, ...], int, str | None]

Abouts = Callable[[Item, str], Sequence[str] | None]
"""What a dimension is asked about of an item; None where raters find that themselves."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How much of a rater's sheet is done.

    Attributes:
        rater: The rater.
        asked: How many answers, or pairs of answers, the plan asks for.
        done: How many have every label, or a reason why there is none.
        begun: How many have some labels, but not all.
        next_position: The first place in the rater's order where something is missing; None where
            nothing is.
        missing: For each dimension how many labels are missing, those of criteria and other parts
            of an answer one by one.
    """

    rater: str
    asked: int
    done: int
    begun: int
    next_position: int | None
    missing: dict[str, int]


def progress_of(plan: CampaignPlan, done: Collection[Key], abouts: Abouts) -> list[Progress]:
    """Count what each rater has done of a plan.

    Args:
        plan: The plan.
        done: The keys of the judgements or preferences that hold now.
        abouts: What each dimension is asked about.
    """
    dimensions = plan.settings.dimensions
    somewhere = _anywhere(done)
    progresses = []
    for rater in plan.settings.raters:
        mine = plan.holding(rater)
        asked = [_asked(assignment, dimensions, abouts) for assignment in mine]
        gaps = [[key for key in keys if not _is_said(key, done, somewhere)] for keys in asked]
        waiting = [assignment.position for assignment, gap in zip(mine, gaps, strict=True) if gap]
        lacking = Counter(key[2] for gap in gaps for key in gap)
        progresses.append(
            Progress(
                rater=rater,
                asked=len(mine),
                done=len(mine) - len(waiting),
                begun=sum(0 < len(gap) < len(keys) for gap, keys in zip(gaps, asked, strict=True)),
                next_position=min(waiting, default=None),
                missing={name: lacking[name] for name in dimensions},
            )
        )
    return progresses


def done_codes(plan: CampaignPlan, done: Collection[Key], abouts: Abouts) -> frozenset[str]:
    """List the codes of which nothing is missing."""
    somewhere = _anywhere(done)
    return frozenset(
        assignment.code
        for assignment in plan.assignments
        if all(
            _is_said(key, done, somewhere)
            for key in _asked(assignment, plan.settings.dimensions, abouts)
        )
    )


def _anywhere(done: Collection[Key]) -> "set[_Asked]":
    return {(*key[:-1], None) for key in done}


def _is_said(key: "_Asked", done: Collection[Key], somewhere: "set[_Asked]") -> bool:
    return key in (somewhere if key[-1] is None else done)


def _asked(assignment: Assignment, dimensions: Collection[str], abouts: Abouts) -> "list[_Asked]":
    """List the keys that an assignment asks for; of what raters find themselves any will do."""
    item = assignment.item
    return [
        (assignment.rater, assignment.phase, name, item.case, item.pair, item.sample, about)
        for name in dimensions
        for known_abouts in [abouts(item, name)]
        for about in ([None] if known_abouts is None else known_abouts)
    ]
