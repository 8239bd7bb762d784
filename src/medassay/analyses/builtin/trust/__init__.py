"""What may each metric be used for in place of the raters?"""

from medassay.analyses.builtin.trust.tables import trust_summary, trust_table
from medassay.analyses.builtin.trust.words import trust_claims, trust_finding
from medassay.analyses.declaration import Declaration, analysis
from medassay.analyses.inputs.metric_uses import TrustOn
from medassay.analyses.inputs.metric_uses_unjudged import UnjudgedTrust, with_unjudged
from medassay.analyses.results.records import Records
from medassay.exhibits import VerdictKind
from medassay.validity import UnjudgedRank

__all__ = ["trust", "trusted_in"]


@analysis(
    Declaration(
        id="trust",
        title="What each metric may be used for",
        question="May a metric rank, screen or gate in the raters' place, and what changes that?",
        section="validity",
        part="validity-raters",
        infers=True,
        reader="developer",
        place=10,
        finding_place=75,
        tables=lambda trusted, names: [trust_summary(trusted, names), trust_table(trusted, names)],
        finding=trust_finding,
        verdicts=(VerdictKind.OWN_RATE,),
        claims=trust_claims,
    )
)
def trust(
    trusted: tuple[TrustOn, ...],
    unjudged: tuple[UnjudgedRank, ...],
    ruled: tuple[UnjudgedTrust, ...],
) -> tuple[TrustOn, ...]:
    """Give the verdicts, dimension by dimension, and which of them hang on unjudged answers."""
    return with_unjudged(trusted, unjudged, ruled)


def trusted_in(records: Records) -> tuple[TrustOn, ...]:
    """Give the verdicts of a run; nothing where it was not asked."""
    return records.of(trust) or ()
