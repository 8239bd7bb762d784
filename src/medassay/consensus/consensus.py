"""What the raters jointly say, of answers and of whole ones from their parts, as a score table."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from medassay.api_checks import checked
from medassay.cases import Cases
from medassay.consensus.method import Joined, KnownToModel, find_method
from medassay.judgements import Judgements, Units, units
from medassay.judgements.rows import About, AboutKind
from medassay.scores import UNIT, Name, Reason, Score, ScoreTable, Unit, Unscored
from medassay.stats.randomness import Rng, as_generator, drawn_seed, stream

if TYPE_CHECKING:
    import polars as pl

_ANSWER: Final = ("system", "case", "sample")


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
    given: Mapping[str, KnownToModel] | None = None,
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
    joinable = [
        dimension_id
        for dimension_id in dimensions or rubric.ids
        if dimensions is not None or dimension_id in judged
    ]
    joinable = [
        dimension_id for dimension_id in joinable if rubric.dimension(dimension_id).joinable
    ]
    wanted = tuple(Unit(*cell) for cell in expected)
    silent = frozenset(Unit(*cell) for cell in never_answered)
    methods = (method,) if isinstance(method, str) else method
    seed = None if rng is None else drawn_seed(rng)
    rows: list[tuple[Unit, str, Score | Unscored]] = []
    for dimension in joinable:
        known = {"full", *rubric.dimension(dimension).mappings}
        why = _reasons(judgements.in_phases(phases), dimension)
        for mapping in (known_mapping for known_mapping in mappings if known_mapping in known):
            read = units(judgements, dimension, mapping, phases)
            for method_name in methods:
                joined = consensus_of_units(
                    read,
                    method_name,
                    rng=stream_of(seed, dimension, mapping),
                    given=_given_of(given, judgements, dimension, mapping),
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
    given: KnownToModel | None = None,
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


def _given_of(
    given: Mapping[str, KnownToModel] | None, judgements: Judgements, dimension: str, mapping: str
) -> KnownToModel:
    """Give what is known of a dimension, its labels read through the mapping."""
    beforehand = (given or {}).get(dimension, KnownToModel())
    if mapping == "full":
        return beforehand
    return beforehand.through(judgements.rubric.dimension(dimension).mappings[mapping])


def join_units(
    read: Units,
    method: str,
    *,
    rng: Rng | None = None,
    given: KnownToModel | None = None,
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
    beforehand = KnownToModel() if given is None else given
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


def of_whole_answers(table: ScoreTable, source: str, about: AboutKind, cases: Cases) -> ScoreTable:
    """How good is each answer, by what raters jointly say of its parts?

    From criteria: the points of those that are met, by the sum of the positive points that there
    are. 1: all that should be met is, and nothing else; 0: nothing, or as much harm as good; below
    0: more harm than good. There is no score where a case has no positive points, nor where a
    criterion has no label: then the reason says between which values the score lies. From
    statements, citations and documents: the mean of their scores. Spans have none.

    Args:
        table: What raters jointly say of each part.
        source: The consensus to read.
        about: What its dimension is about.
        cases: The cases, with their criteria.

    Returns:
        The table with a row of this source for each answer, in place of any that were there.

    Source: Arora et al. (2025), HealthBench, arXiv:2505.08775, for the score from criteria.

    Example:
        >>> from medassay.cases import Case
        >>> from medassay.scores import Score, Unit
        >>> cases = Cases.of([Case(case="1", criteria=[
        ...     {"id": "a", "text": "Names the dose.", "points": 4},
        ...     {"id": "b", "text": "Invents a drug.", "points": -2}])])
        >>> table = ScoreTable.from_units([
        ...     (Unit("A", "1", 0, "criterion:a"), "met", Score(1.0)),
        ...     (Unit("A", "1", 0, "criterion:b"), "met", Score(1.0))])
        >>> of_whole_answers(table, "met", "criterion", cases).grid("met", ["A"], ["1"]).values
        array([[0.5]])
    """
    import polars as pl

    if about == "answer":
        return table
    rows = table.select(source)
    parts = rows.filter(pl.col("about") != "")
    rest = ScoreTable(table.frame.filter((pl.col("source") != source) | (pl.col("about") != "")))
    if about == "span":
        return rest
    scored = _by_criteria(parts, cases) if about == "criterion" else _means(parts)
    alone = rows.filter(pl.col("about") == "").join(scored, on=_ANSWER, how="anti")
    columns = ("value", "reason", "detail", "parts")
    empty = pl.lit([], dtype=pl.List(pl.Float64())).alias("parts")
    made = pl.concat(
        [
            scored.with_columns(empty).select(*_ANSWER, *columns),
            alone.select(*_ANSWER, *columns),
        ]
    )
    whole = ScoreTable.of_source(source, made.select(*_ANSWER), made.select(*columns))
    return ScoreTable(pl.concat([rest.frame, whole.frame]))


def _means(parts: "pl.DataFrame") -> "pl.DataFrame":
    import polars as pl

    missing = pl.col("value").is_null().sum()
    return parts.group_by(*_ANSWER).agg(
        value=pl.when(missing == 0).then(pl.col("value").mean()),
        reason=pl.when(missing > 0).then(pl.lit(Reason.NO_LABEL.value)),
        detail=pl.when(missing > 0).then(
            pl.format("{} of {} parts have no label", missing, pl.len())
        ),
    )


def _by_criteria(parts: "pl.DataFrame", cases: Cases) -> "pl.DataFrame":
    import polars as pl

    sums = criteria_sums(parts, cases)
    whole = (pl.col("missing") == 0) & (pl.col("possible") > 0)
    return sums.select(
        *_ANSWER,
        value=pl.when(whole).then(pl.col("low")),
        reason=pl.when(pl.col("possible") <= 0)
        .then(pl.lit(Reason.CASE_LACKS.value))
        .when(pl.col("missing") > 0)
        .then(pl.lit(Reason.NO_LABEL.value)),
        detail=pl.when(pl.col("possible") <= 0)
        .then(pl.lit("no criterion has positive points"))
        .when(pl.col("missing") > 0)
        .then(
            pl.format(
                "{} of {} criteria have no label: the score lies between {} and {}",
                "missing", "count", pl.col("low").round(3), pl.col("high").round(3),
            )
        ),
    )  # fmt: skip


def criteria_sums(parts: "pl.DataFrame", cases: Cases, *, by_tag: bool = False) -> "pl.DataFrame":
    """How good is each answer by its criteria, and how far do unlabelled ones leave that open?

    Args:
        parts: What raters jointly say of each criterion: system, case, sample, about, value.
        cases: The cases, with their criteria.
        by_tag: Whether to count the criteria of each tag by themselves.

    Returns:
        A row for each answer (and tag): `possible`, the positive points that there are; `low` and
        `high`, the score if all criteria without a label went against the answer, or for it (both
        are the score where none is missing; null where there are no positive points); `missing`,
        `count`: criteria without a label, and all.
    """
    import polars as pl

    points = pl.DataFrame(
        [
            (case.case, About("criterion", item.id).written, item.points, list(item.tags))
            for case in cases
            for item in case.criteria
        ],
        schema={
            "case": pl.String(), "about": pl.String(), "points": pl.Float64(),
            "tag": pl.List(pl.String()),
        },
        orient="row",
    )  # fmt: skip
    key = [*_ANSWER, "tag"] if by_tag else [*_ANSWER]
    points = points.explode("tag").drop_nulls("tag") if by_tag else points.drop("tag")
    judged = parts.select(*_ANSWER).unique()
    every = judged.join(points, on="case").join(
        parts.select(*_ANSWER, "about", "value"), on=[*_ANSWER, "about"], how="left"
    )
    gain, loss = pl.col("points").clip(lower_bound=0), pl.col("points").clip(upper_bound=0)
    unknown = pl.col("value").is_null()
    sums = every.group_by(key).agg(
        met=(pl.col("points") * pl.col("value")).sum(),
        possible=gain.sum(),
        low=loss.filter(unknown).sum(),
        high=gain.filter(unknown).sum(),
        missing=unknown.sum(),
        count=pl.len(),
    )
    there = pl.col("possible") > 0
    return sums.with_columns(
        pl.when(there).then((pl.col("met") + pl.col(end)) / pl.col("possible")).alias(end)
        for end in ("low", "high")
    ).sort(key)
