"""What the targets of [targets] are about."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from medassay.errors import InvalidInput, Problem, UnknownName, nearest
from medassay.metrics import resolve
from medassay.study.files import STUDY_FILE

__all__ = ["target_problems", "target_source"]

_SHORT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "accuracy": "exact_match",
        "map": "average_precision",
        "mrr": "reciprocal_rank",
    }
)
"""Words for metrics that reports use, beside the metrics' own names."""


def target_source(name: str) -> str:
    """Give the source that a target is about.

    Example:
        >>> target_source("accuracy"), target_source("precision@5")
        ('exact_match', 'precision@5')
    """
    wanted = _SHORT.get(name, name)
    try:
        return str(resolve(wanted).name)
    except (InvalidInput, UnknownName):
        return wanted


def target_problems(targets: Mapping[str, float], sources: Sequence[str]) -> list[Problem]:
    """Name the targets that are about nothing the study measures."""
    known = [*sources, *(short for short, name in _SHORT.items() if name in sources)]
    return [
        Problem(
            STUDY_FILE, "name something that the study measures", f'"{name}"',
            nearest(name, known) or f"Known: {', '.join(sorted(known))}.", None, f"targets.{name}",
        )
        for name in targets
        if target_source(name) not in sources
    ]  # fmt: skip
