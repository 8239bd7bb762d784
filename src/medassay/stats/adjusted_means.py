"""Means of systems that met different cases, as if all had met the same.

The mean of a system over its own cases holds how hard those cases are. Where every system has every
case that is the same for all; where not, it can turn a ranking round. Here it is taken out by the
two-way additive fit y = system + case, by least squares. Nothing of this is needed, and nothing of
it is done, where every system has every case: the plain means are the fitted ones.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.stats.kendall import TIE_TOLERANCE, dense_ranks

ADJUSTED_TOLERANCE: Final = 1e-9
"""As `TIE_TOLERANCE`, for means that come out of a system of equations."""
_CHUNK_CELLS: Final = 2_000_000

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class CaseAdjustment:
    """Which systems have which cases, and what follows for their means.

    With a system's effect s_i and a case's c_k, the least-squares equations of the systems are
    A s = b, where A = diag(n_i) − Σ_k K_ik K_jk / m_k and b_i = Σ_k K_ik (y_ik − ȳ_k): K says which
    system has which case, m_k counts the systems of a case and n_i the cases of a system. A case
    with one system says nothing. Systems in different groups that no case links cannot be compared.

    Attributes:
        known: Shape (systems, cases).

    Source: Searle, Speed & Milliken (1980), Population marginal means in the linear model: an
        alternative to least squares means, doi:10.1080/00031305.1980.10483031.

    Example:
        >>> values = np.array([[1.0, 5.0], [2.0, 0.0], [0.0, 7.0]])
        >>> known = np.array([[True, True], [True, False], [False, True]])
        >>> plain = values.sum(axis=1) / known.sum(axis=1)
        >>> plain.tolist()  # the third system had the easy case only, the second the hard one
        [3.0, 2.0, 7.0]
        >>> CaseAdjustment(known).means(values[None])[0].round(6).tolist()
        [3.0, 4.0, 5.0]
    """

    known: Flags

    @property
    def complete(self) -> bool:
        """Say whether every system has every case that any has: then plain means compare them."""
        return bool(self.known[:, self.known.any(axis=0)].all())

    @cached_property
    def groups(self) -> NDArray[np.intp]:
        """Number the groups of systems that cases link, directly or over other systems."""
        linked = self._whole[1][0]
        # Each system is numbered by the first that it is linked with.
        return np.array([int(row.argmax()) for row in linked], dtype=np.intp)

    @property
    def linked(self) -> bool:
        """Say whether cases link every system with every other."""
        return len(set(self.groups.tolist())) <= 1

    @property
    def undefined(self) -> str:
        """Say why the systems cannot be compared; empty where they can."""
        if self.linked:
            return ""
        groups = len(set(self.groups.tolist()))
        return f"the systems fall into {groups} groups that share no case: nothing compares them"

    def means(self, values: Floats) -> Floats:
        """Give what each system's mean over all the cases would be, by the fit.

        Plain means where every system has every case; NaN where no case links the systems. Means
        that only rounding tells apart are made equal.

        Args:
            values: Shape (columns, systems, cases); read where known.

        Returns:
            Shape (columns, systems).
        """
        masked = np.where(self.known, values, 0.0)
        if self.complete:
            plain: Floats = masked.sum(axis=2) / self.known.sum(axis=1)
            return plain
        if not self.linked:
            return np.full(masked.shape[:2], np.nan)
        effects = self.replicates(values)[0][:, 0].T
        # A case's effect is what is left of its mean; the mean of all effects sets the level.
        had = self.known.any(axis=0)
        mean_of_case = masked.sum(axis=1)[:, had] / self.known.sum(axis=0)[had]
        expected = effects @ (self.known / np.maximum(self.known.sum(axis=0), 1))[:, had]
        level = (mean_of_case - expected).mean(axis=1)
        return _tied(effects + level[:, None], np.abs(masked).max(axis=(1, 2), initial=0.0))

    def replicates(self, values: Floats, counts: Floats | None = None) -> tuple[Floats, Flags]:
        """Fit the systems' effects in each resample of the cases.

        Args:
            values: Shape (columns, systems, cases).
            counts: How often each case is drawn, shape (replicates, cases); None: once each.

        Returns:
            The effects, shape (systems, replicates, columns), each replicate's on a level of its
            own; and which systems its cases link, shape (replicates, systems, systems). A system
            without a drawn case is linked with itself alone.
        """
        drawn = np.ones((1, self.known.shape[1])) if counts is None else counts
        flags = self.known.astype(np.float64)
        size = np.maximum(flags.sum(axis=0), 1.0)
        masked = np.where(self.known, values, 0.0)
        apart = np.where(self.known, masked - (masked.sum(axis=1) / size)[:, None], 0.0)
        by_case = np.ascontiguousarray(apart.transpose(2, 1, 0)).reshape(len(size), -1)
        columns, systems = masked.shape[:2]
        effects = np.empty((len(drawn), systems, columns))
        linked = np.empty((len(drawn), systems, systems), dtype=np.bool_)
        chunk = max(1, _CHUNK_CELLS // max(1, systems * (len(size) + systems + columns)))
        for start in range(0, len(drawn), chunk):
            part = drawn[start : start + chunk]
            gram = self._whole[0] if counts is None else self._gram(part)
            both = self._whole[1] if counts is None else _linked(gram)
            right = (part @ by_case).reshape(len(part), systems, columns)
            # Adding each group's constant makes the equations solvable and changes no difference.
            effects[start : start + chunk] = np.linalg.solve(gram + both, right)
            linked[start : start + chunk] = both
        return effects.transpose(1, 0, 2), linked

    def compared_in(self, values: Floats, counts: Floats) -> tuple[Floats, float]:
        """Give one column's means in each resample, as far as its cases compare the systems.

        Args:
            values: Shape (systems, cases).
            counts: How often each case is drawn, shape (replicates, cases).

        Returns:
            Shape (replicates, systems); NaN for a system without a drawn case, and for those that
            no drawn case links with most of the others. And how far apart two must be to differ.
        """
        masked = np.where(self.known, values, 0.0)
        scale = float(np.abs(masked).max(initial=0.0))
        if self.complete:
            with np.errstate(invalid="ignore"):  # a resample may hold none of a system's cases: NaN
                means: Floats = (counts @ masked.T) / (counts @ self.known.T)
            return means, TIE_TOLERANCE * float(np.abs(means[~np.isnan(means)]).max(initial=0.0))
        effects, linked = self.replicates(values[None], counts)
        # Effects add up to 0; on the level of the means they can be rounded as means are.
        level = self.means(values[None])[0].mean() if self.linked else masked[self.known].mean()
        effects += level
        widest = linked.sum(axis=2).argmax(axis=1)
        comparable = linked[np.arange(len(linked)), widest] & (counts @ self.known.T > 0)
        return np.where(comparable, effects[:, :, 0].T, np.nan), ADJUSTED_TOLERANCE * scale

    def weights_of(self, system: int) -> Floats:
        """Give what each answer counts in one system's effect: effect = Σ weights · values.

        Returns:
            Shape (systems, cases); 0 where not known.
        """
        flags, size = self.known.astype(np.float64), np.maximum(self.known.sum(axis=0), 1)
        row = self._inverse[system]
        weights: Floats = flags * (row[:, None] - (row @ flags / size)[None, :])
        return weights

    @cached_property
    def _inverse(self) -> Floats:
        gram, both = self._whole
        inverse: Floats = np.linalg.inv(gram + both)[0]
        return inverse

    @cached_property
    def _whole(self) -> tuple[Floats, Flags]:
        """Give A with every case once, and which systems are linked then."""
        gram = self._gram(np.ones((1, self.known.shape[1])))
        return gram, _linked(gram)

    def _gram(self, counts: Floats) -> Floats:
        """Give A of each resample, shape (replicates, systems, systems)."""
        flags = self.known.astype(np.float64)
        size = np.maximum(flags.sum(axis=0), 1.0)
        gram = -(flags[None] * (counts / size)[:, None, :]) @ flags.T
        place = np.arange(len(flags))
        gram[:, place, place] += counts @ flags.T
        symmetric: Floats = gram
        return symmetric


def _linked(gram: Floats) -> Flags:
    """Say which systems a chain of shared cases links, shape (replicates, systems, systems)."""
    systems = gram.shape[-1]
    # A case that two share takes at least 1 / systems from their entry.
    both: Flags = (gram < -0.5 / max(1, systems)) | np.eye(systems, dtype=np.bool_)
    while not both.all():
        wider = np.matmul(both.astype(np.float32), both.astype(np.float32)) > 0
        if (wider == both).all():
            break
        both = wider
    return both


def _tied(means: Floats, scales: Floats) -> Floats:
    """Make means equal that differ by rounding alone, so that no reader finds an order in it."""
    tied = means.copy()
    for row, scale in zip(tied, scales.tolist(), strict=True):
        # `dense_ranks` ties at TIE_TOLERANCE of the scale it is given.
        ranks = dense_ranks(row, scale=scale * ADJUSTED_TOLERANCE / TIE_TOLERANCE)
        distinct = int(ranks.max(initial=-1)) + 1
        for rank in range(distinct if distinct < row.size else 0):
            row[ranks == rank] = row[ranks == rank].mean()
    return tied
