"""What a judge says of one statement, and what every judge must do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeAlias

__all__ = ["Judge", "Question", "SupportFinding", "SupportVerdict"]

Question: TypeAlias = tuple[str, Sequence[str]]
"""A statement, and the sentences of evidence that it is held against."""


class SupportVerdict(StrEnum):
    """How a statement stands to the evidence."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    NOT_FOUND = "not found"


@dataclass(frozen=True, slots=True)
class SupportFinding:
    """A verdict with the sentence that decides.

    Attributes:
        verdict: Supported, contradicted or not found.
        decided_by: The place of the deciding sentence among the evidence; None where there is none.
        strength: How strongly the judge holds it, 0 to 1: of a model, the verdict's probability.
        why: The reason in a few words.
        cut: How many sentences of the evidence were, together with the statement, longer than the
            judge reads, so that an end was left out.
    """

    verdict: SupportVerdict
    decided_by: int | None
    strength: float
    why: str
    cut: int = 0


class Judge(Protocol):
    """Whatever can say how a statement stands to sentences of evidence."""

    @property
    def name(self) -> str:
        """Give the word that stands in a metric's name."""

    @property
    def settings(self) -> Mapping[str, str]:
        """Give all that the verdicts depend on, for the signature."""

    def reads(self, text: str) -> str:
        """Say why the judge cannot read a text, such as another language; empty if it can."""

    def judge(self, questions: Sequence[Question]) -> list[SupportFinding]:
        """Judge statements, as many findings as questions and in their order."""
