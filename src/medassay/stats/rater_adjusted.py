"""Means of systems as if all had met the same raters: a mixed model with intervals by case."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.stats.intervals import LEAST_FREEDOM, Interval

Floats = NDArray[np.float64]
Places = NDArray[np.int64]
_ROUNDING = 1e-9
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
_CELLS = 4_000_000
_WHOLE: Final = 1e-8
_METHOD: Final = "t over cases, mixed model with raters (CR2)"
_ESTIMAND: Final = "these systems and raters, new cases"


@dataclass(frozen=True, eq=False)
class Labels:
    """Who gave which answer what, one entry a label; each numbering begins at 0 without a gap.

    Attributes:
        values: What was given, in points.
        answer: The answer that was judged.
        rater: Who judged it.
        system: For each answer the system that gave it.
        case: For each answer its case.
    """

    values: Floats
    answer: Places
    rater: Places
    system: Places
    case: Places

    @property
    def systems(self) -> int:
        """Count the systems."""
        return int(self.system.max(initial=-1)) + 1

    @property
    def raters(self) -> int:
        """Count the raters."""
        return int(self.rater.max(initial=-1)) + 1

    @property
    def cases(self) -> int:
        """Count the cases."""
        return int(self.case.max(initial=-1)) + 1

    @cached_property
    def table(self) -> Floats:
        """Count labels, shape (systems, raters)."""
        place = self.system[self.answer] * self.raters + self.rater
        counts = np.bincount(place, minlength=self.systems * self.raters)
        return counts.reshape(self.systems, self.raters).astype(np.float64)

    @cached_property
    def even(self) -> bool:
        """Say whether every system met the raters in the same shares."""
        expected = np.outer(self.table.sum(axis=1), self.table.sum(axis=0)) / self.table.sum()
        return bool(np.abs(self.table - expected).max() <= _ROUNDING * self.table.sum())

    @cached_property
    def complete(self) -> bool:
        """Say whether every system was judged on every case."""
        answered = np.unique(self.system * self.cases + self.case)
        return len(answered) == self.systems * self.cases

    @cached_property
    def linked(self) -> bool:
        """Say whether raters link every system with every other, directly or over others."""
        both = (self.table @ self.table.T) > 0
        for _ in range(self.systems):
            wider = (both.astype(np.float64) @ both) > 0
            if (wider == both).all():
                break
            both = wider
        return bool(both.all())


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums of the labels' rows by answer and by case, from which every fit is made.

    A label's row holds 1 for its system and 1 for its rater; the last rater has no column, since a
    constant can be moved between systems and raters. Answers with equally many labels are kept
    together: at any spread of answers they weigh the same.

    Attributes:
        n: Labels.
        rows: For each answer the sum of its labels' rows, shape (answers, columns).
        values: For each answer the sum of its labels.
        size: For each answer the number of its labels.
        case: For each answer its case.
        gram: X'X over the labels.
        right: X'y.
        square: y'y.
        sizes: Each number of labels that an answer has.
        answers: How many answers have it, by case, shape (sizes, cases).
        answer_gram: Σ over those answers of x x', x an answer's row.
        answer_right: The same of x y.
        answer_square: The same of y y.
        case_rows: Σ over those answers of x, by case, shape (sizes, cases, columns).
        case_values: Σ over those answers of y, by case, shape (sizes, cases).
    """

    n: int
    rows: Floats
    values: Floats
    size: Floats
    case: Places
    gram: Floats
    right: Floats
    square: float
    sizes: Floats
    answers: Floats
    answer_gram: Floats
    answer_right: Floats
    answer_square: Floats
    case_rows: Floats
    case_values: Floats

    @classmethod
    def of(cls, labels: Labels) -> "Sums":
        """Add up."""
        answers, systems = len(labels.system), labels.systems
        columns = systems + labels.raters - 1
        size = np.bincount(labels.answer, minlength=answers)
        values = np.bincount(labels.answer, labels.values, minlength=answers).astype(np.float64)
        met = np.bincount(
            labels.answer * labels.raters + labels.rater, minlength=answers * labels.raters
        ).reshape(answers, labels.raters)
        rows = np.zeros((answers, columns))
        rows[np.arange(answers), labels.system] = size
        rows[:, systems:] = met[:, :-1]
        sizes = np.unique(size)
        alike = [size == m for m in sizes]
        shape = (len(sizes), labels.cases)
        case_rows = np.zeros((*shape, columns))
        for at, mine in enumerate(alike):
            np.add.at(case_rows[at], labels.case[mine], rows[mine])
        return cls(
            n=len(labels.values),
            rows=rows,
            values=values,
            size=size.astype(np.float64),
            case=labels.case,
            gram=_crossed(labels.table),
            right=_sums(labels),
            square=float(labels.values @ labels.values),
            sizes=sizes.astype(np.float64),
            answers=_by_case(alike, labels, np.ones(answers)),
            answer_gram=np.stack([rows[mine].T @ rows[mine] for mine in alike]),
            answer_right=np.stack([values[mine] @ rows[mine] for mine in alike]),
            answer_square=np.array([values[mine] @ values[mine] for mine in alike]),
            case_rows=case_rows,
            case_values=_by_case(alike, labels, values),
        )


def _crossed(table: Floats) -> Floats:
    """Give X'X from the counts of labels, shape (..., systems, raters)."""
    systems, raters = table.shape[-2:]
    gram = np.zeros((*table.shape[:-2], systems + raters, systems + raters))
    place = np.arange(systems + raters)
    gram[..., :systems, systems:] = table
    gram[..., systems:, :systems] = np.swapaxes(table, -1, -2)
    gram[..., place[:systems], place[:systems]] = table.sum(axis=-1)
    gram[..., place[systems:], place[systems:]] = table.sum(axis=-2)
    return gram[..., :-1, :-1]


def _sums(labels: Labels) -> Floats:
    of_system = np.bincount(labels.system[labels.answer], labels.values, minlength=labels.systems)
    of_rater = np.bincount(labels.rater, labels.values, minlength=labels.raters)
    return np.concatenate([of_system, of_rater[:-1]])


def _by_case(alike: list[NDArray[np.bool_]], labels: Labels, each: Floats) -> Floats:
    return np.stack(
        [np.bincount(labels.case[mine], each[mine], minlength=labels.cases) for mine in alike]
    )


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
    by_cluster = _said_by_clusters(labels, sums, fit.coefficients, spreads, groups)
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


def _said_by_clusters(
    labels: Labels,
    sums: Sums,
    coefficients: Floats,
    spreads: Floats,
    groups: NDArray[np.int64],
) -> Iterator[tuple[Floats, Floats]]:
    """Give X'V⁻¹X and X'V⁻¹(y − Xβ) of clusters of cases, a few clusters at a time.

    Yields:
        Shapes (clusters, columns, columns) and (clusters, columns).
    """
    columns = len(coefficients)
    clusters = int(groups.max(initial=-1)) + 1
    step = max(1, _CELLS // columns**2)
    of_answer = groups[sums.case]
    for start in range(0, clusters, step):
        mine = np.flatnonzero((of_answer >= start) & (of_answer < start + step))
        size = min(step, clusters - start)
        yield _said(labels, sums, coefficients, spreads, groups - start, mine, size)


def _said(
    labels: Labels,
    sums: Sums,
    coefficients: Floats,
    spreads: Floats,
    groups: NDArray[np.int64],
    mine: NDArray[np.int64],
    size: int,
) -> tuple[Floats, Floats]:
    case, answer = spreads**2
    rows, n = sums.rows[mine], sums.size[mine]
    group = groups[sums.case[mine]]
    shrunk = 1 / (1 + n * answer)
    pull = answer * shrunk
    gaps = sums.values[mine] - rows @ coefficients
    # Labels one by one.
    on_mine = np.isin(labels.answer, mine)
    of_label, system = labels.answer[on_mine], labels.system[labels.answer[on_mine]]
    rater = labels.rater[on_mine]
    within = groups[sums.case[of_label]]
    gap = labels.values[on_mine] - _foretold(coefficients, system, rater, labels.systems)
    columns = len(coefficients) + 1
    other = labels.systems + rater
    gram = np.zeros((size, columns, columns))
    for first, two in ((system, system), (other, other), (system, other), (other, system)):
        place = (within * columns + first) * columns + two
        gram += np.bincount(place, minlength=gram.size).reshape(gram.shape)
    summed = sum(
        np.bincount(within * columns + first, gap, minlength=size * columns)
        for first in (system, other)
    )
    gram = gram[:, :-1, :-1]
    right = np.asarray(summed).reshape(size, columns)[:, :-1]
    # Less what an answer's labels share, then less what a case's answers share.
    places, order = _laid(group)
    padded = np.zeros((size, int(places.max(initial=0)) + 1, columns - 1))
    padded[group[order], places] = (rows * np.sqrt(pull)[:, None])[order]
    gram = gram - np.swapaxes(padded, 1, 2) @ padded
    right = right - _added(group, rows * (pull * gaps)[:, None], size)
    cases, at = np.unique(sums.case[mine], return_inverse=True)
    total = _added(at, rows * shrunk[:, None], len(cases))
    shared = np.bincount(at, shrunk * gaps)
    share = case / (1 + case * np.bincount(at, n * shrunk))
    group = groups[cases]
    places, order = _laid(group)
    padded = np.zeros((size, int(places.max(initial=0)) + 1, columns - 1))
    padded[group[order], places] = (total * np.sqrt(share)[:, None])[order]
    gram = gram - np.swapaxes(padded, 1, 2) @ padded
    return gram, right - _added(group, total * (share * shared)[:, None], size)


def _foretold(
    coefficients: Floats, system: NDArray[np.int64], rater: NDArray[np.int64], systems: int
) -> Floats:
    whole = np.append(coefficients, 0.0)
    foretold: Floats = whole[system] + whole[systems + rater]
    return foretold


def _laid(group: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Give each member of a group a place in it: places, and the order that they are for."""
    order = np.argsort(group, kind="stable")
    first = np.searchsorted(group[order], group[order])
    return np.arange(len(order)) - first, order


def _added(group: NDArray[np.int64], rows: Floats, size: int) -> Floats:
    added = np.zeros((size, rows.shape[1]))
    np.add.at(added, group, rows)
    return added
