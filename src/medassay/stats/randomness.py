"""Randomness as whoever calls has it: seeds, a stream for each draw, resamples as counts."""

import json
from collections.abc import Hashable, Mapping, Sequence
from hashlib import blake2b
from typing import Final, Self, overload

import numpy as np
from numpy.typing import NDArray
from typing_extensions import TypeAliasType

from medassay.errors import InvalidInput, Problem
from medassay.stats.intervals import cluster_index

Rng = TypeAliasType("Rng", np.random.Generator | int)
"""What `rng` takes everywhere: a seed, or a generator, which goes on from where it is."""
_AND: Final = " and "
_AT_ONCE: Final = 1 << 16
"""Draws that are counted together: few enough for a processor's nearest memory."""


@overload
def as_generator(rng: Rng) -> np.random.Generator: ...


@overload
def as_generator(rng: Rng | None) -> np.random.Generator | None: ...


def as_generator(rng: Rng | None) -> np.random.Generator | None:
    """Give the generator that is meant: of a whole number, a new one with it as its seed.

    None stays None: what draws nothing without randomness says so where it takes it.

    Raises:
        InvalidInput: It is something else, such as a number below 0 or an older random state.

    Example:
        >>> as_generator(7).random() == np.random.default_rng(7).random()
        True
        >>> as_generator(-1)
        Traceback (most recent call last):
        medassay.errors.InvalidInput: rng: must be a whole number, 0 or more, or a generator of \
numpy; got -1. Pass rng=1.
    """
    if rng is None or isinstance(rng, np.random.Generator):
        return rng
    return np.random.default_rng(_seed(rng))


def _seed(seed: object) -> int:
    if isinstance(seed, int | np.integer) and not isinstance(seed, bool) and seed >= 0:
        return int(seed)
    must = "be a whole number, 0 or more, or a generator of numpy"
    got = repr(seed) if isinstance(seed, int | float | str) else f"a {type(seed).__name__}"
    raise InvalidInput(Problem("rng", must, got, "Pass rng=1."))


class Seed(int):
    """A seed that knows what the names stand for that draws are made for.

    A study that keeps its ids to itself calls its cases by numbers. What is drawn for them follows
    from their ids all the same: whoever may read more sees the same intervals.

    Attributes:
        stands_for: A name in use to the name that draws follow from.

    Example:
        >>> told = stream(Seed(7, {"case-1": "asthma"}), "s00", "case-1")
        >>> told.random() == stream(7, "s00", "asthma").random()
        True
    """

    stands_for: Mapping[str, str]

    def __new__(cls, value: int, stands_for: Mapping[str, str]) -> Self:
        """Make one of a whole number."""
        made = super().__new__(cls, value)
        made.stands_for = stands_for
        return made


class _Stream(np.random.Generator):
    """The random numbers of a step whose seed knows what names stand for."""

    stands_for: Mapping[str, str]


def stream(seed: int, code: str, *drawn_for: str | int) -> np.random.Generator:
    """Give the random numbers of one step.

    Args:
        seed: The study's seed, or one drawn from the step around this one.
        code: The step's frozen code.
        drawn_for: What else tells this draw from others of the step, such as a dimension's id.

    Example:
        >>> first = stream(0, "s00", "fluency").random()
        >>> first == stream(0, "s00", "fluency").random()
        True
        >>> first == stream(0, "s00", "accuracy").random()
        False
    """
    number = _digest(16, seed, code, *drawn_for)
    if not isinstance(seed, Seed):
        return np.random.default_rng(number)
    made = _Stream(np.random.PCG64(number))
    made.stands_for = seed.stands_for
    return made


def uniform(seed: int, code: str, *drawn_for: str | int) -> float:
    """Give one number from 0 to below 1, where a whole stream for it would be dear.

    Example:
        >>> 0 <= uniform(0, "s00", "A", "1") < 1
        True
    """
    # Above 53 bits a float would round up to 1.
    return (_digest(8, seed, code, *drawn_for) >> 11) / 2**53


def _digest(size: int, seed: int, code: str, *drawn_for: str | int) -> int:
    if isinstance(seed, Seed):
        known = seed.stands_for
        drawn_for = tuple(
            _stood_for(part, known) if isinstance(part, str) else part for part in drawn_for
        )
    # JSON tells ("a", "b") from ("ab",), and 1 from "1".
    what = json.dumps((int(seed), code, *drawn_for))
    return int.from_bytes(blake2b(what.encode(), digest_size=size).digest())


def _stood_for(part: str, known: Mapping[str, str]) -> str:
    """Look up a name, or each of a pair of them."""
    return _AND.join(known.get(name, name) for name in part.split(_AND))


def drawn_seed(rng: np.random.Generator) -> int:
    """Draw one number that seeds all streams of a step.

    Example:
        >>> drawn_seed(np.random.default_rng(1)) == drawn_seed(np.random.default_rng(1))
        True
    """
    drawn = int(rng.integers(2**63))
    return Seed(drawn, rng.stands_for) if isinstance(rng, _Stream) else drawn


def bootstrap_counts(
    n: int,
    replicates: int,
    rng: Rng,
    clusters: Sequence[Hashable] | NDArray[np.intp] | None = None,
) -> NDArray[np.float64]:
    """Count how often each of n units is drawn, with replacement, in each replicate.

    Args:
        n: Number of units (cases, or systems).
        replicates: Number of replicates.
        rng: The source of randomness.
        clusters: For each unit the cluster it belongs to. Whole clusters are drawn then, as many as
            there are; the units of one cluster always have the same count.

    Returns:
        float64, shape (replicates, n); without clusters every row sums to n.

    Example:
        >>> counts = bootstrap_counts(3, 2, np.random.default_rng(1))
        >>> counts.sum(axis=1).tolist()
        [3.0, 3.0]
        >>> bootstrap_counts(3, 1, np.random.default_rng(1), clusters=["a", "a", "b"]).tolist()
        [[1.0, 1.0, 1.0]]
    """
    rng = as_generator(rng)
    of_unit = cluster_index(clusters, n)
    size = int(of_unit.max(initial=-1)) + 1
    times = np.zeros((replicates, size))
    rows = max(1, _AT_ONCE // max(size, 1))
    for start in range(0, replicates if size else 0, rows):
        drawn = rng.integers(size, size=(min(rows, replicates - start), size))
        drawn += size * np.arange(len(drawn))[:, None]
        counted = np.bincount(drawn.ravel(), minlength=drawn.size)
        times[start : start + rows] = counted.reshape(drawn.shape)
    # Unit by unit in memory either way: sums over units add up in one order, to the last bit.
    return np.asfortranarray(times) if size == n else times[:, of_unit]
