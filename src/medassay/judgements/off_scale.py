"""Many labels of one rater that a dimension does not have: one sentence in place of one a row."""

from collections.abc import Sequence
from typing import Final

from medassay.text import count_of

__all__ = ["MANY", "off_scale"]

MANY: Final = 4
"""From so many rows on, one line says it of all of them."""
_FIRST: Final = 3
_SHOWN: Final = 4


def off_scale(
    said: Sequence[str], rows: Sequence[int], dimension: str, labels: Sequence[str], who: str = ""
) -> tuple[str, str]:
    """Say what stands there in place of labels, and what may have happened.

    Args:
        said: What stands there, row by row.
        rows: The rows.
        dimension: What was rated.
        labels: The labels that there are, in their order.
        who: Who said it, where the file does not say.

    Returns:
        What was found, and what to try.

    Example:
        >>> found, hint = off_scale(["7", "10", "9", "7"], [2, 3, 5, 8], "accuracy", "15", "anna")
        >>> print(found)
        values up to 10 of anna on 4 rows (2, 3, 5 ...)
        >>> print(hint)
        accuracy goes from 1 to 5: was it another scale? Then give the rubric that raters had, or \
bring the values to this one first.
        >>> off_scale(["good", "bad", "good", "bad"], [2, 3, 4, 5], "safety", ["1", "2"])[0]
        '"good", "bad" on 4 rows (2, 3, 4 ...)'
    """
    values = [_number(word) for word in said]
    scale = [_number(label) for label in labels]
    numbers = [value for value in values if value is not None]
    ends = [value for value in scale if value is not None]
    first = ", ".join(map(str, rows[:_FIRST]))
    where = f"on {count_of(len(rows), 'row')} ({first}{' ...' if rows[_FIRST:] else ''})"
    of = f" of {who}" if who else ""
    if ends and len(ends) == len(scale) and len(numbers) == len(values):
        high = max(numbers) > max(ends)
        end = f"up to {max(numbers):g}" if high else f"down to {min(numbers):g}"
        between = min(ends) <= min(numbers) and not high
        found = "values between the labels" if between else f"values {end}"
        scaled = f"{dimension} goes from {min(ends):g} to {max(ends):g}: was it another scale?"
    else:
        words = list(dict.fromkeys(f'"{word}"' for word in said))
        more = f" and {len(words) - _SHOWN} more" if words[_SHOWN:] else ""
        found = ", ".join(words[:_SHOWN]) + more
        scaled = f"Are these the labels of another rubric than the one in use for {dimension}?"
    hint = "Then give the rubric that raters had, or bring the values to this one first."
    return f"{found}{of} {where}", f"{scaled} {hint}"


def _number(word: str) -> float | None:
    try:
        return float(word.replace(",", "."))
    except ValueError:
        return None
