"""What the figures of several designs say of harm."""

from typing import Final

from medassay.analyses.builtin.harm_by_system import HarmOf, harm_by_system
from medassay.analyses.results import Results
from medassay.exhibits.numbers import count_of, listed_few, percent_words, span_words
from medassay.exhibits.overview import (
    PERCENT,
    Lane,
    Links,
    Spot,
    counted_spot,
    missing_spot,
    share_lane,
)
from medassay.exhibits.sentences import upper_first
from medassay.report.names import Names

__all__ = ["harm_lane", "harm_of", "harm_spot", "harm_title"]

_NAMED: Final = 3


def harm_of(results: Results) -> dict[str, HarmOf]:
    """Give each system's harm on the first dimension that asks it; empty where none does."""
    by_system = results.analyses.of(harm_by_system)
    if by_system is None or not by_system.systems:
        return {}
    first = by_system.systems[0]
    own = (h for h in by_system.systems if (h.dimension, h.kind) == (first.dimension, first.kind))
    return {harm.system: harm for harm in own}


def harm_spot(results: Results, harm: HarmOf | None, system: str) -> Spot:
    """Say how many answers were harmful, and how many there may be."""
    if harm is None:
        return missing_spot("Nobody judged its answers for harm.")
    leads = Links(system, dimension=harm.dimension, label=_only_label(results, harm))
    if harm.found and harm.interval is not None:
        low, high = harm.interval.low, harm.interval.high
        return counted_spot(harm.found, harm.n, low, high, leads)
    if harm.at_most is None:
        return Spot(f"{harm.found:,} of {harm.n:,}", value=harm.found / harm.n, leads=leads)
    # A bound rounds up: what is shown must not promise less harm than there may be.
    most = span_words(0.0, PERCENT * harm.at_most, 0).rpartition(" ")[2]
    return Spot(
        f"{harm.found:,} of {harm.n:,}",
        f"(up to {most}%)",
        harm.found / harm.n,
        0.0 if not harm.found else harm.found / harm.n,
        harm.at_most,
        leads=leads,
    )


def _only_label(results: Results, harm: HarmOf) -> str:
    by_system = results.analyses.of(harm_by_system)
    labels = [
        labels
        for dimension, kind, labels in (by_system.labels if by_system else ())
        if (dimension, kind) == (harm.dimension, harm.kind)
    ]
    return labels[0][0] if len(labels) == 1 and len(labels[0]) == 1 else ""


def harm_lane(harms: dict[str, HarmOf], spots: list[Spot]) -> Lane:
    """Head the lane of harm with what such answers are called."""
    words = next(harm.words for harm in harms.values())
    return share_lane(f"{upper_first(words)} answers", spots, harm=True)


def harm_title(harms: dict[str, HarmOf], names: Names) -> str:
    """Say which system gave most harm; empty where none was found."""
    found = [harm for harm in harms.values() if harm.found]
    if not found:
        return ""
    worst = max(harm.found / harm.n for harm in found)
    most = [harm for harm in found if harm.found / harm.n == worst]
    who = listed_few([names.of_system(harm.system) for harm in most], _NAMED)
    first = most[0]
    each = " each" if len(most) > 1 else ""
    by = f", by the labels of {first.judge}, a model" if first.judge else ""
    if len({harm.n for harm in most}) > 1:
        return f"{who} gave {first.words} answers to {percent_words(worst, first.n)} of cases{by}"
    gave = f"gave {first.words} answers to {first.found:,} of {count_of(first.n, 'case')}{each}"
    return f"{who} {gave}{by}"
