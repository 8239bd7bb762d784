"""What would the systems' means be, had all met the same raters?"""

from medassay.analyses.builtin.rater_adjusted.tables import adjusted_tables
from medassay.analyses.builtin.rater_adjusted.words import adjusted_finding, not_adjusted
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.rater_traits import RatersMet
from medassay.analyses.inputs.readable import Columns
from medassay.marks import record
from medassay.validity import RaterAdjusted

__all__ = ["AdjustedForRaters", "adjusted_for_raters"]


@record(infers=True)
class AdjustedForRaters:
    """Means adjusted for raters, by dimension: those where systems met raters in unlike shares."""

    dimensions: tuple[RaterAdjusted, ...]


@analysis(
    Declaration(
        id="rater_adjusted",
        title="Had all systems met the same raters",
        question="A severe rater lowers the systems that they judged: what changes without that?",
        section="leaders",
        infers=True,
        reader="organiser",
        place=10,
        tables=lambda adjusted, names: adjusted_tables(adjusted.dimensions, names),
        notes=lambda adjusted, names: not_adjusted(adjusted.dimensions, names),
        finding=lambda adjusted, names: adjusted_finding(adjusted.dimensions, names),
        finding_place=22,
    )
)
def adjusted_for_raters(columns: Columns, met: RatersMet) -> AdjustedForRaters | None:
    """Adjust each dimension that is ranked by the mean of its labels."""
    dimensions = []
    for column in columns.score_columns.columns:
        shares = met.dimensions.get(column.dimension or "")
        if shares is None or column.method != "mean" or not shares.adjustment.uneven:
            continue
        source = columns.sources[column.name]
        grid = source.grid
        means = {
            system: float(values[known].mean())
            for system, values, known in zip(grid.systems, grid.values, grid.known, strict=True)
            if known.any()
        }
        dimensions.append(
            shares.adjustment.found(
                means, column.direction, ends=source.bounds, ranked=shares.adjusts
            )
        )
    return AdjustedForRaters(tuple(dimensions)) if dimensions else None
