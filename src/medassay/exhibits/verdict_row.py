"""Rows of the register that has how often each verdict of a report was wrong when simulated."""

from enum import StrEnum
from typing import Final

__all__ = ["REGISTER", "VerdictRow", "measured_in"]

REGISTER: Final = "design/verdicts.md"
"""The register, in medassay's sources."""


class VerdictRow(StrEnum):
    """What a claim is called in the register: each claim of ours names one.

    A row has one line or more there: the verdict in its worst design, of each thing that makes it
    wrong.
    """

    ACCURACY = "accuracy"
    BLINDING = "blinding"
    CERTIFICATE = "certificate"
    CONFIDENCE = "confidence"
    CRITERIA = "criteria"
    DRIFT = "drift"
    FOLLOWS = "follows"
    GRADER = "grader"
    HARM_APART = "harm-apart"
    HARM_BOUND = "harm-bound"
    JURY = "jury"
    LEADS = "leads"
    LENGTH = "length"
    MONITOR = "monitor"
    NOT_WORSE = "not-worse"
    PERMIT = "permit"
    PREFERRED = "preferred"
    RELIABILITY = "reliability"
    REVERSED = "reversed"
    SHOWN = "shown"
    SIMILAR = "similar"
    STRICT = "strict"
    TARGET = "target"
    WORSE = "worse"


def measured_in(*rows: VerdictRow) -> str:
    """Say where a reader finds how often a verdict is wrong.

    Example:
        >>> measured_in(VerdictRow.WORSE, VerdictRow.NOT_WORSE)
        'How often this is wrong: worse, not-worse in design/verdicts.md'
    """
    return f"How often this is wrong: {', '.join(rows)} in {REGISTER}"
