"""How far raters mark the same passages: no label to count, so no kappa."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np

from medassay.agreement.agree import refuse_adjudication
from medassay.annotations import DesignName, Words, record
from medassay.judgements import NO_SPAN, About, Judgements
from medassay.stats import Interval, ratio_mean

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

_ANSWER: Final = ["system", "case", "sample"]
_NOBODY: Final = "nobody marked such a passage in an answer that two raters read"
_Marked = dict[str, set[int]]
"""Kind to the characters that a rater marked so; "" for any kind."""


@record(infers=False)
class PassageAgreement:
    """How far two raters of an answer mark the same characters of it.

    Attributes:
        dimension: The dimension's id.
        kind: The kind of passage; empty for passages of any kind.
        value: 2 Σ|A ∩ B| / Σ(|A| + |B|) over all pairs of raters of an answer, 0 to 1.
        interval: For the same raters on new cases; None where it could not be had.
        reason: Why there is no value or no interval; empty where both are there.
        both: Pairs of raters, counted answer by answer, of whom both marked something.
        one: Pairs of whom one alone did.
        neither: Pairs who marked nothing; they are in no value.
        n_answers: Answers that two raters or more read.
        n_cases: Cases that these answers belong to.
        n_raters: Who read them.
    """

    dimension: DesignName
    kind: DesignName
    value: float | None
    interval: Interval | None
    reason: Words
    both: int
    one: int
    neither: int
    n_answers: int
    n_cases: int
    n_raters: int


def agree_on_passages(
    judgements: Judgements,
    *,
    dimensions: Sequence[str] | None = None,
    cases: Sequence[str] | None = None,
    clusters: Mapping[str, str] | None = None,
    phases: Sequence[str] | None = None,
    level: float = 0.95,
) -> list[PassageAgreement]:
    """How far do raters mark the same characters of an answer?

    The pairwise F1 of characters: of every two raters of an answer the characters that both marked,
    twice, by those that each marked, pooled over all pairs and answers. It is symmetric: neither
    rater is the reference. 1: every pair marks the same characters. 0: no character is marked by
    two. It is not corrected for chance, since nobody can say how many passages of how many
    characters might have been marked. Whoever read an answer and marked nothing has a row that says
    so (`none`); a pair that marked nothing agrees, and is counted, but is in no F1. The interval is
    the jackknife's over cases or clusters, cut at 0 and 1. Of 95% it held the value in 93 to 94%
    of simulated studies of 40 and 150 cases, in 90 to 93% with 12
    (simulations/coverage_passages.py).

    Args:
        judgements: What the raters said.
        dimensions: Which dimensions; all that ask for passages if not given.
        cases: Only these cases; all if not given.
        clusters: Case to cluster, where cases are not independent.
        phases: Which phases to read. Adjudication is refused.
        level: Nominal coverage of the intervals.

    Raises:
        InvalidInput: A phase is not known or is adjudication.

    Source: Hripcsak & Rothschild (2005), doi:10.1197/jamia.M1733: where what nobody marked cannot
    be counted, kappa tends to the mean pairwise F1.

    Example:
        >>> from medassay.judgements import Rubric
        >>> errors = {"id": "errors", "question": "What is wrong?", "about": "span",
        ...           "kinds": [{"label": "dose"}]}
        >>> said = [("r1", "span:0-10"), ("r2", "span:5-10")]
        >>> judgements = Judgements.from_rows(
        ...     [{"rater": r, "system": "A", "case": "1", "dimension": "errors", "kind": "dose",
        ...       "about": about} for r, about in said],
        ...     Rubric(name="close", dimensions=[errors]),
        ... )
        >>> of_any, of_dose = agree_on_passages(judgements)
        >>> round(of_any.value, 3), of_any.both  # 2 * 5 / (10 + 5)
        (0.667, 1)
    """
    refuse_adjudication(phases)
    import polars as pl

    rows = judgements.in_phases(phases).filter(pl.col("reason").is_null())
    if cases is not None:
        rows = rows.filter(pl.col("case").is_in(list(cases)))
    agreements: list[PassageAgreement] = []
    for dimension in judgements.rubric.dimensions:
        own = rows.filter(dimension=dimension.id)
        if dimension.kinds and own.height and (dimensions is None or dimension.id in dimensions):
            kinds = ["", *(kind.label for kind in dimension.kinds)]
            agreements += _on_dimension(dimension.id, kinds, own, (clusters or {}, level))
    return agreements


def _on_dimension(
    dimension: str, kinds: list[str], rows: "pl.DataFrame", how: tuple[Mapping[str, str], float]
) -> Iterator[PassageAgreement]:
    read = [(case, marked) for case, marked in _readings(rows) if len(marked) > 1]
    names = sorted({case for case, _ in read})
    place = {case: at for at, case in enumerate(names)}
    clusters, level = how
    for kind in kinds:
        sums: NDArray[np.float64] = np.zeros((len(names), 2))
        times = [0, 0, 0]
        for case, marked in read:
            for first, second in combinations(marked.values(), 2):
                a, b = first.get(kind, set()), second.get(kind, set())
                sums[place[case]] += 2 * len(a & b), len(a) + len(b)
                times[bool(a) + bool(b)] += 1
        mean = ratio_mean(sums, [clusters.get(case, case) for case in names], level=level)
        interval = mean.interval
        yield PassageAgreement(
            dimension=dimension,
            kind=kind,
            value=mean.value,
            interval=interval and replace(interval, low=max(0.0, interval.low)),
            reason=_NOBODY if mean.value is None else mean.undefined,
            both=times[2],
            one=times[1],
            neither=times[0],
            n_answers=len(read),
            n_cases=len(names),
            n_raters=len({rater for _, marked in read for rater in marked}),
        )


def _readings(rows: "pl.DataFrame") -> Iterator[tuple[str, dict[str, _Marked]]]:
    """Give what each rater marked in each answer that somebody read, with its case."""
    columns = ["rater", "about", "kind"]
    for (_, case, _), own in rows.group_by(_ANSWER, maintain_order=True):
        marked: dict[str, _Marked] = {}
        for rater, about, kind in own.select(columns).iter_rows():
            of = marked.setdefault(rater, {})
            part = About.read(about or "")
            if kind != NO_SPAN and part is not None and part.kind == "span":
                for name in ("", kind):
                    of.setdefault(name, set()).update(range(*part.span))
        yield str(case), marked
