"""SARI: does the answer keep, add and delete what the references do, seen from a source text?

For n-grams of order 1 to 4, with s, c and r the counts of a gram in the source, in the answer and
over all k references together:

    keep    grams of min(ks, kc):        good = min(that, r)
            P = mean of good / min(ks, kc) over these grams,  R = Σ good / Σ min(ks, r)
    delete  grams of ks − kc > 0:        good = max(ks − kc − r, 0)
            P = mean of good / (ks − kc) over these grams
    add     grams of the answer that the source lacks, as a set;  good = those a reference has
            P = good / all of them,  R = good / grams of the references that the source lacks

0/0 is 1. SARI is the mean over orders of (F of keep + P of delete + F of add) / 3, with
F = 2PR / (P + R), and 0 where both are 0.

Source: Xu et al. 2016, doi:10.1162/tacl_a_00107, with the recall of keep as a ratio of sums and
0/0 = 1, as the shared tasks' scorers have it (evaluate 0.4).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final

__all__ = ["ORDER", "Edits", "count_edits", "sari"]

ORDER: Final = 4

Gram = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Order:
    """What one order of n-grams needs of a source and its references, whatever the answer.

    Attributes:
        source: Count of each gram of the source, times the number of references.
        references: Count of each gram over all references.
        keepable: Σ min(ks, r) over the grams of the source.
        addable: Grams that the references have and the source lacks.
        deleted: Grams of the source that no reference has: deleting one is right in full.
        part: Deleting these is right in part, and how far where the answer has none of it.
    """

    source: dict[Gram, int]
    references: Counter[Gram]
    keepable: int
    addable: frozenset[Gram]
    deleted: int
    part: dict[Gram, float]


@dataclass(frozen=True, slots=True)
class Edits:
    """A source and its references, counted once for all answers.

    Attributes:
        times: The number of references.
        orders: What each order of n-grams needs.
    """

    times: int
    orders: tuple[_Order, ...]


def count_edits(source: Sequence[str], references: Sequence[Sequence[str]]) -> Edits:
    """Count the n-grams of a source and its references; all of them are tokens."""
    orders = []
    for n in range(1, ORDER + 1):
        times = {gram: count * len(references) for gram, count in _grams(source, n).items()}
        theirs: Counter[Gram] = Counter()
        for reference in references:
            theirs.update(_grams(reference, n))
        orders.append(
            _Order(
                times,
                theirs,
                sum(min(count, theirs[gram]) for gram, count in times.items()),
                frozenset(gram for gram in theirs if gram not in times),
                sum(gram not in theirs for gram in times),
                {g: (k - theirs[g]) / k for g, k in times.items() if 0 < theirs[g] < k},
            )
        )
    return Edits(len(references), tuple(orders))


def sari(answer: Sequence[str], edits: Edits) -> float:
    """Compute SARI of an answer's tokens, from 0 (worst) to 1.

    Example:
        >>> edits = count_edits("a b c".split(), ["a b d".split()])
        >>> sari("a b d".split(), edits)
        1.0
    """
    values = [
        _of_order(list(_walk(answer, n)), edits.times, order)
        for n, order in enumerate(edits.orders, start=1)
    ]
    return min(1.0, sum(values) / len(values))


def _walk(tokens: Sequence[str], n: int) -> Iterator[Gram]:
    return zip(*(tokens[i:] for i in range(n)), strict=False)


def _grams(tokens: Sequence[str], n: int) -> Counter[Gram]:
    return Counter(_walk(tokens, n))


def _of_order(answer: list[Gram], times: int, order: _Order) -> float:
    """Look at the grams that answer and source share; the source's others were counted before."""
    source, references = order.source, order.references
    distinct = set(answer)
    shared = distinct.intersection(source)
    counts = Counter(answer) if len(distinct) < len(answer) else None
    kept_good = 0
    # Added up at the end, exactly: the order of a set must not reach the last digit.
    kept_shares: list[float] = []
    # Deletions, had the answer none of the source's grams; corrected below for those that it has.
    deletions, deleted = len(source), order.deleted
    deleted_shares = [s for gram, s in order.part.items() if gram not in distinct]
    for gram in shared:
        here, theirs = source[gram], references[gram]
        answered = times if counts is None else counts[gram] * times
        mine = min(here, answered)
        good = min(mine, theirs)
        kept_good += good
        kept_shares.append(good / mine)
        deleted -= theirs == 0
        left = here - answered
        if left <= 0:
            deletions -= 1
        elif theirs < left:
            deleted_shares.append((left - theirs) / left)
    added, good_added = len(distinct) - len(shared), len(distinct & order.addable)
    keep = _f(_ratio(fsum(kept_shares), len(shared)), _ratio(kept_good, order.keepable))
    add = _f(_ratio(good_added, added), _ratio(good_added, len(order.addable)))
    return (keep + _ratio(fsum([deleted, *deleted_shares]), deletions) + add) / 3


def _ratio(part: float, whole: int) -> float:
    return part / whole if whole else 1.0


def _f(precision: float, recall: float) -> float:
    both = precision + recall
    return 2 * precision * recall / both if both else 0.0
