"""Take what raters say: checked, once, and only for good."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Final

from medassay.campaign.room.content import STAGES, words_taken
from medassay.campaign.room.kept import Kept, Place, Spoken
from medassay.campaign.room.logbook import Clock, moment
from medassay.campaign.room.records import AnswerShown, Given, Question, Receipt, Refusal, Said
from medassay.campaign.room.schema import tables
from medassay.campaign.room.sql import Sql, padded, sql
from medassay.judgements import Rubric
from medassay.judgements.rows import REASONS, About
from medassay.judgements.rubric import UNIT_INTERVAL


class Credit:
    """Credits what raters claim at one moment.

    Between two acknowledgements no rater is credited more than the time between them; before the
    first it is the time since the rater agreed to take part.

    Args:
        connection: The transaction.
        now: The moment, by the server's clock.
        last: When each rater was last told that something is kept; None for the first time.
    """

    def __init__(self, connection: Sql, now: datetime, last: Mapping[str, str | None]) -> None:
        self._connection, self._now, self._last = connection, now, last
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
        last = self._last[rater]
        if last is None:
            agreed = tables().consents.c
            first = sql().select(sql().func.max(agreed.time)).where(agreed.rater == rater)
            last = self._connection.execute(first).scalar()
        return self._now if last is None else datetime.fromisoformat(last)


def _is_repeated(said: Said, row: Sql, rubric: Rubric) -> bool:
    """Say whether a row of the table `judgements` holds what is said.

    Args:
        said: What comes under the name of the row.
        row: The row.
        rubric: What is asked; the row has its spelling of labels.
    """
    before = (row.code, row.dimension, row.about, row.takes_back or "", row.why or "")
    now = (said.code, said.dimension, said.about, said.takes_back, said.why)
    if before != now or said.takes_back:  # what was taken back has in its row what held before
        return before == now
    label = said.label
    if label and said.dimension in rubric.ids:
        label = words_taken(rubric.dimension(said.dimension)).get(label, label)
    sure = row.confidence if row.sure is None else row.sure
    kept = (row.label or "", row.number, row.reason or "", row.comment, row.dangerous, sure)
    return kept == (
        label, said.number, said.reason, said.comment, said.dangerous, said.confidence
    )  # fmt: skip


_NOT_YOURS: Final = Refusal("not_yours", "This answer is not one of yours.")
_CLOSED: Final = Refusal("closed", "The campaign is closed; nothing more is taken.")
_HANDED_ON: Final = Refusal(
    "not_yours", "This answer was given to another rater meanwhile; what you said before is kept."
)
_PAUSED: Final = Refusal(
    "paused", "The study lead has paused the campaign. Please come back later."
)
_CONSENT: Final = Refusal("consent", "Please read and agree to the study's information first.")
_LATER: Final = Refusal("not_asked", "This question opens when the ones before it are answered.")
_REVEALED: Final = Refusal("too_late", "This was settled before you saw what came after it.")
_FIRST: Final = Refusal("not_asked", "Your first answers come before this one.")
_SAID_BEFORE: Final = Refusal(
    "said_before", "Something else was said under this name; please load the page again."
)
_NOT_CARRIED: Final = Refusal("not_asked", "This document has no such earlier label of yours.")
_REVIEWED: Final = Refusal("too_late", "These first answers have been reviewed.")


@cache
def _places() -> Sql:
    """Ask for places by code, how their raters stand, and whether a name was used before."""
    t, s = tables(), sql()
    people, columns, said = t.people.c, t.assignments.c, t.judgements.c
    status = s.select(t.facts.c.value).where(t.facts.c.name == "status").scalar_subquery()
    newest = s.select(said.saved).where(said.rater == people.rater).order_by(said.id.desc())
    again = s.exists().where(said.client.in_(s.bindparam("clients", expanding=True)))
    return (
        s.select(*(columns[name] for name in Place._fields))
        .add_columns(people.ended.label("left"), people.calibration, status.label("status"))
        .add_columns(newest.limit(1).scalar_subquery().label("newest"), again.label("again"))
        .join(t.people, people.rater == columns.rater)
        .where(columns.code.in_(s.bindparam("codes", expanding=True)))
    )


def _write(connection: Sql, rows: Sequence[dict[str, object]]) -> None:
    """Write rows of the table `judgements`, in order; PostgreSQL gets them as one parameter."""
    if connection.dialect.name == "postgresql":
        connection.execute(_from_json(), {"rows": json.dumps(rows, ensure_ascii=False)})
    else:
        connection.execute(tables().judgements.insert(), rows)


@cache
def _from_json() -> Sql:
    """Write down the statement that inserts what a text of JSON holds."""
    s, judgements = sql(), tables().judgements
    columns = [column for column in judgements.c if column.name != "id"]
    text = s.cast(s.bindparam("rows", type_=s.Text), s.JSON)
    rows = (
        s.func.json_to_recordset(text)
        .table_valued(*(s.column(column.name, column.type) for column in columns))
        .render_derived(with_types=True)
    )
    names = [column.name for column in columns]
    # What corrects something has a later moment and needs a later number.
    return judgements.insert().from_select(names, s.select(rows).order_by(rows.c.saved))


class Saying:
    """Writes judgements, as many at once as are waiting.

    Args:
        kept: What the room keeps.
        clock: Tells the time.
    """

    def __init__(self, kept: Kept, clock: Clock) -> None:
        self._kept, self._clock = kept, clock
        self._agreed: set[str] = set()
        self._through: set[str] = set()
        self._last: datetime | None = None

    def requests(
        self, connection: Sql, batch: list[tuple[str, tuple[Said, ...]]]
    ) -> Sequence[tuple[Receipt, ...]]:
        """Check and write what raters sent, each request as one, in order.

        Args:
            connection: The transaction.
            batch: Raters, each with all that one request holds.
        """
        flat = [(rater, said) for rater, entries in batch for said in entries]
        receipts = iter(self.together(connection, flat))
        return [tuple(next(receipts) for _ in entries) for _, entries in batch]

    def together(self, connection: Sql, batch: list[tuple[str, Said]]) -> Sequence[Receipt]:
        """Check and write what raters said, in order.

        Args:
            connection: The transaction.
            batch: Raters, each with what they said.
        """
        rows = self._rows(connection, batch)
        there = {}
        if not rows or rows[0].again:
            there = self._there(connection, batch)
        places = {row.code: Place(*row[: len(Place._fields)]) for row in rows}
        shut, standing = self._shut(connection, rows), {row.rater: row.calibration for row in rows}
        taken = _Taken(there)
        credit = Credit(connection, self._clock(), {row.rater: row.newest for row in rows})
        for rater, said in batch:
            before = taken.there.get((rater, said.client))
            if before is not None:
                same = _is_repeated(said, before, self._kept.design.rubric)
                refusal = None if same else _SAID_BEFORE
                taken.receipts.append(Receipt(said.client, saved=same, again=same, refusal=refusal))
                continue
            place = places.get(said.code)
            refusal = self._closed(rater, place, shut, standing)
            if refusal is None and place is not None and place.phase != "calibration":
                refusal = self._too_early(connection, rater, standing, taken)
            checked = said
            if refusal is None and place is not None:
                # What a reviewer sent back may be mended, whatever was seen since.
                again = place.phase == "calibration" and standing.get(rater) == "again"
                spoken = None if again else self._needed(connection, rater, place, taken)
                checked, refusal = self._checked(said, place, spoken)
            if refusal is None and place is not None and said.carried:
                refusal = self._not_carried(connection, checked, place, taken)
            if refusal is not None:
                taken.receipts.append(Receipt(said.client, saved=False, refusal=refusal))
                continue
            row = self._row(connection, rater, checked, self._moment(connection), taken.rows)
            row["seconds"] = credit.of(rater, said.seconds)
            taken.add(rater, row)
        if taken.rows:
            _write(connection, taken.rows)
        return taken.receipts

    def _too_early(
        self, connection: Sql, rater: str, standing: Mapping[str, str], taken: "_Taken"
    ) -> Refusal | None:
        """Refuse what comes after first answers that are not done, or not reviewed yet."""
        if rater in self._through:
            return None
        first = self._kept.first_answers(connection, rater)
        if first and self._kept.design.options.review_calibration:
            if standing.get(rater) != "passed":
                return _FIRST
        elif first:
            spoken = self._said_by(connection, rater)
            spoken.add(_Row(row) for row in taken.rows if row["rater"] == rater)
            if not all(self._kept.is_done(place, spoken) for place in first):
                return _FIRST
        self._through.add(rater)
        return None

    def _moment(self, connection: Sql) -> str:
        """Give a moment later than all before it: what corrects something stands behind it."""
        if self._last is None:
            latest = sql().select(sql().func.max(tables().judgements.c.saved))
            last = connection.execute(latest).scalar()
            self._last = datetime.fromisoformat(last) if last else datetime.min.replace(tzinfo=UTC)
        self._last = max(self._clock(), self._last + timedelta(microseconds=1))
        return moment(self._last)

    def _closed(
        self,
        rater: str,
        place: Place | None,
        shut: Mapping[str, Refusal],
        standing: Mapping[str, str],
    ) -> Refusal | None:
        """Say why nothing is taken of a task from this rater; None where it is open."""
        if place is None or place.rater != rater:
            return _NOT_YOURS
        if rater in shut:
            return shut[rater]
        if place.ended is not None:
            return _HANDED_ON
        passed = place.phase == "calibration" and standing.get(rater) == "passed"
        return _REVIEWED if passed else None

    def _needed(self, connection: Sql, rater: str, place: Place, taken: "_Taken") -> Spoken | None:
        """Give what a rater said before, where that decides what may be said now."""
        if len(self._kept.item(place.item).required) > 1 and rater not in taken.held:
            # What was said a moment ago counts, though it is not on the disk yet.
            spoken = self._said_by(connection, rater)
            spoken.add(_Row(row) for row in taken.rows if row["rater"] == rater)
            taken.held[rater] = spoken
        return taken.held.get(rater)

    @staticmethod
    def _rows(connection: Sql, batch: list[tuple[str, Said]]) -> Sequence[Sql]:
        """Read, in one query, the places that are spoken of and how their raters stand.

        Whoever has none of the places is refused for that.
        """
        codes, clients = ({said.code for _, said in batch}, {said.client for _, said in batch})
        asked = {"codes": padded(codes), "clients": padded(clients)}
        rows: Sequence[Sql] = connection.execute(_places(), asked).all()
        return rows

    @staticmethod
    def _there(connection: Sql, batch: list[tuple[str, Said]]) -> dict[tuple[str, str], Sql]:
        """Read what was said before under the names of what is said now."""
        judgements = tables().judgements
        clients = padded({said.client for _, said in batch})
        query = sql().select(judgements).where(judgements.c.client.in_(clients))
        return {(row.rater, row.client): row for row in connection.execute(query)}

    def _shut(self, connection: Sql, rows: Sequence[Sql]) -> dict[str, Refusal]:
        """Say of whom nothing is taken now, and why."""
        t, s = tables(), sql()
        raters, shut = {row.rater for row in rows}, dict[str, Refusal]()
        if not_agreed := sorted(raters - self._agreed):
            version = self._kept.design.options.information.version
            agreed = s.select(t.consents.c.rater).where(
                t.consents.c.rater.in_(not_agreed), t.consents.c.version == version
            )
            self._agreed |= set(connection.execute(agreed).scalars())
            shut |= dict.fromkeys(raters - self._agreed, _CONSENT)
        shut |= {row.rater: _CLOSED for row in rows if row.left is not None}
        closed = {row.rater: row.status for row in rows if row.status != "open"}
        return shut | {
            rater: _PAUSED if at == "paused" else _CLOSED for rater, at in closed.items()
        }

    def _said_by(self, connection: Sql, rater: str) -> Spoken:
        t, spoken = tables(), Spoken()
        query = sql().select(t.judgements).where(t.judgements.c.rater == rater)
        spoken.add(connection.execute(query.order_by(t.judgements.c.id)).all())
        return spoken

    def _checked(
        self, said: Said, place: Place, spoken: Spoken | None
    ) -> tuple[Said, Refusal | None]:
        """Hold what was said against what was asked; labels are given the rubric's spelling."""
        if not said.dimension:
            return said, None
        item = self._kept.item(place.item)
        question = next(
            (candidate for candidate in item.questions if candidate.id == said.dimension), None
        )
        if question is None or not _is_about(question, said, item.shown.answer):
            asked = f"{said.dimension} {said.about}".strip()
            return said, Refusal("not_asked", f"This answer is not asked about: {asked}.")
        if spoken is not None and (early := self._out_of_turn(said.code, question, place, spoken)):
            return said, early
        rubric = self._kept.design.rubric
        words = words_taken(rubric.dimension(said.dimension))
        languages = {rubric.language, *rubric.translations}
        if self._kept.design.settings.kind == "preferences":
            # The question of pairs is the room's own, which has it in each language that it speaks.
            languages.add(said.language)
        if wrong := _wrong(question, said, words, languages):
            return said, wrong
        label = words.get(said.label, "")
        return (said if label == said.label else replace(said, label=label)), None

    def _not_carried(
        self, connection: Sql, said: Said, place: Place, taken: "_Taken"
    ) -> Refusal | None:
        """Refuse to call carried what the rater did not say of that document before."""
        spoken = self._said_by(connection, place.rater)
        spoken.add(_Row(row) for row in taken.rows if row["rater"] == place.rater)
        earlier = self._kept.earlier_labels(connection, place, spoken)
        before = earlier.get((said.dimension, said.about))
        same = before is not None and (before.label, before.number) == (said.label, said.number)
        return None if same else _NOT_CARRIED

    def _out_of_turn(
        self, code: str, question: Question, place: Place, spoken: Spoken
    ) -> Refusal | None:
        item = self._kept.item(place.item)
        required, answered = item.required, item.answered(spoken.given.get(code, {}))
        at = STAGES.index(question.stage)
        if any(required.get(stage, frozenset()) - answered for stage in STAGES[:at]):
            return _LATER
        # Once the next stage is open its rater has seen it: what was said blind stays as it was.
        later = [stage for stage in STAGES[at + 1 :] if stage in required]
        done = not required.get(question.stage, frozenset()) - answered
        return _REVEALED if later and done else None

    def _row(
        self,
        connection: Sql,
        rater: str,
        said: Said,
        time: str,
        waiting: Sequence[dict[str, object]],
    ) -> dict[str, object]:
        row: dict[str, object] = {
            "client": said.client,
            "rater": rater,
            "code": said.code,
            "dimension": said.dimension,
            "about": said.about,
            "label": said.label or None,
            "number": said.number,
            "reason": said.reason or None,
            "comment": said.comment,
            "dangerous": said.dangerous,
            **_sure(said.confidence),
            "claimed": said.seconds,
            "said": said.at or None,
            "saved": time,
            "takes_back": said.takes_back or None,
            "why": said.why or None,
            "carried": True if said.carried else None,
            "language": said.language or None,
        }
        if said.takes_back:
            row.update(self._as_before(connection, rater, said, waiting))
        return row

    def _as_before(
        self,
        connection: Sql,
        rater: str,
        said: Said,
        waiting: Sequence[dict[str, object]],
    ) -> dict[str, object]:
        """Give what held before something was said that is taken back now."""
        judgements = tables().judgements
        query = (
            sql()
            .select(judgements)
            .where(judgements.c.rater == rater, judgements.c.code == said.code)
        )
        rows = [*connection.execute(query.order_by(judgements.c.id)).all()]
        rows += [_Row(row) for row in waiting if row["rater"] == rater and row["code"] == said.code]
        spoken = Spoken()
        for row in rows:
            if row.client == said.takes_back:
                break
            spoken.add([row])
        before = spoken.given.get(said.code, {}).get((said.dimension, said.about), Given())
        whole = not said.dimension
        return {
            "label": before.label or None,
            "number": before.number,
            "reason": before.reason or None,
            **_sure(before.confidence),
            "carried": before.carried or None,
            "language": before.language or None,
            "comment": spoken.comments.get(said.code, "") if whole else before.comment,
            "dangerous": spoken.dangerous.get(said.code, False) if whole else None,
        }


@dataclass
class _Taken:
    """What of the waiting was taken so far.

    Attributes:
        there: What was said already, by rater and client.
        receipts: What each is told.
        rows: What is to be written.
        held: What raters have said, these rows included, of those for whom it matters.
    """

    there: dict[tuple[str, str], Sql]
    receipts: list[Receipt] = field(default_factory=list)
    rows: list[dict[str, object]] = field(default_factory=list)
    held: dict[str, Spoken] = field(default_factory=dict)

    def add(self, rater: str, row: dict[str, object]) -> None:
        """Take a row."""
        self.rows.append(row)
        if rater in self.held:
            self.held[rater].add([_Row(row)])
        client = str(row["client"])
        self.there[rater, client] = _Row(row)
        self.receipts.append(Receipt(client, saved=True))


class _Row:
    """A row that is not written yet, read as one that is."""

    id = 0

    def __init__(self, row: dict[str, object]) -> None:
        self.__dict__.update(row)


def _is_about(question: Question, said: Said, answer: AnswerShown | None) -> bool:
    if question.kind != "span":
        return said.about in {subject.about for subject in question.about}
    if not said.about:
        # A word on all passages is no label of one.
        return not said.label or (bool(question.none) and said.label == question.none)
    read = About.read(said.about)
    text = answer.text if answer else ""
    return (
        read is not None
        and read.kind == "span"
        and read.span[1] <= len(text)
        and (not said.label or said.label != question.none)
    )


def _in_range(question: Question, said: Said) -> bool:
    """Say whether a number is one that is asked for; whoever gives a reason gives none."""
    asked, number = question.number, said.number
    if asked is None or number is None:
        return number is None and (asked is None or not said.label)
    return asked.holds(number)


def _sure(confidence: float | str | None) -> dict[str, object]:
    """Give the two columns for how sure a rater is: a share, or a word of the rubric."""
    is_word = isinstance(confidence, str)
    return {"confidence": None if is_word else confidence, "sure": confidence if is_word else None}


def _is_sure(question: Question, confidence: float | str | None) -> bool:
    """Say whether this is how sure a rater may be, as the question asks it."""
    if confidence is None:
        return True
    if isinstance(confidence, str):
        return confidence in question.confidence and confidence != UNIT_INTERVAL
    return question.confidence == (UNIT_INTERVAL,) and 0 <= confidence <= 1


def _wrong(
    question: Question, said: Said, words: Mapping[str, str], languages: Collection[str]
) -> Refusal | None:
    """Say what of it is not among what can be said; None where all is well."""
    if problem := _problem(said):
        return Refusal("no_label", problem)
    if said.language and said.language not in languages:
        return Refusal("no_label", f"The labels have no translation {said.language}.")
    if not _in_range(question, said):
        told = question.number.words if question.number else "a label, and no number"
        return Refusal("no_number", f"{question.title} asks for {told}.")
    if not _is_sure(question, said.confidence):
        asked = ", ".join(question.confidence).replace(UNIT_INTERVAL, "a number from 0 to 1")
        return Refusal(
            "no_label", f"{question.title} asks how sure you are: {asked or 'not at all'}."
        )
    if said.label and said.label not in words:
        return Refusal("no_label", f"{question.title} has no label {said.label}.")
    return None


def _problem(said: Said) -> str:
    """Say what is wrong with what was said, whatever was asked; nothing where all is well."""
    if said.reason and said.reason not in REASONS:
        return f"There is no reason {said.reason}."
    if said.reason and (said.label or said.number is not None):
        return "A label or a reason, not both."
    return ""
