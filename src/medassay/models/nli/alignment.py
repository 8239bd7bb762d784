"""How a claim stands to sentences, and which of them it is held against."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, NamedTuple

from medassay.models.nli.conflicts import Conflict, conflicts
from medassay.models.nli.passage import (
    DRUG,
    Passage,
    choice_mark,
    opposite_mark,
    quantity_mark,
)
from medassay.models.nli.quantities import Quantity
from medassay.models.nli.reading import Reading

__all__ = ["Aligned", "Alignment", "align", "find_best"]

_ELSEWHERE: Final = 0.5


@dataclass(frozen=True, slots=True)
class Alignment:
    """How a claim stands to one sentence.

    Attributes:
        share: How much of what the claim says the sentence has.
        conflicts: On what they differ.
        unheld: Quantities of the claim that the sentence does not have.
    """

    share: float
    conflicts: list[Conflict]
    unheld: list[str]


def align(
    claim: Reading, sentence: Reading, everywhere: frozenset[str], held: frozenset[Quantity]
) -> Alignment:
    """Hold a claim against one sentence, knowing the words and the numbers held by any of them."""
    found = conflicts(claim, sentence, everywhere)
    units_in_conflict = frozenset().union(*(one.units for one in found))
    numbers_in_conflict = frozenset().union(*(one.quantities for one in found))
    here = claim.units & (sentence.units | units_in_conflict)
    total = len(here) + _ELSEWHERE * len((claim.units & everywhere) - here)
    unheld = []
    for one in claim.quantities:
        if one in numbers_in_conflict or any(other.holds(one) for other in sentence.quantities):
            total += 1
            continue
        unheld.append(one.words)
        total += _ELSEWHERE * (one in held)
    return Alignment(total / claim.size, found, unheld)


class Aligned(NamedTuple):
    """A sentence, and how a claim stands to it.

    Attributes:
        place: Its place over all passages.
        alignment: How the claim stands to it.
    """

    place: int
    alignment: Alignment


class _Passage(NamedTuple):
    """A passage in which the best sentence may be: what it shares, worth so much at most."""

    most: int
    begin: int
    read: Passage
    shared: frozenset[str]

    def sentences(self, worth: Mapping[str, int]) -> Iterator[tuple[int, int, Reading]]:
        """Give what each sentence is worth at most, its place, and it: the worthiest first."""
        most: dict[int, int] = {}
        for mark in self.shared:
            for place in self.read.places[mark]:
                most[place] = most.get(place, 0) + worth[mark]
        for place, bound in sorted(most.items(), key=lambda one: (-one[1], one[0])):
            yield bound, self.begin + place, self.read.readings[place]


def find_best(claim: Reading, passages: Sequence[Passage]) -> Aligned | None:
    """Give the sentence with the largest share of a claim; None where none has any of it.

    Of equals one without conflict is better, and then the first. Only sentences that may be better
    than the best so far are aligned.

    Args:
        claim: What is claimed.
        passages: The passages, in order.

    Example:
        >>> from medassay.models.nli.passage import read_passage
        >>> from medassay.models.nli.reading import read_sentence
        >>> passages = [read_passage(("Rest.", "Drink water.")), read_passage(("Drink milk.",))]
        >>> best = find_best(read_sentence("Drink milk and rest."), passages)
        >>> best.place, round(best.alignment.share, 3)
        (2, 0.833)
    """
    held = _held(claim, passages)
    worth = _worth(claim, held)
    marks = frozenset(worth)
    shared = [marks & one.marks for one in passages]
    everywhere = claim.units & frozenset().union(*shared)
    if claim.drugs & everywhere:
        worth[DRUG] = 0  # a drug that the evidence names is not exchanged
    elsewhere = len(everywhere) + sum(one in held for one in claim.quantities)
    begins = accumulate((len(one.readings) for one in passages), initial=0)
    searched = [
        _Passage(sum(map(worth.__getitem__, common)), begin, one, common)
        for begin, one, common in zip(begins, passages, shared, strict=False)
        if common
    ]
    searched.sort(key=lambda one: (-one.most, one.begin))
    best: Aligned | None = None

    def beaten(bound: int, place: int) -> bool:
        """Say whether no sentence from this place on, worth that at most, can be better."""
        if best is None:
            return False
        share = _ELSEWHERE * (elsewhere + bound) / claim.size
        if share != best.alignment.share:
            return share < best.alignment.share
        return best.place < place and not best.alignment.conflicts

    for one in searched:
        if beaten(one.most, one.begin):
            break
        for bound, place, sentence in one.sentences(worth):
            if beaten(bound, place):
                break
            found = Aligned(place, align(claim, sentence, everywhere, held))
            if best is None or _rank(found) < _rank(best):
                best = found
    return best if best is not None and best.alignment.share else None


def _held(claim: Reading, passages: Sequence[Passage]) -> frozenset[Quantity]:
    return frozenset(
        one
        for one in claim.quantities
        if any(other.holds(one) for p in passages for other in p.quantities.get(one.kind, ()))
    )


def _rank(one: Aligned) -> tuple[float, bool, int]:
    return -one.alignment.share, bool(one.alignment.conflicts), one.place


def _worth(claim: Reading, held: frozenset[Quantity]) -> dict[str, int]:
    """Give the marks that count for a claim, and how much a sentence is worth for each at most.

    Counted in words in common: one counts half more than a word that stands elsewhere. So does a
    quantity that is held elsewhere; one that is not, or a word in conflict, may count as two.
    """
    worth = dict.fromkeys(claim.units, 1) | dict.fromkeys(map(opposite_mark, claim.units), 2)
    for quantity in claim.quantities:
        mark = quantity_mark(quantity.kind)
        worth[mark] = worth.get(mark, 0) + 2 - (quantity in held)
    for group, alternatives in claim.choices.items():
        worth[choice_mark(group)] = 2 * sum(map(len, alternatives.values()))
    if claim.drugs:
        worth[DRUG] = 2 * len(claim.drugs)
    return worth
