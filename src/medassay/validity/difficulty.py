"""Which cases are hard, which tell systems apart, and which look mislabelled."""

from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from medassay.annotations import CaseId, DesignName, PValue, Words, record
from medassay.stats import BoundedSpread, CaseAdjustment, Interval, bounded_spread
from medassay.stats.randomness import Rng, as_generator, drawn_seed, stream
from medassay.validity.source import Source, in_canonical_order

Level = Literal["difficult", "moderate", "easy"]
_FEWEST_SYSTEMS: Final = 3
_POINTWISE: Final = 0.05

Floats = NDArray[np.float64]


@record(infers=True)
class CaseDifficulty:
    """One case.

    Attributes:
        case: Its id.
        mean: Mean score over systems; higher is easier.
        spread: Standard deviation over systems (n in the denominator).
        null_low: Spread that the bounded scale alone produces at this mean, lower end; None where
            there is no null.
        null_high: Upper end.
        level: `difficult` at or below the first quartile of the means, `easy` at or above the
            third, else `moderate`.
        discrimination: Pearson's r of the systems' scores on this case with their means on all
            other cases; None where undefined.
        p: Share of orders of the systems with a discrimination as far from 0; two-sided.
        p_adjusted: Against the most extreme of all cases (max-T): what is told of the best or
            worst of many.
        suspect: `reversed` where better systems do worse (discrimination below 0, p below 0.05),
            `reversed beyond chance` where p_adjusted is too; else empty.
        n_systems: Systems with a score.
    """

    case: CaseId
    mean: float
    spread: float
    null_low: float | None
    null_high: float | None
    level: Level
    discrimination: float | None
    p: PValue | None
    p_adjusted: PValue | None
    suspect: Words
    n_systems: int


@record(infers=True)
class Difficulty:
    """All cases by one source.

    Attributes:
        source: Its name.
        dimension: What the source is a consensus of; empty for any other.
        low: Smallest value that it can take.
        high: Largest.
        q1: First quartile of the case means; None without cases.
        q3: Third quartile.
        share: Variance as a share of what the scale allows; see `stats.bounded_spread`.
        rho: Spearman's correlation of mean and spread over the cases.
        null: Where rho lies when only the bounded scale is at work.
        p: Of rho under that null, two-sided.
        cases: Hardest first; a case with fewer than three scored systems is left out.
        left_out: How many are.
        reason: Why there is no null; empty where there is one.
    """

    source: DesignName
    dimension: DesignName
    low: float
    high: float
    q1: float | None
    q3: float | None
    share: float | None
    rho: float | None
    null: Interval | None
    p: PValue | None
    cases: tuple[CaseDifficulty, ...]
    left_out: int
    reason: Words = ""


def case_difficulty(
    source: Source,
    scale: tuple[float, float],
    *,
    rng: Rng,
    replicates: int = 2000,
) -> Difficulty:
    """How hard is each case, how far does it tell systems apart, and does it do so the right way?

    A case is hard where systems score low. That systems differ less on easy cases is what a bounded
    scale does by itself, so the spread stands beside a null in which every case uses the same share
    of the room that the scale leaves at its mean (`stats.bounded_spread`).

    Discrimination is the corrected item-total correlation, with means over the other cases that are
    adjusted by case where not every system has every case: 1, the case orders systems as all other
    cases do; 0, not at all; below 0, better systems do worse, as they do where the case's reference
    or its labels are wrong. Of many cases some lie below 0 by chance: read `p_adjusted`.

    Args:
        source: What systems are scored by; higher is better.
        scale: Smallest and largest value that it can take.
        rng: One number is drawn from it.
        replicates: Draws of the null, and orders of the systems.

    Source: levels: Soni & Demner-Fushman, Figure 3; discrimination: Lord & Novick (1968),
        Statistical Theories of Mental Test Scores; max-T: Westfall & Young (1993).

    Example:
        >>> from medassay.scores import Grid
        >>> values = np.array([[0.0, 0, 2, 2], [0, 1, 2, 1], [1, 2, 2, 0], [1, 2, 2, 0]])
        >>> grid = Grid(tuple("ABCD"), tuple("1234"), values, np.ones((4, 4), dtype=bool))
        >>> found = case_difficulty(Source("m", grid), (0, 2), rng=np.random.default_rng(1))
        >>> [(one.case, one.level) for one in found.cases]
        [('1', 'difficult'), ('4', 'moderate'), ('2', 'moderate'), ('3', 'easy')]
        >>> found.cases[1].discrimination < -0.9 and found.cases[3].discrimination is None
        True
    """
    rng = as_generator(rng)
    grid = in_canonical_order(source.grid)
    seed = drawn_seed(rng)
    if grid.known.sum(axis=0).max(initial=0) < _FEWEST_SYSTEMS:
        why = f"no case has {_FEWEST_SYSTEMS} systems with a score"
        return Difficulty(
            source.name, source.dimension, *scale,
            None, None, None, None, None, None, (), len(grid.cases), why,
        )  # fmt: skip
    spread = bounded_spread(
        grid.values, grid.known, scale, rng=stream(seed, "s13"), replicates=replicates
    )
    columns = np.flatnonzero(~np.isnan(spread.means))
    left_out = len(grid.cases) - columns.size
    quartiles: list[float] = np.quantile(spread.means[columns], [0.25, 0.75]).tolist()
    discriminations = _discriminations(
        grid.values[:, columns], grid.known[:, columns], stream(seed, "s14"), replicates
    )
    cases = [
        _case(
            grid.cases[k],
            int(k),
            spread,
            quartiles,
            (*discriminations[:, i], grid.known[:, k].sum()),
        )
        for i, k in enumerate(columns)
    ]
    cases.sort(key=lambda difficulty: (difficulty.mean, difficulty.case))
    q1, q3 = quartiles
    return Difficulty(
        source.name,
        source.dimension,
        *scale,
        q1,
        q3,
        spread.share,
        spread.rho,
        spread.null,
        spread.p,
        tuple(cases),
        left_out,
        spread.undefined,
    )


def _case(
    name: str,
    k: int,
    spread: BoundedSpread,
    quartiles: list[float],
    discrimination: tuple[float, ...],
) -> CaseDifficulty:
    mean = float(spread.means[k])
    level: Level = "moderate"
    if mean <= quartiles[0]:
        level = "difficult"
    elif mean >= quartiles[1]:
        level = "easy"
    r, p, adjusted = (None if np.isnan(value) else float(value) for value in discrimination[:3])
    suspect = ""
    if r is not None and r < 0 and p is not None and p < _POINTWISE:
        beyond = adjusted is not None and adjusted < _POINTWISE
        suspect = "reversed beyond chance" if beyond else "reversed"
    low, high = (None if np.isnan(end[k]) else float(end[k]) for end in (spread.low, spread.high))
    return CaseDifficulty(
        name, mean, float(spread.spreads[k]), low, high, level, r, p, adjusted, suspect,
        int(discrimination[3]),
    )  # fmt: skip


def _discriminations(
    values: Floats, known: NDArray[np.bool_], rng: np.random.Generator, orders: int
) -> Floats:
    """Give r, p and adjusted p of each case, shape (3, cases); NaN where undefined."""
    cases = values.shape[1]
    filled = np.where(known, values, 0.0)
    others = known.sum(axis=1, keepdims=True) - known
    usable = known & (others > 0)
    rest = (filled.sum(axis=1, keepdims=True) - filled) / np.maximum(others, 1)
    if not CaseAdjustment(known[known.any(axis=1)]).complete:
        rest, linked = _rest_adjusted(filled, known)
        usable &= linked
    observed = np.full(cases, np.nan)
    drawn = np.full((orders, cases), np.nan)
    for k in range(cases):
        x, y = (_standardised(side[usable[:, k], k]) for side in (values, rest))
        if x is None or y is None:
            continue
        observed[k] = x @ y
        drawn[:, k] = rng.permuted(np.tile(x, (orders, 1)), axis=1) @ y
    p = np.full((2, cases), np.nan)
    there = ~np.isnan(observed)
    if there.any():
        sizes = np.abs(drawn[:, there])
        # A hair of slack: an order that gives the same r must count as far.
        reached = np.abs(observed[there]) - 1e-12
        p[0, there] = (1 + (sizes >= reached).sum(axis=0)) / (1 + orders)
        p[1, there] = (1 + (sizes.max(axis=1)[:, None] >= reached).sum(axis=0)) / (1 + orders)
    return np.vstack([observed, p])


def _rest_adjusted(values: Floats, known: NDArray[np.bool_]) -> tuple[Floats, NDArray[np.bool_]]:
    """Give each system's mean over the cases but one, adjusted by case, and whether it has one.

    Systems that the other cases do not link with most of the others have none.
    """
    rest = np.zeros(values.shape)
    linked = np.zeros(values.shape, dtype=np.bool_)
    for k in range(values.shape[1]):
        others = known.copy()
        others[:, k] = False
        means, _ = CaseAdjustment(others).compared_in(values, np.ones((1, values.shape[1])))
        linked[:, k] = ~np.isnan(means[0])
        rest[linked[:, k], k] = means[0, linked[:, k]]
    return rest, linked


def _standardised(side: Floats) -> Floats | None:
    centred = side - side.mean() if side.size >= _FEWEST_SYSTEMS else side * 0
    length = float(np.sqrt(centred @ centred))
    return (
        centred / length if length > 1e-9 * max(1.0, float(np.abs(side).max(initial=0))) else None
    )
