"""A named column of scores that knows which way is better."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from medassay.api_checks import Brief
from medassay.scores import Grid

Direction = Literal["higher", "lower", "none"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Source(Brief):
    """A metric or a consensus, laid out over systems and cases.

    Attributes:
        name: Its canonical name.
        grid: Its values.
        direction: Whether `higher` or `lower` values are better, or `none` is (length, say).
        bounds: The ends of the scale, which intervals of means must not leave; None where unknown.
        dimension: What the raters judged, of a consensus; empty for any other source.
    """

    name: str
    grid: Grid
    direction: Direction = "higher"
    bounds: tuple[float, float] | None = None
    dimension: str = ""

    @property
    def sign(self) -> float:
        """Turn values so that higher is better."""
        return -1.0 if self.direction == "lower" else 1.0


def in_canonical_order(grid: Grid) -> Grid:
    """Sort systems and cases by id, so that no result depends on the order of rows.

    Example:
        >>> grid = Grid(("B", "A"), ("1",), np.array([[1.0], [2.0]]), np.ones((2, 1), dtype=bool))
        >>> in_canonical_order(grid).values.tolist()
        [[2.0], [1.0]]
    """
    if all(list(names) == sorted(names) for names in (grid.systems, grid.cases)):
        return grid
    rows = np.array(sorted(range(len(grid.systems)), key=grid.systems.__getitem__), dtype=np.intp)
    columns = np.array(sorted(range(len(grid.cases)), key=grid.cases.__getitem__), dtype=np.intp)
    cells = np.ix_(rows, columns)
    return Grid(
        tuple(grid.systems[i] for i in rows),
        tuple(grid.cases[j] for j in columns),
        grid.values[cells],
        grid.known[cells],
        None if grid.asked is None else grid.asked[cells],
    )
