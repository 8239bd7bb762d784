"""The sentence about the strictest or mildest rater."""

from collections.abc import Sequence

from medassay.analyses.builtin.rater_effects.standing_apart import strictest_or_mildest
from medassay.exhibits import Names
from medassay.exhibits.finding import Finding, ReaderQuestion
from medassay.exhibits.numbers import Style
from medassay.exhibits.sentences import upper_first
from medassay.validity import RaterDiagnostic

__all__ = ["severity_finding"]

_POINTS = Style(2)


def severity_finding(effects: Sequence[RaterDiagnostic], names: Names) -> Finding | None:
    """Say who is strictest or mildest on the same answers; None where nobody stands apart."""
    found = strictest_or_mildest(effects, names.cases)
    if found is None:
        return None
    effect, value, around, looked_at = found
    source = next((s for s in names.sources.values() if s.dimension == effect.dimension), None)
    better = "higher" if source is None else source.direction
    way = "less" if value < 0 else "more"
    is_ = "stricter" if (value < 0) == (better == "higher") else "milder"
    unit = "points" if source is None or not source.unit else source.unit
    low, high = sorted((abs(around.low), abs(around.high)))
    of = f"; the largest of {looked_at}, after Holm's correction" if looked_at > 1 else ""
    text = (
        f"{upper_first(effect.rater)} gave {_POINTS(abs(value))} {unit} {way} than the others on "
        f"the same answers on {names.of_dimension(effect.dimension)} ({_POINTS(low)} to "
        f"{_POINTS(high)}{of}): {is_}, which is no lack of knowledge."
    )
    return Finding("severity", text, ("rater-effects",), ReaderQuestion.AGREEMENT)
