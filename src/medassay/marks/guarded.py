"""How a field that can name a place is kept from leading there: a marker on the field."""

from dataclasses import dataclass

__all__ = ["Guarded"]


@dataclass(frozen=True, slots=True)
class Guarded:
    """A field of a study's file may name a host, a path or code; this says what stops it.

    A study may come from anybody, so a test refuses such a field without this marker.

    Attributes:
        by: The function that refuses or asks, by its full name; a test looks that it is there.

    Example:
        >>> Guarded("medassay.study.config.own_files.outside_problem").by
        'medassay.study.config.own_files.outside_problem'
    """

    by: str
