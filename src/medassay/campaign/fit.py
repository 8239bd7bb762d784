"""Who may rate what: nobody their own system, and specialists what they know."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from medassay.campaign.people import Person
from medassay.judgements.campaign import Item
from medassay.study.folder import Study
from medassay.tables import folded

__all__ = ["SPECIALTY", "PeopleFit", "fit_of"]

SPECIALTY: Final = "specialty"
"""The tag of a case that says which specialty it belongs to."""


@dataclass(frozen=True)
class PeopleFit:
    """What people may rate.

    Attributes:
        people: The raters by name.
        specialties: The specialty of each case that has one.
        families: The family of each system that has one.
        enough: Specialties whose cases go to their specialists alone.
    """

    people: Mapping[str, Person]
    specialties: Mapping[str, str]
    families: Mapping[str, str]
    enough: frozenset[str]

    def may(self, item: Item, rater: str) -> bool:
        """Say whether no system of an item is the rater's own."""
        person = self.people.get(rater, Person(rater))
        return person.may_rate(item.pair, self.families)

    def knows(self, item: Item, rater: str) -> bool:
        """Say whether a rater has the specialty of the case, where that is asked for."""
        specialty = self.specialties.get(item.case, "")
        if not specialty or specialty not in self.enough:
            return True
        person = self.people.get(rater, Person(rater))
        return specialty in {_plain(other) for other in person.specialties}


def fit_of(
    study: Study,
    people: Sequence[Person],
    overlap: int,
    match: Literal["match", "prefer", "ignore"],
) -> PeopleFit | None:
    """Say who may rate what; nothing where nobody built a system and no specialty is asked for."""
    specialties = {
        case.case: _plain(case.tags[SPECIALTY]) for case in study.cases if SPECIALTY in case.tags
    }
    known = [_plain(listed) for person in people for listed in person.specialties]
    asked = set(specialties.values()) if match != "ignore" and known else set()
    if match == "prefer":
        asked = {wanted for wanted in asked if known.count(wanted) >= overlap}
    if not asked and not any(person.built for person in people):
        return None
    by_name = {person.rater: person for person in people}
    return PeopleFit(by_name, specialties, study.families, frozenset(asked))


def _plain(words: str) -> str:
    return folded(words).casefold()
