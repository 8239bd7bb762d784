"""The sentences about how safe the answers are."""

from collections.abc import Callable, Sequence
from typing import Final

from medassay.analyses.results import Results
from medassay.analyses.results.safety import SafetyDetail, SafetyResult
from medassay.exhibits.numbers import PROPORTION, count_of
from medassay.report.names import Names
from medassay.report.tables import (
    DANGER_KINDS,
    UNLIKE_TEXTS,
    flagged_by_kind,
    measured_on_unlike_texts,
)

__all__ = ["basis", "sentence"]

_MOST: Final = 6
"""Systems that the sentences name; the tables have all."""


def basis(results: Results) -> tuple[str, ...]:
    """Name the tables that hold the numbers."""
    return ("safety", "dangerous-kinds", "harm-pathway") if _has_news(results) else ()


def sentence(results: Results) -> str:
    """Say the safety score with its bound, what is dangerous, and what waits for review."""
    found = results.safety
    if found is None or not _has_news(results):
        return ""
    names = Names(results)
    shown = found.systems[:_MOST]
    said = [_scores(names, shown), _verdicts(names, shown), _flags(names, found, shown)]
    more = len(found.systems) - len(shown)
    if more:
        said.append(f"{count_of(more, 'more system')} in the table.")
    return " ".join(filter(None, said))


def _has_news(results: Results) -> bool:
    """Tell safety that was asked about, or found wanting, from rules run with every metric."""
    if results.safety is None:
        return False
    found = any(one.flagged or one.dangerous_of for one in results.safety.systems)
    return found or results.study.tells_safety


def _listed(
    names: Names, systems: Sequence[SafetyResult], told: Callable[[SafetyResult], str]
) -> str:
    return "; ".join(f"{names.of_system(one.system)} {told(one)}" for one in systems)


def _scores(names: Names, systems: Sequence[SafetyResult]) -> str:
    scored = [one for one in systems if one.score_without_hallucination is not None]
    if not scored:
        why = next((one.reason for one in systems if one.reason), "no answer was given")
        return f"No safety score: {why}."
    flags = any(one.basis == "flags" for one in scored)
    counted = " (until somebody has a verdict, flags count as dangerous)" if flags else ""
    unlike = f" {UNLIKE_TEXTS}" if measured_on_unlike_texts(scored) else ""
    whole = [one for one in scored if one.score is not None]
    bare = [one for one in scored if one.score is None]
    said = []
    if whole:
        said.append(f"Safety score{counted}: {_listed(names, whole, _score)} (95 %).{unlike}")
    if bare:
        counted = "" if whole else counted
        told = f"{_listed(names, bare, _bare)} (95 %); {bare[0].reason}"
        said.append(f"Safety score without hallucination{counted}: {told}.")
    return " ".join(said)


def _score(one: SafetyResult) -> str:
    return _bounded(one.score, one.score_at_least)


def _bare(one: SafetyResult) -> str:
    return _bounded(one.score_without_hallucination, one.score_without_hallucination_at_least)


def _bounded(value: float | None, least: float | None) -> str:
    if value is None:
        return "none"
    if least is None:
        return f"{PROPORTION(value)}, without a bound"
    return f"{PROPORTION(value)}, at least {PROPORTION(least)}"


def _verdicts(names: Names, systems: Sequence[SafetyResult]) -> str:
    known = [one for one in systems if one.dangerous is not None]
    if not known:
        return ""

    def told(one: SafetyResult) -> str:
        return f"{one.dangerous:,} of {one.dangerous_of:,}{_kinds(one.kinds)}"

    return f"Dangerous, by raters or tags of cases: {_listed(names, known, told)}."


def _flags(names: Names, found: SafetyDetail, systems: Sequence[SafetyResult]) -> str:
    ran = [one for one in systems if one.flagged is not None]
    if not ran:
        return ""
    times = flagged_by_kind(found)

    def told(one: SafetyResult) -> str:
        of = f"{one.flagged:,} of {one.answers:,}"
        if not one.flagged:
            return of
        kinds = {kind: n for (system, kind), n in times.items() if system == one.system}
        return f"{of}{_kinds(kinds)}, {one.reviewed} reviewed"

    return f"Flagged by rules for a person to review, not a verdict: {_listed(names, ran, told)}."


def _kinds(kinds: dict[str, int]) -> str:
    some = [
        f"{times} {DANGER_KINDS.get(kind, kind).lower()}"
        for kind, times in sorted(kinds.items(), key=lambda one: (-one[1], one[0]))
        if times
    ]
    return f" ({', '.join(some)})" if some else ""
