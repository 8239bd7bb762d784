"""What a consensus says beside its scores: doubt about each answer, quality of each rater."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from medassay.consensus.consensus import join_units, stream_of
from medassay.consensus.given import Given
from medassay.consensus.method import Joined
from medassay.consensus.registry import find_method, title_of
from medassay.judgements import Judgements, Units, units
from medassay.marks import DesignName, RaterName, Words, record
from medassay.stats.randomness import Rng, as_generator, drawn_seed

__all__ = ["ConsensusDetails", "RaterQuality", "consensus_details", "rater_qualities"]


@record(infers=True)
class RaterQuality:
    """What one way of joining labels says of one rater.

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
    given: Mapping[str, Given] | None = None,
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
    """Say of each rater what each way of joining labels makes of them; of numbers there is none."""
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
