"""How deep lists and objects may stand within each other."""

from collections.abc import Iterable
from typing import Final

__all__ = ["DEEPEST", "TOO_DEEP", "is_too_deep"]

DEEPEST: Final = 100
"""Python reads some hundred levels and fails at fewer where it writes, compares or names them."""
TOO_DEEP: Final = "lists or objects nested too deep"


def is_too_deep(value: object) -> bool:
    """Tell whether lists and objects stand within each other deeper than anyone means.

    Example:
        >>> deep = []
        >>> for _ in range(DEEPEST):
        ...     deep = [deep]
        >>> is_too_deep(deep), is_too_deep(deep[0])
        (True, False)
    """
    level = _containers([value])
    for _ in range(DEEPEST):
        if not level:
            return False
        level = [
            inner
            for container in level
            for inner in _containers(
                container.values() if isinstance(container, dict) else container
            )
        ]
    return bool(level)


def _containers(values: Iterable[object]) -> list[dict[str, object] | list[object]]:
    return [value for value in values if isinstance(value, dict | list)]
