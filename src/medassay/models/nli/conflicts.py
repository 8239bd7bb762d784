"""Where a statement and a sentence cannot both be true, as far as the rules can see."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from medassay.models.nli.opposites import opposites_of
from medassay.models.nli.quantities import Quantity
from medassay.models.nli.reading import Reading

__all__ = ["Conflict", "conflicts"]

_MOST: Final = 0.5


@dataclass(frozen=True, slots=True)
class Conflict:
    """One point on which they differ.

    Attributes:
        kind: number, negation, opposite, drug, or the group of a choice (side, route, ...).
        units: The statement's content words that take part.
        quantities: The statement's quantities that take part.
    """

    kind: str
    units: frozenset[str] = frozenset()
    quantities: frozenset[Quantity] = frozenset()


def conflicts(statement: Reading, sentence: Reading, elsewhere: frozenset[str]) -> list[Conflict]:
    """List every conflict.

    Args:
        statement: What is claimed.
        sentence: One sentence of the evidence.
        elsewhere: The content words of all the evidence: a drug named there is no exchanged one.
    """
    listed: list[Conflict] = []
    if statement.quantities and sentence.quantities:
        listed += _numbers(statement, sentence)
    if statement.choices and sentence.choices:
        listed += _choices(statement, sentence)
    if not statement.opposites.isdisjoint(sentence.units):
        listed += _opposites(statement, sentence)
    if _denies(statement, sentence) or _denies(sentence, statement):
        listed.append(Conflict("negation"))
    drugs = statement.drugs
    if drugs and sentence.drugs and not drugs & sentence.drugs and not drugs & elsewhere:
        listed.append(Conflict("drug", drugs))
    return listed


def _numbers(statement: Reading, sentence: Reading) -> Iterator[Conflict]:
    for quantity in statement.quantities:
        others = [other for other in sentence.quantities if other.kind == quantity.kind]
        if others and not any(other.overlaps(quantity) for other in others):
            yield Conflict("number", quantities=frozenset({quantity}))


def _choices(statement: Reading, sentence: Reading) -> Iterator[Conflict]:
    for group, chosen in statement.choices.items():
        others = sentence.choices.get(group, {})
        if others and not chosen.keys() & others.keys():
            yield Conflict(group, frozenset().union(*chosen.values()))


def _opposites(statement: Reading, sentence: Reading) -> Iterator[Conflict]:
    others = sentence.units - statement.units
    for word in sorted(statement.units - sentence.units):
        for other in sorted(opposites_of(word) & others):
            if (word in statement.denied) == (other in sentence.denied):
                yield Conflict("opposite", frozenset({word}))


def _denies(reading: Reading, other: Reading) -> bool:
    """Say whether one negates what the other affirms: most of a scope, and mostly affirmed."""
    for scope in reading.scopes:
        shared = scope & other.units
        if len(shared) <= _MOST * len(scope):
            continue
        differing = sum((unit in reading.denied) != (unit in other.denied) for unit in shared)
        if differing > _MOST * len(shared):
            return True
    return False
