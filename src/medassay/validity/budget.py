"""How many raters an answer does a ranking need?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from medassay.annotations import DesignName, Words, record
from medassay.consensus import find_method, join_units
from medassay.judgements import Units
from medassay.scores import Score
from medassay.stats import CaseAdjustment, tau_b
from medassay.stats.randomness import Rng, as_generator, drawn_seed, stream


@dataclass(frozen=True, slots=True, eq=False)
class SystemMeans:
    """One mean a system.

    Attributes:
        means: Shape (systems,); NaN where a system has no score.
        undefined: Why there is no mean at all, where cases do not link the systems; else empty.
    """

    means: NDArray[np.float64]
    undefined: str = ""


def system_means(units: Units, systems: list[str], method: str, seed: int) -> SystemMeans:
    """Join the labels, and give each system's mean.

    Where not every system has a score on every case, means are adjusted by case, so that nobody is
    ahead for having had the easy ones.

    Args:
        units: What the raters said.
        systems: The systems, in the order wanted.
        method: The consensus method.
        seed: Seeds what the method draws: the same for every part of a dimension's labels, so that
            results differ by the labels alone.
    """
    labelled, joined = join_units(units, method, rng=stream(seed, "s09", units.dimension))
    row = {system: i for i, system in enumerate(systems)}
    values = np.zeros((len(systems), len(labelled.cases)))
    known = np.zeros(values.shape, dtype=np.bool_)
    for (system, *_), case, score in zip(labelled.keys, labelled.case, joined.scores, strict=True):
        if isinstance(score, Score):
            values[row[system], case] = score.value
            known[row[system], case] = True
    means: NDArray[np.float64] = np.full(len(systems), np.nan)
    there = known.any(axis=1)
    adjustment = CaseAdjustment(known[there])
    means[there] = adjustment.means(values[None, there])[0]
    return SystemMeans(means, adjustment.undefined)


_FEWEST_SYSTEMS: Final = 3


@record(infers=True)
class BudgetPoint:
    """How near the ranking by k labels an answer comes.

    Attributes:
        dimension: The dimension.
        method: The consensus method, by its canonical name.
        against: What the ranking is compared with, by the same method: `full`, all labels of the
            same answers, the k among them; or `rest`, the labels that were not drawn.
        k: Labels drawn for each answer.
        panel: Labels that each answer has at least.
        answers: Answers with so many labels.
        systems: Systems with such an answer.
        draws: Draws that had a tau.
        tau: Mean of Kendall's tau-b over the draws; None where undefined.
        low: Lower end of the band that holds the central 95% of the draws.
        high: Upper end.
        reason: Why there is no tau; empty where there is one.
    """

    dimension: DesignName
    method: DesignName
    against: Literal["full", "rest"]
    k: int
    panel: int
    answers: int
    systems: int
    draws: int
    tau: float | None
    low: float | None
    high: float | None
    reason: Words = ""


def annotation_budget(
    units: Units,
    methods: Sequence[str] = ("mean", "majority", "mace"),
    *,
    rng: Rng,
    draws: int = 100,
) -> list[BudgetPoint]:
    """How fast does the ranking by k labels an answer approach that of the whole panel?

    Of each answer's labels k are drawn at random, many times; systems are ranked by their mean
    consensus over the answers. The comparison with the full panel is of a part with the whole: it
    reaches 1 at k = n whatever the raters say. The comparison with the rest is of two groups of
    raters who share no label, and shows what another panel of the same raters would say. With one
    label an answer every method's label is that label.

    The band is of the draws, with these answers and labels; it is no interval for new cases.

    Args:
        units: What the raters said. Read are the answers with at least as many labels as most
            answers with two or more have.
        methods: Canonical names.
        rng: One number is drawn from it, which seeds every draw.
        draws: How many times labels are drawn for each k.

    Example:
        >>> keys = [(system, case) for system in "ABC" for case in "12"]
        >>> table = [[0, 0, 0], [0, 0, 1], [1, 1, 1], [1, 1, 0], [2, 2, 2], [2, 2, 1]]
        >>> units = Units.from_codes(table, ["no", "part", "yes"], keys=keys, scores=[0, 1, 2])
        >>> points = annotation_budget(units, ["mean"], rng=np.random.default_rng(1), draws=20)
        >>> [(one.against, one.k) for one in points]
        [('full', 1), ('rest', 1), ('full', 2), ('rest', 2)]
        >>> points[2].tau >= points[0].tau > 0.5
        True
    """
    rng = as_generator(rng)
    seed = drawn_seed(rng)
    sizes = units.counts.sum(axis=1)
    sizes = sizes[sizes > 1]
    panel = int(np.bincount(sizes).argmax()) if sizes.size else 0
    labelled = units.with_labels(max(1, panel))
    systems = sorted({unit.system for unit in labelled.keys})
    names = [str(find_method(method)[1]) for method in methods]
    points: list[BudgetPoint] = []
    for name in names:
        for k in range(1, panel):
            why = _why(len(systems))
            taus = np.zeros((0, 2)) if why else _taus(labelled, systems, (name, k), (seed, draws))
            for column, against in enumerate(("full", "rest")):
                values = taus[:, column][~np.isnan(taus[:, column])] if len(taus) else taus[:, 0]
                points.append(
                    _point(
                        values, (units.dimension, name, against, k), (panel, labelled, systems), why
                    )
                )
    return points


def _taus(
    labelled: Units, systems: list[str], what: tuple[str, int], how: tuple[int, int]
) -> NDArray[np.float64]:
    """Give tau with the full panel and with the rest, shape (draws, 2); NaN where undefined."""
    method, k = what
    seed, draws = how
    whole = system_means(labelled, systems, method, seed).means
    taus = np.full((draws, 2), np.nan)
    for draw in range(draws):
        # The same draws for every method, so that their curves differ by method alone.
        chosen = draw_labels(labelled, k, stream(seed, "s12", labelled.dimension, k, draw))
        part = system_means(labelled.only(chosen), systems, method, seed).means
        taus[draw, 0] = _tau(part, whole)
        rest = system_means(labelled.only(~chosen), systems, method, seed).means
        taus[draw, 1] = _tau(part, rest)
    return taus


def draw_labels(labelled: Units, k: int, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Mark k labels of each unit."""
    order = np.lexsort((rng.random(len(labelled.unit)), labelled.unit))
    starts = np.searchsorted(labelled.unit, np.arange(len(labelled)))
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order)) - starts[labelled.unit]
    chosen: NDArray[np.bool_] = place < k
    return chosen


def _tau(first: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    both = ~(np.isnan(first) | np.isnan(other))
    tau = tau_b(first[both], other[both]) if both.sum() >= _FEWEST_SYSTEMS else None
    return np.nan if tau is None else tau


def _why(systems: int) -> str:
    if systems >= _FEWEST_SYSTEMS:
        return ""
    return f"a ranking needs {_FEWEST_SYSTEMS} systems with answers of a full panel; got {systems}"


def _point(
    values: NDArray[np.float64],
    what: tuple[str, str, str, int],
    on: tuple[int, Units, list[str]],
    why: str,
) -> BudgetPoint:
    dimension, method, against, k = what
    panel, labelled, systems = on
    some = values.size > 0
    low, high = np.quantile(values, [0.025, 0.975]).tolist() if some else (None, None)
    return BudgetPoint(
        dimension=dimension,
        method=method,
        against="full" if against == "full" else "rest",
        k=k,
        panel=panel,
        answers=len(labelled),
        systems=len(systems),
        draws=int(values.size),
        tau=float(values.mean()) if some else None,
        low=low,
        high=high,
        reason="" if some else why or "in no draw did cases tell the systems apart",
    )
