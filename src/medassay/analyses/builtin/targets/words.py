"""The sentence about the study's own targets."""

from collections.abc import Sequence
from typing import Final

from medassay.analyses.builtin.targets.record import Target, Verdict
from medassay.exhibits import Names
from medassay.exhibits.finding import Finding, ReaderQuestion
from medassay.exhibits.numbers import Style, bounds, count_of, listed

__all__ = ["targets_finding"]

_MOST = 6
_VERDICTS: Final[dict[Verdict, str]] = {
    "reached": "reached by",
    "missed": "missed by",
    "too close to say": "too close to say for",
    "no value": "without a value for",
}


def targets_finding(held_targets: Sequence[Target], names: Names) -> Finding:
    """Say of each target whether it is reached, as far as the intervals allow."""
    shown = held_targets[:_MOST]
    of_target: dict[tuple[str, float], list[Target]] = {}
    for target in shown:
        of_target.setdefault((target.source, target.target), []).append(target)
    text = "; ".join(_target(names, targets) for targets in of_target.values())
    more = len(held_targets) - len(shown)
    rest = f" {count_of(more, 'more result')} in the table." if more else ""
    each = ", each system by itself" if len({target.system for target in held_targets}) > 1 else ""
    sentence = f"Targets{each}: {text}.{rest}"
    return Finding("targets", sentence, ("targets",), ReaderQuestion.BETTER)


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
