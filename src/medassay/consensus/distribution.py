"""How often each label was given, and how often it is what most raters say."""

from dataclasses import dataclass

import numpy as np

from medassay.consensus.majority import majority_codes
from medassay.judgements import Units

__all__ = ["LabelDistribution", "label_distribution"]


@dataclass(frozen=True, slots=True)
class LabelDistribution:
    """Label counts of one dimension, over judgements and over answers.

    Attributes:
        dimension: The dimension's id.
        mapping: The mapping that the labels were read through; "full" for none.
        labels: The labels, in order.
        judgements: How many judgements gave each label.
        majority: On how many answers each label leads alone.
        ties: On how many answers two labels lead together.
        answers: Answers with at least one label: `majority` and `ties` add up to it.
        unlabelled: Answers that raters looked at without giving a label.
    """

    dimension: str
    mapping: str
    labels: tuple[str, ...]
    judgements: tuple[int, ...]
    majority: tuple[int, ...]
    ties: int
    answers: int
    unlabelled: int


def label_distribution(units: Units) -> LabelDistribution:
    """Count labels over all judgements, and leading labels over all answers.

    Example:
        >>> units = Units.from_codes([[0, 0, 1], [0, 1, -1]], ["no", "yes"])
        >>> counted = label_distribution(units)
        >>> counted.judgements, counted.majority, counted.ties
        ((3, 2), (1, 0), 1)
    """
    labelled = units.with_labels(1)
    codes = majority_codes(labelled)
    leading = np.bincount(codes[codes >= 0], minlength=len(units.labels))
    return LabelDistribution(
        dimension=units.dimension,
        mapping=units.mapping,
        labels=units.labels,
        judgements=tuple(units.counts.sum(axis=0).tolist()),
        majority=tuple(leading.tolist()),
        ties=int(np.count_nonzero(codes < 0)),
        answers=len(labelled),
        unlabelled=len(units) - len(labelled),
    )
