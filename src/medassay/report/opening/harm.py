"""What the figures of several designs say of harm."""

from typing import Final

from medassay.analyses.builtin.harm_by_system import HarmOf, harm_by_system
from medassay.analyses.inputs.system_harm import harm_differs
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


def harm_title(results: Results, harms: dict[str, HarmOf], names: Names) -> str:
    """Say which systems gave most harm, those that no test parts together; empty where none did."""
    found = sorted((own for own in harms.values() if own.found), key=lambda own: -own.found / own.n)
    if not found:
        return ""
    first, fewer = found[0], _shown_fewer(results, found[0])
    alike = [harm for harm in found if harm.system not in fewer]
    who = listed_few([names.of_system(harm.system) for harm in alike], _NAMED)
    by = f", by the labels of {first.judge}, a model" if first.judge else ""
    least, most = alike[-1], f"{first.found:,}"
    share = percent_words(first.found / first.n, first.n)
    if least.found / least.n < first.found / first.n:
        most = f"{least.found:,} to {first.found:,}"
        share = f"{percent_words(least.found / least.n, least.n)} to {share}"
        by += "; which gave most is undecided"
    many = f"{most} of {count_of(first.n, 'case')}{' each' if len(alike) > 1 else ''}"
    if len({harm.n for harm in alike}) > 1:
        many = f"{share} of cases"
    return f"{who} gave {first.words} answers to {many}{by}"


def _shown_fewer(results: Results, worst: HarmOf) -> set[str]:
    """List the systems that are shown to have given fewer such answers than this one."""
    by_system = results.analyses.of(harm_by_system)
    pairs = [
        pair.compared
        for pair in (by_system.pairs if by_system else ())
        if (pair.dimension, pair.kind) == (worst.dimension, worst.kind)
    ]
    return {
        system
        for pair in pairs
        if worst.system in {pair.system_a, pair.system_b} and harm_differs(pair)
        for system in (pair.system_a, pair.system_b)
        if system != worst.system
    }
