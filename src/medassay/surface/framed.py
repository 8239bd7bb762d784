"""Show a table of polars under its headline, in a terminal and in a notebook."""

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

__all__ = ["frame_html", "frame_words"]


def frame_words(name: str, frame: "pl.DataFrame", *counted: str) -> str:
    """Say in a line what a table holds: its rows, and how many there are of what.

    Args:
        name: What it is called.
        frame: Its rows.
        counted: Columns whose different values are counted.

    Example:
        >>> import polars as pl
        >>> frame_words("ScoreTable", pl.DataFrame({"system": ["A", "A", "B"]}), "system")
        'ScoreTable(3 rows, 2 systems)'
    """
    parts = [(frame.height, "row"), *((frame[each].n_unique(), each) for each in counted)]
    counted_words = ", ".join(
        f"{count:,} {noun}{'' if count == 1 else 's'}" for count, noun in parts
    )
    return f"{name}({counted_words})"


def frame_html(headline: str, frame: "pl.DataFrame") -> str:
    """Give the headline and the first and last rows, for a notebook."""
    return f"<p>{escape(headline)}</p>{frame._repr_html_()}"
