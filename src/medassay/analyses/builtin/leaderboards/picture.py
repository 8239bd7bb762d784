"""Systems by the primary source: dots with intervals, letters beside them."""

from textwrap import fill
from typing import TYPE_CHECKING, Final

from medassay.analyses.builtin.leaderboards.order import ordered, prints_letters
from medassay.analyses.builtin.leaderboards.tables import axis_of
from medassay.analyses.inputs.system_boards import Leaderboards
from medassay.exhibits import Names, Picture
from medassay.exhibits.drawing import ACCENT, INK, LINE, SOFT, WIDE, bare, new_figure
from medassay.exhibits.groups import alike_words
from medassay.exhibits.names import ScoreColumn
from medassay.exhibits.numbers import bounds, count_of
from medassay.validity import LeaderboardRow

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["leaderboard_picture"]

_FOR: Final = {
    "cases": "by case",
    "raters": "for raters",
    "allotted cases": "by case (allotted by chance)",
}
_LETTERS: Final = 60
"""Letters of a line under the axis."""
_VALUE, _GROUP = 6, 92
"""Points from the axes to the means, and to the letters of the groups."""


def leaderboard_picture(boards: Leaderboards, names: Names) -> dict[str, Picture]:
    """Draw one row a system, best on top; nothing where no system has a mean."""
    source = names.sources.get(names.primary)
    chosen = [s for s in ordered(boards, names, names.primary) if s.mean is not None]
    if source is None or not chosen:
        return {}
    title = "Systems with their intervals"
    return {"leaderboard": Picture(title, _dots(boards, names, source, chosen))}


def _dots(
    boards: Leaderboards, names: Names, source: ScoreColumn, chosen: list[LeaderboardRow]
) -> "Figure":
    """Draw systems over an axis that starts where the scale starts."""
    style, rows = names.style_of(source.name), range(len(chosen))
    figure = new_figure(WIDE, 22 + 6 * len(chosen), synthetic=names.synthetic)
    axes = figure.subplots()
    bare(axes, "bottom")
    letters = {s.system: s.letters for s in chosen}
    groups = letters if prints_letters(boards) else alike_words(letters)
    for row, standing in zip(rows, chosen, strict=True):
        axes.axhline(row, color=LINE, linewidth=0.5, zorder=0)
        around = standing.interval
        if around:
            axes.plot([around.low, around.high], [row, row], color=ACCENT, linewidth=1.6)
        mean = standing.mean if standing.mean is not None else 0.0
        axes.plot([mean], [row], "o", color=ACCENT, markersize=5, markeredgecolor="white")
        if standing.adjusted is not None:
            axes.plot([standing.adjusted], [row], "D", color=INK, markersize=4, fillstyle="none")
        text = f"{style(mean)} {bounds(around, style)}".strip()
        _beside(axes, row, text, _VALUE, INK)
        _beside(axes, row, groups.get(standing.system, ""), _GROUP, SOFT)
    _beside(axes, -0.85, "group", _GROUP, SOFT)
    axes.set_yticks(list(rows), [names.of_system(s.system) for s in chosen])
    axes.set_ylim(len(chosen) - 0.4, -0.9)
    low, high = axis_of(source, chosen)
    aim = names.targets.get(source.name)
    if aim is not None:
        low, high = min(low, aim), max(high, aim)
        axes.axvline(aim, color=SOFT, linewidth=1.2, linestyle="--", zorder=1)
    axes.set_xlim(low, high)
    axes.locator_params(axis="x", nbins=5)
    unit = f" ({source.unit})" if source.unit else ""
    cases = count_of(names.cases, "ranking case")
    over = cases if all(s.n >= names.cases for s in chosen) else f"up to {cases}"
    adjusted = {s.adjusted_for for s in chosen if s.adjusted is not None}
    over += "".join(
        f"; diamond: adjusted {_FOR[what]}, which orders the systems" for what in sorted(adjusted)
    )
    over += f"; dashed: the study's target, {style(aim)}" if aim is not None else ""
    axes.set_xlabel(fill(f"{names.of_source(source.name)}{unit}, mean over {over}", _LETTERS))
    return figure


def _beside(axes: "Axes", row: float, text: str, away: float, colour: str) -> None:
    axes.annotate(
        text, (1, row), (away, 0), axes.get_yaxis_transform(), "offset points",
        va="center_baseline", color=colour, annotation_clip=False,
    )  # fmt: skip
