"""What each code of a room stands for: those of the plan, and those that came later."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from medassay.campaign.room.kept import Place
from medassay.judgements.campaign import Assignment, CampaignPlan

__all__ = ["assigned"]


def assigned(plan: CampaignPlan, places: Iterable[Place]) -> Mapping[str, Assignment]:
    """Find an assignment by its code.

    An answer that passed to another rater, or that somebody settled, has a code that the plan does
    not hold. It is about the same item as those codes of the plan that have the item's number.

    Args:
        plan: Who rates what, as it was drawn up.
        places: All assignments of the room.
    """
    places = list(places)
    upright: dict[int, Assignment] = {}
    for place in places:
        planned = plan.by_code.get(place.code)
        if planned is not None:
            item = planned.item.turned if place.turned else planned.item
            upright.setdefault(place.item, replace(planned, item=item))
    by_code = dict(plan.by_code)
    for place in places:
        like = upright[place.item]
        by_code[place.code] = replace(
            like,
            code=place.code,
            rater=place.rater,
            phase=place.phase,
            position=place.position,
            batch=place.batch,
            item=like.item.turned if place.turned else like.item,
            display=place.display,
        )
    return by_code
