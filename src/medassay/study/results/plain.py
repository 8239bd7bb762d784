"""What every part of the results is made of."""

from typing import Self

from pydantic import BaseModel, ConfigDict

from medassay.privacy import Words, check_marked
from medassay.stats import Interval

__all__ = ["IntervalResult", "Plain"]


class Plain(BaseModel):
    """Plain data that nobody changes; every string says what it is of."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @classmethod
    def __pydantic_init_subclass__(cls, **_: object) -> None:
        """Refuse a record with a string of which nothing is said."""
        check_marked(cls)


class IntervalResult(Plain):
    """An interval with its meaning, as `stats.Interval`."""

    low: float
    high: float
    level: float
    method: Words
    estimand: Words
    replicates: int | None = None

    @classmethod
    def of(cls, interval: Interval | None) -> Self | None:
        """Lay out an interval, if there is one."""
        if interval is None:
            return None
        return cls(
            low=interval.low,
            high=interval.high,
            level=interval.level,
            method=interval.method,
            estimand=interval.estimand,
            replicates=interval.replicates,
        )
