"""The answers with a full number of labels, for formulas that need one number for all."""

from typing import Final

import numpy as np

from medassay.agreement.design import check_design
from medassay.judgements import Units
from medassay.text import count_of

__all__ = ["FEWEST_SHARE", "complete_answers", "hangs_on_labels"]

FEWEST_SHARE: Final = 0.25
"""A number of labels is full where at least this share of the answers has it."""


def complete_answers(used: Units) -> tuple[Units, str]:
    """Keep the answers with the full number of labels, and say how many there are.

    A rater who has not finished leaves answers with one label fewer. Full is the largest number of
    labels that a quarter of the answers has, so that neither a stray extra label nor a rater who
    has barely begun decides; where no number has a quarter, the commonest.

    Args:
        used: Units with two labels or more each.

    Returns:
        The answers, and a note for the reader; the note is empty where all have the same number.

    Example:
        >>> units = Units.from_codes([[0, 0, 1], [1, 1, 0], [0, 1, -1]], ["no", "yes"])
        >>> kept, note = complete_answers(units)
        >>> len(kept), note
        (2, 'over the 2 answers with 3 labels; 1 answer with 2 is left out')
    """
    sizes, answers = np.unique(used.sizes, return_counts=True)
    if len(sizes) < 2:  # noqa: PLR2004 - two numbers or more differ
        return used, ""
    many = np.flatnonzero(answers >= FEWEST_SHARE * answers.sum())
    full = int(many[-1]) if many.size else len(sizes) - 1 - int(answers[::-1].argmax())
    rest = np.delete(sizes, full)
    left = int(answers.sum() - answers[full])
    span = f"{rest[0]}" if len(rest) == 1 else f"{rest[0]} to {rest[-1]}"
    return used.keep(used.sizes == sizes[full]), (
        f"over the {count_of(answers[full], 'answer')} with {sizes[full]} labels; "
        f"{count_of(left, 'answer')} with {span} {'is' if left == 1 else 'are'} left out"
    )


def hangs_on_labels(units: Units) -> str:
    """Say that labels decided which answers are complete, or nothing.

    Where a rater labelled what the others differ on, or agree on (see `check_design`), the answers
    with all labels are no sample of the answers, and nothing can be read from them alone.

    Args:
        units: The labels as they were given; a mapping hides where raters differ.

    Example:
        >>> codes = [[0, 0, -1]] * 30 + [[0, 1, 1]] * 12
        >>> hangs_on_labels(Units.from_codes(codes, ["no", "yes"]))
        'answers have 2 to 3 labels, and which have more hangs on what the others said (rater 02): \
those with all labels are no sample of the answers'
    """
    sizes = units.sizes[units.sizes > 1]
    if not sizes.size or sizes.min() == sizes.max():
        return ""
    chosen = [note for note in check_design(units) if note.kind == "chosen answers"]
    if not chosen:
        return ""
    raters = ", ".join(rater for note in chosen for rater in note.raters)
    return (
        f"answers have {sizes.min()} to {sizes.max()} labels, and which have more hangs on what "
        f"the others said ({raters}): those with all labels are no sample of the answers"
    )
