"""Why each column is read as it is, and what it could be read as instead."""

from collections.abc import Mapping, Sequence

from medassay.exchange.proposal import Explained
from medassay.exchange.spreadsheet.column_file import EXPLAINED, word_of
from medassay.exchange.spreadsheet.columns import SAID, Layout, ReadColumn, fits
from medassay.exchange.spreadsheet.headers import headings, is_like_a_system, read_header
from medassay.exchange.spreadsheet.profile import Profile
from medassay.exchange.spreadsheet.wishes import wish_of

_MOSTLY = 0.7


def explained(layouts: Sequence[Layout], said: Mapping[tuple[str, str], object]) -> Explained:
    """Say of each column what its cells are, what it is read as, why, and what else it could be.

    Args:
        layouts: The tables as they were read.
        said: The columns that somebody said something of, by table and name.
    """
    lines = [
        _line(layout, column, typed=(layout.table.name, column.name) in said)
        for layout in layouts
        for column in layout.columns
    ]
    questions = [question for layout in layouts for question in layout.questions]
    return Explained(lines, questions)


def _line(layout: Layout, column: ReadColumn, *, typed: bool) -> dict[str, str | int]:
    profile = layout.profiles[column.name]
    told = f" of {column.of}" if column.of and column.role in {"answer", "rating"} else ""
    said = (
        layout.table.name, column.name, word_of(column),
        next(iter(_others(layout, column, profile)), ""),
        "it was said" if typed else _why(column, profile), _cells(profile), profile.filled,
        profile.distinct, f"{SAID[column.role]}{told}",
    )  # fmt: skip
    return dict(zip(EXPLAINED, said, strict=True))


def _cells(profile: Profile) -> str:
    if profile.kind in {"number", "graded"} and profile.numbers:
        grades = "numbers" if profile.kind == "number" else "numbers with words"
        return f"{grades} from {profile.numbers[0]:g} to {profile.numbers[-1]:g}"
    kinds = {"yesno": "yes or no", "text": "texts", "word": "short words", "list": "lists"}
    return kinds.get(profile.kind, profile.kind)


def _why(column: ReadColumn, profile: Profile) -> str:
    header = read_header(column.name)
    roles = {*header.roles, *(heading.role for heading in headings(column.name))}
    reasons = (
        (bool(column.why), column.why),
        (column.role in roles, "its header"),
        (column.role == "rating" and column.ends, "a scale in its header or the row below"),
        (column.role == "rating" and header.dimension, f"its header names {header.dimension}"),
        (column.role == "score" and header.metric, "its header names the metric"),
        (
            column.role == "question" and profile.asks >= _MOSTLY,
            "its cells end with question marks",
        ),
        (column.role == "answer" and is_like_a_system(column.of), "texts below a system's name"),
        (column.role == "rater" and header.people, "its header names people"),
    )
    otherwise = "its cells, and the columns that they change with"
    return next((why for so, why in reasons if so), otherwise)


def _others(layout: Layout, column: ReadColumn, profile: Profile) -> list[str]:
    """Give what else a column could be: what a question offers, or its header says as well."""
    own = word_of(column)
    asked = [
        word.partition("=")[0]
        for question in layout.questions
        for words in question.answers.values()
        for word in words
        if word.partition("=")[2] == column.name
    ]
    header = read_header(column.name)
    roles = [*header.roles, *(heading.role for heading in headings(column.name))]
    fitting: list[str] = [role for role in roles if role in SAID and fits(role, profile)]
    if header.metric is not None and profile.kind == "number":
        fitting.append("score")
    if header.dimension and profile.kind in {"number", "graded", "yesno"}:
        fitting.append(f"rating.{header.dimension}")
    mine = wish_of(own)
    return [word for word in dict.fromkeys([*asked, *fitting]) if wish_of(word) != mine]
