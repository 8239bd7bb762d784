"""What becomes of the ranking when answers that nobody judged are dropped, or counted as wrong."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from medassay.annotations import DesignName, SystemName, record
from medassay.scores import Grid
from medassay.stats import CaseAdjustment, ranks
from medassay.validity.source import Source, in_canonical_order


@record(infers=True)
class UnjudgedRank:
    """One system by four rules for answers without a judgement.

    Attributes:
        consensus: Name of the raters' consensus.
        dimension: What they judged.
        system: The system.
        judged: Answers with a judgement.
        unjudged: Answers without.
        dropped: Mean of the judged answers; None where none is judged.
        dropped_rank: Its place by that.
        adjusted: What the mean would be over all cases with a judgement, by the fit of
            `stats.CaseAdjustment`; None where no case links the systems.
        adjusted_rank: Its place by that.
        worst: Mean when the others have the lowest score of the scale.
        worst_rank: Its place by that.
        shared: Mean over the cases on which every system was judged; None without such a case.
        shared_rank: Its place by that.
        shared_cases: How many such cases there are.
        moves: Whether the rule decides its place.
    """

    consensus: DesignName
    dimension: DesignName
    system: SystemName
    judged: int
    unjudged: int
    dropped: float | None
    dropped_rank: int | None
    adjusted: float | None
    adjusted_rank: int | None
    worst: float | None
    worst_rank: int | None
    shared: float | None
    shared_rank: int | None
    shared_cases: int
    moves: bool


def unjudged_ranks(consensus: Source, given: NDArray[np.bool_], worst: float) -> list[UnjudgedRank]:
    """Does the rule for answers that nobody judged decide which system is better?

    Dropping them supposes that they are like the others; so does adjusting by case, but to the same
    case, so that nobody is ahead for having been judged on the easy ones; counting them as wrong,
    that all are bad; keeping only the cases judged for every system, that those cases are like the
    others. None is right for free, so all four are told. Ties share the best place.

    Args:
        consensus: Known where an answer is judged.
        given: Where an answer was given, shape as the consensus with systems and cases sorted.
        worst: The worst score of the scale.

    Example:
        >>> from medassay.scores import Grid
        >>> values = np.array([[1.0, 1.0, 0.0, 0.0], [1.0, 1.0, 1.0, 0.0]])
        >>> known = np.array([[True, True, False, False], [True, True, True, True]])
        >>> judged = Source("h", Grid(("A", "B"), tuple("1234"), values, known))
        >>> found = unjudged_ranks(judged, known | True, 0.0)
        >>> [(one.system, one.dropped_rank, one.worst_rank) for one in found]
        [('A', 1, 2), ('B', 2, 1)]
    """
    grid = in_canonical_order(consensus.grid)
    values, known = np.where(grid.known, grid.values, 0.0), grid.known
    open_ = given & ~known
    judged, unjudged = known.sum(axis=1), open_.sum(axis=1)
    everywhere = known.all(axis=0)
    cases = np.full(len(grid.systems), int(everywhere.sum()))
    total = values.sum(axis=1)
    of = {
        "dropped": (total, judged),
        "worst": (total + worst * unjudged, judged + unjudged),
        "shared": (values[:, everywhere].sum(axis=1), cases),
    }
    means = {name: _means(sums, sizes) for name, (sums, sizes) in of.items()}
    means["adjusted"] = _adjusted(values, known)
    places = {name: _places(row, consensus.sign) for name, row in means.items()}
    return [
        UnjudgedRank(
            consensus.name,
            consensus.dimension,
            system,
            int(judged[i]),
            int(unjudged[i]),
            means["dropped"][i],
            places["dropped"][i],
            means["adjusted"][i],
            places["adjusted"][i],
            means["worst"][i],
            places["worst"][i],
            means["shared"][i],
            places["shared"][i],
            int(everywhere.sum()),
            len({row[i] for row in places.values()} - {None}) > 1,
        )
        for i, system in enumerate(grid.systems)
    ]


def with_worst(consensus: Source, given: NDArray[np.bool_], worst: float) -> Source:
    """Which scores has a consensus that counts the answers nobody judged as wrong?

    Args:
        consensus: Known where an answer is judged.
        given: Where an answer was given, shape as the consensus with systems and cases sorted.
        worst: The worst score of the scale.

    Example:
        >>> values, known = np.array([[2.0, 0.0]]), np.array([[True, False]])
        >>> judged = Source("h", Grid(("A",), ("1", "2"), values, known))
        >>> with_worst(judged, known | True, 1.0).grid.values.tolist()
        [[2.0, 1.0]]
    """
    grid = in_canonical_order(consensus.grid)
    values = np.where(grid.known, grid.values, np.where(given, worst, 0.0))
    filled = Grid(grid.systems, grid.cases, values, grid.known | given)
    return replace(consensus, grid=filled)


def _adjusted(values: NDArray[np.float64], known: NDArray[np.bool_]) -> list[float | None]:
    adjusted: list[float | None] = [None] * len(values)
    judged = np.flatnonzero(known.any(axis=1))
    adjustment = CaseAdjustment(known[judged])
    if adjustment.linked:
        means = adjustment.means(values[None, judged])[0].tolist()
        for at, mean in zip(judged.tolist(), means, strict=True):
            adjusted[at] = mean
    return adjusted


def _means(sums: NDArray[np.float64], sizes: NDArray[np.int64]) -> list[float | None]:
    pairs = zip(sums.tolist(), sizes.tolist(), strict=True)
    return [added / size if size else None for added, size in pairs]


def _places(means: list[float | None], sign: float) -> list[int | None]:
    known = [sign * mean for mean in means if mean is not None]
    if not known:
        return [None] * len(means)
    places = iter(ranks(known).tolist())
    return [None if mean is None else next(places) for mean in means]


_SLACK = 1e-9


@dataclass(frozen=True, slots=True)
class Judged:
    """What is known of one system's answers.

    Attributes:
        total: The sum of its values.
        n: How many answers have one.
        unjudged: How many were asked of raters and have none.
    """

    total: float
    n: int
    unjudged: int


def fewest_to_turn(ahead: Judged, behind: Judged, low: float, high: float) -> int | None:
    """Count the unjudged answers that would have to go against what was found.

    The fewest i + j for which the mean of the one ahead, i more answers of it at the low end, is no
    longer above that of the other, j more answers of it at the high end. The rest of the unjudged
    answers stays out.

    Args:
        ahead: The system with the higher mean.
        behind: The other one.
        low: The lowest value there is.
        high: The highest.

    Returns:
        None where all unjudged answers together cannot turn it, or nothing is known of one.

    Source: Tipping points: Yan, Lee & Li (2009), doi:10.1080/10543400903242761.

    Example:
        >>> fewest_to_turn(Judged(18, 20, 0), Judged(4, 20, 14), 0, 1) is None
        True
        >>> fewest_to_turn(Judged(8, 20, 0), Judged(4, 20, 14), 0, 1)  # 11 of 27 against 8 of 20
        7
    """
    if not ahead.n or not behind.n:
        return None
    turning = [
        i + j
        for i in range(ahead.unjudged + 1)
        for j in [_needed((ahead.total + i * low) / (ahead.n + i), behind, high)]
        if j is not None
    ]
    return min(turning, default=None)


def _needed(mean: float, behind: Judged, high: float) -> int | None:
    """Count the answers at the high end that lift a mean to another; None if too few are left."""
    for j in range(behind.unjudged + 1):
        if (behind.total + j * high) / (behind.n + j) >= mean - _SLACK:
            return j
    return None
