"""Whether a metric ranks the systems as the raters do."""

from medassay.report.names import Names
from medassay.report.numbers import PROPORTION, bounds, level, p_value
from medassay.report.tables.cells import NONE, missing, named, p_cell
from medassay.report.tables.model import Cell, Column, Heat, Row, Table
from medassay.report.wording import as_sentence
from medassay.study.results import CorrelationResult, IntervalResult, Results

__all__ = ["CONTROLS", "METRICS", "correlations", "tau_details", "tau_map"]

METRICS, CONTROLS = "Metrics", "Controls"
_EMPTY = "Nothing could be compared: there must be three systems or more, a metric and a consensus."


def _group(results: Results) -> dict[str, str]:
    return {s.name: CONTROLS if s.control else METRICS for s in results.sources}


def _metrics(results: Results) -> list[str]:
    """List the metrics, then the controls, each in the order of the sources."""
    compared = {c.metric for c in results.correlations}
    known = [s.name for s in results.sources if s.name in compared]
    known += [c.metric for c in results.correlations]
    group = _group(results)
    return sorted(dict.fromkeys(known), key=lambda name: group.get(name, METRICS) == CONTROLS)


def tau_map(results: Results) -> Table:
    """Lay tau out as a heat map: metrics down, what the raters said across."""
    names, group = Names(results), _group(results)
    across = list(dict.fromkeys((c.method, c.dimension) for c in results.correlations))
    found = {(c.metric, c.method, c.dimension): c for c in results.correlations}
    rows = []
    for metric in _metrics(results):
        cells = [named(names.of_source(metric), metric)]
        cells += [_heat(names, found.get((metric, *column))) for column in across]
        rows.append(Row(tuple(cells), group.get(metric, METRICS)))
    return Table(
        "tau",
        "Tau of every metric",
        "Kendall's tau-b between the ranking by a metric and the ranking by the raters, over "
        f"{_systems_and_cases(results)}. 1: the same ranking; 0: no relation; −1: the reverse. "
        "Point at a cell or step to it for the intervals and p; all of them are in the next table.",
        (
            Column("Metric", ("metric",)),
            *(
                Column(
                    names.of_dimension(dimension),
                    (f"{method}_{dimension}",),
                    numeric=True,
                    group=f"Consensus: {method}",
                )
                for method, dimension in across
            ),
        ),
        tuple(rows),
        group_field="kind",
        empty=_EMPTY,
        synthetic=results.study.synthetic,
        figure="tau",
    )


def _systems_and_cases(results: Results) -> str:
    systems = sorted({c.n_systems for c in results.correlations})
    cases = sorted({c.n_cases for c in results.correlations})
    return f"{_span(systems)} systems and {_span(cases)} cases"


def _span(values: list[int]) -> str:
    if not values:
        return "no"
    return str(values[0]) if len(values) == 1 else f"{values[0]} to {values[-1]}"


def _heat(names: Names, found: CorrelationResult | None) -> Cell:
    if found is None:
        return missing("Not compared.")
    if found.tau is None:
        return missing(found.reason)
    detail = "\n".join(tau_details(names, found))
    return Cell(PROPORTION(found.tau), (found.tau,), detail=detail, draw=Heat(found.tau))


def tau_details(names: Names, found: CorrelationResult) -> list[str]:
    """Say all about one tau in a few lines: what, the intervals, p."""
    head = f"{names.of_source(found.metric)} and {names.of_dimension(found.dimension)}"
    if found.tau is None:
        return [f"{head}: {NONE}. {as_sentence(found.reason)}"]
    lines = [f"{head} ({found.method}): tau {PROPORTION(found.tau)}"]
    for label, interval in (
        ("over cases", found.over_cases),
        ("over systems", found.over_systems),
        ("over both", found.over_both),
    ):
        lines += [f"{level(interval)} {label}: {bounds(interval)}"] if interval else []
    if found.p is not None:
        adjusted = found.p_adjusted
        after = f"; after Holm {p_value(adjusted)}" if adjusted is not None else ""
        lines.append(f"{p_value(found.p)} ({found.p_method}){after}")
    lines += [as_sentence(found.no_interval)] if found.no_interval else []
    return [*lines, f"n = {found.n_systems} systems, {found.n_cases} cases"]


def correlations(results: Results) -> Table:
    """List every tau with its three intervals, p and reliabilities."""
    names, group = Names(results), _group(results)
    place = {name: i for i, name in enumerate(_metrics(results))}
    chosen = sorted(results.correlations, key=lambda c: place[c.metric])
    said = sorted({c.p_method for c in chosen if c.p is not None})
    how_p = f" ({said[0]})" if len(said) == 1 else ""
    return Table(
        "correlations",
        "Tau in full",
        f"Kendall's tau-b over {_systems_and_cases(results)}, with intervals over cases, over "
        f"systems and over both. p: two-sided, of no relation{how_p}; adjusted by Holm over "
        "all metrics and dimensions of a consensus, controls left out. Reliability: how far the "
        f"system means themselves would come out again.{_estimands(results.correlations)}",
        (
            Column("Metric", ("metric",)),
            Column("Raters on", ("dimension", "method", "consensus")),
            Column("Tau", ("tau", "reason", "systems", "cases"), numeric=True),
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
            Column("Adjusted p", ("p_adjusted",), numeric=True),
            Column("Metric", ("reliability_metric",), numeric=True, group="Reliability"),
            Column("Raters", ("reliability_consensus",), numeric=True, group="Reliability"),
        ),
        tuple(Row(_full(names, c, said), group.get(c.metric, METRICS)) for c in chosen),
        group_field="kind",
        empty=_EMPTY,
        synthetic=results.study.synthetic,
    )


def _estimands(found: list[CorrelationResult]) -> str:
    known = [i for c in found for i in (c.over_cases, c.over_systems, c.over_both) if i]
    said = list(dict.fromkeys(f"{i.estimand} ({i.method})" for i in known))
    return f" Estimands: {'; '.join(said)}." if said else ""


def _full(names: Names, c: CorrelationResult, methods: list[str]) -> tuple[Cell, ...]:
    about = (c.reason, c.n_systems, c.n_cases)
    tau = Cell(NONE, (None, *about), detail=as_sentence(c.reason), missing=True)
    if c.tau is not None:
        tau = Cell(PROPORTION(c.tau), (c.tau, *about))
    p = p_cell(c.p, c.reason)
    aside = c.p_method if c.p is not None and len(methods) > 1 else ""
    control = "Controls take no part in the adjustment." if c.tau is not None else c.reason
    return (
        named(names.of_source(c.metric), c.metric),
        Cell(names.of_dimension(c.dimension), (c.dimension, c.method, c.consensus), aside=c.method),
        tau,
        _ends(c.over_cases, c.reason or c.no_interval),
        _ends(c.over_systems, c.reason or c.no_interval),
        _ends(c.over_both, c.reason or c.no_interval),
        Cell(p.text, (c.p, c.p_method), detail=p.detail, missing=p.missing, aside=aside),
        p_cell(c.p_adjusted, control),
        *(
            missing("Not estimated.") if value is None else Cell(PROPORTION(value), (value,))
            for value in (c.reliability_metric, c.reliability_consensus)
        ),
    )


def _ends(interval: IntervalResult | None, reason: str) -> Cell:
    if interval is None:
        return missing(reason or "No interval was computed.", 2)
    return Cell(bounds(interval), (interval.low, interval.high))
