"""Systems by one source, with what is decided between them and what is not.

Pairs of systems, compared over the cases that both have.

Systems by the primary source: dots with intervals, letters beside them.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from math import floor, log10
from operator import itemgetter
from textwrap import fill
from typing import TYPE_CHECKING, Final

from medassay.analyses.builtin.leaderboards.words import (
    FINDING,
    adjusted_column,
    any_adjusted,
    board_words,
    cases_alone,
    lacks_value,
    ordered,
    prints_letters,
    unranked_words,
)
from medassay.analyses.inputs.system_boards import Leaderboards
from medassay.exhibits import Names, Picture
from medassay.exhibits.columns import (
    NONE,
    Shown,
    celled,
    counted,
    estimate,
    estimate_fields,
    estimated,
    how,
    missing,
    p_column,
    system_column,
    table_of,
)
from medassay.exhibits.drawing import ACCENT, INK, LINE, SOFT, WIDE, bare, new_figure
from medassay.exhibits.names import ScoreColumn, slug
from medassay.exhibits.numbers import Style, bounds, count_of, p_way, plural
from medassay.exhibits.sentences import MANY, alike_words, letters_of, ordered_letters
from medassay.exhibits.table import Bands, Cell, Table
from medassay.stats import AT_ONCE_FROM
from medassay.validity import Comparison, LeaderboardRow

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

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


_OVER_BOTH: Final = "First minus second, over the cases that both have a score for."
_OVER_EITHER: Final = (
    "First minus second. Cases were allotted by chance, so those of one alone count too: by a "
    "random effect of cases (CR2), or, where a system was hardly ever wrong or right, by drawing "
    "the allotment again. Adjusted: for all pairs."
)
_MOST_PAIRS: Final = 60
"""Of more, the pairs with the first system are shown."""


def pair_tables(boards: Leaderboards, names: Names) -> list[Table]:
    """Give the leaderboard's pairs for the page, and every pair by every column for files."""
    every = _comparisons(boards, names, names.sources)
    if names.primary not in names.sources:
        return [replace(every, stands="file")]
    shown = _shown(boards, names)
    if len(shown.rows) == len(every.rows):
        return [every]
    return [replace(shown, whole=every.id), replace(every, stands="file")]


def _shown(boards: Leaderboards, names: Names) -> Table:
    """List the leaderboard's pairs; of very many those with its first system."""
    pairs = sum(comparison.source == names.primary for comparison in boards.comparisons)
    if pairs <= _MOST_PAIRS:
        return _comparisons(boards, names, [names.primary])
    leader = ordered(boards, names, names.primary)[0].system
    table = _comparisons(boards, names, [names.primary], of=leader)
    text = f"Of {pairs:,} pairs those with {names.of_system(leader)} are shown; all"
    return replace(table, caption=f"{table.caption} {text} are in tables/comparisons.csv.")


def _left_out(boards: Leaderboards, sources: Collection[str]) -> bool:
    return any(cases_alone(boards, source) for source in sources)


def _detectable(c: Comparison, style: Style) -> Cell:
    value = c.minimal_detectable_effect
    return missing(c.reason or "Not estimated.") if value is None else Cell(style(value), (value,))


def _margin_columns(boards: Leaderboards, names: Names) -> list[Shown[Comparison]]:
    """Say of each pair whether it lies within the margin, with the interval that decides it."""

    def cell(pair: Comparison) -> Cell:
        within = boards.margin(pair.source, pair.system_a, pair.system_b)
        if within is None:
            return missing("This column has no margin.", len(_WITHIN))
        if within.interval is None:
            return missing(within.reason, len(_WITHIN))
        turned = within.system_a != pair.system_a
        low, high = within.interval.low, within.interval.high
        around = replace(within.interval, low=-high, high=-low) if turned else within.interval
        said = "similar" if within.similar(names.level(FINDING, pair.source)) else "not shown"
        raw = (said, within.margin, around.low, around.high, within.p)
        return Cell(said, raw, aside=bounds(around, names.style_of(pair.source)))

    return [celled("Within the margin", _WITHIN, cell)]


_WITHIN: Final = ("similar", "margin", "margin_low", "margin_high", "margin_p")
_INSIDE: Final = (
    "Within the margin: similar where the whole interval beside it, corrected over all pairs, lies "
    "inside the largest difference that counts as none."
)


_UNLISTED: Final = (
    " There are more than 50,000 pairs in all: automatic scores are tested too, which gives their "
    "groups in tables/standings.csv, and their pairs are not listed."
)


def _comparisons(
    boards: Leaderboards, names: Names, sources: Collection[str], *, of: str = ""
) -> Table:
    """List pairs of systems by the given sources, paired over cases; or those of one system."""
    styles = {source: names.style_of(source) for source in sources}
    of_source: dict[str, list[Comparison]] = {source: [] for source in sources}
    for pair in boards.comparisons:
        if pair.source in of_source:
            of_source[pair.source].append(pair)
    chosen = [pair for own in of_source.values() for pair in own]
    grouped = {row.source for row in boards.standings if row.letters}
    unlisted = chosen and any(source in grouped and not own for source, own in of_source.items())
    methods = sorted({c.method for c in chosen if c.method})
    test = f"Test: {'; '.join(map(p_way, methods))}." if methods else ""
    allotted = any(c.alone for c in chosen)
    nothing = " Cases of one alone do not count." if _left_out(boards, sources) else ""
    over = f"{_OVER_EITHER if allotted else _OVER_BOTH}{nothing}"
    listed = [pair for pair in chosen if not of or of in (pair.system_a, pair.system_b)]
    several = len(sources) > 1
    margins = [boards.margin(c.source, c.system_a, c.system_b) for c in listed]
    inside = f" {_INSIDE}" if any(margins) else ""
    return table_of(
        [(pair.source, pair) for pair in listed] if several else listed,
        (
            system_column(names, "First", "system_a"),
            system_column(names, "Second", "system_b"),
            celled(
                "Difference",
                estimate_fields("difference"),
                lambda pair: estimate(
                    pair.difference, pair.interval, pair.reason, styles[pair.source]
                ),
                numeric=True,
            ),
            p_column("p", why_not="reason"),
            p_column("Adjusted p", "p_adjusted", why_not="reason"),
            celled(
                "Detectable",
                "minimal_detectable_effect",
                lambda pair: _detectable(pair, styles[pair.source]),
                numeric=True,
            ),
            counted("Cases", "n", file="cases"),
            *(_margin_columns(boards, names) if any(margins) else []),
            *([counted("Of one alone", "alone", file="cases_of_one_alone")] if allotted else []),
        ),
        id="comparisons",
        title="Pairs of systems",
        caption=f"{over} {how(c.interval for c in chosen)} {test} Detectable: with 80% power, for "
        f"this pair alone.{inside}{_UNLISTED if unlisted else ''}",
        grouped_by="source" if several else "",
        empty="Fewer than two systems have a score by this source.",
    )


_CASES: Final = ("cases", "cases_without_value", "never_answered", "mean_without_them")
_ROUND: Final = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8)


def axis_of(source: ScoreColumn, standings: Sequence[LeaderboardRow]) -> tuple[float, float]:
    """Start the axis where the scale starts; end it at a round number above what is shown."""
    shown = [s.mean for s in standings if s.mean is not None]
    shown += [end for s in standings if s.interval for end in (s.interval.low, s.interval.high)]
    low, high = source.low, source.high
    if low is None:
        low = -_round_above(-min(shown, default=0.0)) if min(shown, default=0.0) < 0 else 0.0
    top = max(shown, default=low)
    if high is None or top - low < (high - low) / 2:
        high = low + _round_above(top - low)
    return (low, high if high > low else low + 1)


def _round_above(value: float) -> float:
    """Give the next round number, such as 60 for 52.3."""
    if value <= 0:
        return 0.0
    power = 10.0 ** floor(log10(value))
    return next((step * power for step in _ROUND if step * power >= value), 10 * power)


def rank_range(standing: LeaderboardRow) -> Cell:
    """Print the ranks that the interval leaves open, `2–5`, or the one rank."""
    low, high = standing.rank_low, standing.rank_high
    if standing.rank is None:
        return missing(standing.reason, 3)
    raw = (standing.rank, low, high)
    if low is None or high is None:
        return Cell(str(standing.rank), raw)
    return Cell(str(low) if low == high else f"{low}–{high}", raw)


def leaderboard_tables(boards: Leaderboards, names: Names) -> list[Table]:
    """Give the leaderboard with its pairs; boards of other columns are in the file of standings."""
    primary = names.sources.get(names.primary)
    opening = [leaderboard(boards, names, primary, "leaderboard")] if primary else []
    return [*opening, *pair_tables(boards, names), standings(boards, names)]


def leaderboard(
    boards: Leaderboards,
    names: Names,
    source: ScoreColumn,
    table_id: str = "",
    *,
    adjusted: bool | None = None,
) -> Table:
    """Rank the systems by one source.

    Args:
        boards: All leaderboards.
        names: What things are called.
        source: What ranks them.
        table_id: The table's id; made of the source's name if not given.
        adjusted: Whether means adjusted by case have a column; where there are some if not given.
    """
    chosen = ordered(boards, names, source.name)
    wide = any_adjusted(chosen) if adjusted is None else adjusted
    axis, style = axis_of(source, chosen), names.style_of(source.name)
    letters = prints_letters(boards)
    groups = _groups(chosen, letters=letters)
    return table_of(
        chosen,
        (
            system_column(names),
            estimated("Mean", "mean", style, axis=axis),
            *([adjusted_column(style)] if wide else []),
            celled("Rank", ("rank", "rank_low", "rank_high"), rank_range, numeric=True),
            celled("Group", "group", lambda row: groups[row.system]),
            celled("Cases", _CASES, lambda row: _scored(row, style, names), numeric=True),
        ),
        id=table_id or f"leaderboard-{slug(source.name)}",
        title=f"Systems by {names.of_source(source.name)}",
        caption=_caption(names, source, chosen, letters=letters),
        empty=f"No system has a mean by {names.of_source(source.name)}.",
        figure="leaderboard" if source.name == names.primary else "",
    )


def _groups(chosen: list[LeaderboardRow], *, letters: bool) -> dict[str, Cell]:
    """Give each system's groups: bands of letters, or in words where letters are many."""
    none = missing("Systems were not compared by this source.")
    if letters:
        every = tuple(ordered_letters([s.letters for s in chosen]))
        bands = {s.system: Bands(tuple(letters_of(s.letters)), every) for s in chosen}
        return {
            s.system: Cell(" ".join(bands[s.system].letters), (s.letters,), draw=bands[s.system])
            if s.letters
            else none
            for s in chosen
        }
    in_words = alike_words({s.system: s.letters for s in chosen})
    return {s.system: Cell(in_words[s.system], (s.letters,)) if s.letters else none for s in chosen}


def _scored(s: LeaderboardRow, style: Style, names: Names) -> Cell:
    """Say on how many ranking cases a mean rests, and what it is without answers never given."""
    cases = names.cases
    raw = (s.n, s.missing, s.never_answered, s.mean_given)
    lines = []
    asked = cases - s.not_asked
    if s.not_asked:
        lines.append(f"It was asked {asked:,} of {count_of(cases, 'ranking case')}.")
    if lacks_value(s, names):
        of = f"these {asked:,}" if s.not_asked else count_of(cases, "ranking case")
        lines.append(f"{s.n:,} of {of} have a value for this system.")
    if s.never_answered:
        without_missing = style(s.mean_given) if s.mean_given is not None else NONE
        lines.append(
            f"{s.never_answered} never answered and scored by the metric's own rule; the mean "
            f"without them: {without_missing}."
        )
    text = f"{s.n:,} of {asked:,}" if lacks_value(s, names) else f"{s.n:,}"
    return Cell(text, raw, aside="*" if s.never_answered else "", detail=" ".join(lines))


def _caption(
    names: Names, source: ScoreColumn, chosen: list[LeaderboardRow], *, letters: bool
) -> str:
    cases = names.cases
    on = f"Mean over {count_of(cases, 'ranking case')}."
    if any(s.not_asked for s in chosen):
        asked = [cases - s.not_asked for s in chosen]
        many = f"{min(asked):,} to {max(asked):,}" if len({*asked}) > 1 else f"{asked[0]:,}"
        on = f"Each system was asked {many} of {count_of(cases, 'ranking case')}: mean over these."
    if any(lacks_value(s, names) for s in chosen):
        on = f"Mean over {count_of(cases, 'ranking case')}, missing ones excluded."
        on += " Not every system was asked all of them." * any(s.not_asked for s in chosen)
    parts = [source.question, on]
    if source.unit:
        parts.append(f"Unit: {source.unit}.")
    if any(s.letters for s in chosen):
        text = "Systems share a letter where their order is undecided" if letters else MANY
        parts.append(f"{text}, corrected for all pairs. {_ranges_words(chosen, source)}")
    parts.append(how(s.interval for s in chosen))
    if source.direction == "lower":
        parts.append("Lower is better.")
    if source.direction == "none":
        parts.append("Neither higher nor lower is better.")
    if source.control:
        parts.append("A control: shown beside the metrics, never a recommendation.")
    if any(s.never_answered for s in chosen):
        parts.append("* Answers never given are among the cases, scored by the metric's own rule.")
    parts.append(board_words(chosen))
    parts.append(unranked_words(chosen, source))
    without = sum(s.mean is None for s in chosen)
    if without:
        parts.append(f"{without} {plural(without, 'system')} without a mean, last.")
    return " ".join(part for part in parts if part)


def _ranges_words(chosen: list[LeaderboardRow], source: ScoreColumn) -> str:
    """Say what the range of ranks is; where its scale has two ends, losses are bounded."""
    unless = ", unless these cases miss rare large losses"
    unless = unless if source.low is None or source.high is None else ""
    if sum(row.mean is not None for row in chosen) >= AT_ONCE_FROM:
        return (
            f"Rank: the places that these tests leave open (95% for all ranges together{unless})."
        )
    return "Rank: its range over resampled cases, for each system alone."


def standings(leaderboards: Leaderboards, names: Names) -> Table:
    """Put the leaderboards of all sources one under the other."""
    wide = any_adjusted(leaderboards.standings)
    boards = [
        (source, leaderboard(leaderboards, names, source, adjusted=wide))
        for source in names.sources.values()
    ]
    cases = count_of(names.cases, "ranking case")
    means = f"Mean over {cases}, missing ones excluded, with 95% CI."
    shared = (
        "Systems share a letter, by the same source, where their order is undecided."
        if prints_letters(leaderboards)
        else f"{MANY}, by the same source."
    )
    columns = boards[0][1].columns if boards else ()
    return table_of(
        [(source.name, row.cells) for source, board in boards for row in board.rows],
        [
            celled(column.title, column.fields, itemgetter(at), numeric=column.numeric)
            for at, column in enumerate(columns)
        ],
        id="standings",
        title="Systems by every source",
        caption=" ".join(filter(None, (means, board_words(leaderboards.standings), shared))),
        grouped_by="source",
        empty="Nothing was measured.",
        stands="file",
    )
