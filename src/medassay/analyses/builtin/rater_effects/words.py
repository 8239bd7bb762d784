"""The sentence about the strictest or mildest rater."""

from collections.abc import Sequence

from medassay.analyses.builtin.rater_effects.standing_apart import stands_apart
from medassay.exhibits import Names
from medassay.exhibits.finding import Finding, ReaderQuestion
from medassay.exhibits.numbers import Style
from medassay.exhibits.sentences import upper_first
from medassay.validity import RaterDiagnostic

__all__ = ["severity_finding"]

_POINTS = Style(2)


def severity_finding(effects: Sequence[RaterDiagnostic], names: Names) -> Finding | None:
    """Say who is strictest or mildest on the same answers; None where nobody stands apart."""
    severe = [
        (effect.effect, effect.interval, effect)
        for effect in effects
        if effect.kind == "severity"
        and effect.effect is not None
        and effect.interval is not None
        and stands_apart(effect)
    ]
    if not severe:
        return None
    value, around, effect = max(severe, key=lambda item: abs(item[0]))
    source = next((s for s in names.sources.values() if s.dimension == effect.dimension), None)
    better = "higher" if source is None else source.direction
    way = "less" if value < 0 else "more"
    is_ = "stricter" if (value < 0) == (better == "higher") else "milder"
    unit = "points" if source is None or not source.unit else source.unit
    low, high = sorted((abs(around.low), abs(around.high)))
    text = (
        f"{upper_first(effect.rater)} gave {_POINTS(abs(value))} {unit} {way} than the others on "
        f"the same answers on {names.of_dimension(effect.dimension)} ({_POINTS(low)} to "
        f"{_POINTS(high)}): {is_}, which is no lack of knowledge."
    )
    return Finding("severity", text, ("rater-effects",), ReaderQuestion.AGREEMENT)
