"""Specific agreement: of the answers that get a label, how surely it is given again."""

import numpy as np
from numpy.typing import NDArray

from medassay.agreement.coefficient import CoefficientDeclaration, Prepared, coefficient
from medassay.agreement.sums import case_sums, ratio
from medassay.errors import nearest
from medassay.judgements import Units
from medassay.scores import Reason, Unscored

__all__ = ["specific"]


def _misfit(units: Units, parameters: dict[str, str]) -> str:
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
        fits=_misfit,
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
