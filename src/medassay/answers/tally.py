"""What is counted of answers, by system."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Self

from medassay.answers.record import Answer

__all__ = ["Tally"]


@dataclass(slots=True)
class Tally:
    """How many answers each system gave, and how many of them are of a kind.

    Attributes:
        given: System to its answers.
        blank: To those whose text is empty.
        citing: To those that cite.
        reasoning: To those with an account of how the system came to it.
    """

    given: Counter[str] = field(default_factory=Counter)
    blank: Counter[str] = field(default_factory=Counter)
    citing: Counter[str] = field(default_factory=Counter)
    reasoning: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, answers: Iterable[Answer]) -> Self:
        """Count answers that are all there."""
        tally = cls()
        for answer in answers:
            tally.look(answer)
        return tally

    def look(self, answer: Answer) -> None:
        """Count the next answer."""
        system = answer.system
        self.given[system] += 1
        if answer.is_blank:
            self.blank[system] += 1
        if answer.citations:
            self.citing[system] += 1
        if answer.reasoning:
            self.reasoning[system] += 1

    def join(self, later: "Tally") -> None:
        """Count those of other answers too."""
        self.given.update(later.given)
        self.blank.update(later.blank)
        self.citing.update(later.citing)
        self.reasoning.update(later.reasoning)
