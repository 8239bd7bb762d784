"""The lead's side: how far it has come, what is due, and what the room does next."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from medassay.campaign.room.clock import Clock, moment
from medassay.campaign.room.kept import Kept, RoomStatus, Spoken
from medassay.campaign.room.logbook import log, log_look
from medassay.campaign.room.rating import Rating, Stand
from medassay.campaign.room.records import Task
from medassay.campaign.room.schema import tables
from medassay.campaign.room.signed import done_batches, to_sign
from medassay.campaign.room.so_far import AgreementSoFar, agreement_so_far
from medassay.campaign.room.sql import Sql, sql

__all__ = ["Lead", "RaterLine", "Reviewed"]

Outcome = Literal["mistake", "difference", "fine", "passed", "again"]


@dataclass(frozen=True, slots=True)
class RaterLine:
    """How far one rater has come; `signed`: batches signed as they are now, and finished ones."""

    rater: str
    stand: Stand
    calibration: str
    hours: float
    dangerous: int
    last: str
    signed: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Reviewed:
    """What a reviewer decides of a rater's calibration answers.

    Attributes:
        rater: The rater.
        outcome: Of one answer: `mistake` (the rater is asked to look again), `difference` (an
            honest one, which stays) or `fine`. Of all: `passed` opens the rest, `again` sends the
            rater back to the first answers.
        code: The answer; empty for all.
        note: What the rater is told.
    """

    rater: str
    outcome: Outcome
    code: str = ""
    note: str = ""


class Lead:
    """What a lead and reviewers see and do; each look and each deed is in the audit trail.

    Args:
        kept: What the room keeps.
        rating: The raters' side.
        clock: Tells the time.
    """

    def __init__(self, kept: Kept, rating: Rating, clock: Clock) -> None:
        self._kept, self._rating, self._clock = kept, rating, clock

    def log(self, who: str, what: str, old: str = "", new: str = "", why: str = "") -> None:
        """Write a line of the audit trail."""
        self._kept.database.write(lambda c: log(c, self._clock, who, what, old, new, why))

    def progress(self, who: str) -> Sequence[RaterLine]:
        """List how far each rater has come; the look is logged."""
        t, s = tables(), sql()
        log_look(self._kept.database, self._clock, who, "look at progress")
        query = s.select(t.people.c.rater, t.people.c.calibration).where(t.people.c.role == "rater")
        with self._kept.database.reading() as connection:
            people = connection.execute(query.order_by(t.people.c.rater)).all()
        lines = []
        for person in people:
            stand = self._rating.stand(person.rater)
            with self._rating.folding, self._kept.database.reading() as connection:
                spoken = self._kept.spoken(connection, person.rater)
                hours = sum(spoken.seconds.values()) / 3600
                dangerous = sum(spoken.dangerous.values())
                last = max(spoken.days.values(), default="")
                signed = self._signed(connection, person.rater, spoken)
            line = RaterLine(
                person.rater, stand, person.calibration, hours, dangerous, last, signed
            )
            lines.append(line)
        return lines

    def _signed(self, connection: Sql, rater: str, spoken: Spoken) -> tuple[int, int] | None:
        if not self._kept.design.options.signatures:
            return None
        mine = self._rating.mine(connection, rater)
        finished = len(done_batches(self._kept, mine, spoken))
        return finished - len(to_sign(self._kept, connection, mine, spoken)), finished

    def calibration_of(self, who: str, rater: str) -> Sequence[Task]:
        """Give a rater's calibration answers as the rater left them, to be reviewed."""
        log_look(self._kept.database, self._clock, who, "look at calibration", rater)
        columns = tables().assignments.c
        with self._kept.database.reading() as connection:
            places = self._kept.places(
                connection, columns.rater == rater, columns.phase == "calibration"
            )
        tasks = [self._rating.task(rater, place.code) for place in places]
        return [task for task in tasks if task is not None]

    def review(self, who: str, reviewed: Reviewed) -> None:
        """Keep what a reviewer decided, and open the rest or send the rater back."""
        t, time = tables(), moment(self._clock())

        def keep(connection: Sql) -> None:
            row = {
                "rater": reviewed.rater,
                "code": reviewed.code or None,
                "reviewer": who,
                "outcome": reviewed.outcome,
                "note": reviewed.note,
                "saved": time,
            }
            connection.execute(t.reviews.insert(), row)
            if not reviewed.code:
                people = t.people.update().where(t.people.c.rater == reviewed.rater)
                connection.execute(people.values(calibration=reviewed.outcome))
            log(
                connection,
                self._clock,
                who,
                "review",
                reviewed.rater,
                reviewed.outcome,
                reviewed.note,
            )

        self._kept.database.write(keep)

    def agreement(self, who: str) -> Sequence[AgreementSoFar]:
        """Say how raters agree by now, over all answers; the look and what it showed are logged."""
        return agreement_so_far(self._kept, self._rating, self._clock, who)

    def set_status(self, who: str, status: RoomStatus, why: str = "") -> None:
        """Open, pause or close the room."""
        t = tables()

        def keep(connection: Sql) -> None:
            old = self._kept.status(connection)
            query = t.facts.update().where(t.facts.c.name == "status").values(value=status)
            connection.execute(query)
            log(connection, self._clock, who, "status", old, status, why)

        self._kept.database.write(keep)
