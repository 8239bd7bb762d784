"""The sentences about raters who read a scale backwards, are strict or mild, or drift."""

import shlex
from collections.abc import Sequence

from medassay.analyses.builtin.rater_effects.standing_apart import farthest
from medassay.exhibits import Names
from medassay.exhibits.finding import Finding, ReaderQuestion
from medassay.exhibits.numbers import Style, listed
from medassay.exhibits.sentences import upper_first
from medassay.stats import Interval
from medassay.validity import RaterDiagnostic

__all__ = ["rater_findings"]

_POINTS = Style(2)


def rater_findings(effects: Sequence[RaterDiagnostic], names: Names) -> tuple[Finding, ...]:
    """Say who may have read a scale backwards, which comes first; who is strictest; who drifts."""
    found = (
        _reversed(effects, names),
        severity_finding(effects, names),
        drift_finding(effects, names),
    )
    return tuple(filter(None, found))


def _reversed(effects: Sequence[RaterDiagnostic], names: Names) -> Finding | None:
    """Name who may have read the scale the other way round, dimension by dimension."""
    found: dict[str, list[RaterDiagnostic]] = {}
    for effect in effects:
        if effect.kind == "reversed" and effect.effect is not None:
            found.setdefault(effect.dimension, []).append(effect)
    sentences = []
    for dimension, own in found.items():
        first, of = own[0], names.of_dimension(dimension)
        r = _POINTS(first.effect or 0.0)
        if len(own) == 1:
            sentences.append(
                f"{upper_first(first.rater)} may have read the scale of {of} the other way round: "
                f"where the others gave more, {first.rater} gave less (correlation {r} over "
                f"{first.n:,} labels)."
            )
            continue
        raters = listed([effect.rater for effect in own])
        sentences.append(
            f"{upper_first(raters)} contradict each other on {of}, so some of them may have read "
            f"its scale the other way round (correlation {r} with the others over {first.n:,} "
            "labels)."
        )
    if not found:
        return None
    who = list(dict.fromkeys(effect.rater for own in found.values() for effect in own))
    first = next(iter(found.values()))[0]
    if names.key:
        sentences.append(f"{names.key} in the study's folder says who {listed(who)} is.")
    sentences.append(
        "Ask before you use any number that rests on those labels; each is marked as not settled. "
        "Then settle it: medassay campaign correct STUDY "
        f"{shlex.quote(first.rater)} {shlex.quote(first.dimension)} reversed REASON, or as-given."
    )
    return Finding("reversed", " ".join(sentences), ("rater-effects",), ReaderQuestion.WHOSE)


def severity_finding(effects: Sequence[RaterDiagnostic], names: Names) -> Finding | None:
    """Say who is strictest or mildest on the same answers; None where nobody stands apart."""
    found = farthest(effects, "severity")
    if found is None:
        return None
    effect, value, *_ = found
    unit, is_, around = _said(found, names)
    way = "less" if value < 0 else "more"
    text = (
        f"{upper_first(effect.rater)} gave {_POINTS(abs(value))} {unit} {way} than the others on "
        f"the same answers on {names.of_dimension(effect.dimension)} ({around}): {is_}; this does "
        "not mean less expert."
    )
    return Finding("severity", text, ("rater-effects",), ReaderQuestion.AGREEMENT)


def drift_finding(effects: Sequence[RaterDiagnostic], names: Names) -> Finding | None:
    """Say who grew stricter or milder most along the order; None where nobody stands apart."""
    found = farthest(effects, "drift")
    if found is None:
        return None
    effect, value, *_ = found
    unit, is_, around = _said(found, names)
    text = (
        f"{upper_first(effect.rater)} drifted on {names.of_dimension(effect.dimension)}: "
        f"{_POINTS(abs(value))} {unit} {is_} than the others with every 100 ratings ({around})."
    )
    return Finding("drift", text, ("rater-effects",))


def _said(
    found: tuple[RaterDiagnostic, float, Interval, int], names: Names
) -> tuple[str, str, str]:
    """Give the unit of an effect, whether it is stricter or milder, and the interval in words."""
    effect, value, around, looked_at = found
    source = next((s for s in names.sources.values() if s.dimension == effect.dimension), None)
    better = "higher" if source is None else source.direction
    is_ = "stricter" if (value < 0) == (better == "higher") else "milder"
    unit = "points" if source is None or not source.unit else source.unit
    low, high = sorted((abs(around.low), abs(around.high)))
    of = f"; the largest of {looked_at}, tested together" if looked_at > 1 else ""
    return unit, is_, f"{_POINTS(low)} to {_POINTS(high)}{of}"
