"""How surely adjusted means and their differences are known, over new cases."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.stats.intervals import Interval
from medassay.stats.unequal_clusters import LEAST_FREEDOM

__all__ = ["Contrast", "Contrasts"]

Floats = NDArray[np.float64]

_WHOLE: Final = 1e-8
_CELLS: Final = 4_000_000
_METHOD: Final = "t over cases, mixed model with raters (CR2)"
_ESTIMAND: Final = "these systems and raters, new cases"


@dataclass(frozen=True, slots=True)
class Contrast:
    """One estimate over new cases.

    Attributes:
        estimate: In points.
        interval: None where there is no error.
        p: Two-sided, of "it is 0"; None where there is no error.
        error: The standard error; None where there is none.
        undefined: Why there is none; empty where there is.
    """

    estimate: float
    interval: Interval | None
    p: float | None
    error: float | None
    undefined: str = ""


@dataclass(frozen=True, eq=False)
class Contrasts:
    """What the errors of adjusted means, severities and their differences are made of.

    Attributes:
        estimates: The adjusted means, then the severities.
        pulled: What each cluster adds to each, shape (clusters, estimates); their squares add up to
            the error's.
        own: A root of what that has for variance, were the model true, shape (clusters, estimates,
            columns).
        across: A root of its covariance with other clusters, the same shape.
    """

    estimates: Floats
    pulled: Floats
    own: Floats
    across: Floats

    @classmethod
    def of(
        cls,
        estimates: Floats,
        level: Floats,
        inverse: Floats,
        by_cluster: Iterable[tuple[Floats, Floats]],
    ) -> "Contrasts":
        """Lay out what each cluster of cases says at the fit.

        With M = X'V⁻¹X and M_c a cluster's part of it, N_c is M_c in the basis where M is the unit
        matrix: the share of each direction that this cluster alone holds. Its residuals look too
        small by (I − N_c)^½; they are made larger by its inverse (CR2).

        Args:
            estimates: The estimates.
            level: Each as a combination of the coefficients.
            inverse: M⁻¹, in the unit of the residual variance.
            by_cluster: M_c and X_c'V_c⁻¹e_c of the clusters.
        """
        root = np.linalg.cholesky(inverse)
        rows = level @ root
        pulled, own, across = [], [], []
        for grams, scores in by_cluster:
            held, basis = np.linalg.eigh(root.T @ grams @ root)
            held = np.clip(held, 0.0, 1.0)
            # A direction that one cluster alone holds leaves no residual to judge it by.
            known = 1 - held > _WHOLE
            larger = np.where(known, 1 / np.sqrt(np.where(known, 1 - held, 1.0)), 0.0)
            turned = np.swapaxes(rows @ basis, 0, 1).transpose(1, 0, 2)
            residual = ((scores @ root)[:, None, :] @ basis)[:, 0]
            pulled.append((turned @ (larger * residual)[:, :, None])[:, :, 0])
            own.append((turned * np.sqrt(held * known)[:, None, :]).astype(np.float32))
            back = np.swapaxes(basis, 1, 2)
            across.append(((turned * (held * larger)[:, None, :]) @ back).astype(np.float32))
        return cls(estimates, np.concatenate(pulled), np.concatenate(own), np.concatenate(across))

    @property
    def clusters(self) -> int:
        """Count the clusters."""
        return len(self.pulled)

    def single(self, places: Iterable[int], level: float = 0.95) -> list[Contrast]:
        """Give estimates at these places, with their intervals."""
        chosen = np.fromiter(places, dtype=np.int64)
        return self._told(chosen, None, level)

    def differences(
        self, first: NDArray[np.int64], second: NDArray[np.int64], level: float = 0.95
    ) -> list[Contrast]:
        """Give the estimates at the first places less those at the second."""
        return self._told(first, second, level)

    def errors(
        self, first: NDArray[np.int64], second: NDArray[np.int64] | None = None
    ) -> tuple[Floats, Floats]:
        """Give the standard errors of estimates or differences, and their degrees of freedom."""
        less = None if second is None else second
        pulled = self.pulled[:, first] - (0 if less is None else self.pulled[:, less])
        freedom = np.zeros(len(first))
        step = max(1, _CELLS // max(1, self.clusters * (self.clusters + self.own.shape[2])))
        for start in range(0, len(first), step):
            part = slice(start, start + step)
            own, across = (
                root[:, first[part]] - (0 if less is None else root[:, less[part]])
                for root in (self.own, self.across)
            )
            variance = (own**2).sum(axis=2).T.astype(np.float64)
            by_row = np.swapaxes(across, 0, 1)
            products = (by_row @ np.swapaxes(by_row, 1, 2)).astype(np.float64)
            place = np.arange(self.clusters)
            products[:, place, place] = variance
            whole = (products**2).sum(axis=(1, 2))
            with np.errstate(invalid="ignore", divide="ignore"):  # no variance: no degrees
                freedom[part] = variance.sum(axis=1) ** 2 / whole
        return np.sqrt((pulled**2).sum(axis=0)), freedom

    def _told(
        self, first: NDArray[np.int64], second: NDArray[np.int64] | None, level: float
    ) -> list[Contrast]:
        from scipy.special import stdtr, stdtrit

        error, freedom = self.errors(first, second)
        value = self.estimates[first] - (0 if second is None else self.estimates[second])
        made = []
        scale = float(np.abs(self.estimates).max(initial=0.0))
        for estimate, se, df in zip(value.tolist(), error.tolist(), freedom.tolist(), strict=True):
            if not se > _WHOLE * max(scale, 1.0):
                why = "no label differs from what system, rater and case foretell"
                made.append(Contrast(estimate, None, None, None, why))
            elif not df >= LEAST_FREEDOM:
                why = f"too few cases link it: {df:.1f} degrees of freedom"
                made.append(Contrast(estimate, None, None, None, why))
            else:
                half = float(stdtrit(df, (1 + level) / 2)) * se
                interval = Interval(estimate - half, estimate + half, level, _METHOD, _ESTIMAND)
                p = float(2 * stdtr(df, -abs(estimate) / se))
                made.append(Contrast(estimate, interval, p, se))
        return made
