"""Whether a metric ranks the systems as the raters do."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from medassay.analyses.builtin.correlations.record import FEWEST_TOLD, Correlations
from medassay.exhibits import Names
from medassay.exhibits.cells import NONE, missing, named, p_cell
from medassay.exhibits.names import slug
from medassay.exhibits.numbers import (
    PROPORTION,
    bounds,
    level,
    listed,
    p_value,
    p_way,
    reliability,
)
from medassay.exhibits.sentences import adjusted_words, as_sentence
from medassay.exhibits.table import Cell, Column, Heat, Row, Table
from medassay.stats import Interval
from medassay.validity import Validity

__all__ = [
    "ALPHA",
    "CONTROLS",
    "METRICS",
    "sample_sizes",
    "significant_pairs",
    "tau_details",
    "tau_maps",
    "tau_table",
]

ALPHA: Final = 0.05
METRICS, CONTROLS = "Metrics", "Controls"
_EMPTY = "Nothing could be compared: there must be three systems or more, a metric and a consensus."


def _metrics(correlations: Correlations) -> list[str]:
    """List the metrics, then the controls, each in the order of the columns."""
    controls = {validity.metric: validity.control for validity in correlations.tried}
    return sorted(controls, key=lambda name: controls[name])


def _kind(*, control: bool) -> str:
    return CONTROLS if control else METRICS


def tau_maps(correlations: Correlations, names: Names) -> list[Table]:
    """Lay tau out as heat maps: metrics down, dimensions across, one map a consensus method.

    The method of the leaderboard comes first; its map is the table `tau`.
    """
    return [
        replace(
            _map(correlations, names, method, "tau" if first else f"tau-{slug(method)}"),
            stands="page" if first and len(names.system) >= FEWEST_TOLD else "file",
        )
        for method in correlations.methods
        for first in [method == correlations.method]
    ]


def _words(method: str) -> str:
    return method.replace("_", " ")


def _map(correlations: Correlations, names: Names, method: str, table_id: str) -> Table:
    chosen = [c for c in correlations.tried if c.method == method]
    across = list(dict.fromkeys(c.dimension for c in chosen))
    of = {(c.metric, c.dimension): c for c in chosen}
    controls = {validity.metric: validity.control for validity in correlations.tried}
    rows = []
    for metric in _metrics(correlations):
        cells = [named(names.of_source(metric), metric)]
        cells += [_heat(names, of.get((metric, dimension))) for dimension in across]
        rows.append(Row(tuple(cells), _kind(control=controls[metric])))
    return Table(
        table_id,
        f"Tau of every metric, consensus by {_words(method)}",
        "Kendall's tau-b between the ranking by a metric and the ranking by the raters, over "
        f"{sample_sizes(chosen)}. 1: the same ranking; 0: no relation; −1: the reverse. "
        f"{_unit(chosen)} Point at a cell or step to it for the intervals and p; all of them are "
        "in the table below.",
        (
            Column("Metric", ("metric",)),
            *(Column(names.of_dimension(d), (f"{method}_{d}",), numeric=True) for d in across),
        ),
        tuple(rows),
        group_field="kind",
        empty=_EMPTY,
        figure="tau" if table_id == "tau" else "",
    )


def sample_sizes(chosen: Sequence[Validity]) -> str:
    """Say on how many systems, cases and answers the correlations rest that have any."""
    there = [c for c in chosen if c.n_systems]
    systems = _span(sorted({c.n_systems for c in there}))
    cases = _span(sorted({c.n_cases for c in there}))
    answers = _span(sorted({c.n_answers for c in there}))
    counts = ((systems, "system"), (cases, "case"), (answers, "answer"))
    return listed([f"{n} {noun if n == '1' else f'{noun}s'}" for n, noun in counts])


def _unit(chosen: Sequence[Validity]) -> str:
    over = "The means of both are over the answers that both have a value for."
    if len({c.n_answers for c in chosen}) > 1:
        over = f"{over.rstrip('.')}; their number differs by dimension and metric."
    return f"{over} {_by_case(chosen)}".strip()


def _by_case(chosen: Sequence[Validity]) -> str:
    return adjusted_words(c.adjusted for c in chosen if c.tau is not None)


def _span(values: list[int]) -> str:
    if not values:
        return "no"
    return str(values[0]) if len(values) == 1 else f"{values[0]} to {values[-1]}"


def _heat(names: Names, correlation: Validity | None) -> Cell:
    if correlation is None:
        return missing("Not compared.")
    if correlation.tau is None:
        return missing(correlation.undefined)
    detail = "\n".join(tau_details(names, correlation))
    return Cell(
        PROPORTION(correlation.tau), (correlation.tau,), detail=detail, draw=Heat(correlation.tau)
    )


def tau_details(names: Names, correlation: Validity) -> list[str]:
    """Say all about one tau in a few lines: what, the intervals, p."""
    head = f"{names.of_source(correlation.metric)} and {names.of_dimension(correlation.dimension)}"
    if correlation.tau is None:
        return [f"{head}: {NONE}. {as_sentence(correlation.undefined)}"]
    lines = [f"{head} ({_words(correlation.method)}): tau {PROPORTION(correlation.tau)}"]
    for label, interval in (
        ("over cases", correlation.over_cases),
        ("over systems", correlation.over_systems),
        ("over both", correlation.over_both),
    ):
        lines += [f"{level(interval)} {label}: {bounds(interval)}"] if interval else []
    if correlation.p is not None:
        adjusted = correlation.p_adjusted
        after = (
            f"; after Holm over its dimension {p_value(adjusted)}" if adjusted is not None else ""
        )
        lines.append(f"{p_value(correlation.p)} ({p_way(correlation.p_method)}){after}")
    lines += [as_sentence(correlation.no_interval)] if correlation.no_interval else []
    by_case = "; means adjusted by case" if correlation.adjusted else ""
    return [*lines, f"n = {sample_sizes([correlation])}{by_case}"]


def tau_table(record: Correlations, names: Names) -> Table:
    """List every tau with its three intervals, p and reliabilities."""
    place = {name: i for i, name in enumerate(_metrics(record))}
    methods = record.methods
    chosen = sorted(record.tried, key=lambda c: (place[c.metric], methods.index(c.method)))
    lines: list[str] = sorted({c.p_method or "" for c in chosen if c.p is not None})
    how_p = f" ({p_way(lines[0])})" if len(lines) == 1 else ""
    return Table(
        "correlations",
        "Tau in full",
        f"Kendall's tau-b over {sample_sizes(record.tried)}, with intervals over cases, "
        "over systems and over both, each of one tau alone; the trust table's hold for all metrics "
        "of a dimension together. Over cases: tau of what these systems' means would be "
        "on endless cases, from how far cases move them, and as far as tau itself. p: two-sided, "
        f"of no relation{how_p}; adjusted by Holm, "
        "controls left out, over the metrics of the dimension, as in the trust table, and over all "
        "metrics and dimensions of a consensus, for who picks from the whole list. "
        "Reliability: the share of the spread between the system means that is no luck of the "
        "cases; 1: new cases would give the same means; 0 or below: the spread is no more than "
        "luck. "
        f"{_by_case(record.tried)}{_estimands(record.tried)}{_stand(record)}",
        (
            Column("Metric", ("metric",)),
            Column("Raters on", ("dimension", "method", "consensus")),
            Column(
                "Tau", ("tau", "reason", "systems", "cases", "answers", "adjusted"), numeric=True
            ),
            *(
                Column(
                    title, (f"{field}_low", f"{field}_high"), numeric=True, group="95 % interval"
                )
                for title, field in (
                    ("over cases", "over_cases"),
                    ("over systems", "over_systems"),
                    ("over both", "over_both"),
                )
            ),
            Column("p", ("p", "p_method"), numeric=True),
            Column("over its dimension", ("p_adjusted",), numeric=True, group="p after Holm"),
            Column(
                "over all dimensions",
                ("p_adjusted_everywhere",),
                numeric=True,
                group="p after Holm",
            ),
            Column("Metric", ("reliability_metric",), numeric=True, group="Reliability"),
            Column("Raters", ("reliability_consensus",), numeric=True, group="Reliability"),
        ),
        tuple(Row(_full(names, c, lines), _kind(control=c.control)) for c in chosen),
        group_field="kind",
        empty=_EMPTY,
        stands="file",
    )


def _stand(correlations: Correlations) -> str:
    text = significant_pairs(correlations.metrics)
    return f" {as_sentence(f'{text} at the 5 % level')}" if text else ""


def _estimands(correlations: Sequence[Validity]) -> str:
    known = [i for c in correlations for i in (c.over_cases, c.over_systems, c.over_both) if i]
    lines = list(dict.fromkeys(f"{i.estimand} ({i.method})" for i in known))
    return f" Estimands: {'; '.join(lines)}." if lines else ""


def _full(names: Names, c: Validity, methods: list[str]) -> tuple[Cell, ...]:
    about = (c.undefined, c.n_systems, c.n_cases, c.n_answers, c.adjusted)
    tau = Cell(NONE, (None, *about), detail=as_sentence(c.undefined), missing=True)
    if c.tau is not None:
        tau = Cell(PROPORTION(c.tau), (c.tau, *about))
    p = p_cell(c.p, c.undefined)
    aside = p_way(c.p_method) if c.p is not None and len(methods) > 1 else ""
    control = "Controls take no part in the adjustment." if c.tau is not None else c.undefined
    return (
        named(names.of_source(c.metric), c.metric),
        Cell(
            names.of_dimension(c.dimension),
            (c.dimension, c.method, c.consensus),
            aside=_words(c.method),
        ),
        tau,
        _ends(c.over_cases, c.undefined or c.no_interval),
        _ends(c.over_systems, c.undefined or c.no_interval),
        _ends(c.over_both, c.undefined or c.no_interval),
        Cell(p.text, (c.p, c.p_method or ""), detail=p.detail, missing=p.missing, aside=aside),
        p_cell(c.p_adjusted, control),
        p_cell(c.p_adjusted_everywhere, control),
        *(
            missing("Not estimated.") if value is None else Cell(reliability(value), (value,))
            for value in (c.metric_reliability.value, c.consensus_reliability.value)
        ),
    )


def _ends(interval: Interval | None, reason: str) -> Cell:
    if interval is None:
        return missing(reason or "No interval was computed.", 2)
    return Cell(bounds(interval), (interval.low, interval.high))


def significant_pairs(correlations: Sequence[Validity]) -> str:
    """Say how many of the pairs tested stand; empty where one alone was tested, or none."""
    tested = [c.p for c in correlations if c.tau is not None and c.p is not None]
    adjusted = [
        c.p_adjusted for c in correlations if c.tau is not None and c.p_adjusted is not None
    ]
    if len(tested) < 2 or not adjusted:  # noqa: PLR2004 - said already of the one
        return ""
    stand = sum(p <= ALPHA for p in adjusted)
    verb = "stands" if stand < 2 else "stand"  # noqa: PLR2004 - one or none: singular
    return (
        f"{stand or 'none'} of {len(tested)} pairs of metric and dimension {verb} after Holm's "
        "correction over the metrics of a dimension"
    )
