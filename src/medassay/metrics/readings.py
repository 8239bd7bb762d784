"""How much of a study each metric can read, in sentences for whoever reads its scores."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from medassay.metrics.bound import BoundMetric
from medassay.metrics.registry import Pair
from medassay.text import count_of, listed, plural

__all__ = ["Reading", "describe_readings", "readings_of", "why_nothing_rests"]

_HALF: Final = 0.5


@dataclass
class Reading:
    """What a metric could read of some answers.

    Attributes:
        what: What it reads.
        cases: Ids of the cases that it was to read.
        unread: Those of which it cannot read what answers are compared with.
        flat: Those on which even the reference's own text would not get the best value.
        answers: How many answers there were.
        worst: How many count as its worst value, since it cannot read them.
        without: How many have no value, since it cannot read them.
    """

    what: str
    cases: set[str] = field(default_factory=set)
    unread: set[str] = field(default_factory=set)
    flat: set[str] = field(default_factory=set)
    answers: int = 0
    worst: int = 0
    without: int = 0


def readings_of(metrics: Sequence[BoundMetric], pairs: Iterable[Pair]) -> dict[str, Reading]:
    """Count what each metric that declares what it reads could not read; all in one pass."""
    tallies: dict[str, tuple[BoundMetric, Reading]] = {}
    for metric in metrics:
        reads = metric.declaration.reads
        if reads is not None and metric.missing is None:
            tallies[str(metric.name)] = metric, Reading(reads.what)
    for pair in pairs if tallies else ():
        for name, (metric, tally) in list(tallies.items()):
            try:
                _count(metric, tally, pair)
            except Exception:  # noqa: BLE001 - other people's code; its scores say that it failed
                del tallies[name]
    return {name: tally for name, (_, tally) in tallies.items()}


def _count(metric: BoundMetric, tally: Reading, pair: Pair) -> None:
    reads = metric.declaration.reads
    if reads is None or metric.why_not(*pair) is not None:
        return
    case, answer = pair
    tally.answers += 1
    tally.cases.add(case.case)
    if metric.not_read(case, answer) is not None:
        tally.unread.add(case.case)
        return
    if case.case not in tally.flat and not metric.tells(case):
        tally.flat.add(case.case)
    if not reads.answer_is_read(answer, metric.arguments):
        if reads.of_case is None or not isinstance(metric.declaration.if_no_answer, float | int):
            tally.without += 1
        else:
            tally.worst += 1


def describe_readings(readings: Mapping[str, Reading]) -> list[str]:
    """Say what metrics could not read, metrics of one outcome together.

    Example:
        >>> seen = Reading("a–z", {"1", "2"}, {"2"}, answers=4, worst=1)
        >>> sentences = describe_readings({"rouge1": seen, "rouge2": seen})
        >>> sentences[1]
        'rouge1 and rouge2 cannot read 1 of 4 answers, which counts as their worst value.'
    """
    together: dict[tuple[object, ...], list[str]] = {}
    for name, seen in readings.items():
        outcome = (
            *(seen.what, len(seen.cases), len(seen.unread), len(seen.flat)),
            *(seen.answers, seen.worst, seen.without),
        )
        together.setdefault(outcome, []).append(name)
    return [
        sentence
        for names in together.values()
        for sentence in _sentences(names, readings[names[0]])
    ]


def _sentences(names: Sequence[str], seen: Reading) -> list[str]:
    who = listed(names)
    read, they, their = ("reads", "it", "its") if len(names) == 1 else ("read", "they", "their")
    of_cases, of_answers = count_of(len(seen.cases), "case"), count_of(seen.answers, "answer")
    sentences = []
    if seen.unread:
        has = plural(len(seen.unread), "has", "have")
        sentences.append(
            f"{who} {read} {seen.what} only: {len(seen.unread):,} of {of_cases} {has} texts that"
            f" {they} cannot read, and no score."
        )
    if seen.worst:
        counts = plural(seen.worst, "counts", "count")
        sentences.append(
            f"{who} cannot read {seen.worst:,} of {of_answers}, which {counts} as {their} worst"
            " value."
        )
    if seen.without:
        has = plural(seen.without, "has", "have")
        sentences.append(
            f"{who} {read} {seen.what} only: {they} cannot read {seen.without:,} of {of_answers},"
            f" which {has} no score."
        )
    if seen.flat:
        ranked = (
            " No system is ranked by it, and it is not tested against raters."
            if _is_flat(seen)
            else ""
        )
        sentences.append(
            f"By its published rule {who} is not at its best on {len(seen.flat):,} of {of_cases},"
            f" even for the reference's own text.{ranked}"
        )
    return sentences


def why_nothing_rests(metric: BoundMetric, pairs: Iterable[Pair]) -> str:
    """Say why no rank and no sentence rests on a metric; empty where they may."""
    reads = metric.declaration.reads
    if reads is None or reads.tells is None:
        return ""
    seen = readings_of([metric], pairs).get(str(metric.name))
    if seen is None or not _is_flat(seen):
        return ""
    return (
        f"by its published rule {metric.name} is not at its best on {len(seen.flat):,} of"
        f" {count_of(len(seen.cases), 'case')}, even for the reference's own text"
    )


def _is_flat(seen: Reading) -> bool:
    return bool(seen.cases) and len(seen.flat) >= _HALF * len(seen.cases)
