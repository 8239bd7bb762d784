"""Plan a study from its own variance."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Literal

from medassay.analyses.describe import describe_source
from medassay.analyses.gathered import Gathered, gather, ranking_cases, sources_of
from medassay.analyses.plan_words import assumptions
from medassay.analyses.results.plan import (
    PlanCurve,
    PlanPoint,
    PlanReport,
    SeparateRow,
    SpreadResult,
    WidthRow,
)
from medassay.analyses.trust import leading_method, titles_of
from medassay.errors import InvalidInput, Problem, UnknownName
from medassay.judgements import units
from medassay.metrics import BoundMetric
from medassay.study.folder import Study
from medassay.study.scoring import Progress, score_study
from medassay.validity import (
    Spread,
    cases_for_width,
    cases_to_separate,
    detectable_difference,
    pair_spread,
    power_to_separate,
    spread_of_grid,
    spread_of_labels,
    systems_for_width,
    tau_width,
)

__all__ = ["PlanWishes", "own_plan", "plan_study"]

_LABELS = (1, 2, 3, 5)
_CURVE = (10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 1500, 2000)


@dataclass(frozen=True)
class PlanWishes:
    """What is asked of a plan.

    Attributes:
        detect: The difference of two systems that is to be found, in the unit of each scale.
        width: The width that the 95 % interval of tau is to have at most.
        dimensions: Only these; all whose labels have scores where None and no metric is named.
        metrics: These metrics.
        power: The probability with which the difference is found.
        alpha: The level of the test.
    """

    detect: float | None = None
    width: float | None = None
    dimensions: Sequence[str] | None = None
    metrics: Sequence[str] | None = None
    power: float = 0.8
    alpha: float = 0.05


@dataclass(frozen=True)
class _Planned:
    name: str
    title: str
    spread: Spread
    ends: tuple[float | None, float | None]
    metric: bool


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
    gathered = None
    if wishes.metrics or wishes.width is not None:
        gathered = gather(study, score_study(study, metrics, progress))
    planned = [_of_dimension(study, name) for name in dimensions]
    if gathered is not None and wishes.metrics:
        planned += [_of_metric(study, gathered, name) for name in wishes.metrics]
    usable = [one for one in planned if not one.spread.undefined]
    if not usable:
        got = "; ".join(f"{one.name}: {one.spread.undefined}" for one in planned) or "none"
        must = "have judgements or scores of two systems or more to plan from"
        raise InvalidInput(Problem("the study", must, got))
    _check_within_scales(wishes.detect, usable)
    systems = len(study.systems)
    cases = len(ranking_cases(study)) or len(study.cases)
    return PlanReport(
        title=study.config.title,
        synthetic=study.config.synthetic,
        detect=wishes.detect,
        target=wishes.width,
        power=wishes.power,
        alpha=wishes.alpha,
        systems=systems,
        cases=cases,
        pairs=systems * (systems - 1) // 2,
        spreads=[_laid_out(one) for one in planned],
        separate=[row for one in usable for row in _separate(one, wishes, systems, cases)],
        curves=[_curve(one, labels, wishes) for one in usable for labels in _labels(one.spread)],
        widths=[] if gathered is None else _widths(study, gathered, wishes, dimensions),
        assumes=assumptions(wishes.detect, wishes.width, [one.spread for one in usable]),
    )


def own_plan(study: Study) -> PlanReport | None:
    """Say what the study finds as it is; None where there is nothing to plan from."""
    try:
        return plan_study(study, (), PlanWishes())
    except InvalidInput:
        return None


def _check(wishes: PlanWishes) -> None:
    asked = (
        ("--detect", wishes.detect, float("inf")),
        ("--width", wishes.width, 2.0),  # tau's range
        ("--power", wishes.power, 1.0),
        ("--alpha", wishes.alpha, 1.0),
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


def _check_within_scales(detect: float | None, planned: list[_Planned]) -> None:
    """Refuse a difference that no two systems could have on any of the scales."""
    if detect is None:
        return
    spans = {one.name: _span(one) for one in planned}
    if all(detect >= span for span in spans.values()):
        widths = "; ".join(f"{name}: {span:g}" for name, span in spans.items())
        must = f"lie between 0 and the width of a scale ({widths})"
        raise InvalidInput(Problem("--detect", must, f"{detect:g}"))


def _span(one: _Planned) -> float:
    low, high = one.ends
    return float("inf") if low is None or high is None else high - low


def _dimensions(study: Study, wishes: PlanWishes) -> list[str]:
    for name in wishes.dimensions or ():
        study.rubric.dimension(name)
    if wishes.dimensions:
        return list(dict.fromkeys(wishes.dimensions))
    if wishes.metrics and wishes.width is None:
        return []
    judged = set(study.judgements.frame["dimension"])
    scored = [one.id for one in study.rubric.dimensions if one.scores is not None]
    return [name for name in scored if name in judged]


def _of_dimension(study: Study, name: str) -> _Planned:
    said = study.rubric.dimension(name)
    read = units(study.judgements, name)
    spread = spread_of_labels(read, study.clusters or None, study.families or None)
    scores = said.scores or (0.0,)
    ends = (min(scores), max(scores))
    return _Planned(name, said.title or name, spread, ends, metric=False)


def _of_metric(study: Study, gathered: Gathered, name: str) -> _Planned:
    sources = {column.name: column for column in gathered.columns if column.kind != "consensus"}
    if name not in sources:
        raise UnknownName("metric of the study", name, sorted(sources))
    grid = sources_of(study, gathered)[name].grid
    spread = spread_of_grid(grid, study.clusters or None, study.families or None)
    said = describe_source(study, gathered.table, sources[name])
    ends = (said.low, said.high)
    return _Planned(name, titles_of(study, gathered)[name], spread, ends, metric=True)


def _labels(spread: Spread) -> list[int]:
    """Give the numbers of labels an answer to plan with; only what is, where they are not apart."""
    if not spread.raters_apart:
        return [max(1, round(spread.labels))]
    return sorted({*_LABELS, round(spread.labels)})


def _separate(one: _Planned, wishes: PlanWishes, systems: int, cases: int) -> list[SeparateRow]:
    pairs = max(1, systems * (systems - 1) // 2)
    rows = []
    for labels in _labels(one.spread):
        found: list[int | None] = [None, None]
        if wishes.detect is not None:
            found = [
                cases_to_separate(
                    one.spread, wishes.detect, labels, power=wishes.power, alpha=alpha
                )
                for alpha in (wishes.alpha, wishes.alpha / pairs)
            ]
        judged = 0 if one.metric else labels
        rows.append(
            SeparateRow(
                source=one.name,
                labels=labels,
                now=labels == round(one.spread.labels),
                cases_pair=found[0],
                judgements_pair=None if found[0] is None else 2 * found[0] * judged,
                cases_all=found[1],
                judgements_all=None if found[1] is None else systems * found[1] * judged,
                detectable=detectable_difference(
                    one.spread, cases, labels, power=wishes.power, alpha=wishes.alpha
                ),
            )
        )
    return rows


def _curve(one: _Planned, labels: int, wishes: PlanWishes) -> PlanCurve:
    """Lay out the curve; without a difference to find, power is that for the detectable one."""
    points = []
    for cases in _CURVE:
        least = detectable_difference(
            one.spread, cases, labels, power=wishes.power, alpha=wishes.alpha
        )
        power = wishes.power
        if wishes.detect is not None:
            power = power_to_separate(one.spread, wishes.detect, cases, labels, alpha=wishes.alpha)
        points.append(PlanPoint(cases=cases, power=power, detectable=least))
    return PlanCurve(source=one.name, labels=labels, points=points)


def _widths(
    study: Study, gathered: Gathered, wishes: PlanWishes, dimensions: Sequence[str]
) -> list[WidthRow]:
    if wishes.width is None:
        return []
    joined = [column for column in gathered.columns if column.kind == "consensus"]
    if not joined:
        return []
    method = leading_method(study, joined)
    sources, titles = sources_of(study, gathered), titles_of(study, gathered)
    rows = []
    for column in joined:
        if column.method != method or column.dimension not in dimensions:
            continue
        own = spread_of_labels(
            units(study.judgements, column.dimension or ""),
            study.clusters or None,
            study.families or None,
        )
        for metric in gathered.columns:
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
            for labels in _labels(own):
                more_cases = cases_for_width(pairing, wishes.width, systems, labels)
                more_systems = systems_for_width(pairing, wishes.width, cases, labels)
                options = [systems * more_cases * labels] if more_cases else []
                options += [more_systems * cases * labels] if more_systems else []
                told = {
                    "labels": labels,
                    "correlation": pairing.correlation(cases, labels),
                    "width": tau_width(pairing, systems, cases, labels),
                    "cases": more_cases,
                    "systems": more_systems,
                    "judgements": min(options, default=None),
                }
                rows.append(base.model_copy(update=told))
    return rows


def _laid_out(one: _Planned) -> SpreadResult:
    facts = asdict(one.spread)
    facts["reason"] = facts.pop("undefined")
    facts.pop("family_size")
    kind: Literal["metric", "dimension"] = "metric" if one.metric else "dimension"
    low, high = one.ends
    return SpreadResult(source=one.name, title=one.title, kind=kind, low=low, high=high, **facts)
