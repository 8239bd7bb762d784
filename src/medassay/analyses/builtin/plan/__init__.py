"""What can the study tell apart as it is, and with more cases or more labels?"""

from medassay.analyses.builtin.plan.compute import (
    PlanWishes,
    lay_out,
    plan_of,
    scored_dimensions,
)
from medassay.analyses.builtin.plan.picture import plan_pictures
from medassay.analyses.builtin.plan.record import PlanReport
from medassay.analyses.builtin.plan.tables import plan_tables
from medassay.analyses.builtin.plan.words import plan_finding
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.readable import About, Design
from medassay.cases import Cases
from medassay.judgements import Judgements, Rubric

__all__ = ["plan"]


@analysis(
    Declaration(
        id="plan",
        title="How many more judgements",
        question="What can the study tell apart as it is, and with more cases or more labels?",
        section="panel",
        part="panel-plan",
        infers=True,
        reader="organiser",
        place=60,
        tables=lambda record, _: plan_tables(record),
        pictures=lambda record, _: plan_pictures(record),
        finding=lambda record, _: plan_finding(record),
    )
)
def plan(
    rubric: Rubric, judgements: Judgements, cases: Cases, design: Design, about: About
) -> PlanReport | None:
    """Say what the study finds as it is; None where there is nothing to plan from."""
    names = scored_dimensions(rubric, judgements)
    planned = [plan_of(rubric, judgements, design, name) for name in names]
    if all(on_dimension.spread.undefined for on_dimension in planned):
        return None
    size = len(design.systems), len(design.ranking_cases) or len(cases)
    return lay_out(about, size, planned, PlanWishes())
