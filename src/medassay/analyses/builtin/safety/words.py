"""The sentences about how safe the answers are."""

from collections.abc import Callable, Sequence
from typing import Final

from medassay.analyses.builtin.safety.record import Safety, SafetyOf
from medassay.analyses.builtin.safety.tables import (
    DANGER_KINDS,
    UNLIKE_TEXTS,
    flagged_by_kind,
    measured_on_unlike_texts,
)
from medassay.exhibits import Names
from medassay.exhibits.finding import Finding, ReaderQuestion
from medassay.exhibits.numbers import PROPORTION, count_of, listed_few
from medassay.exhibits.sentences import as_sentence

__all__ = ["safety_findings", "safety_notes"]

_BASIS: Final = ("safety", "dangerous-kinds", "harm-pathway")
_MOST: Final = 6
"""Systems that the sentences name; the tables have all."""


def safety_notes(safety: Safety, names: Names) -> tuple[str, ...]:
    """Say what no reader may miss: what is open, and what a clean result does not prove."""
    notes = []
    waiting = [own for own in safety.systems if own.flagged and own.flagged > own.reviewed]
    if waiting:
        answers = sum((own.flagged or 0) - own.reviewed for own in waiting)
        notes.append(
            f"Nobody has reviewed {count_of(answers, 'flagged answer')} of "
            f"{listed_few([names.of_system(own.system) for own in waiting])}."
        )
    unsettled = sum(own.unsettled for own in safety.systems)
    if unsettled:
        answers_said = count_of(unsettled, "answer")
        notes.append(f"On {answers_said} raters differ and nobody has adjudicated.")
    notes += [
        f"{names.of_system(own.system)}: no dangerous answer was seen in {own.answers}; that is "
        f"compatible with up to {100 * own.bound.upper:.1f}% (95%, one-sided)."
        for own in safety.systems
        if own.bound.upper is not None and own.dangerous == 0 and not own.flagged
    ]
    return tuple(notes)


def safety_findings(safety: Safety, names: Names) -> tuple[Finding, ...]:
    """Say what is dangerous by system, and behind it scores and flags."""
    whole = _in_full(safety, names)
    if whole is None:
        return ()
    dangerous = Finding("dangerous", _dangerous(safety, names), _BASIS, ReaderQuestion.UNSAFE)
    return (dangerous, whole)


def _dangerous(safety: Safety, names: Names) -> str:
    judged = [own for own in safety.systems if own.dangerous is not None and own.dangerous_of]
    judged.sort(key=lambda own: -(own.dangerous_rate or 0.0))
    lines = [_of_system(own, names) for own in judged[:_MOST]]
    if len(judged) > _MOST:
        lines.append(f"{count_of(len(judged) - _MOST, 'more system')} in the table.")
    if not judged:
        lines.append("Nobody has judged whether an answer is dangerous.")
    waiting = sum((own.flagged or 0) - own.reviewed for own in safety.systems)
    if waiting > 0:
        lines.append(
            f"Rules flag {count_of(waiting, 'answer')} that nobody has reviewed: a reason to look, "
            "not a verdict."
        )
    if all(own.hallucinated is None for own in safety.systems):
        lines.append("Made-up claims were not measured: no entailment model is named.")
    return " ".join(lines)


def _of_system(own: SafetyOf, names: Names) -> str:
    """Say how many of those judged are dangerous, and what is possible among all answers."""
    many = f"{own.dangerous:,}" if own.dangerous else "none"
    judged = count_of(own.dangerous_of, "judged answer")
    text = f"{names.of_system(own.system)}: {many} of {judged} dangerous"
    upper = own.bound.upper
    if upper is None:
        return f"{text}."
    few = f" {as_sentence(own.bound.few)}" if own.bound.few else ""
    most = f"up to {100 * upper:.0f}% of its {own.answers:,} may be (one-sided 95%)"
    return f"{text}; {most}.{few}"


def _in_full(safety: Safety, names: Names) -> Finding | None:
    """Say the safety score with its bound, what is dangerous, and what waits for review.

    Nothing where safety was neither asked about nor found wanting: rules run with every metric.
    """
    if not safety.asked and not any(own.flagged or own.dangerous_of for own in safety.systems):
        return None
    first = safety.systems[:_MOST]
    sentences = [_scores(names, first), _verdicts(names, first), _flags(names, safety, first)]
    more = len(safety.systems) - len(first)
    if more:
        sentences.append(f"{count_of(more, 'more system')} in the table.")
    text = " ".join(filter(None, sentences))
    return Finding("safety", text, _BASIS)


def _listed(names: Names, systems: Sequence[SafetyOf], words_of: Callable[[SafetyOf], str]) -> str:
    return "; ".join(f"{names.of_system(safety.system)} {words_of(safety)}" for safety in systems)


def _scores(names: Names, systems: Sequence[SafetyOf]) -> str:
    scored = [safety for safety in systems if safety.score_without_hallucination is not None]
    if not scored:
        why = next((safety.reason for safety in systems if safety.reason), "no answer was given")
        return f"No safety score: {why}."
    flags = any(safety.basis == "flags" for safety in scored)
    counted = " (until somebody has a verdict, flags count as dangerous)" if flags else ""
    unlike = f" {UNLIKE_TEXTS}" if measured_on_unlike_texts(scored) else ""
    whole = [safety for safety in scored if safety.score is not None]
    bare = [safety for safety in scored if safety.score is None]
    lines = []
    if whole:
        lines.append(f"Safety score{counted}: {_listed(names, whole, _score)} (95%).{unlike}")
    if bare:
        counted = "" if whole else counted
        text = f"{_listed(names, bare, _bare)} (95%); {bare[0].reason}"
        lines.append(f"Safety score without hallucination{counted}: {text}.")
    return " ".join(lines)


def _score(safety: SafetyOf) -> str:
    return _bounded(safety.score, safety.score_at_least)


def _bare(safety: SafetyOf) -> str:
    return _bounded(safety.score_without_hallucination, safety.score_without_hallucination_at_least)


def _bounded(value: float | None, least: float | None) -> str:
    if value is None:
        return "none"
    if least is None:
        return f"{PROPORTION(value)}, without a bound"
    return f"{PROPORTION(value)}, at least {PROPORTION(least)}"


def _verdicts(names: Names, systems: Sequence[SafetyOf]) -> str:
    known = [safety for safety in systems if safety.dangerous is not None]
    if not known:
        return ""

    def told(measured: SafetyOf) -> str:
        return f"{measured.dangerous:,} of {measured.dangerous_of:,}{_kinds(measured.kinds)}"

    return f"Dangerous, by raters or tags of cases: {_listed(names, known, told)}."


def _flags(names: Names, safety: Safety, systems: Sequence[SafetyOf]) -> str:
    ran = [safety for safety in systems if safety.flagged is not None]
    if not ran:
        return ""
    times = flagged_by_kind(safety)

    def told(safety_result: SafetyOf) -> str:
        of = f"{safety_result.flagged:,} of {safety_result.read:,}"
        if not safety_result.flagged:
            return of
        kinds = {kind: n for (system, kind), n in times.items() if system == safety_result.system}
        return f"{of}{_kinds(kinds)}, {safety_result.reviewed} reviewed"

    return f"Flagged by rules for a person to review, not a verdict: {_listed(names, ran, told)}."


def _kinds(kinds: dict[str, int]) -> str:
    some = [
        f"{times} {DANGER_KINDS.get(kind, kind).lower()}"
        for kind, times in sorted(kinds.items(), key=lambda item: (-item[1], item[0]))
        if times
    ]
    return f" ({', '.join(some)})" if some else ""
