"""Plain shares: how often raters gave the same label, how common labels are, and who leans."""

import numpy as np
from numpy.typing import NDArray

from medassay.agreement.coefficient import CoefficientDeclaration, Prepared, coefficient
from medassay.agreement.draws import case_sums, pairs_of_units, ratio, two_labels
from medassay.agreement.kappas import two_raters
from medassay.errors import nearest
from medassay.judgements import Units
from medassay.scores import Reason, Unscored


@coefficient(
    CoefficientDeclaration(
        name="commonest",
        title="Share of the commonest label",
        question="What share of the labels is the one that was given most often?",
        one="only one label was given",
        zero="cannot occur",
        below_zero="cannot occur",
        undefined="no answer has two labels",
        source="a plain proportion; it is no agreement",
        bounds=(0.0, 1.0),
    )
)
def commonest(units: Units, **_: str) -> Prepared | Unscored:
    """Reduce to how many labels there are, and how many are the commonest.

    It is no agreement. The larger it is, the more often raters agree by chance.

    Example:
        >>> prepared = commonest(Units.from_codes([[0, 0], [0, 1]], ["no", "yes"]))
        >>> float(prepared.at(np.ones((1, 2)))[0])
        0.75
    """
    used = units.with_labels(2)
    if not len(used):
        return Unscored(Reason.UNDEFINED, "no answer has labels of two raters")
    most = int(np.argmax(used.counts.sum(axis=0)))
    sums = case_sums(used, np.column_stack([used.counts[:, most], used.sizes]).astype(np.float64))
    pairs = int((used.sizes * (used.sizes - 1)).sum() // 2)

    def at(drawn: NDArray[np.float64]) -> NDArray[np.float64]:
        return ratio(drawn @ sums[:, 0], drawn @ sums[:, 1])

    return Prepared(at, used, pairs)


@coefficient(
    CoefficientDeclaration(
        name="mean_pairwise",
        title="Mean pairwise agreement",
        question="What share of the pairs of raters of an answer agree, on the average answer?",
        one="all pairs agree",
        zero="no pair agrees",
        below_zero="cannot occur",
        undefined="no answer has two labels",
        source="observed agreement in Fleiss (1971), doi:10.1037/h0031619",
        bounds=(0.0, 1.0),
    )
)
def mean_pairwise(units: Units, **_: str) -> Prepared | Unscored:
    """Reduce to the mean over answers of the share of their pairs of raters that agree.

    An answer counts once however many raters it has; answers with fewer than two labels are left
    out.

    Example:
        >>> prepared = mean_pairwise(Units.from_codes([[0, 0, 1], [1, 1, -1]], ["no", "yes"]))
        >>> round(float(prepared.at(np.ones((1, 2)))[0]), 3)  # (1/3 + 1) / 2
        0.667
    """
    used = units.with_labels(2)
    if not len(used):
        return Unscored(Reason.UNDEFINED, "no answer has labels of two raters")
    agreeing, pairs = pairs_of_units(used)
    sums = case_sums(used, np.column_stack([agreeing / pairs, np.ones(len(used))]))

    def at(weights: NDArray[np.float64]) -> NDArray[np.float64]:
        return ratio(weights @ sums[:, 0], weights @ sums[:, 1])

    return Prepared(at, used, int(pairs.sum()))


@coefficient(
    CoefficientDeclaration(
        name="unanimous",
        title="Unanimous",
        question="On what share of the answers did all their raters give the same label?",
        one="all raters agree on every answer",
        zero="at least one rater differs on every answer",
        below_zero="cannot occur",
        undefined="no answer has two labels",
        source="a plain proportion",
        bounds=(0.0, 1.0),
    )
)
def unanimous(units: Units, **_: str) -> Prepared | Unscored:
    """Reduce to the share of unanimous answers, among those with at least two labels.

    More raters are less often unanimous by chance alone: compare it only between panels of one
    size.

    Example:
        >>> prepared = unanimous(Units.from_codes([[0, 0], [0, 1], [1, -1]], ["no", "yes"]))
        >>> float(prepared.at(np.ones((1, 2)))[0])
        0.5
    """
    used = units.with_labels(2)
    if not len(used):
        return Unscored(Reason.UNDEFINED, "no answer has labels of two raters")
    agreeing, pairs = pairs_of_units(used)
    same = (agreeing == pairs).astype(np.float64)
    sums = case_sums(used, np.column_stack([same, np.ones(len(used))]))

    def at(weights: NDArray[np.float64]) -> NDArray[np.float64]:
        return ratio(weights @ sums[:, 0], weights @ sums[:, 1])

    return Prepared(at, used, int(pairs.sum()))


def _label_misfit(units: Units, parameters: dict[str, str]) -> str:
    label = parameters["label"]
    if label not in units.labels:
        hint = nearest(label, units.labels) or f"the labels are {', '.join(units.labels)}"
        return f'the scale has no label "{label}": {hint}'
    return ""


@coefficient(
    CoefficientDeclaration(
        name="specific",
        title="Specific agreement",
        question="When one rater gives this label, how often does another rater give it too?",
        one="whoever gives the label, the other raters of the answer give it too",
        zero="no two raters ever give the label to one answer",
        below_zero="cannot occur",
        undefined="no answer with two labels has this one",
        source="Cicchetti & Feinstein (1990), doi:10.1016/0895-4356(90)90159-M; for more than two "
        "raters: Uebersax (1982), doi:10.1177/001316448204200103",
        bounds=(0.0, 1.0),
        words=("label",),
        fits=_label_misfit,
        variants=lambda units: [{"label": label} for label in units.labels],
    )
)
def specific(units: Units, label: str = "", **_: str) -> Prepared | Unscored:
    """Reduce to Σ nⱼ(nⱼ − 1) / Σ nⱼ(n − 1): the pairs that agree on a label, among those with it.

    With two raters it is 2a / (2a + b + c). For a rare label, such as a harmful one, it is the
    number to read: overall agreement is made by the common labels.

    Example:
        >>> units = Units.from_codes([[0, 0], [0, 1], [1, 1], [1, 1]], ["harmful", "not harmful"])
        >>> prepared = specific(units, label="harmful")
        >>> round(float(prepared.at(np.ones((1, 4)))[0]), 3)  # 2 * 1 / (2 * 1 + 1)
        0.667
    """
    used = units.with_labels(2)
    if not len(used):
        return Unscored(Reason.UNDEFINED, "no answer has labels of two raters")
    on_label = used.counts[:, used.labels.index(label)].astype(np.float64)
    if not on_label.any():
        return Unscored(Reason.UNDEFINED, f'nobody gave "{label}" where two raters gave labels')
    others = used.counts.sum(axis=1) - 1
    sums = case_sums(used, np.column_stack([on_label * (on_label - 1), on_label * others]))

    def at(drawn: NDArray[np.float64]) -> NDArray[np.float64]:
        return ratio(drawn @ sums[:, 0], drawn @ sums[:, 1])

    return Prepared(
        at, used, int((on_label * (on_label - 1) / 2 + on_label * (others + 1 - on_label)).sum())
    )


@coefficient(
    CoefficientDeclaration(
        name="prevalence",
        title="Prevalence index",
        question="How much commoner is one label than the other, where raters agree?",
        one="all pairs of raters agree on one and the same label",
        zero="pairs agree on either label equally often: prevalence does not lower kappa",
        below_zero="cannot occur",
        undefined="no answer has two labels, or the scale has not exactly two labels",
        source="Byrt, Bishop & Carlin (1993), doi:10.1016/0895-4356(93)90018-V",
        bounds=(0.0, 1.0),
        fits=two_labels,
    )
)
def prevalence(units: Units, **_: str) -> Prepared | Unscored:
    """Reduce to the shares of pairs that agree on either label: |a − d| / n, without sign.

    It is no agreement. It says how far kappa is held down because one label is rare.

    Example:
        >>> prepared = prevalence(Units.from_codes([[0, 0], [0, 1], [1, 1], [1, 1]], ["n", "y"]))
        >>> float(prepared.at(np.ones((1, 4)))[0])  # |1 - 2| / 4
        0.25
    """
    used = units.with_labels(2)
    if not len(used):
        return Unscored(Reason.UNDEFINED, "no answer has labels of two raters")
    pairs = pairs_of_units(used)[1]
    both = used.counts * (used.counts - 1) / 2 / pairs[:, None]
    sums = case_sums(used, np.column_stack([both[:, 0] - both[:, 1], np.ones(len(used))]))

    def at(drawn: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.abs(ratio(drawn @ sums[:, 0], drawn @ sums[:, 1]))

    return Prepared(at, used, int(pairs.sum()), without_sign=True)


def _bias_misfit(units: Units, parameters: dict[str, str]) -> str:
    return two_labels(units, parameters) or two_raters(units, {})


@coefficient(
    CoefficientDeclaration(
        name="bias",
        title="Bias index",
        question="How much more often does one rater give a label than the other rater does?",
        one="one rater always gives the one label, the other rater the other",
        zero="both give each label equally often: bias does not raise kappa",
        below_zero="cannot occur",
        undefined="there are not exactly two raters and two labels, or no answer has both",
        source="Byrt, Bishop & Carlin (1993), doi:10.1016/0895-4356(93)90018-V",
        bounds=(0.0, 1.0),
        fits=_bias_misfit,
    )
)
def bias(units: Units, **_: str) -> Prepared | Unscored:
    """Reduce to the difference of the two raters' label shares: |b − c| / n, without sign.

    Example:
        >>> prepared = bias(Units.from_codes([[0, 0], [0, 1], [0, 1], [1, 0]], ["no", "yes"]))
        >>> float(prepared.at(np.ones((1, 4)))[0])  # |2 - 1| / 4
        0.25
    """
    used = units.with_labels(2)
    if not len(used):
        return Unscored(Reason.UNDEFINED, "no answer has labels of two raters")
    # Labels are stored by unit, then by rater: even places are the one rater, odd the other.
    leaning = (used.code[0::2] - used.code[1::2]).astype(np.float64)
    sums = case_sums(used, np.column_stack([leaning, np.ones(len(used))]))

    def at(drawn: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.abs(ratio(drawn @ sums[:, 0], drawn @ sums[:, 1]))

    return Prepared(at, used, len(used), without_sign=True)
