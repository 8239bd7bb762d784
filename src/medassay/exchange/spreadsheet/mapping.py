"""What the columns of a table were read as, shown to whoever owns it."""

from typing import Final

from medassay.exchange.outcome import Overview
from medassay.exchange.spreadsheet.accepted import several_in
from medassay.exchange.spreadsheet.headers import Role
from medassay.exchange.spreadsheet.layout import Column, Layout

__all__ = ["left_out", "overview", "read_as"]

_SHOWN: Final = 3
_WIDEST: Final = 32
_FEW: Final = 8
_APART: Final[tuple[Role, ...]] = ("answer", "reference", "rating", "tag", "skip")


def read_as(layout: Layout) -> str:
    """Say in one line what the columns are.

    Example:
        >>> from medassay.exchange.spreadsheet.layout import guess_layout
        >>> from medassay.exchange.spreadsheet.read import Table
        >>> from medassay.tables import Sheet
        >>> text = ["Take it with a full glass of water."]
        >>> columns = {"question": ["How?"], "DocBot": text, "Guideline answer": text, "x": [None]}
        >>> print(read_as(guess_layout(Table(Sheet("a.csv", [2], columns), "a"), {})))
        a.csv: answers of: DocBot; reference: Guideline answer; question: question; left out: x \
(to keep it: --column "tag=x")
    """
    parts = []
    whose = [column.of for column in layout.of_role("answer") if column.of]
    if whose:
        parts.append(f"answers of: {_listed(whose)}")
    else:
        parts += [f"answer: {column.name}" for column in layout.of_role("answer")]
    several = several_in(layout)
    references = [
        f"{column.name} (several apart by |)" if column.name in several else column.name
        for column in layout.of_role("reference")
    ]
    parts += [f"reference: {_listed(references)}"] if references else []
    parts += [
        f"{column.role}: {column.name}" for column in layout.columns if column.role not in _APART
    ]
    ratings = list(dict.fromkeys(column.of for column in layout.of_role("rating")))
    parts += [f"ratings of: {_listed(ratings)}"] if ratings else []
    tags = [column.name for column in layout.of_role("tag")]
    parts += [f"tags: {_listed(tags)}"] if tags else []
    parts += [left_out(layout)] if layout.of_role("skip") else []
    return f"{layout.table.name}: {'; '.join(parts)}"


def left_out(layout: Layout) -> str:
    """Say which columns are left out, and how to keep one."""
    left = [column.name for column in layout.of_role("skip")]
    keep = "it" if len(left) == 1 else "one"
    return f'left out: {_listed(left)} (to keep {keep}: --column "tag={left[0]}")'


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _FEW} more" if len(names) > _FEW + 1 else ""
    return ", ".join(names[:_FEW] if more else names) + more


def overview(layout: Layout) -> Overview:
    """Show their columns beside ours, with the first rows."""
    sheet = layout.table.sheet
    several = several_in(layout)
    numbers = [f"row {number}" for number in sheet.rows[:_SHOWN]]
    rows = [
        [
            column.name,
            _ours(column) + (", several apart by |" if column.name in several else ""),
            *(_short(cell) for cell in layout.table.cells(column.name)[:_SHOWN]),
        ]
        for column in layout.columns
    ]
    return Overview(["your column", "is read as", *numbers], rows)


def _ours(column: Column) -> str:
    if column.role == "answer" and column.of:
        return f"answer of {column.of}"
    if column.role == "tag":
        return f"tag {column.of}" if column.of != column.name else "tag"
    if column.role == "rating":
        about = " ".join(filter(None, (column.system, column.rater)))
        return f"rating of {column.of}" + (f" ({about})" if about else "")
    return "left out" if column.role == "skip" else column.role


def _short(cell: str) -> str:
    line = " ".join(cell.split())
    return line if len(line) <= _WIDEST else f"{line[: _WIDEST - 3]}..."
