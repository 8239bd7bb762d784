"""Many systems: the ranks that new cases leave open, the mean, the group; one line a system."""

from typing import Final

from medassay.analyses.builtin.leaderboards import leaderboards_in, ordered
from medassay.analyses.builtin.leaderboards.words import FINDING, at_their_levels
from medassay.analyses.builtin.shared_task import UNDECIDED_ALSO, leads, shared_task
from medassay.analyses.inputs.system_task_boards import TaskBoard
from medassay.analyses.results import Results
from medassay.exhibits.numbers import count_of, span_words
from medassay.exhibits.overview import (
    PERCENT,
    Lane,
    Links,
    Overview,
    OverviewRow,
    Spot,
    intervals_words,
    missing_spot,
    spot_of,
)
from medassay.exhibits.sentences import alike, alike_words, in_letters, letters_of, spanned
from medassay.report.names import Names
from medassay.report.opening.harm import harm_lane, harm_of, harm_spot
from medassay.report.opening.ratings import (
    also_rated,
    leader_title,
    margin_words,
    quality_lane,
    scored_lanes,
)
from medassay.stats import AT_ONCE_FROM
from medassay.validity import CompositeValue
from medassay.validity.composite import Place

MANY: Final = 12
"""More systems stand as ranks, each in one line."""
_MOST: Final = 40
GROUP: Final = "Group"


def ranks_overview(results: Results, names: Names) -> Overview | None:
    """Give the figure of ranks by what orders the systems; None where few have a place."""
    boards = at_their_levels(leaderboards_in(results.analyses), names)
    order = ordered(boards, names, results.primary)
    if len(order) <= MANY:
        return None
    source = next(source for source in results.sources if source.name == results.primary)
    harms = harm_of(results)
    shown = order[:_MOST]
    harmful = {
        row.system: harm_spot(results, harms.get(row.system), row.system) for row in shown if harms
    }
    heading, groups = _groups([(row.system, row.letters) for row in order])
    top, level = order[0], names.level(FINDING, results.primary)
    rows = []
    for row in shown:
        leads_to = Links(row.system, dimension=source.dimension or "")
        mean = (
            missing_spot(row.reason or "It has no value here.", leads_to)
            if row.mean is None
            else spot_of(row.mean, row.interval, names.style_of(source.name).decimals, leads_to)
        )
        rank = _rank_spot(Place(row.rank, row.rank_low, row.rank_high), row.reason)
        own = [harmful[row.system]] if harms else []
        level_with_top = row is not top and alike(row.letters, top.letters)
        same = level_with_top and boards.similar(source.name, top.system, row.system, level)
        group = Spot(groups.get(row.system, ""), verdict="similar" if same else "")
        cells = (rank, mean, *own, group)
        rows.append(OverviewRow(names.of_system(row.system), cells))
    return Overview(
        title=leader_title(results, names, order),
        rows_are="System",
        lanes=(
            _rank_lane(len(order)),
            quality_lane(names, boards, source),
            *([harm_lane(harms, list(harmful.values()))] if harms else []),
            Lane(heading),
        ),
        rows=tuple(rows),
        caption=_caption(len(results.ranking_cases), len(order), heading)
        + also_rated(
            names, [own for own in scored_lanes(results, boards, harms) if own is not source]
        )
        + margin_words(boards, names, order),
        says=((FINDING, -1), ("human-scores", -1)),
        intervals=intervals_words([row.interval for row in order]),
        pairs=sum(
            pair.source == results.primary and pair.p_adjusted is not None
            for pair in boards.comparisons
        ),
        more=len(order) - len(shown),
        finding=FINDING,
    )


def board_overview(results: Results, names: Names) -> Overview | None:
    """Give the figure of a shared task's own board, where no rater orders the systems."""
    boards = results.analyses.of(shared_task)
    if not boards or not leads(names):
        return None
    board = boards[0]
    column = board.leading
    values = sorted(column.values, key=lambda value: (value.place.rank or 10**9, value.system))
    if not values:
        return None
    heading, groups = _groups([(value.system, value.place.letters) for value in values])
    shown = values[:_MOST]
    title = f"{column.group} {column.title}".strip()
    highest = max(
        [end for v in shown for end in (v.value, v.interval.high if v.interval else None) if end],
        default=1.0,
    )
    top = min(1.0, (int(10 * highest) + 1) / 10)
    return Overview(
        title=_board_title(board, names, values),
        rows_are="System",
        lanes=(
            _rank_lane(len(values)),
            Lane(title, (0.0, PERCENT * top), ("0", f"{PERCENT * top:g}")),
            Lane(heading),
        ),
        rows=tuple(
            OverviewRow(
                names.of_system(value.system),
                (
                    _rank_spot(value.place, value.undefined),
                    _value_spot(value),
                    Spot(groups.get(value.system, "")),
                ),
            )
            for value in shown
        ),
        caption=_caption(max(value.n for value in values), len(values), heading)
        + UNDECIDED_ALSO * any(value.place.may_reverse for value in values),
        says=(("task", -1),),
        intervals=intervals_words([value.interval for value in values]),
        pairs=len(values) * (len(values) - 1) // 2 if len(values) >= AT_ONCE_FROM else 0,
        more=len(values) - len(shown),
        finding="task",
        shows=("at-a-glance", *(f"shared-task-{own.name}" for own in boards)),
    )


def _board_title(board: TaskBoard, names: Names, values: list[CompositeValue]) -> str:
    """Say who leads; groups know where rare large losses could reverse it (`rank_pooled`)."""
    placed = [value for value in values if value.place.rank is not None]
    by = f"{board.leading.group} {board.leading.title}".strip()
    if not placed:
        return f"No system has a value by {by}"
    top = placed[0]
    who = names.of_system(top.system)
    if not top.place.letters or len(placed) == 1:
        return f"{who} has the highest score by {by}"
    same = [
        v for v in placed[1:] if {*letters_of(v.place.letters)} & {*letters_of(top.place.letters)}
    ]
    if not same:
        return f"{who} leads by {by}"
    rest = (
        names.of_system(same[0].system) if len(same) == 1 else count_of(len(same), "other system")
    )
    return f"{who} scored highest by {by}; whether it is better than {rest} is undecided"


def _value_spot(value: CompositeValue) -> Spot:
    if value.value is None:
        return missing_spot(value.undefined or "It has no value here.", Links(value.system))
    around = value.interval
    low, high = (None, None) if around is None else (PERCENT * around.low, PERCENT * around.high)
    span = "" if low is None or high is None else f"({span_words(low, high, 1)})"
    number = PERCENT * value.value
    return Spot(f"{number:.1f}", span, number, low, high, leads=Links(value.system))


def _rank_lane(systems: int) -> Lane:
    return Lane("Rank", (1.0, float(max(2, systems))), ("1", f"{systems}"))


def _rank_spot(place: Place, why: str) -> Spot:
    if place.rank is None:
        return missing_spot(why or "It has no rank.")
    if place.low is None or place.high is None:
        return Spot(f"{place.rank}", value=float(place.rank))
    low, high = float(place.low), float(place.high)
    aside = f"({place.low} to {place.high})" if place.low != place.high else ""
    return Spot(f"{place.rank}", aside, float(place.rank), low, high)


def _groups(letters: list[tuple[str, str]]) -> tuple[str, dict[str, str]]:
    """Say which systems' order is undecided: letters that they share, or how many."""
    if in_letters(("", own) for _, own in letters):
        return GROUP, {system: spanned(own) for system, own in letters}
    return "Undecided against", alike_words(dict(letters))


def _caption(cases: int, systems: int, heading: str) -> str:
    undecided = "Which of two systems is better is undecided where they share a letter"
    undecided = (
        f"{undecided} (a–c: a, b and c), else decided."
        if heading == GROUP
        else f"{heading}: how many systems above and below are not shown to be better or worse."
    )
    return (
        f"{count_of(systems, 'system')} on {count_of(cases, 'case')}: dots are estimates, lines "
        f"their 95% ranges. {undecided}"
    )
