"""Intervals for tau, one for each thing that it can be an estimate of."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from medassay.annotations import Words, record
from medassay.stats import (
    Interval,
    StandardDraws,
    basic_interval,
    bias_corrected_interval,
    bootstrap_counts,
    noise_of_means,
    percentile_interval,
    standard_draws,
    tau_replicates,
    tau_replicates_twice,
    true_taus,
)
from medassay.stats.intervals import cluster_index, group_labels
from medassay.stats.kendall import side_by_side
from medassay.stats.randomness import stream
from medassay.validity.block import Block
from medassay.validity.kept_pairs import PairsKept, content_of

ESTIMANDS: Final = (
    "these systems, new cases",
    "new systems, these cases",
    "new systems, new cases",
)
Method = Literal["basic", "bias-corrected", "percentile"]
FEWEST_CASES: Final = 2
FEWEST_FAMILIES: Final = 3
_DRAWS: Final = 2000
_REPLICATED: Final = PairsKept()


@record(infers=True)
class TauInterval:
    """An interval for one estimand, or why there is none.

    Attributes:
        estimand: One of `ESTIMANDS`.
        interval: None where undefined.
        undefined_replicates: Resamples without a tau (all systems drawn had one mean, or one system
            was drawn alone); they are left out, never counted as 0.
        undefined: Why there is no interval; empty where there is one.
    """

    estimand: Words
    interval: Interval | None
    undefined_replicates: int = 0
    undefined: Words = ""


@dataclass(frozen=True, slots=True)
class Resampling:
    """How to resample: the choices that all pairs of sources share.

    Attributes:
        seed: Seeds every stream of randomness, together with the ids it is drawn for.
        replicates: Number of resamples.
        level: Coverage.
        method: Of the intervals for new systems: `basic`, `bias-corrected` or `percentile`.
        clusters: Case to cluster.
        families: System to family.
    """

    seed: int
    replicates: int
    level: float
    method: Method
    clusters: Mapping[str, str] | None
    families: Mapping[str, str] | None


def tau_intervals(
    block: Block, taus: NDArray[np.float64], how: Resampling
) -> dict[tuple[int, int], tuple[TauInterval, ...]]:
    """Make the three intervals of every pair of the block whose tau is defined.

    For these systems on new cases the true means are drawn given those observed (`true_tau`). For
    new systems, systems (or their families) are drawn again, alone or together with cases (or their
    clusters); the same draws serve all pairs, and the last interval takes those of both together.
    """
    of_case = group_labels(block.cases, how.clusters)
    of_system = group_labels(block.systems, how.families)
    by_case = bootstrap_counts(
        len(of_case), how.replicates, stream(how.seed, "s15", *block.cases), of_case
    )
    by_system = bootstrap_counts(
        len(of_system), how.replicates, stream(how.seed, "s16", *block.systems), of_system
    )
    few_cases = too_few(len(set(of_case)), FEWEST_CASES, "case", how.clusters)
    few_systems = too_few(len(set(of_system)), FEWEST_FAMILIES, "system", how.families)
    defined = [(int(i), int(j)) for i, j in np.argwhere(~np.isnan(taus))]
    drawn = _standard(block, how) if defined else None

    def of_these_systems(at: tuple[int, int]) -> TauInterval:
        return true_tau_interval(block, at, float(taus[at]), how, drawn)

    first = side_by_side(of_these_systems, defined)
    made: dict[tuple[int, int], tuple[TauInterval, ...]] = {
        at: (interval,) for at, interval in zip(defined, first, strict=True)
    }
    plans = ((None, few_systems), (by_case, few_cases or few_systems))
    for estimand, (cases, few) in zip(ESTIMANDS[1:], plans, strict=True):
        if few:
            made = {at: (*made[at], TauInterval(estimand, None, 0, few)) for at in defined}
            continue
        if cases is None:
            replicates = tau_replicates(*block.sides, system_counts=by_system).values
        else:
            replicates = replicates_of(block, cases, by_system)[1]
        for i, j in defined:
            tau_interval = interval_of(float(taus[i, j]), replicates[:, i, j], estimand, how)
            made[i, j] = (*made[i, j], tau_interval)
    return made


def replicates_of(
    block: Block, by_case: NDArray[np.float64], by_system: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Give each pair's tau in each resample: of cases, and of cases and systems.

    Args:
        block: The answers that metrics and consensuses know.
        by_case: How often each case is drawn, shape (replicates, cases).
        by_system: The same of systems.

    Returns:
        Shape (2, replicates, metrics, consensuses); kept for whoever asks for a pair again.
    """
    split = len(block.metrics)
    sides = block.sides
    contents = [column.tobytes() for column in block.values]

    def compute(rows: list[int], columns: list[int]) -> NDArray[np.float64]:
        ours, theirs = (
            (values[own], known[own])
            for (values, known), own in zip(sides, (rows, columns), strict=True)
        )
        made = tau_replicates_twice(ours, theirs, case_counts=by_case, system_counts=by_system)
        return np.array([part.values for part in made])

    drawn = content_of(by_case.tobytes(), by_system.tobytes())
    asked = content_of(drawn, repr(block.known.shape).encode(), block.known.tobytes())
    return _REPLICATED.of(asked, contents[:split], contents[split:], compute)


def true_tau_interval(
    block: Block,
    at: tuple[int, int],
    tau: float,
    how: Resampling,
    drawn: StandardDraws | None = None,
) -> TauInterval:
    """Make the interval for these systems on endless cases: tau of their true means.

    The central share of the draws of `stats.true_taus`, taken as far as tau itself: cases blur the
    means that tau is made of, so that of unreliable means it may lie outside.

    Args:
        block: The answers that both know.
        at: The metric's position in the block, and the consensus's.
        tau: Of the observed means.
        how: Its seed, level and clusters; these systems are held, whatever their families.
        drawn: What is drawn for the block, if it is at hand.
    """
    estimand = ESTIMANDS[0]
    of_case = group_labels(block.cases, how.clusters)
    few = too_few(len(set(of_case)), FEWEST_CASES, "case", how.clusters)
    if few:
        return TauInterval(estimand, None, 0, few)
    pair = [at[0], len(block.metrics) + at[1]]
    means, values = block.means[pair], block.values[pair]
    clusters = cluster_index(of_case, len(block.cases))
    noise = noise_of_means(values, block.known, means, clusters)
    answers = block.known.sum(axis=1)
    taus = true_taus(means, noise, answers, drawn or _standard(block, how))
    low, high = np.quantile(taus, [(1 - how.level) / 2, (1 + how.level) / 2]).tolist()
    interval = Interval(
        min(low, tau), max(high, tau), how.level, "hierarchical normal", estimand, _DRAWS
    )
    if interval.low == interval.high:
        why = "every draw has the same tau: that does not show how far it could lie"
        return TauInterval(estimand, None, 0, why)
    return TauInterval(estimand, interval)


def _standard(block: Block, how: Resampling) -> StandardDraws:
    rng = stream(how.seed, "s60", *block.systems)
    return standard_draws(len(block.systems), rng=rng, draws=_DRAWS)


def too_few(count: int, fewest: int, unit: str, groups: Mapping[str, str] | None) -> str:
    """Say that there are too few units to resample; nothing where there are enough."""
    if count >= fewest:
        return ""
    group = "" if groups is None else {"case": " cluster", "system": " family"}[unit]
    return f"resampling needs at least {fewest} of {unit}{group}; there is {count}"


def interval_of(
    tau: float, replicates: NDArray[np.float64], estimand: str, how: Resampling
) -> TauInterval:
    """Turn replicates of one tau into its interval, or say why there is none."""
    values = replicates[~np.isnan(replicates)]
    lost = replicates.size - values.size
    if 2 * lost > replicates.size:
        return TauInterval(estimand, None, lost, "more than half of the resamples have no tau")
    if np.ptp(values) == 0:
        why = "every resample has the same tau: that does not show how far it could lie"
        return TauInterval(estimand, None, lost, why)
    if how.method == "percentile":
        made = percentile_interval(values, estimand=estimand, level=how.level)
    elif how.method == "bias-corrected":
        made = bias_corrected_interval(tau, values, estimand=estimand, level=how.level)
    else:
        made = basic_interval(tau, values, estimand=estimand, level=how.level, bounds=(-1, 1))
    if made.low >= made.high:
        why = "tau is at the end of its range, where this interval has no width"
        return TauInterval(estimand, None, lost, why)
    return TauInterval(estimand, made, lost)
