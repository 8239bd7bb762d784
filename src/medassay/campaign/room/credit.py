"""Seconds of work that are credited: what a browser claims, held to the server's clock."""

from datetime import datetime

from medassay.campaign.room.schema import tables
from medassay.campaign.room.sql import Sql, sql

__all__ = ["Credit"]


class Credit:
    """Credits what raters claim at one moment.

    Between two acknowledgements no rater is credited more than the time between them; before the
    first it is the time since the rater agreed to take part.

    Args:
        connection: The transaction.
        now: The moment, by the server's clock.
    """

    def __init__(self, connection: Sql, now: datetime) -> None:
        self._connection, self._now = connection, now
        self._left: dict[str, float] = {}

    def of(self, rater: str, claimed: float | None) -> float | None:
        """Give how much of what a rater claims is credited; None where nothing is claimed."""
        if claimed is None:
            return None
        if rater not in self._left:
            passed = (self._now - self._since(rater)).total_seconds()
            self._left[rater] = max(passed, 0.0)
        credited = min(claimed, self._left[rater])
        self._left[rater] -= credited
        return credited

    def _since(self, rater: str) -> datetime:
        t, s = tables(), sql()
        said, agreed = t.judgements.c, t.consents.c
        newest = s.select(said.saved).where(said.rater == rater).order_by(said.id.desc()).limit(1)
        last = self._connection.execute(newest).scalar()
        if last is None:
            first = s.select(s.func.max(agreed.time)).where(agreed.rater == rater)
            last = self._connection.execute(first).scalar()
        return self._now if last is None else datetime.fromisoformat(last)
