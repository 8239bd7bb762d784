"""The parameters of a canonical name: what each may be, and the one way to write it."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from medassay.errors import InvalidInput, Problem, nearest
from medassay.scores.names import Name

__all__ = ["Number", "read_parameters"]


@dataclass(frozen=True, slots=True)
class Number:
    """A parameter that is a number.

    Attributes:
        default: Its canonical text, left out of names; None where there is none.
        least: The smallest value.
        most: The largest value; None for no bound.
        whole: Whether it counts something.
    """

    default: str | None
    least: float = 1
    most: float | None = None
    whole: bool = True

    @property
    def must(self) -> str:
        """Say what the value must be."""
        kind = "a whole number" if self.whole else "a number"
        if self.most is None:
            return f"{kind}, {self.least:g} or more"
        return f"{kind} from {self.least:g} to {self.most:g}"

    def canonical(self, text: str) -> str | None:
        """Give the one way to write this number, or None where it is not allowed.

        Example:
            >>> Number("0.5", 0.001, whole=False).canonical("0.50")
            '0.5'
        """
        try:
            value = float(text)
        except ValueError:
            return None
        top = math.inf if self.most is None else self.most
        if not self.least <= value <= top or math.isinf(value):
            return None
        if self.whole:
            return str(int(value)) if text.isdecimal() else None
        return f"{value:.12g}" if "e" not in f"{value:.12g}" else None


def read_parameters(
    asked: Name,
    parameters: Mapping[str, tuple[str, ...] | Number],
    words: Sequence[str] = (),
) -> Name:
    """Check the parameters of a name, and write it in its one form, with defaults left out.

    Args:
        asked: The name as somebody wrote it.
        parameters: What each may be: one of some values, the first of which is the default, or a
            number.
        words: Those that take any word; they have no default and must be said.

    Raises:
        InvalidInput: A parameter or its value is not known, or a word is not said.

    Example:
        >>> parameters = {"ties": ("first", "none"), "least": Number("1")}
        >>> str(read_parameters(Name.parse("majority(least=2,ties=first)"), parameters))
        'majority(least=2)'
    """
    arguments = {}
    for key, value in asked.arguments:
        if key in words:
            arguments[key] = value
            continue
        if key not in parameters:
            takes = [*parameters, *words]
            must = f"have only the parameters {', '.join(takes) or 'none'}"
            raise InvalidInput(Problem(str(asked), must, f'"{key}"', nearest(key, takes)))
        canonical, default = _read(str(asked), key, value, parameters[key])
        if canonical != default:
            arguments[key] = canonical
    unsaid = [key for key in words if key not in arguments]
    if unsaid:
        raise InvalidInput(Problem(str(asked), f"say its {' and '.join(unsaid)}", "nothing"))
    return asked.with_arguments(arguments)


def _read(
    name: str, key: str, value: str, allowed: tuple[str, ...] | Number
) -> tuple[str, str | None]:
    """Give a value's canonical text, and the default."""
    if isinstance(allowed, Number):
        canonical = allowed.canonical(value)
        if canonical is None:
            raise InvalidInput(Problem(name, f"have {key} be {allowed.must}", f'"{value}"'))
        return canonical, allowed.default
    if value not in allowed:
        must = f"have {key} be one of {', '.join(allowed)}"
        raise InvalidInput(Problem(name, must, f'"{value}"', nearest(value, allowed)))
    return value, allowed[0]
