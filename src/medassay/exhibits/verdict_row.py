"""Rows of the register that has how often each verdict of a report was wrong when simulated."""

from enum import StrEnum
from typing import Final

__all__ = ["REGISTER", "VerdictRow"]

REGISTER: Final = "design/verdicts.md"
"""The register, in medassay's sources."""


class VerdictRow(StrEnum):
    """What a claim is called in the register: each claim of ours names one.

    A row has one line or more there: the verdict in its worst design, of each thing that makes it
    wrong.
    """

    ACCURACY = "accuracy"
    BLINDING = "blinding"
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
    PERMIT = "permit"
    PREFERRED = "preferred"
    REVERSED = "reversed"
    SHOWN = "shown"
    STRICT = "strict"
    TARGET = "target"
