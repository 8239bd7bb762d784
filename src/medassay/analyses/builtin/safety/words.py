"""The sentences about how safe the answers are."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from medassay.analyses.builtin.safety.compute import Safety, SafetyOf
from medassay.analyses.builtin.safety.tables import (
    AT_LEAST,
    UNLIKE_TEXTS,
    measured_on_unlike_texts,
)
from medassay.analyses.builtin.safety.totals import dangerous_in_all, flagged_in_all
from medassay.exhibits import Claim, Names, VerdictKind, VerdictRow
from medassay.exhibits.claim import Finding, ReaderQuestion
from medassay.exhibits.numbers import PROPORTION, count_of, listed_few, percent_up
from medassay.exhibits.sentences import as_sentence

_BASIS: Final = ("safety", "dangerous-kinds", "harm-pathway")
_MOST: Final = 6
"""Systems that the sentences name; the tables have all."""


def safety_notes(safety: Safety, names: Names) -> tuple[str, ...]:
    """Say what no reader may miss: what is open, and what a clean result does not prove."""
    notes = []
    waiting = [own for own in safety.systems if own.flagged and own.flagged > own.reviewed]
    if waiting:
        answers = count_of(sum((own.flagged or 0) - own.reviewed for own in waiting), "answer")
        who = listed_few([names.of_system(own.system) for own in waiting])
        notes.append(f"No rater has reviewed {answers} of {who} that rules flagged.")
    if unsettled := sum(own.unsettled for own in safety.systems):
        answers = count_of(unsettled, "answer")
        notes.append(f"Raters disagree about {answers}, and nobody has adjudicated.")
    notes += [
        _none_seen(own, own.answers, own.bound.upper, names)
        for own in safety.systems
        if own.bound.upper is not None and own.dangerous == 0 and not own.flagged
    ]
    return tuple(notes)


def _none_seen(own: SafetyOf, n: int, upper: float, names: Names) -> str:
    who, up = names.of_system(own.system), percent_up(upper, own.answers)
    none = f"No dangerous answer of {who} in {n:,}"
    return f"{none}; the true rate could be up to {up} (one-sided 95% bound)."


def safety_claims(safety: Safety, _: Names) -> Iterator[Claim]:
    """Claim how many dangerous answers there may be at most, where a bound is told."""
    if any(own.bound.upper is not None for own in safety.systems):
        kind, row = VerdictKind.OWN_RATE, VerdictRow.HARM_BOUND
        yield Claim.of("dangerous", "upper bounds", kind, row=row)
        yield Claim.of("safety", "upper bounds", kind, row=row)


def safety_findings(safety: Safety, names: Names) -> tuple[Finding, ...]:
    """Say what is dangerous by system, and behind it scores and flags."""
    whole = _in_full(safety, names)
    if whole is None:
        return ()
    dangerous = Finding("dangerous", _dangerous(safety, names), _BASIS, ReaderQuestion.UNSAFE)
    alarms = any(own.dangerous for own in safety.systems)
    return (replace(dangerous, alarms=alarms), replace(whole, alarms=alarms))


def _dangerous(safety: Safety, names: Names) -> str:
    judged = [own for own in safety.systems if own.dangerous is not None and own.dangerous_of]
    judged.sort(key=lambda own: -(own.dangerous_rate or 0.0))
    lines = list(_of_systems(judged, names))
    if not judged:
        lines.append("No rater has judged whether answers are dangerous.")
    waiting = sum((own.flagged or 0) - own.reviewed for own in safety.systems)
    if waiting > 0:
        answers = count_of(waiting, "answer")
        lines.append(
            f"Rules flag {answers} that no rater has reviewed: a reason to look, not a verdict."
        )
    if all(own.hallucinated is None for own in safety.systems):
        lines.append("Made-up claims were not measured: no entailment model is named.")
    return " ".join(lines)


def _of_systems(judged: Sequence[SafetyOf], names: Names) -> Iterator[str]:
    """Say how many answers of the worst are dangerous, who else gave some, and who gave none."""
    bad = [own for own in judged if own.dangerous]
    clean = [own for own in judged if not own.dangerous]
    if bad:
        worst, *rest = bad
        who, judged_n = names.of_system(worst.system), count_of(worst.dangerous_of, "judged answer")
        possible = _possible(worst)
        yield f"{who} was dangerous in {worst.dangerous:,} of {judged_n}{possible}."
        if rest:
            others = listed_few([names.of_system(own.system) for own in rest], _MOST)
            yield f"{others} also gave dangerous answers."
    if len(clean) == 1 and clean[0].bound.upper is not None:
        yield _none_seen(clean[0], clean[0].dangerous_of, clean[0].bound.upper, names)
    elif clean:
        who = listed_few([names.of_system(own.system) for own in clean], _MOST)
        uppers = [(own.bound.upper, own.answers) for own in clean if own.bound.upper is not None]
        up = percent_up(*max(uppers)) if uppers else "100%"
        none = f"No judged answer of {who} is dangerous"
        yield f"{none}; the true rate could be up to {up} (one-sided 95% bound)."
    yield from dict.fromkeys(as_sentence(own.bound.few) for own in judged if own.bound.few)


def _possible(own: SafetyOf) -> str:
    """Say what is possible among all of a system's answers; a bound that bounds nothing is none."""
    unjudged = own.answers - (own.dangerous_of or 0)
    up = "" if own.bound.upper is None else percent_up(own.bound.upper, own.answers)
    if not up or up.startswith("100"):
        return f" ({unjudged:,} more unjudged)" if unjudged else ""
    could = f"up to {up} of all its {own.answers:,}"
    could = could if unjudged else f"the true rate could be up to {up}"
    return f" ({could}; one-sided 95% bound)"


def _in_full(safety: Safety, names: Names) -> Finding | None:
    """Say the safety score with its bound, what is dangerous, and what waits for review.

    Nothing where safety was neither asked about nor found wanting: rules run with every metric.
    """
    if not safety.asked and not any(own.flagged or own.dangerous_of for own in safety.systems):
        return None
    sentences = [*_scores(names, safety.systems), dangerous_in_all(safety), flagged_in_all(safety)]
    return Finding("safety", " ".join(filter(None, sentences)), _BASIS)


def _scores(names: Names, systems: Sequence[SafetyOf]) -> Iterator[str]:
    """Say the lowest safety score, and the lowest of those without hallucination."""
    scored = [safety for safety in systems if safety.score_without_hallucination is not None]
    if not scored:
        why = next((safety.reason for safety in systems if safety.reason), "no answer was given")
        yield f"No safety score: {why}."
        return
    whole = [(own.score, own.score_at_least, own) for own in scored if own.score is not None]
    bare = [
        (own.score_without_hallucination, own.score_without_hallucination_at_least, own)
        for own in scored
        if own.score is None and own.score_without_hallucination is not None
    ]
    if whole:
        yield _lowest("safety score", whole, names)
    if bare:
        yield _lowest("safety score without hallucination", bare, names)
        yield as_sentence(bare[0][2].reason)
    if any(safety.basis == "flags" for safety in scored):
        yield "Until a rater has a verdict, flags count as dangerous."
    if measured_on_unlike_texts(scored):
        yield UNLIKE_TEXTS


def _lowest(score: str, own: Sequence[tuple[float, float | None, SafetyOf]], names: Names) -> str:
    """Say which system has the lowest score; of one system just its score."""
    value, least, _ = min(own, key=lambda scored: scored[0])
    who = listed_few([names.of_system(each.system) for v, _, each in own if v == value])
    bound = (
        "without a bound" if least is None else f"at least {AT_LEAST(least)}, one-sided 95% bound"
    )
    if len(own) == 1:
        return f"The {score} of {who} is {PROPORTION(value)} ({bound})."
    return f"The lowest {score} is {PROPORTION(value)} ({who}; {bound})."
