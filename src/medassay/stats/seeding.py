"""Take randomness as whoever calls has it: a whole number, or a generator of numpy."""

from typing import overload

import numpy as np

from medassay.errors import InvalidInput, Problem

__all__ = ["Rng", "as_generator"]

Rng = np.random.Generator | int
"""What `rng` takes everywhere: a seed, or a generator, which goes on from where it is."""


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
