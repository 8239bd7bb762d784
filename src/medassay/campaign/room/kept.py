"""What the room keeps and what holds of it now, read as records."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import Literal, NamedTuple, get_args

from pydantic import ValidationError

from medassay.campaign.room.content import questions_of, shown_from
from medassay.campaign.room.database import Database
from medassay.campaign.room.design import Design
from medassay.campaign.room.records import Given, Question, Shown
from medassay.campaign.room.schema import tables
from medassay.campaign.room.sql import Sql, sql
from medassay.errors import InvalidInput, Problem
from medassay.judgements.rows import COUNTED
from medassay.judgements.rubric import UNIT_INTERVAL

RoomStatus = Literal["open", "paused", "closed"]
_ITEMS_AT_HAND = 512


class Place(NamedTuple):
    """One assignment: who rates which item, when and how it is shown."""

    code: str
    rater: str
    item: int
    phase: str
    position: int
    batch: int
    display: str
    turned: bool
    ended: str | None


@dataclass(frozen=True)
class KeptItem:
    """An item with what is asked of it, and the SHA-256 of its texts as the room keeps them."""

    shown: Shown
    questions: tuple[Question, ...]
    hash: str = ""

    @cached_property
    def required(self) -> dict[str, frozenset[tuple[str, str]]]:
        """Give, by stage, what must be answered: dimension and about.

        Of passages it is one answer: some are marked, or somebody says that there is none.
        """
        by_stage: dict[str, set[tuple[str, str]]] = {}
        for question in self.questions:
            abouts = [""] if question.kind == "span" else [each.about for each in question.about]
            due = by_stage.setdefault(question.stage, set())
            due.update((question.id, about) for about in abouts)
        return {stage: frozenset(some) for stage, some in by_stage.items()}

    @cached_property
    def documents(self) -> dict[str, str]:
        """Give of each document that is asked about a mark: of its texts, and of the question."""
        shown = self.shown
        by_id = {document.id: document for document in (*shown.documents, *shown.retrieved)}
        told = [shown.question, shown.narrative, [asdict(turn) for turn in shown.turns]]
        marks = {}
        for question in self.questions:
            for each in question.about if question.kind == "document" else ():
                document = by_id.get(each.about.partition(":")[2])
                if document is not None:
                    text = json.dumps([*told, asdict(document)], ensure_ascii=False)
                    marks[each.about] = sha256(text.encode()).hexdigest()
        return marks

    def answered(self, given: Mapping[tuple[str, str], Given]) -> frozenset[tuple[str, str]]:
        """Give what is answered whole: how sure the rater is too, where a question asks it.

        Whoever cannot judge says how sure of nothing.
        """
        sure = {question.id for question in self.questions if question.confidence}
        spans = {question.id for question in self.questions if question.kind == "span"}
        # Whoever marks nothing is sure of nothing that could be asked about.
        whole = {
            key
            for key, said in given.items()
            if said.holds
            and (
                key[0] not in sure
                or said.reason
                or said.confidence is not None
                or (key[0] in spans and not key[1])
            )
        }
        marked = {(name, "") for (name, _), said in given.items() if name in spans and said.label}
        return frozenset(whole | marked)


@dataclass
class Spoken:
    """What one rater has said, folded: what holds now of each code."""

    last: int = 0
    given: dict[str, dict[tuple[str, str], Given]] = field(default_factory=dict)
    comments: dict[str, str] = field(default_factory=dict)
    dangerous: dict[str, bool] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    claimed: float = 0.0
    days: dict[str, str] = field(default_factory=dict)

    def add(self, rows: Iterable[Sql]) -> None:
        """Add rows of the table `judgements`, in order."""
        for row in rows:
            self.last = row.id
            self.seconds[row.code] = self.seconds.get(row.code, 0.0) + (row.seconds or 0.0)
            self.claimed += row.claimed or 0.0
            self.days[row.code] = row.saved[:10]
            if row.dangerous is not None:
                self.dangerous[row.code] = row.dangerous
            if not row.dimension:
                if row.comment is not None:
                    self.comments[row.code] = row.comment
                continue
            mine = self.given.setdefault(row.code, {})
            before = mine.get((row.dimension, row.about), Given())
            comment = before.comment if row.comment is None else row.comment
            sure = row.confidence if row.sure is None else row.sure
            says = row.label is not None or row.number is not None or row.reason is not None
            if says or row.takes_back is not None:
                carried = bool(row.carried)
                label, reason, shown = row.label or "", row.reason or "", row.language or ""
                now = Given(label, row.number, reason, comment, sure, carried, shown)
            else:
                now = replace(before, comment=comment)
            mine[row.dimension, row.about] = now

    def answered(self, code: str) -> frozenset[tuple[str, str]]:
        """Give what is answered of a code, how sure the rater is left aside."""
        return frozenset(key for key, label in self.given.get(code, {}).items() if label.holds)


def facts_of(database: Database) -> dict[str, str]:
    """Read the facts of a room; none where the database holds no room."""
    t = tables()
    if not database.is_there:
        return {}
    with database.reading() as connection:
        if not sql().inspect(connection).has_table("facts"):
            return {}
        return dict(connection.execute(sql().select(t.facts.c.name, t.facts.c.value)).all())


class Kept:
    """Reads of a room's database, with what does not change kept at hand.

    Args:
        database: The database.
        counts: The phases whose labels count in the study, by `phases_that_count`.

    Raises:
        InvalidInput: There is no room in it.
    """

    def __init__(self, database: Database, counts: tuple[str, ...] = COUNTED) -> None:
        self.database, self.counts = database, counts
        facts = facts_of(database)
        if not {"design", "hash"} <= facts.keys():
            hint = "Make one: medassay campaign create, then serve or invite."
            raise InvalidInput(Problem(str(database), "hold a rating room", "none", hint))
        try:
            self.design = Design.model_validate_json(facts["design"])
        except ValidationError as error:
            must, hint = "hold a rating room's design", "Put your last backup back."
            raise InvalidInput(Problem(str(database), must, "something else", hint)) from error
        self.design_hash = facts["hash"]
        self.item = lru_cache(_ITEMS_AT_HAND)(self._item)
        self._spoken: dict[str, Spoken] = {}

    def status(self, connection: Sql) -> RoomStatus:
        """Say whether labels are taken now."""
        t = tables()
        query = sql().select(t.facts.c.value).where(t.facts.c.name == "status")
        status = connection.execute(query).scalar_one()
        return next(word for word in get_args(RoomStatus) if word == status)

    def refuse_older_design(self, connection: Sql) -> None:
        """Refuse to go on with a design that another program has changed meanwhile.

        Raises:
            InvalidInput: The database holds another design than the one that is shown.
        """
        t = tables()
        query = sql().select(t.facts.c.value).where(t.facts.c.name == "hash")
        if connection.execute(query).scalar_one() != self.design_hash:
            must, got = "hold the design that this room shows", "one that was changed since"
            hint = "Stop the rating room and start it again."
            raise InvalidInput(Problem(str(self.database), must, got, hint))

    def places(self, connection: Sql, *where: Sql) -> list[Place]:
        """Read assignments by rater, then by position."""
        columns = tables().assignments.c
        query = sql().select(*(columns[name] for name in Place._fields)).where(*where)
        rows = connection.execute(query.order_by(columns.rater, columns.position)).all()
        return [Place(*row) for row in rows]

    def first_answers(self, connection: Sql, rater: str) -> list[Place]:
        """Give a rater's assignments of the calibration that have not ended, in order."""
        columns = tables().assignments.c
        mine = columns.rater == rater, columns.phase == "calibration", columns.ended.is_(None)
        return self.places(connection, *mine)

    def spoken(self, connection: Sql, rater: str) -> Spoken:
        """Give what a rater has said; only what was saved since the last time is read."""
        judgements = tables().judgements
        mine = self._spoken.setdefault(rater, Spoken())
        query = (
            sql()
            .select(judgements)
            .where(judgements.c.rater == rater, judgements.c.id > mine.last)
            .order_by(judgements.c.id)
        )
        mine.add(connection.execute(query).all())
        return mine

    def earlier_labels(
        self, connection: Sql, place: Place, spoken: Spoken
    ) -> dict[tuple[str, str], Given]:
        """Give what a rater said before of the documents of an answer, beside another answer.

        The question and the document are the same, word for word, and so is the phase: a repeat is
        there to be judged anew, and a label that does not count is carried into none that does.
        """
        marks = self.item(place.item).documents
        if not marks or place.phase == "repeat":
            return {}
        columns = tables().assignments.c
        others = {
            other.code: other.item
            for other in self.places(
                connection, columns.rater == place.rater, columns.phase == place.phase
            )
            if other.code != place.code
        }
        return {
            (dimension, about): replace(given, comment="", carried=True)
            for code, said in spoken.given.items()
            if code in others
            for (dimension, about), given in said.items()
            if about in marks
            and given.holds
            and not given.reason
            and not given.carried
            and self.item(others[code]).documents.get(about) == marks[about]
        }

    def is_done(self, place: Place, spoken: Spoken) -> bool:
        """Say whether all that is asked of a place is answered."""
        due = frozenset[tuple[str, str]]().union(*self.item(place.item).required.values())
        given = spoken.given.get(place.code, {})
        return bool(given) and due <= self.item(place.item).answered(given)

    def forget(self, rater: str) -> None:
        """Read what a rater has said anew, the next time."""
        self._spoken.pop(rater, None)

    def _item(self, item: int) -> KeptItem:
        items = tables().items
        query = sql().select(items.c.content).where(items.c.item == item)
        with self.database.reading() as connection:
            text: str = connection.execute(query).scalar_one()
        content: Mapping[str, object] = json.loads(text)
        shown = shown_from(content)
        questions = questions_of(self.design.rubric, content, shown, reveals=self.design.reveals)
        if self.design.options.ask_confidence:
            questions = tuple(
                replace(question, confidence=question.confidence or (UNIT_INTERVAL,))
                for question in questions
            )
        return KeptItem(shown, questions, sha256(text.encode()).hexdigest())
