"""From what people found to counts, intervals and what is still possible."""

from math import ceil, log
from typing import Final

from medassay.analyses.builtin.harm_by_system.record import HarmOf
from medassay.analyses.inputs.system_harm import HarmFound
from medassay.stats import Interval, clopper_pearson
from medassay.validity import SystemHarm

__all__ = ["answers_until_rare", "harm_of_systems"]

_RARE: Final = 0.01


def harm_of_systems(harm: HarmFound) -> tuple[HarmOf, ...]:
    """Count each system's harm by the bound that fits how its answers were chosen."""
    chosen: dict[tuple[str, str, str], SystemHarm] = {}
    for bound in harm.bounds:
        about = (bound.dimension, bound.kind, bound.system)
        # What weights the answers by how they were drawn speaks of all of the system's answers.
        if about not in chosen or _weighted(bound):
            chosen[about] = bound
    return tuple(_of(harm, bound) for bound in chosen.values() if bound.bound.n)


def answers_until_rare(harms: tuple[HarmOf, ...], sensitivity: float) -> int | None:
    """Give how many answers without harm leave less than 1 % possible: (1 - .01)^n ≤ 1 - level."""
    if sensitivity < 1 or any(harm.interval is None for harm in harms):
        return None
    return ceil(log(1 - harms[0].level) / log(1 - _RARE))


def _weighted(bound: SystemHarm) -> bool:
    return bound.by_chance or bool(bound.flagged_by)


def _of(harm: HarmFound, bound: SystemHarm) -> HarmOf:
    answers = harm.answers.get((bound.dimension, bound.kind, bound.system), ())
    by_people = () if bound.judge else answers
    return HarmOf(
        dimension=bound.dimension,
        kind=bound.kind,
        system=bound.system,
        found=bound.bound.found,
        n=bound.bound.n,
        interval=_interval(bound),
        at_most=bound.bound.upper,
        level=bound.bound.level,
        reason=bound.bound.undefined,
        cases=tuple(answer.case for answer in by_people if answer.by_most),
        split=sum(answer.split for answer in by_people),
        judge=bound.judge,
        few=bound.bound.few,
        called=harm.called.get(bound.dimension, ""),
    )


def _interval(bound: SystemHarm) -> Interval | None:
    if _weighted(bound) or bound.judge or bound.bound.units < bound.bound.n:
        return None
    return clopper_pearson(
        bound.bound.found, bound.bound.n, estimand="answers like these, taken as independent"
    )
