"""Which systems do raters prefer when they see two answers side by side?"""

from medassay.analyses.builtin.preferences.compute import preferred_on
from medassay.analyses.builtin.preferences.record import SideBySide
from medassay.analyses.builtin.preferences.tables import preference_tables
from medassay.analyses.builtin.preferences.words import preference_claims, preference_finding
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.readable import Design, Randomness
from medassay.exhibits import VerdictKind
from medassay.judgements import Preferences

__all__ = ["preferences"]


@analysis(
    Declaration(
        id="preferences",
        title="Preferences",
        question="Which systems do raters prefer when they see two answers side by side?",
        section="preferences",
        infers=True,
        reader="organiser",
        place=1,
        tables=lambda record, names: preference_tables(record.dimensions, names),
        finding=lambda record, names: preference_finding(record.dimensions, names),
        verdicts=(VerdictKind.CLAIM,),
        claims=lambda record, _: preference_claims(record.dimensions),
    )
)
def preferences(
    preferences_made: Preferences, design: Design, randomness: Randomness
) -> SideBySide | None:
    """Count preferences and fit strengths, on each dimension."""
    on_dimensions = tuple(preferred_on(preferences_made, design.clusters, randomness))
    return SideBySide(on_dimensions) if on_dimensions else None
