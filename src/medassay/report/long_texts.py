"""What is said of texts that a model did not read whole."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from medassay.analyses.results import ShortenedResult


def long_texts(shortened: "ShortenedResult") -> str:
    """Say how many texts were longer than a model reads at once.

    Example:
        >>> from medassay.analyses.results import ShortenedResult
        >>> long_texts(ShortenedResult(metric="m", scored=9, cut=2, in_windows=0))
        '2 cut'
    """
    lines = [f"{shortened.cut:,} cut"] * (shortened.cut > 0)
    lines += [f"{shortened.in_windows:,} in windows"] * (shortened.in_windows > 0)
    return ", ".join(lines)
