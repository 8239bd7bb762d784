"""How much harm there is, under every way to join the raters' labels."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.annotations import DesignName, Words, record
from medassay.consensus.consensus import join_units
from medassay.consensus.method import KnownToModel, title_of
from medassay.judgements import Judgements, Units, units
from medassay.stats import Interval, bootstrap_counts, clopper_pearson, percentile_interval
from medassay.stats.randomness import Rng, as_generator, drawn_seed, stream

_COUNTS: Final = {"judgements": "all judgements", "any_rater": "any rater"}
"""What needs no method to join labels, and what a table calls it."""


@record(infers=True)
class HarmPrevalence:
    """How often a dimension's harmful label holds, under one way of counting.

    Attributes:
        dimension: The dimension.
        method: A consensus method by its canonical name; or `judgements`, the share of all labels
            that raters gave; or `any_rater`, the share of answers that somebody called harmful.
        title: What a table calls that way of counting.
        harmful: How many answers (or judgements) are harmful.
        undecided: Answers that the method has no label for; they are among n.
        n: Answers with a label of some rater (or judgements).
        share: harmful / n; None where n is 0.
        interval: Of the share, for these systems and raters on new cases, the fit of a model held.
            Where nothing is harmful, or everything, the exact bound that counts each case once.
        called: What the label says, where it says less than harm as well; empty where it says harm
            alone.
    """

    dimension: DesignName
    method: DesignName
    title: Words
    harmful: int
    undecided: int
    n: int
    share: float | None
    interval: Interval | None
    called: Words = ""


def harm_prevalence(  # noqa: PLR0913 - each is a choice of its own, and all but the first have a default
    judgements: Judgements,
    methods: Sequence[str] = ("majority", "majority(ties=lower)", "dawid_skene", "mace"),
    *,
    mapping: str = "harmful",
    phases: Sequence[str] | None = None,
    given: Mapping[str, KnownToModel] | None = None,
    rng: Rng,
    replicates: int = 1000,
    level: float = 0.95,
    hushed: bool = False,
) -> list[HarmPrevalence]:
    """How many answers are harmful, and how much does that depend on the way to count?

    A majority vote loses harm that one careful rater of three saw; a model that trusts that rater
    keeps it. So every count stands beside the others: all judgements, answers that any rater called
    harmful, and the label of each consensus method, read through the mapping.

    Args:
        judgements: What the raters said.
        methods: Canonical names; a method that gives scores but no label has no row.
        mapping: Whose first label is the harmful one. Dimensions without it are left out.
        phases: Which phases to read; those that count if not given.
        given: As for `consensus`.
        rng: One number is drawn from it, which seeds fits and resamples.
        replicates: Resamples of the cases.
        level: Coverage of the intervals.
        hushed: As for `consensus`.

    Example:
        >>> from medassay.judgements import load_rubric
        >>> said = [("1", "x", "Refutes"), ("1", "y", "Yes"), ("1", "z", "Yes"), ("2", "x", "No")]
        >>> judgements = Judgements.from_rows(
        ...     [{"rater": rater, "system": "A", "case": case, "dimension": "uses-evidence",
        ...       "label": label} for case, rater, label in said],
        ...     load_rubric("archehr"),
        ... )
        >>> rng = np.random.default_rng(1)
        >>> for one in harm_prevalence(judgements, ["majority"], rng=rng):
        ...     print(one.method, one.harmful, one.n)
        judgements 1 4
        any_rater 1 2
        majority 0 2
    """
    rng = as_generator(rng)
    seed = drawn_seed(rng)
    harm_prevalences: list[HarmPrevalence] = []
    judged = set(judgements.frame["dimension"])
    for dimension in judgements.rubric.dimensions:
        if dimension.id not in judged or mapping not in dimension.mappings:
            continue
        read = units(judgements, dimension.id, phases=phases).with_labels(1)
        reading = dimension.mappings[mapping]
        first = next(iter(reading.values()))
        bad = np.array([reading[label] == first for label in read.labels])
        counts = _counts_of(read, bad, methods, seed, (given or {}).get(dimension.id))
        drawn = stream(seed, "s01", dimension.id)
        weights = bootstrap_counts(len(read.cases), replicates, drawn)
        harm_prevalences += [
            replace(
                _prevalence(
                    dimension.id,
                    (method, _title(method, hushed=hushed)),
                    read,
                    (weights, level),
                    tallies,
                ),
                called=dimension.harm_words,
            )
            for method, tallies in counts.items()
        ]
    return harm_prevalences


_Tallies = tuple[NDArray[np.float64], NDArray[np.float64], int]


def _counts_of(
    read: Units,
    bad: NDArray[np.bool_],
    methods: Sequence[str],
    seed: int,
    given: KnownToModel | None,
) -> dict[str, _Tallies]:
    """Count what is harmful and what there is by unit, and how many units have no label."""
    ones = np.ones(len(read))
    harmful_labels = (read.counts @ bad).astype(np.float64)
    counts: dict[str, _Tallies] = {
        "judgements": (harmful_labels, read.counts.sum(axis=1).astype(np.float64), 0),
        "any_rater": ((harmful_labels > 0).astype(np.float64), ones, 0),
    }
    for method in methods:
        joined = join_units(read, method, rng=stream(seed, "s02", read.dimension), given=given)[1]
        if joined.codes is not None:
            codes = np.array(joined.codes, dtype=np.int64)
            harmful = (codes >= 0) & bad[codes]
            counts[method] = harmful.astype(np.float64), ones, int(np.count_nonzero(codes < 0))
    return counts


def _title(method: str, *, hushed: bool) -> str:
    return _COUNTS[method] if method in _COUNTS else title_of(method, hushed=hushed)


def _prevalence(
    dimension: str,
    named: tuple[str, str],
    read: Units,
    resampling: tuple[NDArray[np.float64], float],
    tallies: _Tallies,
) -> HarmPrevalence:
    harmful, of, undecided = tallies
    method, title = named
    weights, level = resampling
    cases = len(read.cases)
    by_case = [np.bincount(read.case, weights=side, minlength=cases) for side in (harmful, of)]
    k, n = int(harmful.sum()), int(of.sum())
    interval = None
    if n and k in (0, n):
        estimand = "these systems and raters, new cases (each case counted once)"
        bound = clopper_pearson(cases if k else 0, cases, estimand=estimand, level=level)
        interval = bound
    elif n:
        shares = (weights @ by_case[0]) / (weights @ by_case[1])
        if np.ptp(shares) > 0:
            interval = percentile_interval(
                shares, estimand="these systems and raters, new cases", level=level
            )
    return HarmPrevalence(
        dimension=dimension,
        method=method,
        title=title,
        harmful=k,
        undecided=undecided,
        n=n,
        share=k / n if n else None,
        interval=interval,
    )
