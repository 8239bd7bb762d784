"""The sentence about who leads, and what is undecided.

By how much the first system differs from others, with what the tests of pairs say.

The sentence about who leads on the dimensions that do not order the leaderboard.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from math import inf
from typing import Final

import numpy as np

from medassay.analyses.builtin.harm_by_system import labelled
from medassay.analyses.inputs.system_boards import NO_LEADERBOARDS, Leaderboards
from medassay.analyses.inputs.system_harm import HarmFound, harm_differs
from medassay.analyses.results.whole import Records
from medassay.exhibits import Claim, Names, VerdictKind, VerdictRow
from medassay.exhibits.claim import LEVEL, Finding, ReaderQuestion, to_check
from medassay.exhibits.columns import Shown, shown
from medassay.exhibits.names import ScoreColumn, method_words
from medassay.exhibits.numbers import Style, ci, count_of, listed, listed_few, number_word, plural
from medassay.exhibits.sentences import alike, as_sentence, in_letters, stopped
from medassay.stats import compact_letters
from medassay.validity import Comparison, LeaderboardRow

_BY_CASE: Final = (
    "Adjusted: the mean as if on all cases (least squares, system + case, cut where the scale "
    "ends); order and ranks go by it. Groups compare pairs on the cases that both have."
)
_ALLOTTED: Final = (
    "Cases were allotted by chance (study.toml), so all count: adjusted is the mean with cases "
    "as a random effect (cut where the scale ends); order, ranks and groups go by it."
)


def lacks_value(row: LeaderboardRow, names: Names) -> bool:
    """Say whether a system has no value on a ranking case that it was asked."""
    return row.n < names.cases - row.not_asked


def any_adjusted(chosen: Iterable[LeaderboardRow]) -> bool:
    """Say whether means adjusted by case order some of these systems."""
    return any(s.adjusted is not None for s in chosen)


def adjusted_column(style: Style) -> Shown[LeaderboardRow]:
    """Declare the column of means adjusted by case."""
    same = "All systems have the same cases: it is the mean."
    return shown("Adjusted", "adjusted", style, why_not=lambda row: row.reason or same)


def board_words(chosen: Iterable[LeaderboardRow]) -> str:
    """Say what the adjusted means of a leaderboard are; nothing where there are none."""
    each = list(chosen)
    if not any_adjusted(each):
        return ""
    lines = []
    if any(s.adjusted is not None and s.adjusted_for == "raters" for s in each):
        lines.append(
            "Where raters met the systems unevenly, adjusted is what the mean would be had all met "
            "the same raters (each as often as they judged the whole); order, ranks and groups go "
            "by it."
        )
    if any(s.adjusted is not None and s.adjusted_for == "cases" for s in each):
        lines.append(_BY_CASE)
    if any(s.adjusted is not None and s.adjusted_for == "allotted cases" for s in each):
        lines.append(_ALLOTTED)
    return " ".join(lines)


def unranked_words(chosen: Sequence[LeaderboardRow], source: ScoreColumn) -> str:
    """Say why nobody has a rank though there are means; nothing where there is no reason."""
    reason = next((s.reason for s in chosen if s.mean is not None and s.rank is None), "")
    return f"Nobody is ranked: {reason}." if reason and source.direction != "none" else ""


def leaderboards_in(records: Records) -> Leaderboards:
    """Give the leaderboards of a run; none where it was not asked for them."""
    boards: Leaderboards = records.get("leaderboards", NO_LEADERBOARDS)
    return boards


def prints_letters(boards: Leaderboards) -> bool:
    """Say whether groups are printed as letters: no column has more than fit beside each other."""
    return in_letters((row.source, row.letters) for row in boards.standings)


def ordered(boards: Leaderboards, names: Names, source: str) -> list[LeaderboardRow]:
    """Sort the standings of a source, best first; systems without a mean last."""
    place = {system: i for i, system in enumerate(names.system)}
    own = boards.by(source)
    better = names.sources[source].direction if source in names.sources else "none"
    # Where nobody may be ranked, an order by the means would rank all the same.
    unordered = better != "none" and any(s.reason and s.mean is not None for s in own if not s.rank)

    def key(standing: LeaderboardRow) -> tuple[float, float, int]:
        worst = inf if standing.mean is None else standing.mean
        mean = worst if better == "lower" or standing.mean is None else -worst
        mean = 0.0 if unordered and standing.mean is not None else mean
        rank = inf if standing.rank is None else standing.rank
        return (rank, mean, place.get(standing.system, len(place)))

    return sorted(own, key=key)


FINDING = "leaders"
HARM = "harm"
_MOST = 4
"""Other dimensions that the sentence names; the first table has all."""


def other_columns(names: Names) -> list[ScoreColumn]:
    """Give the columns beside the primary one whose leaders are told."""
    primary = names.sources.get(names.primary)
    if primary is None:
        return []
    others = [
        source
        for source in names.sources.values()
        if (source.kind, source.method) == ("consensus", primary.method)
        and source.name != primary.name
    ]
    return others[:_MOST]


def leaders_claims(boards: Leaderboards, names: Names) -> Iterator[Claim]:
    """Give the primary question where the study asked it, each other column, margins, and harm."""
    first = VerdictKind.PRIMARY if names.asked else VerdictKind.CLAIM
    told = [(names.primary, first)] if names.primary in names.sources else []
    told += [(source.name, VerdictKind.CLAIM) for source in other_columns(names)]
    for source, kind in told:
        pairs = [pair.p_adjusted for pair in boards.comparisons if pair.source == source]
        if pairs and any(row.letters for row in boards.by(source)):
            yield Claim.of(FINDING, source, kind, pairs, row=VerdictRow.LEADS)
    if any(within.source == source for source, _ in told for within in boards.margins):
        own, row = VerdictKind.OWN_RATE, VerdictRow.SIMILAR
        yield Claim.of(FINDING, "similar within a margin", own, row=row)
    if boards.harm_p is not None:
        row = VerdictRow.HARM_APART
        yield Claim.of(FINDING, HARM, VerdictKind.WARNING, [boards.harm_p], row=row)


def at_their_levels(boards: Leaderboards, names: Names) -> Leaderboards:
    """Give the leaderboards with the groups that the tests support at each column's level.

    Two systems share a group, whatever their test says, where rare large losses that so few cases
    may not show could reverse their difference: no test of what the cases show can tell.
    """
    told = [names.primary, *(source.name for source in other_columns(names))]
    for source in told:
        level = names.level(FINDING, source)
        pairs = [pair for pair in boards.comparisons if pair.source == source]
        if level != LEVEL or any(_may_reverse(boards, names, pair) for pair in pairs):
            boards = _regrouped(boards, names, source, level)
    return boards


def _regrouped(boards: Leaderboards, names: Names, source: str, level: float) -> Leaderboards:
    """Join the groups of pairs that this level does not tell apart."""
    grouped = [row for row in ordered(boards, names, source) if row.letters]
    place = {row.system: at for at, row in enumerate(grouped)}
    apart = np.zeros((len(grouped), len(grouped)), dtype=np.bool_)
    for pair in boards.comparisons:
        if pair.source == source and {pair.system_a, pair.system_b} <= place.keys():
            a, b = place[pair.system_a], place[pair.system_b]
            stands = pair.p_adjusted is not None and pair.p_adjusted <= level
            stands = stands and not _may_reverse(boards, names, pair)
            apart[a, b] = stands and not alike(grouped[a].letters, grouped[b].letters)
    letters = dict(zip(place, compact_letters(apart | apart.T), strict=True))
    rows = [
        replace(row, letters=letters[row.system]) if row.source == source and row.letters else row
        for row in boards.standings
    ]
    return replace(boards, standings=tuple(rows))


Pair = tuple[str, str]

_NEARLY_ALL: Final = 0.9


def apart_by_harm(harm: HarmFound) -> tuple[tuple[str, str, str], ...]:
    """Give every dimension and two systems whose shares of harm on it a test tells apart."""
    return tuple(
        sorted(
            {
                (dimension, min(pair.system_a, pair.system_b), max(pair.system_a, pair.system_b))
                for (dimension, _), pairs in harm.pairs.items()
                for pair in pairs
                if harm_differs(pair)
            }
        )
    )


def smallest_p(harm: HarmFound) -> float | None:
    """Give the smallest p of all pairs' tests of harm; None where none was tested."""
    every = (pair.p_adjusted for own in harm.pairs.values() for pair in own)
    return min((p for p in every if p is not None), default=None)


def harm_decides(boards: Leaderboards, names: Names, source: str, a: str, b: str) -> bool:
    """Say whether the table of harm decides between two systems on a column's dimension."""
    return (names.sources[source].dimension, *sorted((a, b))) in boards.apart_by_harm


def comparative(names: Names, source: str) -> str:
    """Say how the first of a column differs from who comes after it."""
    return "higher" if names.sources[source].direction == "none" else "better"


def shared_cases(boards: Leaderboards, names: Names, source: str, pairs: Iterable[Pair]) -> str:
    """Say on how many cases these pairs of systems were compared; empty where none was.

    Where cases were allotted by chance those count that either of two has. Else the most that two
    systems can share are the study's ranking cases: then they are the same ones.
    """
    wanted = {frozenset(pair) for pair in pairs}
    shared = [
        (pair.n, pair.alone)
        for pair in boards.comparisons
        if pair.source == source and frozenset((pair.system_a, pair.system_b)) in wanted
    ]
    if not shared:
        return ""
    several = len(wanted) > 1
    if any(alone for _, alone in shared):
        every = [both + alone for both, alone in shared]
        of = "either of each two has" if several else "either has"
        return f" on the {_cases_from_to(every)} that {of}"
    counts = [both for both, _ in shared]
    fewest, most = min(counts), max(counts)
    if fewest == most == names.cases:
        return f" on the same {count_of(most, 'case')}"
    return f" on the {_cases_from_to(counts)} that {'each two of them' if several else 'both'} have"


def cases_alone(boards: Leaderboards, source: str) -> bool:
    """Say whether a comparison leaves out many cases, over a tenth, that one system alone has.

    Not where cases were allotted by chance, nor where raters are adjusted for: all count there.
    """
    rows = {row.system: row for row in boards.by(source)}
    return any(
        pair.n < _NEARLY_ALL * max(rows[pair.system_a].n, rows[pair.system_b].n) and not pair.alone
        for pair in boards.comparisons
        if pair.source == source and pair.p is not None
    ) and not any(row.adjusted_for == "raters" for row in rows.values())


def _cases_from_to(counts: list[int]) -> str:
    fewest, most = min(counts), max(counts)
    return count_of(most, "case") if fewest == most else f"{fewest:,} to {most:,} cases"


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
        said.append(f"The next system is {names.of_system(second.system)} ({near}).")
    if far and last is not second:
        said.append(f"The last system is {names.of_system(last.system)} ({far}).")
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
    pair = _from(boards, placed[0], other)
    if pair is None or pair.difference is None:
        return ""
    text = _difference(pair, names, f" from {names.of_system(other.system)}" if named else "")
    if not _leaves_out_zero(pair):
        return text
    level = names.level(FINDING, pair.source)
    stands = pair.p_adjusted is not None and pair.p_adjusted <= level
    if stands and _may_reverse(boards, names, pair):
        of = "clusters of cases" if pair.clusters == pair.seen < pair.n + pair.alone else "cases"
        return f"{text}; rare large losses that {pair.seen} {of} may not show could reverse it"
    if not stands and _stands_alone(pair):
        return f"{text}; {names.undecided(FINDING, pair.source, pair.p_adjusted)}"
    pairs = len(placed) * (len(placed) - 1) // 2
    if pairs == 1:
        return f"{text}, which the test of the two does not confirm"
    return f"{text} for this pair alone; undecided once corrected for {number_word(pairs)} pairs"


def difference_ahead(boards: Leaderboards, names: Names, placed: Sequence[LeaderboardRow]) -> str:
    """Say how far the first is ahead of the first outside its group; empty where nobody is."""
    top = placed[0]
    other = next((row for row in placed[1:] if not alike(row.letters, top.letters)), None)
    pair = None if other is None else _from(boards, top, other)
    if other is None or pair is None or pair.difference is None or not _leaves_out_zero(pair):
        return ""
    shared = ""
    if any(row.adjusted is not None for row in placed):
        shared = shared_cases(boards, names, top.source, [(top.system, other.system)])
    beside = f"{names.of_system(other.system)}{shared} ({_difference(pair, names)})"
    better = comparative(names, top.source) == "better"
    return f"It is better than {beside}." if better else f"It is higher than {beside}."


def _difference(pair: Comparison, names: Names, whose: str = "") -> str:
    style = names.style_of(pair.source)
    what = "adjusted difference" if pair.alone else "difference"
    text = f"{what}{whose} {style(pair.difference or 0.0)}"
    return text if pair.interval is None else f"{text}; {ci(pair.interval, style, beside=0)}"


def _from(boards: Leaderboards, top: LeaderboardRow, other: LeaderboardRow) -> Comparison | None:
    for pair in boards.comparisons:
        if pair.source == top.source and {pair.system_a, pair.system_b} == {
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


def _stands_alone(pair: Comparison) -> bool:
    """Say whether the test of a pair passes at 5%, before questions share that rate."""
    return pair.p_adjusted is not None and pair.p_adjusted <= LEVEL


def _leaves_out_zero(pair: Comparison) -> bool:
    return pair.interval is not None and not pair.interval.low <= 0 <= pair.interval.high


def _may_reverse(boards: Leaderboards, names: Names, pair: Comparison) -> bool:
    """Say whether so few cases could hide what outweighs a lead (simulations/plain-verdicts.md)."""
    source, level = names.sources[pair.source], names.level(FINDING, pair.source)
    compared = sum(bool(row.letters) for row in boards.by(pair.source))
    return pair.may_reverse(source.low, source.high, compared, level=level)


_NAMED_ELSEWHERE: Final = 3
"""Systems that a sentence names; the table has all."""


def elsewhere(boards: Leaderboards, names: Names) -> str:
    """Say on each other dimension who leads, or what is undecided; the table has the cases."""
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
        how = "still to confirm by reading its answers"
        return f"{first} differs from its group in harm: {how} (harm by system)"
    gap = _gap_not_told(boards, names, placed, [row for row in with_top if row.system in others])
    if any(
        not alike(a.letters, b.letters) or harm_decides(boards, names, source, a.system, b.system)
        for a, b in combinations((top, *with_top), 2)
    ):
        than = listed_few([names.of_system(system) for system in others], _NAMED_ELSEWHERE)
        more = comparative(names, source)
        return f"whether {first} is {more} than {than} is undecided{gap}"
    gap = gap.replace("(", f"({first}: ", 1)
    if len(with_top) == len(placed) - 1:
        return f"differences between systems are undecided{gap}"
    order = listed_few([names.of_system(system) for system in group], _NAMED_ELSEWHERE)
    return f"the order of {order} at the top is undecided{gap}"


def _gap_not_told(
    boards: Leaderboards,
    names: Names,
    placed: Sequence[LeaderboardRow],
    group: Sequence[LeaderboardRow],
) -> str:
    """Print the largest difference from the first that the shared rate, or the scale, leaves open.

    Only where its test would have told it apart alone: what no test tells needs no number here.
    """
    for row in reversed(group):
        pair = _from(boards, placed[0], row)
        if pair is not None and _stands_alone(pair) and _leaves_out_zero(pair):
            return f" ({difference_from(boards, names, placed, row, named=True)})"
    return ""


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
    what, raters = _by(boards, names)
    by = f"{what} by {raters}" if raters else what
    board = ordered(boards, names, names.primary)
    placed = [s for s in board if s.mean is not None]
    if not placed:
        why = next((f" {as_sentence(s.reason)}" for s in board if s.reason), "")
        return f"No system has a mean on {by}, so none can be ranked.{why}"
    if len(placed) == 1:
        who, mean = names.of_system(placed[0].system), _mean_words(names, placed[0])
        return f"Only {who} has a mean on {by} ({mean}), so systems cannot be ranked."
    unlinked = next((s.reason for s in placed if s.rank is None and s.reason), "")
    if unlinked and names.sources[names.primary].direction != "none":
        on = _on(names, placed)
        if not any(row.not_asked for row in placed):
            on = f"{count_of(names.cases, 'case')}"
        return f"Systems cannot be ranked on {by} ({on}): {stopped(unlinked)}"
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


def _by(boards: Leaderboards, names: Names) -> tuple[str, str]:
    """Say what ranks the systems: a dimension and its raters, or a metric and nobody."""
    column = names.sources[names.primary]
    if column.dimension is not None and column.method is not None:
        way = "" if column.method == "mean" else f" ({method_words(column.method)})"
        return names.on_dimension(column.dimension), f"{_who(boards)}{way}"
    return names.of_source(names.primary), ""


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
    lead = _scored(boards, names, top)
    if not top.letters:
        return f"{lead} The systems were not compared by a test."
    with_top = [s for s in placed[1:] if alike(s.letters, top.letters)]
    behind = [s for s in placed[1:] if not alike(s.letters, top.letters)]
    apart = [s for s in with_top if harm_decides(boards, names, top.source, top.system, s.system)]
    undecided = not behind and not apart
    if undecided and len({(s.mean, s.adjusted) for s in placed}) == 1:
        many = "Both" if len(placed) == _PAIR else f"All {number_word(len(placed))}"
        on = _on(names, placed)
        return (
            f"{many} systems have the same mean on {by} ({_mean(names, top)}; {on}): none is ahead."
        )
    if undecided and len(placed) > _PAIR:
        every = combinations([row.system for row in placed], 2)
        shared = shared_cases(boards, names, top.source, every)
        more = comparative(names, top.source)
        open_ = f"Whether it is {more} than any other system is undecided{shared}."
        similar = _similar(boards, names, top, placed[1:])
        parts = (lead, open_, differences(boards, names, placed), similar)
        return " ".join(filter(None, parts))
    if not with_top:
        lead = f"{who} leads on {by} ({mean})."
        return f"{lead} {_ahead_of_all(boards, names, placed)}".strip()
    ahead = difference_ahead(boards, names, placed)
    similar = _similar(boards, names, top, [row for row in with_top if row not in apart])
    parts = (lead, _undecided(boards, names, placed, with_top, apart), ahead, similar)
    return " ".join(filter(None, parts))


def _scored(boards: Leaderboards, names: Names, top: LeaderboardRow) -> str:
    who, mean, (what, raters) = (
        names.of_system(top.system),
        _mean_words(names, top),
        _by(boards, names),
    )
    column = names.sources[top.source]
    best, low = column.dimension in names.best_ends, column.direction == "lower"
    if not raters:
        return f"{who} scored {'lowest' if low else 'highest'} on the metric {what} ({mean})."
    if best:
        return f"{who} scored best on {what} by {raters} ({mean})."
    if low:
        return f"{who} scored lowest on {what} by {raters} ({mean})."
    return f"{who} scored highest on {what} by {raters} ({mean})."


def _ahead_of_all(boards: Leaderboards, names: Names, placed: list[LeaderboardRow]) -> str:
    """Say that the first is ahead of each other, and by how much of the next."""
    ahead = difference_ahead(boards, names, placed)
    if len(placed) == _PAIR:
        return ahead
    more = comparative(names, placed[0].source)
    return f"It is {more} than every other system (corrected for all pairs). {ahead}"


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
        differs = f"its share of {bad} differs from that of {others} ({where}, all answers)."
        said.append(to_check(differs))
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
    adjusted = "" if standing.adjusted is None else style(standing.adjusted)
    if adjusted and standing.mean is not None and adjusted != style(standing.mean):
        text += f"; adjusted {adjusted}"
    return f"{text}; {_on(names, [standing])}"


def _mean(names: Names, standing: LeaderboardRow) -> str:
    """Print a mean with the most that raters could give."""
    if standing.mean is None:
        return ""
    style, source = names.style_of(names.primary), names.sources[names.primary]
    best = f" of {source.high:g}" if source.kind == "consensus" and source.high is not None else ""
    return f"{style(standing.mean)}{best}"
