"""What of another tool's files has no place in a study."""

from collections.abc import Mapping

__all__ = ["describe_left_behind"]


def describe_left_behind(left: Mapping[str, int]) -> list[str]:
    """Say what was not carried over, and how many of each.

    Example:
        >>> describe_left_behind({"predictions of models": 1, "results of the type labels": 0})
        ['not carried over: predictions of models (1).']
    """
    return [f"not carried over: {what} ({count:,})." for what, count in left.items() if count]
