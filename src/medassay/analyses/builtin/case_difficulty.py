"""How hard are the cases, which tell systems apart best, and which look mislabelled?"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.readable import Columns, Randomness
from medassay.annotations import record
from medassay.exhibits import Names
from medassay.exhibits.columns import NONE, Shown, shown, table_of
from medassay.exhibits.drawing import INK, LINE, OKABE_ITO, SOFT, WIDE, Picture, bare, new_figure
from medassay.exhibits.numbers import PROPORTION, Style, p_value
from medassay.exhibits.sentences import as_sentence
from medassay.exhibits.table import Cell, Column, Table
from medassay.judgements import Judgements, Rubric, units
from medassay.stats.kendall import side_by_side
from medassay.validity import CaseDifficulty, Difficulty, Source
from medassay.validity import case_difficulty as difficulty_by_case

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SUM: Final = "label_sum"
_MEAN: Final = "mean"


def difficulty_of(
    rubric: Rubric, judgements: Judgements, columns: Columns, randomness: Randomness
) -> tuple[Difficulty, ...]:
    """Say how hard each ranking case is by each dimension.

    By the label sum where the study has it and every answer has as many labels; else by the mean.
    """
    asked: list[tuple[Source, tuple[float, float]]] = []
    for dimension in rubric.dimensions:
        # A case whose answers do harm is not for that a case that is hard to answer.
        if dimension.ends is None or dimension.better == "lower":
            continue
        low, high = map(float, dimension.ends)
        chosen = _choose(judgements, columns, dimension.id)
        if chosen is not None:
            source, labels = chosen
            asked.append((source, (low * labels, high * labels)))

    def difficulty(of: tuple[Source, tuple[float, float]]) -> Difficulty:
        source, scale = of
        rng = randomness.stream("s33", str(source.name))
        return difficulty_by_case(source, scale, rng=rng, replicates=randomness.replicates)

    return tuple(side_by_side(difficulty, asked))


def _choose(judgements: Judgements, columns: Columns, dimension: str) -> tuple[Source, int] | None:
    """Choose the column, and how many labels of an answer it adds up."""
    own = {
        column.method: columns.sources[column.name]
        for column in columns.score_columns.columns
        if column.dimension == dimension
    }
    if _SUM in own and own[_SUM].grid.known.any():
        sizes = set(units(judgements, dimension).counts.sum(axis=1).tolist()) - {0}
        if len(sizes) == 1:
            return own[_SUM], int(sizes.pop())
    return (own[_MEAN], 1) if _MEAN in own else None


_LEVELS: Final = ("difficult", "moderate", "easy")
_BEST, _SUSPECTS = 5, 10
_TWO: Final = Style(2)


def difficulty_tables(difficulties: Sequence[Difficulty], names: Names) -> list[Table]:
    """Give the tables of the page: levels with the null, telling cases, every case."""
    if not any(difficulty.cases for difficulty in difficulties):
        return []
    return [
        case_levels(difficulties, names),
        telling_cases(difficulties, names),
        every_case(difficulties, names),
    ]


def case_levels(difficulties: Sequence[Difficulty], names: Names) -> Table:
    """Count difficult, moderate and easy cases, and hold their spread against the scale alone."""
    return table_of(
        difficulties,
        (
            shown(
                "Dimension", "dimension", says=lambda row: names.of_dimension(row.dimension),
                adds=("source",),
            ),
            *(Shown(_level_column(level), _of_level(level)) for level in _LEVELS),
            Shown(Column("ρ", ("rho", "p"), numeric=True), _rho),
            Shown(Column("Scale alone", ("null_low", "null_high"), numeric=True), _null),
            Shown(Column("Reads", ("reads", "left_out")), _verdict),
        ),
        id="case-levels",
        title="How hard the cases are",
        caption="Difficult: mean up to the first quartile; easy: from the third. SD: over "
                "systems (divided by n). ρ: Spearman's correlation of mean and SD; it concerns "
                "systems only outside the range of a bounded scale alone (95% of beta draws with "
                "these means). Dimensions where lower is better are left out.",
        empty="No dimension has scores of three systems on a case.",
    )  # fmt: skip


def _level_column(level: str) -> Column:
    fields = (level, f"{level}_low", f"{level}_high", f"{level}_spread")
    return Column(level.capitalize(), fields, numeric=True)


def _of_level(level: str) -> Callable[[Difficulty], Cell]:
    def cell(difficulty: Difficulty) -> Cell:
        cases = [case for case in difficulty.cases if case.level == level]
        aside = f"SD {_mean_spread(cases)}" if cases else ""
        return Cell(str(len(cases)), (len(cases), *_ends(cases)), aside=aside)

    return cell


def _ends(cases: Sequence[CaseDifficulty]) -> tuple[float | None, float | None, float | None]:
    means, spreads = [c.mean for c in cases], [c.spread for c in cases]
    if not cases:
        return None, None, None
    return min(means), max(means), sum(spreads) / len(spreads)


def _mean_spread(cases: Sequence[CaseDifficulty]) -> str:
    return f"{sum(c.spread for c in cases) / len(cases):.2f}"


def _rho(difficulty: Difficulty) -> Cell:
    if difficulty.rho is None:
        return Cell(NONE, (None, difficulty.p), detail=as_sentence(difficulty.reason), missing=True)
    detail = "" if difficulty.p is None else f"Against the scale alone: {p_value(difficulty.p)}."
    return Cell(PROPORTION(difficulty.rho), (difficulty.rho, difficulty.p), detail=detail)


def _null(difficulty: Difficulty) -> Cell:
    if difficulty.null is None:
        return Cell(NONE, (None, None), detail=as_sentence(difficulty.reason), missing=True)
    text = f"{PROPORTION(difficulty.null.low)} to {PROPORTION(difficulty.null.high)}"
    return Cell(text, (difficulty.null.low, difficulty.null.high))


def _verdict(difficulty: Difficulty) -> Cell:
    if difficulty.rho is None or difficulty.null is None:
        return Cell("–", ("", difficulty.left_out))
    if difficulty.null.low <= difficulty.rho <= difficulty.null.high:
        text = "no more than the scale alone"
    elif difficulty.rho < difficulty.null.low:
        text = "systems agree more on easy cases than the scale makes them"
    else:
        text = "systems agree less on easy cases than the scale makes them"
    return Cell(text, (text, difficulty.left_out))


def telling_cases(difficulties: Sequence[Difficulty], names: Names) -> Table:
    """List the cases that separate systems best, and those whose labels deserve a second look."""
    rows: list[tuple[str, tuple[str, CaseDifficulty]]] = []
    for difficulty in difficulties:
        known = [case for case in difficulty.cases if case.discrimination is not None]
        best = sorted(known, key=lambda c: (-_rounded(c.discrimination), c.case))[:_BEST]
        odd = sorted(
            (case for case in known if case.suspect),
            key=lambda c: (_rounded(c.discrimination), c.case),
        )[:_SUSPECTS]
        title = names.of_dimension(difficulty.dimension)
        rows += [(title, ("separates best", case)) for case in best]
        rows += [(title, (f"second look: {case.suspect}", case)) for case in odd]
    return table_of(
        rows,
        (
            shown("Why", lambda row: row[0], file="why"),
            shown("Case", lambda row: row[1].case, file="case"),
            shown(
                "Discrimination", lambda row: row[1].discrimination, PROPORTION,
                file="discrimination", detail=lambda row: _p_of(row[1]),
                adds={"p": lambda row: row[1].p, "p_max_t": lambda row: row[1].p_adjusted},
            ),
            shown("Mean", lambda row: row[1].mean, _TWO, file="mean"),
            shown("SD", lambda row: row[1].spread, _TWO, file="spread"),
            shown("Level", lambda row: row[1].level, file="level"),
        ),
        id="telling-cases",
        title="Cases that tell most, and cases to look at again",
        caption="Discrimination: correlation of the systems' scores on the case with their means "
                f"on all others; keep the {_BEST} highest in a shorter study. Reversed: below 0 "
                "(p < 0.05), so check reference and labels. Beyond chance: corrected for all "
                "cases (max-T).",
        empty="No case can be compared with the others.",
        grouped_by="dimension",
    )  # fmt: skip


def _rounded(discrimination: float | None) -> float:
    """Put cases that differ only by rounding on one place, on every processor."""
    return round(discrimination or 0.0, 9)


def _p_of(case: CaseDifficulty) -> str:
    detail = "" if case.p is None else f"One case: {p_value(case.p)}."
    if case.p_adjusted is not None:
        detail += f" Against the most extreme of all cases: {p_value(case.p_adjusted)}."
    return detail


_EACH: Final = (
    shown("Case", "case"),
    shown("Mean", "mean", _TWO),
    shown("SD", "spread", _TWO, adds=("null_low", "null_high")),
    shown("Level", "level"),
    shown("Discrimination", "discrimination", PROPORTION, adds={"p": "p", "p_max_t": "p_adjusted"}),
    shown("Suspect", "suspect"),
    shown("Systems", "n_systems", str),
)


def every_case(difficulties: Sequence[Difficulty], names: Names) -> Table:
    """List the cases: hardest first, how far they tell systems apart, which look mislabelled."""
    return table_of(
        (
            (names.of_dimension(difficulty.dimension), case)
            for difficulty in difficulties
            for case in difficulty.cases
        ),
        _EACH,
        id="case-difficulty",
        title="How hard each case is",
        caption="Hardest first. SD: over systems, divided by n. Discrimination: correlation of the "
        "systems' scores on the case with their means on all other cases; the larger, the better "
        "the case separates systems. Reversed: below 0 with p < 0.05 (orders of systems); check "
        "the reference or the labels. Beyond chance: also against the most extreme of all cases "
        "(max-T), since of 100 cases some are reversed by chance.",
        empty="No dimension has scores of three systems on a case.",
        grouped_by="dimension",
        stands="file",
    )


_MIDDLE: Final = "#aab2bc"
"""Far lighter than its neighbours, so that the three levels stay apart in grey."""
_LEVEL_MARKS: Final = {
    "difficult": (OKABE_ITO[5], "v"),
    "moderate": (_MIDDLE, "o"),
    "easy": (OKABE_ITO[0], "^"),
}
_MOST_ACROSS, _BINS, _MOST = 3, 18, 6
_STEPS = 60


def difficulty_pictures(difficulties: Sequence[Difficulty], names: Names) -> dict[str, Picture]:
    """Draw the cases of each dimension."""
    shown = shown_difficulty(difficulties)
    if not shown:
        return {}
    figure = new_figure(
        difficulty_width(shown), difficulty_height(shown), synthetic=names.synthetic
    )
    draw_difficulty(figure, shown, names)
    caption = (
        "Top: mean score of each case; dashed: quartiles. Bottom: that mean (higher is easier) "
        "against the SD over systems. Line and band: what a bounded scale alone produces; "
        "dotted: the most it allows."
    )
    return {"case-difficulty": Picture("How hard the cases are", figure, caption)}


def shown_difficulty(difficulties: Sequence[Difficulty]) -> list[Difficulty]:
    """Give the dimensions that there is room for."""
    return [difficulty for difficulty in difficulties if difficulty.cases][:_MOST]


def difficulty_width(difficulties: list[Difficulty]) -> float:
    """Give the width in mm."""
    return min(WIDE, 20 + 54 * max(2, min(_MOST_ACROSS, len(difficulties))))


def difficulty_height(difficulties: list[Difficulty]) -> float:
    """Give the height in mm."""
    return 92 * -(-len(difficulties) // _MOST_ACROSS) + 14


def draw_difficulty(figure: "Figure", difficulties: list[Difficulty], names: Names) -> None:
    """Draw histograms of the case means, and mean against spread with the null of the scale."""
    across = min(_MOST_ACROSS, len(difficulties))
    blocks = -(-len(difficulties) // across)
    panels = figure.subplots(2 * blocks, across, squeeze=False, height_ratios=[0.55, 1] * blocks)
    for place in range(across * blocks):
        block, column = divmod(place, across)
        top, bottom = panels[2 * block][column], panels[2 * block + 1][column]
        if place >= len(difficulties):
            top.set_axis_off()
            bottom.set_axis_off()
            continue
        difficulty = difficulties[place]
        top.sharex(bottom)
        top.set_title(
            names.of_dimension(difficulty.dimension),
            fontsize=8,
            fontweight="bold",
            loc="left",
            pad=13,
        )
        _histogram(top, difficulty, first=not column)
        _scatter(bottom, difficulty, first=not column)
    handles, labels = panels[1][0].get_legend_handles_labels()
    figure.legend(
        handles[::-1], labels[::-1], loc="outside upper right", frameon=False,
        # A narrow figure holds three side by side.
        ncols=len(labels) if len(difficulties) >= _MOST_ACROSS else 3, handletextpad=0.4,
        columnspacing=1.4,
    )  # fmt: skip


def _edges(difficulty: Difficulty) -> tuple[float, float]:
    """Span the cases; on the whole scale they would often be one blot."""
    means = [case.mean for case in difficulty.cases]
    margin = max(0.06 * (max(means) - min(means)), 0.01 * (difficulty.high - difficulty.low))
    return max(difficulty.low, min(means) - margin), min(difficulty.high, max(means) + margin)


def _histogram(axes: "Axes", difficulty: Difficulty, *, first: bool) -> None:
    bare(axes, "bottom")
    low, high = _edges(difficulty)
    bins = [low + i * (high - low) / _BINS for i in range(_BINS + 1)]
    axes.hist(
        [[case.mean for case in difficulty.cases if case.level == level] for level in _LEVEL_MARKS],
        bins=bins, color=[colour for colour, _ in _LEVEL_MARKS.values()], stacked=True,
        edgecolor="white", linewidth=0.4, zorder=2,
    )  # fmt: skip
    quartiles = [
        (name, value)
        for name, value in (("Q1", difficulty.q1), ("Q3", difficulty.q3))
        if value is not None
    ]
    for _, value in quartiles:
        axes.axvline(value, color=INK, lw=0.7, dashes=(4, 3), zorder=3)
    axes.text(
        0, 1.03, "   ".join(f"{name} {value:.2f}" for name, value in quartiles),
        transform=axes.transAxes, ha="left", va="bottom", fontsize=7, color=SOFT,
    ).set_in_layout(False)  # fmt: skip
    axes.set_xlim(low, high)
    axes.locator_params(axis="y", nbins=4, integer=True)
    axes.tick_params(axis="x", length=2, width=0.6, color=LINE, labelbottom=False)
    if first:
        axes.set_ylabel("Cases")


def _scatter(axes: "Axes", difficulty: Difficulty, *, first: bool) -> None:
    bare(axes, "left", "bottom")
    low, high = _edges(difficulty)
    means = [low + i * (high - low) / _STEPS for i in range(_STEPS + 1)]
    roof = [((m - difficulty.low) * (difficulty.high - m)) ** 0.5 for m in means]
    axes.plot(means, roof, color=SOFT, lw=0.8, dashes=(1, 2), label="largest possible")
    band = _band(difficulty)
    axes.fill_between(
        list(band), [low for low, _ in band.values()], [high for _, high in band.values()],
        color=LINE, linewidth=0, alpha=0.75, zorder=0.5,
    )  # fmt: skip
    if difficulty.share is not None:
        curve = [r * difficulty.share**0.5 for r in roof]
        axes.plot(means, curve, color=INK, lw=0.9, zorder=1, label="bounded scale alone")
    for level, (colour, shape) in _LEVEL_MARKS.items():
        own = [c for c in difficulty.cases if c.level == level]
        axes.plot(
            [c.mean for c in own], [c.spread for c in own], shape, color=colour, markersize=3.6,
            markeredgecolor=SOFT if level == "moderate" else "white", markeredgewidth=0.35,
            label=level,
        )  # fmt: skip
    axes.set_xlim(low, high)
    tallest = max([c.spread for c in difficulty.cases] + [high for _, high in band.values()])
    axes.set_ylim(0, 1.3 * tallest or 1.0)
    axes.locator_params(axis="x", nbins=6)
    axes.tick_params(axis="both", length=2, width=0.6, color=LINE)
    axes.set_xlabel("Mean over systems")
    axes.text(
        0.98, 0.99, _said(difficulty), transform=axes.transAxes, ha="right", va="top", fontsize=7,
        linespacing=1.4, zorder=4,
        bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1},
    ).set_in_layout(False)  # fmt: skip
    if first:
        axes.set_ylabel("SD over systems", labelpad=2)


def _band(difficulty: Difficulty) -> dict[float, tuple[float, float]]:
    """Give the null's range at each mean; cases of one mean share the widest."""
    bands: dict[float, tuple[float, float]] = {}
    for case in sorted(difficulty.cases, key=lambda case: case.mean):
        if case.null_low is not None and case.null_high is not None:
            low, high = bands.get(case.mean, (case.null_low, case.null_high))
            bands[case.mean] = min(low, case.null_low), max(high, case.null_high)
    return bands


def _said(difficulty: Difficulty) -> str:
    if difficulty.rho is None:
        return ""
    text = f"ρ {PROPORTION(difficulty.rho)}"
    if difficulty.null is None:
        return text
    low, high = PROPORTION(difficulty.null.low), PROPORTION(difficulty.null.high)
    return f"{text}\nscale alone {low} to {high}"


@record(infers=True)
class CaseDifficulties:
    """The cases by each dimension whose higher scores are the better ones."""

    dimensions: tuple[Difficulty, ...]


@analysis(
    Declaration(
        id="case_difficulty",
        title="How hard the cases are",
        question="Which cases are hard, which tell systems apart best, and which look mislabelled?",
        section="difficulty",
        infers=True,
        reader="organiser",
        place=1,
        tables=lambda difficulties, names: difficulty_tables(difficulties.dimensions, names),
        pictures=lambda difficulties, names: difficulty_pictures(difficulties.dimensions, names),
    )
)
def case_difficulty(
    rubric: Rubric, judgements: Judgements, columns: Columns, randomness: Randomness
) -> CaseDifficulties | None:
    """Hold the means and the spread of the cases against what the scale alone would make."""
    difficulties = difficulty_of(rubric, judgements, columns, randomness)
    return CaseDifficulties(difficulties) if difficulties else None
