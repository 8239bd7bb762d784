"""Does what raters are shown beside the answers change which they prefer?"""

from medassay.analyses.builtin.display_arms.compute import pairs_in_arms
from medassay.analyses.builtin.display_arms.record import DisplayArms
from medassay.analyses.builtin.display_arms.tables import arms_claims, arms_finding, arms_tables
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.readable import Design
from medassay.exhibits import VerdictKind
from medassay.judgements import Preferences

__all__ = ["display_arms"]


@analysis(
    Declaration(
        id="display_arms",
        title="Preferences by what was shown",
        question="Does what raters are shown beside the answers, such as citations, change which "
        "they prefer?",
        section="preferences",
        infers=True,
        reader="methodologist",
        place=2,
        tables=arms_tables,
        finding=arms_finding,
        verdicts=(VerdictKind.CLAIM,),
        claims=lambda record, _: arms_claims(record),
    )
)
def display_arms(preferences: Preferences, design: Design) -> DisplayArms | None:
    """Hold each pair's win differences in the arms against each other."""
    pairs = pairs_in_arms(preferences, design.clusters)
    return DisplayArms(pairs) if pairs else None
