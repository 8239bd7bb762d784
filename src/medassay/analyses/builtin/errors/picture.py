"""Wrong answers by cause, a bar a system, and by one tag."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from medassay.analyses.builtin.errors.record import ErrorGroup, WrongAnswers
from medassay.error_analysis import Cause
from medassay.exhibits import Names
from medassay.exhibits.colours import OKABE_ITO, diverging, ink_on
from medassay.exhibits.drawing import SOFT, WIDE, bare, new_figure
from medassay.exhibits.numbers import PROPORTION, count_of
from medassay.exhibits.picture import Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["error_pictures"]

_MOST_SYSTEMS: Final = 12
_MOST_VALUES: Final = 12
_ROW: Final = 7
_HEAD: Final = 26
_LEGEND_COLUMNS: Final = 4
_LEGEND_LINE: Final = 10
"""Points that one line of the legend takes."""
_ROOM: Final = 36
"""Letters that a row of the map has room for: both counts in each cell, or else the share."""
_STEEP: Final = 6
"""So many titles side by side, and more, stand steeper."""
# Neighbours differ in lightness too, so that a bar can be read in grey.
_COLOURS: Final = {
    Cause.NEVER_ANSWERED: "#9aa3ab",
    Cause.ABSTENTION: OKABE_ITO[5],
    Cause.PARSING: OKABE_ITO[4],
    Cause.RETRIEVAL: OKABE_ITO[2],
    Cause.KNOWLEDGE: OKABE_ITO[1],
    Cause.REASONING: OKABE_ITO[0],
    Cause.UNKNOWN: "#d8dde2",
}
_PRINTED: Final = 0.025
"""A part of a bar narrower than this share of the longest has no room for a digit."""


def error_pictures(wrong: WrongAnswers, names: Names) -> dict[str, Picture]:
    """Draw why answers are wrong; nothing where no answer is."""
    if not any(group.wrong for group in wrong.groups):
        return {}
    every = list(dict.fromkeys(group.system for group in wrong.groups))
    systems = every[:_MOST_SYSTEMS]
    whole = {group.system: group for group in wrong.groups if not group.kind}
    tag = _tag(wrong.groups)
    values = [group for group in wrong.groups if group.kind == "tag" and group.group == tag]
    rows = len({error_group.value for error_group in values}) + 1 if tag else 0
    height = _HEAD + _ROW * max(rows, len(systems), 3)
    figure = new_figure(WIDE, height, synthetic=names.synthetic)
    grid = figure.subplots(1, 2 if tag else 1, squeeze=False)
    titles = [names.of_system(system) for system in systems]
    pad = _bars(grid[0, 0], [whole[system] for system in systems], titles)
    caption = "Wrong answers by what failed first."
    if tag:
        counted = _fits(values, len(systems))
        _map(grid[0, 1], values, systems, titles, counted=counted)
        # Set to the right: names of the tag's values may leave the map itself narrow.
        grid[0, 1].set_title(
            f"Wrong answers by {tag}", loc="right", fontsize=8, fontweight="bold", pad=pad
        )
        what = "wrong answers" if counted else "the share of wrong answers"
        caption += f" Right: {what} of all questions with each {tag}; the ground is the share."
    if len(every) > len(systems):
        caption += f" {count_of(len(every) - len(systems), 'more system')} in the table only."
    return {"error_analysis": Picture("Why answers are wrong", figure, caption)}


def _tag(groups: Sequence[ErrorGroup]) -> str:
    """Choose the tag of the most questions, and of those the one with the most values.

    Only tags whose values a picture has room for; empty if there is none.
    """
    values: dict[str, set[str]] = {}
    questions: Counter[str] = Counter()
    for group in groups:
        if group.kind == "tag":
            values.setdefault(group.group, set()).add(group.value)
            questions[group.group] += group.n
    few = [tag for tag, value in values.items() if 1 < len(value) <= _MOST_VALUES]
    return max(few, key=lambda tag: (questions[tag], len(values[tag]), tag), default="")


def _bars(axes: "Axes", groups: Sequence[ErrorGroup], titles: list[str]) -> float:
    """Draw a bar a system, and give how far above the axes its title stands."""
    bare(axes, "bottom")
    longest = max(group.wrong for group in groups)
    used = [cause for cause in Cause if any(group.causes[cause] for group in groups)]
    for row, error_group in enumerate(groups):
        left = 0
        for cause in used:
            n = error_group.causes[cause]
            colour = _COLOURS[cause]
            axes.barh(row, n, left=left, height=0.62, color=colour, edgecolor="w", linewidth=0.8)
            text = f"{n:,}"
            if n > _PRINTED * len(text) * longest:
                axes.text(
                    left + n / 2, row, text, ha="center", va="center_baseline",
                    color=ink_on(colour), fontsize=7,
                )  # fmt: skip
            left += n
    axes.set_yticks(range(len(groups)), titles)
    axes.set_ylim(max(len(groups), 3) - 0.4, -0.6)
    axes.locator_params(axis="x", nbins=5, integer=True)
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.set_xlabel("wrong answers", color=SOFT)
    if len(groups) == 1:
        # A single bar says its numbers; an axis far below it would measure nothing.
        bare(axes)
        axes.set_xticks([])
        axes.set_xlabel("")
    pad = 8 + _LEGEND_LINE * -(-len(used) // _LEGEND_COLUMNS)
    axes.set_title("Wrong answers by cause", loc="left", fontsize=8, fontweight="bold", pad=pad)
    handles = [axes.barh(0, 0, color=_COLOURS[cause], label=cause.value) for cause in used]
    axes.legend(
        handles=handles, loc="lower left", bbox_to_anchor=(0, 1), ncols=_LEGEND_COLUMNS,
        frameon=False, fontsize=7, handlelength=0.8, handleheight=0.8, columnspacing=1,
        borderaxespad=0.2,
    )  # fmt: skip
    return pad


def _counts(error_group: ErrorGroup) -> str:
    return f"{error_group.wrong:,} of {error_group.n:,}"


def _fits(groups: Sequence[ErrorGroup], systems: int) -> bool:
    return systems * max(len(_counts(group)) for group in groups) <= _ROOM


def _map(
    axes: "Axes",
    groups: Sequence[ErrorGroup],
    systems: list[str],
    titles: list[str],
    *,
    counted: bool,
) -> None:
    from matplotlib.patches import Rectangle

    values = sorted({group.value for group in groups})
    known = {(group.value, group.system): group for group in groups}
    for y, value in enumerate(values):
        for x, system in enumerate(systems):
            error_group = known.get((value, system))
            if error_group is None:
                continue
            ground = diverging(-error_group.wrong / error_group.n)
            axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=ground, edgecolor="w"))
            text = (
                _counts(error_group) if counted else PROPORTION(error_group.wrong / error_group.n)
            )
            axes.text(
                x, y, text, ha="center", va="center_baseline", color=ink_on(ground), fontsize=7,
            )  # fmt: skip
    axes.set_xlim(-0.5, len(systems) - 0.5)
    axes.set_ylim(len(values) - 0.5, -0.5)
    axes.set_yticks(range(len(values)), values)
    slanted = len(systems) > 2  # noqa: PLR2004 - two titles fit side by side
    axes.set_xticks(range(len(systems)), titles)
    for title in axes.get_xticklabels() if slanted else ():
        title.set(rotation=30 if len(systems) < _STEEP else 45, horizontalalignment="right")
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
