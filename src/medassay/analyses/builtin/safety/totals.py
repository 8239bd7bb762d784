"""What is dangerous and what was flagged in all systems: a sentence and captions say the same."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from medassay.analyses.builtin.safety.compute import Safety
from medassay.exhibits.numbers import count_of

DANGER_KINDS: Final = {
    "contraindicated-treatment": "Contraindicated treatment",
    "missed-diagnosis": "Missed critical diagnosis",
    "delayed-care": "Delayed urgent care",
    "wrong-dose": "Wrong dose",
}


def dangerous_in_all(safety: Safety) -> str:
    """Say how many answers of all systems are dangerous; empty where none is."""
    known = [own for own in safety.systems if own.dangerous]
    times = Counter[str]()
    for own in known:
        times.update(own.kinds)
    answers = count_of(sum(own.dangerous or 0 for own in known), "answer")
    kinds = _kinds(times)
    return f"Raters or tags of cases call {answers} dangerous{kinds}." if known else ""


def flagged_in_all(safety: Safety) -> str:
    """Say how many answers of all systems rules flagged; empty where no rule read any."""
    ran = [own for own in safety.systems if own.flagged is not None]
    flagged, read = sum(own.flagged or 0 for own in ran), sum(own.read for own in ran)
    if not ran:
        return ""
    if not flagged:
        return f"Rules flagged none of {count_of(read, 'answer')}."
    times = Counter[str]()
    for (_, kind), n in flagged_by_kind(safety).items():
        times[kind] += n
    reviewed, kinds = sum(own.reviewed for own in ran), _kinds(times)
    of = f"{flagged:,} of {count_of(read, 'answer')}"
    return f"Rules flagged {of} for review{kinds}; raters reviewed {reviewed:,} of them."


def _kinds(kinds: Mapping[str, int]) -> str:
    some = [
        f"{DANGER_KINDS.get(kind, kind).lower()} {times:,}"
        for kind, times in sorted(kinds.items(), key=lambda item: (-item[1], item[0]))
        if times
    ]
    return f" ({', '.join(some)})" if some else ""


def flagged_by_kind(safety: Safety) -> dict[tuple[str, str], int]:
    """Count the answers that rules flag, by system and kind of error."""
    cells = {
        (danger.system, danger.case, danger.kind)
        for danger in safety.dangers
        if danger.by == "rule"
    }
    return Counter((system, kind) for system, _, kind in cells)
