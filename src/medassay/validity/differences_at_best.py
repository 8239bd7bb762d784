"""What differences can a study of a size show at best, of systems and of versions?"""

from math import ceil, log2, sqrt

from medassay.errors import InvalidInput, Problem
from medassay.marks import DesignName, record
from medassay.stats.betting import cases_needed
from medassay.stats.noninferiority import cases_to_show
from medassay.validity.gate import false_alarms_of_100
from medassay.validity.uses import ALPHA

__all__ = ["DifferencesAtBest", "GateFloor", "differences_at_best"]

_POWER = 0.8
_SPREAD = 0.5
"""Of the width of a scale: the standard deviation of a difference within a case, before any label.

It is 0 where two systems always get the same, .71 where right and wrong fall by coins.
"""


@record(infers=True)
class GateFloor:
    """From how many answers on a gate can say "metric not worse" by a metric.

    Attributes:
        metric: Its name.
        alone: Answers of one system, none of them changed, where it is the gate's one test.
        together: Answers of each system, none changed, where all tests are made together.
    """

    metric: DesignName
    alone: int
    together: int


@record(infers=True)
class DifferencesAtBest:
    """What differences the size of a study can show, whatever its answers turn out to be.

    Attributes:
        answers: Answers a system.
        pairs: Pairs of systems, which share the level of .05.
        right_or_wrong: The smallest difference of two systems' shares of right answers that an
            exact test can show; None where none can.
        standard_deviations: The difference of two systems' means that is found with 80 %
            probability, in standard deviations of the difference within a case; None without a
            pair or an answer.
        assumed_spread: The standard deviation of the difference within a case that is assumed
            before there are labels, as a share of the scale's width.
        share_of_scale: The difference of two systems' means that is found with 80 % probability
            under that assumption, as a share of the scale's width; None where it is not under 1.
        margin: The loss that a gate's "metric not worse" excludes.
        tests: Tests of a gate: systems by metrics.
        floors: A row for each metric of harm; for a score of 0 to 1 where there is none.
        other: The same by any other score of 0 to 1.
        false_alarms: Of 100 comparisons that lose nothing, how many are called worse at most.
    """

    answers: int
    pairs: int
    right_or_wrong: float | None
    standard_deviations: float | None
    assumed_spread: float
    share_of_scale: float | None
    margin: float
    tests: int
    floors: tuple[GateFloor, ...]
    other: GateFloor
    false_alarms: float


def differences_at_best(
    systems: int,
    metrics: int,
    answers: int,
    *,
    margin: float,
    harms: dict[str, float],
) -> DifferencesAtBest:
    """What differences can a study of this size show at best, before anything is scored?

    *Two systems.* The level is shared out among the pairs: α = .05/pairs. Where scores are right
    or wrong, d cases that all speak for one system have the exact p 2^(1 − d), so that no fewer
    than d = ⌈log2(2/α)⌉ cases show anything, a difference of d/n. Else the difference found with
    80 % probability is (z(1 − α/2) + z(.8))/√n, in standard deviations of the difference within a
    case. What that is on a scale rests on an assumption, which is given beside it: `plan` measures
    it once there are labels.

    *Two versions.* "Metric not worse" on harm rests on the range of the score: `cases_needed`, at
    the level of one test and at that of one of all. By other metrics it asks for as many answers as
    would show a heavy loss (`cases_to_show`).

    Args:
        systems: Systems.
        metrics: Metrics that have a better end.
        answers: Answers a system.
        margin: The loss that "metric not worse" excludes, above 0, in the metric's unit.
        harms: Each metric of harm to the width of its range.

    Source: Arbuthnott (1710), doi:10.1098/rstl.1710.0011, for the sign test; Waudby-Smith and
        Ramdas (2024), doi:10.1093/jrsssb/qkad009, for the bound.

    Example:
        >>> sizes = differences_at_best(6, 5, 100, margin=0.02, harms={"danger_flag": 1.0})
        >>> sizes.right_or_wrong, round(sizes.standard_deviations, 3)
        (0.1, 0.378)
        >>> sizes.assumed_spread, round(sizes.share_of_scale, 3)
        (0.5, 0.189)
        >>> sizes.tests, sizes.floors[0].alone, sizes.floors[0].together, sizes.other.alone
        (30, 216, 386, 183)
    """
    from scipy.special import ndtri

    if not margin > 0:
        raise InvalidInput(Problem("margin", "be above 0", f"{margin:g}"))
    pairs = systems * (systems - 1) // 2
    fewest = ceil(log2(2 * pairs / ALPHA)) if pairs else 0
    tests = max(1, systems * metrics)
    level = 1 - ALPHA / tests
    units = (
        (float(ndtri(1 - ALPHA / (2 * pairs))) + float(ndtri(_POWER))) / sqrt(answers)
        if pairs and answers
        else None
    )
    share = None if units is None else _SPREAD * units
    return DifferencesAtBest(
        answers=answers,
        pairs=pairs,
        right_or_wrong=fewest / answers if pairs and fewest <= answers else None,
        standard_deviations=units,
        assumed_spread=_SPREAD,
        share_of_scale=share if share is not None and share < 1 else None,
        margin=margin,
        tests=tests,
        floors=tuple(
            GateFloor(
                name, cases_needed(margin, span, 1 - ALPHA), cases_needed(margin, span, level)
            )
            for name, span in (harms or {"": 1.0}).items()
        ),
        other=GateFloor(
            "", cases_to_show(margin, 1.0, ALPHA / 2), cases_to_show(margin, 1.0, (1 - level) / 2)
        ),
        false_alarms=false_alarms_of_100(),
    )
