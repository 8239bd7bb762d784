"""Ratings made in an annotation tool, as judgements of a study."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

from medassay.campaign.rating_sheet import REASON_WORDS
from medassay.campaign.reading import Said, read_label, read_number
from medassay.campaign.subjects import hash_of
from medassay.campaign.texts import judged_texts, texts_of
from medassay.errors import InvalidInput, Problem, nearest
from medassay.exchange.other_tools.declaring import describe_left_behind
from medassay.exchange.other_tools.handout import Handout, find_handouts
from medassay.exchange.other_tools.taken_rows import Page, TakenRow, contradictions, without_known
from medassay.exchange.other_tools.tool_ratings import COMMENTS, ToolRating, ToolRatings
from medassay.judgements import Dimension
from medassay.judgements.campaign import Item, Part, as_code
from medassay.study.folder import Study
from medassay.study.intake.judgements import ImportSummary, add_judgements
from medassay.tables import Sheet
from medassay.text import shell_line

__all__ = ["check_names", "import_ratings"]

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
        must = "be about an answer that is still what the rater read"
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
