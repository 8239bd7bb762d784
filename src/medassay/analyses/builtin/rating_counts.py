"""How much was judged?"""

from medassay.analyses.declaration import Declaration, analysis
from medassay.annotations import DesignName, record
from medassay.exhibits import Names, Table, shown, table_of
from medassay.exhibits.columns import Shown, named
from medassay.exhibits.table import Column
from medassay.judgements import Judgements, Rubric
from medassay.scores import UNIT


@record(infers=False)
class DimensionCounts:
    """How many judgements of a dimension there are, and how they overlap."""

    dimension: DesignName
    judgements: int
    without_label: int
    answers_judged: int
    answers_judged_twice: int
    raters: int


@record(infers=False)
class RatingCounts:
    """How much was judged, by dimension."""

    dimensions: tuple[DimensionCounts, ...]


def _table(counts: RatingCounts, names: Names) -> Table:
    """Count the judgements of each dimension and how they overlap."""
    return table_of(
        counts.dimensions,
        (
            Shown(
                Column("Dimension", ("dimension",)),
                lambda row: named(names.of_dimension(row.dimension), row.dimension),
            ),
            shown("Judgements", "judgements", "{:,}".format),
            shown("A reason instead", "without_label", "{:,}".format),
            shown("Answers judged", "answers_judged", "{:,}".format),
            shown("Judged twice or more", "answers_judged_twice", "{:,}".format),
            shown("Raters", "raters", "{:,}".format),
        ),
        id="rating-counts",
        title="How much was judged",
        caption="Judgements of each dimension, how many gave a reason instead of an answer, and "
        "how many answers were judged at all and by two raters or more.",
        empty="There are no judgements.",
    )


@analysis(
    Declaration(
        id="rating_counts",
        title="How much was judged",
        question="How many judgements are there, and how many answers have two or more?",
        section="ratings",
        part="ratings-given",
        infers=False,
        reader="organiser",
        place=2,
        stands="file",
        tables=lambda counts, names: [_table(counts, names)],
    )
)
def rating_counts(rubric: Rubric, judgements: Judgements) -> RatingCounts:
    """Count the judgements of each dimension, and the answers that were judged more than once."""
    import polars as pl

    answer = ["system", "case", "sample"]
    judged = judgements.counted
    counts = []
    for name in rubric.ids:
        rows = judged.filter(pl.col("dimension") == name)
        # Two who mark passages of an answer need not mark the same.
        of = list(UNIT) if rubric.dimension(name).joinable else answer
        said = rows.filter(pl.col("reason").is_null())
        judged_by = said.group_by(of).agg(pl.col("rater").n_unique())
        by_answer = judged_by.group_by(answer).agg(pl.col("rater").max())
        counts.append(
            DimensionCounts(
                dimension=name,
                judgements=rows.height,
                without_label=rows["reason"].count(),
                answers_judged=by_answer.height,
                answers_judged_twice=int((by_answer["rater"] > 1).sum()),
                raters=rows["rater"].n_unique(),
            )
        )
    return RatingCounts(tuple(counts))
