"""How much the rule for ties moves the means of a majority vote."""

import numpy as np

from medassay.consensus.majority import TIES, majority, majority_codes
from medassay.judgements import Units
from medassay.marks import DesignName, SystemName, record
from medassay.scores import Score

__all__ = ["TieMeans", "TieSensitivity", "tie_sensitivity"]


@record(infers=False)
class TieMeans:
    """One system's mean by majority, under each rule for ties; None where it has no value.

    Attributes:
        system: The system.
        unscored: A tie has no score.
        lower: The lowest of the labels that lead together.
        median: The median of all labels of the answer.
    """

    system: SystemName
    unscored: float | None
    lower: float | None
    median: float | None


@record(infers=True)
class TieSensitivity:
    """How much the rule for ties moves the means of a majority vote.

    Attributes:
        dimension: The dimension.
        answers: Answers with a label.
        ties: Answers where labels lead together.
        means: Of each system, sorted by its name.
        largest: The largest distance between two rules' means of one system; None without any.
    """

    dimension: DesignName
    answers: int
    ties: int
    largest: float | None
    means: tuple[TieMeans, ...]


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
        >>> [(one.system, one.unscored, one.lower, one.median) for one in found.means]
        [('A', 2.0, 1.0, 1.5), ('B', 1.0, 1.0, 1.0)]
        >>> found.ties, found.largest
        (1, 1.0)
    """
    labelled = units.with_labels(1)
    systems = tuple(sorted({unit.system for unit in units.keys}))
    means = {rule: _means(labelled, systems, rule) for rule in TIES}
    columns = list(zip(*means.values(), strict=True))
    gaps = [
        max(known) - min(known)
        for column in columns
        if len(known := [value for value in column if value is not None]) > 1
    ]
    return TieSensitivity(
        dimension=units.dimension,
        answers=len(labelled),
        ties=int(np.count_nonzero(majority_codes(labelled) < 0)),
        largest=max(gaps, default=None),
        means=tuple(
            TieMeans(system, **dict(zip(means, column, strict=True)))
            for system, column in zip(systems, columns, strict=True)
        ),
    )


def _means(labelled: Units, systems: tuple[str, ...], rule: str) -> tuple[float | None, ...]:
    values: dict[str, list[float]] = {system: [] for system in systems}
    for (system, *_), score in zip(labelled.keys, majority(labelled, ties=rule), strict=True):
        if isinstance(score, Score):
            values[system].append(score.value)
    return tuple(sum(own) / len(own) if own else None for own in values.values())
