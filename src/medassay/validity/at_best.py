"""What a study can show at best, before anybody has rated: of metrics, systems and versions."""

from math import ceil, log, log2, sqrt

from medassay.annotations import DesignName, PValue, record
from medassay.errors import InvalidInput, Problem
from medassay.stats import FEWEST_WITHOUT_TWO, untied_tail
from medassay.stats.betting import cases_needed
from medassay.stats.noninferiority import cases_to_show
from medassay.validity.gate import false_alarms_of_100
from medassay.validity.order_test import rank_bar
from medassay.validity.surrogacy import GATE_SYSTEMS
from medassay.validity.uses import ALPHA

_MOST_SYSTEMS = 60
_KAPPA = 0.6
_NORMAL = 1.959964


@record(infers=True)
class AtBest:
    """What the size of a study allows, whatever its answers turn out to be.

    Attributes:
        systems: Systems that are ranked.
        families: Systems, families of variants counted once: what permits count.
        metrics: Metrics that are held against the raters, controls left out.
        dimensions: Dimensions on which they are.
        answers: Answers a system.
        smallest: The smallest p that any metric can have whichever two systems are left out, after
            Holm over metrics and dimensions: that of tau 1. None with fewer than five systems or
            without a metric.
        tau: No metric with a smaller tau can be permitted to screen; None where not even 1 can.
        systems_needed: With so many systems tau 1 can; 0 where it can now.
        rank_bar: A metric that ranks has a tau above it; None where even 1 is not enough.
        rank_systems_needed: With so many systems a tau of 1 is enough; 0 where it is now.
        gate_systems_lacking: So many more are needed before any metric can be permitted to gate
            between systems.
        harm: Where no answer of a system is found harmful, at most this share of its answers is
            (one-sided 95%, Clopper-Pearson, divided by the share of harm that is found).
        answers_for_one_percent: Answers without harm that bring that bound under 1%.
        kappa_half_width: Cohen's kappa of 0.60 on two labels given equally often, every answer
            judged by two: its 95% interval reaches so far to either side.
    """

    systems: int
    families: int
    metrics: int
    dimensions: int
    answers: int
    smallest: PValue | None
    tau: float | None
    systems_needed: int
    rank_bar: float | None
    rank_systems_needed: int
    gate_systems_lacking: int
    harm: float | None
    answers_for_one_percent: int
    kappa_half_width: float | None


def at_best(
    systems: int,
    metrics: int,
    answers: int,
    *,
    families: int | None = None,
    dimensions: int = 1,
    harm_found: float = 1.0,
) -> AtBest:
    """What can a study of this size show at best?

    Of M metrics on D dimensions and S systems whose means do not tie, tau 1 has the smallest
    permutation p when two systems are left out, 2/(S − 2)!, and Holm multiplies it by M·D. What is
    left must have M·D·P(|C − D| ≥ k) ≤ 0.05; the least of all choices of two lies at or below their
    mean, which is tau, so no tau under k/pairs of S − 2 systems stands. The bar for ranking is that
    of `rank_bar`. With n answers and none found harmful the one-sided bound is 1 − 0.05^(1/n),
    divided by the share s of harm that is found; it lies under 1% from ln 0.05 / ln(1 − s/100)
    answers on. The kappa is Cohen's, with his large-sample standard error
    √(p_o (1 − p_o)/n) / (1 − p_e).

    Args:
        systems: Systems that are ranked.
        metrics: Metrics, controls left out.
        answers: Answers a system.
        families: Systems, families of variants counted once; as many as systems if not given.
        dimensions: Dimensions that raters judge.
        harm_found: The share of harm that raters find, in (0, 1].

    Source: Kendall (1938), doi:10.1093/biomet/30.1-2.81; Clopper & Pearson (1934),
        doi:10.1093/biomet/26.4.404; Cohen (1960), doi:10.1177/001316446002000104.

    Example:
        >>> found = at_best(8, 5, 100)
        >>> round(found.smallest, 4), found.tau  # 5 · 2/6!; the next tau has 5 · 12/6!
        (0.0139, 1.0)
        >>> round(found.rank_bar, 2), at_best(6, 5, 100).rank_systems_needed
        (0.93, 8)
        >>> round(found.harm, 4), found.answers_for_one_percent
        (0.0295, 299)
        >>> at_best(4, 5, 100).tau, at_best(4, 5, 100).systems_needed
        (None, 8)
        >>> at_best(14, 5, 100, families=9).gate_systems_lacking
        3
    """
    points, tests = systems if families is None else families, metrics * dimensions
    smallest, tau = _smallest(points, tests) if tests else (None, None)
    bar = None if tau is None else rank_bar(points, tests)
    sizes = range(FEWEST_WITHOUT_TWO, _MOST_SYSTEMS)
    screens = [n for n in sizes if _smallest(n, tests)[1] is not None]
    ranks = (n for n in screens if rank_bar(n, tests) is not None)
    units = answers * systems
    return AtBest(
        systems=systems,
        families=points,
        metrics=metrics,
        dimensions=dimensions,
        answers=answers,
        smallest=smallest,
        tau=tau,
        systems_needed=next(iter(screens), 0) if tests and tau is None else 0,
        rank_bar=bar,
        rank_systems_needed=next(ranks, 0) if tests and bar is None else 0,
        gate_systems_lacking=max(0, GATE_SYSTEMS - points),
        harm=min(1.0, (1 - ALPHA ** (1 / answers)) / harm_found) if answers else None,
        answers_for_one_percent=ceil(log(ALPHA) / log(1 - harm_found / 100)),
        kappa_half_width=_NORMAL * sqrt(_observed() * (1 - _observed()) / units) / 0.5
        if units
        else None,
    )


def _smallest(systems: int, tests: int) -> tuple[float | None, float | None]:
    """Give the smallest p after Holm with two left out, and what no tau that stands is under."""
    if systems < FEWEST_WITHOUT_TWO:
        return None, None
    tail = untied_tail(systems - 2)
    pairs = (systems - 2) * (systems - 3) // 2
    stand = [k for k in range(pairs, -1, -2) if tests * tail[k] <= ALPHA]
    return min(1.0, tests * float(tail[pairs])), stand[-1] / pairs if stand else None


def _observed() -> float:
    """Give the agreement that kappa is 0.60 at where chance agrees on half."""
    return _KAPPA + (1 - _KAPPA) * 0.5


_POWER = 0.8
_SPREAD = 0.5
"""Of the width of a scale: the standard deviation of a difference within a case, before any label.

It is 0 where two systems always get the same, 0.71 where right and wrong fall by coins.
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
        pairs: Pairs of systems, which share the level of 0.05.
        right_or_wrong: The smallest difference of two systems' shares of right answers that an
            exact test can show; None where none can.
        standard_deviations: The difference of two systems' means that is found with 80%
            probability, in standard deviations of the difference within a case; None without a
            pair or an answer.
        assumed_spread: The standard deviation of the difference within a case that is assumed
            before there are labels, as a share of the scale's width.
        share_of_scale: The difference of two systems' means that is found with 80% probability
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

    *Two systems.* The level is shared out among the pairs: α = 0.05/pairs. Where scores are right
    or wrong, d cases that all speak for one system have the exact p 2^(1 − d), so that no fewer
    than d = ⌈log2(2/α)⌉ cases show anything, a difference of d/n. Else the difference found with
    80% probability is (z(1 − α/2) + z(0.8))/√n, in standard deviations of the difference within a
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
