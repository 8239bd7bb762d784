"""The sentence about what automatic metrics may be used for in the raters' place."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from medassay.analyses.inputs.metric_uses import TrustOn
from medassay.exhibits import Claim, Names, VerdictKind, VerdictRow
from medassay.exhibits.finding import Finding, ReaderQuestion
from medassay.exhibits.numbers import PROPORTION, count_of, listed_few, number_word
from medassay.exhibits.sentences import upper_first
from medassay.validity import (
    BETWEEN_SYSTEMS,
    BETWEEN_VERSIONS,
    GATE_SYSTEMS,
    TrustEntry,
    at_best,
)

__all__ = ["trust_claims", "trust_finding"]

_MEANS: Final = {
    "rank": "order systems of the kinds that were there in the raters' place",
    "screen": "choose which systems the raters see",
    f"gate {BETWEEN_SYSTEMS}": "tell a worse system from a better one; this is not shown for "
    "versions of one system",
    f"gate {BETWEEN_VERSIONS}": "stop a change that makes answers worse",
}


def trust_claims(trusted: Sequence[TrustOn], _: Names) -> Iterator[Claim]:
    """Claim what metrics may be used for, by the rates of their permits."""
    if any(_metrics(trust) for trust in trusted):
        yield Claim.of("uses", "permits of metrics", VerdictKind.OWN_RATE, row=VerdictRow.PERMIT)


def trust_finding(trusted: Sequence[TrustOn], names: Names) -> Finding | None:
    """Say which metric may be used for what, or why none can be tested here.

    Nothing where no metric, or none that a system's answers have a score of, was held against
    raters: the sentence about tau says why.
    """
    text = _sentence(trusted, names)
    return Finding("uses", text, ("trust",), ReaderQuestion.METRICS) if text else None


def _sentence(trusted: Sequence[TrustOn], names: Names) -> str:
    tested = [(trust, entry) for trust in trusted for entry in _metrics(trust)]
    systems = max((entry.n_systems for _, entry in tested), default=0)
    if not systems:
        return ""
    permitted = list(_permitted(names, tested))
    metrics = len({entry.metric for _, entry in tested})
    if permitted:
        rest = "Nothing else is shown to be usable in the raters' place."
        return f"{' '.join(permitted)} {rest}"
    nearest = f"None of {count_of(metrics, 'metric')} may be used in the raters' place."
    nearest += _nearest(names, tested)
    if systems < GATE_SYSTEMS and at_best(systems, len(tested), 1).tau is not None:
        few = f"{upper_first(number_word(systems))} systems are few"
        return f"{nearest} {few}: plan for {number_word(GATE_SYSTEMS)} or more."
    if systems < GATE_SYSTEMS:
        few = "system is" if systems == 1 else "systems are"
        return (
            f"{upper_first(number_word(systems))} {few} too few to test an automatic metric "
            f"against the raters; plan for {number_word(GATE_SYSTEMS)} or more. Until then use "
            "none in their place."
        )
    return nearest


def _metrics(trust: TrustOn) -> list[TrustEntry]:
    return [entry for entry in trust.table.entries if entry.role == "metric"]


def _permitted(names: Names, tested: list[tuple[TrustOn, TrustEntry]]) -> Iterator[str]:
    for use, means in _MEANS.items():
        where: dict[str, list[str]] = {}
        for trust, entry in tested:
            if use in _permits(entry):
                where.setdefault(names.of_source(entry.metric), []).append(
                    names.of_dimension(trust.dimension)
                )
        if where:
            yield f"{upper_first(_who(where))} may {use} ({means})."


def _permits(entry: TrustEntry) -> set[str]:
    return {*entry.uses} | {f"gate {scope}" for scope in entry.scopes}


def _who(where: Mapping[str, list[str]]) -> str:
    """Join metrics that may be used on the same dimensions."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for metric, dimensions in where.items():
        alike.setdefault(tuple(dimensions), []).append(metric)
    return "; ".join(
        f"on {listed_few(dimensions, 3)} {listed_few(metrics, 4)}"
        for dimensions, metrics in alike.items()
    )


def _nearest(names: Names, tested: list[tuple[TrustOn, TrustEntry]]) -> str:
    """Name the metric that comes nearest to the raters' order, with how far it may be from it."""
    valued = [(entry.tau, trust, entry) for trust, entry in tested if entry.tau is not None]
    if not valued:
        return ""
    tau, trust, entry = max(valued, key=lambda item: item[0])
    text = f"{names.of_source(entry.metric)} on {names.of_dimension(trust.dimension)}"
    around = ""
    if entry.interval is not None:
        ends = f"{PROPORTION(entry.interval.low)} to {PROPORTION(entry.interval.high)}"
        around = (
            f" ({ends}; {100 * trust.table.level:g} % for all metrics of the dimension together, "
            f"{entry.interval.estimand})"
        )
    return f" Nearest to their order: {text}, tau {PROPORTION(tau)}{around}."
