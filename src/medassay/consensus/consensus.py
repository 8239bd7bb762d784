"""What the raters jointly say, as a score table like any metric's."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from medassay.consensus.given import Given
from medassay.consensus.method import Joined
from medassay.consensus.registry import find_method
from medassay.judgements import Judgements, Units, units
from medassay.scores import UNIT, Name, Reason, Score, ScoreTable, Unit, Unscored
from medassay.stats.randomness import Rng, as_generator, drawn_seed, stream
from medassay.surface import checked

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "consensus",
    "consensus_of_units",
    "given_of",
    "join_units",
    "source_name",
    "stream_of",
]


@checked
def consensus(  # noqa: PLR0913 - each is a choice of its own, and all but the first have a default
    judgements: Judgements,
    method: str | Sequence[str] = ("mean", "majority", "label_sum"),
    *,
    dimensions: Sequence[str] | None = None,
    mappings: Sequence[str] = ("full",),
    phases: Sequence[str] | None = None,
    expected: Iterable[tuple[str, str] | Unit] = (),
    never_answered: Iterable[tuple[str, str] | Unit] = (),
    given: Mapping[str, Given] | None = None,
    rng: Rng | None = None,
    hushed: bool = False,
) -> ScoreTable:
    """Join the labels of each answer into one score, for each dimension and method.

    Sources are named `mean(dimension=fluency)`, `majority(dimension=fluency,least=2)`,
    `mean(dimension=uses-evidence,mapping=harmful)`. What is missing stays apart: an answer that
    nobody judged (not judged), that raters looked at without giving a label (no label, with their
    reasons), that the system never gave (never answered), and one that raters are split on (tie).

    Args:
        judgements: What the raters said, with their rubric.
        method: Canonical name of a method, such as "mace", "dawid_skene" or "majority(least=2)", or
            several.
        dimensions: Which dimensions; all that have judgements if not given.
        mappings: Which readings of the labels; a mapping is left out where a dimension lacks it.
        phases: Which phases to read, those that count if not given; where one rater judged one
            answer in several of them, the phase named last counts, so ("main", "adjudication") lets
            adjudication decide.
        expected: Every (system, case), or unit, that should be judged, so that the table can say
            which were not. Judged answers outside of it are kept.
        never_answered: Every (system, case) where the system gave no answer.
        given: Control items and label priors of a dimension, for methods told to use them, such as
            mace(controls=used).
        rng: Needed by methods that draw, such as mace: a whole number or a generator. One number is
            drawn from it; what a dimension draws depends on that number and on its own name alone.
        hushed: Whether methods of other packages keep their own words to themselves. Their values
            are the same.

    Raises:
        UnknownName: No such method or dimension.
        InvalidInput: A method draws, and there is no rng.

    Example:
        >>> from medassay.judgements import load_rubric
        >>> said = [("r1", "4"), ("r2", "5")]
        >>> judgements = Judgements.from_rows(
        ...     [{"rater": r, "system": "A", "case": "1", "dimension": "quality", "label": label}
        ...      for r, label in said],
        ...     load_rubric("likert5"),
        ... )
        >>> table = consensus(judgements, "mean", expected=[("A", "1"), ("A", "2")])
        >>> table.frame.select("case", "source", "value", "reason").rows()
        [('1', 'mean(dimension=quality)', 4.5, None), \
('2', 'mean(dimension=quality)', None, 'not_judged')]
    """
    rng = as_generator(rng)
    rubric = judgements.rubric
    judged = set(judgements.frame["dimension"])
    # Spans that raters mark have no consensus: no two raters need mean the same passage.
    asked = [
        dimension_id
        for dimension_id in dimensions or rubric.ids
        if dimensions is not None or dimension_id in judged
    ]
    asked = [dimension_id for dimension_id in asked if rubric.dimension(dimension_id).joinable]
    wanted = tuple(Unit(*cell) for cell in expected)
    silent = frozenset(Unit(*cell) for cell in never_answered)
    methods = (method,) if isinstance(method, str) else method
    seed = None if rng is None else drawn_seed(rng)
    rows: list[tuple[Unit, str, Score | Unscored]] = []
    for dimension in asked:
        known = {"full", *rubric.dimension(dimension).mappings}
        why = _reasons(judgements.in_phases(phases), dimension)
        for mapping in (known_mapping for known_mapping in mappings if known_mapping in known):
            read = units(judgements, dimension, mapping, phases)
            for method_name in methods:
                joined = consensus_of_units(
                    read,
                    method_name,
                    rng=stream_of(seed, dimension, mapping),
                    given=given_of(given, judgements, dimension, mapping),
                    hushed=hushed,
                )
                source = str(source_name(method_name, dimension, mapping))
                missing = _missing(joined, wanted, silent, why)
                rows += [(unit, source, score) for unit, score in {**joined, **missing}.items()]
    return ScoreTable.from_units(rows)


def consensus_of_units(
    read: Units,
    method: str,
    *,
    rng: Rng | None = None,
    given: Given | None = None,
    hushed: bool = False,
) -> dict[Unit, Score | Unscored]:
    """Join the labels of each unit; a unit without labels has the reason `no label`.

    Raises:
        UnknownName: No such method.
        InvalidInput: The method draws, and there is no rng.
    """
    rng = as_generator(rng)
    labelled, joined = join_units(read, method, rng=rng, given=given, hushed=hushed)
    values: dict[Unit, Score | Unscored] = dict.fromkeys(read.keys, Unscored(Reason.NO_LABEL))
    values.update(zip(labelled.keys, joined.scores, strict=True))
    return values


def given_of(
    given: Mapping[str, Given] | None, judgements: Judgements, dimension: str, mapping: str
) -> Given:
    """Give what is known of a dimension, its labels read through the mapping."""
    beforehand = (given or {}).get(dimension, Given())
    if mapping == "full":
        return beforehand
    return beforehand.through(judgements.rubric.dimension(dimension).mappings[mapping])


def join_units(
    read: Units,
    method: str,
    *,
    rng: Rng | None = None,
    given: Given | None = None,
    hushed: bool = False,
) -> tuple[Units, Joined]:
    """Give the units that have a label, and all that the method makes of them.

    Raises:
        UnknownName: No such method.
        InvalidInput: The method draws, and there is no rng.

    Example:
        >>> units = Units.from_codes([[0, 0, 1], [1, 1, 1]], ["no", "yes"], scores=[0, 1])
        >>> labelled, joined = join_units(units, "majority")
        >>> joined.quality, [round(one, 2) for one in joined.uncertainty]
        ((1.0, 1.0, 0.5), [0.64, 0.0])
    """
    rng = as_generator(rng)
    declared_method, name = find_method(method, hushed=hushed)
    labelled = read.with_labels(1)
    if not len(labelled):
        # Nobody labelled anything (a panel of one rater, without that rater): nothing to fit.
        return labelled, Joined([], (), (None,) * len(labelled.raters), ())
    if read.of_numbers and not declared_method.declared.numbers:
        detail = f"raters gave numbers; {declared_method.declared.title} joins labels"
        reasons: list[Score | Unscored] = [Unscored(Reason.UNDEFINED, detail)] * len(labelled)
        return labelled, Joined(reasons, (0.0,) * len(labelled), (None,) * len(labelled.raters))
    beforehand = Given() if given is None else given
    return labelled, declared_method.fit(
        labelled, rng=rng, given=beforehand, **dict(name.arguments)
    )


def stream_of(seed: int | None, dimension: str, mapping: str) -> np.random.Generator | None:
    """Give the randomness of one dimension, the same for every method and whatever else is read."""
    if seed is None:
        return None
    return stream(seed, "s03", dimension, mapping)


def source_name(method: str, dimension: str, mapping: str = "full") -> Name:
    """Name a consensus on a dimension.

    Example:
        >>> str(source_name("majority(least=2)", "fluency"))
        'majority(dimension=fluency,least=2)'
    """
    name = find_method(method)[1]
    arguments = {**dict(name.arguments), "dimension": dimension}
    if mapping != "full":
        arguments["mapping"] = mapping
    return name.with_arguments(arguments)


def _missing(
    joined: dict[Unit, Score | Unscored],
    wanted: Iterable[Unit],
    silent: frozenset[Unit],
    why: dict[Unit, str],
) -> dict[Unit, Score | Unscored]:
    """Tell apart what was never answered, not judged, or judged without a label."""
    missing: dict[Unit, Score | Unscored] = {}
    for cell, score in joined.items():
        if isinstance(score, Unscored) and score.reason is Reason.NO_LABEL:
            reason = Reason.NEVER_ANSWERED if cell in silent else Reason.NO_LABEL
            missing[cell] = Unscored(reason, why[cell])
    for cell in (*wanted, *sorted(silent)):
        if cell not in joined:
            reason = Reason.NEVER_ANSWERED if cell in silent else Reason.NOT_JUDGED
            missing[cell] = Unscored(reason)
    return missing


def _reasons(current: "pl.DataFrame", dimension: str) -> dict[Unit, str]:
    """Count each answer's reasons in words, such as "2 not applicable"."""
    import polars as pl

    counted = (
        current.filter((pl.col("dimension") == dimension) & pl.col("reason").is_not_null())
        .group_by(*UNIT, "reason")
        .len()
        .sort(*UNIT, "reason")
    )
    words_of: dict[Unit, list[str]] = {}
    for *key, reason, count in counted.iter_rows():
        words_of.setdefault(Unit(*key), []).append(f"{count} {reason.replace('_', ' ')}")
    return {cell: ", ".join(words) for cell, words in words_of.items()}
