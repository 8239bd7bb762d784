"""The mean of Cohen's kappa over all pairs of raters."""

import numpy as np
from numpy.typing import NDArray

from medassay.agreement.coefficient import CoefficientDeclaration, Prepared, coefficient
from medassay.agreement.cohen import cohen_kappa
from medassay.agreement.sums import WEIGHTS, misfit, weighted_costs
from medassay.judgements import Units
from medassay.scores import Reason, Unscored

__all__ = ["mean_cohen", "rater_pairs"]


def rater_pairs(
    units: Units,
) -> dict[tuple[int, int], tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]]:
    """For each two raters who share answers: the units, the first's codes, the second's codes.

    Time and memory grow with the pairs of labels, not with the square of the raters.

    Example:
        >>> pairs = rater_pairs(Units.from_codes([[0, 1, -1], [1, 1, 0]], ["no", "yes"]))
        >>> {pair: shared[0].tolist() for pair, shared in pairs.items()}
        {(0, 1): [0, 1], (0, 2): [1], (1, 2): [1]}
    """
    sizes = np.bincount(units.unit, minlength=len(units))
    start = np.concatenate([[0], np.cumsum(sizes)])[:-1]
    firsts, seconds = [], []
    for size in np.unique(sizes[sizes > 1]):
        left, right = np.triu_indices(size, k=1)
        begin = start[sizes == size][:, None]
        firsts.append((begin + left).ravel())
        seconds.append((begin + right).ravel())
    if not firsts:
        return {}
    first, second = np.concatenate(firsts), np.concatenate(seconds)
    pair = units.rater[first] * len(units.raters) + units.rater[second]
    order = np.lexsort((units.unit[first], pair))
    first, second, pair = first[order], second[order], pair[order]
    cuts = np.flatnonzero(np.diff(pair)) + 1
    return {
        (int(units.rater[mine[0]]), int(units.rater[two[0]])): (
            units.unit[mine],
            units.code[mine],
            units.code[two],
        )
        for mine, two in zip(np.split(first, cuts), np.split(second, cuts), strict=True)
    }


def _several_raters(units: Units, parameters: dict[str, str]) -> str:
    active = len(np.unique(units.rater))
    if active <= 2:  # noqa: PLR2004 - with two raters it would be Cohen's kappa under another name
        return f"it is a mean over pairs of raters; {active} gave labels"
    return misfit(units, parameters)


@coefficient(
    CoefficientDeclaration(
        name="mean_cohen",
        title="Mean of Cohen's kappa over rater pairs",
        question="How far do two raters of the panel agree beyond chance, on the average pair?",
        one="every pair agrees on every answer that both labelled",
        zero="the average pair agrees as far as independent raters would",
        below_zero="the average pair agrees less than that",
        undefined="no pair of raters shares answers on which they use two labels",
        source="Light (1971), doi:10.1037/h0031643, where all raters label all answers",
        parameters={"weights": WEIGHTS},
        fits=_several_raters,
        corrects_for_chance=True,
        chance_from_labels=True,
    )
)
def mean_cohen(units: Units, weights: str = "none", **_: str) -> Prepared | Unscored:
    """Reduce to one table of labels for each pair of raters; each pair with a value counts once.

    This is not Cohen's kappa, which is about two raters, but a mean of such kappas. Pairs without a
    value (fewer than two answers in common, one label only) are left out of the mean. Where raters
    share few answers each kappa is noisy and too low, and so is their mean: look at the pairs of
    labels. Resampling cases then lowers it once more, and there is a reason instead of an interval.

    Example:
        >>> units = Units.from_codes([[0, 0, 0], [0, 1, 1], [1, 1, 1]], ["no", "yes"])
        >>> round(float(mean_cohen(units).at(np.ones((1, 3)))[0]), 3)  # (0.4 + 0.4 + 1) / 3
        0.6
    """
    used = units.with_labels(2)
    sharing = rater_pairs(used)
    if not sharing:
        return Unscored(Reason.UNDEFINED, "no answer has labels of two raters")
    # On one answer kappa is 0 where two raters differ and has no value where they agree: such pairs
    # would only ever pull the mean down.
    pairs = {pair: shared for pair, shared in sharing.items() if len(shared[0]) > 1}
    if not pairs:
        return Unscored(Reason.UNDEFINED, "no two raters share two answers")
    size = len(used.labels)

    def tables(
        drawn: NDArray[np.float64], shared: tuple[NDArray[np.int64], ...]
    ) -> NDArray[np.float64]:
        unit, first_code, two = shared
        cases, place = np.unique(used.case[unit], return_inverse=True)
        sums = np.zeros((len(cases), size * size))
        np.add.at(sums, (place, first_code * size + two), 1)
        return (drawn[:, cases] @ sums).reshape(-1, size, size)

    def at(drawn: NDArray[np.float64]) -> NDArray[np.float64]:
        total, defined = np.zeros(len(drawn)), np.zeros(len(drawn))
        for shared in pairs.values():
            kappa = cohen_kappa(tables(drawn, shared), weights)
            has_value = np.isfinite(kappa)
            total += np.where(has_value, kappa, 0.0)
            defined += has_value
        return np.where(defined > 0, total / np.maximum(defined, 1), np.nan)

    shared_by = [len(unit) for unit, _, _ in pairs.values()]
    note = _uneven(shared_by, len(used.raters))
    return Prepared(
        at, used, sum(shared_by), note, costs=weighted_costs(size, weights), mean_of_pairs=True
    )


def _uneven(shared_by: list[int], raters: int) -> str:
    """Say whose agreement the mean is, where not every pair of raters shares as many answers."""
    of, least, most = raters * (raters - 1) // 2, min(shared_by), max(shared_by)
    if len(shared_by) == of and least == most:
        return ""
    return (
        f"each of the {len(shared_by)} of {of} pairs of raters who share answers counts alike, "
        f"though they share {least} to {most}"
    )
