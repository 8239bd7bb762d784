"""Files of other packages, each offered by an entry point under its name."""

from collections.abc import Collection
from dataclasses import dataclass

from medassay.errors import InvalidInput, Problem
from medassay.plugins.attempt import Raised, attempt
from medassay.plugins.offer import Offer, offers

__all__ = ["OfferedFile", "offered_file", "offered_names", "taken_names"]


@dataclass(frozen=True, slots=True)
class OfferedFile:
    """What an entry point holds.

    Attributes:
        about: What is offered, by which package, for messages.
        content: Its bytes.
    """

    about: str
    content: bytes


def offered_names(group: str, what: str) -> tuple[str, ...]:
    """List under which names packages offer files in a group; nothing is loaded.

    Example:
        >>> offered_names("medassay.nobody", "nothing")
        ()
    """
    return tuple(dict.fromkeys(offer.name for offer in offers(group, what)))


def offered_file(group: str, what: str, name: str) -> OfferedFile | None:
    """Load the file that is offered under a name, the first where there are two; None for none.

    Raises:
        InvalidInput: The entry point cannot be loaded, or holds no file.
    """
    offer_found = next((offer for offer in offers(group, what) if offer.name == name), None)
    return None if offer_found is None else OfferedFile(offer_found.about, _content(offer_found))


def taken_names(group: str, what: str, ours: Collection[str]) -> tuple[Problem, ...]:
    """Name what is offered under a name that is ours, or another package's before it."""
    seen = set(ours)
    problems = []
    for offer in offers(group, what):
        if offer.name in seen:
            problems.append(offer.problem("have a name that is not taken", f'"{offer.name}"'))
        seen.add(offer.name)
    return tuple(problems)


def _content(offer: Offer) -> bytes:
    held = offer.load()
    if isinstance(held, Problem):
        raise InvalidInput(held)
    read = getattr(held, "read_bytes", None)
    if callable(read):
        held = attempt(read)
    if isinstance(held, Raised):
        raise InvalidInput(offer.problem("be a file that can be read", held.words))
    if not isinstance(held, bytes):
        must = "be the content of a TOML file (bytes), or the path of one"
        raise InvalidInput(offer.problem(must, type(held).__name__))
    return held
