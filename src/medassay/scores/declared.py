"""What is registered under canonical names: refused where it says too little, held if strange."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from medassay.errors import InvalidInput, Problem
from medassay.plugins import Registered
from medassay.scores.names import Name, is_word

__all__ = ["Members", "refuse_unsaid"]


class _Member(Protocol):
    @property
    def module(self) -> str: ...


_One = TypeVar("_One", bound=_Member)


def _is_ours(module: str) -> bool:
    """Say whether medassay itself brings a module.

    Example:
        >>> _is_ours("medassay.agreement.cohen"), _is_ours("their_kappa")
        (True, False)
    """
    return module.partition(".")[0] == __name__.partition(".")[0]


def refuse_unsaid(
    declared: object,
    name: str,
    wordings: Sequence[str],
    parameters: Sequence[str],
    *checks: tuple[bool, str, str],
) -> None:
    """Refuse a declaration that leaves a reader guessing.

    Args:
        declared: The declaration.
        name: Its name.
        wordings: What it must say in words.
        parameters: The names of its parameters.
        checks: What else must hold: whether it does, what must be, what was got.

    Raises:
        InvalidInput: Everything that is missing or does not fit together.
    """
    reserved = {"dimension", "mapping"} & {*parameters}
    rules = [
        (is_word(name), "have a name of one word", f'"{name}"'),
        *((getattr(declared, word).strip(), f"say its {word}", "blanks") for word in wordings),
        *checks,
        (not reserved, "leave dimension and mapping to medassay", "a parameter of that name"),
    ]
    problems = [Problem(name, must, got) for holds, must, got in rules if not holds]
    if problems:
        raise InvalidInput(problems)


@dataclass(frozen=True, slots=True)
class Members(Generic[_One]):
    """What a registry gives: ours as they are, those of other packages guarded.

    Attributes:
        known: The registry.
        guarded: Holds one of another package to what it declares.
        silent: Takes the words of its own from a guarded one, and names its package instead.
    """

    known: Registered[_One]
    guarded: Callable[[_One], _One]
    silent: Callable[[_One, str], _One]

    def every(self) -> tuple[_One, ...]:
        """List them by name, those of other packages too."""
        return tuple(self._held(member, hushed=False) for member in self.known.every())

    def find(self, name: str, *, hushed: bool) -> tuple[_One, Name]:
        """Find one by its canonical name, which comes back in its parts.

        Raises:
            UnknownName: There is none.
            InvalidInput: The name does not parse, or there is none and a package that may bring it
                is broken.
        """
        parsed = Name.parse(name)
        return self._held(self.known.find(parsed.base), hushed=hushed), parsed

    def _held(self, member: _One, *, hushed: bool) -> _One:
        module = member.module
        if _is_ours(module):
            return member
        held = self.guarded(member)
        return self.silent(held, self.known.provided_by(module) or module) if hushed else held
