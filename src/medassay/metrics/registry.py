"""Where metrics are found by name: the built-in ones, and those of other packages."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Final, TypeAlias

from medassay.answers import Answer
from medassay.cases import Case
from medassay.errors import Problem
from medassay.metrics.declaration import API, Declaration
from medassay.plugins import Registered
from medassay.scores import Score, Unscored

__all__ = [
    "GROUP",
    "Compute",
    "Pair",
    "declarations",
    "find",
    "metric",
    "plugin_problems",
    "provided_by",
]

GROUP: Final = "medassay.metrics"
"""The entry point group under which a package names the module that registers its metrics."""

Pair: TypeAlias = tuple[Case, Answer]
Compute: TypeAlias = Callable[[Sequence[Pair], Mapping[str, str]], list[Score | Unscored]]
"""A batch and the arguments (defaults filled in, the cut-off under `k`) to as many scores."""


_REGISTRY: Final = Registered[tuple[Declaration, Compute]](GROUP, "metric", API)


def metric(*declared: Declaration) -> Callable[[Compute], Compute]:
    """Register a function as the arithmetic of what is declared.

    The function gets a batch of (case, answer) in which every need is met, and gives as many
    scores. One function may serve several declarations; it is registered under each name.

    Raises:
        InvalidInput: The name is taken, or the metric was written for another version.
    """

    def register(compute: Compute) -> Compute:
        # All names are looked at before any is taken.
        for declaration in declared:
            _REGISTRY.check(declaration.name, api=declaration.api, module=compute.__module__)
        for declaration in declared:
            _REGISTRY.add(
                declaration.name,
                (declaration, compute),
                api=declaration.api,
                module=compute.__module__,
            )
        return compute

    return register


def find(base: str) -> tuple[Declaration, Compute]:
    """Find a metric by the word before everything else in its name.

    Packages of others are loaded only when the name is not built in.

    Raises:
        UnknownName: There is no such metric.
        InvalidInput: There is no such metric, and a plug-in that may hold it is broken.
    """
    _load_built_in()
    return _REGISTRY.find(base)


def declarations() -> tuple[Declaration, ...]:
    """List what every metric declares, sorted by name: the catalogue."""
    _load_built_in()
    return tuple(declared for declared, _ in _REGISTRY.every())


def provided_by(compute: Compute) -> str:
    """Say which package, of which version, a metric's arithmetic is from; empty for a script's.

    Example:
        >>> provided_by(find("length")[1])
        'medassay 0.1.0'
    """
    return _REGISTRY.provided_by(compute.__module__)


def plugin_problems() -> tuple[Problem, ...]:
    """Load the metrics of other packages, once, and say which could not be loaded and why."""
    _load_built_in()
    return _REGISTRY.load_plug_ins()


@cache
def _load_built_in() -> None:
    from medassay.metrics import builtin

    for module in iter_modules(builtin.__path__):
        import_module(f"{builtin.__name__}.{module.name}")
