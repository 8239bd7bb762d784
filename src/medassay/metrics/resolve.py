"""From a name to a metric that can score, and the catalogue of all names."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from medassay.errors import InvalidInput, Problem, nearest
from medassay.metrics import builtin
from medassay.metrics.bound import BoundMetric
from medassay.metrics.declaration import Declaration
from medassay.metrics.registry import REGISTRY, Compute
from medassay.scores import Name
from medassay.surface import checked

__all__ = ["declarations", "plugin_problems", "resolve"]


@checked
def resolve(name: str | Name) -> BoundMetric:
    """Find a metric by its canonical name, or by one with the same meaning.

    Raises:
        UnknownName: There is no such metric; suggests the nearest.
        InvalidInput: The name is malformed, or a parameter is unknown, missing or not allowed.

    Example:
        >>> str(resolve("rougeL( ref=human, measure=f )").name)
        'rougeL(ref=human)'
    """
    asked = Name.parse(name) if isinstance(name, str) else name
    declaration, compute = _find(asked.base)
    named_values = dict(asked.arguments)
    problems = _shape_problems(declaration, asked)
    arguments: dict[str, str] = {} if asked.k is None else {"k": str(asked.k)}
    for parameter in declaration.parameters:
        value = named_values.get(parameter.name, parameter.default)
        if value is None:
            continue
        try:
            arguments[parameter.name] = parameter.canonical(value, metric=declaration.name)
        except InvalidInput as error:
            problems += error.problems
    if problems:
        raise InvalidInput(problems)
    shown = {
        p.name: arguments[p.name] for p in declaration.parameters if arguments[p.name] != p.default
    }
    canonical = Name.of(declaration.name, asked.k, **shown)
    return BoundMetric(canonical, declaration, arguments, compute)


def declarations() -> tuple[Declaration, ...]:
    """List what every metric declares, sorted by name: the catalogue."""
    _load_built_in()
    return tuple(declared for declared, _ in REGISTRY.every())


def plugin_problems() -> tuple[Problem, ...]:
    """Load the metrics of other packages, once, and say which could not be loaded and why."""
    _load_built_in()
    return REGISTRY.load_plug_ins()


def _find(base: str) -> tuple[Declaration, Compute]:
    """Find a metric by the word before everything else in its name.

    Packages of others are loaded only when the name is not built in.

    Raises:
        UnknownName: There is no such metric.
        InvalidInput: There is no such metric, and a plug-in that may hold it is broken.
    """
    _load_built_in()
    return REGISTRY.find(base)


@cache
def _load_built_in() -> None:
    for module in iter_modules(builtin.__path__):
        import_module(f"{builtin.__name__}.{module.name}")


def _shape_problems(declaration: Declaration, asked: Name) -> list[Problem]:
    """Say what is unknown in the name, and what it lacks."""
    base, named_values = asked.base, dict(asked.arguments)
    known = [parameter.name for parameter in declaration.parameters]
    problems = []
    for key in named_values:
        if key not in known:
            must = f"have only the parameters {', '.join(known)}" if known else "have no parameters"
            problems.append(Problem(base, must, f'"{key}"', nearest(key, known), column=key))
    if declaration.takes_k != (asked.k is not None):
        must = "have a cut-off" if declaration.takes_k else "have no cut-off"
        try_ = f"For example {base}@5." if declaration.takes_k else ""
        problems.append(Problem(base, must, f'"{asked}"', try_))
    for parameter in declaration.parameters:
        if parameter.name not in named_values and parameter.default is None:
            first = next(iter(parameter.values), None)
            try_ = "" if first is None else f"For example {base}({parameter.name}={first})."
            must = f"say {parameter.name}, {parameter.allowed}"
            problems.append(Problem(base, must, f'"{asked}"', try_))
    return problems
