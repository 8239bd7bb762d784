"""Systems by one source, with what is decided between them and what is not."""

from collections.abc import Sequence
from math import floor, log10
from operator import itemgetter
from typing import Final

from medassay.analyses.builtin.leaderboards.by_case import (
    adjusted_column,
    any_adjusted,
    board_words,
    lacks_value,
    unranked_words,
)
from medassay.analyses.builtin.leaderboards.order import ordered, prints_letters
from medassay.analyses.builtin.leaderboards.pairs import pair_tables
from medassay.analyses.inputs.system_boards import Leaderboards
from medassay.exhibits import Names
from medassay.exhibits.cells import NONE, how, missing
from medassay.exhibits.columns import celled, estimated, system_column, table_of
from medassay.exhibits.groups import MANY, alike_words, letters_of, ordered_letters
from medassay.exhibits.names import ScoreColumn, slug
from medassay.exhibits.numbers import Style, count_of, plural
from medassay.exhibits.table import Bands, Cell, Table
from medassay.stats import AT_ONCE_FROM
from medassay.validity import LeaderboardRow

__all__ = ["axis_of", "leaderboard", "leaderboard_tables", "rank_range", "standings"]

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
    parts.append(how(s.interval for s in chosen))
    if any(s.letters for s in chosen):
        text = "Systems share a letter where their order is undecided" if letters else MANY
        parts.append(f"{text}, all pairs tested at once. {_ranges_words(chosen)}")
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


def _ranges_words(chosen: list[LeaderboardRow]) -> str:
    """Say what the range of ranks is."""
    if sum(row.mean is not None for row in chosen) >= AT_ONCE_FROM:
        return (
            "A rank is the range of places that these tests leave open (95% confidence for all "
            "ranges together)."
        )
    return (
        "A rank is a range of places over resampled cases, for each system alone, so it may be "
        "narrower than its group."
    )


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
