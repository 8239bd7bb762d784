"""Tau of every metric with every dimension, coloured around 0, the value printed in each cell."""

from dataclasses import replace
from textwrap import fill
from typing import TYPE_CHECKING

from medassay.analyses.builtin.correlations.record import Correlations
from medassay.analyses.builtin.correlations.tables import CONTROLS, sample_sizes, tau_maps
from medassay.exhibits import Names
from medassay.exhibits.colours import diverging, ink_on
from medassay.exhibits.drawing import SOFT, WIDE, bare, new_figure
from medassay.exhibits.picture import Picture
from medassay.exhibits.table import Cell, Heat, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["tau_picture"]

_GAP = 0.75
"""Rows of white between metrics and controls."""
_UPRIGHT = 6
"""So many headings stand side by side; more are turned."""
_HEAD = 13
"""Letters in a line of a heading."""
_LETTER = 1.5
"""Millimetres of a letter in a metric's name."""
_MOST_ROWS = 36
"""So many can be read in one picture; the table has all."""
_NARROWEST = 100
"""Millimetres that the line below needs."""


def tau_picture(correlations: Correlations, names: Names) -> dict[str, Picture]:
    """Draw the table `tau`, by the leaderboard's consensus: metrics down, controls apart."""
    if not correlations.tried:
        return {}
    whole = tau_maps(correlations, names)[0]
    table = _highest(whole)
    across = len(table.columns) - 1
    longest = max(len(row.cells[0].text) for row in table.rows)
    width = min(WIDE, max(_NARROWEST, 8 + _LETTER * longest + 25 * across))
    height = 32 + 7 * len(table.rows)
    figure = new_figure(width, height, synthetic=names.synthetic)
    axes = figure.subplots()
    _panel(axes, table, across)
    over = sample_sizes([c for c in correlations.tried if c.method == correlations.method])
    method = correlations.method.replace("_", " ")
    text = f"Kendall's tau-b, −1 to 1; consensus by {method}\nOver {over}"
    if left := len(whole.rows) - len(table.rows):
        text += f"\nThe metrics highest in the first column; {left} more are in the table"
    # From the right edge, so that it runs out below the names and not out of the figure.
    axes.set_xlabel(text, color=SOFT, loc="right")
    return {"tau": Picture("Which metrics the raters bear out", figure)}


def _highest(table: Table) -> Table:
    """Keep the controls, and as many metrics as can be read: the highest in the first column."""
    metrics = [row for row in table.rows if row.group != CONTROLS]
    room = max(1, _MOST_ROWS - (len(table.rows) - len(metrics)))
    order = sorted(metrics, key=lambda row: -_value(row.cells[1]))
    left_out = set(map(id, order[room:]))
    return replace(table, rows=tuple(row for row in table.rows if id(row) not in left_out))


def _value(cell: Cell) -> float:
    return cell.draw.value if isinstance(cell.draw, Heat) else -2.0


def _panel(axes: "Axes", table: Table, across: int) -> None:
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
    axes.set_xlim(-0.5, across - 0.5)
    titles = [column.title for column in table.columns[1:]]
    axes.set_xticks(range(len(titles)), [fill(title, _HEAD) for title in titles])
    if len(titles) > _UPRIGHT:
        axes.tick_params(axis="x", labelrotation=90)
    axes.tick_params(axis="x", length=0, top=False, labeltop=True, bottom=False, labelbottom=False)


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
