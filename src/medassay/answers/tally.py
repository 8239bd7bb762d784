"""What is counted of answers."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Self

from medassay.answers.rankings import Rankings
from medassay.answers.record import Answer

__all__ = ["Tally"]


@dataclass(slots=True)
class Tally:
    """How many answers each system gave, and how many of them are of a kind.

    Attributes:
        given: System to its answers.
        blank: To those whose text is empty.
        not_held: To those whose text the study does not have.
        citing: To those that cite.
        reasoning: To those with an account of how the system came to it.
        rankings: What is odd about the documents that they rank.
    """

    given: Counter[str] = field(default_factory=Counter)
    blank: Counter[str] = field(default_factory=Counter)
    not_held: Counter[str] = field(default_factory=Counter)
    citing: Counter[str] = field(default_factory=Counter)
    reasoning: Counter[str] = field(default_factory=Counter)
    rankings: Rankings = field(default_factory=Rankings)

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
        if not answer.held:
            self.not_held[system] += 1
        if answer.citations:
            self.citing[system] += 1
        if answer.reasoning:
            self.reasoning[system] += 1
        self.rankings.look(answer)

    def join(self, later: "Tally") -> None:
        """Count those of other answers too."""
        self.given.update(later.given)
        self.blank.update(later.blank)
        self.not_held.update(later.not_held)
        self.citing.update(later.citing)
        self.reasoning.update(later.reasoning)
        self.rankings.join(later.rankings)
