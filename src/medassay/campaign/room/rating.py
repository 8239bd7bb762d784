"""The rater's side: where somebody stands, what comes next, and what is said."""

import threading
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from medassay.campaign.create import CITATIONS_HIDDEN
from medassay.campaign.room.content import STAGES, shown_at
from medassay.campaign.room.kept import Kept, Place, Spoken
from medassay.campaign.room.logbook import Clock, log, moment
from medassay.campaign.room.records import (
    Break,
    Guess,
    Progress,
    Receipt,
    Remark,
    Said,
    Stage,
    Standing,
    Task,
)
from medassay.campaign.room.remarks import last_review, remarks_of
from medassay.campaign.room.saying import Saying
from medassay.campaign.room.schema import tables
from medassay.campaign.room.signed import ToSign, to_sign
from medassay.campaign.room.sql import Sql, sql

if TYPE_CHECKING:
    from concurrent.futures import Future

_WHAT = "put off"
_AHEAD: Final = 5
_AWAY: Final = timedelta(seconds=60)


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


class Devices:
    """On which of a rater's devices they rate, as long as the server runs.

    Args:
        clock: Tells the time.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._held: dict[str, tuple[str, datetime]] = {}

    def sit(self, rater: str, device: str, *, takes: bool = False) -> bool:
        """Say whether a rater rates on this device now; one that is silent for a minute is left.

        Args:
            rater: The rater.
            device: What a page calls itself.
            takes: Whether the rater goes on here, wherever they were.
        """
        now = self._clock()
        held, seen = self._held.get(rater, (device, now))
        if held != device and not takes and now - seen <= _AWAY:
            return False
        self._held[rater] = (device, now)
        return True

    def leave(self, rater: str, device: str) -> None:
        """Take note that a page was closed."""
        if self._held.get(rater, ("",))[0] == device:
            del self._held[rater]


@dataclass(frozen=True, slots=True)
class Stand:
    """Where a rater stands.

    Attributes:
        standing: What comes next.
        progress: How far the rater has come.
        code: The task to go on at, where there is one.
        pause: The break that is due, where one is.
        calibrating: Whether the first answers, which everybody rates, are not done yet.
        note: What a reviewer says of all first answers, where that is to be read now.
        remarks: What a reviewer says of each of them, where that is to be read now.
        review: The number of the decision that is to be read.
        signing: What is to be signed, where that is due.
        renewed: Whether the passphrase that is to be set takes the place of an earlier one.
    """

    standing: Standing
    progress: Progress
    code: str = ""
    pause: Break | None = None
    calibrating: bool = False
    note: str = ""
    remarks: tuple[Remark, ...] = ()
    review: int = 0
    signing: tuple[ToSign, ...] = ()
    renewed: bool = False


class Rating:
    """What raters see and say.

    Args:
        kept: What the room keeps.
        clock: Tells the time.
    """

    def __init__(self, kept: Kept, clock: Clock) -> None:
        self._kept, self._clock = kept, clock
        self._saying, self._put_off = Saying(kept, clock), PutOff(clock)
        self.devices = Devices(clock)
        # What a rater said is folded as it is read, by one reader at a time; whoever waits for it
        # holds no connection, or those that wait would keep all of them from the one that reads.
        self.folding = threading.Lock()

    def stand(self, rater: str) -> Stand:
        """Say where a rater stands, on whatever device."""
        with self.folding, self._kept.database.reading() as connection:
            return self._stand(connection, rater)

    def task(self, rater: str, code: str) -> Task | None:
        """Give one task of this rater; None for any other code, and for what is not open yet."""
        with self.folding, self._kept.database.reading() as connection:
            mine = self.mine(connection, rater)
            place = next((other for other in mine if other.code == code), None)
            stand = self._stand(connection, rater)
            spoken = self._kept.spoken(connection, rater)
            known = code == stand.code or code in self._put_off.codes(connection, rater)
            if place is None or not (known or spoken.answered(code)):
                return None
            task = self._task(place, mine, spoken, self._why_closed(connection, place))
            earlier = self._kept.earlier_labels(connection, place, spoken)
            task = replace(task, earlier_labels=earlier)
            if place.phase != "calibration":
                return task
            first = [other for other in mine if other.phase == "calibration"]
            decided = last_review(connection, rater).number
            remarks = remarks_of(self._kept, connection, first, decided)
            if stand.standing == "again":
                # Once this one is settled, the next that is not; then they are handed in.
                due = [remark for remark in remarks if remark.open and remark.code != code]
                due.sort(key=lambda remark: (remark.position < place.position, remark.position))
                task = replace(task, later=due[0].code if due else "")
            return replace(task, remarks=tuple(each for each in remarks if each.code == code))

    def next(self, rater: str) -> Task | None:
        """Give the task to go on at; None where `stand` says that something else is due."""
        stand = self.stand(rater)
        return self.task(rater, stand.code) if stand.standing == "task" else None

    def ahead(self, rater: str) -> tuple[Task, ...]:
        """Give up to five answers that follow the one at hand, for a browser whose line is cut.

        None from beyond a point at which something else comes first: the end of a batch or of the
        first answers, or a day's limit. Of each only what its rater may see first.
        """
        with self.folding, self._kept.database.reading() as connection:
            if self._stand(connection, rater).standing != "task":
                return ()
            mine, spoken = self.mine(connection, rater), self._kept.spoken(connection, rater)
            done = {place.code for place in mine if self._kept.is_done(place, spoken)}
            here, *due = self._put_off.due(connection, mine, done)
            most, limit = _AHEAD, self._kept.design.options.day_limit
            if limit:
                today = moment(self._clock())[:10]
                begun = {code for code, day in spoken.days.items() if day == today}
                most = min(most, limit - len(begun | {here.code}))
            return tuple(self._task(place, mine, spoken, "") for place in due[: max(most, 0)])

    def consent(self, rater: str, version: str) -> None:
        """Keep that a rater agrees to the information of this version, and when.

        Raises:
            InvalidInput: The design has changed since this room was opened.
        """
        t = tables()
        row = {"rater": rater, "version": version, "time": moment(self._clock())}

        def keep(connection: Sql) -> None:
            # Until somebody agrees the lead may change how answers are shown, beside this server.
            self._kept.refuse_older_design(connection)
            connection.execute(t.consents.insert(), row)

        self._kept.database.write(keep)

    def say(self, rater: str, said: Said) -> Receipt:
        """Take one thing that a rater says; return when the disk has it."""
        (receipt,) = self.submit(rater, said).result()
        return receipt

    def submit(self, rater: str, *said: Said) -> "Future[tuple[Receipt, ...]]":
        """Take what a rater says in one request; the future is done when the disk has it.

        It raises what the database raises where it could not be written, such as a full disk; then
        it is not acknowledged, and may be sent again.
        """
        return self._kept.database.submit(self._saying.requests, (rater, said), lone=True)

    def take_break(self, rater: str, after: int) -> None:
        """Keep that a rater has gone on after the break that follows a batch."""
        self._kept.database.write(lambda c: log(c, self._clock, rater, "break", new=str(after)))

    def put_off(self, rater: str, code: str) -> bool:
        """Let an open answer come again at the end of its batch; False where none comes before it.

        What was said of it stays.
        """
        with self.folding, self._kept.database.reading() as connection:
            mine, spoken = self.mine(connection, rater), self._kept.spoken(connection, rater)
            done = {place.code for place in mine if self._kept.is_done(place, spoken)}
            due = [place.code for place in self._put_off.due(connection, mine, done)]
            shown = code == self._stand(connection, rater).code or bool(spoken.answered(code))
        if code not in due or len(due) == 1 or not shown:
            return False
        self._kept.database.write(lambda c: self._put_off.add(c, rater, code))
        return True

    def hand_in(self, rater: str) -> bool:
        """Give first answers back to the reviewer; False while something is open in them."""
        stand, people = self.stand(rater), tables().people
        if stand.standing != "again" or any(remark.open for remark in stand.remarks):
            return False

        def keep(connection: Sql) -> bool:
            sent_back = people.c.rater == rater, people.c.calibration == "again"
            person = people.update().where(*sent_back).values(calibration="open")
            if not connection.execute(person).rowcount:
                return False
            log(connection, self._clock, rater, "hand in first answers again")
            return True

        return self._kept.database.write(keep)

    def read_review(self, rater: str, review: int) -> None:
        """Keep that a rater has read what a reviewer decided."""
        self._kept.database.write(
            lambda c: log(c, self._clock, rater, "read review", new=str(review))
        )

    def guesses_due(self, rater: str) -> tuple[Task, ...]:
        """Give the answers whose systems are to be guessed, those already guessed left out."""
        with self.folding, self._kept.database.reading() as connection:
            mine = self.mine(connection, rater)
            spoken = self._kept.spoken(connection, rater)
            due = self._to_guess(connection, rater, mine)
            return tuple(self._task(place, mine, spoken, "guess") for place in due)

    def guess(self, rater: str, guess: Guess) -> Receipt:
        """Take one guess of the system behind an answer; only of what was offered."""
        t = tables()

        def keep(connection: Sql) -> Receipt:
            guesses = t.guesses.c
            once = guesses.client == guess.client, guesses.rater == rater
            what = guesses.code, guesses.system, guesses.sure
            before = connection.execute(sql().select(*what).where(*once)).first()
            if before is not None:
                same = tuple(before) == (guess.code, guess.system, guess.sure)
                return Receipt(guess.client, saved=same, again=same)
            due = self._to_guess(connection, rater, self.mine(connection, rater))
            systems = self._kept.design.systems
            if guess.code not in {place.code for place in due} or guess.system not in systems:
                return Receipt(guess.client, saved=False)
            row = {
                "client": guess.client,
                "rater": rater,
                "code": guess.code,
                "system": guess.system,
                "sure": guess.sure,
                "saved": moment(self._clock()),
            }
            connection.execute(t.guesses.insert(), row)
            return Receipt(guess.client, saved=True)

        return self._kept.database.write(keep)

    def _stand(self, connection: Sql, rater: str) -> Stand:
        t, s, options = tables(), sql(), self._kept.design.options
        mine = self.mine(connection, rater)
        spoken = self._kept.spoken(connection, rater)
        done = [place for place in mine if self._kept.is_done(place, spoken)]
        took = [spoken.seconds.get(place.code, 0.0) for place in done]
        progress = Progress(len(mine), len(done), sum(took) / len(took) if any(took) else None)
        person = connection.execute(
            s.select(t.people.c.calibration, t.people.c.ended, t.people.c.passphrase).where(
                t.people.c.rater == rater
            )
        ).one()
        finished = {place.code for place in done}
        going = next(iter(self._put_off.due(connection, mine, finished)), None)
        first = [place for place in mine if place.phase == "calibration"]
        calibrating = any(place.code not in finished for place in first)

        def stands(standing: Standing, code: str = "", pause: Break | None = None) -> Stand:
            return Stand(standing, progress, code, pause, calibrating)

        shut = self._shut(connection, rater, person)
        if shut is not None:
            renewed = shut == "passphrase" and _has_done(connection, rater, "set passphrase")
            return replace(stands(shut), renewed=renewed)
        if first and not calibrating and options.review_calibration:
            waits = self._waits(connection, person.calibration, first, stands("review"))
            if waits is not None:
                return waits
        begun = going is not None and bool(spoken.answered(going.code))
        # Nobody is asked to sign in the midst of an answer.
        if options.signatures and not begun:
            due = to_sign(self._kept, connection, mine, spoken)
            if due:
                return replace(stands("sign"), signing=due)
        if going is None:
            last = mine[-1].code if mine else ""
            guessing = bool(self._to_guess(connection, rater, mine))
            return stands("guess") if guessing else stands("done", last)
        pause = None
        if not begun:
            today = moment(self._clock())[:10]
            spent = list(spoken.days.values()).count(today)
            pause = self._break_due(connection, mine, going)
            if options.day_limit and spent >= options.day_limit:
                going, pause = None, None
        standing: Standing = "break" if pause else "task" if going else "tomorrow"
        return stands(standing, going.code if going else "", pause)

    def _waits(
        self, connection: Sql, calibration: str, first: list[Place], stand: Stand
    ) -> Stand | None:
        """Say what is due of first answers that are done; None where nothing is."""
        if calibration == "open":
            return stand
        rater = first[0].rater
        review = last_review(connection, rater)
        remarks = remarks_of(self._kept, connection, first, review.number)
        told = replace(stand, note=review.note, remarks=remarks, review=review.number)
        if calibration == "again":
            open_ones = [remark.code for remark in remarks if remark.open]
            return replace(told, standing="again", code=[*open_ones, first[0].code][0])
        tells = review.note or any(remark.tells for remark in remarks)
        unread = tells and not _has_done(connection, rater, "read review", str(review.number))
        return replace(told, standing="reviewed") if unread else None

    def _shut(self, connection: Sql, rater: str, person: Sql) -> Standing | None:
        """Say why a rater cannot rate at all now; None for one who can."""
        consents, s = tables().consents.c, sql()
        status = self._kept.status(connection)
        if person.ended is not None or status == "closed":
            return "closed"
        if status == "paused":
            return "paused"
        version = self._kept.design.options.information.version
        agreed = s.select(consents.id).where(consents.rater == rater, consents.version == version)
        if not connection.execute(agreed).first():
            return "consent"
        unset = self._kept.design.options.signatures and person.passphrase is None
        return "passphrase" if unset else None

    def _break_due(self, connection: Sql, mine: list[Place], going: Place) -> Break | None:
        """Give the break between the last batch and the one that would begin now."""
        before = [place for place in mine if place.position < going.position]
        if not before or before[-1].batch == going.batch:
            return None
        last = before[-1].batch
        taken = _has_done(connection, going.rater, "break", str(last))
        return None if taken else Break(last, mine[-1].batch)

    def mine(self, connection: Sql, rater: str) -> list[Place]:
        """Give a rater's assignments that have not ended, in order."""
        columns = tables().assignments.c
        return self._kept.places(connection, columns.rater == rater, columns.ended.is_(None))

    def _task(self, place: Place, mine: list[Place], spoken: Spoken, closed: str) -> Task:
        item = self._kept.item(place.item)
        answered = item.answered(spoken.given.get(place.code, {}))
        stages: list[Stage] = [stage for stage in STAGES if stage in item.required] or ["answer"]
        stage = next(
            (
                open_stage
                for open_stage in stages
                if item.required.get(open_stage, frozenset()) - answered
            ),
            stages[-1],
        )
        at = STAGES.index(stage)
        places = [other.code for other in mine]
        here = places.index(place.code)
        later = places[here + 1] if here + 1 < len(places) else ""
        # Only who looks back goes on through what is answered: one that was put off may come last.
        looks_back = closed or self._kept.is_done(place, spoken)
        return Task(
            code=place.code,
            kind=self._kept.design.settings.kind,
            stage=stage,
            shown=shown_at(
                item.shown,
                stage,
                turned=place.turned,
                citations=place.display != CITATIONS_HIDDEN,
            ),
            questions=tuple(
                question for question in item.questions if STAGES.index(question.stage) <= at
            ),
            given=dict(spoken.given.get(place.code, {})),
            comment=spoken.comments.get(place.code, ""),
            dangerous=spoken.dangerous.get(place.code, False),
            calibration=place.phase == "calibration",
            position=place.position,
            batch=place.batch,
            display=place.display,
            earlier=places[here - 1] if here else "",
            later=later if looks_back and spoken.given.get(later) else "",
            closed_because=closed,
        )

    def _why_closed(self, connection: Sql, place: Place) -> str:
        t = tables()
        query = sql().select(t.people.c.calibration).where(t.people.c.rater == place.rater)
        passed = connection.execute(query).scalar_one() == "passed"
        return "reviewed" if passed and place.phase == "calibration" else ""

    def _to_guess(self, connection: Sql, rater: str, mine: list[Place]) -> list[Place]:
        """Give the places left to guess: the last main ones, each answer once."""
        guesses, options = tables().guesses.c, self._kept.design.options
        if len(self._kept.design.systems) < 2:  # noqa: PLR2004 - among one there is nothing to guess
            return []
        query = sql().select(guesses.code).where(guesses.rater == rater)
        done = set(connection.execute(query).scalars())
        # Whoever gets more answers after guessing is not asked to guess again.
        due = options.guesses - len(done)
        main = [
            place
            for place in mine
            if place.phase not in {"calibration", "repeat"} and place.code not in done
        ]
        return main[-due:] if due > 0 else []


def _has_done(connection: Sql, who: str, what: str, new: str = "") -> bool:
    """Say whether the audit trail holds that somebody did this."""
    events = tables().events.c
    done = events.who == who, events.what == what, events.new == new
    return connection.execute(sql().select(events.id).where(*done)).first() is not None
