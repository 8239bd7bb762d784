"""Every coefficient of agreement with its interval, a panel a dimension."""

from medassay.analyses.results import AgreementResult, Results
from medassay.exhibits.dots import DotPanel, Mark, dot_grid
from medassay.exhibits.picture import Picture
from medassay.report.names import Names
from medassay.report.tables import how

__all__ = ["agreement_pictures"]

_ACROSS = 3


def agreement_pictures(results: Results) -> dict[str, Picture]:
    """Draw coefficients down, dimensions across, over all cases where there are such."""
    names = Names(results)
    known = [one for one in results.agreement if one.subset == "all cases"] or results.agreement
    shown = [one for one in known if one.value is not None]
    if not shown:
        return {}
    full = [one for one in shown if one.mapping == "full"]
    rows = list(dict.fromkeys(_row(one) for one in [*full, *shown]))
    panels = []
    for dimension in dict.fromkeys(one.dimension for one in shown):
        own = [one for one in shown if one.dimension == dimension]
        marks = {_row(one): [_mark(one)] for one in own}
        panels.append(DotPanel(names.of_dimension(dimension), marks, 0.0, (_low(shown), 1.0)))
    units = [one.n_units for one in shown]
    span = f"{min(units):,}" if min(units) == max(units) else f"{min(units):,} to {max(units):,}"
    caption = (
        f"Agreement over the {span} answers that at least two raters labelled. 1 is perfect; the "
        "line at 0 is chance, for the coefficients that correct for it (unanimous and pairwise "
        "agreement do not). Open circles: labels read through a coarser mapping. "
        f"{how(one.interval for one in shown)}"
    )
    figure = dot_grid(panels, rows, _ACROSS, synthetic=results.study.synthetic)
    return {"agreement": Picture("Agreement of the raters", figure, caption)}


def _row(one: AgreementResult) -> str:
    return one.title if one.mapping == "full" else f"{one.title}, {one.mapping}"


def _mark(one: AgreementResult) -> Mark:
    value = one.value if one.value is not None else 0.0
    low, high = (one.interval.low, one.interval.high) if one.interval else (None, None)
    return Mark(value, low, high, full=one.mapping == "full")


def _low(shown: list[AgreementResult]) -> float:
    ends = [one.interval.low for one in shown if one.interval]
    ends += [one.value for one in shown if one.value is not None]
    return 0.0 if min(ends) >= 0 else max(-1.0, round(min(ends) - 0.1, 1))
