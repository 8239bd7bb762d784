"""The sentence about the study's own targets."""

from typing import Final

from medassay.analyses.results import Results
from medassay.analyses.results.target import TargetResult, Verdict
from medassay.exhibits.numbers import PROPORTION, Style, bounds, count_of, listed
from medassay.report.names import Names
from medassay.report.styles import style_of

__all__ = ["basis", "sentence"]

_MOST = 6
_VERDICTS: Final[dict[Verdict, str]] = {
    "reached": "reached by",
    "missed": "missed by",
    "too close to say": "too close to say for",
    "no value": "without a value for",
}


def basis(results: Results) -> tuple[str, ...]:
    """Name the table of targets."""
    return ("targets",) if results.targets else ()


def sentence(results: Results) -> str:
    """Say of each target whether it is reached, as far as the intervals allow."""
    names = Names(results)
    shown = results.targets[:_MOST]
    if not shown:
        return ""
    of_target: dict[tuple[str, float], list[TargetResult]] = {}
    for target in shown:
        of_target.setdefault((target.source, target.target), []).append(target)
    text = "; ".join(_target(names, targets) for targets in of_target.values())
    more = len(results.targets) - len(shown)
    rest = f" {count_of(more, 'more result')} in the table." if more else ""
    each = ", each system by itself" if len({one.system for one in results.targets}) > 1 else ""
    return f"Targets{each}: {text}.{rest}"


def _target(names: Names, targets: list[TargetResult]) -> str:
    """Say one target's verdicts, and which systems have each."""
    source = names.sources.get(targets[0].source)
    style = PROPORTION if source is None else style_of(source)
    of_verdict: dict[str, list[str]] = {}
    for target in targets:
        of_verdict.setdefault(_VERDICTS[target.verdict], []).append(_system(names, target, style))
    verdicts = ", ".join(f"{verdict} {listed(who)}" for verdict, who in of_verdict.items())
    return f"{names.of_source(targets[0].source)} of {style(targets[0].target)} {verdicts}"


def _system(names: Names, target: TargetResult, style: Style) -> str:
    who = names.of_system(target.system)
    if target.value is None:
        return who
    return f"{who} ({f'{style(target.value)} {bounds(target.interval, style)}'.strip()})"
