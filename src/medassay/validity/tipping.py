"""How many of the answers that nobody judged could turn who is ahead?"""

from dataclasses import dataclass

__all__ = ["Judged", "fewest_to_turn"]

_SLACK = 1e-9


@dataclass(frozen=True, slots=True)
class Judged:
    """What is known of one system's answers.

    Attributes:
        total: The sum of its values.
        n: How many answers have one.
        unjudged: How many were asked of raters and have none.
    """

    total: float
    n: int
    unjudged: int


def fewest_to_turn(ahead: Judged, behind: Judged, low: float, high: float) -> int | None:
    """Count the unjudged answers that would have to go against what was found.

    The fewest i + j for which the mean of the one ahead, i more answers of it at the low end, is no
    longer above that of the other, j more answers of it at the high end. The rest of the unjudged
    answers stays out.

    Args:
        ahead: The system with the higher mean.
        behind: The other one.
        low: The lowest value there is.
        high: The highest.

    Returns:
        None where all unjudged answers together cannot turn it, or nothing is known of one.

    Source: Tipping points: Yan, Lee & Li (2009), doi:10.1080/10543400903242761.

    Example:
        >>> fewest_to_turn(Judged(18, 20, 0), Judged(4, 20, 14), 0, 1) is None
        True
        >>> fewest_to_turn(Judged(8, 20, 0), Judged(4, 20, 14), 0, 1)  # 11 of 27 against 8 of 20
        7
    """
    if not ahead.n or not behind.n:
        return None
    turning = [
        i + j
        for i in range(ahead.unjudged + 1)
        for j in [_needed((ahead.total + i * low) / (ahead.n + i), behind, high)]
        if j is not None
    ]
    return min(turning, default=None)


def _needed(mean: float, behind: Judged, high: float) -> int | None:
    """Count the answers at the high end that lift a mean to another; None if too few are left."""
    for j in range(behind.unjudged + 1):
        if (behind.total + j * high) / (behind.n + j) >= mean - _SLACK:
            return j
    return None
