"""When a rater stands apart from the others, and what an effect is called."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from medassay.exhibits.names import method_words
from medassay.stats import Interval, holm
from medassay.validity import RaterDiagnostic

__all__ = ["CHANCE", "LIKE_THE_OTHERS", "effect_words", "stands_apart", "strictest_or_mildest"]

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


def strictest_or_mildest(
    effects: Sequence[RaterDiagnostic], cases: int
) -> tuple[RaterDiagnostic, float, Interval, int] | None:
    """Give the severity farthest from 0, its interval and how many there are, where it stands.

    The farthest of many leaves 0 out of its interval by luck: of twelve in 46 % of studies. So the
    errors that intervals show are tested by t, with one degree less than the rater has labels or
    the study cases, and one stands after Holm over all raters and dimensions.
    """
    from scipy.special import ndtri, stdtr

    severities = [effect for effect in effects if effect.kind == "severity"]
    raters = Counter(effect.dimension for effect in severities)
    # Of two raters one is as strict as the other is mild: the first is told.
    first = {effect.dimension: effect for effect in reversed(severities)}
    known = [
        (effect, effect.effect, effect.interval)
        for effect in severities
        if effect.effect is not None
        and effect.interval is not None
        and (raters[effect.dimension] > 2 or first[effect.dimension] is effect)  # noqa: PLR2004
    ]
    if not known:
        return None
    p = []
    for effect, value, around in known:
        # The end toward 0 is the one that counts.
        error = (value - around.low if value > 0 else around.high - value) / float(
            ndtri((1 + around.level) / 2)
        )
        free = max(1, min(effect.n, cases) - 1)
        p.append(2 * float(stdtr(free, -abs(value) / error)) if error > 0 else 1.0)
    standing = [
        effect_of
        for effect_of, adjusted in zip(known, holm(p), strict=True)
        if adjusted <= 1 - effect_of[2].level and stands_apart(effect_of[0])
    ]
    if not standing:
        return None
    effect, value, around = max(standing, key=lambda effect_of: abs(effect_of[1]))
    return effect, value, around, len(known)


def effect_words(effect: RaterDiagnostic) -> str:
    """Say which effect of a rater it is; of a competence, by which MACE."""
    if effect.kind == "competence":
        return f"competence, {method_words(effect.about)}"
    return effect.kind
