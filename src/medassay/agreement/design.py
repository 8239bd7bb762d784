"""What in the design of a rating makes a coefficient say something else than it seems to."""

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from medassay.agreement.kappas import rater_pairs
from medassay.annotations import DesignName, RaterName, Words, record
from medassay.judgements import Units
from medassay.text import count_of, listed

Kind = Literal["no overlap", "chosen answers", "follows the others", "different texts"]
_SMALL: Final = 1e-4
"""A note is about a design, not about chance: only what chance does this rarely is said."""
_LEAST: Final = 10
"""With fewer answers than this on either side nothing is said."""
_ROUNDING: Final = 1e-7
"""Tables whose chances differ by less are equally rare, as R's fisher.test has it."""
_APART: Final = 0.2
"""The shares must differ by at least this much: with many answers anything is significant."""
_FEWEST_SHARE: Final = 0.25
"""A number of labels is full where at least this share of the answers has it."""


@record(infers=False)
class DesignNote:
    """One thing about the design that a reader of the coefficients must know.

    Attributes:
        dimension: The dimension; empty where it is about all of them.
        kind: no overlap: groups of raters share no answer, so nothing compares them. chosen
            answers: a rater was asked, or answered, where the others differ more (or less) than
            elsewhere. follows the others: where the others agree this rater never differs.
            different texts: raters saw different texts, which no label tells; who knows it says it.
        raters: Whom it is about.
        text: A sentence with the figures.
    """

    dimension: DesignName
    kind: Kind
    raters: tuple[RaterName, ...]
    text: Words


def check_design(units: Units) -> list[DesignNote]:
    """Look for designs that make a coefficient mean something else.

    Every coefficient takes labels as given independently, and holes as having nothing to do with
    the labels. A third rater who only breaks ties violates both: their labels sit on the hard
    answers, and pulling them in lowers (or, if they settle with one side, raises) agreement.

    Three checks, in exact tests, each said only where it is clear (p below 0.0001, at least ten
    answers on both sides, shares 20 points apart):

    - Raters who share no answers, directly or over others.
    - For each rater with holes: are their labels where the others differ? Fisher's exact test of
      'gave a label' against 'the others agree', on answers with two other labels.
    - For each rater: where the others agree, do they never differ, though others do in their place?
      A binomial bound with the rate at which the other raters differ.

    Example:
        >>> codes = [[0, 0, -1]] * 30 + [[0, 1, 1]] * 12
        >>> [note] = check_design(Units.from_codes(codes, ["yes", "no"]))
        >>> note.kind, note.raters
        ('chosen answers', ('rater 02',))
    """
    if units.of_numbers:  # two raters who agree need not give one number
        return _no_overlap(units)
    used = units.with_labels(2)
    return [*_no_overlap(units), *_chosen_answers(used), *_follows_the_others(used)]


def _no_overlap(units: Units) -> list[DesignNote]:
    group = list(range(len(units.raters)))
    for first, two in rater_pairs(units):
        joined, gone = sorted((group[first], group[two]))
        group = [joined if g == gone else g for g in group]
    active = sorted({int(r) for r in units.rater})
    groups = [tuple(r for r in active if group[r] == g) for g in sorted({group[r] for r in active})]
    if len(groups) < 2:  # noqa: PLR2004 - two groups or more are apart
        return []
    alone = [units.raters[members[0]] for members in groups if len(members) == 1]
    text = f"the raters fall into {len(groups)} groups that share no answer"
    if alone:
        text += f" ({listed(alone)} shares none with anyone)"
    text += ": each coefficient speaks only of raters within a group"
    return [DesignNote(units.dimension, "no overlap", tuple(units.raters[r] for r in active), text)]


def _chosen_answers(units: Units) -> list[DesignNote]:
    others = _Others.of(units)
    whole = units.counts.max(axis=1, initial=0) == units.counts.sum(axis=1)
    notes = []
    for place, rater in enumerate(units.raters):
        own = units.rater == place
        # Rows: the others differ, agree. Columns: gave a label, gave none.
        away = np.bincount(whole.astype(np.int64), minlength=2)
        away -= np.bincount(whole[units.unit[own]].astype(np.int64), minlength=2)
        agree = others.agree[own & others.judged]
        table = np.array([[np.sum(~agree), away[0]], [np.sum(agree), away[1]]])
        if table.sum(axis=0).min() < _LEAST or table.sum(axis=1).min() < _LEAST:
            continue
        differ, same = table[:, 0] / table.sum(axis=1)
        if abs(differ - same) < _APART or _fisher(table) > _SMALL:
            continue
        text = (
            f"{rater} labelled {100 * differ:.0f}% of the answers where the others differ and "
            f"{100 * same:.0f}% of those where they agree: these labels were not given to a "
            "chance sample of answers, and coefficients that include them are not those of a panel "
            f"that rates everything. Leave {rater} out, or read the pair of the others"
        )
        notes.append(DesignNote(units.dimension, "chosen answers", (rater,), text))
    return notes


def _follows_the_others(units: Units) -> list[DesignNote]:
    others = _Others.of(units)
    size = len(units.raters)
    agreeing = np.bincount(units.rater[others.agree], minlength=size)
    differing = np.bincount(units.rater[others.agree & others.differs], minlength=size)
    notes = []
    for place, rater in enumerate(units.raters):
        n, rest = int(agreeing[place]), int(agreeing.sum() - agreeing[place])
        rate = float(differing.sum() - differing[place]) / rest if rest else 0.0
        if n < _LEAST or differing[place] or (1 - rate) ** n > _SMALL:
            continue
        text = (
            f"wherever the others agree, {rater} agrees with them (0 of {n} differ; other raters "
            f"differ in {100 * rate:.0f}%), as if {rater} saw their labels or only settled ties. "
            f"Leave {rater} out of agreement"
        )
        notes.append(DesignNote(units.dimension, "follows the others", (rater,), text))
    return notes


@dataclass(frozen=True)
class _Others:
    """For each label given: what the other raters of its answer said.

    Attributes:
        judged: At least two others gave a label.
        agree: And all of them the same.
        differs: And this one is another.
    """

    judged: NDArray[np.bool_]
    agree: NDArray[np.bool_]
    differs: NDArray[np.bool_]

    @classmethod
    def of(cls, units: Units) -> "_Others":
        others = units.counts.sum(axis=1)[units.unit] - 1
        most = units.counts.max(axis=1, initial=0)[units.unit]
        judged = others >= 2  # noqa: PLR2004 - others can agree where there are two
        # All but this label are one: then it is the only one of its kind on the answer.
        differs = judged & (most == others) & (units.counts[units.unit, units.code] == 1)
        return cls(judged, judged & (most == others + 1) | differs, differs)


def _fisher(table: NDArray[np.int64]) -> float:
    """Give the two-sided p of Fisher's exact test; scipy.stats takes a second to import."""
    from scipy.special import gammaln

    (seen, right), (below, last) = table.tolist()
    row, column = seen + right, seen + below
    counts = np.arange(max(0, column - below - last), min(row, column) + 1)
    parts = counts, row - counts, column - counts, below + last - column + counts
    logs = -sum(gammaln(part + 1) for part in parts)
    chances = np.exp(logs - logs.max())
    rarer = chances <= chances[seen - counts[0]] * (1 + _ROUNDING)
    return float(chances[rarer].sum() / chances.sum())


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
    many = np.flatnonzero(answers >= _FEWEST_SHARE * answers.sum())
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
