"""Taus of a made-up run, to be changed one by one."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from medassay.analyses.builtin.correlations import (
    Correlations,
    Lacks,
    correlations,
    correlations_in,
)
from medassay.analyses.results import Results
from medassay.analyses.results.whole import Records
from medassay.validity import BestByChance, Validity

__all__ = ["changed_tried", "tried", "with_chance", "with_tried"]

INTERVALS = ("over_cases", "over_systems", "over_both")


def tried(results: Results) -> tuple[Validity, ...]:
    """Give every tau."""
    return correlations_in(results.analyses)


def with_tried(results: Results, taus: Iterable[Validity], lacks: Lacks = "") -> Results:
    """Put other taus in their place, or say what the study lacks."""
    found = results.analyses.of(correlations) or Correlations(())
    record = replace(found, tried=tuple(taus), lacks=lacks)
    records = Records({**results.analyses, correlations.id: record})
    return results.model_copy(update={"analyses": records})


def with_chance(results: Results, share: float, metrics: int = 6) -> Results:
    """Say in what share of studies the best of the metrics goes as far by chance."""
    found = results.analyses.of(correlations) or Correlations(())
    chance = replace(found.by_chance or BestByChance(0, 1.0), metrics=metrics, share=share)
    record = replace(found, by_chance=chance)
    records = Records({**results.analyses, correlations.id: record})
    return results.model_copy(update={"analyses": records})


def changed_tried(results: Results, change: Callable[[Validity], dict[str, Any]]) -> Results:
    """Change every tau; an interval by what it is over."""
    return with_tried(results, [_changed(row, change(row)) for row in tried(results)])


def _changed(validity: Validity, change: dict[str, Any]) -> Validity:
    new = {name: change.pop(name) for name in INTERVALS if name in change}
    intervals = tuple(
        replace(part, interval=new.get(name, part.interval))
        for name, part in zip(INTERVALS, validity.intervals, strict=False)
    )
    return replace(validity, intervals=intervals, **change)
