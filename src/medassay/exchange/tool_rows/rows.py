"""A tool's rows: cases, answers, scores and ratings, and what became of each cell."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeVar

from medassay.errors import InvalidInput, MedassayError, Problem
from medassay.exchange.spreadsheet.collected import CaseBeingRead, Key
from medassay.exchange.spreadsheet.headers import metric_called
from medassay.exchange.spreadsheet.profile import is_blank, number_of, texts_of
from medassay.exchange.spreadsheet.raters import is_like_a_model
from medassay.exchange.spreadsheet.words import Metric, lexicon
from medassay.text import first_of

Role = Literal[
    "case", "question", "turns", "narrative", "reference", "option", "gold", "system", "sample",
    "answer", "said", "contexts", "evidence", "choice", "reasoning", "seconds", "cost", "score",
    "tag", "rater", "rating", "comment", "criterion", "left",
]  # fmt: skip
Kind = Literal["person", "model", ""]
_Said = TypeVar("_Said")
Cells = dict[str, Any]
"""What a record of a file holds, path to value: `response.output`, `gradingResult.reason`."""
_OF_ANSWERS: Final[frozenset[str]] = frozenset({
    "answer", "said", "contexts", "choice", "reasoning", "seconds", "cost", "sample", "score",
    "rating", "comment", "rater",
})  # fmt: skip
_GIVEN: Final = frozenset({"answer", "said", "choice", "reasoning"})
_BESIDE: Final = frozenset({"contexts", "seconds", "cost"})
"""What an answer is, and what is nothing without one."""
_WHOLE: Final = "said of the file as a whole"
TURN: Final = frozenset({"role", "type", "from", "content", "text", "value"})
"""What a message of a chat is read by."""
_SPOKEN: Final = frozenset({"role", "from", "content", "text", "value"})
_WORDS: Final = frozenset({"question", "turns", "answer", "said"})
_ONCE: Final = frozenset({
    "case", "question", "turns", "gold", "system", "sample", "answer", "said", "choice",
    "reasoning", "seconds", "cost", "rater",
})  # fmt: skip
"""What a record says once: of two that differ the second is left out, and told."""
_ID_SIGNS: Final = 80
_SHAPES: Final = 5000
"""Beyond so many kinds of records, each cell is counted alone."""
_PLAIN: Final = re.compile(r"[01]\.[0-9]{1,20}")
"""A share as tools write most scores."""
_DIGITS: Final = frozenset("0123456789+-.")
_LONGEST_MARK: Final = 20
_YES: Final = frozenset({"pass", "passed", "correct", "c"})
_NO: Final = frozenset({"fail", "failed", "incorrect", "i"})


@dataclass(frozen=True, slots=True, eq=False)
class Use:
    """What a cell is, and whose where a name belongs to it.

    Attributes:
        role: What it is.
        of: The metric, the tag, the dimension, the option's letter; or why it is left out.
        kind: What the rater of a rating is, where the file says so.
        metric: Which way a score is better, where the tool says so; by its name else.
    """

    role: Role
    of: str = ""
    kind: Kind = ""
    metric: Metric | None = None

    @property
    def fate(self) -> str:
        """Say what became of such a cell."""
        if self.role == "left":
            return f"left out: {self.of}"
        return f"{self.role} {self.of}" if self.of else self.role


@cache
def left(why: str) -> Use:
    """Say why a cell is left out."""
    return Use("left", why)


@cache
def used(role: Role, of: str = "", kind: Kind = "", metric: Metric | None = None) -> Use:
    """Say what a cell is: one use for all cells that are alike, by which they are counted."""
    return Use(role, of, kind, metric)


LEFT: Final = left("nothing here uses it")
_IN_TURN: Final = left("no words of a message")
Uses = Callable[[str], Use]
"""Says of a path what its cells are."""


class ToolRating(NamedTuple):
    """A label, or a choice between two systems, of somebody."""

    place: tuple[str, int, str]
    rater: str
    kind: Kind
    key: Key
    dimension: str
    said: str
    comment: str = ""
    other: str = ""


def cells_of(record: Mapping[str, Any], start: str = "") -> list[tuple[str, Any]]:
    """Give every filled leaf of a record with its path; texts of a list are one cell.

    Example:
        >>> dict(cells_of({"vars": {"q": "Why?"}, "tags": ["a"], "runs": [{"n": 1}, {"n": 2}]}))
        {'vars.q': 'Why?', 'tags': ['a'], 'runs[].n': 2}
    """
    cells: list[tuple[str, Any]] = []
    _gather(record, _paths(start), cells)
    return cells


class _Paths(dict[str, str]):
    """Paths that begin alike, by their last name: of many records each is made and hashed once."""

    def __init__(self, start: str) -> None:
        super().__init__()
        self.start = start
        self.inside = lru_cache(maxsize=_SHAPES)(lambda name: _paths(f"{start}{name}"))

    def __missing__(self, name: str) -> str:
        path = f"{self.start}{name}"
        if len(self) < _SHAPES:
            self[name] = path
        return path


_paths: Final = lru_cache(maxsize=_SHAPES)(_Paths)


def _gather(record: Mapping[str, Any], paths: _Paths, cells: list[tuple[str, Any]]) -> None:
    for name, value in record.items():
        kind = type(value)  # what JSON holds is known at once; to ask of each takes longest
        if kind is str:  # most are; to look one up anywhere would hash a whole text
            if value:
                cells.append((paths[name], value))
        elif kind in _PLAINLY:
            if value is not None and value == value:  # noqa: PLR0124 - NaN differs from itself
                cells.append((paths[name], value))
        elif isinstance(value, dict):
            _gather(value, paths.inside(f"{name}."), cells)
        elif kind is list and value and all(map(_is_object, value)):
            inside = paths.inside(f"{name}[].")
            for own in value:
                _gather(own, inside, cells)
        elif value not in ("", []) and value == value:  # noqa: PLR0124 - of other libraries, too
            cells.append((paths[name], value))


_PLAINLY: Final = frozenset({int, float, bool, type(None)})


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


def named_id(value: object) -> str:
    r"""Give an id of what a tool calls a thing: one line, not too long.

    Example:
        >>> named_id(" a\nb "), named_id(3.0), named_id(7)
        ('a b', '3', '7')
    """
    if type(value) is str and len(value) <= _ID_SIGNS:
        if value.isalnum():
            return value
        if value.isprintable():  # then a blank is the only space
            return " ".join(value.split())
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = " ".join(sign for sign in str(value).split() if sign)
    return "".join(sign for sign in text if sign.isprintable())[:_ID_SIGNS].strip()


@cache
def _marks() -> dict[str, float]:
    """Give the words for yes and no, as numbers."""
    known = lexicon()
    return dict.fromkeys(known.yes | _YES, 1.0) | dict.fromkeys(known.no | _NO, 0.0)


def number_said(value: object) -> float | None:
    """Give the number of a score; pass and fail are 1 and 0; None where there is none.

    Example:
        >>> number_said("0.5"), number_said(True), number_said("pass"), number_said("good")
        (0.5, 1.0, 1.0, None)
        >>> number_said("87%")
        0.87
    """
    if type(value) is str and _PLAIN.fullmatch(value):
        return float(value)
    if isinstance(value, float | int):
        return float(value) if math.isfinite(value) else None
    text = str(value).strip()
    if text[:1] not in _DIGITS:
        return _marks().get(text.casefold()) if len(text) < _LONGEST_MARK else None
    number = number_of(text)
    if number is not None and text.endswith("%"):
        return number / 100
    if number is None and "e" in text.casefold():
        try:
            number = float(text)
        except ValueError:
            return None
    return number if number is None or math.isfinite(number) else None


def numbered(names: Counter[Any], name: str, among: str = "") -> str:
    """Give a name that was there before its number.

    Example:
        >>> names = Counter()
        >>> numbered(names, "faithfulness"), numbered(names, "faithfulness")
        ('faithfulness', 'faithfulness 2')
    """
    names[among, name] += 1
    return name if names[among, name] == 1 else f"{name} {names[among, name]}"


@dataclass
class ToolRows:
    """Everything that files of a tool say.

    Attributes:
        tool: What the tool is called that computed the scores.
        asked: The cases, by id.
        answers: What each system answered, as the fields of an answer.
        passages: What was retrieved for each answer.
        scores: Scores, by metric and answer; None where the tool has none.
        metrics: What is known of each metric.
        ratings: Labels of raters.
        preferences: Choices between two systems.
        shapes: What became of the cells of records that are alike: file, paths and uses.
        notes: What was odd.
        problems: What is wrong.
        scored_again: How many answers a metric scored twice, and not alike.
        labels: What the tool's own words mean, as pairs DIMENSION.LABEL=WORD.
        scales: Between what its ratings lie, as pairs DIMENSION=LOW-HIGH.
        otherwise: How many records say something else of their question than its first record.
    """

    tool: str = ""
    asked: dict[str, CaseBeingRead] = field(default_factory=dict)
    answers: dict[Key, dict[str, Any]] = field(default_factory=dict)
    passages: dict[Key, list[str]] = field(default_factory=dict)
    scores: dict[tuple[str, Key], float | None] = field(default_factory=dict)
    metrics: dict[str, Metric] = field(default_factory=dict)
    ratings: list[ToolRating] = field(default_factory=list)
    preferences: list[ToolRating] = field(default_factory=list)
    shapes: Counter[tuple[str, tuple[str, ...], tuple[Use, ...]]] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    scales: list[str] = field(default_factory=list)
    questions: dict[str, str] = field(default_factory=dict)
    again: int = 0
    scored_again: Counter[str] = field(default_factory=Counter)
    compared: set[tuple[str, str, frozenset[str]]] = field(default_factory=set)
    repeated: set[Key] = field(default_factory=set)
    otherwise: Counter[str] = field(default_factory=Counter)

    def problem(self, file: str, must: str, got: str, hint: str = "", row: int | None = None,
                column: str | None = None) -> None:  # fmt: skip
        """Note what is wrong."""
        self.problems.append(Problem(file, must, got, hint, row, column))

    @property
    def fates(self) -> dict[tuple[str, str], Counter[Use]]:
        """Give what became of each field's cells, by file and path."""
        fates: dict[tuple[str, str], Counter[Use]] = {}
        for (file, paths, uses), n in self.shapes.items():
            for path, use in zip(paths, uses, strict=True):
                fates.setdefault((file, path), Counter())[use] += n
        return fates

    def count(self, file: str, path: str, use: Use, n: int = 1) -> None:
        """Note what became of cells."""
        self.shapes[file, (path,), (use,)] += n

    def count_all(self, file: str, paths: Sequence[str], uses: Sequence[Use]) -> None:
        """Note what became of the cells of a record: many records have the same ones."""
        shape = file, tuple(paths), tuple(uses)
        if shape in self.shapes or len(self.shapes) < _SHAPES:
            self.shapes[shape] += 1
        else:
            for path, use in zip(paths, uses, strict=True):
                self.count(file, path, use)

    def each(
        self, file: str, records: Iterable[tuple[int, _Said]],
        take: Callable[[tuple[str, int], _Said], object],
    ) -> None:  # fmt: skip
        """Take the records of a file, each with its row; one of another shape is named."""
        for row, record in records:
            with readable(file, row, self.tool):
                take((file, row), record)

    def leave(
        self, file: str, cells: Mapping[str, Any] | Sequence[tuple[str, Any]], why: str
    ) -> None:
        """Leave a record out, all of its cells."""
        paths = [path for path, _ in (cells_of(cells) if isinstance(cells, Mapping) else cells)]
        self.count_all(file, paths, [left(why)] * len(paths))

    def not_read(self, folders: Iterable[Path], read: Iterable[Path]) -> None:
        """Note which files of the tool's folders were not read, by their names."""
        inside = {own for folder in folders if folder.is_dir() for own in folder.rglob("*.json*")}
        names = sorted({own.name for own in inside - set(read)})
        if names:
            self.notes.append(f"files of the folder that were not read: {first_of(names, 6)}.")

    def beside(self, file: str, held: object, *records: str) -> None:
        """Leave what a file says beside its records: means, and how it was run."""
        if isinstance(held, dict):
            self.leave(file, {n: v for n, v in held.items() if n not in records}, _WHOLE)

    def beside_words(self, file: str, path: str, held: object) -> None:
        """Leave what messages of a chat hold beside words: calls of tools, pictures, counts."""
        for at, _ in no_words(held, path):
            self.count(file, at, _IN_TURN)

    def add(
        self, file: str, row: int, cells: Sequence[tuple[str, Any]], uses: Uses, *,
        system: str = "", case: str = "", sample: int | None = None,
    ) -> Key | None:  # fmt: skip
        """Take one record: a case, and what one system answered to it.

        Args:
            file: Where it stands.
            row: Which record of the file it is, from 1.
            cells: What it holds.
            uses: What each cell is.
            system: Whose the answer is, where no cell says so.
            case: The case's id, where no cell says it; by its question else.
            sample: Which of the system's answers it is; the next where it is another.
        """
        told = self._told(
            file, [(path, held, uses(path)) for path, held in cells], owned=bool(system)
        )
        one = {role: own[0][2] for role, own in told.items()}
        for role in _WORDS & told.keys():
            for path, _, words in told[role]:
                self.beside_words(file, path, words)
        question = _text(one.get("question", ""))
        turns, last = turns_of(one.get("turns"))
        question = question or last
        given = named_id(one.get("case", case))
        name = given or self._numbered(question or _words(turns))
        if not name:
            must, hint = "say which question it is about", "Fill it, or take the record out."
            self.problem(file, must, "none", hint, row)
            return None
        asked = self.asked.get(name)
        if asked is None:
            asked = self.asked[name] = CaseBeingRead(file, row)
        if not given:  # by its words: in capitals, or with other blanks, it is the same
            question = self._first("question", asked.question, question)
        if question and asked.question and asked.question != question:
            must = "ask one question under each id"
            got = f'another question than in row {asked.row} under the id "{name}"'
            self.problem(file, must, got, "Give each question its own id.", row)
            return None
        asked.question = asked.question or question
        asked.turns = self._first("turns", asked.turns, turns)
        self._facts(asked, one, told)
        system = named_id(one.get("system", system))
        if not system:
            return None
        if "sample" in one:
            number = number_of(str(one["sample"]))
            sample = int(number) if number is not None and number >= 0 else sample
        key = self._answer((system, name), sample, one, told)
        for _, use, value in told.get("score", ()):
            self.score(key, use.of, value, use.metric)
        self._ratings(file, row, key, told)
        return key

    def _told(
        self, file: str, cells: Sequence[tuple[str, Any, Use]], *, owned: bool
    ) -> dict[str, list[tuple[str, Use, Any]]]:
        """Give the cells by what they are, each counted; of a score its number."""
        told: dict[str, list[tuple[str, Use, Any]]] = {}
        roles = {use.role for _, _, use in cells}
        owned = owned or "system" in roles
        given = owned and not _GIVEN.isdisjoint(roles)
        uses = []
        for path, value, use in cells:
            role = use.role
            if role == "left":
                uses.append(use)
                continue
            if role == "score":
                number = number_said(value)
                if number is None:
                    blank = is_blank(str(value).strip())
                    use = left("a mark for no score" if blank else "no number")  # noqa: PLW2901 - what it is
                value = number  # noqa: PLW2901 - what it says
            if (not owned and role in _OF_ANSWERS) or (not given and role in _BESIDE):
                use = left("of no answer")  # noqa: PLW2901 - what it is
            if role == "tag" and len(str(value)) > _ID_SIGNS:
                use = left("too long for a tag")  # noqa: PLW2901 - what it is
            if role in _ONCE and role in told and told[role][0][2] != value:
                use = left(f"a second {role}: the first is taken")  # noqa: PLW2901 - what it is
            uses.append(use)
            if use.role != "left":
                told.setdefault(role, []).append((path, use, value))
        self.count_all(file, [path for path, _, _ in cells], uses)
        return told

    def _numbered(self, question: str) -> str:
        """Give the id of a question without one: its number; nothing where nothing is asked."""
        words = " ".join(question.casefold().split())
        return self.questions.setdefault(words, str(len(self.questions) + 1)) if words else ""

    def _facts(self, asked: CaseBeingRead, one: Cells, told: Mapping[str, Any]) -> None:
        narrative = "\n\n".join(_text(value) for _, _, value in told.get("narrative", ()))
        asked.narrative = self._first("narrative", asked.narrative, narrative)
        asked.gold = self._first("gold", asked.gold, named_id(one.get("gold", "")))
        for role, known in (("reference", asked.references), ("evidence", asked.evidence)):
            for _, _, value in told.get(role, ()):
                known += [text for text in texts_of(value) if text not in known]
        for _, use, value in told.get("option", ()):
            before = asked.options.get(use.of, "")
            asked.options[use.of] = self._first(f"option {use.of}", before, _text(value))
        for _, use, value in told.get("tag", ()):
            name = named_id(use.of)
            if tag := self._first(f"tag {name}", asked.tags.get(name, ""), named_id(value)):
                asked.tags[name] = tag
        for _, _, value in told.get("criterion", ()):
            asked.criteria.setdefault(_text(value), 1.0)

    def _first(self, what: str, known: _Said, new: _Said) -> _Said:
        """Give what is known of a case, else what is new; count where a record says otherwise."""
        if known and new and known != new:
            self.otherwise[what] += 1
        return known or new

    def _answer(
        self, about: tuple[str, str], sample: int | None, one: Cells, told: Mapping[str, Any]
    ) -> Key:
        own = _own(one)
        key = (*about, sample or 0)
        if not own:
            return key
        if sample is None and key in self.answers:
            scores = {use.of: value for _, use, value in told.get("score", ())}
            while key in self.answers and not self._is(key, own, scores):
                key = (*about, key[2] + 1)
                self.repeated.add(key)
        if key in self.answers:
            self.again += 1
        self.answers.setdefault(key, own)
        if "contexts" in one:
            self.passages.setdefault(key, []).extend(
                text for _, _, value in told["contexts"] for text in texts_of(value)
            )
        return key

    def _is(self, key: Key, own: Cells, scores: Mapping[str, float | None]) -> bool:
        """Say whether an answer is there in the same words and with the same scores."""
        same = all(self.scores.get((name, key), value) == value for name, value in scores.items())
        return same and self.answers[key] == own

    def score(self, key: Key, name: str, value: object, metric: Metric | None = None) -> None:
        """Take a score that stands beside an answer."""
        number = number_said(value)
        self.metrics.setdefault(name, metric or metric_called(name))
        before = self.scores.get((name, key))
        if before is None or number is not None:
            self.scores[name, key] = number
            if before not in {None, number}:
                self.scored_again[name] += 1

    def _ratings(self, file: str, row: int, key: Key, told: Mapping[str, Any]) -> None:
        rater = named_id(told["rater"][0][2]) if "rater" in told else ""
        kind: Kind = told["rater"][0][1].kind if "rater" in told else ""
        comment = " ".join(_text(value) for _, _, value in told.get("comment", ()))
        for path, use, value in told.get("rating", ()):
            self.rate((file, row, path), rater, use.kind or kind, key, use.of, value, comment)

    def rate(
        self, place: tuple[str, int, str], rater: str, kind: Kind, key: Key, dimension: str,
        said: object, comment: str = "",
    ) -> None:  # fmt: skip
        """Take a label that somebody gave."""
        text = _text(said)
        # An account of a program is none of a person, whatever the tool calls it.
        kind = "" if kind == "person" and _is_like_a_model(rater) else kind
        if not is_blank(text):
            self.ratings.append(ToolRating(place, rater, kind, key, dimension, text, comment))

    def prefer(
        self, place: tuple[str, int, str], rater: str, kind: Kind, case: str,
        pair: tuple[str, str], choice: str, comment: str = "",
    ) -> None:  # fmt: skip
        """Take a choice between two systems: a, b or tie; somebody's first of a pair and case."""
        key = (pair[0], case, 0)
        kind = "" if kind == "person" and _is_like_a_model(rater) else kind
        about = (rater, case, frozenset(pair))
        if about in self.compared:
            self.notes.append("Choices that one rater made again of one pair: the first was taken.")
            return
        self.compared.add(about)
        self.preferences.append(
            ToolRating(place, rater, kind, key, "overall", choice, comment, pair[1])
        )


_is_like_a_model: Final = cache(is_like_a_model)
"""Asked of every rating, though raters are few."""


def no_words(held: object, path: str) -> Iterator[tuple[str, Any]]:
    """Give the cells of messages, or of the parts of one, that are no words.

    Example:
        >>> asked = [{"type": "text", "text": "What is it?"}, {"type": "image", "image": "x.png"}]
        >>> [*no_words([{"role": "user", "content": asked, "n": 3}], "input")]
        [('input[].n', 3), ('input[].content[].image', 'x.png')]
    """
    for part in held if isinstance(held, list) else ():
        if not isinstance(part, dict):
            continue
        content = part.get("content")
        if not part.keys().isdisjoint(_SPOKEN) and part.keys() <= TURN:
            yield from no_words(content, f"{path}[].content")
            continue
        kept = TURN if not part.keys().isdisjoint(_SPOKEN) else {"type"}
        yield from cells_of({n: own for n, own in part.items() if n not in kept}, f"{path}[].")
        yield from no_words(content, f"{path}[].content")


@contextmanager
def readable(file: str, row: int, tool: str) -> Iterator[None]:
    """Say of a record that holds other things than its tool writes where it is.

    Raises:
        InvalidInput: It cannot be read.
    """
    try:
        yield
    except (AttributeError, TypeError, KeyError, ValueError, IndexError) as error:
        if isinstance(error, MedassayError):
            raise
        must = f"be a record as {tool} writes it"
        got = f"another shape ({type(error).__name__}: {str(error)[:80]})"
        hint = "Write the file again with the tool, or take the record out."
        raise InvalidInput(Problem(file, must, got, hint, row)) from error


def turns_of(value: object, *, whole: bool = False) -> tuple[tuple[Mapping[str, str], ...], str]:
    """Give a conversation's turns, and its question where it is one user's turn alone."""
    held = value if isinstance(value, list) else []
    roles = {"human": "user", "ai": "assistant", "gpt": "assistant", "bot": "assistant"}
    turns = []
    for own in held:
        if isinstance(own, dict):
            role = str(own.get("role") or own.get("type") or own.get("from") or "user")
            text = _text(own.get("content", own.get("text", own.get("value", ""))))
            role = roles.get(role, role)
            known = role in {"user", "assistant", "system", "developer", "tool"}
            turns.append({"role": role if known else "tool", "text": text})
    if len(turns) == 1 and turns[0]["role"] == "user" and not whole:
        return (), turns[0]["text"]
    return tuple(turns), ""


def _own(one: Cells) -> Cells:
    """Give the fields of an answer that a record says."""
    own: Cells = {}
    if "answer" in one:
        own["text"] = _text(one["answer"])
    for role in ("choice", "reasoning"):
        if one.get(role) not in {None, ""}:
            own[role] = named_id(one[role]) if role == "choice" else _text(one[role])
    for role in ("seconds", "cost"):
        number = number_said(one[role]) if role in one else None
        if number is not None and number >= 0:
            own[role] = number
    if "said" in one:
        own["turns"] = tuple(turns_of(one["said"], whole=True)[0])
        own["text"] = "\n\n".join(t["text"] for t in own["turns"] if t["role"] == "assistant")
    return own


def _words(turns: Sequence[Mapping[str, str]]) -> str:
    return "\n".join(turn["text"] for turn in turns)


def _text(value: object) -> str:
    """Give a cell as text: of a list of messages or pieces their texts."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, list | tuple):
        return "\n".join(texts_of(value))
    if isinstance(value, dict):
        return next((_text(value[k]) for k in ("text", "content", "output") if k in value), "")
    return "" if value is None else str(value).strip()
