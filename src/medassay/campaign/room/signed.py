"""What is signed: finished batches, each known by a hash of all that its rater said of it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from medassay.campaign.room.kept import Kept, Place, Spoken
from medassay.campaign.room.schema import tables
from medassay.campaign.room.sql import Sql, sql

MEANINGS: Final = {
    "authorship": "I made these judgements myself.",
    "correction": "I made these judgements myself, and the changes since I last signed them.",
}
"""What a signature says, as raters who read English are shown it."""


@dataclass(frozen=True, slots=True)
class ToSign:
    """A finished batch that its rater has not signed as it is now.

    Attributes:
        batch: The batch.
        answers: How many answers it has.
        labels: How much was said of them: labels, numbers, reasons.
        sha256: The hash of what would be signed.
        meaning: What the signature would say: `authorship`, or `correction` where it was signed
            before.
        code: Its first answer, to look at it again.
    """

    batch: int
    answers: int
    labels: int
    sha256: str
    meaning: str
    code: str


@dataclass(frozen=True, slots=True)
class Signature:
    """A signature that was given.

    Attributes:
        rater: Who signed.
        batch: The batch.
        meaning: What it says: a key of `MEANINGS`.
        time: When, by the server's clock.
        sha256: The hash of what was signed.
        codes: The answers that it covers.
        holds: Whether what its rater says of them now is what was signed.
    """

    rater: str
    batch: int
    meaning: str
    time: str
    sha256: str
    codes: tuple[str, ...]
    holds: bool


def done_batches(kept: Kept, mine: Sequence[Place], spoken: Spoken) -> dict[int, list[Place]]:
    """Give the batches of a rater in which nothing is missing."""
    batches: dict[int, list[Place]] = {}
    for place in mine:
        batches.setdefault(place.batch, []).append(place)
    return {
        batch: places
        for batch, places in batches.items()
        if all(kept.is_done(place, spoken) for place in places)
    }


def to_sign(
    kept: Kept, connection: Sql, mine: Sequence[Place], spoken: Spoken
) -> tuple[ToSign, ...]:
    """List the finished batches that their rater has not signed as they are now.

    Args:
        kept: What the room keeps.
        connection: The connection.
        mine: A rater's assignments.
        spoken: What the rater said.
    """
    signatures, raters = tables().signatures.c, {place.rater for place in mine}
    query = sql().select(signatures.batch, signatures.signed)
    there = connection.execute(query.where(signatures.rater.in_(sorted(raters)))).all()
    signed = {(row.batch, row.signed) for row in there}
    once = {row.batch for row in there}
    due = []
    for batch, places in done_batches(kept, mine, spoken).items():
        mark = _hash(kept, places, spoken)
        if (batch, mark) not in signed:
            labels = sum(
                given.holds for one in places for given in spoken.given.get(one.code, {}).values()
            )
            meaning = "correction" if batch in once else "authorship"
            due.append(ToSign(batch, len(places), labels, mark, meaning, places[0].code))
    return tuple(due)


def signatures_in(kept: Kept, connection: Sql) -> list[Signature]:
    """List all signatures in the order in which they were given, and whether each still holds.

    Whoever calls holds the lock under which what was said is folded.
    """
    query = sql().select(tables().signatures).order_by(tables().signatures.c.id)
    rows = connection.execute(query).all()
    places = {place.code: place for place in kept.places(connection)} if rows else {}
    signatures = []
    for row in rows:
        codes = tuple(row.covers.split())
        covered = [places[code] for code in codes if code in places]
        now = _hash(kept, covered, kept.spoken(connection, row.rater))
        signatures.append(
            Signature(
                row.rater, row.batch, row.meaning, row.saved, row.signed, codes, now == row.signed
            )
        )
    return signatures


def unsigned_in(kept: Kept, connection: Sql, signatures: Sequence[Signature]) -> Mapping[str, int]:
    """Count for each rater the answers that are judged and that no signature of theirs covers."""
    covered = {code for signature in signatures if signature.holds for code in signature.codes}
    counts: dict[str, int] = {}
    raters = sql().select(tables().people.c.rater).where(tables().people.c.role == "rater")
    for rater in sorted(connection.execute(raters).scalars()):
        spoken = kept.spoken(connection, rater)
        for place in kept.places(connection, tables().assignments.c.rater == rater):
            if place.code not in covered and kept.is_done(place, spoken):
                counts[rater] = counts.get(rater, 0) + 1
    return counts


def _hash(kept: Kept, places: Sequence[Place], spoken: Spoken) -> str:
    """Give the SHA-256 of what is said of which texts, under which design.

    Each code is one rater's alone, so the codes say whose it is, whatever that rater is called.
    """
    answers = [
        {
            "code": place.code,
            "read": kept.item(place.item).hash,
            "display": place.display,
            "turned": place.turned,
            "said": [
                [*about, given.label, given.number, given.reason, given.comment, given.confidence]
                for about, given in sorted(spoken.given.get(place.code, {}).items())
            ],
            "comment": spoken.comments.get(place.code, ""),
            "dangerous": spoken.dangerous.get(place.code, False),
        }
        for place in places
    ]
    record = {"design": kept.design_hash, "answers": answers}
    text = json.dumps(record, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()
