"""How much the rule for ties moves the means of a majority vote."""

from dataclasses import dataclass

import numpy as np

from medassay.consensus.majority import TIES, majority, majority_codes
from medassay.judgements import Units
from medassay.scores import Score

__all__ = ["TieSensitivity", "tie_sensitivity"]


@dataclass(frozen=True, slots=True)
class TieSensitivity:
    """The means of each system by majority, under each rule for ties.

    Attributes:
        dimension: The dimension.
        answers: Answers with a label.
        ties: Answers where labels lead together.
        systems: The systems, sorted.
        means: For each rule of `TIES` the mean of each system; None where it has no value.
        largest: The largest distance between two rules' means of one system; None without any.
    """

    dimension: str
    answers: int
    ties: int
    systems: tuple[str, ...]
    means: dict[str, tuple[float | None, ...]]
    largest: float | None


def tie_sensitivity(units: Units) -> TieSensitivity:
    """Would another rule for ties give the systems other means?

    The rules: a tie has no score; the lowest of the labels that lead together; the median of all
    labels of the answer.

    Example:
        >>> keys = [("A", "1"), ("A", "2"), ("B", "1")]
        >>> table = [[0, 2, -1], [2, 2, 0], [1, 1, 1]]
        >>> found = tie_sensitivity(
        ...     Units.from_codes(table, ["no", "part", "yes"], keys=keys, scores=[0, 1, 2])
        ... )
        >>> found.means["unscored"], found.means["lower"], found.means["median"]
        ((2.0, 1.0), (1.0, 1.0), (1.5, 1.0))
        >>> found.ties, found.largest
        (1, 1.0)
    """
    labelled = units.with_labels(1)
    systems = tuple(sorted({system for system, _ in units.keys}))
    means = {rule: _means(labelled, systems, rule) for rule in TIES}
    gaps = [
        max(known) - min(known)
        for column in zip(*means.values(), strict=True)
        if len(known := [value for value in column if value is not None]) > 1
    ]
    return TieSensitivity(
        dimension=units.dimension,
        answers=len(labelled),
        ties=int(np.count_nonzero(majority_codes(labelled) < 0)),
        systems=systems,
        means=means,
        largest=max(gaps, default=None),
    )


def _means(labelled: Units, systems: tuple[str, ...], rule: str) -> tuple[float | None, ...]:
    values: dict[str, list[float]] = {system: [] for system in systems}
    for (system, _), score in zip(labelled.keys, majority(labelled, ties=rule), strict=True):
        if isinstance(score, Score):
            values[system].append(score.value)
    return tuple(sum(own) / len(own) if own else None for own in values.values())
