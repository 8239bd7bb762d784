"""May a jury of models be read as clinicians' ratings are, as far as these agree themselves?"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.readable import Design, OnFile
from medassay.annotations import DesignName, Words, record
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
from medassay.exhibits.claim import ReaderQuestion, implied_p
from medassay.exhibits.columns import counted, estimated, how
from medassay.exhibits.numbers import ci, count_of
from medassay.judgements import Rubric, Units, units
from medassay.stats import Interval, pair_icc, pair_icc_difference, pair_sums

if TYPE_CHECKING:
    import polars as pl


@record(infers=True)
class Agreeing:
    """An intraclass correlation over all pairs of ratings of one thing.

    Attributes:
        pairs: Pairs of ratings.
        answers: What they are of: answers, or parts of answers.
        cases: Cases with a pair.
        icc: None where it is undefined.
        interval: Over cases or clusters; None where it is undefined.
        reason: Why there is no value or no interval; empty where both are there.
    """

    pairs: int
    answers: int
    cases: int
    icc: float | None
    interval: Interval | None
    reason: Words


@record(infers=True)
class JuryOn:
    """A jury and clinicians on one dimension.

    Attributes:
        dimension: The dimension.
        models: How many models sit in the jury.
        people: How many people rated.
        jury: The jury's mean with each person's rating.
        among: Every two people's ratings of the same thing.
        difference: The jury's less that of people; None where it is undefined.
        difference_interval: Over cases or clusters; None where it is undefined.
    """

    dimension: DesignName
    models: int
    people: int
    jury: Agreeing
    among: Agreeing
    difference: float | None
    difference_interval: Interval | None


@record(infers=True)
class JuryReport:
    """Each dimension that two models and more rated."""

    dimensions: tuple[JuryOn, ...]


def jury_on(read: Units, models: Collection[str], clusters: Mapping[str, str]) -> JuryOn | None:
    """Pair the jury's mean with each person's rating, and every two people's ratings.

    The jury's mean stands where every model of it rated the answer.

    Returns:
        None where no person rated what the whole jury rated.
    """
    import polars as pl

    if read.scores is None:
        return None
    jury = [i for i, rater in enumerate(read.raters) if rater in models]
    rated = pl.DataFrame({"unit": read.unit, "rater": read.rater, "score": read.scores[read.code]})
    of_jury = pl.col("rater").is_in(jury)
    means = (
        rated.filter(of_jury)
        .group_by("unit")
        .agg(mean=pl.col("score").mean(), n=pl.len())
        .filter(pl.col("n") == len(jury))
    )
    people = rated.filter(~of_jury)
    with_jury = people.join(means, on="unit").sort("unit", "rater")
    if not with_jury.height:
        return None
    pairs = people.join(people, on="unit", suffix="_other").filter(
        pl.col("rater") < pl.col("rater_other")
    ).sort("unit", "rater", "rater_other")  # fmt: skip
    named = [clusters.get(case, case) for case in read.cases] if clusters else None
    sums = [_sums(read, with_jury, "mean"), _sums(read, pairs, "score_other")]
    gain = pair_icc_difference(sums[0], sums[1], named)
    return JuryOn(
        dimension=read.dimension,
        models=len(jury),
        people=people["rater"].n_unique(),
        jury=_agreeing(sums[0], with_jury, named),
        among=_agreeing(sums[1], pairs, named),
        difference=gain.value,
        difference_interval=gain.interval,
    )


def _sums(read: Units, pairs: "pl.DataFrame", other: str) -> NDArray[np.float64]:
    case = read.case[pairs["unit"].to_numpy()]
    x, y = (pairs[name].to_numpy().astype(np.float64) for name in ("score", other))
    return pair_sums(x, y, case, len(read.cases))


def _agreeing(
    sums: NDArray[np.float64], pairs: "pl.DataFrame", clusters: list[str] | None
) -> Agreeing:
    icc = pair_icc(sums, clusters)
    return Agreeing(
        pairs=pairs.height,
        answers=pairs["unit"].n_unique(),
        cases=int((sums[:, 0] > 0).sum()),
        icc=icc.value,
        interval=icc.interval,
        reason=icc.undefined if pairs.height else "no two people rated the same answer",
    )


_FINDING: Final = "jury"

_ENOUGH: Final = 50
"""Under so many cases the interval of a difference is too narrow (simulations/jury.md)."""
_FEW: Final = 200
"""Of so many answers that people share equals are said to differ in 4.8 to 5.3% of studies; of 50,
one to a case, in 6.2%."""


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
    dimension, jury = names.of_dimension(on.dimension), _value(on.jury)
    text = f"On {dimension}, the mean of {on.models} models agreed with people ({jury})."
    if on.among.icc is None:
        return f"{text} No two people rated the same answer, so this cannot be compared."
    text += f" People agreed with each other ({_value(on.among)})."
    lead = on.difference_interval
    if lead is None or min(on.jury.cases, on.among.cases) < _ENOUGH:
        return f"{text} Which agreement is higher is undecided with under {_ENOUGH} cases."
    if on.among.answers < _FEW:
        shared = count_of(on.among.answers, "answer")
        return f"{text} Which agreement is higher is undecided: people share only {shared}."
    p = _p(on)
    if p is None or p > names.level(_FINDING, on.dimension):
        open_ = names.undecided(_FINDING, on.dimension, p)
        return f"{text} Which agreement is higher is {open_}."
    which = "more" if (on.difference or 0.0) > 0 else "less"
    return f"{text} The models agreed with people {which} than they do."


def _value(agreeing: Agreeing) -> str:
    around = "" if agreeing.interval is None else f"; {ci(agreeing.interval)}"
    return f"ICC {PROPORTION(agreeing.icc or 0.0)}{around}; {count_of(agreeing.pairs, 'pair')}"


_JURY: Final = 2


@analysis(
    Declaration(
        id="jury",
        title="A jury of models and clinicians",
        question="How far does the mean of several models' ratings agree with clinicians, and how "
        "far do clinicians with each other?",
        section="judges",
        infers=True,
        reader="methodologist",
        place=8,
        tables=jury_tables,
        finding=jury_finding,
        verdicts=(VerdictKind.CLAIM,),
        claims=lambda report, _: jury_claims(report),
        finding_place=58,
    )
)
def jury(rubric: Rubric, on_file: OnFile, design: Design) -> JuryReport | None:
    """Hold the mean of two and more models against people, on each dimension with scores."""
    left_out = {rater.rater for rater in on_file.raters.excluded}
    on_dimensions = []
    for dimension in rubric.dimensions:
        if dimension.about == "criterion" or not dimension.scored:
            continue
        read = units(on_file.judgements, dimension.id)
        read = read.of_raters(rater for rater in read.raters if rater not in left_out)
        if len(on_file.models & set(read.raters)) >= _JURY:
            on = jury_on(read, on_file.models, design.clusters)
            on_dimensions += [on] if on else []
    return JuryReport(tuple(on_dimensions)) if on_dimensions else None
