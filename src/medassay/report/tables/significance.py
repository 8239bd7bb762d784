"""How many pairs of metric and dimension stand, of all that were tried."""

from collections.abc import Sequence
from typing import Final

from medassay.analyses.results import CorrelationResult, Results
from medassay.report.names import Names

__all__ = ["ALPHA", "by_primary", "significant_pairs"]

ALPHA: Final = 0.05


def by_primary(results: Results) -> tuple[list[CorrelationResult], list[CorrelationResult]]:
    """Part metrics from controls, by the consensus method of the primary source."""
    names = Names(results)
    primary = names.sources.get(results.primary)
    methods = list(dict.fromkeys(c.method for c in results.correlations))
    method = primary.method if primary and primary.method in methods else next(iter(methods), "")
    chosen = [c for c in results.correlations if c.method == method]
    known = {name: source.control for name, source in names.sources.items()}
    metrics = [c for c in chosen if not known.get(c.metric, False)]
    return metrics, [c for c in chosen if known.get(c.metric, False)]


def significant_pairs(correlations: Sequence[CorrelationResult]) -> str:
    """Say how many of the pairs tested stand; empty where one alone was tested, or none."""
    tested = [c.p for c in correlations if c.tau is not None and c.p is not None]
    adjusted = [
        c.p_adjusted for c in correlations if c.tau is not None and c.p_adjusted is not None
    ]
    if len(tested) < 2 or not adjusted:  # noqa: PLR2004 - said already of the one
        return ""
    stand = sum(p <= ALPHA for p in adjusted)
    verb = "stands" if stand < 2 else "stand"  # noqa: PLR2004 - one or none: singular
    return (
        f"{stand or 'none'} of {len(tested)} pairs of metric and dimension {verb} after Holm's "
        "correction over the metrics of a dimension"
    )
