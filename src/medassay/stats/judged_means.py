"""The mean that people would give, from few judgements and many scores."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.annotations import Words, record
from medassay.errors import InvalidInput, Problem
from medassay.stats.intervals import Interval, bias_reduced, blown_up, sums_by_cluster
from medassay.stats.kendall import TIE_TOLERANCE

_FEWEST_JUDGED: Final = 20
"""Below so many judgements or clusters intervals cover too little.

simulations/coverage-human-score.md has the simulation.
"""
FEWEST_OTHERWISE: Final = 10
"""The same for judgements that are not the commonest one, where there are few values."""
_FEW_VALUES: Final = 3
Floats = NDArray[np.float64]
Labels = Sequence[Hashable]
_PPI_METHOD: Final = "PPI++"
_PPI_ESTIMAND: Final = "this system, new cases"
_DIFFERENCE_METHOD: Final = "difference"
_DIFFERENCE_ESTIMAND: Final = "these answers"
_STRATIFIED_METHOD: Final = "stratified"
_STRATIFIED_FEWEST: Final = 2
_ACTIVE_METHOD: Final = "active (Horvitz-Thompson)"
_ACTIVE_FEWEST: Final = 3
SENSITIVITIES: Final = (0.5, 1.0)
"""Where a flag's sensitivity on a system is not known: it finds half of the bad answers, to all."""
_ROGAN_GLADEN_METHOD: Final = "Rogan-Gladen"
_ROGAN_GLADEN_ESTIMAND: Final = "this system, new cases"


@record(infers=True)
class Combined:
    """A mean that people would give, estimated.

    Attributes:
        method: Its name.
        estimate: None where there is none.
        error: Its standard error; None where there is none.
        interval: None where undefined.
        n: Answers judged.
        total: Answers that the scores or the finite population cover; the judged ones among them.
        slope: What the scores were multiplied with; None where no score takes part.
        worth: How many judgements alone, without scores, would make as small an error; None where
            unknown, n where no score takes part.
        undefined: Why there is no estimate or no interval; empty where there are both.
        no_help: Why the scores (or the design) do not help; empty where they do.
        warning: Why the interval may cover less than it says; empty where it should hold.
    """

    method: Words
    estimate: float | None
    error: float | None
    interval: Interval | None
    n: int
    total: int | None = None
    slope: float | None = None
    worth: float | None = None
    undefined: Words = ""
    no_help: Words = ""
    warning: Words = ""


def judged_mean(
    judged: Floats,
    *,
    total: int | None = None,
    clusters: Labels | None = None,
    level: float = 0.95,
) -> Combined:
    """What do people's judgements say of the mean, without any help of scores?

    ȳ ± t · √((1 − n/N) s²/n); with clusters s²/n becomes the clustered variance of `moments`.

    Args:
        judged: The judgements, a simple random sample.
        total: N, the number of answers they were drawn from, where the mean of just these is
            wanted; None: the mean over answers not seen yet, without the factor 1 − n/N.
        clusters: For each judgement its cluster, where whole clusters were drawn.
        level: Nominal coverage.

    Source: Cochran (1977), Sampling Techniques, chapter 2.

    Example:
        >>> some = judged_mean(np.array([1.0, 0.0, 1.0, 1.0]), total=8)
        >>> some.estimate, round(some.error, 4)  # √(.5 · .25/4)
        (0.75, 0.1768)
    """
    n = judged.size
    estimand = "this system, new cases" if total is None else "these answers"
    if n == 0:
        return Combined("judgements alone", None, None, None, 0, total, undefined="none is judged")
    mean = float(judged.mean())
    variance, freedom, units = _mean_variance(judged - mean, clusters, fitted=1)
    left = 1.0 if total is None else 1 - n / total
    if left <= 0:
        why = "every answer is judged: the mean of these answers is known"
        return Combined(
            "judgements alone", mean, 0.0, None, n, total, None, float(n), undefined=why
        )
    error = None if variance is None else float(np.sqrt(left * variance))
    interval, why = _t_interval(mean, error, freedom, level, estimand)
    warning = _few_judged(judged, units)
    return Combined(
        "judgements alone", mean, error, interval, n, total, None, float(n), why, "", warning
    )


def _mean_variance(
    residuals: Floats, clusters: Labels | None, *, fitted: int
) -> tuple[float | None, float, int]:
    """Give the variance of a mean from its residuals, its degrees of freedom and independent units.

    (1/n²) Σ_c (Σ_{k∈c} e_k)² · C/(C − fitted) over C clusters, on C − fitted degrees; None where C
    ≤ fitted. Where clusters differ in size, the error and the degrees are those of `bias_reduced`,
    with what is fitted beyond the mean taken off.
    """
    sums = sums_by_cluster(residuals[None], clusters)
    sizes = sums_by_cluster(np.ones((1, residuals.size)), clusters)
    units = sums.size
    if units <= fitted:
        return None, 0.0, units
    rest = units - fitted
    if np.ptp(sizes) == 0:
        return float((sums**2).sum() / residuals.size**2 * units / rest), float(rest), units
    error, freedom = bias_reduced(sums, sizes)
    variance = float(error[0]) ** 2 * (units - 1) / rest
    return variance, max(0.0, float(freedom[0]) - (fitted - 1)), units


def _t_interval(
    estimate: float, error: float | None, freedom: float, level: float, estimand: str
) -> tuple[Interval | None, str]:
    """Make estimate ± t · error, or say why not."""
    from scipy.special import stdtrit

    if error is None or freedom <= 0:
        return None, "too few judgements to show how far others would lie"
    if error <= TIE_TOLERANCE * max(abs(estimate), 1.0):
        return None, "all judgements agree with the prediction: they do not show how far off it is"
    half = float(stdtrit(freedom, (1 + level) / 2)) * error
    return Interval(estimate - half, estimate + half, level, "t", estimand), ""


def _few_judged(judged: Floats, units: int) -> str:
    """Say that intervals of so few judgements cover too little; nothing where they are enough.

    Example:
        >>> _few_judged(np.array([0.0] * 95 + [1.0] * 5), 100)
        '5 judgements differ from the commonest: below 10 the interval may cover too little'
        >>> _few_judged(np.array([0.0, 1.0] * 50), 100)
        ''
    """
    if units < _FEWEST_JUDGED:
        return (
            f"{units} judgements or clusters: below {_FEWEST_JUDGED} intervals may cover too little"
        )
    values, times = np.unique(judged, return_counts=True)
    others = judged.size - int(times.max())
    if values.size <= _FEW_VALUES and others < FEWEST_OTHERWISE:
        return (
            f"{others} judgements differ from the commonest: below {FEWEST_OTHERWISE} the interval "
            "may cover too little"
        )
    return ""


def worth(n: int, total: int | None, error: float | None, alone: float | None) -> float | None:
    """How many judgements alone would make as small an error?

    The error of judgements alone has variance s² (1/n − 1/N), N infinite for new cases. So 1/n' =
    1/N + (error/alone)² (1/n − 1/N).

    Example:
        >>> worth(100, None, 0.5, 1.0), round(worth(100, 1000, 0.5, 1.0))
        (400.0, 308)
    """
    if error is None or not alone:
        return None
    limit = 0.0 if total is None else 1 / total
    return 1 / (limit + (error / alone) ** 2 * (1 / n - limit))


def ppi_mean(
    judged: Floats,
    scores: Floats,
    other_scores: Floats,
    *,
    slope: float | None = None,
    clip: bool = False,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    as_published: bool = False,
) -> Combined:
    """What would people give on average, on answers that are not seen yet?

    θ̂ = λ · mean_N(f) + mean_n(Y − λf), with λ = Cov(Y, f)/((1 + n/N) Var f) unless it is given, and
    Var θ̂ = λ² Var(f)/N + Var(Y − λf)/n. The interval is θ̂ ± t · SE with n − 2 degrees of freedom
    (C − 2 with C clusters, fewer where they differ in size), and Var(Y − λf) divides by n − 2,
    since λ is estimated from the same judgements. `as_published` takes the normal quantile and
    divides by n, as the paper does.

    It supposes that all answers come from one source of answers, which answers are judged being
    chance, and that those without judgement are others than those with. For the mean of a fixed set
    of answers use `difference_mean`.

    Args:
        judged: Y, shape (n,).
        scores: f of the same answers.
        other_scores: f of the N answers without judgement.
        slope: λ; 1 is PPI as first published and in ARES, which can be worse than judgements alone.
        clip: Keep the estimated λ between 0 and 1, as the paper does: for scores on the scale of
            the judgements.
        clusters: For each judged answer its cluster, then for each other answer; a cluster may hold
            answers of both kinds.
        level: Nominal coverage.
        as_published: The large-sample interval of the paper, for comparison.

    Source: Angelopoulos, Duchi & Zrnic (2023), arXiv:2311.01453.

    Example:
        >>> rng = np.random.default_rng(1)
        >>> truth = rng.normal(size=1000)
        >>> scores = truth + 0.5 * rng.normal(size=1000)
        >>> found = ppi_mean(truth[:100], scores[:100], scores[100:])
        >>> round(found.slope, 1), round(found.worth)
        (0.5, 283)
    """
    n, others = judged.size, other_scores.size
    own = None if clusters is None else clusters[:n]
    alone = judged_mean(judged, clusters=own, level=level)
    if alone.estimate is None or alone.error is None:
        return replace(alone, method=_PPI_METHOD, worth=None)
    alone = replace(alone, method=_PPI_METHOD, total=n + others, slope=0.0)
    if others == 0:
        return replace(alone, no_help="every answer with a score is judged")
    every = np.concatenate([scores, other_scores])
    if np.ptp(every) <= TIE_TOLERANCE * np.abs(every).max():
        return replace(alone, no_help="the metric gives all answers the same score")
    if slope is None:
        slope = _tuned(judged, scores, every, n / others)
        slope = min(max(slope, 0.0), 1.0) if clip else slope
    estimate = float(slope * other_scores.mean() + (judged - slope * scores).mean())
    fitted = 0 if as_published else 2
    variance, freedom = _variance(judged, (scores, other_scores), slope, fitted, clusters)
    error = None if variance is None else float(np.sqrt(variance))
    interval, why = _t_interval(estimate, error, freedom, level, _PPI_ESTIMAND)
    if as_published and error is not None:
        interval, why = _normal(estimate, error, level), ""
    like = worth(n, None, error, alone.error)
    combined = replace(alone, estimate=estimate, error=error, interval=interval, undefined=why)
    return _helped(replace(combined, slope=slope, worth=like), n)


def _helped(combined: Combined, n: int) -> Combined:
    """Say where scores did not make the error of so many judgements smaller."""
    if combined.worth is None or combined.worth > n:
        return combined
    why = "the scores do not predict these judgements well enough to make the error smaller"
    return replace(combined, no_help=why)


def _tuned(judged: Floats, scores: Floats, every: Floats, ratio: float) -> float:
    """Give the slope with the least variance; Var f over all answers, as ppi-python takes it."""
    covariance = float(((judged - judged.mean()) * (scores - scores.mean())).mean())
    return covariance / ((1 + ratio) * float(every.var(ddof=1)))


def _variance(
    judged: Floats,
    scores: tuple[Floats, Floats],
    slope: float,
    fitted: int,
    clusters: Sequence[Hashable] | None,
) -> tuple[float | None, float]:
    """Add up what judged and other answers contribute, cluster by cluster where there are some."""
    n = judged.size
    residual = judged - slope * scores[0]
    residual = residual - residual.mean()
    other = slope * (scores[1] - scores[1].mean())
    own = None if clusters is None else clusters[:n]
    rectifier, freedom, units = _mean_variance(residual, own, fitted=fitted)
    if rectifier is None:
        return None, freedom
    if clusters is None:
        imputed, _, _ = _mean_variance(other, None, fitted=min(1, fitted))
        return (None if imputed is None else rectifier + imputed), freedom
    # A cluster with answers of both kinds moves both terms at once.
    is_judged = np.arange(len(clusters)) < n
    parts = np.concatenate([residual / n, other / other.size])
    rows = np.stack([parts * is_judged, parts * ~is_judged, is_judged, ~is_judged])
    judged_sums, other_sums, judged_in, other_in = sums_by_cluster(rows, clusters)
    both = blown_up(judged_sums, judged_in)[0] + blown_up(other_sums, other_in)[0]
    return float((both**2).sum()) * (units - 1) / (units - fitted), freedom


def _normal(estimate: float, error: float, level: float) -> Interval:
    from scipy.special import ndtri

    half = float(ndtri((1 + level) / 2)) * error
    return Interval(estimate - half, estimate + half, level, "normal", _PPI_ESTIMAND)


def difference_mean(
    judged: Floats,
    scores: Floats,
    other_scores: Floats,
    *,
    slope: float | None = None,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> Combined:
    """What would people give these very answers on average, had they judged them all?

    θ̂ = b · mean_all(f) + mean_n(Y − bf): the known mean of the scores, corrected by what judgements
    and scores differ by where both are known. Only the choice of the judged answers is chance:
    Var θ̂ = (1 − n/N) s²/n, s² the variance of Y − bf, N all answers. It falls to 0 when all are
    judged. Without a given b it is fitted by least squares (the regression estimator), s² divides
    by n − 2 and t has n − 2 degrees of freedom.

    Args:
        judged: Y, shape (n,), of a simple random sample of the answers.
        scores: f of the same answers.
        other_scores: f of the answers without judgement.
        slope: b; 1 for scores on the scale of the judgements.
        clusters: For each judged answer its cluster, where whole clusters were drawn.
        level: Nominal coverage.

    Source: Cochran (1977), Sampling Techniques, chapter 7; Särndal, Swensson & Wretman (1992),
        doi:10.1007/978-1-4612-4378-6, chapter 6.

    Example:
        >>> scores = np.arange(10.0)
        >>> judged = np.array([1.0, 2.0, 4.0, 4.0])  # of the answers scored 0, 2, 4, 6
        >>> found = difference_mean(judged, scores[[0, 2, 4, 6]], scores[[1, 3, 5, 7, 8, 9]])
        >>> round(found.slope, 2), round(found.estimate, 3)  # 2.75 + .55 (4.5 − 3)
        (0.55, 3.575)
    """
    n, total = judged.size, judged.size + other_scores.size
    alone = judged_mean(judged, total=total, clusters=clusters, level=level)
    if alone.estimate is None or not alone.error:
        return replace(alone, method=_DIFFERENCE_METHOD)
    alone = replace(alone, method=_DIFFERENCE_METHOD, slope=0.0)
    every = np.concatenate([scores, other_scores])
    centred = scores - scores.mean()
    is_given = slope is not None
    if np.ptp(scores) <= TIE_TOLERANCE * np.abs(every).max() and not is_given:
        return replace(alone, no_help="the metric gives all judged answers the same score")
    if slope is None:
        slope = float((centred * judged).sum() / (centred**2).sum())
    residual = (judged - judged.mean()) - slope * centred
    estimate = float(judged.mean() + slope * (every.mean() - scores.mean()))
    fitted = 1 if is_given else 2
    variance, freedom, _ = _mean_variance(residual, clusters, fitted=fitted)
    error = None if variance is None else float(np.sqrt((1 - n / total) * variance))
    interval, why = _t_interval(estimate, error, freedom, level, _DIFFERENCE_ESTIMAND)
    like = worth(n, total, error, alone.error) if interval else None
    combined = replace(alone, estimate=estimate, error=error, interval=interval, undefined=why)
    return _helped(replace(combined, slope=slope, worth=like), n)


def stratified_mean(
    judged: Floats,
    strata: Sequence[Hashable],
    sizes: Mapping[Hashable, int],
    *,
    level: float = 0.95,
) -> Combined:
    """What would people give these answers on average, when some kinds were judged more often?

    θ̂ = Σ_h W_h ȳ_h with W_h = N_h/N, and Var θ̂ = Σ_h W_h² (1 − n_h/N_h) s_h²/n_h. The degrees of
    freedom are Satterthwaite's. A stratum that is judged whole adds no error.

    Args:
        judged: The judgements, within each stratum a simple random sample.
        strata: For each judgement its stratum.
        sizes: Stratum to N_h, the number of its answers, judged or not.
        level: Nominal coverage.

    Raises:
        InvalidInput: A stratum has no size, or more judgements than answers.

    Source: Cochran (1977), Sampling Techniques, sections 5.3 to 5.4.

    Example:
        >>> judged = np.array([1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0])
        >>> sizes = {"flagged": 10, "not": 90}
        >>> found = stratified_mean(judged, ["flagged"] * 4 + ["not"] * 4, sizes)
        >>> round(found.estimate, 9)  # .1 · .75 + .9 · .25
        0.3
    """
    labels = list(dict.fromkeys(strata))
    groups = {
        h: judged[np.array([stratum == h for stratum in strata], dtype=np.bool_)] for h in labels
    }
    _check_sizes(groups, sizes)
    total, n = sum(sizes.values()), judged.size
    empty = [h for h, size in sizes.items() if size and h not in groups]
    if empty or n == 0:
        why = f"no answer of {empty[0] if empty else 'any stratum'} is judged"
        return Combined(_STRATIFIED_METHOD, None, None, None, n, total, undefined=why)
    weights = {h: sizes[h] / total for h in labels}
    estimate = sum(weights[h] * float(groups[h].mean()) for h in labels)
    open_ = [h for h in labels if groups[h].size < sizes[h]]
    if any(groups[h].size < _STRATIFIED_FEWEST for h in open_):
        why = "a stratum with one judgement shows no spread"
        return Combined(_STRATIFIED_METHOD, estimate, None, None, n, total, undefined=why)
    if not open_:
        why = "every answer is judged: the mean of these answers is known"
        return Combined(_STRATIFIED_METHOD, estimate, 0.0, None, n, total, undefined=why)
    parts = [
        weights[h] ** 2
        * (1 - groups[h].size / sizes[h])
        * float(groups[h].var(ddof=1))
        / groups[h].size
        for h in open_
    ]
    error = float(np.sqrt(sum(parts)))
    below = sum(part**2 / (groups[h].size - 1) for part, h in zip(parts, open_, strict=True))
    freedom = sum(parts) ** 2 / below if below else 0.0
    interval, why = _t_interval(estimate, error, freedom, level, "these answers")
    simple = _simple(groups, weights, n, total)
    like = worth(n, total, error, simple) if interval else None
    no_help = ""
    if like is not None and like <= n:
        no_help = "a simple random sample of as many answers would have as small an error"
    return Combined(
        _STRATIFIED_METHOD,
        estimate,
        error,
        interval,
        n,
        total,
        None,
        like,
        why,
        no_help,
        _warn(groups, open_),
    )


def _warn(groups: Mapping[Hashable, Floats], open_: Sequence[Hashable]) -> str:
    lines = [_few_judged(groups[h], groups[h].size) for h in open_]
    return next((f"in stratum {h}: {why}" for h, why in zip(open_, lines, strict=True) if why), "")


def _simple(
    groups: Mapping[Hashable, Floats], weights: Mapping[Hashable, float], n: int, total: int
) -> float:
    """Estimate the error of a simple random sample of n: spread within and between strata."""
    mean = sum(weights[h] * float(values.mean()) for h, values in groups.items())
    spread = sum(
        weights[h] * (float(v.var(ddof=min(1, v.size - 1))) + (float(v.mean()) - mean) ** 2)
        for h, v in groups.items()
    )
    return float(np.sqrt(max(spread * (1 / n - 1 / total), 0.0)))


def _check_sizes(groups: Mapping[Hashable, Floats], sizes: Mapping[Hashable, int]) -> None:
    problems = [
        Problem(
            "sizes",
            f"give stratum {h} at least its {values.size} judged answers",
            f"{sizes.get(h)}",
        )
        for h, values in groups.items()
        if sizes.get(h, 0) < values.size
    ]
    if problems:
        raise InvalidInput(problems)


def judging_chances(doubt: Floats, wanted: float, *, even: float = 0.25) -> Floats:
    """With what chance should each answer be judged, so that doubtful ones are judged more often?

    π_i = even · wanted/N + (1 − even) · c · u_i, cut at 1, with c such that they add up to the
    number wanted. The even share keeps every answer's weight 1/π_i bounded. Where all answers with
    any doubt are sure to be judged and more are wanted, the rest is spread evenly over the others.

    Args:
        doubt: u ≥ 0, how unsure the score is of each answer.
        wanted: The number of judgements to expect, at most N.
        even: Share of the judgements that are spread evenly.

    Source: Zrnic & Candès (2024), Active statistical inference, arXiv:2403.03208.

    Example:
        >>> judging_chances(np.array([0.0, 1.0, 3.0, 0.0]), 2, even=0.5).tolist()
        [0.25, 0.5, 1.0, 0.25]
    """
    n = doubt.size
    if not 0 < wanted <= n or doubt.min(initial=0.0) < 0 or not 0 < even <= 1:
        raise InvalidInput(
            Problem(
                "judging_chances", f"get 0 < wanted ≤ {n}, doubt ≥ 0, 0 < even ≤ 1", f"{wanted}"
            )
        )
    floor = even * wanted / n
    if doubt.max(initial=0.0) == 0:
        return np.full(n, wanted / n)
    sure = doubt > 0
    if wanted >= sure.sum() + floor * (~sure).sum():
        return np.where(sure, 1.0, (wanted - sure.sum()) / max(1, (~sure).sum())).round(12)
    low, high = 0.0, (1.0 / doubt[doubt > 0]).max() + wanted / doubt.max()
    for _ in range(200):
        middle = (low + high) / 2
        reached = np.minimum(floor + middle * doubt, 1.0).sum()
        low, high = (middle, high) if reached < wanted else (low, middle)
    chances: Floats = np.minimum(floor + high * doubt, 1.0)
    return chances.round(12)


def active_mean(
    judged: Floats,
    scores: Floats,
    chances: Floats,
    chosen: NDArray[np.bool_],
    *,
    slope: float | None = None,
    new_cases: bool = False,
    level: float = 0.95,
) -> Combined:
    """What would people give on average, when each answer had its own chance to be judged?

    θ̂ = (1/N) Σ ŷ_i + (1/N) Σ_judged (Y_i − ŷ_i)/π_i, answer i being judged with chance π_i,
    independently. With a given slope b, ŷ = b·f: the Horvitz-Thompson difference estimator of
    active inference. Else ŷ = a + b·f is fitted with weights 1/π (the generalised regression
    estimator), which loses less where the number judged is itself chance. Var θ̂ = (1/N²) Σ_judged
    (1 − π_i)/π_i² · (Y_i − ŷ_i)², times n/(n − 2) where fitted; for new cases Var(Y)/N is added.

    Args:
        judged: Y, shape (N,); read where `chosen`.
        scores: f, shape (N,).
        chances: π, shape (N,), above 0; fixed before judging.
        chosen: Which answers were judged.
        slope: b, for scores on a known scale.
        new_cases: Whether the mean over cases not seen yet is meant, not that of these answers.
        level: Nominal coverage.

    Raises:
        InvalidInput: A chance is not within (0, 1].

    Source: Zrnic & Candès (2024), arXiv:2403.03208; Särndal, Swensson & Wretman (1992),
        doi:10.1007/978-1-4612-4378-6, chapter 6.

    Example:
        >>> everyone = np.ones(4, dtype=bool)
        >>> found = active_mean(np.array([1.0, 2, 3, 5]), np.zeros(4), np.ones(4), everyone)
        >>> found.estimate, found.undefined
        (2.75, 'every answer is judged: the mean of these answers is known')
    """
    if chances.size and not (chances.min() > 0 and chances.max() <= 1):
        raise InvalidInput(Problem("chances", "lie above 0 and at most at 1", f"{chances.min()}"))
    total, n = scores.size, int(chosen.sum())
    about = (n, total)
    estimand = "this system, new cases" if new_cases else "these answers"
    if n < _ACTIVE_FEWEST:
        return Combined(
            _ACTIVE_METHOD, None, None, None, *about, undefined="fewer than three are judged"
        )
    y, f, weight = judged[chosen], scores[chosen], 1 / chances[chosen]
    fitted = slope is None
    at, b = _fit(y, f, weight) if slope is None else (0.0, slope)
    residual = y - at - b * f
    estimate = float((at + b * scores).mean() + (weight * residual).sum() / total)
    share = weight / weight.sum()
    spread = float((share * (y - (share * y).sum()) ** 2).sum() * n / (n - 1))
    scale = n / (n - 2) if fitted else 1.0
    variance = scale * float((weight * (weight - 1) * residual**2).sum()) / total**2
    variance += spread / total if new_cases else 0.0
    if n == total and not new_cases:
        why = "every answer is judged: the mean of these answers is known"
        return Combined(_ACTIVE_METHOD, estimate, 0.0, None, *about, b, undefined=why)
    error = float(np.sqrt(variance))
    interval, why = _t_interval(estimate, error, n - (2 if fitted else 1), level, estimand)
    limit = 0.0 if new_cases else 1 / total
    alone = float(np.sqrt(spread * (1 / n - limit)))
    like = worth(n, None if new_cases else total, error, alone) if interval else None
    no_help = ""
    if like is not None and like <= n:
        no_help = "a simple random sample of as many answers, without scores, does as well"
    warning = _few_judged(y, n)
    return Combined(
        _ACTIVE_METHOD, estimate, error, interval, *about, b, like, why, no_help, warning
    )


def _fit(y: Floats, f: Floats, weight: Floats) -> tuple[float, float]:
    total = weight.sum()
    y0, f0 = float((weight * y).sum() / total), float((weight * f).sum() / total)
    across = float((weight * (f - f0) ** 2).sum())
    slope = float((weight * (f - f0) * (y - y0)).sum()) / across if across > 0 else 0.0
    return y0 - slope * f0, slope


def rogan_gladen(
    flagged: int,
    total: int,
    sensitivity: tuple[int, int],
    specificity: tuple[int, int],
    *,
    level: float = 0.95,
) -> Combined:
    """What share would people find, when a judge with known errors finds `flagged` of `total`?

    θ̂ = (p + sp − 1)/(se + sp − 1), cut at 0 and 1. The interval is Lang and Reiczigel's, which
    carries the errors of p, se and sp: with p' = (flagged + z²/2)/(total + z²), se' = (hits + 1)/
    (m₁ + 2), sp' likewise from m₀, θ' as above and J = se' + sp' − 1,

        θ' + 2z² (θ' se'(1 − se')/(m₁ + 2) − (1 − θ') sp'(1 − sp')/(m₀ + 2)) ± (z/J) √(p'(1 − p')/
        (total + z²) + θ'² se'(1 − se')/(m₁ + 2) + (1 − θ')² sp'(1 − sp')/(m₀ + 2)).

    Args:
        flagged: Answers that the judge calls so.
        total: Answers that it judged, others than those below.
        sensitivity: Of the m₁ answers that people call so, how many the judge does: (hits, m₁).
        specificity: Of the m₀ that people do not call so, how many it does not either: (hits, m₀).
        level: Nominal coverage.

    Raises:
        InvalidInput: A count is not within its total.

    Source: Rogan & Gladen (1978), doi:10.1093/oxfordjournals.aje.a112510; Lang & Reiczigel (2014),
        doi:10.1016/j.prevetmed.2013.09.015; for model judges Lee (2025), arXiv:2511.21140.

    Example:
        >>> found = rogan_gladen(280, 1000, (80, 100), (90, 100))
        >>> round(found.estimate, 4)  # (.28 − .1)/.7
        0.2571
    """
    from scipy.special import ndtri

    _check_counts((flagged, total), sensitivity, specificity)
    n = sensitivity[1] + specificity[1]
    if not sensitivity[1] or not specificity[1]:
        why = "the judge's sensitivity and specificity need answers of both kinds, judged by people"
        return Combined(_ROGAN_GLADEN_METHOD, None, None, None, n, total + n, undefined=why)
    rates = [hits / m for hits, m in (sensitivity, specificity)]
    z = float(ndtri((1 + level) / 2))
    smooth = [((hits + 1) / (m + 2), m + 2) for hits, m in (sensitivity, specificity)]
    (se, m1), (sp, m0) = smooth
    gap, error_of_gap = se + sp - 1, np.sqrt(se * (1 - se) / m1 + sp * (1 - sp) / m0)
    if gap <= z * error_of_gap or sum(rates) <= 1:
        why = "the judge is not shown to tell the two kinds apart better than chance"
        return Combined(
            _ROGAN_GLADEN_METHOD, None, None, None, n, total + n, undefined=why, no_help=why
        )
    p = flagged / total
    estimate = float(np.clip((p + rates[1] - 1) / (sum(rates) - 1), 0.0, 1.0))
    size = total + z * z
    p = (flagged + z * z / 2) / size
    middle = (p + sp - 1) / gap
    shift = 2 * z * z * (middle * se * (1 - se) / m1 - (1 - middle) * sp * (1 - sp) / m0)
    variance = p * (1 - p) / size
    variance += middle**2 * se * (1 - se) / m1 + (1 - middle) ** 2 * sp * (1 - sp) / m0
    error = float(np.sqrt(variance) / gap)
    low, high = (float(np.clip(middle + shift + s * z * error, 0.0, 1.0)) for s in (-1, 1))
    interval = Interval(low, high, level, "Lang-Reiczigel", _ROGAN_GLADEN_ESTIMAND)
    share = (sensitivity[1] + 0.5) / (n + 1)
    like = worth(n, None, error, float(np.sqrt(share * (1 - share) / n)))
    no_help = ""
    if like is not None and like <= n:
        no_help = "the judged answers alone, were they a random sample, tell as much"
    warning = ""
    if min(sensitivity[1], specificity[1]) < FEWEST_OTHERWISE:
        warning = f"sensitivity or specificity rests on fewer than {FEWEST_OTHERWISE} answers"
    return Combined(
        _ROGAN_GLADEN_METHOD,
        estimate,
        error,
        interval,
        n,
        total + n,
        None,
        like,
        "",
        no_help,
        warning,
    )


def share_over_sensitivities(
    flagged: int,
    total: int,
    specificity: tuple[int, int],
    sensitivities: tuple[float, float] = SENSITIVITIES,
    *,
    level: float = 0.95,
) -> tuple[float, float] | None:
    """Between which shares does it lie, wherever the judge's sensitivity lies in a stated range?

    From the lower end of Lang and Reiczigel's interval at the largest sensitivity to the upper end
    at the smallest, each taken as known (m₁ without end); the errors of p and sp are carried.

    Args:
        flagged: Answers that the judge calls so.
        total: Answers that it judged, others than those below.
        specificity: Of the m₀ that people do not call so, how many it does not either: (hits, m₀).
        sensitivities: The smallest and the largest that are thought possible.
        level: Coverage at either end.

    Returns:
        The range; None where at the smallest sensitivity the judge would not be shown to tell the
        two kinds apart.

    Raises:
        InvalidInput: A count is not within its total.

    Example:
        >>> low, high = share_over_sensitivities(280, 1000, (90, 100))
        >>> round(low, 2), round(high, 2)
        (0.13, 0.55)
    """
    from scipy.special import ndtri

    _check_counts((flagged, total), specificity)
    z = float(ndtri((1 + level) / 2))
    m0 = specificity[1] + 2
    sp = (specificity[0] + 1) / m0
    size = total + z * z
    p = (flagged + z * z / 2) / size
    ends = []
    for se, sign in zip(sensitivities, (1, -1), strict=True):
        gap = se + sp - 1
        if gap <= z * np.sqrt(sp * (1 - sp) / m0):
            return None
        middle = (p + sp - 1) / gap
        shift = -2 * z * z * (1 - middle) * sp * (1 - sp) / m0
        variance = p * (1 - p) / size + (1 - middle) ** 2 * sp * (1 - sp) / m0
        end = middle + shift + sign * z * float(np.sqrt(variance)) / gap
        ends.append(float(np.clip(end, 0.0, 1.0)))
    return ends[1], ends[0]


def _check_counts(*counts: tuple[int, int]) -> None:
    problems = [
        Problem("counts", "lie between 0 and their total", f"{hits} of {total}")
        for hits, total in counts
        if not 0 <= hits <= total
    ]
    if problems or not counts[0][1]:
        raise InvalidInput(problems or Problem("total", "be at least 1", "0"))
