"""Where coefficients are found by name: the built-in ones, and those of other packages."""

from medassay.agreement.coefficient import KNOWN, Coefficient
from medassay.agreement.third_party import guarded, without_own_words
from medassay.errors import Problem
from medassay.scores import Name, read_parameters

__all__ = ["coefficient_plugin_problems", "coefficients", "find_coefficient"]


def coefficients() -> tuple[Coefficient, ...]:
    """List the registered coefficients by name, those of other packages too.

    Example:
        >>> {"cohen", "fleiss", "krippendorff"} <= {one.name for one in coefficients()}
        True
    """
    return tuple(_held(coefficient) for coefficient in KNOWN.every())


def find_coefficient(name: str, *, hushed: bool = False) -> tuple[Coefficient, Name]:
    """Find a coefficient by its canonical name; the name comes back with defaults left out.

    Packages of others are loaded only when the name is not built in.

    Args:
        name: The canonical name.
        hushed: Whether a coefficient of another package keeps its own words to itself.

    Raises:
        UnknownName: There is no such coefficient.
        InvalidInput: The name does not parse, a parameter or its value is not known, or there is no
            such coefficient and a package that may bring it is broken.

    Example:
        >>> found, name = find_coefficient("cohen(weights=linear)")
        >>> found.name, str(name)
        ('cohen', 'cohen(weights=linear)')
    """
    parsed = Name.parse(name)
    coefficient = _held(KNOWN.find(parsed.base), hushed=hushed)
    return coefficient, read_parameters(
        parsed, coefficient.declared.parameters, coefficient.declared.words
    )


def coefficient_plugin_problems() -> tuple[Problem, ...]:
    """Load the coefficients of other packages, once, and say which could not be loaded and why."""
    return KNOWN.load_plug_ins()


def _held(coefficient: Coefficient, *, hushed: bool = False) -> Coefficient:
    if coefficient.is_ours:
        return coefficient
    held = guarded(coefficient)
    module = coefficient.prepare.__module__
    return without_own_words(held, KNOWN.provided_by(module) or module) if hushed else held
