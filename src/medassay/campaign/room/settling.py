"""What raters differ on, to be settled blindly, and how far they agree so far."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final
from uuid import uuid4

from medassay.agreement import agree, alpha_of
from medassay.campaign.room.content import shown_at
from medassay.campaign.room.kept import Kept, KeptItem, Place
from medassay.campaign.room.logbook import Clock, log, log_look, moment
from medassay.campaign.room.rating import Rating
from medassay.campaign.room.records import AboutShown, Given, Question, Shown, Stage
from medassay.campaign.room.schema import tables
from medassay.campaign.room.sql import Sql, sql
from medassay.errors import InvalidInput, Problem
from medassay.judgements import DANGEROUS, Judgements
from medassay.judgements.campaign import Secret, draw_codes
from medassay.judgements.rows import REASONS


@dataclass(frozen=True, slots=True)
class Voices:
    """What one rater says of one answer; of a pair as if its sides were in the order of ids.

    Attributes:
        rater: The rater; for counting, and never shown beside what was said.
        done: Whether the rater is done with it.
        given: What holds, by dimension and about.
    """

    rater: str
    done: bool
    given: Mapping[tuple[str, str], Given]


def _voices_by_item(kept: Kept, connection: Sql) -> dict[int, Sequence[Voices]]:
    """Give what raters say of each item where it counts; answers handed on are left out.

    Whoever calls holds the lock under which what was said is folded.
    """
    columns = tables().assignments.c
    counted = columns.phase.in_(kept.counts)
    by_item: dict[int, list[Voices]] = {}
    for place in kept.places(connection, counted, columns.ended.is_(None)):
        spoken = kept.spoken(connection, place.rater)
        holding = {
            key: replace(label, label=_sided(label.label, turned=place.turned))
            for key, label in spoken.given.get(place.code, {}).items()
            if label.holds
        }
        voices = Voices(place.rater, kept.is_done(place, spoken), holding)
        by_item.setdefault(place.item, []).append(voices)
    return {item: by_item[item] for item in sorted(by_item)}


def _sided(label: str, *, turned: bool) -> str:
    """Give a choice as it reads with the sides changed; other labels stay.

    Example:
        >>> _sided("A", turned=True), _sided("tie", turned=True)
        ('B', 'tie')
    """
    return {"A": "B", "B": "A"}.get(label, label) if turned else label


PHASE: Final = "adjudication"
_TWO: Final = 2


@dataclass(frozen=True, slots=True)
class Difference:
    """One question that raters of an answer answered differently: two labels, or two numbers.

    Attributes:
        question: The question.
        about: What of the answer it is about.
        said: The labels that were given, each once, in the rubric's order; or the numbers, from
            low to high.
        words: What raters wrote beside their labels, in the order of its letters.
        settled: What an adjudicator said; nothing holds in it where nobody has yet.
    """

    question: Question
    about: AboutShown
    said: tuple[str | float, ...]
    words: tuple[str, ...]
    settled: Given


@dataclass(frozen=True, slots=True)
class DisputedLine:
    """An answer in the list: its number, how many differences, and how many are settled.

    `labels` says whether some are of labels: those of numbers alone stand last, since numbers of
    two people are seldom the same.
    """

    item: int
    differences: int
    settled: int
    dangerous: bool
    labels: bool = True


@dataclass(frozen=True, slots=True)
class Disputed:
    """An answer that raters differ on.

    Attributes:
        item: Its number in the room, which follows from the campaign's secret.
        code: The adjudicator's own code for it.
        shown: What is read; of a pair the sides are drawn for the adjudicator.
        differences: What raters differ on.
        next_open: The number of another answer that is not settled yet; None where there is none.
    """

    item: int
    code: str
    shown: Shown
    differences: tuple[Difference, ...]
    next_open: int | None = None


@dataclass(frozen=True, slots=True)
class Settled:
    """What an adjudicator says of one difference: a label, a number, or `cannot_judge`; and why."""

    item: int
    dimension: str
    about: str = ""
    label: str = ""
    reason: str = ""
    comment: str = ""
    number: float | None = None


class Settling:
    """The side of whoever settles differences; each look and each deed is in the audit trail.

    An answer comes up when all of its raters are done with it, or when the room is closed. Only
    labels that count in the study are read: first answers where it counts them, repeats never. What
    is said here is a judgement of the
    adjudicator's own in the phase `adjudication`, and changes nothing that raters said.

    Args:
        kept: What the room keeps.
        rating: The raters' side.
        clock: Tells the time.
    """

    def __init__(self, kept: Kept, rating: Rating, clock: Clock) -> None:
        self._kept, self._rating, self._clock = kept, rating, clock

    def waiting(self, who: str) -> Sequence[DisputedLine]:
        """List the answers that raters differ on: those where danger is at stake come first."""
        log_look(self._kept.database, self._clock, who, "look at differences")
        with self._rating.folding, self._kept.database.reading() as connection:
            return self._lines(self._finished(connection), self._settled(connection))

    def disputed(self, who: str, item: int) -> Disputed | None:
        """Give one answer with what raters differ on; None where they do not."""
        with self._rating.folding, self._kept.database.reading() as connection:
            everything, all_settled = self._finished(connection), self._settled(connection)
            lines = self._lines(everything, all_settled)
        voices, settled = everything.get(item), all_settled.get(item, {})
        if voices is None or not self._differences(item, voices, settled, turned=False):
            return None
        place = self._kept.database.write(lambda c: self._place(c, who, item))
        differences = self._differences(item, voices, settled, turned=place.turned)
        stage: Stage = "revealed" if self._kept.design.reveals else "answer"
        shown = shown_at(self._kept.item(item).shown, stage, turned=place.turned, citations=True)
        others = (
            line.item for line in lines if line.item != item and line.settled < line.differences
        )
        return Disputed(item, place.code, shown, tuple(differences), next(others, None))

    def settle(self, who: str, settled: Settled) -> None:
        """Keep what an adjudicator says of one difference.

        Raises:
            InvalidInput: Raters do not differ on that, or it is not what the question asks for.
        """
        disputed = self.disputed(who, settled.item)
        differences = disputed.differences if disputed else ()
        asked = settled.dimension, settled.about
        difference = next((d for d in differences if (d.question.id, d.about.about) == asked), None)
        if disputed is None or difference is None:
            must, got = "be something that raters differ on", " ".join(asked).strip()
            raise InvalidInput(Problem("dimension", must, got or "nothing"))
        _refuse_other_answers(difference.question, settled)
        row = {
            "client": str(uuid4()),
            "rater": who,
            "code": disputed.code,
            "dimension": settled.dimension,
            "about": settled.about,
            "label": settled.label or None,
            "number": settled.number,
            "reason": settled.reason or None,
            "comment": settled.comment or None,
        }

        def keep(connection: Sql) -> None:
            saved = {"saved": self._after_all(connection, who)}
            connection.execute(tables().judgements.insert(), row | saved)

        self._kept.database.write(keep)

    def _after_all(self, connection: Sql, who: str) -> str:
        """Give a moment later than all that somebody said: a correction stands behind."""
        judgements = tables().judgements.c
        query = sql().select(sql().func.max(judgements.saved)).where(judgements.rater == who)
        last = connection.execute(query).scalar()
        time = self._clock()
        if last is not None:
            time = max(time, datetime.fromisoformat(last) + timedelta(microseconds=1))
        return moment(time)

    def _finished(self, connection: Sql) -> Mapping[int, Sequence[Voices]]:
        closed = self._kept.status(connection) == "closed"
        return {
            item: mine
            for item, mine in _voices_by_item(self._kept, connection).items()
            if closed or all(voices.done for voices in mine)
        }

    def _lines(
        self,
        voices: Mapping[int, Sequence[Voices]],
        settled: Mapping[int, Mapping[tuple[str, str], Given]],
    ) -> Sequence[DisputedLine]:
        lines = []
        for item, mine in voices.items():
            differences = self._differences(item, mine, settled.get(item, {}), turned=False)
            if differences:
                done = sum(difference.settled.holds for difference in differences)
                at_stake = any(self._is_dangerous(difference) for difference in differences)
                labels = any(difference.question.number is None for difference in differences)
                lines.append(DisputedLine(item, len(differences), done, at_stake, labels))
        return sorted(
            lines,
            key=lambda line: (
                line.settled == line.differences, not line.dangerous, not line.labels, line.item,
            ),
        )  # fmt: skip

    def _differences(
        self,
        item: int,
        voices: Sequence[Voices],
        settled: Mapping[tuple[str, str], Given],
        *,
        turned: bool,
    ) -> list[Difference]:
        kept: KeptItem = self._kept.item(item)
        # Whoever rates a pair writes of A and B as they saw them: here they may stand otherwise.
        pair = self._kept.design.settings.kind == "preferences"
        differences = []
        for question in kept.questions:
            if question.kind == "span":
                continue
            order = [label.label for label in question.labels]
            for about in question.about:
                key = question.id, about.about
                given = [voice.given[key] for voice in voices if key in voice.given]
                labels = {_sided(said.label, turned=turned) for said in given if said.label}
                numbers = {said.number for said in given if said.number is not None}
                if max(len(labels), len(numbers)) < _TWO:
                    continue
                holds = settled.get(key, Given())
                differences.append(
                    Difference(
                        question,
                        about,
                        (*sorted(labels, key=order.index), *sorted(numbers)),
                        () if pair else tuple(sorted({said.comment for said in given} - {""})),
                        replace(holds, label=_sided(holds.label, turned=turned)),
                    )
                )
        return differences

    def _is_dangerous(self, difference: Difference) -> bool:
        """Say whether raters differ on danger, where an adjudicator's label counts alone."""
        dimension = self._kept.design.rubric.dimension(difference.question.id)
        return DANGEROUS in dimension.mappings

    def _settled(self, connection: Sql) -> dict[int, dict[tuple[str, str], Given]]:
        """Give what was settled of each item, whoever did it; the last holds. Sides upright."""
        places = self._kept.places(connection, tables().assignments.c.phase == PHASE)
        by_item: dict[int, dict[tuple[str, str], Given]] = {}
        judgements = tables().judgements
        by_code = {place.code: place for place in places}
        query = sql().select(judgements).where(judgements.c.code.in_(sorted(by_code)))
        for row in connection.execute(query.order_by(judgements.c.saved, judgements.c.id)).all():
            place = by_code[row.code]
            by_item.setdefault(place.item, {})[row.dimension, row.about] = Given(
                _sided(row.label or "", turned=place.turned), row.number, row.reason or "",
                row.comment or "",
            )  # fmt: skip
        return by_item

    def _place(self, connection: Sql, who: str, item: int) -> Place:
        """Give the adjudicator's own assignment of an item; the first time it is made."""
        t = tables()
        columns = t.assignments.c
        mine = columns.rater == who, columns.phase == PHASE
        there = self._kept.places(connection, *mine)
        place = next((its for its in there if its.item == item), None)
        if place is None:
            codes = sql().select(columns.code)
            taken = set(connection.execute(codes).scalars())
            (code,) = draw_codes(1, Secret.new().draws(PHASE), taken)
            pair = self._kept.design.settings.kind == "preferences"
            place = Place(
                code=code,
                rater=who,
                item=item,
                phase=PHASE,
                position=len(there) + 1,
                batch=1,
                display="",
                turned=pair and bool(secrets.randbits(1)),
                ended=None,
            )
            connection.execute(t.assignments.insert(), place._asdict())
            log(connection, self._clock, who, "look at a difference", new=code)
        return place


def _refuse_other_answers(question: Question, settled: Settled) -> None:
    """Hold what settles a difference against what the question asks for.

    Raises:
        InvalidInput: It is no label of it, no number within its range, or more than one answer.
    """
    given = [bool(settled.label), settled.number is not None, bool(settled.reason)]
    asked = question.number
    got = settled.label or settled.reason or "nothing"
    if asked is not None:
        number = settled.number
        fits = number is None or asked.holds(number)
        got = got if number is None else f"{number:g}"
        must = f"be {asked.words}"
    else:
        labels = [label.label for label in question.labels]
        fits, must = settled.label in ("", *labels), f"be one of {', '.join(labels)}"
    wrong_kind = bool(settled.label) if asked is not None else settled.number is not None
    if given.count(True) != 1 or wrong_kind or not fits or settled.reason not in ("", *REASONS):
        raise InvalidInput(Problem("number" if asked is not None else "label", must, got))


_NO_SYSTEM: Final = "all"


@dataclass(frozen=True, slots=True)
class AgreementSoFar:
    """How raters agree on one dimension.

    Attributes:
        title: The dimension's title.
        units: How many answers, or parts of answers, two raters or more gave a label.
        same: Share of pairs of labels of one answer that are the same, from 0 to 1; None where
            there is no pair, or where numbers are given.
        alpha: Krippendorff's alpha by the dimension's scale; None where it says nothing: too few
            labels, or one label only. Not for pairs, where it would depend on the order of ids.
    """

    title: str
    units: int
    same: float | None
    alpha: float | None


def agreement_so_far(
    kept: Kept, rating: Rating, clock: Clock, who: str
) -> Sequence[AgreementSoFar]:
    """Say how raters agree by now; the look is logged with what it showed.

    All raters and systems are taken together. There is no interval: this is for noticing that a
    question is read in two ways, and not for a result. Only labels that count in the study are
    read.

    Args:
        kept: What the room keeps.
        rating: The raters' side.
        clock: Tells the time.
        who: Who looks.
    """
    with rating.folding, kept.database.reading() as connection:
        voices = _voices_by_item(kept, connection)
    rubric = kept.design.rubric
    rows: dict[str, dict[tuple[str, str, str], dict[str, object]]] = {}
    for item, mine in voices.items():
        documents = kept.item(item).documents
        for each in mine:
            for (dimension, about), given in each.given.items():
                # A document is one thing, beside whichever answers it stands: a label counts once.
                if given.reason or given.carried or rubric.dimension(dimension).kinds:
                    continue
                answer = {"label": given.label} if given.label else {"number": given.number}
                case = documents.get(about, str(item))
                rows.setdefault(dimension, {})[case, about, each.rater] = {
                    "rater": each.rater, "system": _NO_SYSTEM, "case": case,
                    "dimension": dimension, "about": about, **answer,
                }  # fmt: skip
    by_dimension = [
        _of(kept, dimension.id, list(rows.get(dimension.id, {}).values()))
        for dimension in rubric.dimensions
        if not dimension.kinds
    ]
    new = "; ".join(
        f"{each.title}: {each.units}"
        + ("" if each.same is None else f", {each.same:.3f} the same")
        + ("" if each.alpha is None else f", alpha {each.alpha:.3f}")
        for each in by_dimension
    )
    log_look(kept.database, clock, who, "look at agreement", new)
    return by_dimension


def _of(kept: Kept, name: str, rows: list[dict[str, object]]) -> AgreementSoFar:
    dimension = kept.design.rubric.dimension(name)
    title = dimension.title or name
    counts: dict[tuple[object, object], int] = {}
    for row in rows:
        key = row["case"], row["about"]
        counts[key] = counts.get(key, 0) + 1
    units = sum(count >= _TWO for count in counts.values())
    if not units:
        return AgreementSoFar(title, 0, None, None)
    judgements = Judgements.from_rows(rows, kept.design.rubric)
    wanted = [] if dimension.number else ["mean_pairwise"]
    if kept.design.settings.kind == "answers":
        wanted.append(alpha_of(dimension))
    values = {
        agreed.coefficient: agreed.value
        for agreed in agree(judgements, coefficient_names=wanted)
        if agreed.mapping == "full"
    }
    return AgreementSoFar(
        title, units, values.get("mean_pairwise"), values.get(alpha_of(dimension))
    )
