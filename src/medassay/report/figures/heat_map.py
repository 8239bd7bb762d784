"""Tau of every metric with every dimension, coloured around 0, the value printed in each cell."""

from typing import TYPE_CHECKING

from medassay.report.colours import diverging, ink_on
from medassay.report.figures.style import SOFT, WIDE, bare, new_figure
from medassay.report.tables import CONTROLS, Cell, Heat, tau_map
from medassay.study.results import Results

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["heat_map"]

_GAP = 0.75
"""Rows of white between metrics and controls."""
_UPRIGHT = 5
"""So many headings stand side by side; more are turned."""


def heat_map(results: Results) -> "Figure | None":
    """Draw the table `tau_map`: metrics down, what the raters said across, controls apart."""
    table = tau_map(results)
    if not table.rows:
        return None
    columns = table.columns[1:]
    figure = new_figure(
        min(WIDE, 45 + 27 * len(columns)),
        26 + 7 * len(table.rows),
        synthetic=results.study.synthetic,
    )
    axes = figure.subplots()
    bare(axes)
    places: list[float] = []
    labels: list[str] = []
    y = 0.0
    for group, _, rows in table.groups:
        y += _GAP if places else 0.0
        if group == CONTROLS:
            axes.text(
                -0.55, y - _GAP / 2 - 0.5, "controls", color=SOFT, ha="right", va="center_baseline"
            )
        for row in rows:
            places.append(y)
            labels.append(row.cells[0].text)
            for x, cell in enumerate(row.cells[1:]):
                _tile(axes, x, y, cell)
            y += 1
    axes.set_yticks(places, labels)
    axes.set_ylim(y - 0.5, -0.5)
    axes.set_xlim(-0.5, len(columns) - 0.5)
    several = len({column.group for column in columns}) > 1
    axes.set_xticks(
        range(len(columns)),
        [f"{c.title}\n{c.group.split(': ')[-1]}" if several else c.title for c in columns],
    )
    if len(columns) > _UPRIGHT:
        axes.tick_params(axis="x", labelrotation=90)
    axes.tick_params(axis="x", length=0, top=False, labeltop=True, bottom=False, labelbottom=False)
    systems = sorted({c.n_systems for c in results.correlations})
    cases = sorted({c.n_cases for c in results.correlations})
    n = f"{systems[0]}–{systems[-1]}" if len(systems) > 1 else str(systems[0])
    k = f"{cases[0]}–{cases[-1]}" if len(cases) > 1 else str(cases[0])
    axes.set_xlabel(f"Kendall's tau-b over {n} systems and {k} cases; −1 to 1", color=SOFT)
    return figure


def _tile(axes: "Axes", x: int, y: float, cell: Cell) -> None:
    from matplotlib.patches import Rectangle

    if not isinstance(cell.draw, Heat):
        axes.text(x, y, cell.text, ha="center", va="center_baseline", color=SOFT, style="italic")
        return
    ground = diverging(cell.draw.value)
    axes.add_patch(
        Rectangle((x - 0.48, y - 0.46), 0.96, 0.92, facecolor=ground, edgecolor=SOFT, linewidth=0.3)
    )
    axes.text(x, y, cell.text, ha="center", va="center_baseline", color=ink_on(ground))
