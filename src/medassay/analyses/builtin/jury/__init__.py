"""May a jury of models be read as clinicians' ratings are, as far as these agree themselves?"""

from typing import Final

from medassay.analyses.builtin.jury.compute import jury_on
from medassay.analyses.builtin.jury.record import JuryReport
from medassay.analyses.builtin.jury.tables import jury_claims, jury_finding, jury_tables
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.readable import Design, OnFile
from medassay.exhibits import VerdictKind
from medassay.judgements import Rubric, units

__all__ = ["jury"]

_JURY: Final = 2


@analysis(
    Declaration(
        id="jury",
        title="A jury of models and clinicians",
        question="How far does the mean of several models' ratings agree with clinicians, and how "
        "far do clinicians with each other?",
        section="judges",
        infers=True,
        reader="methodologist",
        place=8,
        tables=jury_tables,
        finding=jury_finding,
        verdicts=(VerdictKind.CLAIM,),
        claims=lambda report, _: jury_claims(report),
        finding_place=58,
    )
)
def jury(rubric: Rubric, on_file: OnFile, design: Design) -> JuryReport | None:
    """Hold the mean of two and more models against people, on each dimension with scores."""
    left_out = {rater.rater for rater in on_file.raters.excluded}
    on_dimensions = []
    for dimension in rubric.dimensions:
        if dimension.about == "criterion" or not dimension.scored:
            continue
        read = units(on_file.judgements, dimension.id)
        read = read.of_raters(rater for rater in read.raters if rater not in left_out)
        if len(on_file.models & set(read.raters)) >= _JURY:
            on = jury_on(read, on_file.models, design.clusters)
            on_dimensions += [on] if on else []
    return JuryReport(tuple(on_dimensions)) if on_dimensions else None
