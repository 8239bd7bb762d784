"""Where consensus methods are found by name: the built-in ones, and those of other packages."""

from medassay.consensus.method import KNOWN, Method
from medassay.consensus.third_party import guarded, without_own_words
from medassay.errors import Problem
from medassay.scores import Name, read_parameters

__all__ = ["consensus_methods", "consensus_plugin_problems", "find_method", "title_of"]


def consensus_methods() -> tuple[Method, ...]:
    """List the registered methods by name, those of other packages too.

    Example:
        >>> {"majority", "mean", "median"} <= {one.name for one in consensus_methods()}
        True
    """
    return tuple(_held(method) for method in KNOWN.every())


def find_method(name: str, *, hushed: bool = False) -> tuple[Method, Name]:
    """Find a method by its canonical name; the name comes back with defaults left out.

    Packages of others are loaded only when the name is not built in.

    Args:
        name: The canonical name.
        hushed: Whether a method of another package keeps its own words to itself.

    Raises:
        UnknownName: There is no such method.
        InvalidInput: The name does not parse, a parameter or its value is not known, or there is no
            such method and a package that may bring it is broken.

    Example:
        >>> found, name = find_method("label_sum(scale=mean_x_n)")
        >>> found.name, str(name)
        ('label_sum', 'label_sum(scale=mean_x_n)')
        >>> str(find_method("mace(restarts=50,guessing=0.50)")[1])
        'mace(restarts=50)'
    """
    parsed = Name.parse(name)
    method = _held(KNOWN.find(parsed.base), hushed=hushed)
    return method, read_parameters(parsed, method.declared.parameters)


def title_of(name: str, *, hushed: bool = False) -> str:
    """Give what a table calls a method; what was chosen beside the defaults follows in brackets.

    Raises:
        UnknownName: There is no such method.
        InvalidInput: The name does not parse, or a parameter or its value is not known.

    Example:
        >>> title_of("majority(ties=lower)")
        'majority (ties lower)'
    """
    method, known = find_method(name, hushed=hushed)
    chosen = ", ".join(f"{key} {value}" for key, value in known.arguments)
    return f"{method.declared.title} ({chosen})" if chosen else method.declared.title


def consensus_plugin_problems() -> tuple[Problem, ...]:
    """Load the methods of other packages, once, and say which could not be loaded and why."""
    return KNOWN.load_plug_ins()


def _held(method: Method, *, hushed: bool = False) -> Method:
    if method.is_ours:
        return method
    held = guarded(method)
    return (
        without_own_words(held, KNOWN.provided_by(method.module) or method.module)
        if hushed
        else held
    )
