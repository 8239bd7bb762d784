"""What columns hold by what they repeat with: ids, systems, repeats, raters, things rated."""

import re
from collections.abc import Callable, Collection, Sequence
from functools import partial

from medassay.exchange.spreadsheet.headers import (
    plain,
    read_header,
)
from medassay.exchange.spreadsheet.keys import is_one_to_one
from medassay.exchange.spreadsheet.profile import texts_of
from medassay.exchange.spreadsheet.reader import Reader
from medassay.exchange.spreadsheet.texts_read import needs_answers
from medassay.exchange.spreadsheet.words import Role

__all__ = ["by_dependence", "ids_by_cells", "lists"]


def ids_by_cells(reader: Reader) -> None:
    """Know the one column of ids by its cells, where nothing says which question a row is about."""
    if reader.of_role("case"):
        return
    asked = reader.of_role("question", "turns")
    found = [
        name
        for name in reader.open
        if reader.profiles[name].kind in {"word", "number"}
        and not reader.headers[name].dimension
        and not reader.headers[name].people
        and _are_ids(reader.table.cells(name))
        and (
            is_one_to_one(reader.table.cells(asked[0].name), reader.table.cells(name))
            if asked
            else reader.profiles[name].kind == "word" or _counts_up(reader.table.cells(name))
        )
    ]
    first = next(iter(reader.table.sheet.columns), "")
    found = [first] if first in found else found
    if len(found) == 1:
        reader.take(found[0], "case")


def _counts_up(cells: Sequence[str]) -> bool:
    """Say whether whole numbers count questions: from 1 on, in order, none left out."""
    numbers = [int(cell) for cell in cells if cell.isdecimal()]
    ordered = numbers == sorted(numbers) and len(numbers) == len(cells)
    return ordered and len(set(numbers)) > 3 and set(numbers) == set(range(1, max(numbers) + 1))  # noqa: PLR2004 - of three anything counts up


def _are_ids(cells: Sequence[str]) -> bool:
    """Say whether cells look like ids: one word each that ends in a number, several of them."""
    forms = {re.sub(r"\d+$", "", cell) for cell in cells}
    several = len(set(cells)) > 2  # noqa: PLR2004 - of two rows anything counts up
    return (
        several and len(forms) == 1 and all(re.fullmatch(r"[^\W\d]*[-_#. ]?\d+", c) for c in cells)
    )


def lists(reader: Reader) -> None:
    """Know what was retrieved: lists of texts or of ids beside answers that metrics scored."""
    lists = [name for name in reader.open if reader.profiles[name].kind == "list"]
    lists += [c.name for c in reader.of_role("contexts") if reader.profiles[c.name].kind == "list"]
    ids = [name for name in lists if _are_lists_of_ids(reader.table.sheet.columns[name])]
    texts = [name for name in lists if name not in ids and name in reader.open]
    if len(ids) == 1:
        reader.take(ids[0], "documents")
    named = [name for name in texts if "contexts" in reader.headers[name].roles]
    if len(named) == 1 or (
        len(texts) == 1 and not reader.of_role("contexts") and needs_answers(reader)
    ):
        texts = named or texts
        reader.take(texts[0], "contexts")


def _are_lists_of_ids(cells: Sequence[object]) -> bool:
    held = [one for cell in cells for one in texts_of(cell)]
    return bool(held) and all(re.fullmatch(r"\S*\d\S*", one) for one in held)


def by_dependence(reader: Reader) -> None:
    """Know answers, systems, repeats and raters by what repeats with what."""
    if not reader.of_role("question", "case", "turns"):
        return
    _dimensions_by_cells(reader)
    _by_answers(reader)
    if not _names_dimensions(reader):
        return
    if not (reader.of_role("system", "answer") or reader.systems):
        _take_one(reader, "system", reader.keys().parts_raters)
    if not reader.of_role("rater"):
        kinds = {"number", "graded", "yesno"}
        labels = [name for name in reader.open if reader.profiles[name].kind in kinds]
        labels += [column.name for column in reader.of_role("label")]
        _take_one(reader, "rater", partial(reader.keys().parts_labels, labels=labels))


def _take_one(reader: Reader, role: Role, parts: Callable[[Sequence[str]], bool]) -> None:
    """Take the one column of names of which something holds."""
    found = [name for name in _short(reader, {"word"}) if parts(reader.table.cells(name))]
    if len(found) == 1:
        reader.take(found[0], role)


def _by_answers(reader: Reader) -> None:
    """Know systems and repeats by the answers that they tell apart, and answers by systems."""
    texts = [name for name in reader.open if reader.profiles[name].kind == "text"]
    long = reader.of_role("system") and not reader.of_role("answer", "label", "rating")
    if long and not texts:
        texts = [name for name in reader.open if plain(name) == "text"]
    if long and len(texts) == 1:
        reader.take(texts[0], "answer")
    answers = [column.name for column in reader.of_role("answer") if not column.of]
    tells: tuple[tuple[Role, str], ...] = (("system", "word"), ("sample", "number"))
    for role, kind in tells:
        if reader.of_role(role) or reader.systems:
            continue
        keys = reader.keys()
        found = [
            name
            for name in _short(reader, {kind})
            if keys.parts_answers(reader.table.cells(name), [*texts, *answers])
        ]
        if len(found) == 1:
            reader.take(found[0], role)
            if len(texts) == 1 and not answers:
                reader.take(texts[0], "answer")


def _names_dimensions(reader: Reader) -> bool:
    """Say whether headers say what was rated, so that no column of names can.

    Where none does, a column that parts labels may name people or what they rated.
    """
    if reader.of_role("dimension"):
        return True
    kinds = {"number", "graded", "yesno", "word"}
    labels = [name for name in reader.open if reader.profiles[name].kind in kinds]
    return any(reader.headers[n].dimension or reader.headers[n].ends for n in labels)


def _short(reader: Reader, kinds: Collection[str]) -> list[str]:
    """Name the open columns of short cells that may be names of systems, people or repeats."""
    return [
        name
        for name in reader.open
        if reader.profiles[name].kind in kinds
        and not (reader.headers[name].dimension or reader.headers[name].ends)
        and not reader.headers[name].metric
    ]


def _dimensions_by_cells(reader: Reader) -> None:
    """Know the column that says what was rated by its cells, and the labels beside it."""
    if not reader.of_role("dimension"):
        found = []
        for name in _short(reader, {"word"}):
            cells = set(reader.table.cells(name)) - {""}
            told = [cell for cell in cells if read_header(cell).dimension]
            if len(cells) > 1 and 2 * len(told) >= len(cells):
                found.append(name)
        if len(found) == 1:
            reader.take(found[0], "dimension")
    if reader.of_role("dimension") and not reader.of_role("label"):
        kinds = {"number", "graded", "yesno", "word"}
        keys = reader.keys()
        left = [
            name
            for name in _short(reader, kinds)
            if keys.varies(reader.table.cells(name)) or reader.profiles[name].kind == "number"
        ]
        if len(left) == 1:
            reader.take(left[0], "label")
