"""The sentence about the study's own targets."""

from medassay.report.names import Names
from medassay.report.numbers import PROPORTION, Style, bounds, count_of
from medassay.study.results import Results
from medassay.study.target_models import TargetResult

__all__ = ["basis", "sentence"]

_MOST = 6


def basis(results: Results) -> tuple[str, ...]:
    """Name the table of targets."""
    return ("targets",) if results.targets else ()


def sentence(results: Results) -> str:
    """Say of each target whether it is reached, as far as the intervals allow."""
    names = Names(results)
    said = [_one(names, one) for one in results.targets[:_MOST]]
    if not said:
        return ""
    more = len(results.targets) - len(said)
    rest = f" {count_of(more, 'more target')} in the table." if more else ""
    return f"Targets: {'; '.join(said)}.{rest}"


def _one(names: Names, one: TargetResult) -> str:
    source = names.sources.get(one.source)
    style = PROPORTION if source is None else Style.of(source)
    who = f"{one.name} of {style(one.target)}, {names.of_system(one.system)}"
    if one.value is None:
        return f"{who}: no value"
    reached = f"{style(one.value)} {bounds(one.interval, style)}".strip()
    return f"{who}: {reached}, {one.verdict}"
