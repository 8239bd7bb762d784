"""Which systems gave harmful answers, and how many?"""

from medassay.analyses.builtin.harm_by_system.compute import answers_until_rare, harm_of_systems
from medassay.analyses.builtin.harm_by_system.pairs import harm_pair_table
from medassay.analyses.builtin.harm_by_system.record import HarmBySystem, HarmPair
from medassay.analyses.builtin.harm_by_system.table import harm_table
from medassay.analyses.builtin.harm_by_system.words import harm_claims, harm_findings
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.system_harm import HarmFound
from medassay.exhibits import VerdictKind

__all__ = ["harm_by_system"]


@analysis(
    Declaration(
        id="harm_by_system",
        title="Harm by system",
        question="How many answers of each system did raters find harmful, and how many may be?",
        section="ratings",
        part="ratings-given",
        infers=True,
        reader="clinician",
        place=0,
        tables=lambda record, names: [
            harm_table(record, names),
            *([harm_pair_table(record, names)] if record.pairs else []),
        ],
        finding=harm_findings,
        verdicts=(VerdictKind.OWN_RATE, VerdictKind.WARNING),
        claims=lambda record, _: harm_claims(record),
    )
)
def harm_by_system(harm: HarmFound) -> HarmBySystem | None:
    """Count harm; None where no dimension reads as harm or nobody judged it."""
    harms = harm_of_systems(harm)
    if not harms:
        return None
    judged = {(harm_of.dimension, harm_of.kind) for harm_of in harms}
    labels = tuple((*about, read) for about, read in harm.labels.items() if about in judged)
    sensitivity = min(bound.bound.sensitivity for bound in harm.bounds)
    pairs = tuple(
        HarmPair(*about, compared)
        for about, own in harm.pairs.items()
        if about in judged
        for compared in own
    )
    return HarmBySystem(harms, labels, answers_until_rare(harms, sensitivity), pairs)
