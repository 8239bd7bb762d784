"""What few cases do to intervals from resampled cases."""

from collections.abc import Iterable
from typing import Final

__all__ = ["few_cases"]

_FEW: Final = 40
_MEASURED: Final = 10
# Fewer than so many cases, and what share of 95 % intervals held in simulation.
_HELD: Final = ((15, "87 to 93"), (_FEW, "89 to 94"))


def few_cases(cases: Iterable[int]) -> str:
    """Say that intervals over so few cases are too narrow, or nothing.

    Args:
        cases: The number of cases behind each interval.

    Example:
        >>> few_cases([120, 45])
        ''
        >>> few_cases([120, 12])
        'With fewer than 40 cases (here as few as 12) a 95 % interval holds the truth in about 87 \
to 93 % of studies: it is too narrow.'
    """
    least = min((n for n in cases if n > 0), default=_FEW)
    held = next((share for few, share in _HELD if least < few), "")
    if not held:
        return ""
    if least < _MEASURED:
        return (
            f"Some intervals rest on as few as {least} cases: they are too narrow, and how far was "
            f"not measured for fewer than {_MEASURED} cases."
        )
    return (
        f"With fewer than {_FEW} cases (here as few as {least}) a 95 % interval holds the truth in "
        f"about {held} % of studies: it is too narrow."
    )
