"""Targets of [targets] beside what each system reached."""

from collections.abc import Mapping, Sequence

from medassay.analyses.results import SourceResult, Standing
from medassay.analyses.results.target import TargetResult, Verdict
from medassay.study.targets import target_source

__all__ = ["target_results"]


def target_results(
    targets: Mapping[str, float], standings: Sequence[Standing], sources: Sequence[SourceResult]
) -> list[TargetResult]:
    """Hold each system's mean against each target; whether it is reached its interval says."""
    lower = {one.name for one in sources if one.direction == "lower"}
    taken = {one.stands_for: one.name for one in sources if one.stands_for}
    return [
        TargetResult(
            name=name,
            source=one.source,
            system=one.system,
            target=target,
            value=one.mean,
            interval=one.interval,
            verdict=_verdict(one, target, lower=one.source in lower),
            reason=one.reason,
        )
        for name, target in targets.items()
        for source in [target_source(name)]
        for one in standings
        if one.source == taken.get(source, source)
    ]


def _verdict(one: Standing, target: float, *, lower: bool) -> Verdict:
    if one.mean is None:
        return "no value"
    if one.interval is None:
        return "too close to say"
    sign = -1 if lower else 1
    worst, best = sorted((sign * one.interval.low, sign * one.interval.high))
    if worst >= sign * target:
        return "reached"
    return "missed" if best < sign * target else "too close to say"
