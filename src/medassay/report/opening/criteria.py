"""Answers judged by criteria: the gravest first, then all points and each axis."""

from typing import Final

from medassay.analyses.builtin.criteria import CriteriaReport, CriteriaScore
from medassay.analyses.builtin.leaderboards import leaderboards_in, ordered
from medassay.analyses.builtin.leaderboards.words import at_their_levels
from medassay.analyses.results import Results
from medassay.exhibits.numbers import count_of, listed_few, percent_words
from medassay.exhibits.overview import (
    Lane,
    Links,
    Overview,
    OverviewRow,
    Spot,
    counted_spot,
    intervals_words,
    missing_spot,
    share_lane,
    spot_of,
)
from medassay.exhibits.sentences import upper_first
from medassay.report.names import Names
from medassay.report.opening.ratings import (
    difference_lane,
    from_best,
    rounding_words,
    tested_pairs,
    undecided_words,
    verdict_spots,
)
from medassay.stats import Interval

_AXES: Final = 2
_NAMED: Final = 3
_ENDS: Final = ("0", "1 best")


def criteria_overview(results: Results, report: CriteriaReport, names: Names) -> Overview:
    """Give the figure of systems by what they did that none should, by all points and by axes.

    Of many axes those on most cases have a lane; the others are in the table. Where raters rank the
    systems, the last lane says who is higher or lower than the first.
    """
    boards = at_their_levels(leaderboards_in(results.analyses), names)
    order = ordered(boards, names, results.primary)
    differences = from_best(boards, names, order) if order else {}
    verdicts = verdict_spots(names, results.primary, order, differences) if differences else {}
    whole = [score for score in report.scores if score.over == "all"]
    whole.sort(key=lambda score: (-(score.mean if score.mean is not None else -1.0), score.system))
    of_axis = [score for score in report.scores if score.over == "axis"]
    cases = {
        score.group: max(own.cases for own in of_axis if own.group == score.group)
        for score in of_axis
    }
    axes = sorted(cases, key=lambda group: (_kind(group), -cases[group], group))[
        : _AXES - bool(verdicts)
    ]
    against = {row.system: row for row in report.against if row.cases}
    spots = {
        score.system: counted_spot(
            against[score.system].met,
            against[score.system].cases,
            *_ends(against[score.system].interval),
            leads=Links(score.system),
        )
        if score.system in against
        else missing_spot("No case says what an answer should not do.")
        for score in whole
    }
    by_group = {(score.system, score.group): score for score in of_axis}
    rows = tuple(
        OverviewRow(
            names.of_system(score.system),
            (
                *([spots[score.system]] if against else []),
                _spot(score),
                *(_spot(by_group.get((score.system, group))) for group in axes),
                *([verdicts.get(score.system, Spot("–"))] if verdicts else []),
            ),
        )
        for score in whole
    )
    shown = [*whole, *(score for score in of_axis if score.group in axes)]
    return Overview(
        title=_title(report, names, whole),
        rows_are="System",
        lanes=(
            *(
                [share_lane("Did what none should", list(spots.values()), harm=True)]
                if against
                else []
            ),
            Lane("All points", (0.0, 1.0), _ENDS),
            *(Lane(_called(group), (0.0, 1.0), _ENDS) for group in axes),
            *([difference_lane(names, results, order[0])] if verdicts else []),
        ),
        rows=rows,
        caption="Share of the points that a case's criteria give, mean over "
        f"{count_of(max((s.cases for s in whole), default=0), 'case')}. "
        "Did what none should: cases where an answer shows a fault (points below 0)."
        + undecided_words(differences)
        + rounding_words(names, results.primary, order, differences),
        says=(
            ("criteria-against", 1),
            ("criteria-met", -1),
            *([("leaders", -1)] if verdicts else []),
        ),
        intervals=intervals_words([score.interval for score in shown]),
        pairs=tested_pairs(boards, results.primary) if verdicts else 0,
        finding="criteria-against",
    )


def _ends(interval: Interval | None) -> tuple[float | None, float | None]:
    return (None, None) if interval is None else (interval.low, interval.high)


def _spot(score: CriteriaScore | None) -> Spot:
    if score is None or score.mean is None:
        return missing_spot((score.why if score else "") or "No case has such a criterion.")
    return spot_of(score.mean, score.interval, 2, Links(score.system))


def _kind(group: str) -> bool:
    """Put axes before the levels and clusters that criteria have too."""
    return not group.startswith("axis:")


def _called(group: str) -> str:
    return upper_first(group.removeprefix("axis:").replace("_", " ").replace(":", ": "))


def _title(report: CriteriaReport, names: Names, whole: list[CriteriaScore]) -> str:
    known = [row for row in report.against if row.cases]
    worst = max(known, key=lambda row: row.met / row.cases, default=None)
    if worst is not None and worst.met:
        most = [row for row in known if row.met * worst.cases == worst.met * row.cases]
        who = listed_few([names.of_system(row.system) for row in most], _NAMED)
        if len({row.cases for row in most}) > 1:
            share = percent_words(worst.met / worst.cases, worst.cases)
            return f"{who} did what no answer should in {share} of cases each"
        each = " each" if len(most) > 1 else ""
        of = count_of(worst.cases, "case")
        return f"{who} did what no answer should in {worst.met:,} of {of}{each}"
    valued = [score for score in whole if score.mean is not None]
    if not valued:
        return "No answer has a score by its criteria"
    best = valued[0]
    first = f"{names.of_system(best.system)} met {best.mean or 0.0:.2f} of the points"
    return f"{first}; no system did what no answer should" if known else first
