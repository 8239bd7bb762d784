"""A table of a jury and clinicians, and the sentence that follows."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from medassay.analyses.builtin.jury.record import Agreeing, JuryOn, JuryReport
from medassay.exhibits import (
    PROPORTION,
    Claim,
    Finding,
    Names,
    Table,
    VerdictKind,
    VerdictRow,
    shown,
    table_of,
)
from medassay.exhibits.cells import how
from medassay.exhibits.claim import implied_p
from medassay.exhibits.columns import counted, estimated
from medassay.exhibits.finding import ReaderQuestion
from medassay.exhibits.numbers import bounds, count_of

__all__ = ["jury_claims", "jury_finding", "jury_tables"]

_FINDING: Final = "jury"

_ENOUGH: Final = 50
"""Under so many cases the interval of a difference is too narrow (simulations/jury.md)."""
_FEW: Final = 200
"""Of so many answers that people share equals are said to differ in 4.8 to 5.3 % of studies; of 50,
one to a case, in 6.2 %."""


@dataclass(frozen=True)
class _Line:
    who: str
    of: Agreeing


def jury_tables(report: JuryReport, names: Names) -> list[Table]:
    """Show on each dimension the jury with people, and people with each other."""
    every = [agreeing for on in report.dimensions for agreeing in (on.jury, on.among)]
    return [
        table_of(
            (
                (names.of_dimension(on.dimension), line)
                for on in report.dimensions
                for line in _lines(on)
            ),
            (
                shown("Pairs of", "who"),
                estimated("ICC", lambda line: line.of.icc, file="icc",
                          interval=lambda line: line.of.interval,
                          why_not=lambda line: line.of.reason),
                counted("Pairs", lambda line: line.of.pairs, file="pairs"),
                counted("Answers", lambda line: line.of.answers, file="answers"),
                counted("Cases", lambda line: line.of.cases, file="cases"),
            ),
            id="jury",
            title="A jury of models and people",
            caption="Intraclass correlation over all pairs of ratings of one answer: 1 where both "
            "are the same, 0 where they differ as those of different answers. A mean of several "
            f"varies less than single ratings. {how(agreeing.interval for agreeing in every)}",
            grouped_by="dimension",
        )
    ]  # fmt: skip


def _lines(on: JuryOn) -> Iterator[_Line]:
    yield _Line(f"mean of {on.models} models, one person", on.jury)
    yield _Line("two people", on.among)


def jury_claims(report: JuryReport) -> Iterator[Claim]:
    """Claim on each dimension that the jury agrees more, or less, with people than they do."""
    for on in report.dimensions:
        if (p := _p(on)) is not None:
            yield Claim.of(_FINDING, on.dimension, VerdictKind.CLAIM, [p], row=VerdictRow.JURY)


def _p(on: JuryOn) -> float | None:
    """Give the p of the difference; None where too little is shared to say which is higher."""
    few = min(on.jury.cases, on.among.cases) < _ENOUGH or on.among.answers < _FEW
    return None if few else implied_p(on.difference or 0.0, on.difference_interval)


def jury_finding(report: JuryReport, names: Names) -> list[Finding]:
    """Say on each dimension how the jury agrees with people beside people themselves."""
    return [
        Finding(_FINDING, _said(on, names), ("jury",), ReaderQuestion.METRICS)
        for on in report.dimensions
        if on.jury.icc is not None
    ]


def _said(on: JuryOn, names: Names) -> str:
    text = f"On {names.of_dimension(on.dimension)} the mean of {on.models} models agrees with "
    text += f"people by an ICC of {_value(on.jury)}"
    if on.among.icc is None:
        return f"{text}; no two people rated the same answer, so there is nothing to hold it to."
    text += f", two people by {_value(on.among)}"
    lead = on.difference_interval
    if lead is None or min(on.jury.cases, on.among.cases) < _ENOUGH:
        return f"{text}; with under {_ENOUGH} cases it is not said which is higher."
    if on.among.answers < _FEW:
        shared = count_of(on.among.answers, "answer")
        return f"{text}; people share only {shared}, too few to say which is higher."
    p = _p(on)
    if p is None or p > names.level(_FINDING, on.dimension):
        return f"{text}: which is higher is undecided."
    which = "more" if (on.difference or 0.0) > 0 else "less"
    return f"{text}: the jury agrees with people {which} than they do."


def _value(agreeing: Agreeing) -> str:
    value = PROPORTION(agreeing.icc or 0.0)
    around = bounds(agreeing.interval)
    return f"{value} {around}".rstrip() + f" ({count_of(agreeing.pairs, 'pair')})"
