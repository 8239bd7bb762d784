"""Every coefficient of agreement with its interval, a panel a dimension."""

from collections.abc import Sequence

from medassay.agreement import ALL_CASES, Agreement
from medassay.exhibits import Names
from medassay.exhibits.cells import how
from medassay.exhibits.dots import DotPanel, Mark, dot_grid
from medassay.exhibits.picture import Picture

__all__ = ["agreement_picture"]

_ACROSS = 3


def agreement_picture(panel: Sequence[Agreement], names: Names) -> dict[str, Picture]:
    """Draw coefficients down, dimensions across, over all cases where there are such."""
    known = [agreement for agreement in panel if agreement.subset == ALL_CASES] or panel
    # How common the commonest label is says nothing of agreement by itself.
    shown = [a for a in known if a.value is not None and a.coefficient != "commonest"]
    if not shown:
        return {}
    full = [agreement for agreement in shown if agreement.mapping == "full"]
    rows = list(dict.fromkeys(_row(agreement) for agreement in [*full, *shown]))
    panels = []
    for dimension in dict.fromkeys(agreement.dimension for agreement in shown):
        own = [agreement for agreement in shown if agreement.dimension == dimension]
        marks = {_row(agreement): [_mark(agreement)] for agreement in own}
        panels.append(DotPanel(names.of_dimension(dimension), marks, 0.0, (_low(shown), 1.0)))
    units = [agreement.n_units for agreement in shown]
    span = f"{min(units):,}" if min(units) == max(units) else f"{min(units):,} to {max(units):,}"
    caption = (
        f"Agreement over the {span} answers that at least two raters labelled. 1 is perfect; the "
        "line at 0 is chance, for the coefficients that correct for it (unanimous and pairwise "
        "agreement do not). Open circles: labels read through a coarser mapping. "
        f"{how(agreement.interval for agreement in shown)}"
    )
    figure = dot_grid(panels, rows, _ACROSS, synthetic=names.synthetic)
    return {"agreement": Picture("Agreement of the raters", figure, caption)}


def _row(agreement: Agreement) -> str:
    return (
        agreement.title
        if agreement.mapping == "full"
        else f"{agreement.title}, {agreement.mapping}"
    )


def _mark(agreement: Agreement) -> Mark:
    value = agreement.value if agreement.value is not None else 0.0
    low, high = (
        (agreement.interval.low, agreement.interval.high) if agreement.interval else (None, None)
    )
    return Mark(value, low, high, full=agreement.mapping == "full")


def _low(shown: list[Agreement]) -> float:
    ends = [agreement.interval.low for agreement in shown if agreement.interval]
    ends += [agreement.value for agreement in shown if agreement.value is not None]
    return 0.0 if min(ends) >= 0 else max(-1.0, round(min(ends) - 0.1, 1))
