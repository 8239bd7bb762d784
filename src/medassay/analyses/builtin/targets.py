"""Does each system reach what the study wants it to?"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, Literal

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.readable import Columns, Design, Randomness, Rules
from medassay.analyses.inputs.study_columns import ScoreColumn
from medassay.analyses.inputs.system_boards import Leaderboards
from medassay.analyses.results import SourceResult
from medassay.annotations import DesignName, SystemName, Words, record
from medassay.exhibits import Claim, Names, VerdictKind, VerdictRow
from medassay.exhibits.claim import Finding, ReaderQuestion, implied_p
from medassay.exhibits.columns import (
    celled,
    estimate,
    estimate_fields,
    how,
    named,
    system_column,
    table_of,
)
from medassay.exhibits.numbers import Style, ci, count_of, listed_few
from medassay.exhibits.table import Cell, Table
from medassay.stats import Interval, could_outweigh, group_labels, holm, means_over_cases
from medassay.stats.multiplicity import level_together
from medassay.stats.randomness import Rng
from medassay.study.opening.choices import target_source
from medassay.validity import LeaderboardRow, Source

Verdict = Literal["reached", "missed", "too close to say", "no value"]
"""Reached or missed only where the whole interval lies on one side of the target."""


@record(infers=True)
class Target:
    """One target of [targets] for one system.

    Attributes:
        name: As study.toml writes it.
        source: The column of scores that it is about.
        system: The system.
        target: What is to be reached.
        value: What the system reached; None where it has no value.
        interval: Around the value; the lower ends of all systems hold at once in 95% of studies,
            and so do the upper ends.
        verdict: Whether the target is reached.
        reason: Why there is no value; empty where there is one.
    """

    name: DesignName
    source: DesignName
    system: SystemName
    target: float
    value: float | None
    interval: Interval | None
    verdict: Verdict
    reason: Words


def counted_apart(source: Source, clusters: Mapping[str, str]) -> dict[str, int]:
    """Count each system's scored cases, or their clusters: what a cluster shares is seen once."""
    grid = source.grid
    labels = group_labels(grid.cases, clusters)
    return {
        system: len({label for label, known in zip(labels, row, strict=True) if known})
        for system, row in zip(grid.systems, grid.known.tolist(), strict=True)
    }


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
    columns: Sequence[ScoreColumn],
    ends: Ends,
    standings: Sequence[LeaderboardRow],
    together: Callable[[str], Mapping[str, Interval | None]],
    counts: Callable[[str], Mapping[str, int]],
) -> Iterator[Target]:
    """Hold each system's mean against each target; an imported column counts for its metric.

    `together` gives the intervals by a column that hold for all systems at once, `counts` each
    system's cases or clusters (`counted_apart`).
    """
    lower = {column.name for column in columns if column.direction == "lower"}
    taken = {column.place.slot.metric: column.name for column in columns if column.place}
    for name, target in targets.items():
        source = target_source(name)
        column = taken.get(source, source)
        own = [row for row in standings if row.source == column]
        intervals, apart = (together(column), counts(column)) if own else ({}, {})
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
                    independent=apart.get(row.system, row.n),
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
    independent: int,
    lower: bool = False,
) -> Verdict:
    """Say whether a mean reaches a target: only where its whole interval lies on one side.

    And not where so few cases need not show heavy losses, or gains, that could make up for how
    far it lies from the target (`could_outweigh`): the interval is made of what they do show.

    Args:
        mean: None without a value.
        interval: Its interval; None without one.
        target: What is to be reached.
        span: The score's greatest value minus its least; None or 0 where it has no range.
        independent: Cases that the mean is over; their clusters where there are such.
        lower: Whether lower is better.

    Example:
        >>> near = Interval(0.96, 0.98, 0.95, "t", "an example")
        >>> [target_verdict(0.97, near, 0.95, span=1.0, independent=n) for n in (50, 400)]
        ['too close to say', 'reached']
    """
    if mean is None:
        return "no value"
    if interval is None:
        return "too close to say"
    if span and could_outweigh(mean - target, span, independent):
        return "too close to say"
    sign = -1 if lower else 1
    worst, best = sorted((sign * interval.low, sign * interval.high))
    if worst >= sign * target:
        return "reached"
    return "missed" if best < sign * target else "too close to say"


def targets_table(held_targets: Sequence[Target], names: Names) -> Table:
    """Put each target beside what the systems reached."""

    def style(target: Target) -> Style:
        return names.style_of(target.source)

    several = len({target.system for target in held_targets}) > 1
    caption = (
        "Targets are the study's own. Reached or missed only where the whole interval lies on one "
        "side of the target. "
        + (
            "These intervals are those of the ranking, or wider: the lower ends of all systems "
            "hold at once in 95% of studies, and so do the upper ends (max-T). "
            if several
            else ""
        )
    )
    return table_of(
        [(names.of_source(target.source), target) for target in held_targets],
        (
            system_column(names),
            celled(
                "Target", "target", lambda t: Cell(style(t)(t.target), (t.target,)), numeric=True
            ),
            celled(
                "Result",
                estimate_fields("result"),
                lambda t: estimate(t.value, t.interval, t.reason, style(t)),
                numeric=True,
            ),
            celled(
                "Verdict",
                "verdict",
                lambda t: named(_VERDICTS.get(t.verdict, t.verdict), t.verdict),
            ),
        ),
        id="targets",
        title="Targets",
        caption=caption + how(target.interval for target in held_targets),
        grouped_by="name",
    )


_FINDING: Final = "targets"
_VERDICTS: Final[dict[Verdict, str]] = {"too close to say": "undecided"}
"""How a verdict prints, where not as in files."""

_MOST: Final = 6
"""Results that the sentences tell; the table has all."""
_NAMED: Final = 3


def targets_claims(held_targets: Sequence[Target]) -> Iterator[Claim]:
    """Claim which targets are reached or missed, over all systems and targets."""
    if p := list(_adjusted(held_targets).values()):
        yield Claim.of(_FINDING, _FINDING, VerdictKind.CLAIM, p, row=VerdictRow.TARGET)


def _adjusted(held_targets: Sequence[Target]) -> dict[int, float]:
    """Give the p of each target's place, adjusted for all that were held."""
    known = [
        (at, p)
        for at, held in enumerate(held_targets)
        if held.value is not None
        and (p := implied_p(held.value, held.interval, held.target)) is not None
    ]
    adjusted = holm([p for _, p in known]).tolist()
    return {at: p for (at, _), p in zip(known, adjusted, strict=True)}


def _at_its_level(held_targets: Sequence[Target], names: Names) -> list[tuple[str, Target]]:
    """Take the verdicts back that the tests together do not confirm, each with its word."""
    p, level = _adjusted(held_targets), names.level(_FINDING, _FINDING)
    told = []
    for at, held in enumerate(held_targets):
        word: str = _VERDICTS.get(held.verdict, held.verdict)
        if held.verdict in {"reached", "missed"} and p.get(at, 1.0) > level:
            word = names.undecided(_FINDING, _FINDING, p.get(at))
        told.append((word, held))
    return told


def targets_finding(held_targets: Sequence[Target], names: Names) -> Finding:
    """Say of each target whether it is reached, as far as the intervals allow."""
    shown = _at_its_level(held_targets, names)[:_MOST]
    of_target: dict[tuple[str, float], list[tuple[str, Target]]] = {}
    for word, target in shown:
        of_target.setdefault((target.source, target.target), []).append((word, target))
    text = " ".join(line for targets in of_target.values() for line in _target(names, targets))
    more = len(held_targets) - len(shown)
    rest = f" The table has {count_of(more, 'more result')}." if more else ""
    return Finding(_FINDING, f"{text}{rest}", ("targets",), ReaderQuestion.BETTER)


def _target(names: Names, targets: list[tuple[str, Target]]) -> Iterator[str]:
    """Say one target's verdicts, and which systems have each."""
    _, first = targets[0]
    style = names.style_of(first.source)
    aim = f"{names.of_source(first.source)} ({style(first.target)})"
    of_verdict: dict[str, list[Target]] = {}
    for word, target in targets:
        of_verdict.setdefault(word, []).append(target)
    for verdict, own in of_verdict.items():
        who = listed_few([names.of_system(target.system) for target in own], _NAMED)
        got = _value(own[0], style) if len(own) == 1 else ""
        if verdict == "reached":
            yield f"{who} reached the target for {aim}{got}."
        elif verdict == "missed":
            yield f"{who} missed the target for {aim}{got}."
        elif verdict == "no value":
            has = "has" if len(own) == 1 else "have"
            yield f"{who} {has} no value to compare with the target for {aim}."
        else:
            yield f"Whether {who} reached the target for {aim} is {verdict}{got}."


def _value(target: Target, style: Style) -> str:
    around = "" if target.interval is None else f"; {ci(target.interval, style)}"
    return "" if target.value is None else f" (result {style(target.value)}{around})"


@analysis(
    Declaration(
        id="targets",
        title="Targets",
        question="Which systems reach the study's targets?",
        section="leaders",
        part="leaderboards",
        infers=True,
        reader="developer",
        place=1,
        tables=lambda record, names: [targets_table(record, names)],
        finding=targets_finding,
        verdicts=(VerdictKind.CLAIM,),
        claims=lambda record, _: targets_claims(record),
        finding_place=30,
    )
)
def targets(
    rules: Rules,
    columns: Columns,
    sources: tuple[SourceResult, ...],
    ranked: Leaderboards,
    design: Design,
    randomness: Randomness,
) -> tuple[Target, ...]:
    """Hold each system's mean against each target; whether it is reached its interval says."""
    ends = {
        source.name: (source.low, source.high)
        for source in sources
        if source.low is not None and source.high is not None
    }

    def together(column: str) -> dict[str, Interval | None]:
        return intervals_together(
            columns.sources[column],
            ranked.by(column),
            design.clusters,
            ends.get(column),
            rng=randomness.stream("s66", column),
        )

    def counts(column: str) -> dict[str, int]:
        return counted_apart(columns.sources[column], design.clusters)

    asked = rules.targets, columns.score_columns.columns, ends, ranked.standings
    return tuple(reached(*asked, together, counts))
