"""What several answers of one system to one case do together."""

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from medassay.annotations import DesignName, SystemName, Words, record
from medassay.stats import (
    Interval,
    bootstrap_counts,
    pass_all_k,
    pass_any_k,
    widened_interval,
    worst_at_k,
)
from medassay.stats.intervals import cluster_index, group_labels
from medassay.stats.randomness import Rng, as_generator, drawn_seed, stream

Together = Literal["all pass", "one passes", "worst"]
_REPLICATES = 2000
_FEWEST = 2
_ESTIMAND = "this system, new cases, k answers to each"


@record(infers=True)
class RepeatedSamples:
    """One system's k answers to a case, by one score.

    Attributes:
        system: The system.
        source: The column of scores.
        of: Whether all of k pass (pass^k), at least one passes (pass@k), or the worst score of k.
        k: How many answers.
        cases: Cases with k scored answers or more.
        left_out: Cases with a scored answer, and fewer than k.
        value: The mean over cases; None where no case has k.
        interval: For new cases, or clusters of cases; None of fewer than two.
        reason: Why there is no value, or no interval; empty where there is one.
    """

    system: SystemName
    source: DesignName
    of: Together
    k: int
    cases: int
    left_out: int
    value: float | None
    interval: Interval | None
    reason: Words = ""


def sizes_told(samples: Sequence[int]) -> list[int]:
    """Say for which k a report tells: 1, 2, 3, 5 and as many as most cases have.

    Args:
        samples: How many scored answers each case has.

    Example:
        >>> sizes_told([10] * 20 + [9]), sizes_told([3, 3, 3]), sizes_told([1, 1])
        ([1, 2, 3, 5, 10], [1, 2, 3], [])
    """
    if not samples or max(samples) == 1:
        return []
    usual = int(np.median(samples))
    return sorted({k for k in (1, 2, 3, 5, usual) if 1 <= k <= usual}) if usual > 1 else [1, 2]


def repeated_samples(  # noqa: PLR0913 - each is one fact about the answers
    system: str,
    source: str,
    samples: Mapping[str, Sequence[float]],
    of: Together,
    k: int,
    *,
    rng: Rng,
    clusters: Mapping[str, str] | None = None,
    ends: tuple[float, float] = (-np.inf, np.inf),
    lower: bool = False,
) -> RepeatedSamples:
    """How do k answers to a case fare together, over cases?

    The mean over cases of an estimate without bias in each: of pass^k C(c, k)/C(n, k), of pass@k
    1 − C(n − c, k)/C(n, k), and of the worst of k the mean minimum over all subsets of k. Cases
    with fewer than k answers are left out and counted.

    Args:
        system: The system.
        source: The column of scores.
        samples: Case to the scores of its answers: 0 or 1 where answers pass or fail.
        of: What is asked.
        k: How many answers.
        rng: One number is drawn from it, which seeds the bootstrap over cases.
        clusters: Case to cluster; whole clusters are drawn.
        ends: The ends of the scale. Where all cases lie at one of them the interval is exact.
        lower: Whether a lower score is better: the worst of k is then the highest.

    Example:
        >>> samples = {"1": [1, 1, 0], "2": [1, 1, 1], "3": [0, 0, 0]}
        >>> found = repeated_samples("A", "right", samples, "all pass", 2, rng=1, ends=(0, 1))
        >>> round(found.value, 6), found.cases
        (0.444444, 3)
    """
    cases = sorted(case for case, own in samples.items() if len(own) >= k)
    left_out = sum(0 < len(own) < k for own in samples.values())
    if not cases:
        why = f"no case has {k} scored answers"
        return RepeatedSamples(system, source, of, k, 0, left_out, None, None, why)
    values = np.array([_of_case(samples[case], of, k, lower=lower) for case in cases])
    mean = float(np.clip(values.mean(), *ends))
    index = cluster_index(group_labels(cases, clusters), len(cases))
    units = int(index.max()) + 1
    alike = units >= _FEWEST and bool(np.ptp(values) == 0) and mean not in ends
    if units < _FEWEST or alike:
        why = "all cases have the same value" if alike else "needs two cases, or clusters of cases"
        return RepeatedSamples(system, source, of, k, len(cases), left_out, mean, None, why)
    seed = drawn_seed(as_generator(rng))
    counts = bootstrap_counts(units, _REPLICATES, stream(seed, "s74", *cases))
    sums, sizes = (np.bincount(index, weights=own) for own in (values, np.ones(values.size)))
    drawn = (counts @ sums) / (counts @ sizes)
    interval = widened_interval(mean, drawn, units, estimand=_ESTIMAND, ends=ends)
    return RepeatedSamples(system, source, of, k, len(cases), left_out, mean, interval)


def _of_case(samples: Sequence[float], of: Together, k: int, *, lower: bool) -> float:
    if of == "worst":
        sign = -1.0 if lower else 1.0
        return sign * worst_at_k([sign * value for value in samples], k)
    passed = sum(value == 1 for value in samples)
    return (pass_all_k if of == "all pass" else pass_any_k)(passed, len(samples), k)
