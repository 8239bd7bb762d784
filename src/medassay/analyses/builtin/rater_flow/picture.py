"""From the raters who were listed to the judgements that count."""

from textwrap import fill
from typing import TYPE_CHECKING, Final

from medassay.analyses.builtin.rater_flow.record import RaterFlow
from medassay.exhibits.drawing import INK, SOFT, new_figure
from medassay.exhibits.numbers import count_of
from medassay.exhibits.picture import Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["flow_picture"]

_WIDTH: Final = 112
_STEP: Final = 19
"""Millimetres from one box to the next."""
_BOX: Final = 11
_LEFT: Final = (2.0, 50.0)
_RIGHT: Final = (58.0, 52.0)
"""Where a box begins, and its width."""
_LINE: Final = 32


def flow_picture(flow: RaterFlow, *, synthetic: bool) -> Picture:
    """Draw a box for each stage, and beside it who did not go on and why."""
    stages = _stages(flow)
    height = _STEP * len(stages) - (_STEP - _BOX) + 4
    figure = new_figure(_WIDTH, height + 4, synthetic=synthetic)
    axes = figure.subplots()
    axes.set_xlim(0, _WIDTH)
    axes.set_ylim(height, 0)
    axes.set_axis_off()
    for place, (text, left) in enumerate(stages):
        top = 2 + place * _STEP
        _box(axes, text, _LEFT, top, _BOX)
        if place + 1 < len(stages):
            middle = _LEFT[0] + _LEFT[1] / 2
            _arrow(axes, (middle, top + _BOX), (middle, top + _STEP))
        if left:
            lines = 1 + left.count("\n")
            tall = max(8.0, 3.6 * lines + 3)
            level = top + _BOX + (_STEP - _BOX) / 2
            _arrow(axes, (_LEFT[0] + _LEFT[1] / 2, level), (_RIGHT[0], level))
            _box(axes, left, _RIGHT, level - tall / 2, tall, soft=True)
    return Picture("From raters to judgements", figure, _caption(flow))


def _stages(flow: RaterFlow) -> list[tuple[str, str]]:
    """Give each stage in words, and who leaves after it."""
    excluded = flow.listed - flow.qualified
    silent = flow.qualified - flow.judged
    out = ""
    if excluded:
        reasons = "; ".join(f"{why} ({n})" for why, n in flow.excluded.items())
        left = f", with {flow.left_out:,} judgements" if flow.left_out else ""
        out = fill(f"{excluded} excluded{left}: {reasons}", _LINE)
    stages = [(f"{count_of(flow.listed, 'rater')} listed", out)]
    models = sum(count.apart > 0 and count.apart == count.judgements for count in flow.raters)
    lines = [f"{silent - models} judged nothing"] if silent > models else []
    lines += [f"{count_of(models, 'model')} held apart"] if models else []
    quiet = "; ".join(lines)
    stages.append((f"{flow.qualified} qualified", quiet))
    text = f"{flow.judgements:,} judgements counted\nof {count_of(flow.judged, 'rater')}"
    return [*stages, (text, "")]


def _caption(flow: RaterFlow) -> str:
    excluded = flow.listed - flow.qualified
    text = (
        f"{excluded} of {count_of(flow.listed, 'listed rater')} excluded; nothing that they said "
        "is in any number."
        if excluded
        else "No rater was excluded."
    )
    return f"{text} Judgements include preferences between two answers."


def _box(
    axes: "Axes",
    text: str,
    across: tuple[float, float],
    top: float,
    tall: float,
    *,
    soft: bool = False,
) -> None:
    from matplotlib.patches import Rectangle

    x, width = across
    edge = SOFT if soft else INK
    axes.add_patch(
        Rectangle((x, top), width, tall, facecolor="white", edgecolor=edge, linewidth=0.7)
    )
    axes.text(
        x + 2 if soft else x + width / 2,
        top + tall / 2,
        text,
        ha="left" if soft else "center",
        va="center",
        color=edge,
    )


def _arrow(axes: "Axes", start: tuple[float, float], end: tuple[float, float]) -> None:
    axes.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "color": SOFT, "linewidth": 0.7})
