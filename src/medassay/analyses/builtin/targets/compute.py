"""Targets of [targets] beside what each system reached."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from medassay.analyses.builtin.targets.record import Target, Verdict
from medassay.analyses.inputs.study_columns import Column
from medassay.stats import Interval, could_outweigh, group_labels, means_over_cases
from medassay.stats.multiplicity import level_together
from medassay.stats.randomness import Rng
from medassay.study.opening.choices import target_source
from medassay.validity import LeaderboardRow, Source

__all__ = ["intervals_together", "reached", "target_verdict"]

Ends = Mapping[str, tuple[float, float]]
"""The least and the greatest score of each column that has both."""


def intervals_together(
    source: Source,
    standings: Sequence[LeaderboardRow],
    clusters: Mapping[str, str],
    ends: tuple[float, float] | None,
    *,
    rng: Rng,
) -> dict[str, Interval | None]:
    """Widen each system's interval until the lower ends of all hold at once, and the upper ones.

    Who asks whether some system reaches a target reads all of them. Where their own intervals hold
    at once already, they are left as they are.
    """
    grid = source.grid
    of_case = group_labels(grid.cases, clusters) if clusters else None
    level = level_together(grid.values, grid.known, rng=rng, clusters=of_case)
    own = {row.system: row.interval for row in standings}
    wider = means_over_cases(
        grid.values, grid.known, clusters=of_case, bounds=source.bounds, level=level
    )
    return {
        system: _widened(own.get(system), mean.interval, ends)
        for system, mean in zip(grid.systems, wider, strict=True)
    }


def _widened(
    own: Interval | None, wider: Interval | None, ends: tuple[float, float] | None
) -> Interval | None:
    if own is None or wider is None or own.level == wider.level:
        return own
    low, high = ends or (wider.low, wider.high)
    return replace(wider, low=max(low, wider.low), high=min(high, wider.high), method=own.method)


def reached(
    targets: Mapping[str, float],
    columns: Sequence[Column],
    ends: Ends,
    standings: Sequence[LeaderboardRow],
    together: Callable[[str], Mapping[str, Interval | None]],
) -> Iterator[Target]:
    """Hold each system's mean against each target; an imported column counts for its metric.

    `together` gives the intervals by a column that hold for all systems at once.
    """
    lower = {column.name for column in columns if column.direction == "lower"}
    taken = {column.place.slot.metric: column.name for column in columns if column.place}
    for name, target in targets.items():
        source = target_source(name)
        column = taken.get(source, source)
        own = [row for row in standings if row.source == column]
        intervals = together(column) if own else {}
        span = ends[column][1] - ends[column][0] if column in ends else None
        for row in own:
            interval = intervals.get(row.system)
            yield Target(
                name=name,
                source=row.source,
                system=row.system,
                target=target,
                value=row.mean,
                interval=interval,
                verdict=target_verdict(
                    row.mean,
                    interval,
                    target,
                    span=span,
                    answers=row.n,
                    lower=row.source in lower,
                ),
                reason=row.reason,
            )


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
