"""Targets of [targets] beside what each system reached."""

from collections.abc import Mapping, Sequence

from medassay.analyses.results import LeaderboardRow, SourceResult
from medassay.analyses.results.target import TargetResult, Verdict
from medassay.study.targets import target_source

__all__ = ["target_results"]


def target_results(
    targets: Mapping[str, float],
    standings: Sequence[LeaderboardRow],
    sources: Sequence[SourceResult],
) -> list[TargetResult]:
    """Hold each system's mean against each target; whether it is reached its interval says."""
    lower = {source_result.name for source_result in sources if source_result.direction == "lower"}
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
            verdict=_verdict(leaderboard_row, target, lower=leaderboard_row.source in lower),
            reason=leaderboard_row.reason,
        )
        for name, target in targets.items()
        for source in [target_source(name)]
        for leaderboard_row in standings
        if leaderboard_row.source == taken.get(source, source)
    ]


def _verdict(leaderboard_row: LeaderboardRow, target: float, *, lower: bool) -> Verdict:
    if leaderboard_row.mean is None:
        return "no value"
    if leaderboard_row.interval is None:
        return "too close to say"
    sign = -1 if lower else 1
    worst, best = sorted(
        (sign * leaderboard_row.interval.low, sign * leaderboard_row.interval.high)
    )
    if worst >= sign * target:
        return "reached"
    return "missed" if best < sign * target else "too close to say"
