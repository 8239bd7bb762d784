"""Signatures: a passphrase is set once, and given again to sign what was said."""

import threading
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from math import ceil
from typing import Final

from medassay.campaign.room.kept import Kept
from medassay.campaign.room.logbook import Clock, after, log, log_look, moment
from medassay.campaign.room.rating import Rating
from medassay.campaign.room.records import Refusal
from medassay.campaign.room.schema import tables
from medassay.campaign.room.signed import (
    Signature,
    ToSign,
    done_batches,
    signatures_in,
    to_sign,
    unsigned_in,
)
from medassay.campaign.room.sql import Sql, sql
from medassay.errors import InvalidInput, Problem
from medassay.models import need_package

_SHORTEST: Final = 12
_LONGEST: Final = 200
_DIFFERENT: Final = 5


def _fits(passphrase: str) -> bool:
    """Say whether a passphrase is long enough, and more than a few characters repeated.

    Example:
        >>> _fits("four green teapots"), _fits("teapots"), _fits("abababababababab")
        (True, False, False)
    """
    plain = _plain(passphrase)
    return _SHORTEST <= len(plain) <= _LONGEST and len(set(plain)) >= _DIFFERENT


def hashed(passphrase: str) -> str:
    """Give what is kept of a passphrase: a salted hash that is slow and costly to guess."""
    return str(_hasher().hash(_plain(passphrase)))


def is_right(passphrase: str, kept: str) -> bool:
    """Say whether this is the passphrase of which that was kept."""
    wrong: Sql = need_package("argon2", "signatures").exceptions.VerifyMismatchError
    try:
        return bool(_hasher().verify(kept, _plain(passphrase)))
    except wrong:
        return False


def _plain(passphrase: str) -> str:
    # Phones put a blank behind the last word, and write an accented letter as one sign or as two.
    return unicodedata.normalize("NFKC", passphrase).strip()


@cache
def _hasher() -> Sql:
    return need_package("argon2", "signatures").PasswordHasher()


TRIES: Final = 5
MINUTES: Final = 15
_WRONG: Final = "wrong passphrase"
_RIGHT: Final = ("set passphrase", "sign")
_RESET: Final = "reset passphrase"
_OFF: Final = Refusal("not_asked", "Nothing is signed in this campaign.")
_TOO_SIMPLE: Final = Refusal(
    "too_simple", f"Please take {_SHORTEST} characters or more, at least 5 of them different."
)
_SET: Final = Refusal("passphrase_set", "You have a passphrase already.")
_NONE: Final = Refusal("no_passphrase", "Please set a passphrase first.")
_NOT_RIGHT: Final = Refusal("wrong_passphrase", "This is not your passphrase. Nothing was signed.")
_WAIT: Final = Refusal("too_many_tries", "Too many wrong passphrases. Please wait.")
_SHUT: Final[dict[str, Refusal]] = {
    "closed": Refusal("closed", "The campaign is closed; nothing more is signed."),
    "paused": Refusal("paused", "The study lead has paused the campaign."),
    "consent": Refusal("consent", "Please read and agree to the study's information first."),
}
_CHANGED: Final = Refusal(
    "changed", "What you were shown has changed since. Nothing was signed; please look again."
)


@dataclass(frozen=True, slots=True)
class SignReceipt:
    """What became of a passphrase that was given.

    Attributes:
        refusal: Why it was not taken; None where it was.
        signed: The batches that are signed now.
        left: How many wrong ones may follow before the next must wait.
        wait: After how many minutes the next is taken; 0 where at once.
    """

    refusal: Refusal | None = None
    signed: tuple[int, ...] = ()
    left: int = 0
    wait: int = 0


@dataclass(frozen=True, slots=True)
class SignedBy:
    """How far one rater has signed.

    Attributes:
        rater: The rater.
        passphrase: Whether one is set.
        finished: How many batches are finished.
        signed: How many of these are signed as they are now.
        unsigned: How many judged answers no signature covers, in unfinished batches too.
        wrong: Wrong passphrases since the last right one.
    """

    rater: str
    passphrase: bool
    finished: int
    signed: int
    unsigned: int
    wrong: int


class Signing:
    """Where signatures are on: passphrases, what they sign, and who has signed.

    A link is what somebody has, and the passphrase what they know; a signature needs both. Wrong
    ones are counted in the audit trail: after five within a quarter of an hour the next must wait.
    The lead can reset a passphrase at any time; what was signed stays signed.

    Args:
        kept: What the room keeps.
        rating: The raters' side.
        clock: Tells the time.
    """

    def __init__(self, kept: Kept, rating: Rating, clock: Clock) -> None:
        self._kept, self._rating, self._clock = kept, rating, clock
        # One guess at a time: nobody tries many at once, and a hash takes 64 MB while it is made.
        self._trying = threading.Lock()

    @property
    def asked(self) -> bool:
        """Say whether raters sign in this campaign."""
        return self._kept.design.options.signatures

    def set_passphrase(self, rater: str, passphrase: str) -> SignReceipt:
        """Set a rater's passphrase, where none is set; only its hash is kept.

        Args:
            rater: The rater.
            passphrase: Twelve characters or more.
        """
        if not self.asked:
            return SignReceipt(_OFF)
        if not _fits(passphrase):
            return SignReceipt(_TOO_SIMPLE)
        if self._kept_of(rater) is not None:
            return SignReceipt(_SET)
        people = tables().people
        with self._trying:
            secret = hashed(passphrase)

        def keep(connection: Sql) -> SignReceipt:
            mine = people.c.rater == rater, people.c.passphrase.is_(None)
            query = people.update().where(*mine).values(passphrase=secret)
            if not connection.execute(query).rowcount:
                return SignReceipt(_SET)
            log(connection, self._clock, rater, _RIGHT[0])
            return SignReceipt()

        return self._kept.database.write(keep)

    def sign(self, rater: str, passphrase: str, batches: Mapping[int, str]) -> SignReceipt:
        """Sign finished batches as their rater was shown them; sent twice they are signed once.

        Args:
            rater: The rater.
            passphrase: The rater's passphrase.
            batches: For each batch the SHA-256 of what the rater was shown to sign.
        """
        if not self.asked:
            return SignReceipt(_OFF)
        standing = self._rating.stand(rater).standing
        shut = SignReceipt(_SHUT[standing]) if standing in _SHUT else None
        refused = shut or self._refused(rater, passphrase)
        if refused is not None:
            return refused
        with self._rating.folding, self._kept.database.reading() as connection:
            mine = self._rating.mine(connection, rater)
            spoken = self._kept.spoken(connection, rater)
            due = to_sign(self._kept, connection, mine, spoken)
            codes = {
                batch: " ".join(place.code for place in places)
                for batch, places in done_batches(self._kept, mine, spoken).items()
            }
        wanted = [one for one in due if one.batch in batches]
        shown = all(batches[one.batch] == one.sha256 for one in wanted)
        if not shown or not set(batches) <= set(codes):
            return SignReceipt(_CHANGED)

        def keep(connection: Sql) -> SignReceipt:
            for one in wanted:
                self._keep(connection, rater, one, codes[one.batch])
            return SignReceipt(signed=tuple(sorted(batches)))

        return self._kept.database.write(keep)

    def reset(self, who: str, rater: str, why: str = "") -> None:
        """Take away a rater's passphrase, so that a new one is set at the next visit.

        Raises:
            InvalidInput: There is no such rater.
        """
        people = tables().people

        def keep(connection: Sql) -> bool:
            mine = people.c.rater == rater, people.c.role == "rater"
            query = people.update().where(*mine).values(passphrase=None)
            known = bool(connection.execute(query).rowcount)
            if known:
                log(connection, self._clock, who, _RESET, old=rater, why=why)
            return known

        if not self._kept.database.write(keep):
            raise InvalidInput(Problem("rater", "be a rater of the campaign", f'"{rater}"'))

    def signatures(self, who: str) -> tuple[Sequence[SignedBy], Sequence[Signature]]:
        """Say who has signed what, and whether each signature still holds; the look is logged."""
        log_look(self._kept.database, self._clock, who, "look at signatures")
        people = tables().people.c
        query = sql().select(people.rater, people.passphrase).where(people.role == "rater")
        with self._rating.folding, self._kept.database.reading() as connection:
            signatures = signatures_in(self._kept, connection)
            unsigned = unsigned_in(self._kept, connection, signatures)
            lines = []
            for person in connection.execute(query.order_by(people.rater)).all():
                mine = self._rating.mine(connection, person.rater)
                spoken = self._kept.spoken(connection, person.rater)
                finished = len(done_batches(self._kept, mine, spoken))
                due = len(to_sign(self._kept, connection, mine, spoken))
                lines.append(
                    SignedBy(
                        person.rater,
                        person.passphrase is not None,
                        finished,
                        finished - due,
                        unsigned.get(person.rater, 0),
                        len(self._tries(connection, person.rater)),
                    )
                )
        return lines, signatures

    def _kept_of(self, rater: str) -> str | None:
        """Give what is kept of a rater's passphrase; None where none is set."""
        people = tables().people.c
        query = sql().select(people.passphrase).where(people.rater == rater)
        with self._kept.database.reading() as connection:
            kept: str | None = connection.execute(query).scalar()
        return kept

    def _refused(self, rater: str, passphrase: str) -> SignReceipt | None:
        """Say why this passphrase signs nothing; a wrong one is counted."""
        with self._trying:
            kept = self._kept_of(rater)
            with self._kept.database.reading() as connection:
                tries = self._tries(connection, rater)
            if kept is None:
                return SignReceipt(_NONE)
            recent = self._recent(tries)
            if len(recent) >= TRIES:
                return SignReceipt(_WAIT, wait=self._wait(recent))
            if is_right(passphrase, kept):
                return None
            self._kept.database.write(lambda c: log(c, self._clock, rater, _WRONG))
            left = TRIES - len(recent) - 1
            if left:
                return SignReceipt(_NOT_RIGHT, left=left)
            return SignReceipt(_WAIT, wait=self._wait([*recent, moment(self._clock())]))

    def _tries(self, connection: Sql, rater: str) -> list[str]:
        """Give the moments of wrong passphrases since the last right one, or since a reset."""
        events, s = tables().events.c, sql()
        right = s.select(s.func.max(events.id)).where(
            ((events.who == rater) & events.what.in_(_RIGHT))
            | ((events.old == rater) & (events.what == _RESET))
        )
        query = s.select(events.time).where(
            events.who == rater,
            events.what == _WRONG,
            events.id > s.func.coalesce(right.scalar_subquery(), 0),
        )
        return list(connection.execute(query.order_by(events.id)).scalars())

    def _recent(self, tries: Sequence[str]) -> list[str]:
        since = after(self._clock(), hours=-MINUTES / 60)
        return [time for time in tries if time > since]

    def _wait(self, recent: Sequence[str]) -> int:
        """Say after how many minutes, begun ones counted, the next try is taken."""
        free = datetime.fromisoformat(recent[-TRIES]) + timedelta(minutes=MINUTES)
        return max(1, ceil((free - self._clock()) / timedelta(minutes=1)))

    def _keep(self, connection: Sql, rater: str, signed: ToSign, codes: str) -> None:
        row = {
            "rater": rater,
            "meaning": signed.meaning,
            "signed": signed.sha256,
            "saved": moment(self._clock()),
            "batch": signed.batch,
            "covers": codes,
        }
        connection.execute(tables().signatures.insert(), row)
        new = f"batch {signed.batch}: {signed.answers} answers, SHA-256 {signed.sha256}"
        log(connection, self._clock, rater, _RIGHT[1], new=new, why=signed.meaning)
