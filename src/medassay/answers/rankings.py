"""What is odd about the documents that answers rank, though it is read all the same."""

from array import array
from dataclasses import dataclass, field

from medassay.answers.record import Answer
from medassay.cases import one_object
from medassay.text import Counted

__all__ = ["Rankings"]


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
    unsorted: Counted = field(default_factory=Counted)
    blurred: Counted = field(default_factory=Counted)
    partly: Counted = field(default_factory=Counted)

    def look(self, answer: Answer) -> None:
        """Look at the next answer."""
        if not answer.retrieved:
            return
        self.count += 1
        self.cases.add(one_object(answer.case))
        scores = [retrieved.score for retrieved in answer.retrieved]
        known = [score for score in scores if score is not None]
        name = f"{answer.system}, {answer.case}"
        if len(known) < len(scores):
            if known:
                self.partly.add(name)
            return
        if known != sorted(known, reverse=True):
            self.unsorted.add(name)
        if len(set(array("f", known))) < len(set(known)):  # it rounds, and what is huge is infinite
            self.blurred.add(name)

    def join(self, later: "Rankings") -> None:
        """Count those of answers that come behind these."""
        self.count += later.count
        self.cases |= later.cases
        self.unsorted.join(later.unsorted)
        self.blurred.join(later.blurred)
        self.partly.join(later.partly)
