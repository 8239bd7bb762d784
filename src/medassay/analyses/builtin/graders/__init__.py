"""How far does a model that grades by criteria agree with people, and they with each other?"""

from medassay.analyses.builtin.graders.compute import graders_of
from medassay.analyses.builtin.graders.record import GradersReport
from medassay.analyses.builtin.graders.tables import grader_claims, grader_finding, grader_tables
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.readable import Design, OnFile
from medassay.cases import Cases
from medassay.exhibits import VerdictKind
from medassay.judgements import Rubric, units

__all__ = ["graders"]


@analysis(
    Declaration(
        id="graders",
        title="Graders against people",
        question="How far does a model that grades by criteria agree with people, and how far "
        "do they with each other?",
        section="judges",
        infers=True,
        reader="methodologist",
        place=9,
        tables=grader_tables,
        finding=grader_finding,
        verdicts=(VerdictKind.CLAIM,),
        claims=lambda report, _: grader_claims(report),
        finding_place=60,
    )
)
def graders(rubric: Rubric, on_file: OnFile, cases: Cases, design: Design) -> GradersReport | None:
    """Compare labels of criteria pair by pair, on the first dimension of yes or no about them."""
    asked = [
        dimension
        for dimension in rubric.dimensions
        if dimension.about == "criterion" and len(dimension.labels) == 2  # noqa: PLR2004 - yes or no
    ]
    if not asked:
        return None
    read = units(on_file.judgements, asked[0].id)
    left_out = {rater.rater for rater in on_file.raters.excluded}
    read = read.of_raters(rater for rater in read.raters if rater not in left_out)
    return graders_of(read, on_file.models, cases, design.clusters)
