"""By how much the first system differs from others, with what the tests of pairs say."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from medassay.analyses.inputs.system_boards import Leaderboards
from medassay.exhibits import Names
from medassay.exhibits.groups import alike
from medassay.exhibits.numbers import Style, listed, number_word, p_value
from medassay.stats import could_outweigh
from medassay.validity import Comparison, LeaderboardRow

__all__ = ["differences"]

_PAIR: Final = 2


def differences(
    boards: Leaderboards,
    names: Names,
    placed: Sequence[LeaderboardRow],
    own: str = "On the cases that both have, its mean",
) -> str:
    """Say by how much the first differs from the second, and from the first outside its group.

    Only of a system outside its group it says 'ahead'. Where none is, the difference from the last
    shows how much lies between all of them.

    Args:
        boards: With every pair of systems.
        names: Of systems and sources.
        placed: The systems with a mean, best first; two or more.
        own: What a sentence begins with where systems have cases of their own.

    Returns:
        Sentences; empty where no two have a case in common.
    """
    top = placed[0]
    apart = [row for row in placed[1:] if not alike(row.letters, top.letters)]
    within = [row for row in placed[1:2] if row not in apart]
    if not apart and placed[-1] not in within:
        within.append(placed[-1])
    adjusted = "adjusted " if len(placed) > _PAIR else ""
    sentences = [_within_group(boards, names, placed, within, adjusted, own)]
    if apart:
        sentences.append(_ahead(boards, names, top, apart[0], adjusted))
    return " ".join(sentence for sentence in sentences if sentence)


def _within_group(
    boards: Leaderboards,
    names: Names,
    placed: Sequence[LeaderboardRow],
    others: Sequence[LeaderboardRow],
    adjusted: str,
    begins: str,
) -> str:
    """Tell means whose order no test decides: which is higher and by how much, and no verdict."""
    pairs = [
        (row, pair)
        for row in others
        for pair in [_from(boards, names, placed[0], row)]
        if pair is not None and pair.difference is not None
    ]
    if not pairs:
        return ""
    style = names.style_of(names.primary)
    said = []
    for row, pair in pairs:
        last = row is placed[-1] and len(pairs) > 1
        whose = f"that of {names.of_system(row.system)}{', the last' if last else ''}"
        by = f"{',' if last else ''} by {style(abs(pair.difference))}" if pair.difference else ""
        said.append(f"{_stands(pair)} {whose}{by}{_tested(pair, style, adjusted)}")
    # Where systems had other cases the means above are not the ones that a pair compares.
    own = any(row.adjusted is not None for row in placed)
    if any(row.adjusted_for == "allotted cases" for row in placed):
        begins = "Its adjusted mean"
    text = f"{begins if own else 'Its mean'} is {listed(said)}."
    if adjusted and any(_leaves_out_zero(pair) for _, pair in pairs):
        many = number_word(len(placed) * (len(placed) - 1) // 2)
        text += f" Each interval is of one pair alone, an adjusted p of all {many}."
    return text


def _ahead(
    boards: Leaderboards, names: Names, top: LeaderboardRow, other: LeaderboardRow, adjusted: str
) -> str:
    """Say how far the first is ahead of the first outside its group."""
    pair = _from(boards, names, top, other)
    if pair is None or pair.difference is None or not _leaves_out_zero(pair):
        return ""
    style = names.style_of(names.primary)
    return (
        f"It is ahead of {names.of_system(other.system)} by {style(abs(pair.difference))}"
        f"{_tested(pair, style, adjusted)}"
        f"{_unseen(names, pair.difference, pair.n + pair.alone // 2)}."
    )


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


def _stands(pair: Comparison) -> str:
    if not pair.difference:
        return "the same as"
    return "lower than" if pair.difference < 0 else "higher than"


def _leaves_out_zero(pair: Comparison) -> bool:
    return pair.interval is not None and not pair.interval.low <= 0 <= pair.interval.high


def _tested(pair: Comparison, style: Style, adjusted: str) -> str:
    """Print interval and p; ends on both sides of 0 say on which each lies."""
    aside = []
    if pair.interval is not None:
        low, high = pair.interval.low, pair.interval.high
        if low < 0 < high:
            lower, higher = f"{style(-low)} lower", f"{style(high)} higher"
            ends = (lower, higher) if (pair.difference or 0) >= 0 else (higher, lower)
            aside.append(" to ".join(ends))
        else:
            low, high = sorted((abs(low), abs(high)))
            aside.append(f"{style(low)} to {style(high)}")
    if pair.p_adjusted is not None:
        aside.append(f"{adjusted}{p_value(pair.p_adjusted)}")
    return f" ({'; '.join(aside)})" if aside else ""


def _unseen(names: Names, difference: float, cases: int) -> str:
    """Say that so few cases could hide what outweighs this lead; empty where they could not."""
    source = names.sources[names.primary]
    if source.low is None or source.high is None or source.low >= source.high:
        return ""
    if not could_outweigh(difference, source.high - source.low, cases):
        return ""
    return (
        f"; heavy losses that few answers have, and {cases} cases need not show, could outweigh it"
    )
