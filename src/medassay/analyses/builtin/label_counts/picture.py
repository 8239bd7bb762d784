"""How often each label was given: one small panel a dimension."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from medassay.analyses.builtin.label_counts.record import LabelCount
from medassay.exhibits import Names
from medassay.exhibits.drawing import ACCENT, LINE, SOFT, WIDE, bare, new_figure
from medassay.exhibits.numbers import PROPORTION
from medassay.exhibits.picture import Picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["label_pictures"]

_PANELS_A_ROW = 3


def label_pictures(counts: Sequence[LabelCount], names: Names) -> dict[str, Picture]:
    """Draw the labels; the table beside them says the same."""
    figure = _label_shares(counts, names)
    return {} if figure is None else {"labels": Picture("Labels given", figure)}


def _label_shares(counts: Sequence[LabelCount], names: Names) -> "Figure | None":
    """Draw the shares of all judgements, labels in the order of their scale, reasons last."""
    counted = [c for c in counts if c.scope == "judgements" and c.share is not None]
    dimensions = list(dict.fromkeys(c.dimension for c in counted))
    if not dimensions:
        return None
    down = -(-len(dimensions) // _PANELS_A_ROW)
    across = min(len(dimensions), _PANELS_A_ROW)
    most = max(sum(c.dimension == d for c in counted) for d in dimensions)
    figure = new_figure(WIDE, down * (18 + 5 * most) + 4, synthetic=names.synthetic)
    panels = figure.subplots(down, across, squeeze=False)
    for place, axes in enumerate(panels.flat):
        if place >= len(dimensions):
            axes.set_axis_off()
            continue
        own = sorted(
            (c for c in counted if c.dimension == dimensions[place]), key=lambda c: c.is_reason
        )
        shares = [c.share if c.share is not None else 0.0 for c in own]
        bare(axes, "left")
        axes.barh(
            range(len(own)),
            shares,
            height=0.62,
            color=["white" if c.is_reason else ACCENT for c in own],
            edgecolor=[SOFT if c.is_reason else ACCENT for c in own],
            linewidth=0.6,
        )
        for row, (share, label_count) in enumerate(zip(shares, own, strict=True)):
            axes.text(
                share + 0.02,
                row,
                f"{PROPORTION(share)}  ({label_count.count})",
                va="center_baseline",
            )
        axes.set_yticks(range(len(own)), [c.label for c in own])
        axes.set_ylim(most - 0.4, -0.6)
        axes.set_xlim(0, 1.3)
        axes.set_xticks([])
        axes.spines["left"].set_color(LINE)
        axes.spines["left"].set_bounds(-0.5, len(own) - 0.5)
        total = sum(c.count for c in own)
        title = f"{names.of_dimension(dimensions[place])}\nn = {total}"
        axes.set_title(title, fontsize=8, fontweight="bold", loc="left")
    return figure
