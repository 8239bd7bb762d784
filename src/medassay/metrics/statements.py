"""What a judge found of each statement of an answer: where scores of support come from."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from medassay.answers import Answer
from medassay.cases import Case
from medassay.models.nli import Finding

__all__ = ["Checked", "StatementCheck"]


@dataclass(frozen=True, slots=True)
class Checked:
    """One statement with what the judge found.

    Attributes:
        statement: What the answer says.
        finding: The verdict, its strength and its reason.
        source: The id of the evidence that decides; None where nothing does.
        sentence: The sentence that decides; empty where nothing does.
        cites: Whether the statement cites anything that the case has.
    """

    statement: str
    finding: Finding
    source: str | None
    sentence: str
    cites: bool


@dataclass(frozen=True, slots=True)
class StatementCheck:
    """How a metric looks at statements, so that a report can show what its scores rest on.

    Attributes:
        check: Gives the findings of each answer, in order; an answer that the judge cannot read has
            none.
        reads: The arguments that it depends on, each with what holds for a metric that has no such
            parameter: metrics that agree in them share the findings.
    """

    check: Callable[[Sequence[tuple[Case, Answer]], Mapping[str, str]], list[list[Checked]]]
    reads: Mapping[str, str] = field(hash=False)
