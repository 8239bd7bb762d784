"""Answers that a rater puts off: they come again at the end of their batch."""

from collections.abc import Collection, Sequence

from medassay.campaign.room.clock import Clock
from medassay.campaign.room.kept import Place
from medassay.campaign.room.logbook import log
from medassay.campaign.room.schema import tables
from medassay.campaign.room.sql import Sql, sql

__all__ = ["PutOff"]

_WHAT = "put off"


class PutOff:
    """What raters have put off, as the audit trail holds it.

    Args:
        clock: Tells the time.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._held: dict[str, list[str]] = {}

    def codes(self, connection: Sql, rater: str) -> list[str]:
        """Give the answers that a rater has put off, the one put off last at the end."""
        if rater not in self._held:
            events = tables().events.c
            query = sql().select(events.new).where(events.who == rater, events.what == _WHAT)
            codes = connection.execute(query.order_by(events.id)).scalars()
            self._held[rater] = list(dict.fromkeys(reversed(list(codes))))[::-1]
        return self._held[rater]

    def due(self, connection: Sql, mine: Sequence[Place], done: Collection[str]) -> list[Place]:
        """Give what is open of the batch that is due, in the order in which it comes.

        Batches and first answers are finished before anything that follows them.
        """
        left = [place for place in mine if place.code not in done]
        if not left:
            return []
        now = left[0].phase == "calibration", left[0].batch
        due = [place for place in left if (place.phase == "calibration", place.batch) == now]
        codes = self.codes(connection, due[0].rater)
        return sorted(due, key=lambda place: codes.index(place.code) if place.code in codes else -1)

    def add(self, connection: Sql, rater: str, code: str) -> None:
        """Put an answer off, behind all that were put off before."""
        codes = self.codes(connection, rater)
        log(connection, self._clock, rater, _WHAT, new=code)
        self._held[rater] = [*(other for other in codes if other != code), code]
