"""Controls: columns that know nothing of what an answer says, and what they would reach."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.annotations import Words, record
from medassay.judgements import Units
from medassay.scores import Grid
from medassay.stats import CaseAdjustment, pair_index, tau_b
from medassay.stats.randomness import Rng, as_generator
from medassay.validity.source import Source

NOISE: Final = "noise"
_ORDERS: Final = 20_000
_CHUNK_CELLS: Final = 1_000_000


def noise_bar(ranks: NDArray[np.intp], candidates: int, *, rng: Rng, level: float = 0.95) -> float:
    """What tau does the best of so many metrics reach that order the systems at random?

    The value that the best of `candidates` random orders stays below in a share of `level` of all
    draws: the quantile of one order's tau-b at level^(1 / candidates), the raters' ties kept.

    Args:
        ranks: The raters' ranks of the systems, ties sharing one.
        candidates: How many metrics one could pick from.
        rng: The source of randomness.
        level: The share.

    Example:
        >>> round(noise_bar(np.arange(28), 26, rng=np.random.default_rng(1)), 2)
        0.38
    """
    rng = as_generator(rng)
    first, second = pair_index(ranks.size)
    theirs = np.sign(ranks[first] - ranks[second]).astype(np.float32)
    orders = rng.random((_ORDERS, ranks.size))
    agreed = np.empty(_ORDERS)
    chunk = max(1, _CHUNK_CELLS // max(1, first.size))
    signs = np.empty((first.size, chunk), dtype=np.float32)
    for start in range(0, _ORDERS, chunk):
        part = np.ascontiguousarray(orders[start : start + chunk].T)
        drawn, row = signs[:, : part.shape[1]], 0
        for i in range(len(part) - 1):
            stop = row + len(part) - 1 - i
            above, below = part[i] > part[i + 1 :], part[i] < part[i + 1 :]
            np.subtract(above.view(np.int8), below.view(np.int8), out=drawn[row:stop])
            row = stop
        agreed[start : start + chunk] = theirs @ drawn  # whole numbers: exact however chunked
    taus = agreed / np.sqrt(first.size * np.count_nonzero(theirs))
    return float(np.quantile(taus, level ** (1 / max(1, candidates)), method="higher"))


def noise_control(like: Grid, rng: Rng) -> Source:
    """Draw a score for every known answer from the normal distribution."""
    rng = as_generator(rng)
    values = np.where(like.known, rng.normal(size=like.values.shape), 0.0)
    return Source(NOISE, Grid(like.systems, like.cases, values, like.known))


def constant_control(like: Grid) -> Source:
    """Give every known answer the same score."""
    values = np.where(like.known, 1.0, 0.0)
    return Source("constant", Grid(like.systems, like.cases, values, like.known))


_FEWEST_SYSTEMS: Final = 3
_FEWEST_LABELS: Final = 2
_CELLS: Final = 1_000_000
"""So many means of cells are laid out at once."""

Floats = NDArray[np.float64]


@record(infers=True)
class NoiseReference:
    """The raters held against each other as a metric is held against them.

    Attributes:
        halves: Median tau-b between the rankings by two halves of each answer's raters; None where
            undefined.
        low: The value that 2.5% of the random splits stay below.
        high: The value that 2.5% stay above.
        one_against_rest: Median tau-b between one rater an answer and the others; None where
            undefined.
        answers: Answers that two raters or more labelled; only they take part.
        draws: Random splits.
        undefined: Why there is no value; empty where there is one.
    """

    halves: float | None
    low: float | None
    high: float | None
    one_against_rest: float | None
    answers: int
    draws: int
    undefined: Words = ""


def noise_reference(units: Units, *, rng: Rng, draws: int = 200) -> NoiseReference:
    """How like each other are the rankings by one half of the raters and by the other?

    In each draw the labels of every answer are parted at random into two halves (one rater against
    the others where `one_against_rest` is asked), and tau-b of the two rows of system means is
    taken, adjusted by case where not every system has every case. It is a reference for reading a
    metric's tau, **not a ceiling**: the metric is held against all raters together, who are surer
    than either half, so a good metric can pass it. Spearman-Brown does not hold for tau, so nothing
    is stepped up.

    Args:
        units: What the raters said; labels must have scores.
        rng: The source of randomness.
        draws: Random splits.

    Source: Thompson et al. (2024), arXiv:2409.09598 (human noise beside metrics).

    Example:
        >>> keys = [(s, c) for s in "ABC" for c in "12"]
        >>> codes = [[0, 0], [0, 0], [1, 1], [1, 1], [2, 2], [2, 2]]
        >>> units = Units.from_codes(codes, "abc", keys=keys, scores=[0, 1, 2])
        >>> noise_reference(units, rng=np.random.default_rng(1), draws=10).halves
        1.0
    """
    rng = as_generator(rng)
    if units.scores is None:
        return _none("the labels have no scores", 0)
    count = np.bincount(units.unit, minlength=len(units.keys))
    shared = count >= _FEWEST_LABELS
    names = sorted({system for (system, *_), kept in zip(units.keys, shared, strict=True) if kept})
    answers = int(shared.sum())
    if len(names) < _FEWEST_SYSTEMS:
        why = "fewer than three systems have answers that two raters labelled"
        return _none(why, answers)
    row = {name: i for i, name in enumerate(names)}
    place = np.array([row.get(unit.system, 0) for unit in units.keys]), units.case
    known = np.zeros((len(names), len(units.cases)), dtype=np.bool_)
    cells = place[0][shared], place[1][shared]
    known[cells] = True
    per_cell = np.zeros(known.shape)
    np.add.at(per_cell, cells, 1.0)
    adjustment = CaseAdjustment(known)
    if not adjustment.linked:
        return _none(adjustment.undefined, answers)
    used = shared[units.unit]
    unit, value = units.unit[used], units.scores[units.code[used]]
    turn = np.arange(unit.size) - np.searchsorted(unit, unit)  # labels are sorted by unit
    sizes = count // 2, np.minimum(count, 1)
    halves: list[float] = []
    ones: list[float] = []
    at_once = max(1, _CELLS // (4 * known.size))
    for start in range(0, draws, at_once):
        values = np.zeros((min(at_once, draws - start), len(sizes), 2, *known.shape))
        for of_draw in values:
            order = np.lexsort((rng.random(unit.size), unit))
            for sides, size in zip(of_draw, sizes, strict=True):
                mine = turn < size[unit]
                for side, own in zip(sides, (mine, ~mine), strict=True):
                    sums = np.bincount(unit[own], value[order][own], minlength=len(count))
                    labels = np.bincount(unit[own], minlength=len(count))
                    # Answers to one case, and parts of one, count alike.
                    np.add.at(side, cells, sums[shared] / labels[shared] / per_cell[cells])
        means = adjustment.means(values.reshape(-1, *known.shape)).reshape(*values.shape[:3], -1)
        halves += _taus(means[:, 0])
        ones += _taus(means[:, 1])
    if 2 * len(halves) <= draws:
        return _none("all systems have the same mean in half of the splits or more", answers)
    low, high = np.quantile(halves, [0.025, 0.975])
    return NoiseReference(
        float(np.median(halves)),
        float(low),
        float(high),
        float(np.median(ones)) if ones else None,
        answers,
        draws,
    )


def _taus(means: Floats) -> list[float]:
    """Give tau-b of the two sides of each split that has one."""
    return [tau for mine, others in means if (tau := tau_b(mine, others)) is not None]


def _none(why: str, answers: int) -> NoiseReference:
    return NoiseReference(None, None, None, None, answers, 0, why)
