"""A table between two marks of a page, which a simulation writes, and its rates."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

__all__ = ["drawn_on", "percent", "put_table"]

_END = "<!-- end -->"


def put_table(page: Path, lines: Sequence[str], mark: str = "table") -> None:
    """Put a table in the place of the one between a page's marks; the rest of it stays."""
    begin = f"<!-- {mark} -->\n"
    before, start, rest = page.read_text(encoding="utf-8").partition(begin)
    _, end, after = rest.partition(_END)
    if not (start and end):
        message = f"{page.name} has no marks {begin.strip()} and {_END}"
        raise ValueError(message)
    table = "".join(f"{line}\n" for line in lines)
    page.write_text(f"{before}{begin}{table}{_END}{after}", encoding="utf-8")


def drawn_on(
    study: Callable[[], Sequence[bool]], studies: int, longer: int, over: float
) -> tuple[list[float], int]:
    """Draw studies, and more where the last share is over a goal: a high rate is measured well.

    Args:
        study: Draws one, and says what was said in it.
        studies: At least so many.
        longer: So many where the last share is over the goal.
        over: The goal.

    Returns:
        The shares, and of how many studies they are.
    """
    drawn = [study() for _ in range(studies)]
    if np.mean(drawn, axis=0)[-1] > over:
        drawn += [study() for _ in range(studies, longer)]
    return np.mean(drawn, axis=0).tolist(), len(drawn)


def percent(share: float, n: int) -> str:
    """Give a rate of n draws in percent, its Monte Carlo error in brackets.

    Of none and of all the error says nothing; there it is what 95 % leave open, 3 in n.

    Example:
        >>> percent(0.25, 1000), percent(0.0, 1000)
        ('25.0 (1.4)', '0.0 (0.3)')
    """
    error = (share * (1 - share) / n) ** 0.5 if 0 < share < 1 else 3 / n
    return f"{100 * share:.1f} ({100 * error:.1f})"
