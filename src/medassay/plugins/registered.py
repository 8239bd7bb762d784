"""What stands under names: ours, and what the modules of other packages register on import."""

import sys
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

from medassay.errors import InvalidInput, Problem, UnknownName
from medassay.plugins.offer import Offer, offers, provider_of

__all__ = ["Registered"]

_One = TypeVar("_One")
_OFFER: Final = "plug-in"
_EVERY: Final[list["Registered[Any]"]] = []


@dataclass(slots=True)
class Registered(Generic[_One]):
    """A name to what was registered under it; other packages' are loaded when they are needed.

    Attributes:
        group: The entry point group under which a package names the module that registers its own.
        what: What one of them is, for messages.
        api: The version of what is declared: one that was written for another is refused.
        known: What is registered, by name.
        problems: Why packages could not be loaded; None until they have been tried.

    Example:
        >>> spices = Registered[str]("medassay.spices", "spice", api=1)
        >>> spices.add("salt", "NaCl", api=1, module="kitchen")
        >>> spices.add("salt", "KCl", api=1, module="diet")
        Traceback (most recent call last):
        medassay.errors.InvalidInput: spice in diet: must have a name that is not taken; got \
"salt", which kitchen has registered.
        >>> spices.find("salt"), spices.every()
        ('NaCl', ('NaCl',))
    """

    group: str
    what: str
    api: int
    known: dict[str, _One] = field(default_factory=dict)
    problems: tuple[Problem, ...] | None = None
    _from: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Be known to the others: one module may register in several."""
        _EVERY.append(self)

    def add(self, name: str, one: _One, *, api: int, module: str) -> None:
        """Register one under its name.

        Raises:
            InvalidInput: The name is taken, or it was written for another version.
        """
        self.check(name, api=api, module=module)
        self.known[name] = one
        self._from[name] = module

    def check(self, name: str, *, api: int, module: str) -> None:
        """Refuse a name that is taken, and what was written for another version.

        Raises:
            InvalidInput: Which of the two it is.
        """
        where = f"{self.what} in {module}"
        if api != self.api:
            must = f"be written for version {self.api} of its declaration"
            raise InvalidInput(Problem(where, must, str(api)))
        if name in self.known:
            by = self._from.get(name, "another module")
            got = f'"{name}", which {by} has registered'
            raise InvalidInput(Problem(where, "have a name that is not taken", got))

    def find(self, name: str) -> _One:
        """Find one by its name; packages of others are loaded only when it is not there.

        Raises:
            UnknownName: There is none.
            InvalidInput: There is none, and a package that may bring it is broken.
        """
        if name not in self.known:
            broken = self.load_plug_ins()
            if name not in self.known:
                unknown = UnknownName(self.what, name, sorted(self.known))
                if broken:
                    raise InvalidInput(broken) from unknown
                raise unknown
        return self.known[name]

    def every(self) -> tuple[_One, ...]:
        """List all of them by name, those of other packages too."""
        self.load_plug_ins()
        return tuple(self.known[name] for name in sorted(self.known))

    def provided_by(self, module: str) -> str:
        """Say which package, of which version, a module is from; empty for a script's."""
        return provider_of(module, self.group)

    def load_plug_ins(self) -> tuple[Problem, ...]:
        """Load what other packages bring, once, and say which could not be loaded and why."""
        if self.problems is None:
            # A module that looks for a name while it is loaded must not start all over again.
            self.problems = ()
            try:
                problems = [self._loaded(offer) for offer in offers(self.group, _OFFER)]
            except BaseException:
                self.problems = None
                raise
            self.problems = tuple(problem for problem in problems if problem is not None)
        return self.problems

    def _loaded(self, offer: Offer) -> Problem | None:
        """Load one package's module; what a broken one had registered, here or elsewhere, goes."""
        before = [(registered, dict(registered.known)) for registered in _EVERY]
        names, seen = set(self.known), offer.entry.module in sys.modules
        loaded = offer.load()
        if isinstance(loaded, Problem):
            for registry, known in before:
                registry.known.clear()
                registry.known.update(known)
            return loaded
        if self.known.keys() == names and not seen:
            return offer.problem(f"register its {self.what} when it is loaded", "none")
        return None
