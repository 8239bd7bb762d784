"""Agreement beyond chance: Cohen, Gwet, Brennan and Prediger, and PABAK."""

import numpy as np
from numpy.typing import NDArray

from medassay.agreement.coefficient import CoefficientDeclaration, Prepared, coefficient
from medassay.agreement.draws import (
    WEIGHTS,
    case_sums,
    disagreement_weights,
    misfit,
    paired_distances,
    pairs_of_units,
    ratio,
    shares_of_disagreement,
    two_labels,
    weighted_costs,
)
from medassay.api_checks import ArrayLike, checked
from medassay.judgements import Units
from medassay.scores import Reason, Unscored


def brennan_prediger_s(
    observed: ArrayLike, labels: int, weights: str = "none"
) -> NDArray[np.float64]:
    """Correct observed agreement for raters who draw each label of the scale equally often.

    S = (pₐ − pₑ) / (1 − pₑ) with pₑ = Σ w / q², which is 1/q without weights.

    Args:
        observed: pₐ, the mean (weighted) share of agreeing pairs of raters; any shape.
        labels: q, the number of labels on the scale, given or not.
        weights: none, linear or quadratic: agreement is 1 − the weighted distance.

    Returns:
        S in the shape of `observed`. 1: all pairs agree. 0: as often as raters who draw labels
        blindly. Below 0: less often; −1/(q − 1) without weights is the least.

    Source:
        Brennan & Prediger (1981), Coefficient kappa: some uses, misuses, and alternatives,
        doi:10.1177/001316448104100307; as Bennett's S: doi:10.1086/266520.

    Example:
        >>> round(float(brennan_prediger_s(0.581, 3)), 4)
        0.3715
    """
    chance = 1 - shares_of_disagreement(labels, weights).mean()
    return np.asarray((np.asarray(observed, dtype=np.float64) - chance) / (1 - chance))


@coefficient(
    CoefficientDeclaration(
        name="brennan_prediger",
        title="Brennan and Prediger's S",
        question="How far do raters agree beyond what drawing each label equally often would give?",
        one="all pairs of raters agree",
        zero="they agree as often as raters who draw every label of the scale equally often",
        below_zero="they agree less often than that",
        undefined="no answer has two labels, or the scale has one label only",
        source="Brennan & Prediger (1981), doi:10.1177/001316448104100307",
        bounds=(-np.inf, 1.0),
        parameters={"weights": WEIGHTS},
        fits=misfit,
        corrects_for_chance=True,
    )
)
def brennan_prediger(units: Units, weights: str = "none", **_: str) -> Prepared | Unscored:
    """Reduce to the mean distance of the pairs of each answer; an answer counts once.

    Labels that nobody gave count: the scale offered them. How often each label was given plays no
    part, so a panel that nearly always says Yes is not marked down for it.

    Example:
        >>> prepared = brennan_prediger(Units.from_codes([[0, 0], [0, 1], [1, 1]], ["no", "yes"]))
        >>> round(float(prepared.at(np.ones((1, 3)))[0]), 3)  # (2/3 - 1/2) / (1 - 1/2)
        0.333
    """
    paired = paired_distances(units, weights)
    if isinstance(paired, Unscored):
        return paired
    used, size, sums = paired

    def at(drawn: NDArray[np.float64]) -> NDArray[np.float64]:
        distance = ratio(drawn @ sums[:, 0], drawn @ sums[:, 1])
        return brennan_prediger_s(1 - distance, size, weights)

    return Prepared(at, used, int(pairs_of_units(used)[1].sum()))


@coefficient(
    CoefficientDeclaration(
        name="pabak",
        title="Prevalence- and bias-adjusted kappa",
        question="What would kappa be if both labels were equally common and no rater leaned?",
        one="all pairs of raters agree",
        zero="half of the pairs agree",
        below_zero="less than half of the pairs agree",
        undefined="no answer has two labels, or the scale has not exactly two labels",
        source="Byrt, Bishop & Carlin (1993), doi:10.1016/0895-4356(93)90018-V",
        fits=two_labels,
        corrects_for_chance=True,
    )
)
def pabak(units: Units, **_: str) -> Prepared | Unscored:
    """Reduce to the mean pairwise agreement: PABAK = 2pₒ − 1.

    Read it with `prevalence` and `bias`, which say how far the real table is from the even one.
    With more than two labels its counterpart is `brennan_prediger`; with more than two raters pₒ is
    the mean over their pairs.

    Example:
        >>> prepared = pabak(Units.from_codes([[0, 0], [0, 1], [1, 1], [1, 1]], ["no", "yes"]))
        >>> float(prepared.at([[1, 1, 1, 1]])[0])  # 2 * 3/4 - 1
        0.5
    """
    return brennan_prediger(units)


@checked
def cohen_kappa(table: ArrayLike, weights: str = "none") -> NDArray[np.float64]:
    """Compute κ = 1 − Σ w·o / Σ w·e from the table of two raters' labels.

    o are the observed counts; e = row total x column total / n are those expected where the two
    raters label independently, each with their own frequencies.

    Args:
        table: Counts, shape (..., labels, labels): rows the one rater, columns the other.
        weights: none, linear or quadratic; see `disagreement_weights`.

    Returns:
        κ in the leading shape. 1: the raters agree on every answer. 0: as often, or as nearly, as
        independent raters would. Below 0: less; the least is −1. NaN where both use one and the
        same label only, because chance alone explains everything.

    Source:
        Cohen (1960), A coefficient of agreement for nominal scales, doi:10.1177/001316446002000104;
        Cohen (1968), Weighted kappa, doi:10.1037/h0026256.

    Example:
        >>> round(float(cohen_kappa([[20, 5], [10, 15]])), 3)  # (0.7 - 0.5) / (1 - 0.5)
        0.4
    """
    counts = np.asarray(table, dtype=np.float64)
    costs = disagreement_weights(counts.shape[-1], weights)
    rows, columns = counts.sum(axis=-1), counts.sum(axis=-2)
    observed = (counts * costs).sum(axis=(-2, -1))
    expected = np.einsum("...i,ij,...j->...", rows, costs, columns)
    return 1 - ratio(observed * counts.sum(axis=(-2, -1)), expected)


def two_raters(units: Units, parameters: dict[str, str]) -> str:
    """Say why a coefficient of two raters is not for these units, or nothing."""
    active = len(np.unique(units.rater))
    if active != 2:  # noqa: PLR2004 - Cohen's kappa is about two raters
        return f"it compares two raters; {active} gave labels"
    return misfit(units, parameters)


@coefficient(
    CoefficientDeclaration(
        name="cohen",
        title="Cohen's kappa",
        question="How far do two raters agree beyond what their own label frequencies would give?",
        one="they agree on every answer, and more than one label occurs",
        zero="they agree as far as independent raters with these frequencies would",
        below_zero="they agree less than that",
        undefined="both use one and the same label only, they share one answer only, or there are "
        "not exactly two raters",
        source="Cohen (1960), doi:10.1177/001316446002000104; Cohen (1968), doi:10.1037/h0026256",
        parameters={"weights": WEIGHTS},
        fits=two_raters,
        corrects_for_chance=True,
        chance_from_labels=True,
    )
)
def cohen(units: Units, weights: str = "none", **_: str) -> Prepared | Unscored:
    """Reduce to the table of two raters' labels, on the answers that both labelled.

    Example:
        >>> units = Units.from_codes([[0, 0], [0, 1], [1, 1], [1, -1]], ["no", "yes"])
        >>> round(float(cohen(units).at(np.ones((1, 3)))[0]), 3)  # (2/3 - 4/9) / (1 - 4/9)
        0.4
    """
    used = units.with_labels(2)
    if not len(used):
        return Unscored(Reason.UNDEFINED, "no answer has labels of two raters")
    if len(used) < 2:  # noqa: PLR2004 - two answers are the fewest that can differ
        return Unscored(Reason.UNDEFINED, "one answer only: one label shows nothing of chance")
    size = len(used.labels)
    # Labels are stored by unit, then by rater: even places are the one rater, odd the other.
    cell = used.code[0::2] * size + used.code[1::2]
    if np.unique(used.code).size < 2:  # noqa: PLR2004 - chance needs two labels
        return Unscored(Reason.UNDEFINED, "only one label was given")
    cells = np.zeros((len(used), size * size))
    cells[np.arange(len(used)), cell] = 1
    sums = case_sums(used, cells)

    def at(drawn: NDArray[np.float64]) -> NDArray[np.float64]:
        return cohen_kappa((drawn @ sums).reshape(-1, size, size), weights)

    return Prepared(at, used, len(used), costs=weighted_costs(size, weights))


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


def gwet_ac(
    observed: ArrayLike, label_shares: ArrayLike, weights: str = "none"
) -> NDArray[np.float64]:
    """Correct observed agreement for guessing, which is likelier the more even the labels are.

    AC = (pₐ − pₑ) / (1 − pₑ) with pₑ = Σ w · Σⱼ πⱼ(1 − πⱼ) / (q(q − 1)), where πⱼ is the share of
    label j and q the number of labels on the scale. Without weights it is AC1, with weights AC2.

    Args:
        observed: pₐ, the mean (weighted) share of agreeing pairs of raters; any shape.
        label_shares: π, or anything proportional to it; the same shape and one axis more.
        weights: none, linear or quadratic: agreement is 1 − the weighted distance.

    Returns:
        AC in the shape of `observed`. 1: all pairs agree. 0: as often as guessing raters would.
        Below 0: less often.

    Source:
        Gwet (2008), Computing inter-rater reliability and its variance in the presence of high
        agreement, doi:10.1348/000711006X126600.

    Example:
        >>> round(float(gwet_ac(0.765, [6941, 844, 615])), 3)
        0.723
    """
    totals = np.asarray(label_shares, dtype=np.float64)
    shares = totals / totals.sum(axis=-1, keepdims=True)
    size = shares.shape[-1]
    agreeing = (1 - shares_of_disagreement(size, weights)).sum()
    chance = agreeing * (shares * (1 - shares)).sum(axis=-1) / (size * (size - 1))
    return ratio(np.asarray(observed, dtype=np.float64) - chance, 1 - chance)


@coefficient(
    CoefficientDeclaration(
        name="gwet",
        title="Gwet's AC",
        question="How far do raters agree beyond guessing, where one label may be far commoner?",
        one="all pairs of raters agree",
        zero="they agree as often as raters who guess would",
        below_zero="they agree less often than that",
        undefined="no answer has two labels, or the scale has one label only",
        source="Gwet (2008), doi:10.1348/000711006X126600; Gwet (2014), Handbook of Inter-Rater "
        "Reliability, 4th edition, for answers with different numbers of labels",
        bounds=(-np.inf, 1.0),
        parameters={"weights": WEIGHTS, "shares": ("all", "paired")},
        fits=misfit,
        variants=lambda _units: [{"weights": weights} for weights in WEIGHTS],
        corrects_for_chance=True,
    )
)
def gwet(units: Units, weights: str = "none", shares: str = "all", **_: str) -> Prepared | Unscored:
    """Reduce to the mean distance of pairs, and to the label shares; an answer counts once.

    Agreement is that of answers with two labels or more. The label shares are those of all answers
    with a label, as published; `gwet(shares=paired)` takes them from the same answers as the
    agreement. When cases are resampled, answers with one label on cases without any pair of labels
    stay as they are.

    Example:
        >>> prepared = gwet(Units.from_codes([[0, 0], [0, 1], [0, 0]], ["no", "yes"]))
        >>> round(float(prepared.at(np.ones((1, 3)))[0]), 3)  # (2/3 - 10/36) / (1 - 10/36)
        0.538
    """
    paired = paired_distances(units, weights)
    if isinstance(paired, Unscored):
        return paired
    used, size, sums = paired
    near, far = (_shares(used), np.zeros(size)) if shares == "paired" else _all(units, used)

    def at(drawn: NDArray[np.float64]) -> NDArray[np.float64]:
        distance = ratio(drawn @ sums[:, 0], drawn @ sums[:, 1])
        return gwet_ac(1 - distance, drawn @ near + far, weights)

    labelled = len(units.with_labels(1))
    note = ""
    if shares == "all" and labelled > len(used):
        note = f"label shares are those of all {labelled} answers with a label"
    return Prepared(at, used, int(pairs_of_units(used)[1].sum()), note)


def _shares(units: Units) -> NDArray[np.float64]:
    """Sum the label shares of the answers of each case."""
    return case_sums(units, units.counts / units.counts.sum(axis=1, keepdims=True))


def _all(units: Units, used: Units) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sum label shares in each case that holds a pair, and over all the other cases."""
    labelled = units.with_labels(1)
    sums = _shares(labelled)
    paired = np.isin(np.array(labelled.cases), np.array(used.cases))
    return sums[paired], sums[~paired].sum(axis=0)
