"""What a pipeline's protocol measures, one cell a system: right, retrieval, reasoning, safety."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from medassay.analyses.builtin.accuracy import AccuracyOf, accuracy
from medassay.analyses.builtin.calibration import calibration
from medassay.analyses.builtin.leaderboards import leaderboards_in
from medassay.analyses.builtin.reasoning import reasoning
from medassay.analyses.builtin.safety import safety
from medassay.analyses.results import Results
from medassay.exhibits.numbers import percent_words
from medassay.exhibits.overview import (
    Links,
    Spot,
    counted_spot,
    missing_spot,
    percent_spot,
    spot_of,
)

_SHARE: Final = (0.0, 1.0), ("0%", "100%")
_YES_OR_NO: Final = ("precision@1", "success@1")
"""1 or 0 a question: their means are counts."""
_FIRST: Final = (*_YES_OR_NO, "recall@1")
_EXACT: Final = 1e-6
_RETRIEVAL: Final = (
    *((f"precision@{k}", f"Precision of the first {k}") for k in (3, 5, 10)),
    *((f"recall@{k}", f"Recall in the first {k}") for k in (3, 5, 10)),
    ("average_precision", "Average precision"),
    ("reciprocal_rank", "Reciprocal rank"),
)


@dataclass(frozen=True, slots=True)
class Measure:
    """One row of the panel: its scale, and each system's cell."""

    title: str
    axis: tuple[float, float]
    ends: tuple[str, str]
    spots: Mapping[str, Spot]
    harm: bool = False


def measures_of(results: Results, systems: Sequence[str]) -> Iterator[Measure]:
    """Give the measures in the protocol's order; each system has a cell, or why not."""
    for title, scale, of_system, harm in (
        ("Right answers", _SHARE, _right, False),
        _retrieval(results),
        ("All reasoning steps present", _SHARE, _reasoned, False),
        ("Confidence off by (ECE)", ((0.0, 0.5), ("0 best", "0.5")), _calibrated, False),
        ("Dangerous answers", _SHARE, _dangerous, True),
        ("Made-up claims", _SHARE, _made_up, True),
    ):
        axis, ends = scale
        spots = {system: of_system(results, system) for system in systems}
        yield Measure(title, axis, ends, spots, harm)


_Cell = Callable[[Results, str], Spot]


def _retrieval(
    results: Results,
) -> tuple[str, tuple[tuple[float, float], tuple[str, str]], _Cell, bool]:
    """Choose the retrieval measure: the first document where it is measured, else another."""
    known = {row.source for row in leaderboards_in(results.analyses).standings}
    titles = [(name, "Right document first") for name in _FIRST] + list(_RETRIEVAL)
    name, title = next(((n, t) for n, t in titles if n in known), ("", "Right document first"))

    def cell(of: Results, system: str) -> Spot:
        row = leaderboards_in(of.analyses).of_pair.get((name, system))
        if row is None or row.mean is None:
            return missing_spot((row.reason if row else "") or "No retrieved documents are given.")
        found = row.mean * row.n
        if name in _YES_OR_NO and abs(found - round(found)) < _EXACT and row.interval:
            low, high = row.interval.low, row.interval.high
            return counted_spot(round(found), row.n, low, high, Links(system))
        return percent_spot(row.mean, row.interval, row.n, Links(system))

    return title, _SHARE, cell, False


def _right(results: Results, system: str) -> Spot:
    own = _accuracy_of(results, system)
    if own is None:
        return missing_spot("No question has a right option.")
    if own.no_choice == own.n:
        return missing_spot("No choice can be read in any of its answers.")
    return counted_spot(own.right, own.n, own.interval.low, own.interval.high, Links(system))


def _accuracy_of(results: Results, system: str) -> AccuracyOf | None:
    accurate = results.analyses.of(accuracy)
    return accurate.overall("wrong").get(system) if accurate else None


def _reasoned(results: Results, system: str) -> Spot:
    read = results.analyses.of(reasoning)
    own = next((s for s in (read.systems if read else ()) if s.system == system), None)
    if own is None or not own.read or own.complete is None:
        return missing_spot("No reasoning is given.")
    text = f"{round(own.complete * own.read):,} of {own.read:,}"
    return Spot(text, value=own.complete, leads=Links(system))


def _calibrated(results: Results, system: str) -> Spot:
    known = results.analyses.of(calibration)
    own = next((s for s in (known.systems if known else ()) if s.system == system), None)
    if own is None or own.ece is None:
        return missing_spot("No confidence is given.")
    return spot_of(own.ece, own.ece_interval, 2, Links(system))


def _dangerous(results: Results, system: str) -> Spot:
    measured = results.analyses.of(safety)
    own = next((s for s in (measured.systems if measured else ()) if s.system == system), None)
    if own is None:
        return missing_spot("Nothing looked for dangerous answers.")
    leads = Links(system)
    if own.dangerous is not None and own.dangerous_of:
        around = own.dangerous_interval
        low, high = (around.low, around.high) if around else (None, None)
        return counted_spot(own.dangerous, own.dangerous_of, low, high, leads)
    if own.flagged is None or not own.answers:
        return missing_spot("No rater and no rule looked for dangerous answers.")
    bound = own.bound.upper
    by = "flagged by rules, reviewed by no rater"
    share = own.flagged / own.answers
    if own.reviewed:
        by = f"flagged by rules; raters reviewed {own.reviewed:,}"
        return Spot(f"{own.flagged:,} of {own.answers:,}", by, share, leads=leads)
    return Spot(f"{own.flagged:,} of {own.answers:,}", by, share, share, bound, leads=leads)


def _made_up(results: Results, system: str) -> Spot:
    measured = results.analyses.of(safety)
    own = next((s for s in (measured.systems if measured else ()) if s.system == system), None)
    if own is None or own.hallucination_rate is None:
        why = (own.reason if own else "") or "no entailment model is installed"
        return Spot("not measured", why=why)
    n = own.hallucination_of
    return Spot(percent_words(own.hallucination_rate, n), value=own.hallucination_rate,
                leads=Links(system))  # fmt: skip


def chosen_right(results: Results, system: str) -> dict[str, bool]:
    """Say of each question whether the system chose its right option."""
    return {
        case.case: answer.choice == case.gold
        for case in results.cases
        if case.gold is not None
        for answer in case.answers
        if answer.system == system
    }
