"""Read Parquet."""

import io

from medassay.errors import InvalidInput, Problem
from medassay.tables.sheet import Sheet

__all__ = ["read_parquet"]


def read_parquet(content: bytes, file: str) -> Sheet:
    """Read a Parquet file; its rows count from 1.

    Raises:
        InvalidInput: It is none.
    """
    import polars as pl

    try:
        frame = pl.read_parquet(io.BytesIO(content))
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        got = str(error).split("\n")[0] if content else "an empty file"
        raise InvalidInput(Problem(file, "be a Parquet file", got)) from error
    columns: dict[str, list[object]] = {c.name: c.to_list() for c in frame}
    return Sheet(file, list(range(1, frame.height + 1)), columns)
