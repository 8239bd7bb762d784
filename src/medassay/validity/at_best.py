"""What can a study show at best, before anybody has rated?"""

from math import ceil, log, sqrt

from medassay.marks import PValue, record
from medassay.stats import FEWEST_WITHOUT_TWO, untied_tail
from medassay.validity.rank_bar import rank_bar
from medassay.validity.surrogacy import GATE_SYSTEMS
from medassay.validity.uses import ALPHA

__all__ = ["AtBest", "at_best"]

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
            (one-sided 95 %, Clopper-Pearson, divided by the share of harm that is found).
        answers_for_one_percent: Answers without harm that bring that bound under 1 %.
        kappa_half_width: Cohen's kappa of .60 on two labels given equally often, every answer
            judged by two: its 95 % interval reaches so far to either side.
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
    left must have M·D·P(|C − D| ≥ k) ≤ .05; the least of all choices of two lies at or below their
    mean, which is tau, so no tau under k/pairs of S − 2 systems stands. The bar for ranking is that
    of `rank_bar`. With n answers and none found harmful the one-sided bound is 1 − .05^(1/n),
    divided by the share s of harm that is found; it lies under 1 % from ln .05 / ln(1 − s/100)
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
    """Give the agreement that kappa is .60 at where chance agrees on half."""
    return _KAPPA + (1 - _KAPPA) * 0.5
