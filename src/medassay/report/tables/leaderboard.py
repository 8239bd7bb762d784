"""Systems by one source, with what can and cannot be told apart."""

from collections.abc import Collection
from math import floor, inf, log10
from typing import Final

from medassay.analyses.results import LeaderboardRow, Results, SourceResult
from medassay.exhibits.cells import (
    NONE,
    count,
    estimate,
    estimate_fields,
    how,
    missing,
    named,
    p_cell,
)
from medassay.exhibits.names import slug
from medassay.exhibits.numbers import Style, count_of, p_way, plural
from medassay.exhibits.table import Bands, Cell, Column, Row, Table
from medassay.report.groups import MANY, alike_words, in_letters, letters_of, ordered_letters
from medassay.report.names import Names
from medassay.report.styles import style_of
from medassay.report.tables.by_case import (
    ADJUSTED,
    adjusted_mean,
    any_adjusted,
    board_words,
    unranked_words,
)
from medassay.validity import Comparison

__all__ = ["axis_of", "comparisons", "leaderboard", "ordered", "rank_range", "standings"]

_CASES: Final = ("cases", "cases_without_value", "never_answered", "mean_without_them")
_ROUND: Final = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8)


def ordered(results: Results, source: str) -> list[LeaderboardRow]:
    """Sort the standings of a source, best first; systems without a mean last."""
    place = {system.id: i for i, system in enumerate(results.systems)}
    lower = any(s.name == source and s.direction == "lower" for s in results.sources)

    own = [s for s in results.standings if s.source == source]
    better = next((s.direction for s in results.sources if s.name == source), "none")
    # Where nobody may be ranked, an order by the means would rank all the same.
    unordered = better != "none" and any(s.reason and s.mean is not None for s in own if not s.rank)

    def key(standing: LeaderboardRow) -> tuple[float, float, int]:
        mean = inf if standing.mean is None else standing.mean if lower else -standing.mean
        mean = 0.0 if unordered and standing.mean is not None else mean
        rank = inf if standing.rank is None else standing.rank
        return (rank, mean, place.get(standing.system, len(place)))

    return sorted(own, key=key)


def axis_of(source: SourceResult, standings: list[LeaderboardRow]) -> tuple[float, float]:
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


def leaderboard(
    results: Results, source: SourceResult, table_id: str = "", *, adjusted: bool | None = None
) -> Table:
    """Rank the systems by one source.

    Args:
        results: The results.
        source: What ranks them.
        table_id: The table's id; made of the source's name if not given.
        adjusted: Whether means adjusted by case have a column; where there are some if not given.
    """
    names, chosen = Names(results), ordered(results, source.name)
    wide = any_adjusted(chosen) if adjusted is None else adjusted
    axis, style = axis_of(source, chosen), style_of(source)
    groups = _groups(results, chosen)
    rows = tuple(
        Row(
            _cells(
                s, names, style, axis, groups[s.system], len(results.ranking_cases), adjusted=wide
            )
        )
        for s in chosen
    )
    ends = (_end(axis[0]), _end(axis[1]))
    return Table(
        table_id or f"leaderboard-{slug(source.name)}",
        f"Systems by {names.of_source(source.name)}",
        _caption(results, source, chosen),
        (
            Column("System", ("system",)),
            Column("Mean", estimate_fields("mean"), numeric=True, axis=ends),
            *([ADJUSTED] if wide else []),
            Column("Rank", ("rank", "rank_low", "rank_high"), numeric=True),
            Column("Group", ("group",)),
            Column("Cases", _CASES, numeric=True),
        ),
        rows,
        empty=f"No system has a mean by {names.of_source(source.name)}.",
        synthetic=results.study.synthetic,
        figure="leaderboard" if source.name == results.primary else "",
    )


def _end(value: float) -> str:
    return f"{value:g}".replace("-", "−")


def _cells(
    s: LeaderboardRow,
    names: Names,
    style: Style,
    axis: tuple[float, float],
    group: Cell,
    cases: int,
    *,
    adjusted: bool,
) -> tuple[Cell, ...]:
    return (
        named(names.of_system(s.system), s.system),
        estimate(s.mean, s.interval, s.reason, style, axis),
        *([adjusted_mean(s, style)] if adjusted else []),
        rank_range(s),
        group,
        _scored(s, style, cases),
    )


def _groups(results: Results, chosen: list[LeaderboardRow]) -> dict[str, Cell]:
    """Give each system's groups: bands of letters, or in words where letters are many."""
    none = missing("Systems were not compared by this source.")
    if in_letters(results):
        every = tuple(ordered_letters([s.letters for s in chosen]))
        bands = {s.system: Bands(tuple(letters_of(s.letters)), every) for s in chosen}
        return {
            s.system: Cell(" ".join(bands[s.system].letters), (s.letters,), draw=bands[s.system])
            if s.letters
            else none
            for s in chosen
        }
    said = alike_words({s.system: s.letters for s in chosen})
    return {s.system: Cell(said[s.system], (s.letters,)) if s.letters else none for s in chosen}


def _scored(s: LeaderboardRow, style: Style, cases: int) -> Cell:
    """Say on how many ranking cases a mean rests, and what it is without answers never given."""
    raw = (s.n, s.missing, s.never_answered, s.mean_given)
    lines = []
    if s.n < cases:
        lines.append(f"{s.n:,} of {count_of(cases, 'ranking case')} have a value for this system.")
    if s.never_answered:
        given = style(s.mean_given) if s.mean_given is not None else NONE
        lines.append(
            f"{s.never_answered} never answered and scored by the metric's own rule; the mean "
            f"without them: {given}."
        )
    text = f"{s.n:,}" if s.n >= cases else f"{s.n:,} of {cases:,}"
    return Cell(text, raw, aside="*" if s.never_answered else "", detail=" ".join(lines))


def _caption(results: Results, source: SourceResult, chosen: list[LeaderboardRow]) -> str:
    cases = len(results.ranking_cases)
    on = f"Means over {count_of(cases, 'ranking case')}."
    if any(s.n < cases for s in chosen):
        on = f"Means over those of the {count_of(cases, 'ranking case')} that have a value."
    parts = [source.question, on]
    if source.unit:
        parts.append(f"Unit: {source.unit}.")
    parts.append(how(s.interval for s in chosen))
    if any(s.letters for s in chosen):
        text = "Systems that share a letter cannot be told apart" if in_letters(results) else MANY
        parts.append(
            f"{text}, all pairs tested at once. A rank is a range of places over resampled cases, "
            "of each system by itself, so it may be narrower than its group."
        )
    if source.direction == "lower":
        parts.append("Lower is better.")
    if source.direction == "none":
        parts.append("Neither more nor less is better.")
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


def standings(results: Results) -> Table:
    """Put the leaderboards of all sources one under the other."""
    wide = any_adjusted(results.standings)
    boards = [(source, leaderboard(results, source, adjusted=wide)) for source in results.sources]
    columns = boards[0][1].columns if boards else ()
    plain = tuple(
        Column("Mean", c.fields, numeric=True) if c.title == "Mean" else c for c in columns
    )
    cases = count_of(len(results.ranking_cases), "ranking case")
    means = f"Means over those of the {cases} that have a value, with their intervals."
    shared = (
        "Systems that share a letter, by the same source, cannot be told apart."
        if in_letters(results)
        else f"{MANY}, by the same source."
    )
    return Table(
        "standings",
        "Systems by every source",
        " ".join(part for part in (means, board_words(results.standings), shared) if part),
        plain,
        tuple(Row(r.cells, source.name) for source, board in boards for r in board.rows),
        group_field="source",
        empty="Nothing was measured.",
        synthetic=results.study.synthetic,
        stands="file",
    )


def _detectable(c: Comparison, style: Style) -> Cell:
    value = c.minimal_detectable_effect
    return missing(c.reason or "Not estimated.") if value is None else Cell(style(value), (value,))


def comparisons(
    results: Results,
    sources: list[SourceResult],
    table_id: str,
    *,
    of: Collection[str] | None = None,
) -> Table:
    """List pairs of systems by the given sources, paired over cases; or those of some systems."""
    names = Names(results)
    styles = {source.name: style_of(source) for source in sources}
    chosen = [c for source in sources for c in results.comparisons if c.source == source.name]
    methods = sorted({c.method for c in chosen if c.method})
    test = f"Test: {'; '.join(map(p_way, methods))}." if methods else ""
    return Table(
        table_id,
        "Pairs of systems",
        "Mean of the first system minus mean of the second, over the cases that both have a score "
        f"for. {how(c.interval for c in chosen)} {test} Detectable: the difference that such a "
        "comparison finds with 80 % power, for this pair alone.",
        (
            Column("First", ("system_a",)),
            Column("Second", ("system_b",)),
            Column("Difference", estimate_fields("difference"), numeric=True),
            Column("p", ("p",), numeric=True),
            Column("Adjusted p", ("p_adjusted",), numeric=True),
            Column("Detectable", ("minimal_detectable_effect",), numeric=True),
            Column("Cases", ("cases",), numeric=True),
        ),
        tuple(
            Row(
                (
                    named(names.of_system(c.system_a), c.system_a),
                    named(names.of_system(c.system_b), c.system_b),
                    estimate(c.difference, c.interval, c.reason, styles[c.source]),
                    p_cell(c.p, c.reason),
                    p_cell(c.p_adjusted, c.reason),
                    _detectable(c, styles[c.source]),
                    count(c.n),
                ),
                c.source if len(sources) > 1 else "",
            )
            for c in chosen
            if of is None or c.system_a in of or c.system_b in of
        ),
        group_field="source" if len(sources) > 1 else "",
        empty="Fewer than two systems have a score by this source.",
        synthetic=results.study.synthetic,
    )
