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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from medassay.metrics.arithmetic.ngrams import Ngrams

__all__ = ["Edits", "count_edits", "sari"]


@dataclass(frozen=True, slots=True)
class _Order:
    """What one order of n-grams needs of a source and its references, whatever the answer.

    Of a gram that the source has once, all copies are kept by an answer that has it, and none by
    one that lacks it, however often it has it. So such grams can be counted as sets; only those
    that the source has more often are looked at one by one.

    Attributes:
        distinct: The grams of the source.
        once: Those that it has once, by how many of their k copies the references have.
        often: Count of each gram that it has more often, times the number of references.
        references: Count of each gram over all references.
        keepable: Σ min(ks, r) over the grams of the source.
        addable: Grams that the references have and the source lacks.
        deleted: Grams of the source that no reference has: deleting one is right in full.
        part: How far deleting all of a gram is right, where it is so in part.
        partial: The grams of `part`, as a set.
    """

    distinct: frozenset[int]
    once: tuple[frozenset[int], ...]
    often: Mapping[int, int]
    references: Counter[int]
    keepable: int
    addable: frozenset[int]
    deleted: int
    part: Mapping[int, float]
    partial: frozenset[int]


@dataclass(frozen=True, slots=True)
class Edits:
    """A source and its references, counted once for all answers.

    Attributes:
        times: The number of references.
        orders: What each order of n-grams needs.
    """

    times: int
    orders: tuple[_Order, ...]


def count_edits(source: Ngrams, references: Sequence[Ngrams]) -> Edits:
    """Put the counted n-grams of a source and its references together, for all answers."""
    orders = []
    for n, distinct in enumerate(source.distinct):
        times = {gram: source.repeated[n].get(gram, 1) * len(references) for gram in distinct}
        theirs: Counter[int] = Counter()
        for reference in references:
            theirs.update(reference.distinct[n])
            theirs.update({gram: count - 1 for gram, count in reference.repeated[n].items()})
        part = {g: (k - theirs[g]) / k for g, k in times.items() if 0 < theirs[g] < k}
        once: list[set[int]] = [set() for _ in range(len(references) + 1)]
        for gram in distinct - source.repeated[n].keys():
            once[min(theirs[gram], len(references))].add(gram)
        orders.append(
            _Order(
                distinct=distinct,
                once=tuple(map(frozenset, once)),
                often={gram: times[gram] for gram in source.repeated[n]},
                references=theirs,
                keepable=sum(min(count, theirs[gram]) for gram, count in times.items()),
                addable=frozenset(theirs) - distinct,
                deleted=sum(gram not in theirs for gram in times),
                part=part,
                partial=frozenset(part),
            )
        )
    return Edits(len(references), tuple(orders))


def sari(answer: Ngrams, edits: Edits) -> float:
    """Compute SARI of an answer's n-grams, from 0 (worst) to 1.

    Example:
        >>> from medassay.metrics.arithmetic.ngrams import count_ngrams
        >>> texts = ["a b c", "a b d"]
        >>> source, reference = count_ngrams(text.split() for text in texts)
        >>> sari(reference, count_edits(source, [reference]))
        1.0
    """
    values = [
        _of_order(distinct, repeated, edits.times, order)
        for distinct, repeated, order in zip(
            answer.distinct, answer.repeated, edits.orders, strict=True
        )
    ]
    return min(1.0, sum(values) / len(values))


def _of_order(
    distinct: frozenset[int], repeated: Mapping[int, int], times: int, order: _Order
) -> float:
    shared = distinct & order.distinct
    shared_counts = [len(shared & grams) for grams in order.once]
    kept_good = sum(good * grams for good, grams in enumerate(shared_counts))
    # Added up at the end, exactly: the order of a set must not reach the last digit.
    kept_shares = [kept_good / times]
    # Deletions, had the answer none of the source's grams; corrected for those that it has.
    deletions, deleted = len(order.distinct) - sum(shared_counts), order.deleted - shared_counts[0]
    deleted_shares = [order.part[gram] for gram in order.partial - shared]
    for gram in order.often.keys() & shared:
        here, theirs = order.often[gram], order.references[gram]
        answered = repeated.get(gram, 1) * times
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
