"""The arms of display: in which of several ways each answer is shown."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from medassay.judgements.campaign import Assignment, CampaignPlan, Secret

__all__ = ["CITATIONS_HIDDEN", "with_displays", "without_displays"]

CITATIONS_HIDDEN: Final = "citations hidden"
"""The arm in which answers are shown without what they cite."""


def with_displays(
    assignments: Sequence[Assignment], secret: Secret, name: str, arms: Sequence[str]
) -> tuple[Assignment, ...]:
    """Draw an arm for each assignment, each as likely; sheets and room draw the same.

    Args:
        assignments: Who rates what, in the order of the plan.
        secret: What the arms follow from.
        name: The campaign's name.
        arms: The arms; none where all is shown to everybody.
    """
    if not arms:
        return tuple(assignments)
    lots = secret.draws(name, "display")
    return tuple(
        replace(assignment, display=arms[lots.below(len(arms))]) for assignment in assignments
    )


def without_displays(plan: CampaignPlan) -> CampaignPlan:
    """Give a plan as it was before arms were drawn."""
    return replace(
        plan, assignments=tuple(replace(assignment, display="") for assignment in plan.assignments)
    )
