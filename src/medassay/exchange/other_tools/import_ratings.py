"""Ratings made in an annotation tool: what its files say, and judgements of a study."""

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, NamedTuple

from medassay.campaign.rating_sheet import REASON_WORDS
from medassay.campaign.reading import Said, read_label, read_number
from medassay.campaign.subjects import hash_of
from medassay.campaign.texts import judged_texts, texts_of
from medassay.errors import InvalidInput, Problem, nearest
from medassay.exchange.other_tools.declaring import Handout, describe_left_behind, find_handouts
from medassay.judgements import Dimension, Rubric
from medassay.judgements.campaign import Item, Part, as_code
from medassay.study.folder import Study
from medassay.study.intake.judgements import ImportSummary, add_judgements
from medassay.tables import Sheet, read_json, read_sheet
from medassay.text import shell_line


def read_items(path: Path) -> dict[str, Mapping[str, str]]:
    """Read the file of items: a table, or JSON with a list of objects."""
    if path.suffix.lower() == ".json":
        rows = read_json(path)
        if not isinstance(rows, list) or not all(isinstance(entry, dict) for entry in rows):
            raise InvalidInput(Problem(path.name, "be a list of items", "something else"))
        names = dict.fromkeys(name for row in rows for name in row)
        columns = {name: [row.get(name) for row in rows] for name in names}
        sheet = Sheet(path.name, list(range(1, len(rows) + 1)), columns)
    else:
        sheet = read_sheet(path)
    if "id" not in sheet.columns:
        hint = "It is the file that the server showed, with id, system and case."
        raise InvalidInput(Problem(sheet.file, "have the column id", "none", hint))
    return {
        str(cells.get("id", "")): {
            name: value if isinstance(value, str) else json.dumps(value)
            for name, value in cells.items()
        }
        for _, cells in sheet.records()
    }


COMMENTS: Final = ("comment", "rationale", "notes", "note")
"""Questions whose answer is a rater's comment; the first is what exports call it."""


@dataclass(frozen=True, slots=True)
class ToolRating:
    """One thing that one annotator said of one item.

    Attributes:
        file: The file.
        row: The row, line or task, from 1; None where the file has none.
        place: Where in it, as a path such as `annotations[2].result[1]`, counted from 1; or a
            column.
        item: The tool's id of the item.
        rater: The annotator.
        question: The tool's name of the question: a schema, or a control.
        said: What was said, as it is written.
        also: What was said if `said` is only the name of a field; empty where it is not.
        kind: person or model.
        time: When, in ISO 8601; None where the file does not say.
        seconds: How long the annotator looked at the item.
        fields: What the file says of the item itself, name to text.
        comment: What was written beside it, where the tool asks that of each question; None where
            it asks it of the item as a whole, or not at all.
        confidence: How sure the annotator says to be; empty where the file does not say.
    """

    file: str
    row: int | None
    place: str
    item: str
    rater: str
    question: str
    said: str
    also: str = ""
    kind: str = "person"
    time: str | None = None
    seconds: float | None = None
    fields: Mapping[str, str] = field(default_factory=dict)
    comment: str | None = None
    confidence: str = ""


@dataclass
class ToolRatings:
    """Everything that files of one tool say.

    Attributes:
        ratings: What was said, in the order of the files.
        left: What is not carried over, to how often it occurs.
        items: The tool's id of an item to its fields, where a file of items was given.
        others: Questions that were answered and that nobody asked for, to how often.
        notes: What was odd about the files and was read all the same.
    """

    ratings: list[ToolRating] = field(default_factory=list)
    left: Counter[str] = field(default_factory=Counter)
    items: dict[str, Mapping[str, str]] = field(default_factory=dict)
    others: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ToolLabel:
    """What one rater says already of one dimension, for exports.

    Attributes:
        said: The label, the number in its shortest form, or the words for why there is none.
        comment: What the rater wrote beside it.
        confidence: How sure the rater is.
    """

    said: str
    comment: str = ""
    confidence: str = ""


@dataclass(frozen=True, slots=True)
class ToolTask:
    """One item to rate.

    Attributes:
        code: What stands for the answer.
        texts: The kind of each text to its paragraphs.
        labels: Rater to what they said, by dimension; for exports of ratings that are there
            already.
    """

    code: str
    texts: Mapping[str, Sequence[str]]
    labels: Mapping[str, Mapping[str, ToolLabel]] = field(default_factory=dict)


class ToolProject(NamedTuple):
    """All that a tool is given.

    Attributes:
        rubric: What is asked.
        tasks: The items to rate.
        kinds: The kinds of text that an item has, in order; see `HEADINGS`.
        title: What stands above everything.
        synthetic: Whether the data are made up, which is then said there.
        ratings: Whether what raters have said already goes too.
    """

    rubric: Rubric
    tasks: Sequence[ToolTask]
    kinds: Sequence[str]
    title: str
    synthetic: bool
    ratings: bool


def in_words(labels: Mapping[str, ToolLabel]) -> dict[str, str]:
    """Give what a tool that asks for one comment on an answer holds: questions to words.

    Example:
        >>> in_words({"quality": ToolLabel("4", "Clear."), "safety": ToolLabel("yes")})
        {'quality': '4', 'safety': 'yes', 'comment': 'Clear.'}
    """
    comments = dict.fromkeys(label.comment for label in labels.values() if label.comment)
    words = {dimension: label.said for dimension, label in labels.items()}
    return words | ({COMMENTS[0]: "\n".join(comments)} if comments else {})


TakenRow = tuple[ToolRating, Item, Dimension, Said]
"""A rating, the answer that it is about, what was asked, and what the words mean."""
Page = tuple[str, str]
"""An item and who rated it."""


def contradictions(rows: Sequence[TakenRow]) -> list[Problem]:
    """Name what one rater says twice of one answer, where no moment tells which came later."""
    first: dict[tuple[str, Item, str], ToolRating] = {}
    problems = []
    for tool_rating, item, dimension, _ in rows:
        if tool_rating.time is not None:
            continue
        there = first.setdefault((tool_rating.rater, item, dimension.id), tool_rating)
        if _words_of(there) != _words_of(tool_rating):
            must = f"say what {tool_rating.rater} says of the same answer in {_place_of(there)}"
            got = f'"{", ".join(filter(None, _words_of(tool_rating)))}"'
            got += f', not "{", ".join(filter(None, _words_of(there)))}"'
            hint = "Delete one of the two, or give each rater a different name."
            problems.append(
                Problem(tool_rating.file, must, got, hint, tool_rating.row, tool_rating.place)
            )
    return problems


def _words_of(tool_rating: ToolRating) -> tuple[str, str, str]:
    return tool_rating.said, tool_rating.comment or "", tool_rating.confidence


def _place_of(tool_rating: ToolRating) -> str:
    row = "" if tool_rating.row is None else f", row {tool_rating.row}"
    return f"{tool_rating.file}{row}"


def without_known(
    study: Study, rows: Sequence[TakenRow], comments: Mapping[Page, Sequence[str]]
) -> tuple[list[TakenRow], list[str | None]]:
    """Leave out what the study holds in the same words: our own export, come back unchanged.

    Only what the tool's file can hold is compared, and with what an export writes: of two arms of
    display the first, of numbers 15 digits, of the comments on one answer those that there are.

    Returns:
        The rows that say something new, and of each the arm of display that it corrects.
    """
    now = study.judgements_on_file.in_phases(study.judgements.counts)
    held: dict[tuple[str, Item, str], dict[str, object]] = {}
    lines: dict[tuple[str, Item], set[str]] = {}
    for there in now.iter_rows(named=True):
        item = Item(there["case"], there["system"], sample=there["sample"])
        held[there["rater"], item, there["dimension"]] = there
        lines.setdefault((there["rater"], item), set()).update(_lines(there["comment"]))
    new: list[TakenRow] = []
    arms: list[str | None] = []
    for row in rows:
        tool_rating, item, dimension, label = row
        known = held.get((tool_rating.rater, item, dimension.id))
        page = "\n".join(comments.get((tool_rating.item, tool_rating.rater), ()))
        same = (
            tool_rating.time is None
            and known is not None
            and label == _as_said(known)
            and _lines(tool_rating.comment) in ([], _lines(known["comment"]))
            and lines[tool_rating.rater, item].issuperset(_lines(page))
            and _is_as_sure(tool_rating.confidence, known["confidence"])
        )
        if not same:
            new.append(row)
            arm = None if known is None else known["display"]
            arms.append(None if arm is None else str(arm))
    return new, arms


def _lines(text: object) -> list[str]:
    """Give the lines of a comment: tools end them in ways of their own."""
    return [line.strip() for line in str(text or "").splitlines() if line.strip()]


def _as_said(known: Mapping[str, object]) -> Said:
    """Give a judgement of the study as a label is read: numbers in their shortest form."""
    number, label, reason = known["number"], known["label"], known["reason"]
    said = f"{number:.15g}" if isinstance(number, float) else label
    return None if said is None else str(said), None if reason is None else str(reason)


def _is_as_sure(said: str, known: object) -> bool:
    """Say whether a file says nothing of how sure a rater is, or what the study has."""
    try:
        return said in {"", known} or float(said.replace(",", ".")) == float(str(known))
    except ValueError:
        return False


_IDS: Final = ("system", "case")
_FEW: Final = 3
_COLUMNS: Final = (
    "rater", "rater_kind", "system", "case", "sample", "dimension", "label", "number", "reason",
    "time", "seconds", "comment", "confidence", "display",
)  # fmt: skip


def check_names(study: Study, names: Mapping[str, str], more: Sequence[str] = ()) -> None:
    """Refuse names of what is not ours.

    Args:
        study: The study.
        names: Our name of a dimension, or of `system` and `case`, to the tool's name of the
            question or of the item's field.
        more: What else may be named.

    Raises:
        InvalidInput: With each that is neither.
    """
    known = (*more, *_IDS, *study.rubric.ids)
    problems = [
        Problem("--column", f"name one of {', '.join(known)}", f'"{name}"', nearest(name, known))
        for name in names
        if name not in known
    ]
    if problems:
        raise InvalidInput(problems)


def import_ratings(
    study: Study, tool_ratings: ToolRatings, names: Mapping[str, str]
) -> ImportSummary:
    """Append what annotators said in a tool.

    Args:
        study: The study.
        tool_ratings: All that the tool's files say.
        names: As in `check_names`.

    Raises:
        InvalidInput: Every problem of every file.
    """
    asked = {
        names.get(of_rubric.id, of_rubric.id): of_rubric for of_rubric in study.rubric.dimensions
    }
    finder = _Finder(study, tool_ratings, names)
    problems: list[Problem] = []
    comments: dict[Page, list[str]] = {}
    rows: list[TakenRow] = []
    left = dict(tool_ratings.left)
    others = Counter(tool_ratings.others)
    for rating in tool_ratings.ratings:
        dimension = asked.get(rating.question)
        if dimension is None and rating.question in COMMENTS:
            comments.setdefault((rating.item, rating.rater), []).append(rating.also or rating.said)
            continue
        if dimension is None:
            others[rating.question] += 1
            continue
        item = finder.item(rating, problems)
        label = _label(rating, dimension, problems)
        if item is not None and label is not None:
            rows.append((rating, item, dimension, label))
    if not problems and not rows:
        asked_there = {rating.question for rating in tool_ratings.ratings} | set(+others)
        problems.append(_nothing_of_ours(study, asked_there))
    problems += contradictions(rows)
    if problems:
        raise InvalidInput(problems)
    answered = {(tool_rating.item, tool_rating.rater) for tool_rating, *_ in rows}
    silent = sum(key not in answered for key in comments)
    before = len(rows)
    rows, arms = without_known(study, rows, comments)
    per_page = Counter((tool_rating.item, tool_rating.rater) for tool_rating, *_ in rows)
    timed = [
        tool_rating.seconds is not None and per_page[tool_rating.item, tool_rating.rater] > 1
        for tool_rating, *_ in rows
    ]
    taken = _add(study, rows, arms, comments)
    left |= _left_of_others(others)
    left["comments without a label to go with"] = silent
    left["seconds, which are of all the labels of an answer together"] = sum(timed)
    notes = describe_left_behind(left)
    return replace(
        taken,
        known=taken.known + before - len(rows),
        notes=[*tool_ratings.notes, *taken.notes, *notes],
    )


def _left_of_others(others: Counter[str]) -> dict[str, int]:
    """Say which questions are none of the rubric's; of many only some by name."""
    names = [name for name, count in others.items() if count]
    if len(names) <= _FEW:
        what = "answers to {}, which is no dimension of the rubric"
        return {what.format(name): others[name] for name in names}
    few = ", ".join(names[:_FEW])
    what = f"answers to {len(names)} questions that are no dimension of the rubric, such as {few}"
    return {what: others.total()}


def _add(
    study: Study,
    rows: Sequence[TakenRow],
    arms: Sequence[str | None],
    comments: Mapping[Page, Sequence[str]],
) -> ImportSummary:
    per_page = Counter((tool_rating.item, tool_rating.rater) for tool_rating, *_ in rows)
    cells = [
        (
            tool_rating.rater,
            tool_rating.kind,
            item.system,
            item.case,
            item.sample,
            dimension.id,
            None if dimension.number is not None else label[0],
            None if dimension.number is None or label[0] is None else float(label[0]),
            label[1],
            tool_rating.time,
            # An annotator's time is of the whole page: with one question it is of that question.
            tool_rating.seconds if per_page[tool_rating.item, tool_rating.rater] == 1 else None,
            _comment(tool_rating, comments),
            tool_rating.confidence or None,
            arm,
        )
        for (tool_rating, item, dimension, label), arm in zip(rows, arms, strict=True)
    ]
    columns: dict[str, list[object]] = {
        name: [row[place] for row in cells] for place, name in enumerate(_COLUMNS)
    }
    if all(dimension.number is None for dimension in study.rubric.dimensions):
        del columns["number"]
    sheet = Sheet("the files", list(range(len(rows))), columns)
    try:
        return add_judgements(study, sheet)
    except InvalidInput as error:
        raise InvalidInput(
            _placed(error.problems, [tool_rating for tool_rating, *_ in rows])
        ) from error


def _comment(tool_rating: ToolRating, comments: Mapping[Page, Sequence[str]]) -> str | None:
    page = comments.get((tool_rating.item, tool_rating.rater), ())
    return "\n".join(filter(None, (tool_rating.comment, *page))) or None


def _placed(problems: Sequence[Problem], ratings: Sequence[ToolRating]) -> list[Problem]:
    """Say of each problem in which file, and where in it, the rating stands."""
    placed = []
    for problem in problems:
        if problem.row is None:
            placed.append(problem)
            continue
        there = ratings[problem.row]
        placed.append(replace(problem, file=there.file, row=there.row, column=there.place))
    return placed


def _label(tool_rating: ToolRating, dimension: Dimension, problems: list[Problem]) -> Said | None:
    if dimension.number is not None:
        return _number(tool_rating, dimension, problems)
    hint = ""
    for word in (tool_rating.said, tool_rating.also) if tool_rating.also else (tool_rating.said,):
        label = read_label(word, dimension)
        if not isinstance(label, str):
            return label
        hint = hint or label
    got = (
        f'"{tool_rating.said}"'
        if tool_rating.also in {"", tool_rating.said}
        else f'"{tool_rating.said}" ("{tool_rating.also}")'
    )
    must = f"be one of {', '.join(dimension.names)}"
    problems.append(Problem(tool_rating.file, must, got, hint, tool_rating.row, tool_rating.place))
    return None


def _number(tool_rating: ToolRating, dimension: Dimension, problems: list[Problem]) -> Said | None:
    scale = dimension.number
    bounds = (None, None) if scale is None else (scale.low, scale.high)
    number = read_number(tool_rating.also or tool_rating.said, bounds, REASON_WORDS)
    if not isinstance(number, str):
        return number
    must, got = f"be {scale}", f'"{tool_rating.also or tool_rating.said}"'
    problems.append(
        Problem(tool_rating.file, must, got, number, tool_rating.row, tool_rating.place)
    )
    return None


class _Finder:
    """Finds the answer that an item of the tool stands for."""

    def __init__(self, study: Study, tool_ratings: ToolRatings, names: Mapping[str, str]) -> None:
        self.study, self.found = study, tool_ratings
        self.field = {ours: names.get(ours, ours) for ours in _IDS}
        self.handouts = list(find_handouts(study.path).values())
        self.known: dict[str, Item | None] = {}

    def item(self, tool_rating: ToolRating, problems: list[Problem]) -> Item | None:
        """Give the answer; where there is none, say why, once for each item."""
        if tool_rating.item not in self.known:
            item_or_problem = self._find(tool_rating)
            if isinstance(item_or_problem, Problem):
                problems.append(item_or_problem)
            self.known[tool_rating.item] = (
                None if isinstance(item_or_problem, Problem) else item_or_problem
            )
        return self.known[tool_rating.item]

    def _find(self, tool_rating: ToolRating) -> Item | Problem:
        code = as_code(tool_rating.item)
        for handout in self.handouts:
            if code in handout.items:
                return self._unchanged(tool_rating, handout, code)
        fields = self.found.items.get(tool_rating.item, tool_rating.fields)
        ids = [fields.get(self.field[name], "") for name in _IDS]
        if all(ids):
            return self._asked(tool_rating, Item(ids[1], ids[0]))
        must = "be a code of this study, or say its system and case"
        got = f'the item "{tool_rating.item}" with {", ".join(fields) or "no fields"}'
        lacking = [self.field[name] for name, word in zip(_IDS, ids, strict=True) if not word]
        hint = f"It lacks {' and '.join(lacking)}: say --column system=FIELD --column case=FIELD."
        return Problem(tool_rating.file, must, got, hint, tool_rating.row, tool_rating.place)

    def _unchanged(self, tool_rating: ToolRating, handout: Handout, code: str) -> Item | Problem:
        item = handout.items[code]
        answer = self.study.answers.get(item.system, item.case, item.sample)
        if item.case in self.study.cases and answer is not None:
            choices: tuple[tuple[Part, ...], ...] = (("reasoning",), ())
            now = [hash_of(judged_texts(texts_of(self.study, item, choice))) for choice in choices]
            if handout.shown[code] in now:
                return item
        must = "be about an answer that has not changed since the rater read it"
        got = f"{item.system}, {item.case}, which has changed since the export"
        hint = "Put the answer back, or hand it out again under a new name."
        return Problem(tool_rating.file, must, got, hint, tool_rating.row, tool_rating.place)

    def _asked(self, tool_rating: ToolRating, item: Item) -> Item | Problem:
        known = {"case": self.study.cases.ids, "system": self.study.answers.systems}
        for name, word in (("case", item.case), ("system", item.system)):
            if known[name] and word not in known[name]:
                must = f"name a {name} of the study in the field {self.field[name]}"
                hint = nearest(word, known[name])
                return Problem(
                    tool_rating.file, must, f'"{word}"', hint, tool_rating.row, tool_rating.place
                )
        return item


def _nothing_of_ours(study: Study, questions: Collection[str]) -> Problem:
    asked = sorted(questions)
    must = f"answer a dimension of the rubric: {', '.join(study.rubric.ids)}"
    got = ", ".join(asked) or "no ratings"
    ours = study.rubric.ids[0]
    hint = f"Name one: {shell_line(['--column', f'{ours}={asked[0]}'])}" if asked else ""
    return Problem("the files", must, got, hint)
