"""What is odd about the documents that answers rank, though it is read all the same."""

from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field
from sys import intern
from typing import Self

from medassay.answers.record import Answer

__all__ = ["Odd", "Rankings"]


@dataclass(slots=True)
class Odd:
    """So many odd ones.

    Attributes:
        count: How many.
        first: The first of them.
    """

    count: int = 0
    first: str = ""

    def found(self, what: str) -> None:
        """Count one more."""
        self.count += 1
        self.first = self.first or what

    def join(self, later: "Odd") -> None:
        """Count those that were found behind these."""
        self.count += later.count
        self.first = self.first or later.first


@dataclass(slots=True)
class Rankings:
    """Answers with a ranking, and those of them that are odd.

    Attributes:
        count: Answers with one.
        cases: Their cases.
        unsorted: Not by falling score.
        blurred: With scores that single precision does not tell apart.
        partly: With some scores missing.
    """

    count: int = 0
    cases: set[str] = field(default_factory=set)
    unsorted: Odd = field(default_factory=Odd)
    blurred: Odd = field(default_factory=Odd)
    partly: Odd = field(default_factory=Odd)

    @classmethod
    def of(cls, answers: Iterable[Answer]) -> Self:
        """Look at answers that are all there."""
        found = cls()
        for answer in answers:
            found.look(answer)
        return found

    def look(self, answer: Answer) -> None:
        """Look at the next answer."""
        if not answer.retrieved:
            return
        self.count += 1
        self.cases.add(intern(str(answer.case)))
        scores = [retrieved.score for retrieved in answer.retrieved]
        known = [score for score in scores if score is not None]
        name = f"{answer.system}, {answer.case}"
        if len(known) < len(scores):
            if known:
                self.partly.found(name)
            return
        if known != sorted(known, reverse=True):
            self.unsorted.found(name)
        if len(set(array("f", known))) < len(set(known)):  # it rounds, and what is huge is infinite
            self.blurred.found(name)

    def join(self, later: "Rankings") -> None:
        """Count those of answers that come behind these."""
        self.count += later.count
        self.cases |= later.cases
        self.unsorted.join(later.unsorted)
        self.blurred.join(later.blurred)
        self.partly.join(later.partly)
