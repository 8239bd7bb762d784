"""What a consensus method declares, and where the declared ones are found."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from medassay.errors import InvalidInput, Problem, UnknownName, nearest
from medassay.judgements import Units
from medassay.scores import Name, Score, Unscored

__all__ = ["Declaration", "Method", "consensus_method", "consensus_methods", "find_method"]


class _Join(Protocol):
    def __call__(self, units: Units, **parameters: str) -> list[Score | Unscored]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """What a consensus method says about itself.

    Attributes:
        name: The base of its canonical name.
        title: What a table calls it.
        question: What it answers.
        unit: What its values are counted in.
        undefined: When an answer that has labels has no value.
        parts: What the parts of each score are, in order.
        source: Where it was published.
        parameters: Each parameter's name and the values it may take; the first is the default and
            is left out of names. An empty tuple means any whole number from 1; the default is 1.
    """

    name: str
    title: str
    question: str
    unit: str
    undefined: str
    parts: tuple[str, ...]
    source: str = ""
    parameters: dict[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Method:
    """One way to say what raters jointly say: a declaration, and the function that does it.

    `join` gives one score or reason for each unit; units without any label are never asked for.
    """

    declared: Declaration
    join: _Join

    @property
    def name(self) -> str:
        """Give the base of its canonical name."""
        return self.declared.name


_KNOWN: dict[str, Method] = {}


def consensus_method(declared: Declaration) -> Callable[[_Join], _Join]:
    """Register the function that does what is declared."""

    def register(join: _Join) -> _Join:
        _KNOWN[declared.name] = Method(declared, join)
        return join

    return register


def consensus_methods() -> tuple[Method, ...]:
    """List the registered methods by name.

    Example:
        >>> [one.name for one in consensus_methods()]
        ['label_sum', 'majority', 'mean']
    """
    return tuple(_KNOWN[name] for name in sorted(_KNOWN))


def find_method(name: str) -> tuple[Method, Name]:
    """Find a method by its canonical name; the name comes back with defaults left out.

    Raises:
        UnknownName: There is no such method.
        InvalidInput: The name does not parse, or a parameter or its value is not known.

    Example:
        >>> found, name = find_method("label_sum(scale=mean_x_n)")
        >>> found.name, str(name)
        ('label_sum', 'label_sum(scale=mean_x_n)')
    """
    parsed = Name.parse(name)
    if parsed.base not in _KNOWN:
        raise UnknownName("consensus method", parsed.base, sorted(_KNOWN))
    found = _KNOWN[parsed.base]
    parameters = found.declared.parameters
    kept = {}
    for key, value in parsed.arguments:
        if key not in parameters:
            must = f"have only the parameters {', '.join(parameters) or 'none'}"
            raise InvalidInput(Problem(name, must, f'"{key}"', nearest(key, parameters)))
        known = parameters[key]
        if known and value not in known:
            must = f"have {key} be one of {', '.join(known)}"
            raise InvalidInput(Problem(name, must, f'"{value}"', nearest(value, known)))
        if not known and (not value.isdecimal() or int(value) < 1):
            raise InvalidInput(Problem(name, f"have {key} be 1 or more", f'"{value}"'))
        if value != (known[0] if known else "1"):
            kept[key] = value
    return found, parsed.with_arguments(kept)
