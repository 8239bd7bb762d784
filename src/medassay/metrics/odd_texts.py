"""What a metric makes of texts that are no ordinary answers: declared, and held by a test."""

from collections.abc import Mapping
from typing import Final

from medassay.scores import Reason

__all__ = ["KINDS", "NOTHING_READ", "ODD_FOR_ENCODERS", "SCORED", "Odd", "describe_odd"]

Odd = Mapping[str, str]
"""A kind of text to what becomes of it: `scored`, `0`, or the word of a reason."""

SCORED: Final = "scored"
_UNDEFINED: Final = Reason.UNDEFINED.value

KINDS: Final = (
    "one word",
    "10,000 words",
    "other scripts",
    "emoji alone",
    "punctuation alone",
    "control characters alone",
    "the question again",
)
"""Empty answers and answers never given are declared beside these, for each metric."""

NOTHING_READ: Final[Odd] = dict.fromkeys(
    ("other scripts", "emoji alone", "punctuation alone", "control characters alone"), "0"
)
"""For metrics that read Latin letters and digits alone, or names of an English vocabulary."""

ODD_FOR_ENCODERS: Final[Odd] = {"control characters alone": _UNDEFINED}
"""For encoders: any letter is a piece, if an unknown one; a warning counts other scripts."""


def describe_odd(odd: Odd) -> list[str]:
    """Say what becomes of each kind, those with one outcome together.

    Example:
        >>> describe_odd(ODD_FOR_ENCODERS)[1]
        'control characters alone: no value (undefined)'
    """
    together: dict[str, list[str]] = {}
    for kind in KINDS:
        together.setdefault(odd.get(kind, SCORED), []).append(kind)
    return [f"{', '.join(kinds)}: {_in_words(outcome)}" for outcome, kinds in together.items()]


def _in_words(outcome: str) -> str:
    if outcome == SCORED:
        return "scored as any other text"
    return "0" if outcome == "0" else f"no value ({outcome.replace('_', ' ')})"
