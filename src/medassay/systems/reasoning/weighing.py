"""What weighs the options of a question against passages: a model, or the evidence alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from medassay.cases import Case
from medassay.systems.dialogue import Dialogue
from medassay.systems.passages import Passage

__all__ = ["Step", "Weigher", "Weighing"]

Step = Literal["presentation", "findings", "differential", "guideline"]
"""The steps of clinical reasoning before the answer."""


@dataclass(frozen=True, slots=True)
class Weighing:
    """How much speaks for each option.

    Attributes:
        chosen: The option that most speaks for; None where none was told.
        shares: Option to the share of all that speaks for it, together 1; empty where a model told
            none, and then there is no confidence.
        says: What speaks for the choice, in words.
        documents: The documents that were read, the one that decided first.
    """

    chosen: str | None
    shares: Mapping[str, float]
    says: str
    documents: tuple[str, ...]

    @property
    def confidence(self) -> float | None:
        """Give the share of the option chosen; None where it is not known."""
        return self.shares.get(self.chosen) if self.chosen is not None else None


class Weigher(Protocol):
    """Weighs options, and says a step of a chain of reasoning in words."""

    @property
    def reads(self) -> int | None:
        """Give how many passages it reads at once; None for all of the first document."""

    def weigh(
        self, case: Case, letters: Sequence[str], passages: Sequence[Passage]
    ) -> Dialogue[Weighing]:
        """Weigh some options of a case against passages."""

    def step(
        self, case: Case, step: Step, said: Sequence[str], passages: Sequence[Passage]
    ) -> Dialogue[str]:
        """Say one step after those already said."""
