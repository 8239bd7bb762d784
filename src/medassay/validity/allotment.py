"""Who judged whom: whether a system had other raters than the rest, so that severity ranks it."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from medassay.exhibits.numbers import p_value
from medassay.judgements import Units
from medassay.stats.intervals import cluster_index
from medassay.stats.kendall import mean_ranks
from medassay.text import count_of

UNEVEN_P: Final = 0.01
"""Below it raters are taken not to be allotted by chance. Of studies that did allot by chance one
in a hundred is stopped; see simulations/rater-allotment.md for what others come to."""
ADJUST_P: Final = 0.2
"""Below it systems are ranked by means adjusted for raters, where they can be: a lean too small for
the test makes leaders too, and adjusting costs little where there is none."""
_MOST_CELLS: Final = 300
"""Degrees of freedom at most: beyond it the raters who said least are taken as one."""
_ALIASED: Final = 1e-9
_CHUNK: Final = 64


@dataclass(frozen=True, slots=True)
class Allotment:
    """How raters fell to systems.

    Attributes:
        kind: even: as by chance, or the same for all. uneven: some raters judged some systems more
            than chance has it. apart: groups of systems without any rater in common.
        statistic: Of the generalised Cochran-Mantel-Haenszel test; 0 without a choice to test.
        freedom: Its degrees of freedom.
        p: That chance allots raters as unevenly as that; 1 without a choice to test.
        words: What is wrong, for a reader, naming no rater; empty where nothing is.
        rater: Where it is uneven, the rater whom the words are about.
    """

    kind: Literal["even", "uneven", "apart"]
    statistic: float
    freedom: int
    p: float
    words: str = ""
    rater: str = ""

    @property
    def adjusts(self) -> bool:
        """Say whether systems are ranked by means adjusted for raters, where those can be had."""
        return self.p < ADJUST_P


def allotment(units: Units) -> Allotment:
    """Did systems meet the same raters, as far as chance goes?

    A severe rater lowers the means of the systems that they judged. Where raters are allotted by
    chance, or judge all systems of a case, that is noise, and the tests of a leaderboard reckon
    with it. Where some systems had the severe ones it is a rank that nobody earned.

    Within each case the raters' labels are dealt out among the answers of the systems. The
    generalised Cochran-Mantel-Haenszel statistic holds how often each rater judged each system
    against that, summed over cases; it is chi-squared. Cases differ in their raters as they like: a
    rater who judges all systems of a case favours none. Where each answer has several raters, who
    all differ, the test errs on the side of silence.

    Source: Landis, Heyman & Koch (1978), Average partial association in three-way contingency
    tables, doi:10.2307/1402373.

    Example:
        >>> keys = [(system, str(case)) for case in range(20) for system in "AB"]
        >>> fair = Units.from_codes([[0, -1], [-1, 0], [-1, 0], [0, -1]] * 10, ["no"], keys=keys)
        >>> allotment(fair).kind
        'even'
        >>> nested = Units.from_codes([[0, -1], [-1, 0]] * 20, ["no"], keys=keys)
        >>> allotment(nested).kind
        'apart'
    """
    case = units.case[units.unit]
    systems = sorted({unit.system for unit in units.keys})
    place = {system: at for at, system in enumerate(systems)}
    of_unit = np.array([place[unit.system] for unit in units.keys], dtype=np.int64)
    system = of_unit[units.unit] if len(units.unit) else np.zeros(0, dtype=np.int64)
    judged = np.unique(system)
    if len(judged) < 2 or len(np.unique(units.rater)) < 2:  # noqa: PLR2004 - one has no rest
        return Allotment("even", 0.0, 0, 1.0)
    statistic, freedom, p = _tested(case, system, units.rater)
    if p >= UNEVEN_P:
        return Allotment("even", statistic, freedom, p)
    table = _table(system, units.rater)
    groups = _groups(table)
    if len(groups) > 1:
        text = "; ".join(", ".join(systems[judged[at]] for at in group) for group in groups)
        words = (
            f"{count_of(len(groups), 'group')} of systems have no rater in common ({text}): "
            "whether systems or raters differ, nothing in these labels can tell"
        )
        return Allotment("apart", statistic, freedom, p, words)
    words, rater = _uneven(table, units, systems, judged, p)
    return Allotment("uneven", statistic, freedom, p, words, rater)


def _uneven(
    table: NDArray[np.float64],
    units: Units,
    systems: list[str],
    judged: NDArray[np.int64],
    p: float,
) -> tuple[str, str]:
    """Name the rater and the system that lie furthest above what margins ask for."""
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0) / table.sum()
    at, who = np.unravel_index(int(((table - expected) / np.sqrt(expected)).argmax()), table.shape)
    own, rest = table[at], table.sum(axis=0) - table[at]
    raters = [units.raters[i] for i in np.unique(units.rater).tolist()]
    return (
        f"raters are unevenly allotted to systems ({p_value(p)}): one rater gave "
        f"{100 * own[who] / own.sum():.0f}% of the labels of {systems[judged[at]]} and "
        f"{100 * rest[who] / rest.sum():.0f}% of those of the others, so that a rater's severity "
        "passes for a system's quality"
    ), raters[who]


def _table(system: NDArray[np.int64], rater: NDArray[np.int64]) -> NDArray[np.float64]:
    """Count labels, shape (systems with a label, raters with one)."""
    rows, columns = (np.unique(names, return_inverse=True)[1] for names in (system, rater))
    size = int(columns.max()) + 1
    flat = np.bincount(rows * size + columns, minlength=(int(rows.max()) + 1) * size)
    return flat.reshape(-1, size).astype(np.float64)


def _groups(table: NDArray[np.float64]) -> list[list[int]]:
    """Group the rows that columns link, directly or over others."""
    linked = (table @ table.T) > 0
    for _ in range(len(table)):
        linked = (linked.astype(np.int64) @ linked.astype(np.int64)) > 0
    first = linked.argmax(axis=1).tolist()
    return [[i for i, own in enumerate(first) if own == group] for group in sorted(set(first))]


def _tested(
    case: NDArray[np.int64], system: NDArray[np.int64], rater: NDArray[np.int64]
) -> tuple[float, int, float]:
    # As scipy.stats has it, which takes a second to import.
    from scipy.special import chdtrc

    rows = np.unique(system, return_inverse=True)[1]
    columns = _pooled(rater, int(rows.max()) + 1)
    r, c = int(columns.max()) + 1, int(rows.max()) + 1
    strata = np.unique(case, return_inverse=True)[1]
    size = int(strata.max()) + 1
    of_rater = np.bincount(strata * r + columns, minlength=size * r).reshape(size, r).astype(float)
    of_system = np.bincount(strata * c + rows, minlength=size * c).reshape(size, c).astype(float)
    n = of_rater.sum(axis=1)
    useful = n > 1
    of_rater, of_system, total = of_rater[useful], of_system[useful], n[useful]
    seen = np.zeros((r, c))
    np.add.at(seen, (columns, rows), useful[strata].astype(float))
    gap = (seen - np.einsum("kr,kc->rc", of_rater / total[:, None], of_system)).ravel()
    covariance = np.zeros((r * r, c * c))
    for start in range(0, len(total), _CHUNK):
        some = slice(start, start + _CHUNK)
        weight = 1 / (total[some] ** 2 * (total[some] - 1))
        raters, systems = (
            _dealt(fitted_to[some], total[some]) for fitted_to in (of_rater, of_system)
        )
        covariance += (raters * weight[:, None]).T @ systems
    covariance = covariance.reshape(r, r, c, c).transpose(0, 2, 1, 3).reshape(r * c, r * c)
    scales, vectors = np.linalg.eigh(covariance)
    clear = scales > _ALIASED * max(1.0, float(scales.max(initial=0.0)))
    freedom = int(clear.sum())
    if not freedom:
        return 0.0, 0, 1.0
    statistic = float(((vectors[:, clear].T @ gap) ** 2 / scales[clear]).sum())
    return statistic, freedom, float(chdtrc(freedom, statistic))


def _dealt(counts: NDArray[np.float64], total: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give each case's n diag(counts) − counts counts', laid out flat, shape (cases, size²)."""
    spread = -counts[:, :, None] * counts[:, None, :]
    place = np.arange(counts.shape[1])
    spread[:, place, place] += total[:, None] * counts
    return spread.reshape(len(counts), -1)


def _pooled(rater: NDArray[np.int64], systems: int) -> NDArray[np.int64]:
    """Number the raters, those who said least as one where there are too many to tell apart."""
    _, place, labels = np.unique(rater, return_inverse=True, return_counts=True)
    most = max(2, _MOST_CELLS // systems)
    if len(labels) <= most:
        return place
    busiest = np.argsort(-labels, kind="stable")[: most - 1]
    number = np.full(len(labels), most - 1)
    number[busiest] = np.arange(most - 1)
    pooled: NDArray[np.int64] = number[place]
    return pooled


@dataclass(frozen=True, slots=True)
class JudgingOrder:
    """In which order raters judged the systems.

    Attributes:
        kind: mixed: no system's turn came earlier or later than chance has it. blocks: some did.
            unknown: nothing says in which order answers were judged.
        p: That chance puts systems so far apart; 1 where nothing is known.
        words: What is wrong, for a reader; empty where nothing is.
    """

    kind: Literal["mixed", "blocks", "unknown"]
    p: float = 1.0
    words: str = ""


def judging_order(
    sitting: Sequence[Hashable], system: Sequence[str], place: Sequence[float]
) -> JudgingOrder:
    """Did each rater's answers of the systems come mixed, or in blocks?

    Raters grow stricter or milder as they go. Where the answers of all systems come mixed, that is
    noise; where one system's come after another's, the drift is a difference between systems that
    nobody can tell from quality. Within each sitting of a rater the places are ranked, and how far
    the systems' mean ranks lie apart is held against dealing the ranks out by chance: Kruskal and
    Wallis' H, added up over sittings, is chi-squared with Σ(systems − 1) degrees of freedom. Below
    a p of 0.01 systems were judged in blocks. Adding up H finds blocks in any order, the same for
    all raters or each rater's own.

    Args:
        sitting: Of each label, whose it is, and in which phase.
        system: Its system.
        place: Its place in the order of that sitting, or its time; NaN where unknown.

    Source: Kruskal & Wallis (1952), doi:10.1080/01621459.1952.10483441.

    Example:
        >>> systems = ["A"] * 20 + ["B"] * 20
        >>> judging_order(["ann"] * 40, systems, range(40)).kind
        'blocks'
        >>> judging_order(["ann"] * 40, ["A", "B", "B", "A"] * 10, range(40)).kind
        'mixed'
        >>> judging_order(["ann"] * 40, systems, [np.nan] * 40).kind
        'unknown'
    """
    from scipy.special import chdtrc

    places = np.asarray(place, dtype=np.float64)
    names = sorted(set(system))
    at = np.array([names.index(name) for name in system], dtype=np.intp)
    whose = cluster_index(list(sitting), len(places))
    statistic, freedom, known = 0.0, 0, False
    gaps = np.zeros(len(names))
    for one in range(int(whose.max(initial=-1)) + 1):
        mine = (whose == one) & ~np.isnan(places)
        if not mine.any() or np.ptp(places[mine]) == 0:
            continue
        known = True
        ranks = mean_ranks(places[mine])
        counts = np.bincount(at[mine], minlength=len(names))
        there = counts > 0
        if there.sum() < 2:  # noqa: PLR2004 - one system has no other to come before
            continue
        off = ranks - ranks.mean()
        sums = np.bincount(at[mine], off, len(names))
        statistic += float((sums[there] ** 2 / counts[there]).sum() / off.var(ddof=1))
        freedom += int(there.sum()) - 1
        gaps[there] += sums[there] / counts[there] / len(ranks)
    if not known:
        return JudgingOrder("unknown")
    p = float(chdtrc(freedom, statistic)) if freedom else 1.0
    if p >= UNEVEN_P:
        return JudgingOrder("mixed", p)
    first, last = names[int(gaps.argmin())], names[int(gaps.argmax())]
    return JudgingOrder(
        "blocks",
        p,
        f"systems were judged in blocks ({p_value(p)}; {first} earliest, {last} latest), so that a "
        "rater who changed passes for a difference between systems",
    )
