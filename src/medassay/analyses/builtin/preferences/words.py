"""The sentence about what raters preferred side by side."""

from collections.abc import Iterator, Sequence

from medassay.analyses.builtin.preferences.record import PreferredOn
from medassay.consensus import SystemTally
from medassay.exhibits import Claim, Names, VerdictKind, VerdictRow
from medassay.exhibits.claim import LEVEL, implied_p
from medassay.exhibits.finding import Finding
from medassay.exhibits.names import slug
from medassay.exhibits.numbers import PROPORTION, bounds, count_of, level

__all__ = ["preference_claims", "preference_finding", "stands_out"]

_EVEN = 0.5
_FINDING = "preferences"


def preference_claims(dimensions: Sequence[PreferredOn]) -> Iterator[Claim]:
    """Claim that a system is preferred, on the first dimension on which anybody chose."""
    preferred_on = _first(dimensions)
    if preferred_on is not None:
        p = [_luck(preferred_on.standings)]
        yield Claim.of(
            _FINDING, preferred_on.dimension, VerdictKind.CLAIM, p, row=VerdictRow.PREFERRED
        )


def preference_finding(dimensions: Sequence[PreferredOn], names: Names) -> Finding | None:
    """Say which system was preferred most often, and whether more than half of the time.

    It speaks of the first dimension on which anybody made a choice.
    """
    preferred_on = _first(dimensions)
    if preferred_on is None:
        return None
    return Finding(
        _FINDING, _said(preferred_on, names), (f"preferences-{slug(preferred_on.dimension)}",)
    )


def _first(dimensions: Sequence[PreferredOn]) -> PreferredOn | None:
    valued = (p for p in dimensions if any(s.win_share is not None for s in p.standings))
    return next(valued, None)


def stands_out(standings: Sequence[SystemTally], level: float = LEVEL) -> SystemTally | None:
    """Give the system that was preferred more than half of the time, all of them tried, if any."""
    shares = [(s.win_share, s) for s in standings if s.win_share is not None]
    share, top = max(shares, key=lambda item: item[0])
    around = top.interval
    if around is None or around.low <= _EVEN or sum(value == share for value, _ in shares) > 1:
        return None
    luck = _luck(standings)
    return top if luck is not None and luck <= level else None


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
    elif (
        top.interval
        and stands_out(preferred_on.standings, names.level(_FINDING, preferred_on.dimension))
        is None
    ):
        text += f"; the largest of {len(shares)} shares may be as high by luck"
    return f"{' '.join(text.split())}."


def _luck(standings: Sequence[SystemTally]) -> float | None:
    """Give the p of the largest of so many shares against one half, all of them tried.

    Of two systems one share is the other turned round, and one is tried.
    """
    shares = [(s.win_share, s) for s in standings if s.win_share is not None]
    share, top = max(shares, key=lambda item: item[0])
    p = implied_p(share, top.interval, _EVEN)
    tried = len(shares) if len(shares) > 2 else 1  # noqa: PLR2004 - two are one
    return None if p is None else min(1.0, tried * p)
