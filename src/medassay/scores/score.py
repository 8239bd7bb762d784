"""One score: a measured value, or the reason why there is none."""

import math
from dataclasses import dataclass
from enum import StrEnum

from medassay.errors import InvalidInput, Problem

__all__ = ["Reason", "Score", "Unscored"]


class Reason(StrEnum):
    """Why a score could not be had. A closed list; the detail says the rest in words."""

    NEVER_ANSWERED = "never_answered"
    """The system gave no answer to this case, and the metric has no value for that."""
    EMPTY_ANSWER = "empty_answer"
    """An answer was given and it is empty, and the metric is undefined there."""
    CASE_LACKS = "case_lacks"
    """The case does not have what the metric needs (a reference, evidence, a gold choice)."""
    ANSWER_LACKS = "answer_lacks"
    """The answer does not have what the metric needs (citations, retrieved documents, a choice)."""
    NOT_HELD = "not_held"
    """The study knows the answer by its id alone, and the metric needs what was written."""
    NOT_READ = "not_read"
    """The metric reads less than half of the letters that it should, such as another script."""
    BACKEND_MISSING = "backend_missing"
    """A model or package is not installed, or cannot be used."""
    UNDEFINED = "undefined"
    """The formula has no value here (a division by zero, a single rater, no variation)."""
    NOT_JUDGED = "not_judged"
    """No rater gave a label here."""
    NO_LABEL = "no_label"
    """Raters looked and gave a reason instead of a label (cannot judge, not applicable)."""
    TIE = "tie"
    """The raters are split and the method does not break ties."""
    NOT_IMPORTED = "not_imported"
    """An imported column of scores has an empty cell or no row here."""
    FAILED = "failed"
    """The computation raised an error; the detail holds its message."""

    @property
    def words(self) -> str:
        """Say the reason as a report does."""
        return _WORDS[self]


_WORDS = {
    Reason.NEVER_ANSWERED: "never answered",
    Reason.EMPTY_ANSWER: "empty answer",
    Reason.CASE_LACKS: "the case lacks what is needed",
    Reason.ANSWER_LACKS: "the answer lacks what is needed",
    Reason.NOT_HELD: "text not held",
    Reason.NOT_READ: "text that the metric cannot read",
    Reason.BACKEND_MISSING: "no usable model or package",
    Reason.UNDEFINED: "undefined here",
    Reason.NOT_JUDGED: "not judged",
    Reason.NO_LABEL: "judged, no label given",
    Reason.TIE: "raters tied",
    Reason.NOT_IMPORTED: "not in the imported file",
    Reason.FAILED: "failed",
}


@dataclass(frozen=True, slots=True)
class Score:
    """A measured value, with the numbers that pooled values need.

    Attributes:
        value: The value; finite.
        parts: Sufficient statistics in the order that the metric declares, so that pooled (micro)
            values can be had from sums and resampled without reading any text again.

    Example:
        >>> Score(0.5, parts=(1.0, 2.0, 2.0)).value
        0.5
    """

    value: float
    parts: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        """Refuse NaN and infinity: missing is a reason, never a number."""
        parts = self.parts
        if not math.isfinite(self.value) or (parts and not all(map(math.isfinite, parts))):
            raise InvalidInput(
                Problem("score", "be a finite number", str(self.value), "Use Unscored(reason).")
            )


@dataclass(frozen=True, slots=True)
class Unscored:
    """No value, and why.

    Example:
        >>> print(Unscored(Reason.CASE_LACKS, "no reference of kind human"))
        the case lacks what is needed: no reference of kind human
    """

    reason: Reason
    detail: str = ""

    def __str__(self) -> str:
        """Say it in words."""
        return f"{self.reason.words}: {self.detail}" if self.detail else self.reason.words
