"""Plan a study from its own variance, and from its metrics."""

from collections.abc import Sequence

from medassay.analyses.builtin.d_study import d_study
from medassay.analyses.builtin.plan import (
    Planned,
    PlanReport,
    PlanWishes,
    WidthRow,
    labels_planned,
    lay_out,
    plan_of,
    scored_dimensions,
)
from medassay.analyses.inputs.metric_uses import leading_columns, titles_of
from medassay.analyses.inputs.readable import about_of, design_of, randomness_of
from medassay.analyses.inputs.study_columns import StudyColumns, collect_columns, sources_of
from medassay.analyses.inputs.study_description import describe_source
from medassay.errors import InvalidInput, Problem, UnknownName
from medassay.judgements import units
from medassay.metrics import BoundMetric
from medassay.study.folder import Study
from medassay.study.scoring.score_study import Progress, score_study
from medassay.validity import (
    ReliabilityPlan,
    cases_for_width,
    pair_spread,
    spread_of_grid,
    spread_of_labels,
    systems_for_width,
    tau_width,
)


def plan_study(
    study: Study,
    metrics: Sequence[BoundMetric],
    wishes: PlanWishes,
    progress: Progress | None = None,
) -> PlanReport:
    """How many cases, systems, raters and judgements does an answer need?

    Raises:
        UnknownName: No such dimension, or no such metric in the study.
        InvalidInput: A wish cannot be; or the study has nothing to plan from.
    """
    _check(wishes)
    dimensions = _dimensions(study, wishes)
    score_columns = None
    if wishes.metrics or wishes.width is not None:
        score_columns = collect_columns(study, score_study(study, metrics, progress))
    design = design_of(study)
    planned = [plan_of(study.rubric, study.judgements, design, name) for name in dimensions]
    if score_columns is not None and wishes.metrics:
        planned += [_of_metric(study, score_columns, name) for name in wishes.metrics]
    usable = [on_dimension for on_dimension in planned if not on_dimension.spread.undefined]
    if not usable:
        got = (
            "; ".join(
                f"{on_dimension.name}: {on_dimension.spread.undefined}" for on_dimension in planned
            )
            or "none"
        )
        must = "have judgements or scores of two systems or more to plan from"
        raise InvalidInput(Problem("the study", must, got))
    _check_within_scales(wishes.detect, usable)
    widths = [] if score_columns is None else _widths(study, score_columns, wishes, dimensions)
    size = len(study.systems), len(design.ranking_cases) or len(study.cases)
    return lay_out(about_of(study), size, planned, wishes, widths)


def plan_reliability(study: Study, wishes: PlanWishes) -> tuple[ReliabilityPlan, ...]:
    """How many raters and cases does a reliability take, on each dimension that has one?

    As the analysis `d_study` of a report says it. Nothing where a difference, a width or metrics
    are asked for.
    """
    if (wishes.detect, wishes.width, wishes.metrics) != (None, None, None):
        return ()
    design, chosen = design_of(study), _dimensions(study, wishes)
    found = d_study.compute(study.rubric, study.judgements, design, randomness_of(study))
    return tuple(plan for plan in found.plans if plan.dimension in chosen) if found else ()


def _check(wishes: PlanWishes) -> None:
    asked = (
        ("--detect", wishes.detect, float("inf")),
        ("--width", wishes.width, 2.0),  # tau's range
        ("--power", wishes.power, 1.0),
        ("alpha", wishes.alpha, 1.0),
    )
    problems = [
        Problem(
            name,
            "be above 0" if most == float("inf") else f"lie between 0 and {most:g}",
            f"{value:g}",
        )
        for name, value, most in asked
        if value is not None and not 0 < value < most
    ]
    if problems:
        raise InvalidInput(problems)


def _check_within_scales(detect: float | None, planned: list[Planned]) -> None:
    """Refuse a difference that no two systems could have on any of the scales."""
    if detect is None:
        return
    spans = {on_dimension.name: _span(on_dimension) for on_dimension in planned}
    if all(detect >= span for span in spans.values()):
        widths = "; ".join(f"{name}: {span:g}" for name, span in spans.items())
        must = f"lie between 0 and the width of a scale ({widths})"
        raise InvalidInput(Problem("--detect", must, f"{detect:g}"))


def _span(planned: Planned) -> float:
    low, high = planned.ends
    return float("inf") if low is None or high is None else high - low


def _dimensions(study: Study, wishes: PlanWishes) -> list[str]:
    for name in wishes.dimensions or ():
        study.rubric.dimension(name)
    if wishes.dimensions:
        return list(dict.fromkeys(wishes.dimensions))
    if wishes.metrics and wishes.width is None:
        return []
    return scored_dimensions(study.rubric, study.judgements)


def _of_metric(study: Study, score_columns: StudyColumns, name: str) -> Planned:
    sources = {
        column.name: column for column in score_columns.columns if column.kind != "consensus"
    }
    if name not in sources:
        raise UnknownName("metric of the study", name, sorted(sources))
    grid = sources_of(study, score_columns)[name].grid
    spread = spread_of_grid(grid, study.clusters or None, study.families or None)
    source = describe_source(study, score_columns.table, sources[name])
    ends = (source.low, source.high)
    return Planned(name, titles_of(study, score_columns)[name], spread, ends, metric=True)


def _widths(
    study: Study, score_columns: StudyColumns, wishes: PlanWishes, dimensions: Sequence[str]
) -> list[WidthRow]:
    if wishes.width is None:
        return []
    joined = leading_columns(study, score_columns)
    if not joined:
        return []
    sources, titles = sources_of(study, score_columns), titles_of(study, score_columns)
    rows = []
    for column in joined:
        if column.dimension not in dimensions:
            continue
        own = spread_of_labels(
            units(study.judgements, column.dimension or ""),
            study.clusters or None,
            study.families or None,
        )
        for metric in score_columns.columns:
            if metric.kind == "consensus" or metric.control:
                continue
            if wishes.metrics and metric.name not in wishes.metrics:
                continue
            pairing = pair_spread(
                sources[metric.name],
                sources[column.name],
                None if own.undefined else own,
                study.clusters or None,
                study.families or None,
            )
            base = WidthRow(
                metric=metric.name,
                title=titles[metric.name],
                dimension=column.dimension or "",
                labels=max(1, round(own.labels)),
                correlation=None, width=None, cases=None, systems=None, judgements=None,
                reason=pairing.undefined,
            )  # fmt: skip
            if pairing.undefined:
                rows.append(base)
                continue
            systems, cases = pairing.consensus.systems, pairing.consensus.cases
            for labels in labels_planned(own):
                more_cases = cases_for_width(pairing, wishes.width, systems, labels)
                more_systems = systems_for_width(pairing, wishes.width, cases, labels)
                options = [systems * more_cases * labels] if more_cases else []
                options += [more_systems * cases * labels] if more_systems else []
                updates = {
                    "labels": labels,
                    "correlation": pairing.correlation(cases, labels),
                    "width": tau_width(pairing, systems, cases, labels),
                    "cases": more_cases,
                    "systems": more_systems,
                    "judgements": min(options, default=None),
                }
                rows.append(base.model_copy(update=updates))
    return rows
