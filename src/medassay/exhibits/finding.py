"""A finding: what an analysis found, in a sentence or a few, and which question it answers."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from medassay.exhibits.claim import Claim

__all__ = ["Finding", "ReaderQuestion", "in_reading_order"]


class ReaderQuestion(StrEnum):
    """What readers come for, in the order in which a report answers."""

    WHOSE = "whose"
    UNSAFE = "unsafe"
    BETTER = "better"
    DESCRIBED = "described"
    CONFIDENT = "confident"
    AGREEMENT = "agreement"
    METRICS = "metrics"
    MISSING = "missing"
    NEXT = "next"
    FURTHER = "further"

    @property
    def heading(self) -> str:
        """Name the question where its answer stands."""
        return _HEADINGS[self]


_HEADINGS: Final = {
    ReaderQuestion.WHOSE: "Whose labels",
    ReaderQuestion.UNSAFE: "Harm",
    ReaderQuestion.BETTER: "Which is better",
    ReaderQuestion.DESCRIBED: "Found",
    ReaderQuestion.CONFIDENT: "Confidence",
    ReaderQuestion.AGREEMENT: "Agreement",
    ReaderQuestion.METRICS: "Automatic metrics",
    ReaderQuestion.MISSING: "Missing",
    ReaderQuestion.NEXT: "What next",
    ReaderQuestion.FURTHER: "Also found",
}


_DO: Final = ("Draw", "Have", "Read")
"""What a sentence begins with that says what to do."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was found.

    Attributes:
        id: What it is about.
        text: One to three sentences that can stand alone.
        basis: The tables that hold its numbers, by their id.
        answers: The reader's question that it answers; what answers none stands behind.
        claims: Which verdicts it may carry, each with its p and the level at which it is tested.
        alarms: Whether it reports harm that raters found.
    """

    id: str
    text: str
    basis: tuple[str, ...]
    answers: ReaderQuestion = ReaderQuestion.FURTHER
    claims: tuple[Claim, ...] = ()
    alarms: bool = False

    @property
    def acts(self) -> bool:
        """Say whether its first sentence says what to do.

        Example:
            >>> Finding("harm-next", "Read the harmful answers.", (), ReaderQuestion.NEXT).acts
            True
            >>> Finding("plan", "20 cases detect 0.4.", (), ReaderQuestion.NEXT).acts
            False
        """
        return self.answers is ReaderQuestion.NEXT and self.text.partition(" ")[0] in _DO

    @property
    def rows(self) -> tuple[str, ...]:
        """List the rows of the register that have how often its verdicts are wrong."""
        return tuple(dict.fromkeys(claim.row.value for claim in self.claims if claim.row))


def in_reading_order(findings: list[Finding]) -> list[Finding]:
    """Put findings in the order of the questions; those of one question stay as they come.

    Example:
        >>> late = Finding("plan", "Ask more.", (), ReaderQuestion.NEXT)
        >>> early = Finding("harm", "None seen.", (), ReaderQuestion.UNSAFE)
        >>> [finding.id for finding in in_reading_order([late, early])]
        ['harm', 'plan']
    """
    order = list(ReaderQuestion)
    return sorted(findings, key=lambda finding: order.index(finding.answers))
