"""Kendall's tau over many draws: of many columns at once, of true means, of swapped systems."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.errors import InvalidInput, Problem
from medassay.stats.adjusted_means import ADJUSTED_TOLERANCE, CaseAdjustment
from medassay.stats.kendall import TIE_TOLERANCE, dense_ranks, pair_index, side_by_side
from medassay.stats.randomness import Rng, as_generator

_CHUNK_CELLS: Final = 2_000_000
_FITS: Final = 64
"""Resamples of cases that are fitted together."""
_MANY_PAIRS: Final = 1000
"""From so many pairs of systems on, threads gain more than they cost."""
_FEW_TIES: Final = 0.01
"""Up to such a share of the pairs it is quicker to take ties out one by one."""
Floats = NDArray[np.float64]
Signs = NDArray[np.float32]
Flags = NDArray[np.bool_]
_LEAST: Final = 1e-6
"""The least variance between systems, as a share of the noise; and the least noise that counts."""
_POINTS_AT_ONCE: Final = 300_000
"""Ranks of one column at once: what a processor's cache holds."""
_MOST_IN_A_BYTE: Final = 255
_SORTED_FROM: Final = 30
"""From so many systems on it is quicker to sort their means than to compare each two."""
_COLUMNS_AT_ONCE: Final = 2_048
_MEANS_AT_ONCE: Final = 6_000
"""Means of one system in one block: small enough to stay in the processor's cache."""


@dataclass(frozen=True, slots=True, eq=False)
class TauReplicates:
    """The replicates of every (metric, human column).

    Attributes:
        values: float64, shape (replicates, metrics, humans); NaN marks an undefined replicate, in
            which a column has no two systems with different means.
        undefined: How many replicates are undefined, shape (metrics, humans).
    """

    values: Floats
    undefined: NDArray[np.int64]


def tau_replicates(
    metrics: tuple[Floats, Flags],
    humans: tuple[Floats, Flags],
    *,
    case_counts: Floats | None = None,
    system_counts: Floats | None = None,
) -> TauReplicates:
    """How much would each tau move with other cases, other systems, or both?

    In each replicate a system's value in a column is its mean over the drawn cases; where not every
    system has every case there, its effect in the fit of `CaseAdjustment`, since systems that met
    different cases cannot be compared by their means. A system without a drawn case, and pairs of
    systems that no drawn case links, are left out of that replicate's tau in that column. Case
    effects are those of all systems, whichever are drawn. A pair of systems drawn c and d times
    weighs c · d. The copies of one system are no pair: they would be ties that
    no sample of systems contains. With signs s of the differences, weights w and valid pairs v,

        τ_b = Σ w s_m s_h / √(Σ w |s_m| v_h · Σ w v_m |s_h|),

    three matrix products for all columns of a replicate. The sums are integers (exact in single
    precision for up to 5,000 systems), so neither the order of systems nor of cases, nor the number
    of threads, changes a bit of the result; means within 1e-12 of a column's largest magnitude, and
    fitted effects within 1e-9, are tied for the same reason.

    Args:
        metrics: Values, float64, and known, bool; both of shape (metrics, systems, cases).
        humans: The same, of shape (humans, systems, cases).
        case_counts: How often each case is drawn, shape (replicates, cases); None: once each.
        system_counts: How often each system is drawn, shape (replicates, systems); None: once each.

    Returns:
        The replicates, one for each row of the counts; a single one where neither is given.

    Raises:
        InvalidInput: Shapes do not fit.

    Source: Deutsch, Dror & Roth (2021), A statistical analysis of summarization evaluation metrics
        using resampling methods, doi:10.1162/tacl_a_00417.

    Example:
        >>> scores = np.array([[[1.0, 2.0], [2.0, 3.0], [4.0, 3.0]]])
        >>> column = (scores, np.ones(scores.shape, dtype=bool))
        >>> counts = np.array([[1.0, 1.0], [0.0, 2.0]])  # the second draws the last case twice
        >>> tau_replicates(column, column, case_counts=counts).values.ravel().tolist()
        [1.0, 1.0]
    """
    case_counts, system_counts = _counts(case_counts, system_counts, metrics[0].shape)
    [taus] = _replicates(metrics, humans, case_counts, [system_counts])
    return TauReplicates(taus, np.isnan(taus).sum(axis=0))


def tau_replicates_twice(
    metrics: tuple[Floats, Flags],
    humans: tuple[Floats, Flags],
    *,
    case_counts: Floats,
    system_counts: Floats,
) -> tuple[TauReplicates, TauReplicates]:
    """How much would each tau move with other cases, and with other cases and systems?

    What `tau_replicates` gives without and with the counts of systems, for hardly more than one of
    them takes: the means, and which of two is higher, are the same in both.

    Args:
        metrics: As in `tau_replicates`.
        humans: The same.
        case_counts: How often each case is drawn, shape (replicates, cases).
        system_counts: How often each system is drawn, shape (replicates, systems).

    Raises:
        InvalidInput: Shapes do not fit.

    Example:
        >>> scores = np.array([[[1.0, 2.0], [2.0, 3.0], [4.0, 3.0]]])
        >>> column = (scores, np.ones(scores.shape, dtype=bool))
        >>> cases, systems = np.array([[2.0, 0.0]]), np.array([[0.0, 2.0, 1.0]])
        >>> found = tau_replicates_twice(column, column, case_counts=cases, system_counts=systems)
        >>> [one.values.ravel().tolist() for one in found]
        [[1.0], [1.0]]
    """
    case_counts, by_system = _counts(case_counts, system_counts, metrics[0].shape)
    once = np.ones((1, metrics[0].shape[1]))
    cases, both = _replicates(metrics, humans, case_counts, [once, by_system])
    return (
        TauReplicates(cases, np.isnan(cases).sum(axis=0)),
        TauReplicates(both, np.isnan(both).sum(axis=0)),
    )


def _replicates(
    metrics: tuple[Floats, Flags],
    humans: tuple[Floats, Flags],
    case_counts: Floats,
    system_counts: Sequence[Floats],
) -> list[Floats]:
    """Make the replicates for each of these draws of systems, over the same draws of cases."""
    compared = _Compared.of(metrics, humans)
    split, columns = len(metrics[0]), len(metrics[0]) + len(humans[0])
    first, second = pair_index(metrics[0].shape[1])
    taus = []
    for counts in system_counts:
        replicates = max(len(case_counts), len(counts))
        taus.append(np.empty((replicates, split, columns - split)))
    # Where systems alone are drawn, means and signs are the same in every replicate.
    held = [*compared.at(case_counts, 1)] if len(case_counts) == 1 else []
    wide = columns - split if held else columns
    chunk = max(1, _CHUNK_CELLS // max(1, len(first) * wide))
    total = max(map(len, taus))

    def fill(start: int) -> None:
        stop = min(start + part, total)
        every = repeat(held[0]) if held else compared.at(case_counts[start:stop], chunk)
        for begin, signs in zip(range(start, stop, chunk), every, strict=False):
            rows = slice(begin, min(begin + chunk, stop))
            weights = []
            for counts in system_counts:
                drawn = counts[rows] if len(counts) > 1 else counts
                weighed = (drawn[:, first] * drawn[:, second]).T.astype(np.float32)
                weights.append(None if (weighed == 1).all() else weighed)
            _fill_taus(signs, weights, split, [made[rows] for made in taus])

    part = chunk * max(1, _FITS // chunk)
    starts = range(0, total, part)
    if len(first) >= _MANY_PAIRS:
        side_by_side(fill, starts)
    else:
        for start in starts:
            fill(start)
    return taus


def _counts(
    case_counts: Floats | None, system_counts: Floats | None, shape: tuple[int, ...]
) -> tuple[Floats, Floats]:
    """Fill in single draws, and check that the counts fit each other and the values."""
    _, systems, cases = shape
    by_case = np.ones((1, cases)) if case_counts is None else case_counts
    by_system = np.ones((1, systems)) if system_counts is None else system_counts
    for name, counts, width in (
        ("case_counts", by_case, cases),
        ("system_counts", by_system, systems),
    ):
        if counts.ndim != 2 or counts.shape[1] != width:  # noqa: PLR2004 - rows and columns
            raise InvalidInput(Problem(name, f"have {width} columns", f"shape {counts.shape}"))
    rows = len(by_case)
    if case_counts is not None and system_counts is not None and len(by_system) != rows:
        must = f"have {rows} rows, as case_counts has"
        raise InvalidInput(Problem("system_counts", must, str(len(by_system))))
    return by_case, by_system


@dataclass(frozen=True, slots=True, eq=False)
class _Signs:
    """Which of two systems has the higher mean, for every pair and column of some replicates.

    Attributes:
        signs: Shape (pairs, replicates, columns).
        valid: Whether a pair can be compared, shape (pairs, replicates, groups of columns); None
            where every pair can.
        group_of: Each column's group.
    """

    signs: Signs
    valid: Signs | None
    group_of: NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class _Compared:
    """The columns of metrics and humans, each divided by its largest magnitude.

    Attributes:
        values: Shape (systems, cases, columns) where every system has every case in every column;
            elsewhere (columns, systems, cases).
        alike: Columns in which the same systems lack the same cases; empty where none lacks any.
        columns: How many columns.
    """

    values: Floats
    alike: list[tuple[CaseAdjustment, list[int]]]
    columns: int

    @property
    def complete(self) -> bool:
        """Say whether every system has every case in every column."""
        return not self.alike

    @classmethod
    def of(cls, metrics: tuple[Floats, Flags], humans: tuple[Floats, Flags]) -> "_Compared":
        values = np.concatenate([metrics[0], humans[0]])
        known = np.concatenate([metrics[1], humans[1]])
        masked = np.where(known, values, 0.0)
        scale = np.abs(masked).max(axis=(1, 2), initial=0.0)
        masked /= np.where(scale > 0, scale, 1.0)[:, None, None]
        if known.all():
            return cls(np.ascontiguousarray(masked.transpose(1, 2, 0)), [], len(known))
        columns_of: dict[bytes, list[int]] = {}
        for column, flags in enumerate(known):
            columns_of.setdefault(flags.tobytes(), []).append(column)
        alike = [(CaseAdjustment(known[own[0]]), own) for own in columns_of.values()]
        return cls(masked, alike, len(known))

    def at(self, drawn: Floats, chunk: int) -> Iterator[_Signs]:
        """Compare the systems' means, or their effects in the fit, in draws of cases by chunks."""
        whole = np.zeros(self.columns, dtype=np.intp)
        if self.complete:
            for start in range(0, len(drawn), chunk):
                part = drawn[start : start + chunk]
                with np.errstate(invalid="ignore"):  # a draw of no case has no mean, and no tau
                    means = part @ self.values / part.sum(axis=1)[:, None]
                yield _Signs(_signs_of_pairs(means, TIE_TOLERANCE), None, whole)
            return
        means, valid, group_of = self._fitted(drawn)
        for start in range(0, means.shape[1], chunk):
            rows = slice(start, start + chunk)
            signs = _signs_of_pairs(means[:, rows], ADJUSTED_TOLERANCE)
            linked = valid[:, rows]
            if linked.all():
                yield _Signs(signs, None, whole)
                continue
            signs *= linked if linked.shape[2] == 1 else linked[:, :, group_of]
            yield _Signs(signs, linked, group_of)

    def _fitted(self, drawn: Floats) -> tuple[Floats, Signs, NDArray[np.intp]]:
        """Give effects (systems, replicates, columns), which pairs are linked, and the groups."""
        columns, systems, _ = self.values.shape
        first, second = pair_index(systems)
        means = np.empty((systems, len(drawn), columns))
        valid = np.empty((len(first), len(drawn), len(self.alike)), dtype=np.float32)
        group_of = np.empty(columns, dtype=np.intp)
        for group, (adjustment, own) in enumerate(self.alike):
            effects, linked = adjustment.replicates(self.values[own], drawn)
            means[:, :, own] = effects
            valid[:, :, group] = linked[:, first, second].T
            group_of[own] = group
        return means, valid, group_of


def _signs_of_pairs(means: Floats, tolerance: float) -> Signs:
    """Compare every pair i < j of means (systems, replicates, columns)."""
    systems, *rest = means.shape
    signs = np.empty((systems * (systems - 1) // 2, *rest), dtype=np.float32)
    start = 0
    for i in range(systems - 1):
        stop = start + systems - 1 - i
        difference = means[i] - means[i + 1 :]
        above, below = difference > tolerance, difference < -tolerance
        np.subtract(above.view(np.int8), below.view(np.int8), out=signs[start:stop])
        start = stop
    return signs


def _fill_taus(
    compared: _Signs, weights: Sequence[Signs | None], split: int, into: Sequence[Floats]
) -> None:
    """Turn signs (pairs, replicates, columns) into tau-b (replicates, metrics, humans).

    One is filled for each of the weights of pairs; None weighs each pair once. What many metrics
    are multiplied with stands side by side: to read their signs takes longer than to multiply them.
    """
    metric, human = compared.signs[..., :split], compared.signs[..., split:]
    own, other = compared.group_of[:split], compared.group_of[split:]
    valid = compared.valid
    if valid is None:
        # One group will do: every pair is compared in all columns.
        valid = np.ones((len(human), 1, 1), dtype=np.float32)
        own, other = np.zeros_like(own), np.zeros_like(other)
    humans = [_weighed(human, of_pairs) for of_pairs in weights]
    counted = [_weighed(valid, of_pairs) for of_pairs in weights]
    agreement = _products(metric, _side_by_side(humans))
    untied = _untied(metric, _side_by_side(counted))
    width, groups = human.shape[2], valid.shape[2]
    for place, (weighed, taus) in enumerate(zip(humans, into, strict=True)):
        agreed = agreement[:, :, place * width : (place + 1) * width]
        untied_metric = untied[:, :, place * groups : (place + 1) * groups][:, :, other]
        untied_human = _products(valid, np.abs(weighed))[:, own, :]
        product = untied_metric.astype(np.float64) * untied_human
        with np.errstate(invalid="ignore", divide="ignore"):  # 0/0 is what NaN marks here
            np.divide(agreed, np.sqrt(product), out=taus)


def _weighed(columns: Signs, weights: Signs | None) -> Signs:
    return columns if weights is None else columns * weights[:, :, None]


def _side_by_side(columns: Sequence[Signs]) -> Signs:
    """Put arrays (pairs, replicates, columns) beside each other, as many replicates in each."""
    replicates = max(part.shape[1] for part in columns)
    return np.concatenate(
        [np.broadcast_to(p, (len(p), replicates, p.shape[2])) for p in columns], axis=2
    )


def _untied(metric: Signs, counted: Signs) -> Signs:
    """Sum what is counted over the pairs that each metric does not tie, as `_products` does.

    All of it less the ties, where they are few: the sums are whole numbers either way.
    """
    _, replicates, metrics = metric.shape
    ties = np.flatnonzero(metric == 0)
    if replicates == 1 or ties.size > _FEW_TIES * metric.size:
        return _products(np.abs(metric), counted)
    pair, place = np.divmod(ties, replicates * metrics)
    row, column = np.divmod(place, metrics)
    counted = np.broadcast_to(counted, (len(metric), replicates, counted.shape[2]))
    untied = np.repeat(counted.sum(axis=0, dtype=np.float64)[:, None, :], metrics, axis=1)
    np.subtract.at(untied, (row, column), counted[pair, row])
    return untied.astype(np.float32)


def _products(metric: Signs, human: Signs) -> Signs:
    """Sum over pairs, replicate by replicate: (metrics, pairs) times (pairs, humans)."""
    if metric.shape[1] == 1:
        pairs, replicates, humans = human.shape
        flat = metric[:, 0].T @ human.reshape(pairs, replicates * humans)
        once: Signs = flat.reshape(-1, replicates, humans).transpose(1, 0, 2)
        return once
    product: Signs = np.matmul(metric.transpose(1, 2, 0), human.transpose(1, 0, 2))
    return product


def noise_of_means(
    values: Floats, known: NDArray[np.bool_], means: Floats, cluster_of_case: NDArray[np.intp]
) -> Floats:
    """How far do system means move together with the cases drawn?

    With e_sk what is left of an answer after its system's mean and its case's effect, summed over
    the K clusters of cases: (1/S) Σ_s Σ_k e_sk e_skᵀ / (n_s² (1 − h_sk)) · S/(S − 1), the mean over
    the S systems, h_sk being the share of a system's answers that are in the cluster: K/(K − 1)
    where clusters are alike in size, more where a large one pulls the mean to itself. They share
    one noise: a system that is right on every case shows no spread and is still uncertain.

    Args:
        values: Shape (2, systems, cases).
        known: Shape (systems, cases); every system has a case.
        means: The systems' means, shape (2, systems).
        cluster_of_case: Each case's cluster, numbered from 0; at least two.

    Returns:
        The covariance, shape (2, 2).

    Example:
        >>> rng = np.random.default_rng(1)
        >>> values = rng.normal(size=(2, 50, 40))
        >>> known = np.ones((50, 40), dtype=bool)
        >>> noise_of_means(values, known, values.mean(axis=2), np.arange(40)).round(3).tolist()
        [[0.025, -0.001], [-0.001, 0.025]]
    """
    left = np.where(known, values - means[:, :, None], 0.0)
    per_case = np.maximum(known.sum(axis=0), 1)
    left = np.where(known, left - (left.sum(axis=1) / per_case)[:, None], 0.0)
    clusters, systems = int(cluster_of_case.max()) + 1, len(known)
    into = np.zeros((len(cluster_of_case), clusters))
    into[np.arange(len(cluster_of_case)), cluster_of_case] = 1.0
    answers = known.sum(axis=1)[:, None]
    free = np.maximum(1 - (known @ into) / answers, _LEAST)  # of a system in one cluster alone
    summed = left @ into / (answers * np.sqrt(free))
    noise: Floats = np.einsum("isk,jsk->ij", summed, summed) / (systems - 1)
    return noise


@dataclass(frozen=True, slots=True, eq=False)
class StandardDraws:
    """What `true_taus` draws of so many systems, whatever their means: two columns may share it.

    Attributes:
        precision: Inverses of draws from the Wishart distribution, shape (draws, 2, 2).
        normal: Standard normal, shape (draws, 2, systems).
    """

    precision: Floats
    normal: Floats


def standard_draws(systems: int, *, rng: Rng, draws: int = 2000) -> StandardDraws:
    """Draw what `true_taus` needs, once for all pairs of columns over the same systems.

    Args:
        systems: How many; at least three.
        rng: The source of randomness.
        draws: How many.

    Example:
        >>> standard_draws(5, rng=1, draws=100).normal.shape
        (100, 2, 5)
    """
    rng = as_generator(rng)
    unit = rng.normal(size=(draws, systems - 1, 2))
    wishart = np.einsum("bki,bkj->bij", unit, unit) / unit.shape[1]
    return StandardDraws(np.linalg.inv(wishart), rng.normal(size=(draws, 2, systems)))


def true_taus(
    means: Floats, noise: Floats, answers: NDArray[np.int64], drawn: StandardDraws
) -> Floats:
    """What may tau of the true means be, given means over some cases?

    The true means of the two columns are taken for draws from a bivariate normal distribution, what
    the cases add for normal noise that is known. Given a sample covariance T of the observed means,
    their covariance Σ is drawn from the inverse Wishart distribution with scale (S − 1)·T on S − 1
    degrees of freedom (Jeffreys' prior), Σ less the noise is that of the true means, and these are
    drawn from their normal distribution given what was observed. Each draw has a tau. Noise pulls
    the tau of observed means toward 0; here it pulls the true means toward the line instead.

    Args:
        means: Observed, shape (2, systems); at least three, neither column the same for all.
        noise: Covariance of what cases add to a system's two means, the mean over the systems;
            shape (2, 2).
        answers: How many each system's means are over; a system's noise goes by one over it.
        drawn: What `standard_draws` drew for so many systems; two columns may share it.

    Returns:
        The taus, one a draw, each in [-1, 1].

    Source: Efron & Morris (1972), doi:10.1093/biomet/59.2.335, for the covariance less the noise.

    Example:
        >>> means = np.array([[1, 2, 3, 4, 5, 6, 7, 8], [2, 1, 3, 5, 4, 8, 6, 7.0]])  # tau .71
        >>> drawn = standard_draws(8, rng=np.random.default_rng(1))
        >>> for noise in (0.01, 1.0):
        ...     taus = true_taus(means, noise * np.eye(2), np.full(8, 50), drawn)
        ...     np.quantile(taus, [0.025, 0.5, 0.975]).round(2).tolist()
        [0.71, 0.71, 0.71]
        [0.57, 1.0, 1.0]
    """
    scale = means.std(axis=1, ddof=1)
    observed = (means - means.mean(axis=1, keepdims=True)) / scale[:, None]
    noise = noise / np.outer(scale, scale)
    covariance = np.cov(observed)
    root = _root(covariance[None])[0]
    likely = root @ drawn.precision @ root.T
    true = _root(_above(likely - noise, noise))
    true = true @ true.transpose(0, 2, 1)
    points = np.empty(drawn.normal.shape)
    own = (1 / answers) / (1 / answers).mean()
    shares = np.unique(own)
    for share in shares:
        at = slice(None) if len(shares) == 1 else np.flatnonzero(own == share)
        pull = true @ _inverse(true + share * noise)
        rest = _root(true - pull @ true)
        points[:, :, at] = pull @ observed[:, at] + rest @ drawn.normal[:, :, at]
    return _taus_of_points(points)


def _above(matrices: Floats, noise: Floats) -> Floats:
    """Lift what is not a covariance to the nearest that is, and a little above 0."""
    size, way = np.linalg.eigh(matrices)
    least = _LEAST * max(float(np.trace(noise)), _LEAST)
    lifted: Floats = (way * np.maximum(size, least)[:, None, :]) @ way.transpose(0, 2, 1)
    return lifted


def _root(matrices: Floats) -> Floats:
    """Give R with R Rᵀ the matrix, each of shape (2, 2)."""
    size, way = np.linalg.eigh((matrices + matrices.transpose(0, 2, 1)) / 2)
    root: Floats = way * np.sqrt(np.maximum(size, 0.0))[:, None, :]
    return root


def _taus_of_points(points: Floats) -> Floats:
    draws, _, systems = points.shape
    # One system beside all later ones, many draws in one stretch: no pair is gathered.
    first, second = np.ascontiguousarray(_ranks(points).transpose(1, 2, 0))
    alike = np.zeros(draws, dtype=np.int32)
    chunk = max(1, _POINTS_AT_ONCE // systems)
    for start in range(0, draws, chunk):
        some = slice(start, start + chunk)
        for i in range(systems - 1):
            above = first[i, some] > first[i + 1 :, some]
            same = above == (second[i, some] > second[i + 1 :, some])
            for begin in range(0, len(same), _MOST_IN_A_BYTE):
                part = same[begin : begin + _MOST_IN_A_BYTE].view(np.uint8)
                alike[some] += part.sum(axis=0, dtype=np.uint8)
    taus: Floats = 2 * alike / (systems * (systems - 1) // 2) - 1
    return taus


def _ranks(points: Floats) -> NDArray[np.int16]:
    """Rank the systems of each draw and column, equal ones alike: a rank is compared faster."""
    order = np.argsort(points, axis=2)
    ordered = np.take_along_axis(points, order, axis=2)
    placed = np.zeros(points.shape, dtype=np.int16)
    np.cumsum(ordered[..., 1:] > ordered[..., :-1], axis=2, out=placed[..., 1:])
    ranks = np.empty_like(placed)
    np.put_along_axis(ranks, order, placed, axis=2)
    return ranks


def _inverse(matrices: Floats) -> Floats:
    """Invert; where no noise and a straight line leave nothing to invert, what is there stays."""
    try:
        inverse: Floats = np.linalg.inv(matrices).astype(np.float64, copy=False)
    except np.linalg.LinAlgError:
        inverse = np.linalg.pinv(matrices, hermitian=True).astype(np.float64, copy=False)
    return inverse


@dataclass(frozen=True, slots=True, eq=False)
class SwapTest:
    """Every pair of metrics, held against one human column.

    Attributes:
        difference: tau of the first minus tau of the second, shape (pairs,), in the order of
            `pair_index`; NaN where a tau is undefined.
        p: Two-sided, the same shape; NaN where the difference is.
    """

    difference: Floats
    p: Floats


def perm_both(
    metrics: Floats,
    human: Floats,
    known: NDArray[np.bool_],
    *,
    rng: Rng,
    permutations: int = 2000,
) -> SwapTest:
    """Which differences between the validities of two metrics are more than chance?

    Under the null the two metrics are exchangeable answer by answer. Both are standardised; in each
    permutation their values change places in every answer with probability ½, and tau-b of the
    system means is computed anew for both:

        p = (1 + #{|Δ*| ≥ |Δ|}) / (1 + B),  Δ = τ(m₁, h) − τ(m₂, h).

    Two-sided, unlike the published form, and never 0. All pairs share the same swaps, so one matrix
    product a system serves all of them. The human column stays as it is. Where not every system has
    every case the means are those of `CaseAdjustment`, in every permutation.

    Args:
        metrics: Shape (metrics, systems, cases); higher is better.
        human: Shape (systems, cases).
        known: Shape (systems, cases): the answers that all of them know; each system has one. There
            is no tau where cases do not link the systems.
        rng: The source of randomness.
        permutations: B.

    Source: Deutsch, Dror & Roth (2021), A statistical analysis of summarization evaluation metrics
        using resampling methods, doi:10.1162/tacl_a_00417 (there one-sided); Phipson & Smyth
        (2010), doi:10.2202/1544-6115.1585.

    Example:
        >>> rng = np.random.default_rng(1)
        >>> human = np.arange(8.0)[:, None] + rng.normal(size=(8, 30))
        >>> metrics = np.array([human + rng.normal(size=(8, 30)), rng.normal(size=(8, 30))])
        >>> found = perm_both(metrics, human, np.ones((8, 30), bool), rng=rng, permutations=500)
        >>> found.difference.shape, bool(found.p[0] < 0.05)
        ((1,), True)
    """
    rng = as_generator(rng)
    count = len(metrics)
    first, second = pair_index(count)
    adjustment = CaseAdjustment(known)
    if not adjustment.linked:
        return SwapTest(*np.full((2, len(first)), np.nan))
    ranked = _human_ranks(human, adjustment)
    order = np.argsort(ranked, kind="stable")
    ranked, known, metrics = ranked[order], known[order], metrics[:, order]
    values = _standardised(metrics, known)
    tolerance = TIE_TOLERANCE if adjustment.complete else ADJUSTED_TOLERANCE
    margin = tolerance * np.abs(values).max(initial=0.0)
    parts = list(_parts(values, CaseAdjustment(known)))
    whole = np.array([part.sum(axis=0) for part in parts]).T.copy()  # (metrics, systems)
    taus = _taus_with_human(whole, ranked, margin)
    difference = taus[first] - taus[second]
    bar = np.abs(difference) - TIE_TOLERANCE
    reached = np.zeros(len(first), dtype=np.int64)
    chunk = max(1, _MEANS_AT_ONCE // max(1, len(first)))
    for start in range(0, permutations, chunk):
        size = min(chunk, permutations - start)
        drawn = rng.integers(0, 2, size=(size, human.shape[1], len(order)), dtype=np.int8)
        # Drawn by case, then by system as they stood: sorting by the human column changes nothing.
        swaps = drawn[:, :, order].transpose(2, 0, 1).astype(np.float64)
        sides = _sides(swaps, complete=adjustment.complete)
        moved = np.empty((size, count, len(order)))
        for system, (side, part) in enumerate(zip(sides, parts, strict=True)):
            moved[:, :, system] = side @ part
        apart = np.empty(size * len(first))
        for begin in range(0, len(apart), _COLUMNS_AT_ONCE):
            some = slice(begin, begin + _COLUMNS_AT_ONCE)
            draw, pair = np.divmod(np.arange(len(apart))[some], len(first))
            a, b = first[pair], second[pair]
            gained = moved[draw, b] - moved[draw, a]
            ours = _taus_with_human(whole[a] + gained, ranked, margin)
            apart[some] = np.abs(ours - _taus_with_human(whole[b] - gained, ranked, margin))
        reached += (apart.reshape(size, len(first)) >= bar).sum(axis=0)
    p = (1 + reached) / (1 + permutations)
    p[np.isnan(difference)] = np.nan
    return SwapTest(difference, p)


def _parts(values: Floats, adjustment: CaseAdjustment) -> Iterator[Floats]:
    """Give what each answer adds to each system's mean, shape (answers, metrics).

    The answers are the system's own; those of all systems where cases are taken out.
    """
    columns = np.ascontiguousarray(values.transpose(1, 2, 0))
    if adjustment.complete:
        yield from columns / adjustment.known.sum(axis=1)[:, None, None]
        return
    for system in range(len(columns)):
        weighed = adjustment.weights_of(system)[:, :, None] * columns
        yield weighed.reshape(-1, columns.shape[2])


def _sides(swaps: Floats, *, complete: bool) -> Iterable[Floats]:
    """Give the swaps that go with each of these parts, shape (permutations, answers)."""
    if complete:
        return swaps
    return repeat(swaps.transpose(1, 0, 2).reshape(swaps.shape[1], -1), len(swaps))


def _human_ranks(human: Floats, adjustment: CaseAdjustment) -> NDArray[np.intp]:
    masked = np.where(adjustment.known, human, 0.0)
    scale = float(np.abs(masked).max(initial=0.0))
    return dense_ranks(adjustment.means(masked[None])[0], scale=scale)


def _standardised(metrics: Floats, known: NDArray[np.bool_]) -> Floats:
    """Give every metric mean 0 and variance 1 over the known answers; 0 where not known."""
    n = known.sum()
    masked = np.where(known, metrics, 0.0)
    mean = masked.sum(axis=(1, 2), keepdims=True) / n
    centred = np.where(known, metrics - mean, 0.0)
    spread = np.sqrt((centred**2).sum(axis=(1, 2), keepdims=True) / n)
    scale = np.abs(masked).max(axis=(1, 2), keepdims=True, initial=0.0)
    varies = spread > TIE_TOLERANCE * scale
    standardised: Floats = np.where(varies, centred, 0.0) / np.where(varies, spread, 1.0)
    return standardised


def _taus_with_human(means: Floats, human: NDArray[np.intp], margin: float) -> Floats:
    """Compute tau-b of every row of means (columns, systems), systems by human rank upwards.

    Where no two means of a row tie, pairs that the two put in opposite orders are what is left to
    count. Each human rank takes the place of the last bits of its mean, far below the margin;
    what is sorted then tells the human ranks in the order of the means.
    """
    systems = means.shape[1]
    if not _SORTED_FROM <= systems <= _MOST_IN_A_BYTE:
        return _taus_by_pairs(np.ascontiguousarray(means.T), human, margin)
    marked = (means.view(np.int64) & ~_MOST_IN_A_BYTE) | human
    ordered = np.sort(marked.view(np.float64), axis=1)
    tied = (np.diff(ordered, axis=1) <= 2 * margin).any(axis=1)
    placed = np.ascontiguousarray((ordered.view(np.int64) & _MOST_IN_A_BYTE).astype(np.uint8).T)
    turned = np.zeros(len(means), dtype=np.int32)
    for i in range(systems - 1):
        above = placed[i] > placed[i + 1 :]
        turned += above.view(np.uint8).sum(axis=0, dtype=np.uint8)
    untied = int((human[:, None] < human).sum())
    with np.errstate(invalid="ignore", divide="ignore"):  # 0/0 is what NaN marks here
        tau: Floats = (untied - 2 * turned) / np.sqrt(float(systems * (systems - 1) // 2) * untied)
    if tied.any():
        tau[tied] = _taus_by_pairs(np.ascontiguousarray(means[tied].T), human, margin)
    return tau


def _taus_by_pairs(means: Floats, human: NDArray[np.intp], margin: float) -> Floats:
    """Compute tau-b of every column of means (systems, columns), systems by human rank upwards.

    Sorted so, a pair is concordant where the later system has the higher mean; the systems that
    tie with i in the human column stand next after it.
    """
    agreement = np.zeros(means.shape[1], dtype=np.int32)
    untied = np.zeros(means.shape[1], dtype=np.int32)
    human_untied = 0
    for i in range(len(means) - 1):
        tied = int(np.searchsorted(human, human[i], "right")) - i - 1
        human_untied += len(means) - 1 - i - tied
        apart = means[i + 1 :] - means[i]
        above, below = (apart > margin).view(np.int8), (apart < -margin).view(np.int8)
        for flags, sign in ((above, 1), (below, -1)):
            counted = flags[tied:].sum(axis=0, dtype=np.int32)
            agreement += sign * counted
            untied += counted if not tied else counted + flags[:tied].sum(axis=0, dtype=np.int32)
    with np.errstate(invalid="ignore", divide="ignore"):  # 0/0 is what NaN marks here
        tau: Floats = agreement / np.sqrt(untied.astype(np.float64) * human_untied)
    return tau
