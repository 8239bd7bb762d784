"""Mean, standard deviation and median of what raters gave, system by system."""

from collections.abc import Mapping, Sequence
from statistics import fmean, median, stdev
from typing import Literal

from medassay.analyses.builtin.summaries.record import Summary
from medassay.cases import Cases
from medassay.judgements import Judgements, Rubric
from medassay.scores import ScoreTable

__all__ = ["dimension_summaries", "metric_summaries"]

_TWO = 2


def dimension_summaries(
    rubric: Rubric, judgements: Judgements, systems: Sequence[str], cases: Cases
) -> list[Summary]:
    """Describe each system on each dimension whose labels have scores; phases that count.

    Over judgements and over answers the means are the same where every answer has as many raters;
    the spreads are not: that over judgements holds the raters' differences too.
    """
    current = judgements.counted
    labels: dict[tuple[str, str], dict[str, list[float]]] = {}
    scores = {
        name: {label.label: label.score for label in rubric.dimension(name).labels}
        for name in rubric.ids
        if rubric.dimension(name).scores is not None
    }
    for row in current.iter_rows(named=True):
        score = scores.get(row["dimension"], {}).get(row["label"] or "")
        if score is not None:
            of_answers = labels.setdefault((row["dimension"], row["system"]), {})
            of_answers.setdefault(row["case"], []).append(score)
    summaries, scenarios = [], _scenarios(cases)
    for dimension in scores:
        for system in systems:
            by_case = labels.get((dimension, system), {})
            every = [score for some in by_case.values() for score in some]
            means = {case: fmean(some) for case, some in by_case.items()}
            summaries.append(_summary((dimension, "dimension"), system, "judgements", every))
            summaries.append(
                _summary((dimension, "dimension"), system, "answers", list(means.values()))
            )
            summaries += _by_scenario(scenarios, (dimension, "dimension"), system, means)
    return summaries


def metric_summaries(
    table: ScoreTable, sources: Sequence[str], systems: Sequence[str], cases: Cases
) -> list[Summary]:
    """Describe each system by each of these metrics, over the answers that have a score."""
    summaries, scenarios = [], _scenarios(cases)
    for source in sources:
        grid = table.grid(source, systems, cases.ids)
        for system, row, known in zip(systems, grid.values, grid.known, strict=True):
            summaries.append(_summary((source, "metric"), system, "answers", row[known].tolist()))
            scored = [case for case, there in zip(cases.ids, known, strict=True) if there]
            by_case = dict(zip(scored, row[known].tolist(), strict=True))
            summaries += _by_scenario(scenarios, (source, "metric"), system, by_case)
    return summaries


def _scenarios(cases: Cases) -> Mapping[str, str]:
    """Give each case its scenario; nothing where every scenario was asked once."""
    scenarios = {case.case: str(case.tags.get("scenario", case.case)) for case in cases}
    return scenarios if len(set(scenarios.values())) < len(scenarios) else {}


def _by_scenario(
    scenarios: Mapping[str, str],
    of: tuple[str, Literal["dimension", "metric"]],
    system: str,
    values: Mapping[str, float],
) -> list[Summary]:
    """Describe scenarios where several wordings of one were asked: they are no separate evidence.

    Nothing where every scenario was asked once, since the means are then those over answers.
    """
    if not scenarios:
        return []
    together: dict[str, list[float]] = {}
    for case, scenario in scenarios.items():
        if case in values:
            together.setdefault(scenario, []).append(values[case])
    return [_summary(of, system, "scenarios", [fmean(some) for some in together.values()])]


def _summary(
    of: tuple[str, Literal["dimension", "metric"]],
    system: str,
    over: Literal["judgements", "answers", "scenarios"],
    values: Sequence[float],
) -> Summary:
    some = bool(values)
    nobody = "no rater labelled an" if of[1] == "dimension" else "the metric scored no"
    return Summary(
        name=of[0],
        kind=of[1],
        system=system,
        over=over,
        n=len(values),
        mean=fmean(values) if some else None,
        sd=stdev(values) if len(values) >= _TWO else None,
        median=median(values) if some else None,
        least=min(values) if some else None,
        most=max(values) if some else None,
        reason="" if some else f"{nobody} answer of it",
    )
