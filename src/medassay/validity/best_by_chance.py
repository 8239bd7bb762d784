"""How often does the best of all metrics that were tried go as far with the raters by chance?"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.marks import DesignName, record
from medassay.stats import Rng, as_generator, pair_index
from medassay.validity.block import FEWEST_SYSTEMS, Block, blocks
from medassay.validity.source import Source

__all__ = ["BestByChance", "ControlByChance", "best_by_chance"]

Floats = NDArray[np.float64]
_ORDERS: Final = 5_000
_CELLS: Final = 4_000_000
_SLACK: Final = 1e-9


@record(infers=True)
class ControlByChance:
    """How often a control goes further with the raters than every metric, by chance.

    Attributes:
        dimension: The dimension.
        share: Of random orders of the systems, from 0 to 1.
    """

    dimension: DesignName
    share: float


@record(infers=True)
class BestByChance:
    """What the best of many metrics reaches by chance.

    Attributes:
        metrics: How many metrics were tried.
        share: Of random orders of the systems, in which the best of them goes as far with the
            raters on some dimension as the best one does here: the p of the strongest.
        controls: The same of controls, by dimension.
    """

    metrics: int
    share: float
    controls: tuple[ControlByChance, ...] = ()


def best_by_chance(
    metrics: Sequence[Source],
    consensuses: Sequence[Source],
    *,
    controls: Sequence[Source] = (),
    rng: Rng,
    orders: int = _ORDERS,
) -> BestByChance | None:
    """Put the systems into random orders, the same for all metrics and dimensions.

    In each order the largest |tau| of all metrics with all consensuses is held against the largest
    that was seen: share = (1 + #{max |tau*| ≥ max |tau|}) / (1 + orders). What metrics have in
    common stays, so that ten spellings of one metric count for little more than one.

    Args:
        metrics: The metrics that were tried.
        consensuses: One a dimension.
        controls: Sources that know nothing of what an answer says.
        rng: The source of randomness.
        orders: Random orders.

    Returns:
        None where no metric has a tau.

    Source: Westfall & Young (1993), Resampling-based multiple testing (max-T).

    Example:
        >>> from medassay.scores import Grid
        >>> rng = np.random.default_rng(1)
        >>> values = np.arange(6.0)[:, None] + rng.normal(size=(6, 40))
        >>> grid = Grid(tuple("ABCDEF"), tuple(map(str, range(40))), values, values < np.inf)
        >>> found = best_by_chance([Source("m", grid)], [Source("q", grid)], rng=2)
        >>> found.metrics, found.share < 0.01  # one order of 360
        (1, True)
    """
    rng = as_generator(rng)
    every = [*metrics, *controls]
    systems = sorted({name for source in every for name in source.grid.systems})
    keys = rng.random((orders, len(systems)))
    seen = np.zeros((len(every), len(consensuses)))
    drawn = np.zeros((orders, len(every), len(consensuses)), dtype=np.float32)
    for block in blocks(every, consensuses):
        if len(block.systems) < FEWEST_SYSTEMS or not block.adjustment.linked:
            continue
        own = keys[:, [systems.index(name) for name in block.systems]]
        rows, columns = np.array(block.metrics)[:, None], np.array(block.consensuses)
        seen[rows, columns] = np.abs(np.nan_to_num(block.taus))
        drawn[:, rows, columns] = _drawn(block, own)
    among = len(metrics)
    if not seen[:among].any():
        return None
    best = drawn[:, :among].max(axis=1)
    reached = best.max(axis=1) >= seen[:among].max() - _SLACK
    shares = [
        ControlByChance(consensus.dimension, float(ahead.mean()))
        for at, consensus in enumerate(consensuses)
        for ahead in [drawn[:, among:, at].max(axis=1, initial=0.0) > best[:, at] + _SLACK]
        if controls and consensus.dimension
    ]
    share = (1 + int(reached.sum())) / (1 + orders)
    return BestByChance(among, share, tuple(shares))


def _drawn(block: Block, keys: Floats) -> NDArray[np.float32]:
    """Give |tau| of every metric and consensus of a block in each order, shape (orders, ., .)."""
    first, second = pair_index(len(block.systems))
    ours, theirs = (
        np.sign(ranks[:, first] - ranks[:, second]).astype(np.float32) for ranks in block.ranked
    )
    scale = np.sqrt(np.outer((ours != 0).sum(axis=1), (theirs != 0).sum(axis=1)))
    order = np.argsort(keys, axis=1)
    taus = np.zeros((len(keys), len(ours), len(theirs)), dtype=np.float32)
    step = max(1, _CELLS // max(1, len(first)))
    for start, stop in pairwise([*range(0, len(keys), step), len(keys)]):
        for at, ranks in enumerate(block.ranked[1]):
            moved = ranks[order[start:stop]]
            signs = np.sign(moved[:, first] - moved[:, second]).astype(np.float32)
            taus[start:stop, :, at] = np.abs(signs @ ours.T)
    return np.divide(taus, scale, out=np.zeros_like(taus), where=scale > 0)
