"""The ranking by three rules for answers without a judgement, as plain data."""

from medassay.study.plain import Plain

__all__ = ["UnjudgedResult"]


class UnjudgedResult(Plain):
    """One system; see `validity.UnjudgedRank`."""

    consensus: str
    dimension: str
    system: str
    judged: int
    unjudged: int
    dropped: float | None
    dropped_rank: int | None
    worst: float | None
    worst_rank: int | None
    shared: float | None
    shared_rank: int | None
    shared_cases: int
    moves: bool
    """Whether the rule decides the system's place."""
