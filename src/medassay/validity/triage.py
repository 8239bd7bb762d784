"""Which answers should people judge next?"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.scores import Grid, Unit
from medassay.stats import dense_ranks
from medassay.stats.randomness import uniform
from medassay.validity.source import Source

_PAIR: Final = 2
Lot = Callable[..., float]
"""Gives the lot of an answer, or of a case, by its ids: a number from 0 to below 1."""


def seeded_lot(seed: int) -> Lot:
    """Draw lots that follow from a seed, for simulations: who knows the seed knows the lots.

    Example:
        >>> seeded_lot(0)("A", "1") == seeded_lot(0)("A", "1") != seeded_lot(1)("A", "1")
        True
    """

    def lot(*ids: str) -> float:
        return uniform(seed, "s23", *ids) if len(ids) == 1 else uniform(seed, "s22", *ids)

    return lot


_BY_IDS: Final = seeded_lot(0)


@dataclass(frozen=True, slots=True)
class TriageWeights:
    """What counts how much; each part lies between 0 and 1.

    Attributes:
        ranking: Expected effect of the answer's system on the ranking.
        danger: The answer is flagged.
        disagreement: Metrics, or raters, disagree about it.
    """

    ranking: float = 1.0
    danger: float = 1.0
    disagreement: float = 0.5


@dataclass(frozen=True, slots=True)
class Triaged:
    """One answer of the queue.

    Attributes:
        system: The system.
        case: The case.
        sample: Which of the system's answers to the case.
        priority: Weighted sum of the three parts when the answer was taken.
        ranking: How much one more judgement of the system lowers the expected number of pairs in
            the wrong order, as a share of the most in the queue.
        danger: 1 where the answer is flagged, else 0.
        disagreement: Of metrics or raters, 0 to 1.
        why: The same in words.
    """

    system: str
    case: str
    sample: int
    priority: float
    ranking: float
    danger: float
    disagreement: float
    why: str


def triage(  # noqa: PLR0913 - each is a choice of its own, and half have a default
    judged: Grid,
    open_answers: NDArray[np.bool_],
    *,
    count: int,
    variance: float,
    samples: Sequence[int] = (),
    flags: Mapping[Unit, str] | None = None,
    disagreement: NDArray[np.float64] | None = None,
    weights: TriageWeights | None = None,
    lot: Lot = _BY_IDS,
) -> list[Triaged]:
    """Which answers should people judge next, and why?

    Taken one after the other. With n_s of N answers of system s judged its mean varies by
    V_s = v · (1/n_s − 1/N); systems s and t stand in the wrong order with probability
    Φ(−|d_st| / √(V_s + V_t)), and the effect of s is how far one more judgement lowers the sum of
    these over t. Among the answers of a system those come first whose case most other systems have
    had judged: what makes a case hard then falls out of the comparison. A system's effect does not
    depend on which of its answers is taken, so with `weights.danger` and `weights.disagreement` at
    0 the judged answers say nothing but chance and pairing; with them the judged answers are no
    random sample, and a plain mean over them is biased.

    Args:
        judged: The consensus so far. Of repeated answers each has a column, under the same case.
        open_answers: Which answers may be taken, shape as the grid's; an answer that is judged
            already does nothing for the ranking.
        count: How many to take.
        variance: v, of one answer about its system's mean, the case's part left out.
        samples: Which of a system's answers each column holds; the first if not given.
        flags: Answer to why it may be dangerous.
        disagreement: 0 to 1, shape as the grid's.
        weights: What counts how much.
        lot: Decides between equals. A rater who could work out these lots would know which answers
            are in the queue, and so which system some of them are of.

    Example:
        >>> known = np.array([[True, True, False], [True, False, False], [True, True, True]])
        >>> values = np.array([[1.0, 0, 0], [1, 0, 0], [0, 0, 0]])
        >>> grid = Grid(("A", "B", "C"), ("1", "2", "3"), values, known)
        >>> [(one.system, one.case) for one in triage(grid, ~known, count=2, variance=0.2)]
        [('B', '2'), ('A', '3')]
    """
    weights = weights or TriageWeights()
    shape = judged.known.shape
    places = list(zip(judged.cases, samples or (0,) * shape[1], strict=True))
    units = [[Unit(system, *place) for place in places] for system in judged.systems]
    why_of = flags or {}
    apart = np.zeros(shape) if disagreement is None else disagreement
    danger = np.array([[float(unit in why_of) for unit in row] for row in units])
    chance = np.array([[lot(*_ids(unit)) for unit in row] for row in units])
    by_case = np.array([lot(case) for case in judged.cases])
    left, seen = open_answers.copy(), judged.known.copy()
    means = _means(judged)
    total = (judged.known | open_answers).sum(axis=1).astype(np.float64)
    first = 0.0
    queue: list[Triaged] = []
    while left.any() and len(queue) < count:
        effects = _effects(means, seen.sum(axis=1).astype(np.float64), total, variance)
        effects[~(left & ~seen).any(axis=1)] = 0.0
        first = max(first, float(effects.max()))
        share = effects / first if first > 0 else effects
        # Whole numbers of systems judged on the case; the fraction decides between equal cases.
        pairing = (seen.sum(axis=0) + by_case) / (shape[0] + 1)
        value = (
            weights.ranking * np.where(seen, 0.0, share[:, None] + 1e-6 * pairing)
            + weights.danger * danger
            + weights.disagreement * apart
        )
        value = np.where(left, value, -np.inf)
        best = np.flatnonzero(value.ravel() >= value.max() - 1e-12)
        at = int(best[np.argmin(chance.ravel()[best])])
        i, j = divmod(at, shape[1])
        old = bool(seen[i, j])
        left[i, j], seen[i, j] = False, True
        unit, gain = units[i][j], 0.0 if old else float(share[i])
        queue.append(
            Triaged(
                unit.system, unit.case, unit.sample, float(value[i, j]), gain, float(danger[i, j]),
                float(apart[i, j]),
                _why(gain, why_of.get(unit, ""), apart[i, j], weights, old=old),
            )
        )  # fmt: skip
    return queue


def _ids(unit: Unit) -> tuple[str, ...]:
    """Give what an answer's lot follows from; that of a first answer from system and case."""
    return (*unit.pair, str(unit.sample)) if unit.sample else unit.pair


def disagreement_of(metrics: Sequence[Source]) -> NDArray[np.float64]:
    """How far do metrics disagree about each answer?

    Each metric's scores become shares of rank over all answers it knows, 0 to 1, turned so that
    higher is better. The disagreement is the standard deviation of an answer's shares, times two,
    so that 1 is the most there can be. 0 where fewer than two metrics know the answer; metrics
    without a better end are left out.

    Example:
        >>> known = np.ones((1, 2), dtype=bool)
        >>> up = Source("up", Grid(("A",), ("1", "2"), np.array([[0.0, 1.0]]), known))
        >>> down = Source("down", Grid(("A",), ("1", "2"), np.array([[3.0, 2.0]]), known))
        >>> disagreement_of([up, down]).tolist()
        [[1.0, 1.0]]
    """
    shares, knowns = [], []
    for metric in metrics:
        if metric.direction == "none":
            continue
        grid = metric.grid
        rank = np.zeros(grid.values.shape)
        levels = dense_ranks(metric.sign * grid.values[grid.known])
        rank[grid.known] = levels / max(1, int(levels.max(initial=0)))
        shares.append(rank)
        knowns.append(grid.known)
    shape = metrics[0].grid.values.shape if metrics else (0, 0)
    if len(shares) < _PAIR:
        return np.zeros(shape)
    stacked, known = np.array(shares), np.array(knowns)
    counts = known.sum(axis=0)
    mean = np.where(known, stacked, 0).sum(axis=0) / np.maximum(counts, 1)
    square = (np.where(known, stacked - mean, 0) ** 2).sum(axis=0) / np.maximum(counts, 1)
    apart: NDArray[np.float64] = np.where(counts >= _PAIR, 2 * np.sqrt(square), 0.0)
    return apart


def _means(judged: Grid) -> NDArray[np.float64]:
    """Give system means with the cases' own means taken out; a system without any has the mean."""
    if not judged.known.any():
        return np.zeros(len(judged.systems))
    counts = judged.known.sum(axis=0)
    centre = np.where(judged.known, judged.values, 0).sum(axis=0) / np.maximum(counts, 1)
    gap = np.where(judged.known, judged.values - centre, 0.0)
    means: NDArray[np.float64] = gap.sum(axis=1) / np.maximum(judged.known.sum(axis=1), 1)
    return means


def _effects(
    means: NDArray[np.float64], n: NDArray[np.float64], total: NDArray[np.float64], variance: float
) -> NDArray[np.float64]:
    from scipy.special import ndtr

    def spread(judged: NDArray[np.float64]) -> NDArray[np.float64]:
        # Nothing judged counts as half a judgement: more uncertain than one, and finite.
        return variance * np.maximum(1 / np.maximum(judged, 0.5) - 1 / np.maximum(total, 1), 0.0)

    def wrong(own: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
        error = np.sqrt(own[:, None] + other[None, :])
        gap = np.abs(means[:, None] - means[None, :])
        with np.errstate(divide="ignore", invalid="ignore"):  # no error left: nothing can be wrong
            chances: NDArray[np.float64] = np.where(error > 0, ndtr(-gap / error), 0.0)
        np.fill_diagonal(chances, 0.0)
        return chances

    now, then = spread(n), spread(np.minimum(n + 1, total))
    # Two equal means are in the wrong order half of the time whatever is judged: the width counts.
    gained = (wrong(now, now) - wrong(then, now)).sum(axis=1)
    narrowed = np.sqrt(now) - np.sqrt(then)
    effects: NDArray[np.float64] = np.maximum(gained, 0.0) + 1e-3 * narrowed
    return effects


def _why(share: float, flag: str, apart: float, weights: TriageWeights, *, old: bool) -> str:
    lines = []
    if flag and weights.danger:
        lines.append((weights.danger, flag))
    if weights.ranking and share > 0:
        lines.append((weights.ranking * share, f"its system's place is unsure ({share:.2f})"))
    if apart > 0 and weights.disagreement:
        # Nobody has judged the others: what differs about them are metrics.
        who = "raters" if old else "metrics"
        lines.append((weights.disagreement * apart, f"{who} differ ({apart:.2f})"))
    return "; ".join(words for _, words in sorted(lines, reverse=True))
