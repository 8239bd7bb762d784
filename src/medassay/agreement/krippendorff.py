"""Krippendorff's alpha: agreement of any number of raters, with holes, on any scale."""

from functools import cache, partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from medassay.agreement.coefficient import CoefficientDeclaration, Prepared, coefficient
from medassay.agreement.draws import case_sums, ratio
from medassay.api_checks import ArrayLike
from medassay.judgements import Units
from medassay.scores import Reason, Unscored

_BLOCK: Final = 16_384
_LEVELS: Final = ("nominal", "ordinal", "interval")


def krippendorff_alpha(
    coincidences: ArrayLike, level: str = "nominal", scores: ArrayLike | None = None
) -> NDArray[np.float64]:
    """Compute α = 1 − Dₒ / Dₑ from the coincidences of labels.

    Dₒ = Σ oⱼₖ δ²ⱼₖ / n and Dₑ = Σ nⱼ nₖ δ²ⱼₖ / n(n − 1), where oⱼₖ counts the pairs of labels j, k
    given to one answer (each answer's pairs weigh 1/(m − 1), with m its labels), nⱼ = Σₖ oⱼₖ and
    n = Σ nⱼ. δ² is 1 between different labels (nominal), (vⱼ − vₖ)² of their scores (interval), or
    the squared number of labels given between the two, the ends counting half (ordinal).

    Args:
        coincidences: o, symmetric, shape (..., labels, labels), labels in the order of the scale.
        level: nominal, ordinal or interval.
        scores: v, one a label; only read for interval.

    Returns:
        α in the leading shape. 1: no disagreement. 0: as much as if labels were dealt out to the
        answers at random. Below 0: more; −1 is the least. NaN where only one label occurs.

    Source:
        Krippendorff (2011), Computing Krippendorff's alpha-reliability,
        https://repository.upenn.edu/asc_papers/43; Hayes & Krippendorff (2007),
        doi:10.1080/19312450709336664.

    Example:
        >>> alpha = krippendorff_alpha([[4, 1], [1, 2]])  # 1 - 2 * 7 / (2 * 5 * 3)
        >>> round(float(alpha), 3)
        0.533
    """
    pairs = np.asarray(coincidences, dtype=np.float64)
    totals = pairs.sum(axis=-1)
    apart = _distances(totals, level, scores)
    observed = (pairs * apart).sum(axis=(-2, -1))
    expected = np.einsum("...j,...jk,...k->...", totals, apart, totals)
    return 1 - ratio((totals.sum(axis=-1) - 1) * observed, expected)


def coincidences(counts: ArrayLike) -> NDArray[np.float64]:
    """Count which labels meet on one unit: oⱼₖ = Σᵤ nᵤⱼ(nᵤₖ − [j = k]) / (mᵤ − 1).

    Args:
        counts: How often each unit was given each label, shape (units, labels); at least two labels
            a unit.

    Returns:
        o, shape (labels, labels), symmetric; its rows sum to how often each label was given.

    Example:
        >>> coincidences([[2, 0], [2, 0], [1, 1], [0, 2]]).tolist()
        [[4.0, 1.0], [1.0, 2.0]]
    """
    unit_counts = np.asarray(counts)
    pairs = np.zeros((unit_counts.shape[1], unit_counts.shape[1]))
    # Block by block: a second table of this size would cost more than all the rest.
    for start in range(0, len(unit_counts), _BLOCK):
        block = unit_counts[start : start + _BLOCK].astype(np.float64)
        shared = block / (block.sum(axis=1) - 1)[:, None]
        pairs += shared.T @ block
        pairs -= np.diag(shared.sum(axis=0))
    return pairs


def _distances(
    totals: NDArray[np.float64], level: str, scores: ArrayLike | None
) -> NDArray[np.float64]:
    """Give δ², shape (..., labels, labels)."""
    if level == "nominal":
        return 1 - np.eye(totals.shape[-1])
    # The labels given between j and k, the ends counting half, are a difference of mid-ranks.
    place = (
        np.cumsum(totals, axis=-1) - totals / 2
        if level == "ordinal"
        else np.asarray(scores, dtype=np.float64)
    )
    return (place[..., :, None] - place[..., None, :]) ** 2


def _misfit(units: Units, parameters: dict[str, str]) -> str:
    level = parameters.get("level", "nominal")
    if units.of_numbers and level != "interval":
        return "raters gave numbers, whose differences level=interval reads"
    if level != "nominal" and units.scale == "nominal":
        return f"the labels {', '.join(units.labels)} have no order"
    if level == "interval" and units.scores is None:
        return f"the labels {', '.join(units.labels)} have no scores"
    return ""


def _variants(units: Units) -> list[dict[str, str]]:
    """List every level up to that of the scale; of numbers the interval alone."""
    if units.of_numbers:
        return [{"level": "interval"}]
    return [{"level": level} for level in _LEVELS[: _LEVELS.index(units.scale) + 1]]


@coefficient(
    CoefficientDeclaration(
        name="krippendorff",
        title="Krippendorff's alpha",
        question="How far do raters agree beyond chance, whoever rated what, on this scale?",
        one="no two raters of an answer differ",
        zero="they differ as much as if the labels were dealt out to the answers at random",
        below_zero="they differ more than that",
        undefined="only one label was given",
        source="Hayes & Krippendorff (2007), doi:10.1080/19312450709336664",
        parameters={"level": _LEVELS},
        fits=_misfit,
        variants=_variants,
        corrects_for_chance=True,
        chance_from_labels=True,
        numbers=True,
    )
)
def krippendorff(units: Units, level: str = "nominal", **_: str) -> Prepared | Unscored:
    """Reduce to the coincidences of labels in each case.

    An answer with one label has nothing to coincide with and is left out. Every label counts once,
    so an answer with more labels counts more.

    Example:
        >>> units = Units.from_codes([[0, 0], [0, 0], [0, 1], [1, 1]], ["no", "yes"])
        >>> round(float(krippendorff(units).at(np.ones((1, 4)))[0]), 3)
        0.533
    """
    used = units.with_labels(2)
    if not len(used):
        return Unscored(Reason.UNDEFINED, "no answer has labels of two raters")
    if np.count_nonzero(np.bincount(used.code)) < 2:  # noqa: PLR2004 - chance needs two labels
        return Unscored(Reason.UNDEFINED, "only one label was given")
    if used.of_numbers and used.scores is not None:
        return _of_numbers(used, used.scores)
    size, scores = len(used.labels), used.scores
    upper, lower = np.tril_indices(size)
    # Without resampling nobody needs the coincidences of each case.
    of_cases = cache(partial(_case_coincidences, used))

    def at(drawn: NDArray[np.float64]) -> NDArray[np.float64]:
        pairs = np.empty((len(drawn), size, size))
        pairs[:, upper, lower] = pairs[:, lower, upper] = drawn @ of_cases()
        return krippendorff_alpha(pairs, level, scores)

    value = float(krippendorff_alpha(coincidences(used.counts), level, scores))
    pairs = int((used.sizes * (used.sizes - 1)).sum() // 2)
    return Prepared(at, used, pairs, value=value, costs=_costs(used, level))


def _of_numbers(units: Units, scores: NDArray[np.float64]) -> Prepared:
    """Reduce interval alpha to sums of numbers and of their squares: no table of labels by labels.

    Dₒ = Σᵤ 2 (mᵤ Σv² − (Σv)²) / (mᵤ − 1) / n and Dₑ = 2 (n Σv² − (Σv)²) / n(n − 1).
    """
    value = (scores - scores.mean())[units.code]
    of_unit = [
        np.bincount(units.unit, weights=weights, minlength=len(units))
        for weights in (value, value**2)
    ]
    total, squares = of_unit
    m = units.sizes.astype(np.float64)
    apart = 2 * (m * squares - total**2) / (m - 1)
    sums = case_sums(units, np.stack([m, total, squares, apart], axis=1))

    def at(drawn: NDArray[np.float64]) -> NDArray[np.float64]:
        n, added, squared, observed = (drawn @ sums).T
        return 1 - ratio((n - 1) * observed, 2 * (n * squared - added**2))

    pairs = int((units.sizes * (units.sizes - 1)).sum() // 2)
    return Prepared(at, units, pairs)


def _costs(units: Units, level: str) -> NDArray[np.float64] | None:
    """Give δ² as shares of the largest, or nothing where every difference counts as one."""
    if level == "nominal":
        return None
    apart = _distances(units.counts.sum(axis=0).astype(np.float64), level, units.scores)
    largest = float(apart.max())
    return apart / largest if largest > 0 else apart


def _case_coincidences(units: Units) -> NDArray[np.float64]:
    """Sum coincidences in each case; one half of the symmetric table, by rows."""
    counts, case, cases = units.counts, units.case, len(units.cases)
    share = 1 / (units.sizes - 1.0)
    rows, columns = np.tril_indices(counts.shape[1])
    sums = np.empty((cases, len(rows)))
    for place, (j, k) in enumerate(zip(rows, columns, strict=True)):
        together = counts[:, j] * (counts[:, k] - (j == k)) * share
        sums[:, place] = np.bincount(case, weights=together, minlength=cases)
    return sums
