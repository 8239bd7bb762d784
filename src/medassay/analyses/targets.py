"""Targets of [targets] beside what each system reached."""

from collections.abc import Mapping, Sequence

from medassay.analyses.results import LeaderboardRow, SourceResult
from medassay.analyses.results.target import TargetResult, Verdict
from medassay.stats import Interval, could_outweigh
from medassay.study.targets import target_source

__all__ = ["target_results", "target_verdict"]


def target_results(
    targets: Mapping[str, float],
    standings: Sequence[LeaderboardRow],
    sources: Sequence[SourceResult],
) -> list[TargetResult]:
    """Hold each system's mean against each target; whether it is reached its interval says."""
    lower = {source_result.name for source_result in sources if source_result.direction == "lower"}
    spans = {
        source_result.name: source_result.high - source_result.low
        for source_result in sources
        if source_result.low is not None and source_result.high is not None
    }
    taken = {
        source_result.stands_for: source_result.name
        for source_result in sources
        if source_result.stands_for
    }
    return [
        TargetResult(
            name=name,
            source=leaderboard_row.source,
            system=leaderboard_row.system,
            target=target,
            value=leaderboard_row.mean,
            interval=leaderboard_row.interval,
            verdict=target_verdict(
                leaderboard_row.mean,
                leaderboard_row.interval,
                target,
                span=spans.get(leaderboard_row.source),
                answers=leaderboard_row.n,
                lower=leaderboard_row.source in lower,
            ),
            reason=leaderboard_row.reason,
        )
        for name, target in targets.items()
        for source in [target_source(name)]
        for leaderboard_row in standings
        if leaderboard_row.source == taken.get(source, source)
    ]


def target_verdict(
    mean: float | None,
    interval: Interval | None,
    target: float,
    *,
    span: float | None,
    answers: int,
    lower: bool = False,
) -> Verdict:
    """Say whether a mean reaches a target: only where its whole interval lies on one side.

    And not where so few answers need not show heavy losses, or gains, that could make up for how
    far it lies from the target (`could_outweigh`): the interval is made of what they do show.

    Args:
        mean: None without a value.
        interval: Its interval; None without one.
        target: What is to be reached.
        span: The score's greatest value minus its least; None or 0 where it has no range.
        answers: How many the mean is over.
        lower: Whether lower is better.

    Example:
        >>> near = Interval(0.96, 0.98, 0.95, "t", "an example")
        >>> [target_verdict(0.97, near, 0.95, span=1.0, answers=n) for n in (50, 400)]
        ['too close to say', 'reached']
    """
    if mean is None:
        return "no value"
    if interval is None:
        return "too close to say"
    if span and could_outweigh(mean - target, span, answers):
        return "too close to say"
    sign = -1 if lower else 1
    worst, best = sorted((sign * interval.low, sign * interval.high))
    if worst >= sign * target:
        return "reached"
    return "missed" if best < sign * target else "too close to say"
