"""What do raters and metrics give each system, in the mean, and how far does it spread?"""

from collections.abc import Mapping, Sequence
from statistics import fmean, median, stdev
from typing import Final, Literal

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.readable import Columns, Design, Rules
from medassay.analyses.results.whole import Records
from medassay.annotations import DesignName, SystemName, Words, record
from medassay.cases import Cases
from medassay.exhibits import Names
from medassay.exhibits.columns import celled, counted, missing, shown, system_column, table_of
from medassay.exhibits.names import slug
from medassay.exhibits.numbers import Style
from medassay.exhibits.table import Cell, Table
from medassay.judgements import Judgements, Rubric
from medassay.scores import ScoreTable


@record(infers=False)
class Summary:
    """The scores of one system's labels on one dimension, or by one metric.

    Attributes:
        name: The dimension, or the metric.
        over: `judgements`: every rater's label counts once. `answers`: each answer's mean over
            raters. `scenarios`: each scenario's mean over the answers to its wordings.
        sd: Standard deviation with n - 1; None below two.
        reason: Why there is no mean.
    """

    name: DesignName
    kind: Literal["dimension", "metric"]
    system: SystemName
    over: Literal["judgements", "answers", "scenarios"]
    n: int
    mean: float | None
    sd: float | None
    median: float | None
    least: float | None
    most: float | None
    reason: Words


@record(infers=False)
class Summaries:
    """Each dimension with scores; in a report that describes only, each metric too."""

    summaries: tuple[Summary, ...]


_FOR_SPREAD = 2


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
        sd=stdev(values) if len(values) >= _FOR_SPREAD else None,
        median=median(values) if some else None,
        least=min(values) if some else None,
        most=max(values) if some else None,
        reason="" if some else f"{nobody} answer of it",
    )


_TWO: Final = Style(2)


def summary_tables(summaries: Sequence[Summary], names: Names) -> list[Table]:
    """Show mean, standard deviation and median, each dimension or metric in a table of its own."""
    of: dict[str, list[Summary]] = {}
    for summary in summaries:
        of.setdefault(summary.name, []).append(summary)
    return [_table(own, name, names) for name, own in of.items()]


def _table(own: Sequence[Summary], name: str, names: Names) -> Table:
    """Show mean, standard deviation and median of one dimension or metric."""
    metric = any(summary.kind == "metric" for summary in own)
    style = names.style_of(name) if metric else _TWO
    spread_words = "" if metric else (
        " Over ratings, the spread includes that between experts."
    )  # fmt: skip
    return table_of(
        own,
        (
            system_column(names),
            shown("Over", lambda row: _OVER[metric, row.over], file="over"),
            counted("n", "n"),
            celled("Mean ± SD", ("mean", "sd"), lambda row: _mean(row, style), numeric=True),
            shown("Median", "median", style, why_not="reason"),
            celled("Range", ("least", "most"), lambda row: _range(row, style), numeric=True),
        ),
        id=f"summary-{slug(name)}",
        title=f"{names.of_dimension(names.of_source(name))}, mean and spread",
        caption=f"Mean ± standard deviation (n − 1).{spread_words}",
        empty="Nobody rated this.",
    )


def _mean(summary: Summary, style: Style) -> Cell:
    if summary.mean is None:
        return missing(summary.reason, 2)
    spread = "" if summary.sd is None else f" ± {style(summary.sd)}"
    return Cell(style(summary.mean) + spread, (summary.mean, summary.sd))


def _range(summary: Summary, style: Style) -> Cell:
    if summary.least is None or summary.most is None:
        return missing(summary.reason, 2)
    return Cell(_span(summary.least, summary.most, style), (summary.least, summary.most))


_OVER = {
    (True, "answers"): "answers",
    (True, "scenarios"): "each scenario's mean",
    (False, "answers"): "each answer's mean",
    (False, "judgements"): "each rating",
    (False, "scenarios"): "each scenario's mean",
}


def _span(least: float, most: float, style: Style) -> str:
    """Print whole numbers whole: a label is 4, not 4.00."""
    if least.is_integer() and most.is_integer():
        return f"{least:g} to {most:g}"
    return f"{style(least)} to {style(most)}"


@analysis(
    Declaration(
        id="summaries",
        title="Mean and spread",
        question="What do raters and metrics give each system, and how far does it spread?",
        section="ratings",
        infers=False,
        reader="clinician",
        place=10,
        shown_in="described",
        tables=lambda record, names: summary_tables(record.summaries, names),
    )
)
def summaries(
    rubric: Rubric,
    judgements: Judgements,
    cases: Cases,
    columns: Columns,
    design: Design,
    rules: Rules,
) -> Summaries | None:
    """Describe each system on each dimension; where nothing else is said of metrics, by each."""
    described = dimension_summaries(rubric, judgements, design.systems, cases)
    if rules.describes:
        known = columns.score_columns
        metrics = [column.name for column in known.columns if column.kind == "metric"]
        described += metric_summaries(known.table, metrics, design.systems, cases)
    return Summaries(tuple(described)) if described else None


def summaries_in(records: Records) -> tuple[Summary, ...]:
    """Give what a run describes; nothing where it was not asked."""
    record = records.of(summaries)
    return record.summaries if record else ()
