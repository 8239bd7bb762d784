"""Many tests and intervals at once: p values and levels that can be read one by one."""

from collections.abc import Hashable, Sequence
from itertools import pairwise
from string import ascii_letters
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from medassay.api_checks import ArrayLike
from medassay.errors import InvalidInput, Problem
from medassay.stats.compare import sign_block
from medassay.stats.intervals import sums_by_cluster
from medassay.stats.kendall import TIE_TOLERANCE
from medassay.stats.means import moments
from medassay.stats.randomness import Rng, as_generator

Floats = NDArray[np.float64]
_ENUMERATED: Final = 12
_CELLS: Final = 2_000_000
"""Statistics that are held at once."""
_DRAWS: Final = 20_000
_STEP: Final = 1000
"""A level is rounded up to a thousandth."""
_SLACK = 1e-12


def holm(p_values: ArrayLike) -> NDArray[np.float64]:
    """Adjust so that the chance of even one false finding stays below the level.

    Holds however the tests depend on each other.

    With p sorted upwards, p̃_(i) = max_{j ≤ i} min(1, (m − j + 1) p_(j)).

    Args:
        p_values: Shape (m,), each in [0, 1].

    Returns:
        The adjusted p values, in the order given.

    Source: Holm (1979), A simple sequentially rejective multiple test procedure, Scandinavian
        Journal of Statistics 6(2):65-70.

    Example:
        >>> holm([0.01, 0.04, 0.03]).tolist()
        [0.03, 0.06, 0.06]
    """
    p = _checked(p_values)
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(p.size)
    steps = p[order] * np.arange(p.size, 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted


def benjamini_hochberg(p_values: ArrayLike) -> NDArray[np.float64]:
    """Adjust so that the expected share of false findings among the findings stays below the level.

    With p sorted upwards, p̃_(i) = min_{j ≥ i} min(1, m p_(j) / j). Holds for independent or
    positively dependent tests.

    Args:
        p_values: Shape (m,), each in [0, 1].

    Returns:
        The adjusted p values, in the order given.

    Source: Benjamini & Hochberg (1995), doi:10.1111/j.2517-6161.1995.tb02031.x.

    Example:
        >>> benjamini_hochberg([0.01, 0.04, 0.03]).tolist()
        [0.03, 0.04, 0.04]
    """
    p = _checked(p_values)
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(p.size)
    steps = p[order] * p.size / np.arange(1, p.size + 1)
    adjusted[order] = np.minimum(np.minimum.accumulate(steps[::-1])[::-1], 1.0)
    return adjusted


def _checked(p_values: ArrayLike) -> NDArray[np.float64]:
    p = np.asarray(p_values, dtype=np.float64)
    inside = (p >= 0) & (p <= 1)
    if not inside.all():
        raise InvalidInput(Problem("p_values", "lie between 0 and 1", f"{p[~inside][0]}"))
    return p


def max_t(sums: Floats, *, rng: Rng, permutations: int = 10_000) -> Floats:
    """How small is each p after as many tests, where every sign is equally likely?

    Each row's statistic is T = |Σ d_c| / √Σ d_c²; a pattern of signs, shared by all rows, keeps the
    denominator, so that rows with unlike spread count alike. With T sorted downwards,

        p̃_(i) = max over j ≤ i of P(max over k ≥ j of T_(k)* ≥ T_(j)).

    This is the closed test by the largest statistic, in steps: each step leaves out what is
    rejected already. Tests that go together, as all pairs of a few systems do, cost less than by
    Holm's steps. With at most twelve clusters that are not 0 everywhere all patterns are tried.

    Args:
        sums: Sums of differences over clusters (or the differences themselves), shape (tests,
            clusters); 0 where nothing is known.
        rng: The source of randomness; not touched where all patterns are tried.
        permutations: Patterns drawn otherwise; the smallest p is one in so many and one.

    Returns:
        Adjusted p, shape (tests,); 1 where a test has no difference at all.

    Source: Westfall & Young (1993), Resampling-based multiple testing; Romano & Wolf (2005),
        doi:10.1198/016214504000000539.

    Example:
        >>> max_t(np.array([[1.0, 2.0, 3.0], [1.0, -1.0, 0.0]]), rng=np.random.default_rng(1))
        array([0.25, 1.  ])
    """
    tests = len(sums)
    adjusted = np.ones(tests)
    live = np.flatnonzero(np.abs(sums).sum(axis=0) > 0)
    spread = np.sqrt((sums**2).sum(axis=1))
    moving = np.flatnonzero(spread > 0)
    if not moving.size:
        return adjusted
    scaled = sums[np.ix_(moving, live)] / spread[moving, None]
    seen = np.abs(scaled.sum(axis=1))
    order = np.argsort(-seen, kind="stable")
    scaled, seen = scaled[order], seen[order]
    # A sum that reaches the observed one exactly must count, in whatever order it was added.
    bar = seen - TIE_TOLERANCE * len(live)
    every = len(live) <= _ENUMERATED
    many = 2 ** len(live) if every else permutations
    drawn = None if every else as_generator(rng)
    reached = np.zeros(len(seen), dtype=np.int64)
    step, block = max(1, _CELLS // max(len(seen), len(live))), sign_block(len(seen))
    for start, stop in pairwise([*range(0, many, step), many]):
        if drawn is None:
            bits = np.arange(start, stop)[:, None] >> np.arange(len(live))[None, :]
            signs = (bits & 1) * 2.0 - 1.0
        else:
            size = (stop - start, len(live))
            signs = drawn.integers(0, 2, size=size, dtype=np.int8) * 2.0 - 1.0
        for begin in range(0, len(signs), block):
            moved = np.abs(signs[begin : begin + block] @ scaled.T)
            largest = np.maximum.accumulate(moved[:, ::-1], axis=1)[:, ::-1]
            reached += (largest >= bar).view(np.uint8).sum(axis=0, dtype=np.uint8)
    p = reached / many if every else (1 + reached) / (1 + many)
    adjusted[moving[order]] = np.maximum.accumulate(p)
    return adjusted


def simultaneous_level(replicates: Floats, level: float = 0.95) -> float:
    """At what level must each interval be taken so that all hold at once?

    Whoever picks the best of many estimates and then reads its own interval is misled: the best of
    26 metrics with one true tau of 0.30 shows about 0.52. Intervals that hold for all metrics at
    once hold for whichever is picked. For each column the replicates are turned into their shares
    of rank; a replicate is as extreme as its most extreme column; the level returned is the one
    that leaves a share of `level` of the replicates inside every column's central range:

        max over columns of |2 F_m(τ*_bm) − 1| ≤ level_each  in `level` of the replicates b.

    This is max-T with ranks in place of studentised values, so that each interval keeps its own
    width and asymmetry. Columns that go together cost little; with one column it is `level`.

    Args:
        replicates: Shape (replicates, columns); NaN where a column has no value in a replicate. The
            columns share their draws.
        level: Wanted for all together.

    Returns:
        The level for each interval, from `level` to just below 1.

    Source: Beran (1988), Balanced simultaneous confidence sets,
        doi:10.1080/01621459.1988.10478650; Romano & Wolf (2005),
        doi:10.1198/016214504000000539.

    Example:
        >>> rng = np.random.default_rng(1)
        >>> together = rng.normal(size=(4000, 1)) + np.zeros((1, 5))
        >>> round(simultaneous_level(together), 2)
        0.95
        >>> round(simultaneous_level(rng.normal(size=(4000, 5))), 2)  # .95 to the power of 1/5
        0.99
    """
    usable = replicates[~np.isnan(replicates).any(axis=1)]
    if usable.size == 0:
        return level
    count = len(usable)
    extremes = np.zeros(count)
    for column in usable.T:
        order = np.sort(column)
        middle = np.searchsorted(order, column, "left") + np.searchsorted(order, column, "right")
        np.maximum(extremes, np.abs(middle / count - 1), out=extremes)
    return float(max(level, min(np.quantile(extremes, level, method="higher"), 1 - 0.5 / count)))


def best_shares(replicates: Floats) -> Floats:
    """In what share of the replicates is each column the highest?

    Columns that share the highest value share the replicate; a column without a value in it takes
    no part. A share is no p value: with ten equal columns each has about a tenth.

    Args:
        replicates: Shape (replicates, columns); NaN where a column has no value.

    Returns:
        Shape (columns,); adds up to 1 unless there is no replicate with a value.

    Example:
        >>> best_shares(np.array([[1.0, 2.0], [2.0, 2.0], [3.0, np.nan]])).tolist()
        [0.5, 0.5]
    """
    usable = replicates[~np.isnan(replicates).all(axis=1)]
    if usable.size == 0:
        return np.zeros(replicates.shape[1])
    highest = np.nanmax(usable, axis=1, keepdims=True)
    at_top = usable >= highest - 1e-9
    shares: Floats = (at_top / at_top.sum(axis=1, keepdims=True)).mean(axis=0)
    return shares


def level_together(
    values: NDArray[np.float64],
    known: NDArray[np.bool_],
    *,
    rng: Rng,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> float:
    """At what level must each mean's interval be taken, so that no lower end lies wrongly above?

    Somebody who asks whether *some* of six systems reaches a target reads six lower ends at once.
    The largest of their t's is drawn with the correlations that the systems show over cases, or
    clusters of cases, and with their degrees of freedom: all lower ends hold at once in `level` of
    studies (max-T), and so do all upper ones. No interval is narrower than its own at `level`.

    Args:
        values: Shape (systems, cases).
        known: The same shape; values are read where it is True.
        rng: The source of randomness.
        clusters: For each case the label of its cluster; None: every case is its own.
        level: Wanted for all lower ends together, and for all upper ones.

    Returns:
        The level for each two-sided interval, from `level` to below 1, a whole thousandth.

    Source: Hothorn, Bretz & Westfall (2008), doi:10.1002/bimj.200810425.

    Example:
        >>> rng = np.random.default_rng(1)
        >>> apart = rng.normal(size=(6, 100))
        >>> together = rng.normal(size=100) + 0.1 * apart
        >>> known = np.ones((6, 100), dtype=bool)
        >>> level_together(apart, known, rng=1), level_together(together, known, rng=1)
        (0.984, 0.95)
    """
    from scipy.special import stdtr

    estimates = moments(values, known, clusters)
    shown = np.flatnonzero((estimates.error > 0) & ~estimates.flat)
    if shown.size < 2:  # noqa: PLR2004 - one alone is its own largest
        return level
    mean = estimates.mean[shown, None]
    residual = sums_by_cluster(np.where(known[shown], values[shown] - mean, 0.0), clusters)
    residual /= np.sqrt((residual**2).sum(axis=1, keepdims=True))
    variances, axes = np.linalg.eigh(residual @ residual.T)
    # The symmetric root is the one root that does not depend on the signs of the axes.
    root = (axes * np.sqrt(np.maximum(variances, 0.0))) @ axes.T
    rng = as_generator(rng)
    drawn = rng.normal(size=(_DRAWS, shown.size)) @ root
    # One draw of the spread serves all: systems that share cases share how it was estimated.
    least = float(estimates.freedom[shown].min())
    t = drawn / np.sqrt(rng.chisquare(least, size=(_DRAWS, 1)) / least)
    # The tail falls as t rises: it is worked out for the one draw that counts.
    tail = float(stdtr(least, np.quantile(-t.max(axis=1), 1 - level, method="lower")))
    return max(level, float(np.ceil((1 - 2 * tail) * _STEP) / _STEP))


class Graph(NamedTuple):
    """How questions share an error rate.

    Attributes:
        weights: The part of the rate that each begins with, shape (questions,); at most 1 together.
        transitions: What part of its own each hands to each other once it is answered, shape
            (questions, questions); 0 to itself, and at most 1 in a row.

    Example:
        >>> Graph.alike(2)
        Graph(weights=array([0.5, 0.5]), transitions=array([[0., 1.],
               [1., 0.]]))
    """

    weights: Floats
    transitions: Floats

    @classmethod
    def alike(cls, questions: int) -> "Graph":
        """Give each question the same part, to be handed on in equal parts: Holm's steps."""
        others = 1.0 - np.eye(questions)
        return cls(
            np.full(questions, 1 / max(questions, 1)),
            others / max(questions - 1, 1),
        )


def graphical(p_values: ArrayLike, graph: Graph) -> Floats:
    """Adjust p so that the chance of even one false finding stays below the level.

    A test is rejected where p is at most its part of the level; it then hands its part on, and the
    graph closes over it:

        w_l ← w_l + w_j g_jl,    g_lk ← (g_lk + g_lj g_jk) / (1 - g_lj g_jl).

    The adjusted p is the smallest level at which it is rejected. Holds however the tests depend on
    each other. With `Graph.alike` these are Holm's.

    Args:
        p_values: Shape (m,), each in [0, 1].
        graph: Of m tests.

    Raises:
        InvalidInput: The graph gives away more than it has, or p lies outside 0 to 1.

    Source: Bretz, Maurer, Brannath & Posch (2009), A graphical approach to sequentially rejective
        multiple test procedures, doi:10.1002/sim.3495.

    Example:
        >>> graphical([0.01, 0.04, 0.03], Graph.alike(3)).round(6).tolist()
        [0.03, 0.06, 0.06]
    """
    p, weights, transitions = _checked_graph(p_values, graph)
    adjusted, highest = np.ones(p.size), 0.0
    open_ = list(range(p.size))
    while open_:
        with np.errstate(divide="ignore", invalid="ignore"):
            wanted = np.where(weights > 0, p / weights, np.where(p > 0, np.inf, 0.0))
        best = min(open_, key=lambda at: (wanted[at], at))
        highest = max(highest, min(1.0, float(wanted[best])))
        adjusted[best] = highest
        open_.remove(best)
        weights, transitions = _closed_over(best, open_, weights, transitions)
    return adjusted


def graph_levels(last: ArrayLike, graph: Graph, level: float = 0.05) -> Floats:
    """At what level may each of several questions be tested, if all share one?

    A question is a family of tests whose p are adjusted within it. It hands its part on only when
    every test in it is rejected: what is handed on then is spent on no true null. So the chance of
    even one false finding in any question stays below the level: of the questions with a true null
    none is tested above the part that it has when all others have handed on theirs, and these
    parts are at most 1 together.

    Args:
        last: The largest adjusted p of each question, shape (m,).
        graph: Of m questions.
        level: For all together.

    Returns:
        The level of each question when no more can be handed on; where it handed its part on, the
        level that it had then. A test in it is rejected where its p, adjusted within the question,
        is at most this.

    Raises:
        InvalidInput: As `graphical`.

    Source: Bretz, Maurer, Brannath & Posch (2009), doi:10.1002/sim.3495; families: Maurer & Bretz
        (2014), doi:10.1002/sim.6252.

    Example:
        >>> graph_levels([0.01, 0.5], Graph.alike(2)).tolist()
        [0.025, 0.05]
        >>> graph_levels([0.03, 0.5], Graph.alike(2)).tolist()
        [0.025, 0.025]
    """
    p, weights, transitions = _checked_graph(last, graph)
    levels = weights * level
    open_ = list(range(p.size))
    while any(p[at] <= weights[at] * level for at in open_):
        best = next(at for at in open_ if p[at] <= weights[at] * level)
        open_.remove(best)
        weights, transitions = _closed_over(best, open_, weights, transitions)
        levels[open_] = weights[open_] * level
    return levels


def _closed_over(
    gone: int, open_: list[int], weights: Floats, transitions: Floats
) -> tuple[Floats, Floats]:
    """Take a question out of the graph; those left inherit its part and its edges."""
    new_weights, new_transitions = np.zeros_like(weights), np.zeros_like(transitions)
    for at in open_:
        new_weights[at] = weights[at] + weights[gone] * transitions[gone, at]
        back = transitions[at, gone] * transitions[gone, at]
        if back >= 1 - _SLACK:
            continue
        for to in open_:
            if to != at:
                handed = transitions[at, to] + transitions[at, gone] * transitions[gone, to]
                new_transitions[at, to] = handed / (1 - back)
    return new_weights, new_transitions


def _checked_graph(p_values: ArrayLike, graph: Graph) -> tuple[Floats, Floats, Floats]:
    p = np.asarray(p_values, dtype=np.float64)
    weights, transitions = (np.array(part, dtype=np.float64) for part in graph)
    inside = (p >= 0) & (p <= 1)
    if not inside.all():
        raise InvalidInput(Problem("p_values", "lie between 0 and 1", f"{p[~inside][0]}"))
    if weights.shape != p.shape or transitions.shape != (p.size, p.size):
        shapes = f"{weights.shape} and {transitions.shape}"
        raise InvalidInput(Problem("graph", f"be of {p.size} questions", shapes))
    sound = (
        (weights >= 0).all()
        and weights.sum() <= 1 + _SLACK
        and (transitions >= 0).all()
        and (transitions.sum(axis=1) <= 1 + _SLACK).all()
        and not np.diag(transitions).any()
    )
    if not sound:
        must = "have parts from 0 that add up to 1 at most, and hand nothing to themselves"
        raise InvalidInput(Problem("graph", must, f"{weights.tolist()}, {transitions.tolist()}"))
    return p, weights, transitions


def compact_letters(different: NDArray[np.bool_]) -> list[str]:
    """Give letters so that two systems share one exactly when they are not found different.

    Every letter is a group in which no two are different, and every two that are not different are
    in some group: the property holds by construction. Groups are grown in the order given, so put
    the best system first. Few letters are tried for; the smallest number is not guaranteed (that
    is a clique cover, a hard problem).

    Args:
        different: Symmetric, shape (systems, systems); whether a test tells the two apart.

    Returns:
        For each system its letters, such as `ab`; after 52 letters come `a1`, `b1`, ...

    Source: Piepho (2004), An algorithm for a letter-based representation of all-pairwise
        comparisons, doi:10.1198/1061860043515 (the display; the construction here is greedy).

    Example:
        >>> compact_letters(np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], dtype=bool))
        ['a', 'ab', 'b']
    """
    alike = ~different
    n = len(different)
    open_pairs = np.triu(alike, k=0)  # the diagonal: a system unlike all others needs a letter too
    groups: list[NDArray[np.intp]] = []
    for i in range(n):
        for j in range(n - 1, i - 1, -1):
            if not open_pairs[i, j]:
                continue
            group = np.array(sorted({i, j}), dtype=np.intp)
            for k in range(n):
                if k not in group and alike[k, group].all():
                    group = np.append(group, k)
            open_pairs[np.ix_(group, group)] = False
            groups.append(np.sort(group))
    groups = _without_spare(groups, n)
    letters = [""] * n
    for number, group in enumerate(groups):
        again, place = divmod(number, len(ascii_letters))
        for system in group.tolist():
            letters[system] += ascii_letters[place] + (str(again) if again else "")
    return letters


def _without_spare(groups: list[NDArray[np.intp]], n: int) -> list[NDArray[np.intp]]:
    """Drop each group whose every pair is in another one too."""
    cover = np.zeros((n, n), dtype=np.int64)
    for group in groups:
        cover[np.ix_(group, group)] += 1
    needed = []
    for group in groups:
        if (cover[np.ix_(group, group)] > 1).all():
            cover[np.ix_(group, group)] -= 1
        else:
            needed.append(group)
    return needed
