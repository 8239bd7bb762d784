"""When a rater stands apart from the others, and what an effect is called."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from medassay.exhibits.names import method_words
from medassay.stats import Interval
from medassay.validity import RaterDiagnostic

__all__ = ["CHANCE", "LIKE_THE_OTHERS", "effect_words", "farthest", "stands_apart"]

LIKE_THE_OTHERS: Final = {
    "severity": 0.0,
    "central tendency": 1.0,
    "halo": 0.0,
    "anchoring": 0.0,
    "drift": 0.0,
    "favouring": 0.0,
    "identical run": 0.0,
}
"""Kind of effect to the value of a rater who is like the others; the rest has no such value."""
CHANCE: Final = frozenset({"identical run"})
"""Kinds whose interval is not of the effect: it holds what chance makes."""


def stands_apart(effect: RaterDiagnostic) -> bool:
    """Say whether a rater stands apart: beyond the interval where the others, or chance, would be.

    Of kinds that have no value for 'like the others' nothing is said.
    """
    if effect.effect is None or effect.interval is None or effect.kind not in LIKE_THE_OTHERS:
        return False
    if effect.kind in CHANCE:
        return effect.effect > effect.interval.high
    return not effect.interval.low <= LIKE_THE_OTHERS[effect.kind] <= effect.interval.high


def farthest(
    effects: Sequence[RaterDiagnostic], kind: str
) -> tuple[RaterDiagnostic, float, Interval, int] | None:
    """Give the effect of a kind farthest from 0, its interval and how many there are, if it stands.

    The farthest of many leaves 0 out of its interval by luck: of twelve in 46 % of studies. So one
    stands where its p over all raters and dimensions says so too.
    """
    of_kind = [effect for effect in effects if effect.kind == kind]
    raters = Counter(effect.dimension for effect in of_kind)
    # Of two raters one is as strict as the other is mild: the first is told.
    first = {effect.dimension: effect for effect in reversed(of_kind)}
    tested = [
        (effect, effect.effect, effect.interval)
        for effect in of_kind
        if effect.effect is not None
        and effect.p is not None
        and (raters[effect.dimension] > 2 or first[effect.dimension] is effect)  # noqa: PLR2004
    ]
    standing = [
        (effect, value, around)
        for effect, value, around in tested
        if around is not None
        and effect.p is not None
        and effect.p <= 1 - around.level
        and stands_apart(effect)
    ]
    if not standing:
        return None
    effect, value, around = max(standing, key=lambda effect_of: abs(effect_of[1]))
    return effect, value, around, len(tested)


def effect_words(effect: RaterDiagnostic) -> str:
    """Say which effect of a rater it is; of a competence, by which MACE."""
    if effect.kind == "competence":
        return f"competence, {method_words(effect.about)}"
    return effect.kind
