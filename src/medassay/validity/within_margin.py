"""Whether two systems' means differ by less than a margin that was declared beforehand."""

from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.annotations import DesignName, PValue, SystemName, Words, record
from medassay.stats import Interval, group_labels
from medassay.stats.noninferiority import PairedGate, paired_gates
from medassay.validity.source import Source, in_canonical_order

_ESTIMAND: Final = "these systems, new cases"
_ENDLESS: Final = "needs a scale with two ends: rare large differences have no bound without"


@record(infers=True)
class WithinMargin:
    """Two systems by one source, and the largest difference that still counts as none.

    Attributes:
        source: The name of the source.
        system_a: The one whose id comes first.
        system_b: The other.
        margin: The largest difference that counts as none, in the source's own unit.
        interval: Of a's mean less b's, over the cases that both have; those of all pairs of the
            source hold at once. None where undefined.
        p: That the true difference is the margin or more, in either direction, adjusted over all
            pairs of the source (Bonferroni); None where undefined.
        reason: Why something is None; empty where nothing is.
    """

    source: DesignName
    system_a: SystemName
    system_b: SystemName
    margin: float
    interval: Interval | None
    p: PValue | None
    reason: Words = ""

    def similar(self, level: float = 0.05) -> bool:
        """Say whether the whole interval lies inside the margin, and the test says so too.

        Args:
            level: At which the source is tested; where that is under 5%, the test is the stricter.
        """
        around = self.interval
        if around is None or self.p is None:
            return False
        return -self.margin < around.low and around.high < self.margin and self.p <= level


def within_margin(
    source: Source,
    margin: float,
    ends: tuple[float, float] | None,
    *,
    clusters: Mapping[str, str] | None = None,
    level: float = 0.95,
) -> tuple[WithinMargin, ...]:
    """Which two systems differ by less than a margin, whatever the order of their means?

    Two one-sided tests of the paired differences over the cases that both have, each as
    `stats.paired_gate` asks whether a loss of the margin is excluded: with the skewness of the
    differences, with exact binomial bounds of right-or-wrong scores, and with no more certainty
    than as many cases all alike would give. Of P pairs each interval has the level 1 − α/P, and p
    is 2P times the larger of the two one-sided ones.

    Args:
        source: The scores of all systems.
        margin: The largest difference that counts as none, above 0, in the unit of the scores.
        ends: The least and the greatest score; None where the scale has no ends, and then nothing
            is said.
        clusters: Case to cluster; a case that is not named is a cluster alone.
        level: Coverage of all intervals together.

    Returns:
        Every pair of systems with a value, by their ids.

    Source: Schuirmann (1987), doi:10.1007/BF01068419, for two one-sided tests.

    Example:
        >>> from medassay.scores import Grid
        >>> values = np.random.default_rng(1).integers(0, 3, size=(2, 200)) / 2
        >>> grid = Grid(("A", "B"), tuple(f"{k:03}" for k in range(200)), values, values >= 0)
        >>> [pair] = within_margin(Source("quality", grid), 0.2, (0.0, 1.0))
        >>> pair.similar(), within_margin(Source("quality", grid), 0.05, (0.0, 1.0))[0].similar()
        (True, False)
    """
    grid = in_canonical_order(source.grid)
    there = np.flatnonzero(grid.known.any(axis=1)).tolist()
    pairs = list(combinations(there, 2))
    labels = None if clusters is None else group_labels(grid.cases, clusters)
    made = []
    for i, j in pairs:
        both = np.flatnonzero(grid.known[i] & grid.known[j])
        interval, p, reason = None, None, _ENDLESS
        if ends is not None:
            of_both = None if labels is None else [labels[k] for k in both.tolist()]
            difference = grid.values[i, both] - grid.values[j, both]
            interval, p, reason = _both_sides(difference, margin, ends, of_both, len(pairs), level)
        made.append(
            WithinMargin(source.name, grid.systems[i], grid.systems[j], margin, interval, p, reason)
        )
    return tuple(made)


def _both_sides(
    difference: NDArray[np.float64],
    margin: float,
    ends: tuple[float, float],
    clusters: Sequence[Hashable] | None,
    pairs: int,
    level: float,
) -> tuple[Interval | None, float | None, str]:
    """Exclude a loss of the margin, and a gain: the same question with the sign turned."""
    span = ends[1] - ends[0]
    loss, gain = paired_gates(
        np.array([difference, -difference]),
        margin=margin,
        span=span,
        clusters=clusters,
        level=1 - (1 - level) / pairs,
    )
    lower, upper = _side(loss), _side(gain)
    if lower is None or upper is None:
        return None, None, loss.undefined or gain.undefined
    (low, p_loss), (high, p_gain) = lower, upper
    around = Interval(max(low, -span), min(-high, span), level, _METHOD, _ESTIMAND)
    return around, min(1.0, 2 * pairs * max(p_loss, p_gain)), ""


_METHOD: Final = "t with the skewness taken out, all pairs at once"


def _side(gate: PairedGate) -> tuple[float, float] | None:
    """Give the lower end and the p of one side; None where the gate has none."""
    if gate.interval is None or gate.p_not_worse is None:
        return None
    return gate.interval.low, gate.p_not_worse
