"""The sentence about the study's own targets."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from medassay.analyses.builtin.targets.record import Target, Verdict
from medassay.exhibits import Claim, Names, VerdictKind, VerdictRow
from medassay.exhibits.claim import implied_p
from medassay.exhibits.finding import Finding, ReaderQuestion
from medassay.exhibits.numbers import Style, bounds, count_of, listed
from medassay.stats import holm

__all__ = ["targets_claims", "targets_finding"]

_FINDING: Final = "targets"

_MOST = 6
_VERDICTS: Final[dict[Verdict, str]] = {
    "reached": "reached by",
    "missed": "missed by",
    "too close to say": "too close to say for",
    "no value": "without a value for",
}


def targets_claims(held_targets: Sequence[Target]) -> Iterator[Claim]:
    """Claim which targets are reached or missed, over all systems and targets."""
    if p := list(_adjusted(held_targets).values()):
        yield Claim.of(_FINDING, _FINDING, VerdictKind.CLAIM, p, row=VerdictRow.TARGET)


def _adjusted(held_targets: Sequence[Target]) -> dict[int, float]:
    """Give the p of each target's place, adjusted for all that were held."""
    known = [
        (at, p)
        for at, held in enumerate(held_targets)
        if held.value is not None
        and (p := implied_p(held.value, held.interval, held.target)) is not None
    ]
    adjusted = holm([p for _, p in known]).tolist()
    return {at: p for (at, _), p in zip(known, adjusted, strict=True)}


def _at_its_level(held_targets: Sequence[Target], names: Names) -> list[Target]:
    """Take the verdicts back that the tests together do not bear out."""
    p, level = _adjusted(held_targets), names.level(_FINDING, _FINDING)
    return [
        replace(held, verdict="too close to say")
        if held.verdict in {"reached", "missed"} and p.get(at, 1.0) > level
        else held
        for at, held in enumerate(held_targets)
    ]


def targets_finding(held_targets: Sequence[Target], names: Names) -> Finding:
    """Say of each target whether it is reached, as far as the intervals allow."""
    shown = _at_its_level(held_targets, names)[:_MOST]
    of_target: dict[tuple[str, float], list[Target]] = {}
    for target in shown:
        of_target.setdefault((target.source, target.target), []).append(target)
    text = "; ".join(_target(names, targets) for targets in of_target.values())
    more = len(held_targets) - len(shown)
    rest = f" {count_of(more, 'more result')} in the table." if more else ""
    sentence = f"Targets: {text}.{rest}"
    return Finding(_FINDING, sentence, ("targets",), ReaderQuestion.BETTER)


def _target(names: Names, targets: list[Target]) -> str:
    """Say one target's verdicts, and which systems have each."""
    style = names.style_of(targets[0].source)
    of_verdict: dict[str, list[str]] = {}
    for target in targets:
        of_verdict.setdefault(_VERDICTS[target.verdict], []).append(_system(names, target, style))
    verdicts = ", ".join(f"{verdict} {listed(who)}" for verdict, who in of_verdict.items())
    return f"{names.of_source(targets[0].source)} of {style(targets[0].target)} {verdicts}"


def _system(names: Names, target: Target, style: Style) -> str:
    who = names.of_system(target.system)
    if target.value is None:
        return who
    return f"{who} ({f'{style(target.value)} {bounds(target.interval, style)}'.strip()})"
