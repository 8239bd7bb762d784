"""Where a metric registers itself: the built-in ones, and those of other packages."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from medassay.answers import Answer
from medassay.cases import Case
from medassay.metrics.declaration import API, Declaration
from medassay.plugins import Registered
from medassay.scores import Score, Unscored

GROUP: Final = "medassay.metrics"
"""The entry point group under which a package names the module that registers its metrics."""

Pair: TypeAlias = tuple[Case, Answer]
Compute: TypeAlias = Callable[[Sequence[Pair], Mapping[str, str]], list[Score | Unscored]]
"""A batch and the arguments (defaults filled in, the cut-off under `k`) to as many scores."""

REGISTRY: Final = Registered[tuple[Declaration, Compute]](GROUP, "metric", API)


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
            REGISTRY.check(declaration.name, api=declaration.api, module=compute.__module__)
        for declaration in declared:
            REGISTRY.add(
                declaration.name,
                (declaration, compute),
                api=declaration.api,
                module=compute.__module__,
            )
        return compute

    return register


def provided_by(compute: Compute) -> str:
    """Say which package, of which version, a metric's arithmetic is from; empty for a script's.

    Example:
        >>> from medassay.metrics import resolve
        >>> provided_by(resolve("length").compute)
        'medassay 0.1.0'
    """
    return REGISTRY.provided_by(compute.__module__)
