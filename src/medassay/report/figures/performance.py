"""Performance at a glance: accuracy, retrieval, calibration and safety, a panel each."""

from typing import TYPE_CHECKING, Final

from medassay.analyses.builtin.accuracy import accuracy
from medassay.analyses.builtin.calibration import calibration
from medassay.analyses.builtin.leaderboards import leaderboards_in
from medassay.analyses.builtin.safety import safety as safety_analysis
from medassay.analyses.builtin.targets import targets as targets_analysis
from medassay.analyses.results import Results
from medassay.exhibits.drawing import LINE, OKABE_ITO, SOFT, WIDE, Picture, bare, new_figure
from medassay.exhibits.numbers import PROPORTION, listed
from medassay.report.names import Names

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeAlias

    from matplotlib.axes import Axes

    from medassay.stats import Interval

    # System, label, value, interval.
    _Point: TypeAlias = tuple[str, str, float, Interval | None]

_MOST_SYSTEMS: Final = 6
_ROW: Final = 4.2
_HEAD: Final = 12
_METRICS: Final = {
    "Accuracy": (
        ("exact_match", "exact match"),
        ("exact_match(missing=first)", "first option if none"),
        ("semantic_accuracy", "semantic"),
    ),
    "Retrieval": (
        *((f"precision@{k}", f"precision@{k}") for k in (1, 3, 5, 10)),
        *((f"recall@{k}", f"recall@{k}") for k in (1, 3, 5, 10)),
        ("average_precision", "MAP"),
        ("reciprocal_rank", "MRR"),
    ),
}


def performance_pictures(results: Results) -> dict[str, Picture]:
    """Draw the four panels; a panel without numbers says so."""
    accurate = results.analyses.of(accuracy)
    if accurate is None:
        return {}
    names = Names(results)
    every = list(accurate.overall("wrong"))
    systems = every[:_MOST_SYSTEMS]
    panels = {title: _means(results, wanted, systems) for title, wanted in _METRICS.items()}
    panels["Calibration"] = _calibration(results, systems)
    panels["Safety"] = _safety(results, systems)
    heights = _heights(panels, len(systems))
    figure = new_figure(WIDE, 14 + sum(heights), synthetic=results.study.synthetic)
    grid = figure.subplots(2, 2, height_ratios=heights)
    order = ("Accuracy", "Retrieval", "Calibration", "Safety")
    lines = {title: _targets(results, wanted, panels[title]) for title, wanted in _METRICS.items()}
    for axes, title in zip(grid.flat, order, strict=True):
        _panel(axes, title, panels[title], systems)
        _draw_targets(axes, panels[title], lines.get(title, {}))
    if len(systems) > 1:
        handles = [
            grid[0, 0].plot([], [], "o", color=OKABE_ITO[i], label=names.of_system(system))[0]
            for i, system in enumerate(systems)
        ]
        figure.legend(handles=handles, loc="outside upper left", ncols=3, frameon=False, fontsize=7)
    aims = [
        f"{PROPORTION(aim)} for {label}" for own in lines.values() for label, aim in own.items()
    ]
    left = len(every) - len(systems)
    caption = (
        "Means over all questions with their 95% CI. Accuracy, retrieval and safety scores "
        "are better to the right; all else to the left."
    )
    if aims:
        caption += f" Dashed: the study's target, {listed(aims)}."
    if left > 0:
        caption += f" {left} more systems are in the tables only."
    unsure = [label for wanted in _METRICS.values() for label in _in_several_forms(results, wanted)]
    if unsure:
        caption += f" Several forms of {listed(unsure)} are in the tables, and none here."
    return {"performance_summary": Picture("Performance", figure, caption, accuracy.id)}


def _heights(panels: "dict[str, list[_Point]]", systems: int) -> tuple[float, float]:
    """Give the two rows of panels the millimetres that their longest panel needs."""
    rows = {title: len({label for _, label, *_ in panel}) for title, panel in panels.items()}
    each = 2.2 + _ROW * max(1.0, 0.55 * systems)
    top = max(rows["Accuracy"], rows["Retrieval"])
    bottom = max(rows["Calibration"], rows["Safety"])
    return _HEAD + top * each, _HEAD + bottom * each


def _means(
    results: Results, wanted: tuple[tuple[str, str], ...], systems: list[str]
) -> "list[_Point]":
    ranked_by = leaderboards_in(results.analyses)
    known = ranked_by.of_pair
    sources = [row.source for row in ranked_by.standings]
    points: list[_Point] = []
    for name, label in wanted:
        forms = _forms(sources, name)
        source = forms[0] if len(forms) == 1 else None
        if source is None or (name == "exact_match" and source != name):
            continue
        for system in systems:
            row = known.get((source, system))
            if row is not None and row.mean is not None:
                points.append((system, label, row.mean, row.interval))
    return points


def _targets(
    results: Results, wanted: tuple[tuple[str, str], ...], points: "list[_Point]"
) -> dict[str, float]:
    """Give the study's targets by the label of the mark that each is about."""
    aims = {aim.source: aim.target for aim in results.analyses.of(targets_analysis) or ()}
    drawn = {label for _, label, *_ in points}
    return {label: aims[name] for name, label in wanted if name in aims and label in drawn}


def _draw_targets(axes: "Axes", points: "list[_Point]", aims: dict[str, float]) -> None:
    labels = list(dict.fromkeys(label for _, label, *_ in points))
    for label, aim in aims.items():
        row = labels.index(label)
        axes.plot([aim, aim], [row - 0.45, row + 0.45], "--", color=SOFT, linewidth=1.2, zorder=1)
        axes.text(aim, row + 0.45, f"target {PROPORTION(aim)} ", ha="right", va="bottom",
                  fontsize=6, color=SOFT)  # fmt: skip


def _forms(sources: "Iterable[str]", name: str) -> list[str]:
    """List what a metric's mark may be: the metric itself, else every form of it."""
    known = list(dict.fromkeys(sources))
    return [name] if name in known else [
        s for s in known if "(" not in name and s.startswith(f"{name}(")
    ]  # fmt: skip


def _in_several_forms(results: Results, wanted: tuple[tuple[str, str], ...]) -> list[str]:
    """Name those of which none is the metric itself: the tables have them all."""
    sources = [row.source for row in leaderboards_in(results.analyses).standings]
    return [label for name, label in wanted if len(_forms(sources, name)) > 1]


def _calibration(results: Results, systems: list[str]) -> "list[_Point]":
    calibrated = results.analyses.of(calibration)
    own = (
        []
        if calibrated is None
        else [system for system in calibrated.systems if system.system in systems]
    )
    return [
        *(
            (
                row.system,
                "Brier score",
                row.brier,
                row.brier_interval,
            )
            for row in own
        ),
        *(
            (
                row.system,
                "ECE, ten bins",
                row.ece,
                row.ece_interval,
            )
            for row in own
        ),
        *((row.system, "ECE, equal mass", row.ece_equal_mass, None) for row in own),
    ]


def _safety(results: Results, systems: list[str]) -> "list[_Point]":
    """Take the rates that the safety score is made of, and the score."""
    measured = results.analyses.of(safety_analysis)
    rows = () if measured is None else measured.systems
    points: list[_Point] = []
    for safety in (row for row in rows if row.system in systems):
        flagged = (
            None if safety.flagged is None or not safety.read else safety.flagged / safety.read
        )
        known = {
            "hallucination rate": (safety.hallucination_rate, None),
            "dangerous, by verdicts": (safety.dangerous_rate, safety.dangerous_interval),
            "flagged by rules": (flagged, None),
            "safety score": (safety.score, None),
            "safety without hallucination": (
                safety.score_without_hallucination if safety.score is None else None,
                None,
            ),
        }
        points += [
            (safety.system, label, value, around)
            for label, (value, around) in known.items()
            if value is not None
        ]
    return points


def _panel(axes: "Axes", title: str, points: "list[_Point]", systems: list[str]) -> None:
    axes.set_title(title, loc="left", fontsize=8, fontweight="bold")
    if not points:
        bare(axes)
        axes.set_xticks([])
        axes.set_yticks([])
        axes.text(0, 0.9, "not computed in this run", transform=axes.transAxes, color=SOFT)
        return
    bare(axes, "bottom")
    labels = list(dict.fromkeys(label for _, label, *_ in points))
    step = 0.7 / len(systems)
    for system, label, value, around in points:
        place = systems.index(system)
        y = labels.index(label) + (place - (len(systems) - 1) / 2) * step
        colour = OKABE_ITO[place]
        if around is not None:
            axes.plot([around.low, around.high], [y, y], color=colour, linewidth=1.3)
        axes.plot([value], [y], "o", color=colour, markersize=4, markeredgecolor="white",
                  markeredgewidth=0.5, clip_on=False)  # fmt: skip
        if len(systems) == 1:
            axes.text(1.03, y, PROPORTION(value), va="center_baseline", ha="left", fontsize=7)
    for row in range(len(labels)):
        axes.axhline(row, color=LINE, linewidth=0.5, zorder=0)
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.set_xlim(0, 1)
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "0.25", "0.5", "0.75", "1"])
