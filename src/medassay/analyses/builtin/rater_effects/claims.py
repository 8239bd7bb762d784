"""What is claimed of raters: warnings, which ask a person to look."""

from collections.abc import Iterator, Sequence

from medassay.exhibits import Claim, VerdictKind
from medassay.validity import RaterDiagnostic

__all__ = ["rater_claims"]


def rater_claims(effects: Sequence[RaterDiagnostic]) -> Iterator[Claim]:
    """Give a warning of each kind that raters can earn here: strictness, and a reversed scale."""
    severities = [effect for effect in effects if effect.kind == "severity"]
    if any(effect.effect is not None for effect in severities):
        yield Claim.of("severity", "strict or mild rater", VerdictKind.WARNING)
    if severities:
        yield Claim.of("reversed", "reversed scale", VerdictKind.WARNING)
