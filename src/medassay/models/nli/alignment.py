"""How a claim stands to sentences, and which of them it is held against."""

from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple

import numpy as np

from medassay.models.nli.conflicts import Conflict, conflicts
from medassay.models.nli.marks import DRUG, choice_mark, quantity_mark
from medassay.models.nli.opposites import opposites_of
from medassay.models.nli.passage import Evidence
from medassay.models.nli.quantities import Quantity
from medassay.models.nli.reading import Reading

__all__ = ["Aligned", "Alignment", "align", "find_best"]

_ELSEWHERE: Final = 0.5


class Alignment(NamedTuple):
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
    claim: Reading, sentence: Reading, everywhere: frozenset[str], held: AbstractSet[Quantity]
) -> Alignment:
    """Hold a claim against one sentence.

    Args:
        claim: What is claimed.
        sentence: One sentence of the evidence.
        everywhere: Those of the claim's words that any sentence has.
        held: Those of its quantities that any sentence holds.
    """
    found_conflicts = conflicts(claim, sentence, everywhere)
    here = claim.units & sentence.units
    numbers_in_conflict: frozenset[Quantity] = frozenset()
    if found_conflicts:
        here |= frozenset().union(*(conflict.units for conflict in found_conflicts))
        numbers_in_conflict = frozenset().union(
            *(conflict.quantities for conflict in found_conflicts)
        )
    total = len(here) + _ELSEWHERE * len(everywhere - here)
    unheld = []
    for quantity in claim.quantities:
        if quantity in numbers_in_conflict or any(
            other.holds(quantity) for other in sentence.quantities
        ):
            total += 1
            continue
        unheld.append(quantity.words)
        total += _ELSEWHERE * (quantity in held)
    return Alignment(total / claim.size, found_conflicts, unheld)


class Aligned(NamedTuple):
    """A sentence, and how a claim stands to it.

    Attributes:
        place: Its place over all passages.
        alignment: How the claim stands to it.
    """

    place: int
    alignment: Alignment


def find_best(claim: Reading, evidence: Evidence) -> Aligned | None:
    """Give the sentence with the largest share of a claim; None where none has any of it.

    Of equals one without conflict is better, and then the first. Sentences are aligned from that on
    which may be best, until no other can be better than the best so far.

    Example:
        >>> from medassay.models.nli.passage import join_passages
        >>> from medassay.models.nli.reading import read_sentence
        >>> evidence = join_passages((("Rest.", "Drink water."), ("Drink milk.",)))
        >>> best = find_best(read_sentence("Drink milk and rest."), evidence)
        >>> best.place, round(best.alignment.share, 3)
        (2, 0.833)
    """
    most, agreed = _worth(claim)
    marks = [*most]
    which, places = evidence.find(marks)
    if not which.size:
        return None
    everywhere = claim.units.intersection(map(marks.__getitem__, which.tolist()))
    held = set()
    for quantity in claim.quantities:
        mark = quantity_mark(quantity.kind)
        having = places[which == marks.index(mark)].tolist()
        if any(q.holds(quantity) for place in having for q in evidence.readings[place].quantities):
            held.add(quantity)
            most[mark] -= 1
            agreed[mark] += 1
    if claim.drugs & everywhere:
        most[DRUG] = 0  # a drug that the evidence names is not exchanged
    elsewhere = len(everywhere) + sum(number in held for number in claim.quantities)
    at_most = np.bincount(places, np.array([*most.values()])[which])
    without_conflict = (
        at_most if agreed == most else np.bincount(places, np.array([*agreed.values()])[which])
    )
    likeliest = 2 * at_most + (without_conflict == at_most)
    best: Aligned | None = None
    while at_most[place := int(likeliest.argmax())] > 0:
        share = _ELSEWHERE * (elsewhere + float(at_most[place])) / claim.size
        if best and _rank(best) < (-share, bool(without_conflict[place] < at_most[place]), place):
            break
        aligned = Aligned(place, align(claim, evidence.readings[place], everywhere, held))
        if best is None or _rank(aligned) < _rank(best):
            best = aligned
        at_most[place] = 0
        likeliest[place] = 0
    return best if best is not None and best.alignment.share else None


def _rank(aligned: Aligned) -> tuple[float, bool, int]:
    return -aligned.alignment.share, bool(aligned.alignment.conflicts), aligned.place


def _worth(claim: Reading) -> tuple[dict[str, int], dict[str, int]]:
    """Give the marks that count for a claim, and how much a sentence is worth for each.

    Counted in words in common: one counts half more than a word that stands elsewhere. So does a
    quantity that is held elsewhere; one that is not, or a word in conflict, may count as two.

    Returns:
        What each is worth at most, and what without conflict; as if no quantity were held.
    """
    agreed = dict.fromkeys(claim.units, 1)
    most = dict(agreed)
    for unit in claim.units if claim.opposites else ():
        for other in opposites_of(unit):
            most[other] = most.get(other, 0) + 2
    for quantity in claim.quantities:
        mark = quantity_mark(quantity.kind)
        most[mark] = most.get(mark, 0) + 2
    for group, alternatives in claim.choices.items():
        most[choice_mark(group)] = 2 * sum(map(len, alternatives.values()))
    if claim.drugs:
        most[DRUG] = 2 * len(claim.drugs)
    return most, dict.fromkeys(most, 0) | agreed
