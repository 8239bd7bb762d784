"""Means of systems with cases as a random effect, and how surely they and differences are known."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.stats.adjusted_means import CaseAdjustment
from medassay.stats.rater_adjusted.contrasts import Contrasts

__all__ = ["RandomCases"]

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

_LARGEST: Final = 1e6
"""Of the variance of cases over the residual one: beyond it cases are as good as fixed."""
_FLAT: Final = 1e-12
_CELLS: Final = 4_000_000


@dataclass(frozen=True, eq=False)
class RandomCases:
    """The fit of y = system + case + e with cases drawn by chance, by generalised least squares.

    A case's variance is the pooled variance within systems less that within cases (Henderson's
    third method), so no search is needed. Where every system has every case the means are the plain
    ones; where no case is shared, too. In between each difference joins what shared cases say with
    what the others say, weighted by how much each knows.

    Attributes:
        means: By system, in the unit of the values.
        ratio: The variance of cases over the residual one, 0 or more.
        contrasts: What each cluster of cases says of the means (CR2).

    Source: Searle, Casella & McCulloch (1992), Variance Components, ch. 5, for the variances;
        Pustejovsky & Tipton (2018), doi:10.1080/07350015.2016.1247004, for the errors.

    Example:
        >>> values = np.array([[1.0, 2.0, 4.0, 5.0, 3.0, 0.0], [0.0, 0.0, 3.0, 4.0, 1.0, 2.0]])
        >>> known = np.array([[True] * 5 + [False], [False, False] + [True] * 4])
        >>> found = RandomCases.of(values, known)
        >>> found.means.round(2).tolist(), round(found.ratio, 2)  # plain: 3.0 and 2.5
        ([3.04, 1.79], 11.86)
    """

    means: Floats
    ratio: float
    contrasts: Contrasts

    @classmethod
    def of(
        cls, values: Floats, known: Flags, clusters: NDArray[np.int64] | None = None
    ) -> "RandomCases":
        """Fit it.

        Args:
            values: Shape (systems, cases), read where known; every system has a case.
            known: The same shape.
            clusters: For each case the number of its cluster, from 0; each case its own, if not
                given.
        """
        flags = known.astype(np.float64)
        masked = np.where(known, values, 0.0)
        # Centred, so that no digit is lost where values lie far from 0.
        centre = float(masked.sum() / max(1.0, flags.sum()))
        masked = np.where(known, masked - centre, 0.0)
        ratio = _ratio(masked, known)
        pull = ratio / (1 + ratio * flags.sum(axis=0))
        gram = np.diag(flags.sum(axis=1)) - (flags * pull) @ flags.T
        right = masked.sum(axis=1) - flags @ (pull * masked.sum(axis=0))
        inverse = np.linalg.inv(gram)
        means = inverse @ right
        groups = np.arange(known.shape[1]) if clusters is None else clusters
        apart = np.where(known, masked - means[:, None], 0.0)
        contrasts = Contrasts.of(
            means + centre, np.eye(len(means)), inverse, _said(flags, apart, pull, groups)
        )
        return cls(means + centre, ratio, contrasts)

    def errors(self, first: NDArray[np.intp], second: NDArray[np.intp]) -> tuple[Floats, Floats]:
        """Give the standard error of each difference, and its Satterthwaite degrees of freedom."""
        pulled = self.contrasts.pulled
        error = np.sqrt(((pulled[:, first] - pulled[:, second]) ** 2).sum(axis=0))
        freedom = np.zeros(len(first))
        own, across = self.contrasts.own, self.contrasts.across
        step = max(1, _CELLS // max(1, own.shape[0] * own.shape[2]))
        for start in range(0, len(first), step):
            part = slice(start, start + step)
            # Shape (pairs, clusters, columns).
            mine, theirs = (
                np.swapaxes(root[:, first[part]] - root[:, second[part]], 0, 1).astype(np.float64)
                for root in (own, across)
            )
            variance = (mine**2).sum(axis=2)
            diagonal = (theirs**2).sum(axis=2)
            gram = np.swapaxes(theirs, 1, 2) @ theirs
            # The squares of every covariance of two clusters, with the variances for a diagonal.
            whole = (gram**2).sum(axis=(1, 2)) - (diagonal**2).sum(axis=1)
            whole += (variance**2).sum(axis=1)
            with np.errstate(invalid="ignore", divide="ignore"):  # no variance: no degrees
                freedom[part] = variance.sum(axis=1) ** 2 / whole
        return error, freedom


def _ratio(masked: Floats, known: Flags) -> float:
    """Give the variance of cases over the residual one; 0 where no case tells them apart."""
    flags = known.astype(np.float64)
    size = flags.sum(axis=0)
    shared = size > 1
    adjustment = CaseAdjustment(known & shared)
    linked = known[:, shared].any(axis=1)
    groups = len(set(adjustment.groups[linked].tolist()))
    within_freedom = float(size[shared].sum()) - shared.sum() - (linked.sum() - groups)
    whole_freedom = float(size.sum()) - len(known)
    if within_freedom < 1 or whole_freedom < 1:
        return 0.0
    effects = np.where(linked, adjustment.replicates(masked[None])[0][:, 0, 0], 0.0)
    left = np.where(known, masked - effects[:, None], 0.0)
    left = np.where(known & shared, left - left.sum(axis=0) / np.maximum(size, 1.0), 0.0)
    within = float((left**2).sum()) / within_freedom
    plain = masked.sum(axis=1) / np.maximum(flags.sum(axis=1), 1.0)
    around = np.where(known, masked - plain[:, None], 0.0)
    whole = float((around**2).sum()) / whole_freedom
    if whole <= _FLAT * float((masked**2).max(initial=0.0)):
        return 0.0
    return float(min(max(whole / max(within, whole / _LARGEST) - 1, 0.0), _LARGEST))


def _said(
    flags: Floats, apart: Floats, pull: Floats, groups: NDArray[np.int64]
) -> Iterator[tuple[Floats, Floats]]:
    """Give X'V⁻¹X and X'V⁻¹(y − Xβ) of clusters of cases, a few clusters at a time."""
    systems, clusters = len(flags), int(groups.max(initial=-1)) + 1
    place = np.arange(systems)
    order = np.argsort(groups, kind="stable")
    step = max(1, _CELLS // systems**2)
    for start in range(0, clusters, step):
        mine = order[(groups[order] >= start) & (groups[order] < start + step)]
        size, at = min(step, clusters - start), groups[mine] - start
        rows = flags[:, mine].T
        grams = np.zeros((size, systems, systems))
        scores = np.zeros((size, systems))
        step_in = max(1, _CELLS // systems**2)
        for inner in range(0, len(mine), step_in):
            part = slice(inner, inner + step_in)
            each = -(rows[part, :, None] * pull[mine[part], None, None]) * rows[part, None, :]
            each[:, place, place] += rows[part]
            np.add.at(grams, at[part], each)
        gaps = apart[:, mine].T
        np.add.at(scores, at, gaps - rows * (pull[mine] * gaps.sum(axis=1))[:, None])
        yield grams, scores
