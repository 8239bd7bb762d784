"""What says more than the data at hand: a marker on a field, or a record as a whole."""

from enum import StrEnum
from typing import Annotated, Any

from medassay.marks.kinds import Kind, mark_on
from medassay.marks.pruning import GONE, Gone

__all__ = ["Describing", "Inference", "PValue", "RankEnd", "Reliability", "TestWords"]


class Inference(StrEnum):
    """The kind of an inference."""

    INTERVAL = "interval"
    TEST = "test"
    RELIABILITY = "reliability"
    WHOLE = "whole"
    """A record that is nothing but an inference, or rests on a model of the raters."""


PValue = Annotated[float, Inference.TEST]
"""The outcome of a test."""
RankEnd = Annotated[int, Inference.INTERVAL]
"""An end of the ranks that a system may have on other cases."""
TestWords = Annotated[str, Kind.WORDS, Inference.TEST]
"""How a test was made, or what it decided, such as letters of systems that differ."""
Reliability = Annotated[float, Inference.RELIABILITY]
"""The share of a spread that is no luck of the cases: a claim about new cases."""


class Describing:
    """A reader who is told what the data are, and nothing that goes beyond them."""

    @classmethod
    def mark_of(cls, hint: Any) -> Inference | None:  # noqa: ANN401 - types of every shape
        """Give the inference that a type is, if it is one."""
        if isinstance(hint, type):
            return Inference.WHOLE if getattr(hint, "infers", False) else None
        return mark_on(hint, Inference)

    def take(self, value: object, mark: StrEnum) -> object | Gone:  # noqa: ARG002 - as any rule
        """Take every inference out."""
        return value if value in (None, "") else GONE
