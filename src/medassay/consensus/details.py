"""What stands beside a consensus: doubt, quality of raters, labels as given, the rule for ties."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from medassay.annotations import DesignName, RaterName, SystemName, Words, record
from medassay.consensus.by_answer import TIES, majority, majority_codes
from medassay.consensus.consensus import join_units, stream_of
from medassay.consensus.method import Joined, KnownToModel, find_method, title_of
from medassay.judgements import Judgements, Units, units
from medassay.scores import Score
from medassay.stats.randomness import Rng, as_generator, drawn_seed


@record(infers=True)
class RaterQuality:
    """What one aggregation method says of one rater.

    Attributes:
        dimension: What was judged.
        method: The way's canonical name.
        title: What a table calls it.
        meaning: What the number is, with its range.
        rater: The rater.
        quality: The number; None where nothing tells.
        n: Labels of the rater.
    """

    dimension: DesignName
    method: DesignName
    title: Words
    meaning: Words
    rater: RaterName
    quality: float | None
    n: int


@dataclass(frozen=True, slots=True, eq=False)
class ConsensusDetails:
    """All that one method makes of one dimension.

    Attributes:
        method: Its canonical name.
        title: What a table calls it.
        meaning: What the quality of a rater is under this method, with its range.
        units: The answers that have a label, in the order of `joined`.
        joined: Scores, uncertainty, quality and labels.
    """

    method: str
    title: str
    meaning: str
    units: Units
    joined: Joined


def consensus_details(
    judgements: Judgements,
    methods: Sequence[str],
    *,
    phases: Sequence[str] | None = None,
    given: Mapping[str, KnownToModel] | None = None,
    rng: Rng,
    hushed: bool = False,
) -> list[ConsensusDetails]:
    """How sure is each method of each answer, and what does it make of each rater?

    With an `rng` in the same state the fits are those that `consensus` scores with.

    Args:
        judgements: What the raters said.
        methods: Canonical names.
        phases: Which phases to read; those that count if not given.
        given: As for `consensus`.
        rng: One number is drawn from it, which seeds every fit.
        hushed: As for `consensus`.

    Returns:
        One for each dimension that was judged, in the rubric's order, and each method.

    Example:
        >>> from medassay.judgements import load_rubric
        >>> said = [("r1", "4"), ("r2", "4"), ("r3", "5")]
        >>> judgements = Judgements.from_rows(
        ...     [{"rater": r, "system": "A", "case": "1", "dimension": "quality", "label": label}
        ...      for r, label in said],
        ...     load_rubric("likert5"),
        ... )
        >>> (one,) = consensus_details(judgements, ["majority"], rng=1)
        >>> one.joined.quality, round(one.joined.uncertainty[0], 2)
        ((None, None, 0.0), 0.64)
    """
    rng = as_generator(rng)
    seed = drawn_seed(rng)
    judged = set(judgements.frame["dimension"])
    consensuses = []
    for dimension in (
        dimension_id for dimension_id in judgements.rubric.ids if dimension_id in judged
    ):
        read = units(judgements, dimension, phases=phases)
        for method in methods:
            declared, name = find_method(method, hushed=hushed)
            rng_of = stream_of(seed, dimension, "full")
            given_here = (given or {}).get(dimension)
            labelled, joined = join_units(read, method, rng=rng_of, given=given_here, hushed=hushed)
            consensuses.append(
                ConsensusDetails(
                    method=str(name),
                    title=title_of(method, hushed=hushed),
                    meaning=declared.declared.quality,
                    units=labelled,
                    joined=joined,
                )
            )
    return consensuses


def rater_qualities(details: Sequence[ConsensusDetails]) -> list[RaterQuality]:
    """Say of each rater what each aggregation method makes of them; of numbers there is none."""
    return [
        RaterQuality(
            dimension=consensus.units.dimension,
            method=consensus.method,
            title=consensus.title,
            meaning=consensus.meaning,
            rater=rater,
            quality=quality,
            n=int((consensus.units.rater == place).sum()),
        )
        for consensus in details
        if not consensus.units.of_numbers
        for place, (rater, quality) in enumerate(
            zip(consensus.units.raters, consensus.joined.quality, strict=True)
        )
    ]


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
