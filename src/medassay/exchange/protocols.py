"""What is said of an import that makes a study of a protocol's own files."""

from collections.abc import Sequence
from pathlib import Path

from medassay.exchange.outcome import Outcome

__all__ = ["told"]


def told(
    study: Path,
    facts: object,
    counts: Sequence[tuple[int, str, str]],
    *,
    files: Sequence[str],
    notes: Sequence[str],
) -> Outcome:
    """Say what was odd about the files, what was taken, and what comes next.

    Args:
        study: The study's folder.
        facts: The same for machines.
        counts: How many of each thing, and its names for one and for many.
        files: What was written.
        notes: What was odd.
    """
    taken = (f"{n} {singular if n == 1 else many}" for n, singular, many in counts)
    return Outcome(
        [
            *(f"note: {note}" for note in notes),
            f"Taken: {', '.join(taken)}.",
            *(f"wrote {file}" for file in files),
            f"Next: medassay run {study}",
        ],
        facts,
    )
