"""The systems or the cases of a score table, numbered, so that rows are placed without text."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Axis"]


class Axis:
    """Where the rows of a table stand along a list of systems, or of cases.

    Example:
        >>> import polars as pl
        >>> Axis(pl.Series(["b", "a", "b"])).places(["a", "c", "b"]).tolist()
        [2, 0, 2]
        >>> Axis(pl.Series(["b", "a", "b"])).places(["a"]).tolist()
        [-1, 0, -1]
    """

    def __init__(self, column: "pl.Series") -> None:
        import polars as pl

        names = column.unique().sort()
        self._number = {name: i for i, name in enumerate(names.to_list())}
        self._numbers = column.cast(pl.Enum(names)).to_physical().to_numpy()
        self._latest: tuple[tuple[str, ...], NDArray[np.int32]] | None = None

    def places(self, names: Sequence[str]) -> NDArray[np.int32]:
        """Give for each row the place of its name in a list; -1 where the list lacks it.

        Asked for the same list again, as every source of a table is, it answers at once.
        """
        asked = tuple(names)
        if self._latest is None or self._latest[0] != asked:
            place = np.full(len(self._number), -1, dtype=np.int32)
            for i, name in enumerate(asked):
                number = self._number.get(name)
                if number is not None:
                    place[number] = i
            self._latest = asked, place[self._numbers]
        return self._latest[1]
