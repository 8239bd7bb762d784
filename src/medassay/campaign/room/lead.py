"""The lead's side: how far it has come, what is due, and what the room does next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from statistics import median
from typing import Literal

from medassay.campaign.room.kept import Kept, Place, RoomStatus, Spoken
from medassay.campaign.room.logbook import Clock, log, log_look, moment
from medassay.campaign.room.rating import Rating, Stand
from medassay.campaign.room.records import Task
from medassay.campaign.room.remarks import remarks_of
from medassay.campaign.room.schema import tables
from medassay.campaign.room.settling import AgreementSoFar, agreement_so_far
from medassay.campaign.room.signed import done_batches, to_sign
from medassay.campaign.room.sql import Sql, sql


@dataclass(frozen=True, slots=True)
class Pace:
    """How a rater went so far.

    Attributes:
        seconds: The median of active seconds over finished answers; None before there is one.
        run: The most answers one after another with one label for a question; 0 before any.
        label: That label.
        title: That question.
    """

    seconds: float | None = None
    run: int = 0
    label: str = ""
    title: str = ""


def _pace_of(kept: Kept, mine: Sequence[Place], spoken: Spoken) -> Pace:
    """Say how a rater went so far; of equal runs the first question's is told.

    Questions about the answer as a whole are read, in the order of the plan.

    Args:
        kept: What the room keeps.
        mine: The rater's assignments, in order.
        spoken: What the rater has said.
    """
    done = [place for place in mine if kept.is_done(place, spoken)]
    took = [spoken.seconds.get(place.code, 0.0) for place in done]
    longest = Pace(median(took) if any(took) else None)
    for dimension in kept.design.rubric.dimensions:
        said = [spoken.given.get(place.code, {}).get((dimension.id, "")) for place in done]
        labels = [given.label for given in said if given is not None]
        for label, together in groupby(labels):
            run = len(list(together))
            if label and run > longest.run:
                title = dimension.title or dimension.id
                longest = Pace(longest.seconds, run, label, title)
    return longest


Outcome = Literal["", "mistake", "difference", "fine", "passed", "again"]


@dataclass(frozen=True, slots=True)
class RaterLine:
    """How far one rater has come.

    Attributes:
        rater: The rater.
        stand: Where the rater stands.
        calibration: How first answers stand: open, again or passed.
        hours: Active hours that the server's clock bears out.
        claimed: Active hours that the rater's browsers counted.
        dangerous: How many answers are marked as dangerous.
        last: The last day on which anything was said.
        signed: Batches signed as they are now, and finished ones.
        pace: Median seconds an answer, and the longest run of one label; raters are not shown it.
    """

    rater: str
    stand: Stand
    calibration: str
    hours: float
    claimed: float
    dangerous: int
    last: str
    signed: tuple[int, int] | None
    pace: Pace


@dataclass(frozen=True, slots=True)
class Reviewed:
    """What a reviewer decides of a rater's calibration answers.

    Attributes:
        rater: The rater.
        outcome: Of one label: `mistake` (the rater changes it or says why not), `difference` (an
            honest one, which stays), `fine`, or nothing but words. Of all: `passed` opens the
            rest, `again` sends the rater back to the first answers.
        code: The answer; empty for all.
        note: What the rater is told.
        dimension: The dimension; empty for the answer as a whole.
        about: What of the answer it is about; empty for all that was said of the question.
        seen: The last judgement that the reviewer saw; None for the last there is.
    """

    rater: str
    outcome: Outcome
    code: str = ""
    note: str = ""
    dimension: str = ""
    about: str = ""
    seen: int | None = None


Said = tuple[str, str]
"""A verdict and words."""


@dataclass(frozen=True, slots=True)
class FirstAnswers:
    """A rater's first answers as they are now, with all remarks.

    Attributes:
        tasks: The answers.
        seen: The last judgement in them.
        read: The last remark on them.
    """

    tasks: tuple[Task, ...]
    seen: int
    read: int = 0


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
                hours, claimed = sum(spoken.seconds.values()) / 3600, spoken.claimed / 3600
                dangerous = sum(spoken.dangerous.values())
                last = max(spoken.days.values(), default="")
                signed = self._signed(connection, person.rater, spoken)
                pace = _pace_of(self._kept, self._rating.mine(connection, person.rater), spoken)
            lines.append(
                RaterLine(
                    person.rater,
                    stand,
                    person.calibration,
                    hours,
                    claimed,
                    dangerous,
                    last,
                    signed,
                    pace,
                )
            )
        return lines

    def _signed(self, connection: Sql, rater: str, spoken: Spoken) -> tuple[int, int] | None:
        if not self._kept.design.options.signatures:
            return None
        mine = self._rating.mine(connection, rater)
        finished = len(done_batches(self._kept, mine, spoken))
        return finished - len(to_sign(self._kept, connection, mine, spoken)), finished

    def calibration_of(self, who: str, rater: str) -> FirstAnswers:
        """Give a rater's calibration answers as the rater left them, to be reviewed."""
        log_look(self._kept.database, self._clock, who, "look at calibration", rater)
        with self._rating.folding, self._kept.database.reading() as connection:
            places = self._kept.first_answers(connection, rater)
            remarks = remarks_of(self._kept, connection, places)
            seen = self._kept.spoken(connection, rater).last
            reviews = tables().reviews.c
            newest = sql().select(sql().func.max(reviews.id)).where(reviews.rater == rater)
            read = connection.execute(newest).scalar() or 0
        tasks = [self._rating.task(rater, place.code) for place in places]
        return FirstAnswers(
            tuple(
                replace(task, remarks=tuple(each for each in remarks if each.code == task.code))
                for task in tasks
                if task is not None
            ),
            seen,
            read,
        )

    def review(
        self, who: str, *decisions: Reviewed, read: int | None = None
    ) -> Mapping[tuple[str, str, str], Said]:
        """Keep what a reviewer decided, and open the rest or send the rater back.

        What a reviewer said before of a label, and what has not changed since, is kept once. What
        another reviewer said since the page was read is never overwritten: it stays where this one
        left the label as it was read, and is given back where both said something.

        Args:
            who: The reviewer.
            decisions: What is said of labels, or of all.
            read: The last remark that stood on the page; None where nobody else can have written.

        Returns:
            For each code, dimension and about of which two said different things: what the other
            said, as verdict and words. Of these nothing is kept.
        """

        def keep(connection: Sql) -> Mapping[tuple[str, str, str], Said]:
            others: dict[tuple[str, str, str], Said] = {}
            for reviewed in decisions:
                mine = reviewed.outcome, reviewed.note
                if reviewed.code and read is not None:
                    then = self._said(connection, reviewed, read + 1)
                    now = self._said(connection, reviewed)
                    if now != then and mine not in {now, then}:
                        others[reviewed.code, reviewed.dimension, reviewed.about] = now
                    if now != then:
                        continue
                if not reviewed.code or not self._known(connection, reviewed):
                    self._keep_review(connection, who, reviewed)
            return others

        return self._kept.database.write(keep)

    def _said(self, connection: Sql, reviewed: Reviewed, before: int | None = None) -> Said:
        """Give what is said of a label as it is now, or was before a remark: verdict and words."""
        key = (reviewed.code, reviewed.dimension, reviewed.about)
        first = self._kept.first_answers(connection, reviewed.rater)
        said = {
            (each.code, each.dimension, each.about): (each.outcome, each.words)
            for each in remarks_of(self._kept, connection, first, before)
            if each.settled != "changed"
        }
        return said.get(key, ("", ""))

    def _known(self, connection: Sql, reviewed: Reviewed) -> bool:
        """Say whether this is what the reviewer has said of a label as it is, or says nothing."""
        outcome, words = self._said(connection, reviewed)
        if not reviewed.outcome and not reviewed.note:
            return not words
        return (outcome, words) == (reviewed.outcome, reviewed.note)

    def _keep_review(self, connection: Sql, who: str, reviewed: Reviewed) -> None:
        t, judgements = tables(), tables().judgements.c
        seen = reviewed.seen
        if seen is None:
            newest = sql().select(sql().func.max(judgements.id))
            seen = connection.execute(newest.where(judgements.rater == reviewed.rater)).scalar()
        row = {
            "rater": reviewed.rater,
            "code": reviewed.code or None,
            "dimension": reviewed.dimension,
            "about": reviewed.about,
            "reviewer": who,
            "outcome": reviewed.outcome,
            "note": reviewed.note,
            "seen": seen or 0,
            "saved": moment(self._clock()),
        }
        connection.execute(t.reviews.insert(), row)
        if not reviewed.code:
            people = t.people.update().where(t.people.c.rater == reviewed.rater)
            connection.execute(people.values(calibration=reviewed.outcome))
        what = " ".join(
            part for part in ("review", reviewed.code, reviewed.dimension, reviewed.about) if part
        )
        log(connection, self._clock, who, what, reviewed.rater, reviewed.outcome, reviewed.note)

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
