"""When a rater stands apart from the others, and what an effect is called."""

from typing import Final

from medassay.exhibits.names import method_words
from medassay.validity import RaterDiagnostic

__all__ = ["CHANCE", "LIKE_THE_OTHERS", "effect_words", "stands_apart"]

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


def effect_words(effect: RaterDiagnostic) -> str:
    """Say which effect of a rater it is; of a competence, by which MACE."""
    if effect.kind == "competence":
        return f"competence, {method_words(effect.about)}"
    return effect.kind
