"""The mean from judgements that were drawn stratum by stratum, such as more of flagged answers."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.errors import InvalidInput, Problem
from medassay.stats.combined import Combined, few_judged, t_interval, worth

__all__ = ["stratified_mean"]

_METHOD: Final = "stratified"
_FEWEST: Final = 2

Floats = NDArray[np.float64]


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
    _check(groups, sizes)
    total, n = sum(sizes.values()), judged.size
    empty = [h for h, size in sizes.items() if size and h not in groups]
    if empty or n == 0:
        why = f"no answer of {empty[0] if empty else 'any stratum'} is judged"
        return Combined(_METHOD, None, None, None, n, total, undefined=why)
    weights = {h: sizes[h] / total for h in labels}
    estimate = sum(weights[h] * float(groups[h].mean()) for h in labels)
    open_ = [h for h in labels if groups[h].size < sizes[h]]
    if any(groups[h].size < _FEWEST for h in open_):
        why = "a stratum with one judgement shows no spread"
        return Combined(_METHOD, estimate, None, None, n, total, undefined=why)
    if not open_:
        why = "every answer is judged: the mean of these answers is known"
        return Combined(_METHOD, estimate, 0.0, None, n, total, undefined=why)
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
    interval, why = t_interval(estimate, error, freedom, level, "these answers")
    simple = _simple(groups, weights, n, total)
    like = worth(n, total, error, simple) if interval else None
    no_help = ""
    if like is not None and like <= n:
        no_help = "a simple random sample of as many answers would have as small an error"
    return Combined(
        _METHOD, estimate, error, interval, n, total, None, like, why, no_help, _warn(groups, open_)
    )


def _warn(groups: Mapping[Hashable, Floats], open_: Sequence[Hashable]) -> str:
    lines = [few_judged(groups[h], groups[h].size) for h in open_]
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


def _check(groups: Mapping[Hashable, Floats], sizes: Mapping[Hashable, int]) -> None:
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
