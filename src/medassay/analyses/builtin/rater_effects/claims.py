"""What is claimed of raters: warnings, which ask a person to look."""

from collections.abc import Iterator, Sequence
from typing import Final

from medassay.exhibits import Claim, VerdictKind, VerdictRow
from medassay.validity import RaterDiagnostic

__all__ = ["rater_claims"]

_KINDS: Final = {
    "severity": ("strict or mild rater", VerdictRow.STRICT),
    "drift": ("rater who drifts", VerdictRow.DRIFT),
    "reversed": ("reversed scale", VerdictRow.REVERSED),
}
"""The kinds of effects that warn, each its finding's id: what the warning is about, and its row."""


def rater_claims(effects: Sequence[RaterDiagnostic]) -> Iterator[Claim]:
    """Give a warning of each kind that raters can earn here: strict, drifting, scale reversed."""
    of = {kind: [effect for effect in effects if effect.kind == kind] for kind in _KINDS}
    for kind, (about, row) in _KINDS.items():
        p = [effect.p for effect in of[kind]]
        if any(value is not None for value in p):
            yield Claim.of(kind, about, VerdictKind.WARNING, p, row=row)
    if of["severity"] and not of["reversed"]:
        about, row = _KINDS["reversed"]
        # All are looked at; only who stands has an effect, with its p.
        yield Claim.of("reversed", about, VerdictKind.WARNING, row=row)
