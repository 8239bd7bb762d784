"""The answers of a queue, as `medassay triage` writes it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem, nearest
from medassay.judgements.campaign import Item
from medassay.tables import check_columns, read_sheet, unguarded

__all__ = ["is_draw", "queued_items"]

_NEEDED: Final = ("system", "case")


def queued_items(path: Path, items: Sequence[Item]) -> list[Item]:
    """Give the items that a queue names, but for those that a draw left out.

    Raises:
        InvalidInput: The file is no queue, or names an answer that is not there; each named.
    """
    sheet = read_sheet(path)
    known = {(item.system, item.case): item for item in items if not item.system_b}
    problems: list[Problem] = []
    found: list[Item] = []
    check_columns(sheet, (*_NEEDED, *sheet.columns), _NEEDED, problems)
    if problems:
        raise InvalidInput(problems)
    for row, record in sheet.records():
        if str(record.get("drawn", "")) == "no":
            continue
        key = unguarded(str(record.get("system", ""))), unguarded(str(record.get("case", "")))
        if key in known:
            found.append(known[key])
            continue
        got = f'system "{key[0]}", case "{key[1]}"'
        hint = nearest(key[1], sorted({case for _, case in known}))
        problems.append(Problem(sheet.file, "name an answer of the study", got, hint, row))
    if problems:
        raise InvalidInput(problems)
    return sorted(set(found))


def is_draw(path: Path) -> bool:
    """Say whether a queue was drawn by chance, and tells the chance of every answer."""
    return "chance" in read_sheet(path).columns
