"""Bootstrap replicates of tau-b for many metrics and many human columns at once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.errors import InvalidInput, Problem
from medassay.stats.adjusted_means import ADJUSTED_TOLERANCE, CaseAdjustment
from medassay.stats.side_by_side import side_by_side
from medassay.stats.ties import TIE_TOLERANCE, pair_index

__all__ = ["TauReplicates", "tau_replicates", "tau_replicates_twice"]

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
            for made, values in zip(taus, _taus(signs, weights, split), strict=True):
                made[rows] = values

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


def _taus(compared: _Signs, weights: Sequence[Signs | None], split: int) -> Iterator[Floats]:
    """Turn signs (pairs, replicates, columns) into tau-b (replicates, metrics, humans).

    One result for each of the weights of pairs; None weighs each pair once. What many metrics are
    multiplied with stands side by side: to read their signs takes longer than to multiply them.
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
    for place, weighed in enumerate(humans):
        agreed = agreement[:, :, place * width : (place + 1) * width]
        untied_metric = untied[:, :, place * groups : (place + 1) * groups][:, :, other]
        untied_human = _products(valid, np.abs(weighed))[:, own, :]
        product = untied_metric.astype(np.float64) * untied_human
        with np.errstate(invalid="ignore", divide="ignore"):  # 0/0 is what NaN marks here
            tau: Floats = agreed / np.sqrt(product)
        yield tau


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
