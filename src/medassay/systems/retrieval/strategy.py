"""What a retrieval strategy is, and where it is found by name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from medassay.errors import UnknownName

__all__ = ["Signal", "SignalScores", "Strategy", "find_strategy", "strategies", "strategy"]

Signal = Literal["bm25", "tfidf", "dense", "concepts"]
"""A way of scoring every passage by a query."""

SignalScores = Mapping[Signal, NDArray[np.float64]]
"""The scores of every passage by one query, signal by signal."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """How signals become one order of passages.

    Attributes:
        name: What a study calls it by.
        says: What it does, in a sentence.
        signals: The signals that it reads.
        order: From the signals' scores to a score of every passage; minus infinity for one that is
            not looked at.
    """

    name: str
    says: str
    signals: tuple[Signal, ...]
    order: Callable[[SignalScores], NDArray[np.float64]]


_FOLDER: Final = "medassay.systems.retrieval.strategies"
_KNOWN: Final[dict[str, Strategy]] = {}


def strategy(
    name: str, *signals: Signal, says: str
) -> Callable[[Callable[[SignalScores], NDArray[np.float64]]], Strategy]:
    """Declare a strategy: its name, the signals that it reads, and what it does with them."""

    def declare(order: Callable[[SignalScores], NDArray[np.float64]]) -> Strategy:
        declared = Strategy(name, says, signals, order)
        _KNOWN[name] = declared
        return declared

    return declare


def strategies() -> tuple[Strategy, ...]:
    """List the strategies by name: each is a file of the folder `strategies`.

    Example:
        >>> [one.name for one in strategies()]
        ['bm25', 'concept-first', 'dense', 'hybrid', 'multi-stage', 'semantic-first', 'tfidf']
    """
    folder = import_module(_FOLDER)
    for module in iter_modules(folder.__path__):
        import_module(f"{_FOLDER}.{module.name}")
    return tuple(_KNOWN[name] for name in sorted(_KNOWN))


def find_strategy(name: str) -> Strategy:
    """Find a strategy by its name.

    Raises:
        UnknownName: There is none.
    """
    known = {declared.name: declared for declared in strategies()}
    if name not in known:
        raise UnknownName("retrieval strategy", name, list(known))
    return known[name]
