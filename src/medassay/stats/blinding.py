"""How far those who were blinded could tell what they saw, from what they guessed in the end."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from medassay.errors import InvalidInput, Problem
from medassay.stats.intervals import Interval
from medassay.stats.proportions import clopper_pearson

_TWO: Final = 2


@dataclass(frozen=True, slots=True)
class Guessed:
    """Guesses counted: right, wrong, and those whose rater had no idea."""

    right: int
    wrong: int
    no_idea: int = 0

    @property
    def total(self) -> int:
        """Count them all."""
        return self.right + self.wrong + self.no_idea


@dataclass(frozen=True, slots=True)
class BlindingIndex:
    """Bang's index.

    Attributes:
        value: From -1 / (systems - 1) to 1; 0 is what guessing by chance gives.
        interval: What is compatible with the guesses.
        standard_error: Bang's own, for large samples.
    """

    value: float
    interval: Interval
    standard_error: float


def bang_index(
    guessed: Guessed, systems: int, *, estimand: str, level: float = 0.95
) -> BlindingIndex:
    """How far beyond chance are guesses of what was seen right?

    (right - wrong / (systems - 1)) / all: 1 where every guess is right, 0 where guesses are by
    chance or nobody has an idea, below 0 where they are wrong more often than by chance. For two
    systems it is Bang's index of an arm; for more, a wrong guess counts for less, so that chance is
    0 again. The interval is exact for independent guesses: that of Clopper and Pearson for the
    share that is right, or, where some had no idea, those of the shares right and wrong together,
    each at half the error.

    Args:
        guessed: The guesses.
        systems: Among how many systems one guesses, 2 or more.
        estimand: What the interval is of.
        level: Its level.

    Raises:
        InvalidInput: Nobody guessed, or there is one system only.

    Source: Bang, Ni & Davis (2004), doi:10.1016/j.cct.2003.10.016.

    Example:
        >>> cholesterol = bang_index(Guessed(82, 25, 170), 2, estimand="the treated of CRISP")
        >>> round(cholesterol.value, 4), round(cholesterol.standard_error, 4)
        (0.2058, 0.0352)
    """
    if systems < _TWO or not guessed.total:
        got = f"{systems} systems, {guessed.total} guesses"
        raise InvalidInput(Problem("guesses", "be of two systems or more, and some", got))
    n, others = guessed.total, systems - 1
    right, wrong = guessed.right / n, guessed.wrong / n
    value = right - wrong / others
    variance = (right + wrong / others**2 - value**2) / n
    if guessed.no_idea:
        # Two bounds hold together where each errs at most half as often.
        half = (1 + level) / 2
        of_right = clopper_pearson(guessed.right, n, estimand=estimand, level=half)
        of_wrong = clopper_pearson(guessed.wrong, n, estimand=estimand, level=half)
        low, high = of_right.low - of_wrong.high / others, of_right.high - of_wrong.low / others
    else:
        share = clopper_pearson(guessed.right, n, estimand=estimand, level=level)
        low, high = (end - (1 - end) / others for end in (share.low, share.high))
    low, high = max(low, -1 / others), min(high, 1.0)
    interval = Interval(low, high, level, "exact", estimand)
    return BlindingIndex(value, interval, max(variance, 0.0) ** 0.5)


def bang_index_of_raters(
    by_rater: Sequence[Guessed], systems: int, *, estimand: str, level: float = 0.95
) -> BlindingIndex:
    """How far beyond chance are the guesses of a panel right, some of whose raters guess better?

    The index of all guesses together. Its interval reaches as far as that for independent guesses
    and as far as that of Student's t over the raters' own indices, whichever is further: guesses of
    one rater go together.

    Args:
        by_rater: The guesses of each rater who guessed.
        systems: Among how many systems one guesses.
        estimand: What the interval is of.
        level: Its level.

    Raises:
        InvalidInput: Nobody guessed, or there is one system only.

    Source: Bang, Ni & Davis (2004), doi:10.1016/j.cct.2003.10.016.

    Example:
        >>> panel = [Guessed(5, 0), Guessed(0, 5)]
        >>> index = bang_index_of_raters(panel, 2, estimand="a panel that falls apart")
        >>> index.value, index.interval.low, index.interval.high
        (0.0, -1.0, 1.0)
    """
    from scipy.special import stdtrit

    everything = Guessed(
        sum(one.right for one in by_rater),
        sum(one.wrong for one in by_rater),
        sum(one.no_idea for one in by_rater),
    )
    index = bang_index(everything, systems, estimand=estimand, level=level)
    if len(by_rater) < _TWO:
        return index
    own = [bang_index(one, systems, estimand=estimand).value for one in by_rater]
    error = float(np.std(own, ddof=1)) / len(own) ** 0.5
    reach = float(stdtrit(len(own) - 1, (1 + level) / 2)) * error
    low = max(min(index.interval.low, index.value - reach), -1 / (systems - 1))
    high = min(max(index.interval.high, index.value + reach), 1.0)
    wider = Interval(low, high, level, "exact, or t over raters where wider", estimand)
    return BlindingIndex(index.value, wider, index.standard_error)
