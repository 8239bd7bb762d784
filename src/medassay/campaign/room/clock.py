"""Moments as the room writes them: UTC, ISO 8601, so that their order is that of their letters."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

__all__ = ["Clock", "after", "moment", "now"]

Clock: TypeAlias = Callable[[], datetime]


def now() -> datetime:
    """Give the time."""
    return datetime.now(UTC)


def moment(time: datetime) -> str:
    """Write a moment.

    Example:
        >>> moment(datetime(2026, 3, 1, 12, 0, 5, tzinfo=UTC))
        '2026-03-01T12:00:05.000000Z'
    """
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def after(time: datetime, *, days: float = 0, hours: float = 0) -> str:
    """Write the moment that is so much later."""
    return moment(time + timedelta(days=days, hours=hours))
