"""The score of a whole answer from what raters jointly say of its parts."""

from typing import TYPE_CHECKING, Final

from medassay.cases import Cases
from medassay.judgements.about import About, AboutKind
from medassay.scores import Reason, ScoreTable

if TYPE_CHECKING:
    import polars as pl

__all__ = ["criteria_sums", "of_whole_answers"]

_ANSWER: Final = ("system", "case", "sample")


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
