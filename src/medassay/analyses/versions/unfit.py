"""Metrics that no verdict may rest on: by their own rule they do not tell better from worse."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from medassay.analyses.versions.version import METRIC_OPTION, Version
from medassay.errors import InvalidInput, Problem

__all__ = ["UnfitMetric", "find_unfit"]


@dataclass(frozen=True, slots=True)
class UnfitMetric:
    """A metric that no verdict rests on, as no rank and no test against raters does.

    Attributes:
        metric: Its canonical name.
        why: Why not.
    """

    metric: str
    why: str


def find_unfit(
    names: Sequence[str], old: Version, new: Version, asked: Sequence[str] | None
) -> tuple[UnfitMetric, ...]:
    """Find the metrics among those to compare that either version's cases make unfit to rank by.

    Raises:
        InvalidInput: One of them was asked for, or no other is left.
    """
    reasons: Mapping[str, str] = {**old.unfit, **new.unfit}
    unfit = tuple(UnfitMetric(name, reasons[name]) for name in names if reasons.get(name))
    if unfit and (asked or len(unfit) == len(names)):
        must = "be a metric that tells better answers from worse"
        hint = "No verdict rests on it. Name another metric."
        raise InvalidInput(
            Problem(METRIC_OPTION, must, f'"{one.metric}": {one.why}', hint) for one in unfit
        )
    return unfit
