"""The sentence about who leads, and who cannot be told apart."""

from typing import Final

from medassay.analyses.builtin.quality import qualities_in
from medassay.analyses.builtin.rater_flow import rater_flow
from medassay.analyses.results import LeaderboardRow, Results
from medassay.exhibits.names import method_words
from medassay.exhibits.numbers import (
    Style,
    count_of,
    level,
    listed,
    listed_few,
    number_word,
    p_value,
)
from medassay.exhibits.sentences import as_sentence, stopped
from medassay.report.findings.elsewhere import elsewhere
from medassay.report.groups import alike
from medassay.report.names import Names
from medassay.report.styles import style_of
from medassay.report.tables import ordered
from medassay.stats import Interval, could_outweigh

__all__ = ["BASIS", "FEW_RATERS", "sentence"]

BASIS: Final = ("leaderboard", "comparisons", "at-a-glance")
FEW_RATERS: Final = 8
"""With fewer a sentence says how many: the numbers are of these raters, and tell little of others.
"""


def sentence(results: Results) -> str:
    """Say who leads by the primary source, as far as the groups allow."""
    names = Names(results)
    if results.primary not in names.sources:
        return "No system can be ranked: the study has no scores and no ratings to rank by."
    by = _by(results, names, results.primary)
    board = ordered(results, results.primary)
    placed = [s for s in board if s.mean is not None]
    if not placed:
        why = next((f" {as_sentence(s.reason)}" for s in board if s.reason), "")
        return f"No system has a mean by {by}, so none can be ranked.{why}"
    on = f"on {count_of(len(results.ranking_cases), 'case')}"
    if len(placed) == 1:
        one = _with_mean(results, names, placed[0])
        return f"By {by}, {one} is the only system with a mean {on}: there is nothing to rank."
    unlinked = next((s.reason for s in placed if s.rank is None and s.reason), "")
    if unlinked and names.sources[results.primary].direction != "none":
        return f"By {by}, nobody can be ranked {on}: {stopped(unlinked)}"
    text = _leaders(results, names, placed, by, on)
    if any(s.adjusted is not None and s.adjusted_for == "raters" for s in placed):
        text += (
            " Raters met the systems unevenly, so they are ordered by means adjusted for who "
            "judged."
        )
    elif any(s.adjusted is not None for s in placed):
        text += (
            " Not every system has a value on every case, so they are ordered by means adjusted by "
            "case."
        )
    without = len(board) - len(placed)
    if without:
        text += f" {number_word(without).capitalize()} of {len(board)} systems had no mean."
    return f"{text} {elsewhere(results, names)}".strip()


def _by(results: Results, names: Names, source: str) -> str:
    source_result = names.sources[source]
    if source_result.dimension is not None and source_result.method is not None:
        who = _who(results, source_result.dimension)
        way = "" if source_result.method == "mean" else f" ({method_words(source_result.method)})"
        return f"{who} on {names.of_dimension(source_result.dimension)}{way}"
    return names.of_source(source)


def _who(results: Results, dimension: str) -> str:
    """Say whose labels a dimension's consensus joins."""
    by = next(
        (judged_by for judged_by in results.judged_by if judged_by.dimension == dimension), None
    )
    if by is None:
        return _few_raters(results, dimension)
    models = listed([f"{name} (a model)" for name in by.models])
    few = by.people + len(by.models) < FEW_RATERS
    people = "person" if by.people == 1 else "people"
    if not models:
        return (
            f"these {number_word(by.people)} {people}"
            if few
            else f"the {by.people} people who rated"
        )
    if not by.people:
        return f"the labels of {models} alone, and of no person,"
    who = f"these {number_word(by.people)}" if few else f"{by.people}"
    return f"the labels of {who} {people} and of {models}"


def _few_raters(results: Results, dimension: str) -> str:
    """Name so few raters by their number: others might have said otherwise."""
    rater_qualities = qualities_in(results.analyses)
    flow = results.analyses.of(rater_flow)
    if not rater_qualities and flow and 0 < flow.judged < FEW_RATERS:
        # The analysis that counts them by dimension was left out: no dimension has more than these.
        return "these few raters"
    gave = {
        rater_quality.rater
        for rater_quality in rater_qualities
        if rater_quality.dimension == dimension and rater_quality.n
    }
    if not 0 < len(gave) < FEW_RATERS:
        return "the raters"
    return f"these {number_word(len(gave))} raters" if len(gave) > 1 else "this one rater"


def _leaders(results: Results, names: Names, placed: list[LeaderboardRow], by: str, on: str) -> str:
    top = placed[0]
    text = _with_mean(results, names, top)
    most = "lowest" if names.sources[top.source].direction == "lower" else "highest"
    if not top.letters:
        return f"By {by}, {text} has the {most} mean {on}; the systems were not compared by a test."
    with_top = [s for s in placed[1:] if alike(s.letters, top.letters)]
    behind = [s for s in placed[1:] if not alike(s.letters, top.letters)]
    if not behind:
        many = "both" if len(placed) == 2 else f"all {number_word(len(placed))}"  # noqa: PLR2004 - two are 'both'
        pairs = len(placed) * (len(placed) - 1) // 2
        tested = f", {number_word(pairs)} pairs tested at once" if pairs > 1 else ""
        return (
            f"By {by}, no system can be told apart from {text}, the {most} {on}: "
            f"{many} share its group{tested}."
        )
    lead = f"By {by}, {text} leads alone {on}."
    if with_top:
        others = listed_few([names.of_system(s.system) for s in with_top])
        lead = f"By {by}, {text} is {most} {on}, but cannot be told apart from {others}."
    return f"{lead} {_gap(results, names, top, behind[0])}".strip()


def _with_mean(results: Results, names: Names, standing: LeaderboardRow) -> str:
    style = style_of(names.sources[results.primary])
    source = names.sources[results.primary]
    best = f" of {source.high:g}" if source.kind == "consensus" and source.high is not None else ""
    text = f"{style(standing.mean)}{best}" if standing.mean is not None else ""
    if standing.interval is not None:
        text += f", {level(standing.interval)} interval {_ends(standing.interval, style)}"
    if standing.adjusted is not None:
        text += f"; adjusted {style(standing.adjusted)}"
    return f"{names.of_system(standing.system)} ({text})"


def _ends(interval: Interval, style: Style) -> str:
    return f"{style(interval.low)} to {style(interval.high)}"


def _unseen(results: Results, difference: float, cases: int) -> str:
    """Say that so few cases could hide what outweighs this lead; empty where they could not."""
    [source] = [one for one in results.sources if one.name == results.primary]
    if source.low is None or source.high is None or source.low >= source.high:
        return ""
    if not could_outweigh(difference, source.high - source.low, cases):
        return ""
    return (
        f"; heavy losses that few answers have, and {cases} cases need not show, could outweigh it"
    )


def _gap(results: Results, names: Names, top: LeaderboardRow, other: LeaderboardRow) -> str:
    """Say how far the first is ahead of the first that it can be told apart from."""
    style = style_of(names.sources[results.primary])
    for c in results.comparisons:
        if c.source != results.primary or {c.system_a, c.system_b} != {top.system, other.system}:
            continue
        if c.difference is None or c.interval is None or c.interval.low <= 0 <= c.interval.high:
            return ""
        low, high = sorted((abs(c.interval.low), abs(c.interval.high)))
        p = f"; adjusted {p_value(c.p_adjusted)}" if c.p_adjusted is not None else ""
        return (
            f"It is ahead of {names.of_system(other.system)} by {style(abs(c.difference))} "
            f"({style(low)} to {style(high)}{p}){_unseen(results, c.difference, c.n)}."
        )
    return ""
