"""Tau of what two columns of noisy system means would be over endless cases."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.stats.seeding import Rng, as_generator

__all__ = ["StandardDraws", "noise_of_means", "standard_draws", "true_taus", "true_taus_given"]

_LEAST: Final = 1e-6
"""The least variance between systems, as a share of the noise; and the least noise that counts."""
_CHUNK_CELLS: Final = 300_000
"""Ranks of one column at once: what a processor's cache holds."""

_MOST_IN_A_BYTE: Final = 255

Floats = NDArray[np.float64]


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
        >>> means = np.array([[1, 2, 3, 4, 5.0], [2, 1, 3, 5, 4.0]])
        >>> given = means, 0.1 * np.eye(2), np.full(5, 50)
        >>> once = standard_draws(5, rng=np.random.default_rng(1), draws=100)
        >>> bool((true_taus_given(*given, once) == true_taus(*given, rng=1, draws=100)).all())
        True
    """
    rng = as_generator(rng)
    unit = rng.normal(size=(draws, systems - 1, 2))
    wishart = np.einsum("bki,bkj->bij", unit, unit) / unit.shape[1]
    return StandardDraws(np.linalg.inv(wishart), rng.normal(size=(draws, 2, systems)))


def true_taus(
    means: Floats,
    noise: Floats,
    answers: NDArray[np.int64],
    *,
    rng: Rng,
    draws: int = 2000,
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
        rng: The source of randomness.
        draws: How many.

    Returns:
        The taus, shape (draws,), each in [-1, 1].

    Source: Efron & Morris (1972), doi:10.1093/biomet/59.2.335, for the covariance less the noise.

    Example:
        >>> means = np.array([[1, 2, 3, 4, 5, 6, 7, 8], [2, 1, 3, 5, 4, 8, 6, 7.0]])  # tau .71
        >>> for noise in (0.01, 1.0):
        ...     rng, answers = np.random.default_rng(1), np.full(8, 50)
        ...     taus = true_taus(means, noise * np.eye(2), answers, rng=rng)
        ...     np.quantile(taus, [0.025, 0.5, 0.975]).round(2).tolist()
        [0.71, 0.71, 0.71]
        [0.57, 1.0, 1.0]
    """
    drawn = standard_draws(means.shape[1], rng=rng, draws=draws)
    return true_taus_given(means, noise, answers, drawn)


def true_taus_given(
    means: Floats, noise: Floats, answers: NDArray[np.int64], drawn: StandardDraws
) -> Floats:
    """Give what `true_taus` does, of what was drawn before.

    Args:
        means: As there.
        noise: As there.
        answers: As there.
        drawn: What `standard_draws` drew for so many systems.
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
    return _taus(points)


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


def _taus(points: Floats) -> Floats:
    draws, _, systems = points.shape
    # One system beside all later ones, many draws in one stretch: no pair is gathered.
    first, second = np.ascontiguousarray(_ranks(points).transpose(1, 2, 0))
    alike = np.zeros(draws, dtype=np.int32)
    chunk = max(1, _CHUNK_CELLS // systems)
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
