"""How good are the answers by the criteria of their cases?"""

from medassay.analyses.builtin.criteria.against import against_of
from medassay.analyses.builtin.criteria.items import items_of, rater_disputes
from medassay.analyses.builtin.criteria.record import CriteriaReport
from medassay.analyses.builtin.criteria.scores import scores_of, worst_of
from medassay.analyses.builtin.criteria.tables import criteria_finding, criteria_tables
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.readable import Columns, Design
from medassay.cases import Cases
from medassay.exhibits import Claim, VerdictKind, VerdictRow
from medassay.judgements import Judgements, Rubric, units

__all__ = ["criteria"]


@analysis(
    Declaration(
        id="criteria",
        title="Scores by criteria",
        question="How good are the answers by the criteria of their cases, and at their worst?",
        section="ratings",
        part="ratings-given",
        infers=True,
        reader="clinician",
        place=4,
        tables=criteria_tables,
        finding=criteria_finding,
        verdicts=(VerdictKind.OWN_RATE,),
        claims=lambda report, _: (
            [
                Claim.of(
                    "criteria",
                    "criteria that worse answers meet",
                    VerdictKind.OWN_RATE,
                    row=VerdictRow.CRITERIA,
                )
            ]
            if report.problems.get("met by worse answers")
            else []
        ),
        finding_place=25,
    )
)
def criteria(
    rubric: Rubric, judgements: Judgements, columns: Columns, cases: Cases, design: Design
) -> CriteriaReport | None:
    """Score systems by the first dimension that asks whether criteria are met."""
    import polars as pl

    asked = {dimension.id for dimension in rubric.dimensions if dimension.about == "criterion"}
    column = next((held for held in columns.score_columns.columns if held.dimension in asked), None)
    if column is None or column.dimension is None:
        return None
    parts = columns.score_columns.table.select(column.name).filter(pl.col("about") != "")
    disputes = rater_disputes(units(judgements, column.dimension))
    items, problems, count = items_of(parts, cases, disputes)
    return CriteriaReport(
        dimension=column.dimension,
        source=column.name,
        scores=tuple(scores_of(parts, cases, design.systems, design.clusters)),
        against=tuple(against_of(parts, cases, design.systems, design.clusters)),
        worst=tuple(worst_of(parts, cases, design.systems)),
        items=tuple(items),
        criteria=count,
        problems=problems,
    )
