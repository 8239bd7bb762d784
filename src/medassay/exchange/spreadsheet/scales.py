"""On which scale labels were given: what the table says, or what the labels can only be of."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.exchange.proposal import ImportQuestion
from medassay.exchange.spreadsheet.columns import Layout
from medassay.exchange.spreadsheet.keys import ranked
from medassay.exchange.spreadsheet.label_words import (
    HARM,
    MISSING,
    RatedDimension,
    dimension_id,
    harm_question,
    in_words,
    is_better_low,
    label,
    own,
    polarity,
    refuse_other_labels,
    refuse_unread,
    whole,
    without_slips,
    yes_or_no,
)
from medassay.exchange.spreadsheet.profile import is_blank, number_of, said_of
from medassay.exchange.spreadsheet.scale_words import Ends, read_ends
from medassay.exchange.spreadsheet.words import form, lexicon
from medassay.judgements import (
    Dimension,
    Rubric,
    RubricFile,
    choose_rubric,
    library_dimensions,
    rubric_of,
)
from medassay.text import first_of, shell_line

__all__ = ["Labels", "Scales", "called_by", "dimension_id", "library_id", "read_scales"]

_DATE: Final = re.compile(
    r"\d{1,2}[-./ ][A-Za-zä]{3,4}\.?(?:[-./ ]\d{2,4})?|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}"
    r"|\d{4}-\d{2}-\d{2}(?:[ T].*)?|[A-Za-zä]{3}[-./ ]\d{2}"
)
_KNOWN_ENDS: Final = (
    (0, 1), (0, 2), (1, 3), (0, 3), (1, 4), (0, 4), (1, 5), (0, 5), (1, 6), (1, 7), (1, 9), (0, 10),
    (1, 10), (0, 100), (-1, 1), (-2, 2), (-3, 3), (-5, 5),
)  # fmt: skip
_POINTS: Final = 20
"""The least that points are given out of from 0 on, as French marks are: nobody rates 1 to 20."""
_MANY: Final = 30
"""Labels of which one above 6, or 7, would have come, were there any."""
_ALONE: Final = frozenset({(0, 1), (1, 5), (0, 5), (0, 10), (0, 100)})
"""Ends that labels which reach both can only be of."""


@dataclass(frozen=True)
class Labels:
    """How cells of one question are read.

    Attributes:
        dimension: What was asked.
        words: Cell to label; cells that are none are left as they stand, and "" means not judged.
    """

    dimension: Dimension
    words: Mapping[str, str]

    @cached_property
    def told(self) -> tuple[str, str, str]:
        """The dimension's id, what people call it, and the column that a label goes into."""
        dimension = self.dimension
        return dimension.id, dimension.title or dimension.id, dimension.column


@dataclass(frozen=True, slots=True)
class Scales:
    """The scales of a study's labels.

    Attributes:
        rubric: The rubric to be written; None where the study has its own or nothing was rated.
        dimensions: What was rated.
        labels: Dimension and sense of a header to how its cells are read.
        questions: What somebody has to decide first.
        notes: What labels were read as.
    """

    rubric: RubricFile | None
    dimensions: Sequence[Dimension]
    labels: Mapping[tuple[str, str], Labels]
    questions: Sequence[ImportQuestion] = ()
    notes: Sequence[str] = ()


def read_scales(
    layouts: Sequence[Layout],
    fixed: Rubric | None,
    chosen: RubricFile | None,
    said: Mapping[str, Sequence[str]],
    wanted: Sequence[str] = (),
) -> Scales:
    """Read the scale of everything that was rated.

    Args:
        layouts: The tables.
        fixed: The rubric of a study that is there, or one that the user gave as a whole.
        chosen: That rubric as a file to be written, for a new study.
        said: What the user typed: `scale` (accuracy=1-6) and `label` (safety.unsafe=ja).
        wanted: Dimensions of the library that the user named: where nothing else is said, labels
            that fit them are theirs.

    Raises:
        InvalidInput: What was typed is no such pair.
    """
    rated = _rated(layouts, fixed)
    scales = dict(_pair(word, "--scale", "accuracy=1-6") for word in said.get("scale", ()))
    pairs = (_pair(word, "--label", "safety.unsafe=ja") for word in said.get("label", ()))
    typed = [(cell, label) for label, cell in pairs]
    questions: list[ImportQuestion] = []
    notes: list[str] = []
    labels: dict[tuple[str, str], Labels] = {}
    parts: dict[str, str] = {} if fixed else {name: name for name in wanted}
    dimensions: list[Dimension] = []
    refuse_other_labels(typed, rated)
    not_judged = _without_missing(rated.values(), typed)
    _refuse_dates(rated.values())
    _count_alike(rated.values())
    reaches = {one.file for one in rated.values() if _reaches_five(one)}
    for one in rated.values():
        # What was said of "Yes" under one header says nothing of it under another.
        names = {one.id, one.typed}
        words = {cell: label for cell, label in typed if label.rpartition(".")[0] in names}
        words = {cell: label for cell, label in words.items() if cell not in not_judged[one.id]}
        if fixed is None:
            said_of_it = scales.get(one.typed) or scales.get(one.id, "")
            if not said_of_it and one.file in reaches and _most(one) == 4:  # noqa: PLR2004 - of five
                said_of_it = "1-5"
            part, question = _decide(one, said_of_it, words)
            if not (one.id in wanted and _fits_library(one)):
                questions += [question] if question else []
                parts[one.id] = part
                if not question and not (said_of_it or one.ends) and (most := _most(one)) > 5:  # noqa: PLR2004 - not the commonest
                    notes.append(_told(one, 1, most, "since its labels are these"))
        dimension = (
            _of_rubric(one, fixed) if fixed else rubric_of([parts[one.id]]).rubric.dimensions[0]
        )
        dimensions.append(dimension)
        half_told = any(ends.low is None or ends.high is None for ends in one.ends)
        given = dimension.scores or (
            dimension.number and (dimension.number.low, dimension.number.high)
        )
        if half_told and given and not (fixed or scales.get(one.typed)):
            notes.append(_told(one, given[0], given[-1], "since its header names one end"))
        for sense, counts in one.cells.items():
            refuse_unread(one, dimension, words)
            read = {cell: label(cell, dimension, sense, words) for cell in counts}
            labels[one.id, sense] = Labels(dimension, read | dict.fromkeys(not_judged[one.id], ""))
            told = polarity(one, dimension, counts, read, words)
            questions += [told] if isinstance(told, ImportQuestion) else []
            notes += [told] if isinstance(told, str) and told else []
    if fixed is not None:
        return Scales(chosen, fixed.dimensions, labels, questions, notes)
    rubric = rubric_of(list(parts.values())) if parts else None
    if rubric is not None:
        dimensions = list(rubric.rubric.dimensions)
    return Scales(rubric, dimensions, labels, questions, notes)


def _without_missing(
    rated: Iterable[RatedDimension], typed: Sequence[tuple[str, str]]
) -> dict[str, set[str]]:
    """Take off the labels of which somebody said that they mean not judged; give them."""
    taken: dict[str, set[str]] = {}
    for one in rated:
        told = {f"{name}.{MISSING}" for name in (one.id, one.typed)}
        taken[one.id] = {cell for cell, label in typed if label in told}
        for counts in one.cells.values():
            for cell in taken[one.id]:
                counts.pop(cell, None)
    return taken


def _told(one: RatedDimension, low: float | None, high: float | None, why: str) -> str:
    other = shell_line(["--scale", f"{one.typed}=LOW-HIGH"])
    ends = f"from {low or 0:g} to {high or 0:g}"
    return f"{one.title}: read as rated {ends}, {why}. Another scale: {other}"


def called_by(scales: Scales) -> dict[str, str]:
    """Give what a user calls each dimension: as its question and its option do."""
    library = library_dimensions()
    return {
        own.id: own.id if own.id in library else dimension_id(own.title) or own.id
        for own in scales.dimensions
    }


def _count_alike(rated: Collection[RatedDimension]) -> None:
    """Count the labels of all that was rated with the same labels: together they show a scale."""
    alike: Counter[tuple[str, frozenset[str]]] = Counter()
    for one in rated:
        alike[one.file, frozenset(one.every)] += one.every.total()
    for one in rated:
        one.alike = alike[one.file, frozenset(one.every)]


def _fits_library(one: RatedDimension) -> bool:
    """Say whether every label is one of the library's, on its scale."""
    words = {word.casefold() for word in choose_rubric(one.id).rubric.dimensions[0].words}
    cells = (re.sub(r"[.,]0+$", "", cell) if number_of(cell) else cell for cell in one.every)
    return not one.ends and all(cell.casefold() in words for cell in cells)


def _most(one: RatedDimension) -> float:
    """Give the highest label where all are whole numbers from 1 on and no scale is named."""
    numbers = [number_of(cell) for cell in one.every]
    whole = all(number is not None and number.is_integer() and number >= 1 for number in numbers)
    return max(filter(None, numbers)) if whole and numbers and not one.ends else 0.0


def _reaches_five(one: RatedDimension) -> bool:
    """Say whether labels can only be of 1 to 5; others of the sheet that stop at 4 are so, too."""
    return _most(one) == 5  # noqa: PLR2004 - the commonest scale


def _refuse_dates(rated: Iterable[RatedDimension]) -> None:
    """Refuse labels that a spreadsheet program has made dates of.

    Raises:
        InvalidInput: There are some.
    """
    problems = []
    for one in rated:
        dates = [cell for cell in one.every if _DATE.fullmatch(cell)]
        if dates:
            hint = (
                "A spreadsheet program made a date of a label such as 5-1. Write the label again, "
            )
            hint += "in a column formatted as text."
            got = f'"{dates[0]}"' + (f" and {len(dates) - 1} more" if dates[1:] else "")
            must = "hold labels, and no dates"
            problems.append(Problem(one.file, must, got, hint, None, one.title))
    if problems:
        raise InvalidInput(problems)


def _of_rubric(one: RatedDimension, rubric: Rubric) -> Dimension:
    """Give the rubric's dimension.

    Raises:
        InvalidInput: It has none so called.
    """
    found = next((dimension for dimension in rubric.dimensions if dimension.id == one.id), None)
    if found is None:
        must = f"be rated by a dimension of the study: {', '.join(rubric.ids)}"
        hint = "Say which it is, for example: --column rating.NAME=THEIRS; or leave the column "
        hint += "out: --column skip=THEIRS."
        raise InvalidInput(Problem(one.file, must, f'"{one.title}"', hint))
    return found


def _rated(layouts: Sequence[Layout], fixed: Rubric | None) -> dict[str, RatedDimension]:
    found: dict[str, RatedDimension] = {}
    by_word = {
        word.casefold(): d.id
        for d in (fixed.dimensions if fixed else ())
        for word in (d.id, d.title)
    }

    def of(name: str, layout: Layout) -> RatedDimension:
        key = by_word.get(name.casefold()) or library_id(name) or dimension_id(name)
        title = name.strip()
        if key in library_dimensions():
            title = choose_rubric(key).rubric.dimensions[0].title
        return found.setdefault(key, RatedDimension(key, title, layout.table.name))

    for layout in layouts:
        for name, most in ranked(layout).items():
            of(name, layout).ranks = most
        for column in layout.of_role("rating"):
            one = of(column.of, layout)
            one.headers.append(column.name)
            one.ends += [column.ends] if column.ends else []
            counts = one.cells.setdefault(column.sense, Counter())
            # Of harm "none" is a grade, and no mark for an empty cell.
            graded = layout.profiles[column.name].kind == "word" and is_better_low(column.name)
            counts.update(
                {
                    cell: count
                    for cell, count in layout.table.often(column.name).items()
                    if not is_blank(cell) or (graded and cell.casefold() == "none")
                }
            )
        label, dimension = layout.named("label"), layout.named("dimension")
        if label is not None and dimension is not None:
            pairs = zip(layout.table.cells(dimension), layout.table.cells(label), strict=True)
            for (name, cell), often in Counter(pairs).items():
                if name and not is_blank(cell):
                    ends, rest = read_ends(name)
                    one = of(rest.strip() if ends else name, layout)
                    one.headers += [name] if name not in one.headers else []
                    one.ends += [ends] if ends and ends not in one.ends else []
                    sense = lexicon().asked.get(form(name), "")
                    one.cells.setdefault(sense, Counter())[cell] += often
    return found


def library_id(name: str) -> str:
    """Give the library's dimension that a header names; nothing where it names none."""
    return lexicon().dimensions.get(form(read_ends(name)[1]), "")


def _pair(word: str, option: str, example: str) -> tuple[str, str]:
    left, equals, right = word.partition("=")
    if not equals or not left.strip() or not right.strip():
        raise InvalidInput(Problem(option, f"be a pair such as {example}", f'"{word}"'))
    return left.strip(), right.strip()


def _decide(
    one: RatedDimension, said: str, words: Mapping[str, str]
) -> tuple[str, ImportQuestion | None]:
    """Give the dimension, as a name of the library or as TOML, and what is still to be asked."""
    library = one.id in library_dimensions()
    base = choose_rubric(one.id).rubric.dimensions[0] if library else None
    cells = list(one.every) if "<" in said else without_slips(one.every)
    graded = [said_of(cell) if number_of(cell) is None else (number_of(cell), "") for cell in cells]
    told = read_ends(f"({said.split(',', maxsplit=1)[0]})")[0] if said else None
    ends = [told] if told else one.ends
    better = (
        "lower" if said.endswith("lower") or any(e.better == "lower" for e in ends) else "higher"
    )
    numbers = sorted(
        {float(grade[0]) for grade in graded if grade is not None and grade[0] is not None}
    )
    if not cells or any(grade is None for grade in graded):
        return in_words(one, base, cells, words, said)
    told_words = {number: word for end in ends for number, word in end.words}
    told_words |= {g[0]: g[1] for g in graded if g and g[0] is not None and g[1] and g[1][0] != "/"}
    tops = {float(g[1][1:]) for g in graded if g and g[1].startswith("/")}
    binary = set(numbers) <= {0.0, 1.0}
    if base is not None and base.id == HARM and binary:
        return one.id, harm_question(one, words) if "" in one.cells else None
    if binary and not (ends or tops or told_words):
        return yes_or_no(one, base, cells, words)
    if one.ranks and not told:
        ends = [Ends(1.0, float(one.ranks))]
    low, high, question = _ends(one, ends, tops, numbers, said)
    if one.ranks and "," not in said:
        question = _which_end(one, low, high, {}, harm=False)
    question = question or _direction(one, base, (low, high), said, told_words)
    if base is not None and base.labels and not told_words and better == base.better:
        scores = base.scores or ()
        if scores and (min(scores), max(scores)) == (low, high) and whole(numbers):
            return one.id, question
    return own(one, base, low, high, numbers, better, told_words), question


def _ends(
    one: RatedDimension,
    ends: Sequence[Ends],
    tops: Iterable[float],
    numbers: Sequence[float],
    said: str,
) -> tuple[float, float, ImportQuestion | None]:
    """Give the ends of a scale of numbers; what labels could be of several is asked."""
    lows = {end.low for end in ends if end.low is not None}
    highs = {end.high for end in ends if end.high is not None} | set(tops)
    least, most = numbers[0], numbers[-1]
    if len(highs) == 1 and len(lows) <= 1:
        high = next(iter(highs))
        low = next(iter(lows), 0.0 if least < 1 or high >= _POINTS else 1.0)
        if low <= least and most <= high:
            return low, high, None
        on_it = [count for cell, count in one.every.items() if low <= (_number(cell) or 0) <= high]
        if not said and 2 * sum(on_it) >= one.every.total():
            return low, high, None  # the header's scale holds: what is off it is refused by cell
        if said or (lows and not one.ranks):
            raise InvalidInput(_off_scale(one, low, high, said))
    if _is_whole(one, numbers):
        return least, most, None
    fit = [(low, high) for low, high in _KNOWN_ENDS if low <= least and most <= high]
    fit = [ends for ends in fit if (ends[0] < 0) == (least < 0)]
    if (least, most) in _ALONE or (least >= 1 and most == 5):  # noqa: PLR2004 - the commonest scale
        whole = (1.0, 5.0) if least >= 1 else (least, most)
        return whole[0], whole[1], None
    fit = fit or [(int(least // 1), int(-(-most // 1)))]
    fit.sort(key=lambda pair: (pair[1] - most, abs(pair[0] - min(least, 1))))
    offered = fit[:4]
    shown = first_of([f"{number:g}" for number in numbers], 8)
    question = one.asks(
        "On which scale were the labels of {} given?",
        "scale",
        {f"{low} to {high}": [f"{one.typed}={low}-{high}"] for low, high in offered},
        f"They are {shown}",
    )
    return float(offered[0][0]), float(offered[0][1]), question


def _is_whole(one: RatedDimension, numbers: Sequence[float]) -> bool:
    """Say whether many labels are each whole number from 1 to 6, or to 7, and no other."""
    steps = [float(step) for step in range(1, len(numbers) + 1)]
    return [*numbers] == steps and len(steps) in {6, 7} and one.alike >= _MANY


def _off_scale(one: RatedDimension, low: float, high: float, said: str) -> Problem:
    """Name the first label that is not on the scale that was typed."""
    off = [cell for cell in one.every if not low <= (_number(cell) or low) <= high]
    got = first_of([f'"{cell}" ({one.every[cell]} times)' for cell in off], 3)
    scale = shell_line(["--scale", f"{one.typed}=LOW-HIGH"])
    hint = f"Type the scale that was used: {scale}; or mend the labels: empty cells are not judged."
    whence = f"{said}, as was typed" if said else f"{low:g}-{high:g}, as its header says"
    return Problem(one.file, f"be a label of {whence}", got, hint, None, one.title)


def _number(cell: str) -> float | None:
    """Give a label's number, with words beside it or without."""
    grade = said_of(cell)
    return number_of(cell) if grade is None else grade[0]


def _direction(
    one: RatedDimension, base: Dimension | None, ends: tuple[float, float], said: str,
    told: Mapping[float, str],
) -> ImportQuestion | None:  # fmt: skip
    """Ask which end is good where that may be the low one and nothing settles it.

    Of what there is better less of the words of a scale settle nothing: whether "best", "none" or
    "strongly agree" is good depends on the statement.
    """
    if "," in said or (base is not None and base.better == "lower"):
        return None
    harm = one.id == HARM
    # German schools mark from 1, the best, to 6.
    marks = ends == (1, 6) and any("note" in form(header) for header in one.headers)
    if marks or one.is_better_low:
        return _which_end(one, *ends, told, harm=harm)
    good = any(end.better for end in one.ends)
    doubtful = told and not good and any(map(is_better_low, told.values()))
    return _which_end(one, *ends, told, harm=harm) if doubtful and not said else None


def _which_end(
    one: RatedDimension, low: float, high: float, told: Mapping[float, str], *, harm: bool
) -> ImportQuestion:
    """Ask which end of a scale is the harmful one, or the better one.

    The low end is likelier better, unless the labels with bad words are all lower than the rest.
    """
    what, most, ends = "better", "best", (low, high)
    if harm:
        what, most, ends = "harmful", "most harmful", (high, low)
    typed = tuple(f"{one.typed}={low:g}-{high:g},{better}" for better in ("lower", "higher"))
    ways = {f"{end:g} is the {most}": [word] for end, word in zip(ends, typed, strict=True)}
    bad = [number for number, word in told.items() if is_better_low(word)]
    good = told.keys() - set(bad)
    if bad and good and max(bad) < min(good):
        ways = dict(reversed(ways.items()))
    return one.asks(f"Which end of {{}} is the {what} one?", "scale", ways)
