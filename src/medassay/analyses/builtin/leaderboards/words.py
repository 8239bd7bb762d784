"""The sentence about who leads, and what is undecided.

By how much the first system differs from others, with what the tests of pairs say.

The sentence about who leads on the dimensions that do not order the leaderboard.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Final

from medassay.analyses.builtin.harm_by_system import labelled
from medassay.analyses.builtin.leaderboards.by_case import lacks_value
from medassay.analyses.builtin.leaderboards.claims import FINDING, at_their_levels, other_columns
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
    ci,
    count_of,
    listed,
    listed_few,
    number_word,
    plural,
)
from medassay.exhibits.sentences import as_sentence, stopped
from medassay.stats import could_outweigh
from medassay.validity import Comparison, LeaderboardRow

__all__ = ["difference_ahead", "difference_from", "differences", "elsewhere", "leaders_finding"]


def differences(boards: Leaderboards, names: Names, placed: Sequence[LeaderboardRow]) -> str:
    """Say by how much the first differs from the second and from the last, all undecided.

    The difference from the last shows how much lies between all of them.

    Args:
        boards: With every pair of systems.
        names: Of systems and sources.
        placed: The systems with a mean, best first; more than two.

    Returns:
        Sentences; empty where no two have a case in common.
    """
    second, last = placed[1], placed[-1]
    near, far = (difference_from(boards, names, placed, row, named=False) for row in (second, last))
    said = []
    if near:
        said.append(f"Next is {names.of_system(second.system)} ({near}).")
    if far and last is not second:
        said.append(f"Last is {names.of_system(last.system)} ({far}).")
    return " ".join(said)


def difference_from(
    boards: Leaderboards,
    names: Names,
    placed: Sequence[LeaderboardRow],
    other: LeaderboardRow,
    *,
    named: bool,
) -> str:
    """Print the difference from a system whose order with the first is undecided.

    Where the interval of this pair alone leaves out 0, it says what the tests of all pairs say.

    Args:
        boards: With every pair of systems.
        names: Of systems and sources.
        placed: The systems with a mean, best first.
        other: The system.
        named: Whether to name it.

    Returns:
        Words for brackets; empty where the two have no case in common.
    """
    pair = _from(boards, names, placed[0], other)
    if pair is None or pair.difference is None:
        return ""
    text = _difference(pair, names, f" from {names.of_system(other.system)}" if named else "")
    if not _leaves_out_zero(pair):
        return text
    pairs = len(placed) * (len(placed) - 1) // 2
    if pairs == 1:
        return f"{text}, which the test of the two does not confirm"
    return f"{text} for this pair alone, undecided by {number_word(pairs)} tests at once"


def difference_ahead(boards: Leaderboards, names: Names, placed: Sequence[LeaderboardRow]) -> str:
    """Say how far the first is ahead of the first outside its group; empty where nobody is."""
    top = placed[0]
    other = next((row for row in placed[1:] if not alike(row.letters, top.letters)), None)
    pair = None if other is None else _from(boards, names, top, other)
    if other is None or pair is None or pair.difference is None or not _leaves_out_zero(pair):
        return ""
    shared = ""
    if any(row.adjusted is not None for row in placed):
        shared = shared_cases(boards, names, top.source, [(top.system, other.system)])
    beside = f"{names.of_system(other.system)}{shared} ({_difference(pair, names)})"
    better = comparative(names, top.source) == "better"
    text = f"It is better than {beside}." if better else f"It is higher than {beside}."
    cases = pair.n + pair.alone // 2
    if _may_reverse(names, pair.difference, cases):
        text += f" Rare large losses that {cases} cases may not show could reverse this."
    return text


def _difference(pair: Comparison, names: Names, whose: str = "") -> str:
    style = names.style_of(names.primary)
    what = "adjusted difference" if pair.alone else "difference"
    text = f"{what}{whose} {style(pair.difference or 0.0)}"
    return text if pair.interval is None else f"{text}; {ci(pair.interval, style, beside=0)}"


def _from(
    boards: Leaderboards, names: Names, top: LeaderboardRow, other: LeaderboardRow
) -> Comparison | None:
    for pair in boards.comparisons:
        if pair.source == names.primary and {pair.system_a, pair.system_b} == {
            top.system,
            other.system,
        }:
            return pair if pair.system_a == top.system else _turned(pair)
    return None


def _turned(pair: Comparison) -> Comparison:
    """Give the same pair from the other side."""
    interval = pair.interval and replace(
        pair.interval, low=-pair.interval.high, high=-pair.interval.low
    )
    difference = None if pair.difference is None else -pair.difference
    return replace(
        pair,
        system_a=pair.system_b,
        system_b=pair.system_a,
        difference=difference,
        interval=interval,
    )


def _leaves_out_zero(pair: Comparison) -> bool:
    return pair.interval is not None and not pair.interval.low <= 0 <= pair.interval.high


def _may_reverse(names: Names, difference: float, cases: int) -> bool:
    """Say whether so few cases could hide what outweighs this lead."""
    source = names.sources[names.primary]
    if source.low is None or source.high is None or source.low >= source.high:
        return False
    return could_outweigh(difference, source.high - source.low, cases)


_NAMED_ELSEWHERE: Final = 3
"""Systems that a sentence names; the table has all."""


def elsewhere(boards: Leaderboards, names: Names) -> str:
    """Say on each other dimension who leads, or what is undecided."""
    by_leaders: dict[str, list[str]] = {}
    for source in other_columns(names):
        text = _leading(boards, names, source.name)
        if text:
            by_leaders.setdefault(text, []).append(names.on_dimension(source.dimension or ""))
    return " ".join(f"On {listed(where)}, {text}." for text, where in by_leaders.items())


def _leading(boards: Leaderboards, names: Names, source: str) -> str:
    placed = [row for row in ordered(boards, names, source) if row.mean is not None and row.letters]
    if len(placed) < 2:  # noqa: PLR2004 - a lead needs another
        return ""
    top = placed[0]
    with_top = [row for row in placed[1:] if alike(row.letters, top.letters)]
    first = names.of_system(top.system)
    if not with_top:
        return f"{first} leads"
    group = [row.system for row in (top, *with_top)]
    others = [s for s in group[1:] if not harm_decides(boards, names, source, top.system, s)]
    if not others:
        return f"{first} differs from the others of its group in harm (harm by system)"
    if any(
        not alike(a.letters, b.letters) or harm_decides(boards, names, source, a.system, b.system)
        for a, b in combinations((top, *with_top), 2)
    ):
        shared = shared_cases(boards, names, source, [(top.system, system) for system in others])
        than = listed_few([names.of_system(system) for system in others], _NAMED_ELSEWHERE)
        more = comparative(names, source)
        return f"whether {first} is {more} than {than} is undecided{shared}"
    shared = shared_cases(boards, names, source, combinations(group, 2))
    if len(with_top) == len(placed) - 1:
        return f"differences between systems are undecided{shared}"
    order = listed_few([names.of_system(system) for system in group], _NAMED_ELSEWHERE)
    return f"the order of {order} at the top is undecided{shared}"


_BASIS: Final = ("leaderboard", "comparisons", "at-a-glance")
_PAIR: Final = 2
_NAMED: Final = 2
"""Systems that a sentence names; the table has all."""
_FEW_RATERS: Final = 8
"""With fewer a sentence says how many: the numbers are of these raters, and tell little of others.
"""


def leaders_finding(boards: Leaderboards, names: Names) -> Finding:
    """Say who leads by the primary source, as far as the groups allow."""
    text = _sentence(at_their_levels(boards, names), names)
    alone = len(names.system) == 1
    return Finding(
        FINDING, text, _BASIS, ReaderQuestion.FURTHER if alone else ReaderQuestion.BETTER
    )


def _sentence(boards: Leaderboards, names: Names) -> str:
    if names.primary not in names.sources:
        return "No system can be ranked: the study has no scores and no ratings to rank by."
    by = _by(boards, names)
    board = ordered(boards, names, names.primary)
    placed = [s for s in board if s.mean is not None]
    if not placed:
        why = next((f" {as_sentence(s.reason)}" for s in board if s.reason), "")
        return f"No system has a mean {by}, so none can be ranked.{why}"
    if len(placed) == 1:
        who, mean = names.of_system(placed[0].system), _mean_words(names, placed[0])
        return f"Only {who} has a mean {by} ({mean}), so systems cannot be ranked."
    unlinked = next((s.reason for s in placed if s.rank is None and s.reason), "")
    if unlinked and names.sources[names.primary].direction != "none":
        on = _on(names, placed)
        if not any(row.not_asked for row in placed):
            on = f"{count_of(names.cases, 'case')}"
        return f"Systems cannot be ranked {by} ({on}): {stopped(unlinked)}"
    text = _leaders(boards, names, placed, by) + _what_counts(boards, names, placed)
    without = len(board) - len(placed)
    if without:
        have = "has" if without == 1 else "have"
        text += f" {number_word(without).capitalize()} of {len(board)} systems {have} no mean."
    return f"{text} {elsewhere(boards, names)}".strip()


def _what_counts(boards: Leaderboards, names: Names, placed: list[LeaderboardRow]) -> str:
    """Say what the means that order the systems are, and which cases a comparison leaves out."""
    adjusted_for = {s.adjusted_for for s in placed if s.adjusted is not None}
    text = ""
    if "raters" in adjusted_for:
        text += " Systems met different raters, so means are adjusted for who rated."
    elif "allotted cases" in adjusted_for:
        text += " Cases were allotted by chance, so cases that only one system has count too."
    elif adjusted_for:
        text += " Not every system answered every case, so means are adjusted for case difficulty."
    if placed[0].letters and cases_alone(boards, names.primary):
        text += " Cases that only one of two systems has do not count in their comparison."
    if (part := names.level(FINDING, names.primary)) < LEVEL:
        text += (
            " The study did not name this ranking beforehand ([ranking] by in study.toml)."
            f" So it is tested at {100 * part:.2g}% (it shares 5% with other questions)."
        )
    return text


def _by(boards: Leaderboards, names: Names) -> str:
    """Say what ranks the systems: a dimension by its raters, or a metric."""
    column = names.sources[names.primary]
    if column.dimension is not None and column.method is not None:
        way = "" if column.method == "mean" else f" ({method_words(column.method)})"
        return f"on {names.on_dimension(column.dimension)} by {_who(boards)}{way}"
    return f"on {names.of_source(names.primary)}"


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
        return f"{models}, and no person"
    who = f"these {number_word(by.people)}" if few else f"{by.people}"
    return f"{who} {people} and {models}"


def _leaders(boards: Leaderboards, names: Names, placed: list[LeaderboardRow], by: str) -> str:
    top = placed[0]
    who, mean = names.of_system(top.system), _mean_words(names, top)
    most = "lowest" if names.sources[top.source].direction == "lower" else "highest"
    lead = f"{who} scored {most} {by} ({mean})."
    if not top.letters:
        return f"{lead} The systems were not compared by a test."
    with_top = [s for s in placed[1:] if alike(s.letters, top.letters)]
    behind = [s for s in placed[1:] if not alike(s.letters, top.letters)]
    apart = [s for s in with_top if harm_decides(boards, names, top.source, top.system, s.system)]
    undecided = not behind and not apart
    if undecided and len({(s.mean, s.adjusted) for s in placed}) == 1:
        many = "Both" if len(placed) == _PAIR else f"All {number_word(len(placed))}"
        on = _on(names, placed)
        return f"{many} systems have the same mean {by} ({_mean(names, top)}; {on}): none is ahead."
    if undecided and len(placed) > _PAIR:
        every = combinations([row.system for row in placed], 2)
        shared = shared_cases(boards, names, top.source, every)
        more = comparative(names, top.source)
        open_ = f"Whether it is {more} than any other system is undecided{shared}."
        similar = _similar(boards, names, top, placed[1:])
        parts = (lead, open_, differences(boards, names, placed), similar)
        return " ".join(filter(None, parts))
    if not with_top:
        lead = f"{who} leads {by} ({mean})."
        return f"{lead} {_ahead_of_all(boards, names, placed)}".strip()
    ahead = difference_ahead(boards, names, placed)
    similar = _similar(boards, names, top, [row for row in with_top if row not in apart])
    parts = (lead, _undecided(boards, names, placed, with_top, apart), ahead, similar)
    return " ".join(filter(None, parts))


def _ahead_of_all(boards: Leaderboards, names: Names, placed: list[LeaderboardRow]) -> str:
    """Say that the first is ahead of each other, and by how much of the next."""
    ahead = difference_ahead(boards, names, placed)
    if len(placed) == _PAIR:
        return ahead
    more = comparative(names, placed[0].source)
    return f"It is {more} than every other system (all pairs tested at once). {ahead}"


def _on(names: Names, rows: list[LeaderboardRow]) -> str:
    """Say on how many cases these means rest, and of how many where those are fewer."""
    if all(row.n >= names.cases for row in rows):
        return count_of(names.cases, "case")
    some, lacking = _from_to([row.n for row in rows]), any(lacks_value(row, names) for row in rows)
    if not any(row.not_asked for row in rows):
        return f"{some} of {count_of(names.cases, 'case')}"
    asked = [names.cases - row.not_asked for row in rows]
    noun, who = plural(max(asked), "case"), "it was" if len(rows) == 1 else "each was"
    of = f"{some} of the {_from_to(asked)}" if lacking else f"the {some}"
    return f"{of} {noun} that {who} asked"


def _from_to(counts: list[int]) -> str:
    fewest, most = min(counts), max(counts)
    return f"{most:,}" if fewest == most else f"{fewest:,} to {most:,}"


def _undecided(
    boards: Leaderboards,
    names: Names,
    placed: list[LeaderboardRow],
    with_top: list[LeaderboardRow],
    apart: list[LeaderboardRow],
) -> str:
    """Name those whom no test tells from the first, and those of them whom harm does."""
    top = placed[0]
    said = []
    if group := [row for row in with_top if row not in apart]:
        more = comparative(names, top.source)
        others = listed_few([names.of_system(row.system) for row in group], _NAMED)
        pairs = [(top.system, row.system) for row in group]
        shared = shared_cases(boards, names, top.source, pairs)
        gap = difference_from(boards, names, placed, group[0], named=len(group) > 1)
        gap = f" ({gap})" if gap else ""
        said.append(f"Whether it is {more} than {others} is undecided{shared}{gap}.")
    if apart:
        others = listed_few([names.of_system(row.system) for row in apart], _NAMED)
        word = names.harm_words.get(names.sources[top.source].dimension or "", "")
        bad, where = (
            (labelled([word]), "by system") if word else ("harmful answers", "harm by system")
        )
        said.append(f"Its share of {bad} differs from that of {others} ({where}, all answers).")
    return " ".join(said)


def _similar(
    boards: Leaderboards, names: Names, top: LeaderboardRow, group: list[LeaderboardRow]
) -> str:
    """Name those that lie within the margin of the first; empty where none is shown to."""
    level = names.level(FINDING, top.source)
    within = [r for r in group if boards.similar(top.source, top.system, r.system, level)]
    if not within:
        return ""
    who = listed_few([names.of_system(row.system) for row in within], _NAMED)
    margin = next(w.margin for w in boards.margins if w.source == top.source)
    verb = "is" if len(within) == 1 else "are"
    return f"{who} {verb} similar to {names.of_system(top.system)}, within a margin of {margin:g}."


def _mean_words(names: Names, standing: LeaderboardRow) -> str:
    """Print a mean with its interval, and on how many cases it rests."""
    style, text = names.style_of(names.primary), _mean(names, standing)
    if standing.interval is not None:
        text += f"; {ci(standing.interval, style)}"
    if standing.adjusted is not None:
        text += f"; adjusted {style(standing.adjusted)}"
    return f"{text}; {_on(names, [standing])}"


def _mean(names: Names, standing: LeaderboardRow) -> str:
    """Print a mean with the most that raters could give."""
    if standing.mean is None:
        return ""
    style, source = names.style_of(names.primary), names.sources[names.primary]
    best = f" of {source.high:g}" if source.kind == "consensus" and source.high is not None else ""
    return f"{style(standing.mean)}{best}"
