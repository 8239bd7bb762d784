"""The mixed model: system and rater fixed, case and answer random, by restricted likelihood."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.stats.rater_adjusted.by_case import said_by_clusters
from medassay.stats.rater_adjusted.contrasts import Contrasts
from medassay.stats.rater_adjusted.labels import Floats, Labels, Sums

__all__ = ["Adjusted", "adjust_for_raters"]

_FLAT: Final = 1e-12
_MOST_COLUMNS: Final = 800
_NONE: Final = 1e-4
"""A smaller one is what the search leaves of 0."""
_LARGEST: Final = 1e3
"""Of a standard deviation over the residual one."""
_LOOSE: Final = 1e3
"""Of the variance of a difference over the residual one: beyond it no case holds the two."""
_NO_CASES: Final = (
    "no case compares some of the systems, and study.toml does not say that cases were allotted by "
    "chance"
)
_STEP: Final = 0.01
"""Of the logarithm of a variance, for differences."""
_NEWTON: Final = 4
_NEAR: Final = 0.05
"""The longest step that is still polish."""


@dataclass(frozen=True, eq=False)
class Adjusted:
    """What the systems' means would be, had all met the same raters.

    Attributes:
        means: By system: as if each had met the raters in the shares in which they judged all.
        severity: By rater: points above (+) or below (−) what those shares of raters give to the
            same answers.
        case_sd: How far cases lie apart, in points.
        answer_sd: How far a system's answers lie from what system and case foretell.
        residual_sd: How far a rater's label lies from what the answer and their severity foretell;
            where no answer has two labels it holds how far answers lie apart too.
        contrasts: What compares them, over new cases.
        undefined: Why there is none of this; empty where there is.
    """

    means: Floats
    severity: Floats
    case_sd: float
    answer_sd: float
    residual_sd: float
    contrasts: Contrasts | None
    undefined: str = ""


@dataclass(frozen=True, eq=False)
class _Fit:
    """One fit at given spreads: β solves root root' β = root half."""

    loss: float
    root: Floats
    half: Floats
    variance: float

    @property
    def inverse(self) -> Floats:
        """Give (X'V⁻¹X)⁻¹, in the unit of the residual variance."""
        root = np.linalg.inv(self.root)
        whole: Floats = root.T @ root
        return whole

    @property
    def coefficients(self) -> Floats:
        """Give β."""
        return np.asarray(np.linalg.solve(self.root.T, self.half), dtype=np.float64)


def adjust_for_raters(
    labels: Labels, clusters: NDArray[np.int64] | None = None, *, fixed_cases: bool = False
) -> Adjusted:
    """What would the systems' means be, had all met the same raters?

    y = system + rater + case + answer + e: systems and raters are fixed, cases and answers (of a
    system to a case) random, with variances by restricted maximum likelihood. A rater's severity is
    what they give beside other raters' labels of the same answers and cases; it is known up to a
    constant, so it is told against all raters, each counted as often as they judged. Errors are
    over new cases (or clusters of cases) by CR2 with Satterthwaite degrees of freedom, which hold
    where the variances of the model do not.

    V is block-diagonal by case, and within a case two rank-one updates away from the unit matrix,
    so a fit takes cases × columns² steps whatever the number of labels.

    Args:
        labels: Who gave which answer what.
        clusters: For each case the number of its cluster; each case its own, if not given.
        fixed_cases: Whether systems are compared within cases alone, as where somebody chose which
            system met which: the variance of cases is then taken to have no end.

    Source: Patterson & Thompson (1971), doi:10.1093/biomet/58.3.545, for the likelihood;
        Pustejovsky & Tipton (2018), doi:10.1080/07350015.2016.1247004, for the errors.

    Example:
        >>> severe, cases = np.array([0.0, -1.0]), np.array([3.0, 4.0, 2.0, 5.0, 3.0, 4.0])
        >>> answer = np.arange(12)  # two equal systems; the severe rater met the second more often
        >>> rater = np.array([0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 0])
        >>> labels = Labels(np.tile(cases, 2) + severe[rater], answer, rater,
        ...                 np.repeat([0, 1], 6), np.tile(np.arange(6), 2))
        >>> found = adjust_for_raters(labels)
        >>> found.means.round(3).tolist(), found.severity.round(3).tolist()
        ([3.0, 3.0], [0.5, -0.5])
    """
    why = _undefined(labels)
    if why:
        return Adjusted(np.zeros(0), np.zeros(0), 0.0, 0.0, 0.0, None, why)
    sums = Sums.of(labels)
    spreads = _spreads(sums)
    fit = _fit(sums, spreads)
    residual = float(np.sqrt(fit.variance))
    case_sd, answer_sd = (residual * spreads).tolist()
    if fixed_cases:
        spreads[0] = _LARGEST
        fit = _fit(sums, spreads)
    level = _levels(labels)
    if fixed_cases and _loosest(level[: labels.systems], fit.inverse) > _LOOSE:
        return Adjusted(np.zeros(0), np.zeros(0), 0.0, 0.0, 0.0, None, _NO_CASES)
    foretold = level @ fit.coefficients
    groups = np.arange(labels.cases) if clusters is None else clusters
    by_cluster = said_by_clusters(labels, sums, fit.coefficients, spreads, groups)
    contrasts = Contrasts.of(foretold, level, fit.inverse, by_cluster)
    return Adjusted(
        foretold[: labels.systems],
        foretold[labels.systems :],
        case_sd,
        answer_sd,
        residual,
        contrasts,
    )


def _loosest(level: Floats, inverse: Floats) -> float:
    """Give the largest variance of a difference of two systems, over the residual one."""
    covariance = level @ inverse @ level.T
    own = np.diag(covariance)
    return float((own[:, None] + own[None, :] - 2 * covariance).max())


def _undefined(labels: Labels) -> str:
    if labels.systems < 2 or labels.raters < 2:  # noqa: PLR2004 - one has nothing to be told from
        return "it takes two systems and two raters"
    if not labels.linked:
        return "some systems have no rater in common, directly or over others"
    if labels.cases < 3:  # noqa: PLR2004 - fewer show no spread over cases
        return "fewer than three cases were judged"
    if labels.systems + labels.raters > _MOST_COLUMNS:
        return f"systems and raters are more than {_MOST_COLUMNS} together"
    if len(labels.values) <= labels.systems + labels.raters:
        return "there are not more labels than systems and raters"
    return ""


def _levels(labels: Labels) -> Floats:
    """Turn coefficients into means and severities against all raters, as often as they judged."""
    weight = labels.table.sum(axis=0) / labels.table.sum()
    level = np.eye(labels.systems + labels.raters, labels.systems + labels.raters - 1)
    level[: labels.systems, labels.systems :] = weight[:-1]
    level[labels.systems :, labels.systems :] -= weight[:-1]
    return level


def _spreads(sums: Sums) -> Floats:
    """Find the standard deviations of cases and of answers, over that of the residual."""
    from scipy.optimize import minimize

    # One label an answer: its own deviation cannot be told from the residual. One answer a case:
    # nor can the case's from the answer's.
    free = np.array([(sums.answers.sum(axis=0) > 1).any(), (sums.sizes > 1).any()])
    spreads = np.zeros(2)
    if not free.any():
        return spreads

    def loss(some: Floats) -> float:
        tried = np.zeros(2)
        tried[free] = np.sqrt(some)
        return _fit(sums, tried).loss

    # Of variances: a deviation of 0 is level ground for a search, whether it fits best or not.
    best = minimize(
        loss,
        np.ones(int(free.sum())),
        method="L-BFGS-B",
        bounds=[(0.0, _LARGEST**2)] * int(free.sum()),
        options={"ftol": 1e-13, "gtol": 1e-8},
    )
    variances = np.where(best.x < _NONE**2, 0.0, best.x)
    inside = (variances > 0) & (variances < _LARGEST**2)
    variances[inside] = _polished(loss, variances, inside)
    spreads[free] = np.sqrt(variances)
    return spreads


def _polished(
    loss: Callable[[Floats], float], variances: Floats, inside: NDArray[np.bool_]
) -> Floats:
    """Go on to where the slope is 0: a search by the loss alone stops some 1e-7 before it.

    Where it stops depends on the last digits of the loss, hence on the processor. On the scale of
    logarithms, slopes are differences of fourth order, and Newton's steps come from theirs.
    """

    def at(logs: Floats) -> float:
        tried = variances.copy()
        tried[inside] = np.exp(logs)
        return loss(tried)

    def slopes(logs: Floats) -> Floats:
        near, far = ([at(logs + by) - at(logs - by) for by in steps] for steps in (unit, 2 * unit))
        slope: Floats = (8 * np.array(near) - np.array(far)) / (12 * _STEP)
        return slope

    logs = np.log(variances[inside])
    unit = np.eye(len(logs)) * _STEP
    for _ in range(_NEWTON if len(logs) else 0):
        curve = np.array([slopes(logs + by) - slopes(logs - by) for by in unit]) / (2 * _STEP)
        if np.linalg.eigvalsh((curve + curve.T) / 2)[0] <= 0:
            break  # a level ridge: nothing to polish
        step = np.linalg.solve((curve + curve.T) / 2, slopes(logs))
        if np.abs(step).max() > _NEAR:
            break  # the search had not come near
        logs = logs - step
    return np.asarray(np.exp(logs), dtype=np.float64)


def _fit(sums: Sums, spreads: Floats) -> _Fit:
    """Fit at given spreads; the loss is −2 log of the restricted likelihood, but for a constant."""
    case, answer = spreads**2
    pull = answer / (1 + sums.sizes * answer)
    shrunk = 1 / (1 + sums.sizes * answer)
    rows = np.tensordot(shrunk, sums.case_rows, 1)
    values = shrunk @ sums.case_values
    weight = (sums.sizes * shrunk) @ sums.answers
    share = case / (1 + case * weight)
    gram = sums.gram - np.tensordot(pull, sums.answer_gram, 1) - (rows * share[:, None]).T @ rows
    right = sums.right - pull @ sums.answer_right - rows.T @ (share * values)
    square = sums.square - pull @ sums.answer_square - share @ values**2
    root = np.linalg.cholesky(gram)
    half = np.linalg.solve(root, right)
    degrees = sums.n - len(right)
    variance = max(float(square - half @ half), _FLAT * sums.square + 1e-300) / degrees
    spread = sums.answers.sum(axis=1) @ np.log1p(sums.sizes * answer)
    spread += np.log1p(case * weight).sum()
    loss = degrees * np.log(variance) + spread + 2 * np.log(np.diag(root)).sum()
    return _Fit(float(loss), root, half, variance)
