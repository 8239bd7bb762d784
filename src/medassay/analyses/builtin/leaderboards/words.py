"""The sentence about who leads, and what is undecided."""

from itertools import combinations
from typing import Final

from medassay.analyses.builtin.harm_by_system import labelled
from medassay.analyses.builtin.leaderboards.by_case import lacks_value
from medassay.analyses.builtin.leaderboards.claims import FINDING, at_their_levels
from medassay.analyses.builtin.leaderboards.differences import differences
from medassay.analyses.builtin.leaderboards.elsewhere import elsewhere
from medassay.analyses.builtin.leaderboards.order import ordered
from medassay.analyses.builtin.leaderboards.shared import (
    cases_alone,
    comparative,
    harm_decides,
    shared_cases,
)
from medassay.analyses.inputs.system_boards import Leaderboards
from medassay.exhibits import Names
from medassay.exhibits.claim import LEVEL
from medassay.exhibits.finding import Finding, ReaderQuestion
from medassay.exhibits.groups import alike
from medassay.exhibits.names import method_words
from medassay.exhibits.numbers import (
    Style,
    count_of,
    level,
    listed,
    listed_few,
    number_word,
    plural,
)
from medassay.exhibits.sentences import as_sentence, stopped
from medassay.stats import Interval
from medassay.validity import LeaderboardRow

__all__ = ["leaders_finding"]

_BASIS: Final = ("leaderboard", "comparisons", "at-a-glance")
_PAIR: Final = 2
_FEW_RATERS: Final = 8
"""With fewer a sentence says how many: the numbers are of these raters, and tell little of others.
"""


def leaders_finding(boards: Leaderboards, names: Names) -> Finding:
    """Say who leads by the primary source, as far as the groups allow."""
    text = _sentence(at_their_levels(boards, names), names)
    return Finding(FINDING, text, _BASIS, ReaderQuestion.BETTER)


def _sentence(boards: Leaderboards, names: Names) -> str:
    if names.primary not in names.sources:
        return "No system can be ranked: the study has no scores and no ratings to rank by."
    by = _by(boards, names)
    board = ordered(boards, names, names.primary)
    placed = [s for s in board if s.mean is not None]
    if not placed:
        why = next((f" {as_sentence(s.reason)}" for s in board if s.reason), "")
        return f"No system has a mean by {by}, so none can be ranked.{why}"
    if len(placed) == 1:
        alone = _with_mean(names, placed[0])
        return (
            f"By {by}, {alone} is the only system with a mean {_on(names, placed)}: there is "
            "nothing to rank."
        )
    unlinked = next((s.reason for s in placed if s.rank is None and s.reason), "")
    if unlinked and names.sources[names.primary].direction != "none":
        on = _on(names, placed)
        if not any(row.not_asked for row in placed):
            on = f"on {count_of(names.cases, 'case')}"
        return f"By {by}, nobody can be ranked {on}: {stopped(unlinked)}"
    text = _leaders(boards, names, placed, by) + _what_counts(boards, names, placed)
    without = len(board) - len(placed)
    if without:
        text += f" {number_word(without).capitalize()} of {len(board)} systems had no mean."
    return f"{text} {elsewhere(boards, names)}".strip()


def _what_counts(boards: Leaderboards, names: Names, placed: list[LeaderboardRow]) -> str:
    """Say what the means that order the systems are, and which cases a comparison leaves out."""
    text = ""
    if any(s.adjusted is not None and s.adjusted_for == "raters" for s in placed):
        text += (
            " Raters met the systems unevenly, so they are ordered by means adjusted for who "
            "judged."
        )
    elif any(s.adjusted is not None and s.adjusted_for == "allotted cases" for s in placed):
        text += (
            " Cases were allotted by chance, so cases that one system alone has count too (means "
            "with cases as a random effect)."
        )
    elif any(s.adjusted is not None for s in placed):
        text += (
            " Not every system has a value on every case, so they are ordered by means adjusted by "
            "case."
        )
    if placed[0].letters and cases_alone(boards, names.primary):
        text += " Cases that one system alone has add nothing to its comparisons."
    if (part := names.level(FINDING, names.primary)) < LEVEL:
        text += (
            " The study did not name this ranking beforehand ([ranking] by in study.toml), so it "
            f"shares its 5% with other questions and is tested at {100 * part:.2g}%."
        )
    return text


def _by(boards: Leaderboards, names: Names) -> str:
    column = names.sources[names.primary]
    if column.dimension is not None and column.method is not None:
        way = "" if column.method == "mean" else f" ({method_words(column.method)})"
        return f"{_who(boards)} on {names.of_dimension(column.dimension)}{way}"
    return names.of_source(names.primary)


def _who(boards: Leaderboards) -> str:
    """Say whose labels the consensus joins; so few raters are named by their number."""
    by = boards.judged_by
    if by is None:
        few = 0 < boards.raters < _FEW_RATERS
        many = (
            f"these {number_word(boards.raters)} raters" if boards.raters > 1 else "this one rater"
        )
        return many if few else "the raters"
    models = listed([f"{name} (a model)" for name in by.models])
    few = by.people + len(by.models) < _FEW_RATERS
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


def _leaders(boards: Leaderboards, names: Names, placed: list[LeaderboardRow], by: str) -> str:
    top = placed[0]
    text, on = _with_mean(names, top), _on(names, [top])
    most = "lowest" if names.sources[top.source].direction == "lower" else "highest"
    if not top.letters:
        return f"By {by}, {text} has the {most} mean {on}; the systems were not compared by a test."
    with_top = [s for s in placed[1:] if alike(s.letters, top.letters)]
    behind = [s for s in placed[1:] if not alike(s.letters, top.letters)]
    apart = [s for s in with_top if harm_decides(boards, names, top.source, top.system, s.system)]
    undecided = not behind and not apart
    many = "both" if len(placed) == _PAIR else f"all {number_word(len(placed))}"
    if undecided and len({(s.mean, s.adjusted) for s in placed}) == 1:
        mean = _mean(names, top)
        return (
            f"By {by}, {many} systems have the same mean ({mean}) {_on(names, placed)}: none is "
            "ahead."
        )
    if undecided and len(placed) > _PAIR:
        pairs = len(placed) * (len(placed) - 1) // 2
        every = combinations([row.system for row in placed], 2)
        shared = shared_cases(boards, names, top.source, every)
        return (
            f"By {by}, {text} is {most} {on}, but whether it is {comparative(names, top.source)} "
            f"than any other is undecided: {many} share its group{shared}, {number_word(pairs)} "
            f"pairs tested at once. {differences(boards, names, placed)}"
        ).strip()
    if not with_top:
        lead = f"By {by}, {text} leads alone {on}."
        return f"{lead} {differences(boards, names, placed)}".strip()
    lead = f"By {by}, {text} is {most} {on}{_undecided(boards, names, top, with_top, apart)}"
    if top.adjusted is None:
        return f"{lead} {differences(boards, names, placed)}".strip()
    # Where cases differ, means may lie far apart and yet few cases compare the two.
    return f"{lead} {differences(boards, names, placed, 'Its mean there')}".strip()


def _on(names: Names, rows: list[LeaderboardRow]) -> str:
    """Say on how many cases these means rest, and of how many where those are fewer."""
    if all(row.n >= names.cases for row in rows):
        return f"on {count_of(names.cases, 'case')}"
    some, lacking = _from_to([row.n for row in rows]), any(lacks_value(row, names) for row in rows)
    if not any(row.not_asked for row in rows):
        return f"on {some} of {count_of(names.cases, 'case')}"
    asked = [names.cases - row.not_asked for row in rows]
    noun, who = plural(max(asked), "case"), "it was" if len(rows) == 1 else "each was"
    of = f"{some} of the {_from_to(asked)}" if lacking else f"the {some}"
    return f"on {of} {noun} that {who} asked"


def _from_to(counts: list[int]) -> str:
    fewest, most = min(counts), max(counts)
    return f"{most:,}" if fewest == most else f"{fewest:,} to {most:,}"


def _undecided(
    boards: Leaderboards,
    names: Names,
    top: LeaderboardRow,
    with_top: list[LeaderboardRow],
    apart: list[LeaderboardRow],
) -> str:
    """Name those whom no test tells from the first, and those of them whom harm does."""

    def told(rows: list[LeaderboardRow]) -> tuple[str, str]:
        pairs = [(top.system, row.system) for row in rows]
        others = listed_few([names.of_system(row.system) for row in rows])
        return others, shared_cases(boards, names, top.source, pairs)

    text = "."
    if group := [row for row in with_top if row not in apart]:
        others, shared = told(group)
        more = comparative(names, top.source)
        text = f"; whether it is {more} than {others} is undecided{shared}."
    if apart:
        others, shared = told(apart)
        said = labelled([names.harm_words.get(names.sources[top.source].dimension or "", "")])
        text += (
            f" Its share of {said or 'harmful answers'} differs from that of {others} "
            f"({'by system' if said else 'harm by system'}); this comparison of means "
            f"rests{shared or ' on no case that both have'}."
        )
    return text


def _with_mean(names: Names, standing: LeaderboardRow) -> str:
    style, text = names.style_of(names.primary), _mean(names, standing)
    if standing.interval is not None:
        text += f", {level(standing.interval)} interval {_ends(standing.interval, style)}"
    if standing.adjusted is not None:
        text += f"; adjusted {style(standing.adjusted)}"
    return f"{names.of_system(standing.system)} ({text})"


def _mean(names: Names, standing: LeaderboardRow) -> str:
    """Print a mean with the most that raters could give."""
    if standing.mean is None:
        return ""
    style, source = names.style_of(names.primary), names.sources[names.primary]
    best = f" of {source.high:g}" if source.kind == "consensus" and source.high is not None else ""
    return f"{style(standing.mean)}{best}"


def _ends(interval: Interval, style: Style) -> str:
    return f"{style(interval.low)} to {style(interval.high)}"
