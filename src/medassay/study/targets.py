"""Targets of [targets] beside what each system reached."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from medassay.errors import InvalidInput, Problem, UnknownName, nearest
from medassay.metrics import resolve
from medassay.study.files import STUDY_FILE
from medassay.study.results import SourceResult, Standing
from medassay.study.results.target import TargetResult, Verdict

__all__ = ["target_problems", "target_results", "target_source"]

_SHORT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "accuracy": "exact_match",
        "map": "average_precision",
        "mrr": "reciprocal_rank",
    }
)
"""Words for metrics that reports use, beside the metrics' own names."""


def target_source(name: str) -> str:
    """Give the source that a target is about.

    Example:
        >>> target_source("accuracy"), target_source("precision@5")
        ('exact_match', 'precision@5')
    """
    wanted = _SHORT.get(name, name)
    try:
        return str(resolve(wanted).name)
    except (InvalidInput, UnknownName):
        return wanted


def target_problems(targets: Mapping[str, float], sources: Sequence[str]) -> list[Problem]:
    """Name the targets that are about nothing the study measures."""
    known = [*sources, *(short for short, name in _SHORT.items() if name in sources)]
    return [
        Problem(
            STUDY_FILE, "name something that the study measures", f'"{name}"',
            nearest(name, known) or f"Known: {', '.join(sorted(known))}.", None, f"targets.{name}",
        )
        for name in targets
        if target_source(name) not in sources
    ]  # fmt: skip


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
