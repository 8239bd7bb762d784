"""Where metrics are found by name: the built-in ones, and those of other packages."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Final, TypeAlias

from medassay.answers import Answer
from medassay.cases import Case
from medassay.errors import InvalidInput, Problem, UnknownName
from medassay.metrics.declaration import Declaration
from medassay.plugins import offers, provider_of
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


@dataclass(slots=True)
class _Registry:
    metrics: dict[str, tuple[Declaration, Compute]] = field(default_factory=dict)


_REGISTRY: Final = _Registry()


def metric(*declared: Declaration) -> Callable[[Compute], Compute]:
    """Register a function as the arithmetic of what is declared.

    The function gets a batch of (case, answer) in which every need is met, and gives as many
    scores. One function may serve several declarations; it is registered under each name.

    Raises:
        InvalidInput: The name is taken.
    """

    def register(compute: Compute) -> Compute:
        for declaration in declared:
            taken = _REGISTRY.metrics.get(declaration.name)
            if taken is not None:
                must = "have a name that is not taken"
                got = f'"{declaration.name}", which {taken[1].__module__} has registered'
                raise InvalidInput(Problem(f"metric in {compute.__module__}", must, got))
        _REGISTRY.metrics.update({d.name: (d, compute) for d in declared})
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
    if base not in _REGISTRY.metrics:
        broken = plugin_problems()
        if base not in _REGISTRY.metrics:
            unknown = UnknownName("metric", base, sorted(_REGISTRY.metrics))
            if broken:
                raise InvalidInput(broken) from unknown
            raise unknown
    return _REGISTRY.metrics[base]


def declarations() -> tuple[Declaration, ...]:
    """List what every metric declares, sorted by name: the catalogue."""
    _load_built_in()
    plugin_problems()
    return tuple(_REGISTRY.metrics[name][0] for name in sorted(_REGISTRY.metrics))


def provided_by(compute: Compute) -> str:
    """Say which package, of which version, a metric's arithmetic is from; empty for a script's.

    Example:
        >>> provided_by(find("length")[1])
        'medassay 0.1.0'
    """
    return provider_of(compute.__module__, GROUP)


@cache
def plugin_problems() -> tuple[Problem, ...]:
    """Load the metrics of other packages, once, and say which could not be loaded and why."""
    found = (one.load() for one in offers(GROUP, "plug-in"))
    return tuple(one for one in found if isinstance(one, Problem))


@cache
def _load_built_in() -> None:
    from medassay.metrics import builtin

    for module in iter_modules(builtin.__path__):
        import_module(f"{builtin.__name__}.{module.name}")
