"""Bradley-Terry strengths from preferences, ties included."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from medassay.consensus.davidson import fit_davidson, has_fit
from medassay.judgements import Preferences
from medassay.marks import SystemName, record
from medassay.stats import Interval, bootstrap_counts, group_labels, percentile_interval
from medassay.stats.randomness import Rng, as_generator

__all__ = ["BradleyTerry", "Strength", "bradley_terry"]

_Floats = NDArray[np.float64]


@record(infers=True)
class Strength:
    """How strong one system is.

    Attributes:
        system: The system.
        log_strength: λ, whoever it was compared with; those of all systems sum to 0, and a
            difference of 0.7 doubles the odds of being preferred. None without a fit.
        interval: Of λ, for these systems and raters on new cases; None where it has none.
        n: Comparisons that it took part in.
    """

    system: SystemName
    log_strength: float | None
    interval: Interval | None
    n: int


@dataclass(frozen=True, slots=True, eq=False)
class BradleyTerry:
    """Strengths of all systems that were compared on one dimension.

    Attributes:
        dimension: What the answers were compared on.
        systems: Sorted by name.
        tie: ν, how ready raters are to call a tie: two equal systems tie with ν / (2 + ν). None
            without a fit.
        beats: P(the row's system beats the column's), shape (systems, systems); zeros without a
            fit, and on the diagonal.
        n: Comparisons with a choice.
        n_cases: Cases that they belong to.
        unfitted: Resamples of cases that no finite strengths fit; they are left out of intervals.
        undefined: Why there is no fit; empty where there is one.
    """

    dimension: str
    systems: tuple[Strength, ...]
    tie: float | None
    beats: _Floats
    n: int
    n_cases: int
    unfitted: int
    undefined: str = ""


def bradley_terry(
    preferences: Preferences,
    dimension: str = "overall",
    *,
    phases: Sequence[str] | None = None,
    rng: Rng | None = None,
    clusters: Mapping[str, str] | None = None,
    replicates: int = 1000,
    level: float = 0.95,
) -> BradleyTerry:
    """How strong is each system, whoever it was compared with?

    Davidson's form of Bradley-Terry with ties: with strengths π_i = exp(λ_i),
    P(i beats j) = π_i / (π_i + π_j + ν √(π_i π_j)) and P(tie) = ν √(π_i π_j) / (the same sum),
    fitted by maximum likelihood. Unlike a share of wins it takes the opponents into account. λ = 0
    is the average system; a difference of 0.7 doubles the odds of winning, ties apart.

    The interval resamples cases and fits anew. There is no fit where a group of systems was never
    compared with the rest, or where a group, or the readiness to tie, could grow without bound
    (`davidson.has_fit`).

    Args:
        preferences: What the raters preferred; each choice counts once.
        dimension: What the answers were compared on.
        phases: Which phases to read; those that count if not given.
        rng: Draws the resamples; no intervals without.
        clusters: Case to cluster, where cases are not independent, such as questions on one topic;
            a case that is not named is a cluster alone. Whole clusters are drawn.
        replicates: Number of resamples.
        level: Coverage of the intervals.

    Source: Davidson (1970), doi:10.1080/01621459.1970.10481082; Bradley & Terry (1952),
        doi:10.2307/2334029.

    Example:
        >>> rows = [("1", "a"), ("2", "a"), ("3", "b"), ("4", "tie")]
        >>> preferences = Preferences.from_rows(
        ...     {"rater": "r", "case": case, "system_a": "A", "system_b": "B", "choice": choice}
        ...     for case, choice in rows
        ... )
        >>> found = bradley_terry(preferences)  # P(A wins) = 2/4, P(B wins) = 1/4, P(tie) = 1/4
        >>> [(one.system, round(one.log_strength, 4)) for one in found.systems]  # ±ln(2)/2
        [('A', 0.3466), ('B', -0.3466)]
        >>> round(found.tie, 4)  # 1 / √(2 · 1)
        0.7071
    """
    rng = as_generator(rng)
    import polars as pl

    rows = preferences.in_phases(phases).filter(pl.col("dimension") == dimension)
    chosen = rows.drop_nulls("choice")
    names = sorted({*chosen["first"], *chosen["second"]})
    cases = sorted(set(chosen["case"]))
    wins, ties = _by_case(chosen.select("case", "first", "second", "winner").rows(), names, cases)
    total = wins.sum(axis=0)[None], ties.sum(axis=0)[None]
    n_of = (total[0] + total[0].transpose(0, 2, 1) + total[1]).sum(axis=2)[0]
    undefined = _why(*total) if names else "nobody made a choice"
    strength, tie = (np.zeros((1, len(names))), np.zeros(1)) if undefined else fit_davidson(*total)
    drawn, unfitted = np.zeros((0, len(names))), 0
    if rng is not None and not undefined:
        drawn, unfitted = _resampled(
            wins, ties, bootstrap_counts(len(cases), replicates, rng, group_labels(cases, clusters))
        )
    intervals = [_interval(drawn[:, i], unfitted, replicates, level) for i in range(len(names))]
    return BradleyTerry(
        dimension=dimension,
        systems=tuple(
            Strength(name, None if undefined else value, interval, int(n))
            for name, value, interval, n in zip(
                names, strength[0].tolist(), intervals, n_of.tolist(), strict=True
            )
        ),
        tie=None if undefined else float(np.exp(tie[0])),
        beats=_beats(strength[0], float(tie[0]), fitted=not undefined),
        n=chosen.height,
        n_cases=len(cases),
        unfitted=unfitted,
        undefined=undefined,
    )


def _by_case(
    rows: Sequence[tuple[str, str, str, str | None]], names: list[str], cases: list[str]
) -> tuple[_Floats, _Floats]:
    """Count wins and ties of each case, shape (cases, systems, systems)."""
    place = {name: i for i, name in enumerate(names)}
    of_case = {case: i for i, case in enumerate(cases)}
    wins, ties = np.zeros((2, len(cases), len(names), len(names)))
    for case, first, second, winner in rows:
        i, j = place[first], place[second]
        if winner is None:
            ties[of_case[case], i, j] += 1
            ties[of_case[case], j, i] += 1
        elif winner == first:
            wins[of_case[case], i, j] += 1
        else:
            wins[of_case[case], j, i] += 1
    return wins, ties


def _resampled(wins: _Floats, ties: _Floats, counts: _Floats) -> tuple[_Floats, int]:
    size = wins.shape[1]
    drawn = [
        (counts @ side.reshape(len(side), -1)).reshape(len(counts), size, size)
        for side in (wins, ties)
    ]
    usable = has_fit(drawn[0], drawn[1])
    strength, _ = fit_davidson(drawn[0][usable], drawn[1][usable])
    return strength, int(np.count_nonzero(~usable))


def _interval(column: _Floats, unfitted: int, replicates: int, level: float) -> Interval | None:
    if column.size == 0 or 2 * unfitted > replicates or np.ptp(column) == 0:
        return None
    return percentile_interval(column, estimand="these systems and raters, new cases", level=level)


def _why(wins: _Floats, ties: _Floats) -> str:
    if has_fit(wins, ties)[0]:
        return ""
    if not wins.any():
        return "every comparison is a tie"
    return (
        "no finite strengths fit: some systems were never compared with the rest, or lost too "
        "rarely to say by how much they are better"
    )


def _beats(strength: _Floats, tie: float, *, fitted: bool) -> _Floats:
    if not fitted:
        return np.zeros((len(strength), len(strength)))
    half = (strength[:, None] - strength[None, :]) / 2
    beats: _Floats = np.exp(half) / (np.exp(half) + np.exp(-half) + np.exp(tie))
    np.fill_diagonal(beats, 0.0)
    return beats
