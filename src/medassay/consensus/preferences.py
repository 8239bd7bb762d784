"""Preferences: who wins how often, and Bradley-Terry strengths from them, ties included."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypedDict

import numpy as np
from numpy.typing import NDArray

from medassay.annotations import SystemName, record
from medassay.api_checks import Draws, Level, checked, table_text
from medassay.exhibits.numbers import PROPORTION, bounds, bounds_title
from medassay.judgements import Preferences
from medassay.stats import Interval, bootstrap_counts, group_labels, percentile_interval
from medassay.stats.randomness import Rng, as_generator

if TYPE_CHECKING:
    import polars as pl

_Floats = NDArray[np.float64]
_SETTLED: Final = 1e-10
_MOST_STEPS: Final = 100
_LONGEST_STEP: Final = 2.0
_UNEVEN_P: Final = 0.2
"""Below it a win share is evened over the two places: that costs little where chance dealt them."""


@record(infers=True)
class SystemTally:
    """How one system fared.

    Attributes:
        system: The system.
        n: Comparisons that it took part in.
        wins: Comparisons that it won.
        losses: Comparisons that it lost.
        ties: Comparisons without a winner.
        n_cases: Cases that these comparisons belong to.
        win_share: (wins + ties / 2) / n. 0.5 is an even record; it depends on the opponents. None
            where no rater made a choice.
        interval: For the same systems on new cases; None without rng or where nothing varies.
        shown_first: Comparisons in which its answer was shown first (system_a).
        uneven: Whether it was shown first more often, or less, than chance would have it (p < .2):
            raters who favour a place then favour a system.
        evened: The mean of its win shares shown first and shown second, where that is so; None
            where it is not, and where it was never shown first, or always.
        evened_interval: Of that mean, as `interval`.
    """

    system: SystemName
    n: int
    wins: int
    losses: int
    ties: int
    n_cases: int
    win_share: float | None
    interval: Interval | None
    shown_first: int = 0
    uneven: bool = False
    evened: float | None = None
    evened_interval: Interval | None = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PreferenceTally:
    """All preferences of one dimension, counted.

    Attributes:
        dimension: What the answers were compared on.
        systems: One tally a system, sorted by name.
        wins: int, shape (systems, systems): how often the row's system won against the column's.
        ties: int, same shape and symmetric: how often the two tied.
        unlabelled: Comparisons where a rater gave a reason instead of a choice.
        raters: Raters who made a choice.
        n_cases: Cases with a choice.
    """

    dimension: str
    systems: tuple[SystemTally, ...]
    wins: NDArray[np.int64]
    ties: NDArray[np.int64]
    unlabelled: int
    raters: int
    n_cases: int

    def __repr__(self) -> str:
        """Print a system a line, with its share of wins and the interval."""
        rows = [
            (
                row.system,
                "none" if row.win_share is None else PROPORTION(row.win_share),
                bounds(row.interval) or "none",
                str(row.wins),
                str(row.ties),
                str(row.losses),
            )
            for row in self.systems
        ]
        interval = bounds_title(row.interval for row in self.systems)
        header = ("system", "win share", interval, "wins", "ties", "losses")
        headline = f"PreferenceTally of {self.dimension}: {self.n_cases:,} cases"
        return table_text(headline, header, rows, ".systems")


@checked
def tally_preferences(
    preferences: Preferences,
    dimension: str = "overall",
    *,
    phases: Sequence[str] | None = None,
    rng: Rng | None = None,
    clusters: Mapping[str, str] | None = None,
    replicates: Draws = 1000,
    level: Level = 0.95,
) -> PreferenceTally:
    """Count wins, losses and ties of each system, and of each pair of systems.

    Every rater's choice counts once. The interval resamples cases, or
    whole clusters of them (`clusters`: case to cluster; a case that is not named is one alone).

    Example:
        >>> rows = [("1", "A", "B", "a"), ("2", "A", "B", "tie"), ("3", "B", "C", "b")]
        >>> preferences = Preferences.from_rows(
        ...     {"rater": "r1", "case": case, "system_a": a, "system_b": b, "choice": choice}
        ...     for case, a, b, choice in rows
        ... )
        >>> tally = tally_preferences(preferences)
        >>> [(one.system, one.wins, one.losses, one.ties, one.win_share) for one in tally.systems]
        [('A', 1, 0, 1, 0.75), ('B', 0, 2, 1, 0.16666666666666666), ('C', 1, 0, 0, 1.0)]
        >>> tally.wins.tolist()
        [[0, 1, 0], [0, 0, 0], [0, 1, 0]]
    """
    rng = as_generator(rng)
    import polars as pl

    rows = preferences.in_phases(phases).filter(pl.col("dimension") == dimension)
    chosen = rows.drop_nulls("choice")
    names = sorted({*rows["first"], *rows["second"]})
    cases = sorted(set(chosen["case"]))
    first, second = _places(chosen["first"], names), _places(chosen["second"], names)
    case = _places(chosen["case"], cases)
    # What the alphabetically first system gets of each comparison: 1, 0, or half at a tie.
    tied = (chosen["choice"] == "tie").to_numpy()
    won = (chosen["winner"] == chosen["first"]).fill_null(value=False).to_numpy()
    points = np.where(tied, 0.5, won.astype(np.float64))
    wins = np.zeros((len(names), len(names)), dtype=np.int64)
    ties = np.zeros_like(wins)
    np.add.at(wins, (np.where(won, first, second)[~tied], np.where(won, second, first)[~tied]), 1)
    np.add.at(ties, (first[tied], second[tied]), 1)
    ties += ties.T
    # By place shown and case: points and comparisons of each system, so that resampling is a matrix
    # product.
    turned = (chosen["system_a"] != chosen["first"]).to_numpy().astype(np.int64)
    by_place = np.zeros((2, 2, len(cases), len(names)))
    for side, share, place in ((first, points, turned), (second, 1 - points, 1 - turned)):
        np.add.at(by_place[0], (place, case, side), share)
        np.add.at(by_place[1], (place, case, side), 1)
    gained, played = by_place.sum(axis=1)
    weights = (
        bootstrap_counts(len(cases), replicates, rng, group_labels(cases, clusters))
        if rng is not None and cases
        else None
    )
    systems = tuple(
        SystemTally(
            system=name,
            n=int(played[:, i].sum()),
            wins=int(wins[i].sum()),
            losses=int(wins[:, i].sum()),
            ties=int(ties[i].sum()),
            n_cases=int(np.count_nonzero(played[:, i])),
            win_share=_share(gained[:, i], played[:, i]),
            interval=None
            if weights is None
            else _interval_of_share(weights, gained[:, i], played[:, i], level),
            shown_first=int(by_place[1, 0, :, i].sum()),
            **_evened(weights, by_place[..., i], level),
        )
        for i, name in enumerate(names)
    )
    return PreferenceTally(
        dimension=dimension,
        systems=systems,
        wins=wins,
        ties=ties,
        unlabelled=rows.height - chosen.height,
        raters=chosen["rater"].n_unique(),
        n_cases=len(cases),
    )


def _places(cells: "pl.Series", names: list[str]) -> NDArray[np.int64]:
    place = {name: i for i, name in enumerate(names)}
    return np.array([place[cell] for cell in cells], dtype=np.int64)


def _share(gained: NDArray[np.float64], played: NDArray[np.float64]) -> float | None:
    return float(gained.sum() / played.sum()) if played.any() else None


def _interval_of_share(
    weights: NDArray[np.float64] | None,
    gained: NDArray[np.float64],
    played: NDArray[np.float64],
    level: float,
) -> Interval | None:
    if weights is None:
        return None
    drawn = weights @ played
    return _percentiles((weights @ gained)[drawn > 0] / drawn[drawn > 0], level)


class _Evened(TypedDict, total=False):
    uneven: bool
    evened: float
    evened_interval: Interval | None


def _evened(weights: _Floats | None, by_place: _Floats, level: float) -> _Evened:
    """Count both places alike, where a system was in one more often than chance has it.

    Args:
        weights: Of resampled cases.
        by_place: Points and comparisons, shape (2, places, cases).
        level: Coverage of the interval.
    """
    from scipy.special import ndtr

    gained, played = by_place
    more = played[0] - played[1]
    size = float(np.sqrt((more**2).sum()))
    if size == 0 or 2 * ndtr(-abs(more.sum()) / size) >= _UNEVEN_P:
        return {}
    if not played.any(axis=1).all():
        return {"uneven": True}
    share = float((gained.sum(axis=1) / played.sum(axis=1)).mean())
    if weights is None:
        return {"uneven": True, "evened": share}
    won, drawn = gained @ weights.T, played @ weights.T
    both = (drawn > 0).all(axis=0)
    interval = _percentiles((won[:, both] / drawn[:, both]).mean(axis=0), level)
    return {"uneven": True, "evened": share, "evened_interval": interval}


def _percentiles(shares: _Floats, level: float) -> Interval | None:
    if not shares.size or np.ptp(shares) == 0:
        return None
    return percentile_interval(shares, estimand="these systems and raters, new cases", level=level)


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
    strength, tie = (np.zeros((1, len(names))), np.zeros(1)) if undefined else _fit_davidson(*total)
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
    usable = _has_fit(drawn[0], drawn[1])
    strength, _ = _fit_davidson(drawn[0][usable], drawn[1][usable])
    return strength, int(np.count_nonzero(~usable))


def _interval(column: _Floats, unfitted: int, replicates: int, level: float) -> Interval | None:
    if column.size == 0 or 2 * unfitted > replicates or np.ptp(column) == 0:
        return None
    return percentile_interval(column, estimand="these systems and raters, new cases", level=level)


def _why(wins: _Floats, ties: _Floats) -> str:
    if _has_fit(wins, ties)[0]:
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


def _has_fit(wins: _Floats, ties: _Floats) -> NDArray[np.bool_]:
    """Say of each set whether finite strengths fit it best.

    The likelihood keeps growing along a direction (d, e) of (λ, δ) if every comparison that was
    won by i over j has d_i − d_j ≥ 2e, every tie |d_i − d_j| ≤ 2e, and not all d are equal with
    e = 0. With e = 0 that asks for a group that never lost to the rest or tied with it; with e > 0
    it is a system of difference constraints, which has a solution unless some round trip along
    wins (+1) and ties (−1, either way) has more wins than ties.

    Args:
        wins: Shape (sets, systems, systems): how often the row's system beat the column's.
        ties: The same shape, symmetric.
    """
    size = wins.shape[1]
    apart = -size - 1.0
    trip = np.where(wins > 0, 1.0, np.where(ties > 0, -1.0, apart))
    trip[:, np.arange(size), np.arange(size)] = 0.0
    for k in range(size):
        through = trip[:, :, k, None] + trip[:, k, None, :]
        joined = (trip[:, :, k, None] > apart) & (trip[:, k, None, :] > apart)
        # A longer way than `size` has been round a gainful trip: more does not matter.
        np.clip(through, -size, size, out=through)
        np.maximum(trip, np.where(joined, through, apart), out=trip)
    reached = (trip > apart).all(axis=(1, 2))
    gain = np.diagonal(trip, axis1=1, axis2=2).max(axis=1, initial=0.0) > 0
    mask: NDArray[np.bool_] = reached & gain
    return mask


def _fit_davidson(wins: _Floats, ties: _Floats) -> tuple[_Floats, _Floats]:
    """Fit log strengths and the log weight of ties by Newton's steps.

    With λ the log strengths and δ the log weight of ties, a pair's three outcomes have weights
    exp(λ_i), exp(λ_j) and exp(δ + (λ_i + λ_j)/2). The log likelihood is concave; a step longer than
    2 in any coordinate is shortened.

    Args:
        wins: Shape (sets, systems, systems); each set must have a fit.
        ties: The same shape, symmetric; a tie of i and j stands at both places.

    Returns:
        λ with mean 0, shape (sets, systems), and δ, shape (sets,); −inf without ties.
    """
    sets, size, _ = wins.shape
    strength, tie = np.zeros((sets, size)), np.zeros(sets)
    games = wins + wins.transpose(0, 2, 1) + ties
    won = wins.sum(axis=2) + ties.sum(axis=2) / 2
    tied = ties.sum(axis=(1, 2)) / 2
    free = tied > 0
    tie[~free] = -np.inf
    for _ in range(_MOST_STEPS):
        first, even = _chances(strength, tie)
        # Moments of (x_i, t): x_i is 1, 1/2 or 0 and t is 1 at a tie.
        mean_i = first + even / 2
        gradient = np.concatenate(
            [
                won - (games * mean_i).sum(axis=2),
                (tied - (games * even).sum(axis=(1, 2)) / 2)[:, None],
            ],
            axis=1,
        )
        step = _newton(games, first, even, mean_i, gradient, free)
        longest = np.abs(step).max(axis=1, keepdims=True)
        step *= np.minimum(1.0, _LONGEST_STEP / np.maximum(longest, _LONGEST_STEP))
        strength += step[:, :size]
        tie[free] += step[free, size]
        if longest.max(initial=0.0) < _SETTLED:
            break
    return strength - strength.mean(axis=1, keepdims=True), tie


def _chances(strength: _Floats, tie: _Floats) -> tuple[_Floats, _Floats]:
    """Give P(i beats j) and P(tie) for all pairs, from differences so that nothing overflows."""
    half = (strength[:, :, None] - strength[:, None, :]) / 2
    up, down, even = np.exp(half), np.exp(-half), np.exp(tie)[:, None, None]
    total = up + down + even
    return up / total, even / total


def _newton(
    games: _Floats,
    first: _Floats,
    even: _Floats,
    mean_i: _Floats,
    gradient: _Floats,
    free: NDArray[np.bool_],
) -> _Floats:
    sets, size = games.shape[:2]
    spread = games * (first + even / 4 - mean_i**2)
    # x_j = 1 − x_i, so the covariance of a pair is minus its variance.
    hessian = np.zeros((sets, size + 1, size + 1))
    hessian[:, :size, :size] = -spread
    diagonal = np.arange(size)
    hessian[:, diagonal, diagonal] = spread.sum(axis=2)
    with_tie = (games * (even / 2 - mean_i * even)).sum(axis=2)
    hessian[:, :size, size] = hessian[:, size, :size] = with_tie
    hessian[:, size, size] = (games * even * (1 - even)).sum(axis=(1, 2)) / 2
    hessian[~free, :, size] = hessian[~free, size, :] = 0.0
    hessian[~free, size, size] = 1.0
    gradient = np.where(np.arange(size + 1) == size, np.where(free[:, None], gradient, 0), gradient)
    # Strengths are known up to a shift: pin their sum.
    hessian[:, :size, :size] += 1.0
    solved = np.linalg.solve(hessian, gradient[:, :, None])[:, :, 0]
    return solved.astype(np.float64)
