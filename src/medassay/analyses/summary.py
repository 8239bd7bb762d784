"""Mean, standard deviation and median of what raters gave, system by system."""

from collections.abc import Mapping, Sequence
from statistics import fmean, median, stdev
from typing import Literal

from medassay.analyses.results.summary import SummaryResult
from medassay.scores import ScoreTable
from medassay.study.folder import Study

__all__ = ["metric_summaries", "summary_results"]

_TWO = 2


def summary_results(study: Study) -> list[SummaryResult]:
    """Describe each system on each dimension whose labels have scores; main phase, no adjudication.

    Over judgements and over answers the means are the same where every answer has as many raters;
    the spreads are not: that over judgements holds the raters' differences too.
    """
    current = study.judgements.current()
    labels: dict[tuple[str, str], dict[str, list[float]]] = {}
    scores = {
        name: {label.label: label.score for label in study.rubric.dimension(name).labels}
        for name in study.rubric.ids
        if study.rubric.dimension(name).scores is not None
    }
    for row in current.iter_rows(named=True):
        score = scores.get(row["dimension"], {}).get(row["label"] or "")
        if row["phase"] == "main" and score is not None:
            of_answers = labels.setdefault((row["dimension"], row["system"]), {})
            of_answers.setdefault(row["case"], []).append(score)
    summaries, scenarios = [], _scenarios(study)
    for dimension in scores:
        for system in study.systems:
            given = labels.get((dimension, system), {})
            every = [score for some in given.values() for score in some]
            means = {case: fmean(some) for case, some in given.items()}
            summaries.append(_summary((dimension, "dimension"), system, "judgements", every))
            summaries.append(
                _summary((dimension, "dimension"), system, "answers", list(means.values()))
            )
            summaries += _by_scenario(scenarios, (dimension, "dimension"), system, means)
    return summaries


def metric_summaries(
    study: Study, table: ScoreTable, sources: Sequence[str]
) -> list[SummaryResult]:
    """Describe each system by each of these metrics, over the answers that have a score."""
    summaries, scenarios = [], _scenarios(study)
    for source in sources:
        grid = table.grid(source, study.systems, study.cases.ids)
        for system, row, known in zip(study.systems, grid.values, grid.known, strict=True):
            summaries.append(_summary((source, "metric"), system, "answers", row[known].tolist()))
            cases = [case for case, there in zip(study.cases.ids, known, strict=True) if there]
            by_case = dict(zip(cases, row[known].tolist(), strict=True))
            summaries += _by_scenario(scenarios, (source, "metric"), system, by_case)
    return summaries


def _scenarios(study: Study) -> Mapping[str, str]:
    """Give each case its scenario; nothing where every scenario was asked once."""
    found = {case.case: str(case.tags.get("scenario", case.case)) for case in study.cases}
    return found if len(set(found.values())) < len(found) else {}


def _by_scenario(
    scenarios: Mapping[str, str],
    of: tuple[str, Literal["dimension", "metric"]],
    system: str,
    values: Mapping[str, float],
) -> list[SummaryResult]:
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
) -> SummaryResult:
    some = bool(values)
    nobody = "no rater labelled an" if of[1] == "dimension" else "the metric scored no"
    return SummaryResult(
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
