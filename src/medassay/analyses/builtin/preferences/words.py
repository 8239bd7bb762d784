"""The sentence about what raters preferred side by side."""

from collections.abc import Sequence

from medassay.analyses.builtin.preferences.record import PreferredOn
from medassay.consensus import SystemTally
from medassay.exhibits import Names
from medassay.exhibits.finding import Finding
from medassay.exhibits.names import slug
from medassay.exhibits.numbers import PROPORTION, bounds, count_of, level
from medassay.stats import Interval

__all__ = ["preference_finding", "stands_out"]

_EVEN = 0.5


def preference_finding(dimensions: Sequence[PreferredOn], names: Names) -> Finding | None:
    """Say which system was preferred most often, and whether more than half of the time.

    It speaks of the first dimension on which anybody made a choice.
    """
    valued = (p for p in dimensions if any(s.win_share is not None for s in p.standings))
    preferred_on = next(valued, None)
    if preferred_on is None:
        return None
    return Finding(
        "preferences", _said(preferred_on, names), (f"preferences-{slug(preferred_on.dimension)}",)
    )


def stands_out(standings: Sequence[SystemTally]) -> SystemTally | None:
    """Give the system that was preferred more than half of the time, all of them tried, if any."""
    shares = [(s.win_share, s) for s in standings if s.win_share is not None]
    share, top = max(shares, key=lambda item: item[0])
    around = top.interval
    if around is None or around.low <= _EVEN or sum(value == share for value, _ in shares) > 1:
        return None
    return top if _stands(share, around, len(shares)) else None


def _said(preferred_on: PreferredOn, names: Names) -> str:
    shares = [(s.win_share, s) for s in preferred_on.standings if s.win_share is not None]
    share, top = max(shares, key=lambda item: item[0])
    seen = f"Side by side ({count_of(preferred_on.n, 'comparison')})"
    if sum(value == share for value, _ in shares) > 1:
        return f"{seen}, no system was preferred more often than every other."
    text = (
        f"{seen}, {names.of_system(top.system)} was preferred most often: in "
        f"{PROPORTION(share)} {bounds(top.interval)} of its {count_of(top.n, 'comparison')}, ties "
        "counting one half"
    )
    if top.interval and top.interval.low <= _EVEN:
        text += f"; the {level(top.interval)} interval includes one half"
    elif top.interval and stands_out(preferred_on.standings) is None:
        text += f"; the largest of {len(shares)} shares may be as high by luck"
    return f"{' '.join(text.split())}."


def _stands(share: float, around: Interval, systems: int) -> bool:
    """Say whether the largest of so many shares is above one half, all of them tried.

    Of two systems one share is the other turned round, and one is tried. The error is what the
    interval's lower end shows.
    """
    from scipy.special import ndtr, ndtri

    if share <= around.low:
        return True  # every resample gave the same
    error = (share - around.low) / float(ndtri((1 + around.level) / 2))
    tried = systems if systems > 2 else 1  # noqa: PLR2004 - two are one
    return tried * 2 * float(ndtr((_EVEN - share) / error)) <= 1 - around.level
