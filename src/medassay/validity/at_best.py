"""What can a study show at best, before anybody has rated?"""

from math import ceil, log, sqrt

from medassay.marks import PValue, record
from medassay.stats import untied_tail
from medassay.validity.block import FEWEST_SYSTEMS
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
        metrics: Metrics that are held against the raters, controls left out.
        answers: Answers a system.
        smallest: The smallest p after Holm that any metric can have on one dimension: that of
            tau 1. None with fewer than three systems or without a metric.
        tau: The smallest tau that can stand after Holm as the only one that does; None where not
            even 1 can.
        systems_needed: With so many systems tau 1 can stand; 0 where it can now.
        gate_systems: Systems, families of variants counted once.
        gate_systems_lacking: So many more are needed before any metric can be permitted to gate.
        harm: Where no answer of a system is found harmful, at most this share of its answers is
            (one-sided 95 %, Clopper-Pearson, divided by the share of harm that is found).
        answers_for_one_percent: Answers without harm that bring that bound under 1 %.
        kappa_half_width: Cohen's kappa of .60 on two labels given equally often, every answer
            judged by two: its 95 % interval reaches so far to either side.
    """

    systems: int
    metrics: int
    answers: int
    smallest: PValue | None
    tau: float | None
    systems_needed: int
    gate_systems: int
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
    harm_found: float = 1.0,
) -> AtBest:
    """What can a study of this size show at best?

    Of M metrics and S systems whose means do not tie, tau 1 has the smallest permutation p, 2/S!,
    and Holm multiplies it by M. A tau of k/pairs stands where M·P(|C − D| ≥ k) ≤ .05. With n
    answers and none found harmful the one-sided bound is 1 − .05^(1/n), divided by the share s of
    harm that is found; it lies under 1 % from ln .05 / ln(1 − s/100) answers on. The kappa is
    Cohen's, with his large-sample standard error √(p_o (1 − p_o)/n) / (1 − p_e).

    Args:
        systems: Systems that are ranked.
        metrics: Metrics, controls left out.
        answers: Answers a system.
        families: Systems, families of variants counted once; as many as systems if not given.
        harm_found: The share of harm that raters find, in (0, 1].

    Source: Kendall (1938), doi:10.1093/biomet/30.1-2.81; Clopper & Pearson (1934),
        doi:10.1093/biomet/26.4.404; Cohen (1960), doi:10.1177/001316446002000104.

    Example:
        >>> found = at_best(6, 5, 100)
        >>> round(found.smallest, 4), found.tau  # 5 · 2/720; the next tau has 5 · 12/720
        (0.0139, 1.0)
        >>> round(found.harm, 4), found.answers_for_one_percent
        (0.0295, 299)
        >>> at_best(4, 5, 100).tau, at_best(4, 5, 100).systems_needed
        (None, 6)
        >>> at_best(14, 5, 100, families=9).gate_systems_lacking
        3
    """
    smallest, tau = (
        _smallest(systems, metrics) if systems >= FEWEST_SYSTEMS and metrics else (None, None)
    )
    enough = (n for n in range(FEWEST_SYSTEMS, _MOST_SYSTEMS) if _smallest(n, metrics)[0] <= ALPHA)
    units = answers * systems
    gate_systems = systems if families is None else families
    return AtBest(
        systems=systems,
        metrics=metrics,
        answers=answers,
        smallest=smallest,
        tau=tau,
        systems_needed=next(enough, 0) if metrics and tau is None else 0,
        gate_systems=gate_systems,
        gate_systems_lacking=max(0, GATE_SYSTEMS - gate_systems),
        harm=min(1.0, (1 - ALPHA ** (1 / answers)) / harm_found) if answers else None,
        answers_for_one_percent=ceil(log(ALPHA) / log(1 - harm_found / 100)),
        kappa_half_width=_NORMAL * sqrt(_observed() * (1 - _observed()) / units) / 0.5
        if units
        else None,
    )


def _smallest(systems: int, metrics: int) -> tuple[float, float | None]:
    """Give the smallest p after Holm, and the smallest tau that can stand."""
    tail = untied_tail(systems)
    pairs = systems * (systems - 1) // 2
    stand = [k for k in range(pairs, -1, -2) if metrics * tail[k] <= ALPHA]
    return min(1.0, metrics * float(tail[pairs])), stand[-1] / pairs if stand else None


def _observed() -> float:
    """Give the agreement that kappa is .60 at where chance agrees on half."""
    return _KAPPA + (1 - _KAPPA) * 0.5
