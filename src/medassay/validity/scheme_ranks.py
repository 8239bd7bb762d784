"""Do two aggregation methods rank the systems alike, also when one has fewer labels?"""

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.annotations import DesignName, PValue, SystemName, TestWords, Words, record
from medassay.consensus import find_method
from medassay.judgements import Units
from medassay.stats import Interval, kendall, ranks, tau_b
from medassay.stats.randomness import Rng, as_generator, drawn_seed, stream
from medassay.validity.budget import draw_labels, system_means

_FEWEST_SYSTEMS: Final = 3
_BUDGETS: Final = 2

Floats = NDArray[np.float64]


@record(infers=False)
class RankSpread:
    """One system's place, 1 the best.

    Attributes:
        system: Its id.
        first: Place by the first method with all labels.
        second: Mean place by the second method, over the draws.
        low: Its lowest place in any draw.
        high: Its highest.
    """

    system: SystemName
    first: float
    second: float
    low: float
    high: float


@record(infers=True)
class SchemeRanks:
    """The ranking by the first method with all labels beside the second's with k labels an answer.

    Attributes:
        dimension: The dimension.
        first: The first method, by its canonical name.
        second: The second.
        k: Labels of each answer that the second sees.
        panel: Labels that each answer has.
        answers: Answers with so many labels.
        n_cases: Cases with a label.
        draws: Draws of k labels that had a tau; 1 where k is the panel.
        tau: Kendall's tau-b, mean over the draws; None where undefined.
        tau_first_draw: Of the first draw alone, as a single subsample is published.
        tau_low: The least of any draw.
        tau_high: The largest.
        p: Of tau, where k is the panel: two-sided, over all orders of the systems.
        p_method: How p was had; empty where there is none.
        over_systems: Of tau with all labels, for new systems, these cases, and what both methods
            say of them held fixed; None where k is less than the panel, or where it is not known.
        places: The systems.
        reason: Why there is no tau; empty where there is one.
    """

    dimension: DesignName
    first: DesignName
    second: DesignName
    k: int
    panel: int
    answers: int
    n_cases: int
    draws: int
    tau: float | None
    tau_first_draw: float | None
    tau_low: float | None
    tau_high: float | None
    p: PValue | None
    p_method: TestWords
    over_systems: Interval | None
    places: tuple[RankSpread, ...]
    reason: Words = ""


def scheme_ranks(
    units: Units,
    first: str = "label_sum",
    second: str = "mace",
    *,
    rng: Rng,
    draws: int = 20,
    over_systems: Interval | None = None,
) -> list[SchemeRanks]:
    """Does a second method rank the systems as the first, with all labels and with fewer?

    The second's labels are among the first's: the comparison is of a part with the whole, and says
    how much the ranking moves, not how right it is. With fewer labels it is repeated over draws,
    since one subsample is luck. The spread is of the draws; it is no interval for new cases.

    Args:
        units: What the raters said. Read are the answers with at least as many labels as most
            answers with two or more have.
        first: Canonical name of the method that sees all labels.
        second: That of the one that sees k. Fewer than all it fits with `restarts=2` where it is
            MACE, since it is fitted in every draw.
        rng: One number is drawn from it, which seeds every draw.
        draws: How many times k labels are drawn.
        over_systems: The interval over systems (`correlate`) of the tau with all labels.

    Returns:
        One comparison each for all labels, two and one, as far as the panel goes.

    Source: Soni & Demner-Fushman, Figure 2, who draw once.

    Example:
        >>> keys = [(system, case) for system in "ABC" for case in "12"]
        >>> table = [[0, 0, 0], [0, 0, 1], [1, 1, 1], [1, 1, 0], [2, 2, 2], [2, 2, 1]]
        >>> units = Units.from_codes(table, ["no", "part", "yes"], keys=keys, scores=[0, 1, 2])
        >>> found = scheme_ranks(units, "label_sum", "mean", rng=np.random.default_rng(1), draws=5)
        >>> [(one.k, one.draws) for one in found], found[0].tau
        ([(3, 1), (2, 5), (1, 5)], 1.0)
        >>> [(one.system, one.first, one.second) for one in found[0].places]
        [('A', 3.0, 3.0), ('B', 2.0, 2.0), ('C', 1.0, 1.0)]
    """
    rng = as_generator(rng)
    seed = drawn_seed(rng)
    sizes = units.counts.sum(axis=1)
    sizes = sizes[sizes > 1]
    panel = int(np.bincount(sizes).argmax()) if sizes.size else 1
    labelled = units.with_labels(panel)
    systems = sorted({unit.system for unit in labelled.keys})
    names = str(find_method(first)[1]), str(find_method(second)[1])
    whole = system_means(labelled, systems, names[0], seed).means
    budgets = [panel, *range(min(_BUDGETS, panel - 1), 0, -1)]
    cases = len({unit.case for unit in units.keys})
    all_ranks = [
        _compare(labelled, systems, whole, names, (k, panel, draws, cases), seed) for k in budgets
    ]
    return [replace(all_ranks[0], over_systems=over_systems), *all_ranks[1:]]


def _compare(
    labelled: Units,
    systems: list[str],
    whole: Floats,
    names: tuple[str, str],
    how: tuple[int, int, int, int],
    seed: int,
) -> SchemeRanks:
    k, panel, draws, cases = how
    method = names[1] if k == panel else _quick(names[1])
    means = []
    for draw in range(1 if k == panel else draws):
        chosen = draw_labels(labelled, k, stream(seed, "s10", labelled.dimension, k, draw))
        part = labelled if k == panel else labelled.only(chosen)
        means.append(system_means(part, systems, method, seed).means)
    ranked = np.flatnonzero(np.isfinite(np.vstack([whole, *means])).all(axis=0))
    enough = ranked.size >= _FEWEST_SYSTEMS
    taus = [tau_b(whole[ranked], mean[ranked]) for mean in means] if enough else []
    values = [tau for tau in taus if tau is not None]
    why = ""
    if not values:
        why = f"a ranking needs {_FEWEST_SYSTEMS} systems that differ; got {ranked.size}"
    tested = None
    if values and k == panel:
        rng = stream(seed, "s11", labelled.dimension)
        tested = kendall(whole[ranked], means[0][ranked], rng=rng)
    return SchemeRanks(
        labelled.dimension,
        names[0],
        method,
        k,
        panel,
        len(labelled),
        cases,
        len(values),
        float(np.mean(values)) if values else None,
        taus[0] if taus else None,
        min(values, default=None),
        max(values, default=None),
        tested.p if tested else None,
        (tested.p_method or "") if tested else "",
        None,
        () if why else _places(systems, whole, means, ranked),
        why,
    )


def _quick(name: str) -> str:
    return "mace(restarts=2)" if name == "mace" else name


def _places(
    systems: list[str], whole: Floats, means: list[Floats], ranked: NDArray[np.intp]
) -> tuple[RankSpread, ...]:
    first = _ranks(whole[ranked])
    second = np.array([_ranks(mean[ranked]) for mean in means])
    names = [systems[i] for i in ranked]
    return tuple(
        RankSpread(name, float(a), float(all_.mean()), float(all_.min()), float(all_.max()))
        for name, a, all_ in zip(names, first, second.T, strict=True)
    )


def _ranks(means: Floats) -> Floats:
    """Rank, 1 the best; equal means share their mean place."""
    best: Floats = ranks(means).astype(np.float64)
    shared = (best[:, None] == best).sum(axis=1)
    middle: Floats = best + (shared - 1) / 2
    return middle
