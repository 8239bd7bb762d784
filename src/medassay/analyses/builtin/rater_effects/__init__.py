"""What does each rater do that the others do not?"""

from medassay.analyses.builtin.rater_effects.claims import rater_claims
from medassay.analyses.builtin.rater_effects.pictures import effect_pictures
from medassay.analyses.builtin.rater_effects.tables import effects_table, favouring_table
from medassay.analyses.builtin.rater_effects.words import rater_findings
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.rater_traits import Diagnosed
from medassay.analyses.results.records import Records
from medassay.exhibits import VerdictKind
from medassay.marks import record
from medassay.validity import RaterDiagnostic

__all__ = ["RaterEffects", "effects_in", "rater_effects"]


@record(infers=True)
class RaterEffects:
    """What each rater does that the others do not, by dimension, rater and kind."""

    effects: tuple[RaterDiagnostic, ...]


@analysis(
    Declaration(
        id="rater_effects",
        title="What each rater does that the others do not",
        question="Is a rater severe, timid, carried along, tired, partial, careless or hasty?",
        section="panel",
        part="panel-raters",
        infers=True,
        reader="organiser",
        place=40,
        tables=lambda by_rater, names: [
            favouring_table(by_rater.effects, names),
            effects_table(by_rater.effects, names),
        ],
        pictures=lambda by_rater, names: effect_pictures(by_rater.effects, names),
        finding=lambda by_rater, names: rater_findings(by_rater.effects, names),
        verdicts=(VerdictKind.WARNING,),
        claims=lambda by_rater, _: rater_claims(by_rater.effects),
    )
)
def rater_effects(diagnosed: Diagnosed) -> RaterEffects | None:
    """Compare each rater with the others on the same answers."""
    return RaterEffects(diagnosed.effects) if diagnosed.effects else None


def effects_in(records: Records) -> tuple[RaterDiagnostic, ...]:
    """Give what a run says that raters do; nothing where it was not asked."""
    effects = records.of(rater_effects)
    return effects.effects if effects else ()
