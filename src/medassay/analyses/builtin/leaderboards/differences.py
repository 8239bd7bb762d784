"""By how much the first system differs from others, with what the tests of pairs say."""

from collections.abc import Sequence
from dataclasses import replace

from medassay.analyses.builtin.leaderboards.shared import comparative, shared_cases
from medassay.analyses.inputs.system_boards import Leaderboards
from medassay.exhibits import Names
from medassay.exhibits.groups import alike
from medassay.exhibits.numbers import ci, number_word
from medassay.stats import could_outweigh
from medassay.validity import Comparison, LeaderboardRow

__all__ = ["difference_ahead", "difference_from", "differences"]


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
    who, more = names.of_system(other.system), comparative(names, top.source)
    shared = ""
    if any(row.adjusted is not None for row in placed):
        shared = shared_cases(boards, names, top.source, [(top.system, other.system)])
    text = f"It is {more} than {who}{shared} ({_difference(pair, names)})."
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
