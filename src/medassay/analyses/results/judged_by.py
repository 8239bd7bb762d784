"""Whose labels a dimension's numbers rest on, as plain data."""

from typing import Literal

from pydantic import Field

from medassay.annotations import DesignName, RaterName
from medassay.annotations.record import Plain

__all__ = ["JudgedBy"]


class JudgedBy(Plain, infers=False):
    """A judged dimension, of a study in which labels of models are counted on some."""

    dimension: DesignName
    models: list[RaterName]
    """Whose labels count on it; none where only people judged."""
    people: int
    """People who judged it too; 0: all that is said of it is a model's word."""
    certified: list[RaterName] = Field(default_factory=list)
    """Models of them whose certificate holds on it."""
    of: Literal["labels", "preferences"] = "labels"
    """What they gave; no certificate speaks of preferences."""
