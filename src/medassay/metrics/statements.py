"""What a judge found of each statement of an answer: where scores of support come from."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from medassay.answers import Answer
from medassay.cases import Case
from medassay.models.nli import SupportFinding, SupportVerdict


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
    finding: SupportFinding
    source: str | None
    sentence: str
    cites: bool


class StatementTally(NamedTuple):
    """How many statements of an answer the judge found to be what.

    Attributes:
        supported: Borne out by the evidence.
        contradicted: Against it.
        not_found: Neither.
        decided: Those that one piece of evidence decides, whichever way.
    """

    supported: int
    contradicted: int
    not_found: int
    decided: int

    @classmethod
    def of(cls, rows: Sequence[Checked]) -> "StatementTally":
        """Count statements that were looked at."""
        verdicts = [row.finding.verdict for row in rows]
        decided = sum(row.source is not None for row in rows)
        supported, contradicted, not_found = map(verdicts.count, SupportVerdict)
        return cls(supported, contradicted, not_found, decided)


Tallies = dict[tuple[object, ...], dict[tuple[int, int], StatementTally]]
"""What a check asks, to case and answer, told apart by identity, to what was found."""

_KEPT: Final[ContextVar[Tallies | None]] = ContextVar("medassay_tallies", default=None)


@contextmanager
def keeping_tallies() -> Iterator[Tallies]:
    """Keep what metrics find inside, so that a report need not look at each statement again.

    Cases and answers are told apart by identity: all that are asked for must live as long as this.
    """
    tallies_kept: Tallies = {}
    token = _KEPT.set(tallies_kept)
    try:
        yield tallies_kept
    finally:
        _KEPT.reset(token)


def add_tallies(by_question: Tallies) -> None:
    """Keep what was found elsewhere, such as in a copy of this process, where it is asked for."""
    tallies_kept = _KEPT.get()
    if tallies_kept is not None:
        for asked, tallies in by_question.items():
            tallies_kept.setdefault(asked, {}).update(tallies)


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

    def asks(self, arguments: Mapping[str, str]) -> tuple[object, ...]:
        """Give what two metrics share that find the same of every answer."""
        return self.check, *(arguments.get(name, other) for name, other in self.reads.items())

    def keep(
        self,
        pairs: Sequence[tuple[Case, Answer]],
        arguments: Mapping[str, str],
        checked: Sequence[Sequence[Checked]],
    ) -> None:
        """Keep what was found, where `keeping_tallies` is in force."""
        tallies_kept = _KEPT.get()
        if tallies_kept is not None:
            tallies = tallies_kept.setdefault(self.asks(arguments), {})
            for (case, answer), rows in zip(pairs, checked, strict=True):
                if (id(case), id(answer)) not in tallies:
                    tallies[id(case), id(answer)] = StatementTally.of(rows)

    def kept(
        self, case: Case, answer: Answer, arguments: Mapping[str, str]
    ) -> StatementTally | None:
        """Give what was found of an answer; None where it was not kept."""
        return (_KEPT.get() or {}).get(self.asks(arguments), {}).get((id(case), id(answer)))
