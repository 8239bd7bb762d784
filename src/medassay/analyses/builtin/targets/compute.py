"""Targets of [targets] beside what each system reached."""

from collections.abc import Iterator, Mapping, Sequence

from medassay.analyses.builtin.targets.record import Target, Verdict
from medassay.analyses.score_columns import Column
from medassay.stats import Interval, could_outweigh
from medassay.study.targets import target_source
from medassay.validity import LeaderboardRow

__all__ = ["reached", "target_verdict"]


def reached(
    targets: Mapping[str, float],
    columns: Sequence[Column],
    spans: Mapping[str, float],
    standings: Sequence[LeaderboardRow],
) -> Iterator[Target]:
    """Hold each system's mean against each target; an imported column counts for its metric.

    Spans are the greatest score of a column minus its least, for those that have both.
    """
    lower = {column.name for column in columns if column.direction == "lower"}
    taken = {column.place.slot.metric: column.name for column in columns if column.place}
    for name, target in targets.items():
        source = target_source(name)
        for row in standings:
            if row.source == taken.get(source, source):
                yield Target(
                    name=name,
                    source=row.source,
                    system=row.system,
                    target=target,
                    value=row.mean,
                    interval=row.interval,
                    verdict=target_verdict(
                        row.mean,
                        row.interval,
                        target,
                        span=spans.get(row.source),
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
