"""How far each rater has come."""

from collections.abc import Collection
from dataclasses import dataclass

from medassay.judgements.campaign.assignment import Assignment
from medassay.judgements.campaign.plan import CampaignPlan

__all__ = ["Key", "Progress", "progress_of"]

Key = tuple[str, str, str, str, tuple[str, ...]]
"""A judgement's key: rater, phase, dimension, case, and the system or the two systems, sorted."""


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
        missing: For each dimension how many labels are missing.
    """

    rater: str
    asked: int
    done: int
    begun: int
    next_position: int | None
    missing: dict[str, int]


def progress_of(plan: CampaignPlan, said: Collection[Key]) -> list[Progress]:
    """Count what each rater has done of a plan.

    Args:
        plan: The plan.
        said: The keys of the judgements or preferences that hold now.
    """
    dimensions = plan.settings.dimensions
    progresses = []
    for rater in plan.settings.raters:
        mine = plan.of_rater(rater)
        gaps = [_missing(assignment, dimensions, said) for assignment in mine]
        waiting = [assignment.position for assignment, gap in zip(mine, gaps, strict=True) if gap]
        progresses.append(
            Progress(
                rater=rater,
                asked=len(mine),
                done=len(mine) - len(waiting),
                begun=sum(0 < len(gap) < len(dimensions) for gap in gaps),
                next_position=min(waiting, default=None),
                missing={name: sum(name in gap for gap in gaps) for name in dimensions},
            )
        )
    return progresses


def _missing(
    assignment: Assignment, dimensions: Collection[str], said: Collection[Key]
) -> list[str]:
    item = assignment.item
    return [
        name
        for name in dimensions
        if (assignment.rater, assignment.phase, name, item.case, item.pair) not in said
    ]
