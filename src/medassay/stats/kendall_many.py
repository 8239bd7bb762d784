"""Bootstrap replicates of tau-b for many metrics and many human columns at once."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.errors import InvalidInput, Problem
from medassay.stats.adjusted_means import ADJUSTED_TOLERANCE, CaseAdjustment
from medassay.stats.ties import TIE_TOLERANCE, pair_index

__all__ = ["TauReplicates", "tau_replicates"]

_CHUNK_CELLS: Final = 2_000_000

Floats = NDArray[np.float64]
Signs = NDArray[np.float32]
Flags = NDArray[np.bool_]


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
    values = np.concatenate([metrics[0], humans[0]])
    known = np.concatenate([metrics[1], humans[1]])
    columns, systems, cases = values.shape
    case_counts, system_counts = _counts(case_counts, system_counts, cases, systems)
    split = len(metrics[0])
    masked = np.where(known, values, 0.0)
    scale = np.abs(masked).max(axis=(1, 2), initial=0.0)
    masked /= np.where(scale > 0, scale, 1.0)[:, None, None]
    sums = np.ascontiguousarray(masked.transpose(1, 2, 0))
    first, second = pair_index(systems)
    partial = None if known.all() else _Partial.of(masked, known)
    replicates = max(len(case_counts), len(system_counts))
    taus = np.empty((replicates, split, columns - split))
    chunk = max(1, _CHUNK_CELLS // max(1, len(first) * columns))
    for start in range(0, replicates, chunk):
        stop = min(start + chunk, replicates)
        drawn = case_counts[start:stop] if len(case_counts) > 1 else case_counts
        weighed = system_counts[start:stop] if len(system_counts) > 1 else system_counts
        weights = (weighed[:, first] * weighed[:, second]).T.astype(np.float32)
        if partial is None:
            with np.errstate(invalid="ignore"):  # a draw of no case has no mean, and no tau below
                means = drawn @ sums / drawn.sum(axis=1)[:, None]
            signs = _signs_of_pairs(means, TIE_TOLERANCE)
            pairs = None
        else:
            means, pairs = partial.at(drawn)
            signs = _signs_of_pairs(means, ADJUSTED_TOLERANCE) * pairs
        taus[start:stop] = _taus(signs, pairs, weights, split)
    return TauReplicates(taus, np.isnan(taus).sum(axis=0))


def _counts(
    case_counts: Floats | None, system_counts: Floats | None, cases: int, systems: int
) -> tuple[Floats, Floats]:
    """Fill in single draws, and check that the counts fit each other and the values."""
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
class _Partial:
    """Columns in which some system lacks some case, those with the same holes together."""

    values: Floats
    alike: list[tuple[CaseAdjustment, list[int]]]

    @classmethod
    def of(cls, values: Floats, known: Flags) -> "_Partial":
        columns_of: dict[bytes, list[int]] = {}
        for column, flags in enumerate(known):
            columns_of.setdefault(flags.tobytes(), []).append(column)
        return cls(values, [(CaseAdjustment(known[own[0]]), own) for own in columns_of.values()])

    def at(self, drawn: Floats) -> tuple[Floats, Signs]:
        """Give effects (systems, replicates, columns), and which pairs can be compared."""
        columns, systems, _ = self.values.shape
        first, second = pair_index(systems)
        means = np.empty((systems, len(drawn), columns))
        pairs = np.empty((len(first), len(drawn), columns), dtype=np.float32)
        for adjustment, own in self.alike:
            effects, linked = adjustment.replicates(self.values[own], drawn)
            means[:, :, own] = effects
            pairs[:, :, own] = linked[:, first, second].T[:, :, None]
        return means, pairs


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


def _taus(signs: Signs, pairs: Signs | None, weights: Signs, split: int) -> Floats:
    """Turn signs (pairs, replicates, columns) into tau-b (replicates, metrics, humans)."""
    if weights.shape[1] == 1:
        weights = np.broadcast_to(weights, (len(weights), signs.shape[1]))
    metric, human = signs[..., :split], signs[..., split:] * weights[:, :, None]
    agreement = _products(metric, human)
    untied = np.abs(signs)
    if pairs is None:
        total = np.matmul(weights.T[:, None, :], untied.transpose(1, 0, 2))[:, 0, :]
        untied_metric, untied_human = total[:, :split, None], total[:, None, split:]
    else:
        valid_human = pairs[..., split:] * weights[:, :, None]
        untied_metric = _products(untied[..., :split], valid_human)
        untied_human = _products(pairs[..., :split], np.abs(human))
    product = untied_metric.astype(np.float64) * untied_human
    with np.errstate(invalid="ignore", divide="ignore"):  # 0/0 is what NaN marks here
        tau: Floats = agreement / np.sqrt(product)
    return tau


def _products(metric: Signs, human: Signs) -> Signs:
    """Sum over pairs, replicate by replicate: (metrics, pairs) times (pairs, humans)."""
    product: Signs = np.matmul(metric.transpose(1, 2, 0), human.transpose(1, 0, 2))
    return product
