"""Agreement of each pair of raters, on each system's answers, of each rater with themselves."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

import numpy as np

from medassay.agreement.agree import dimensions_of, refuse_adjudication
from medassay.agreement.complete import hangs_on_labels
from medassay.agreement.draws import draw_cases
from medassay.agreement.mean_cohen import rater_pairs
from medassay.agreement.on_units import Agreement, agree_on_units, first_names
from medassay.errors import UnknownName
from medassay.judgements import Judgements, Units, repeat_units, units
from medassay.marks import RaterName, record
from medassay.stats.seeding import Rng, as_generator
from medassay.stats.streams import drawn_seed, stream

__all__ = ["Slice", "Slicing", "agree_by", "slicings"]

Slicing = Literal["pair", "system", "self"]

_OF_TWO: Final = (
    "mean_pairwise",
    "cohen",
    "cohen(weights=linear)",
    "cohen(weights=quadratic)",
    "gwet",
)
_OF_SEVERAL: Final = (*_OF_TWO, "fleiss", "krippendorff", "krippendorff(level=ordinal)")
_DEFAULTS: Final = {"pair": _OF_TWO, "system": _OF_SEVERAL, "self": _OF_TWO}
_EVERYONE: Final = "all raters"


@record(infers=False)
class Slice:
    """One coefficient on one part of the judgements.

    Attributes:
        by: pair: two raters; system: one system's answers; self: one rater, first against repeat;
            phase: calibration items alone, or with the others.
        group: Which part: "r1 and r2", the system, the rater ("all raters" for them pooled), or the
            phases.
        agreement: The coefficient there.
    """

    by: Slicing | Literal["phase"]
    group: RaterName
    agreement: Agreement


def slicings() -> tuple[Slicing, ...]:
    """List what agreement can be taken by."""
    return ("pair", "system", "self")


def agree_by(  # noqa: PLR0913 - each is a choice of its own, and all but two have a default
    judgements: Judgements,
    by: Slicing,
    *,
    dimensions: Sequence[str] | None = None,
    coefficient_names: Sequence[str] | None = None,
    cases: Sequence[str] | None = None,
    clusters: Mapping[str, str] | None = None,
    phases: Sequence[str] | None = None,
    rng: Rng | None = None,
    replicates: int = 1000,
    hushed: bool = False,
) -> list[Slice]:
    """Compute agreement on parts of the judgements: each dimension, each reading of its labels.

    Args:
        judgements: What the raters said, with their rubric.
        by: pair: every two raters who share answers. system: every system. self: every rater who
            judged answers again in the phase repeat, and all of them pooled, first against repeat.
        dimensions: Which dimensions; all that have judgements if not given.
        coefficient_names: Canonical names; those of a short list that fit if not given.
        cases: Only these cases; all if not given.
        clusters: As in `agree`.
        phases: As in `agree`; not read for self, which compares main with repeat.
        rng: Draws the cases for the intervals, for each part anew; without it there are none.
        replicates: How many resamples.
        hushed: As in `agree`.

    Raises:
        InvalidInput: A phase is not known or is adjudication.
        UnknownName: No such slicing, dimension or coefficient.

    Example:
        >>> from medassay.judgements import load_rubric
        >>> said = [("r1", "A", "4"), ("r2", "A", "4"), ("r1", "B", "1"), ("r2", "B", "2")]
        >>> judgements = Judgements.from_rows(
        ...     [{"rater": r, "system": s, "case": "1", "dimension": "quality", "label": label}
        ...      for r, s, label in said],
        ...     load_rubric("likert5"),
        ... )
        >>> for one in agree_by(judgements, "pair", coefficient_names=["mean_pairwise"]):
        ...     print(one.group, one.agreement.mapping, one.agreement.value)
        r1 and r2 full 0.5
        r1 and r2 acceptable 1.0
    """
    rng = as_generator(rng)
    if by not in slicings():
        raise UnknownName("way to take agreement by", by, slicings())
    refuse_adjudication(phases)
    base = None if rng is None else drawn_seed(rng)
    slices = []
    for dimension in dimensions_of(judgements, dimensions):
        hangs: dict[str, str] = {}
        for mapping in ("full", *judgements.rubric.dimension(dimension).mappings):
            for group, part in _parts(judgements, by, dimension, mapping, phases):
                read = part if cases is None else part.of_cases(cases)
                # The labels in full come first, and a mapping never adds a part.
                hangs.setdefault(group, hangs_on_labels(read))
                own = None if base is None else stream(base, "s04", dimension, group)
                usual = first_names(read) if read.of_numbers else _DEFAULTS[by]
                rows = agree_on_units(
                    read,
                    coefficient_names=coefficient_names or usual,
                    only_fitting=coefficient_names is None,
                    draws=draw_cases(read, own, replicates, clusters),
                    hangs=hangs[group],
                    hushed=hushed,
                )
                slices += [Slice(by, group, row) for row in rows]
    return slices


def _parts(
    judgements: Judgements, by: Slicing, dimension: str, mapping: str, phases: Sequence[str] | None
) -> Iterator[tuple[str, Units]]:
    if by == "self":
        yield from _occasions(judgements, dimension, mapping)
        return
    read = units(judgements, dimension, mapping, phases)
    if by == "pair":
        for first, two in sorted(rater_pairs(read)):
            names = (read.raters[first], read.raters[two])
            yield " and ".join(names), read.of_raters(names).with_labels(2)
        return
    systems = np.array([unit.system for unit in read.keys])
    for system in sorted(set(systems.tolist())):
        yield system, read.keep(systems == system)


def _occasions(judgements: Judgements, dimension: str, mapping: str) -> Iterator[tuple[str, Units]]:
    pooled = repeat_units(judgements, dimension, mapping)
    if not len(pooled):
        return
    yield _EVERYONE, pooled
    raters = judgements.in_phases(("repeat",))["rater"].unique().sort().to_list()
    for rater in raters:
        own = repeat_units(judgements, dimension, mapping, rater)
        if len(own):
            yield rater, own
