"""What a reviewer says of first answers, and what its rater did about it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from medassay.campaign.room.kept import Kept, Place, Spoken
from medassay.campaign.room.records import Given, Remark
from medassay.campaign.room.schema import tables
from medassay.campaign.room.sql import Sql, sql

_SAYS: Final = ("label", "number", "reason", "comment", "dangerous", "takes_back")


class LastReview(NamedTuple):
    """The newest decision on all first answers of a rater; number 0 where there is none."""

    number: int = 0
    outcome: str = ""
    note: str = ""


def last_review(connection: Sql, rater: str) -> LastReview:
    """Give the newest decision on all first answers of a rater."""
    reviews = tables().reviews.c
    query = (
        sql()
        .select(reviews.id, reviews.outcome, reviews.note)
        .where(reviews.rater == rater, reviews.code.is_(None))
        .order_by(reviews.id.desc())
    )
    row = connection.execute(query).first()
    return LastReview() if row is None else LastReview(*row)


def remarks_of(
    kept: Kept, connection: Sql, places: Sequence[Place], before: int | None = None
) -> tuple[Remark, ...]:
    """List what holds of a reviewer's remarks on a rater's first answers, in the answers' order.

    Args:
        kept: What the room keeps.
        connection: The connection.
        places: The rater's first answers.
        before: The decision that a remark must stand before: what is not decided yet is the
            reviewer's own. None gives all.
    """
    t, s = tables(), sql()
    if not places or before == 0:
        return ()
    codes = [place.code for place in places]
    query = s.select(t.reviews).where(t.reviews.c.code.in_(codes))
    if before is not None:
        query = query.where(t.reviews.c.id < before)
    holding = {
        (row.code, row.dimension, row.about): row
        for row in connection.execute(query.order_by(t.reviews.c.id)).all()
    }
    if not holding:
        return ()
    said = s.select(t.judgements).where(t.judgements.c.code.in_(codes))
    rows = connection.execute(said.order_by(t.judgements.c.id)).all()
    now = _folded(rows)
    then = {
        seen: _folded(row for row in rows if row.id <= seen)
        for seen in {review.seen for review in holding.values()}
    }
    remarks = []
    for (code, dimension, about), review in holding.items():
        place = places[codes.index(code)]
        questions = kept.item(place.item).questions
        was, holds = (spoken.given.get(code, {}) for spoken in (then[review.seen], now))
        changed = _about(was, dimension, about) != _about(holds, dimension, about)
        because = _kept_because(rows, review)
        remarks.append(
            Remark(
                code=code,
                position=place.position,
                dimension=dimension,
                about=about,
                title=next((each.title for each in questions if each.id == dimension), ""),
                outcome=review.outcome,
                words=review.note,
                was=was.get((dimension, about), Given()),
                settled="changed" if changed else "kept" if because else "",
                because=because,
            )
        )
    return tuple(sorted(remarks, key=lambda remark: remark.position))


def _folded(rows: Iterable[Sql]) -> Spoken:
    spoken = Spoken()
    spoken.add(rows)
    return spoken


def _about(
    given: Mapping[tuple[str, str], Given], dimension: str, about: str
) -> dict[tuple[str, str], tuple[object, ...]]:
    """Give what a remark is about: one label, all that is said of a question, or all of it."""
    return {
        key: (label.label, label.number, label.reason)
        for key, label in given.items()
        if label.holds and dimension in {"", key[0]} and about in {"", key[1]}
    }


def _kept_because(rows: Sequence[Sql], review: Sql) -> str:
    """Give why a rater keeps what a remark is about; empty where nothing was said to it."""
    taken_back = {row.takes_back for row in rows}
    key = (review.code, review.dimension, review.about)
    return next(
        (
            str(row.why)
            for row in reversed(rows)
            if row.id > review.seen
            and (row.code, row.dimension, row.about) == key
            and row.why
            and row.client not in taken_back
            and all(getattr(row, name) is None for name in _SAYS)
        ),
        "",
    )
