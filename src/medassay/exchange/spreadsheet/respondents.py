"""Exports of forms: a row for each who answered, a column for each question and system."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from medassay.exchange.spreadsheet.headers import is_like_a_system, read_header
from medassay.exchange.spreadsheet.profile import profile_of
from medassay.exchange.spreadsheet.words import form, lexicon, without_affix
from medassay.tables import Page, Sheet

__all__ = ["by_answer", "without_import_ids"]

_APART: Final = re.compile(r"\s+[-–—|]\s+|:\s+|\s*[\[\]()]\s*|__|\n")
_LEAST: Final = 4
"""Columns of labels that a form has at least."""
_WHO: Final = frozenset({"name", "names", "initials", "email", "mail", "respondent", "responder"})
_TWO: Final = 2


def without_import_ids(page: Page) -> Page:
    """Take out the codes above the questions of a Qualtrics export, and the ids below them."""
    cells = list(page.cells)
    for at, row in enumerate(cells[:3]):
        filled = [cell for cell in row if cell.strip()]
        if at and filled and all("ImportId" in cell for cell in filled):
            for beside in {at, at - 2} - {-1}:
                cells[beside] = [""] * len(cells[beside])
            return replace(page, cells=cells)
    return page


def by_answer(sheet: Sheet, notes: list[str]) -> Sheet:
    """Make a row for each answer and respondent of a table that has a row for each respondent.

    Its headers say which question, system and scale, such as "Q1 - GPT-4 [Accuracy]".
    Any other table is left as it is.
    """
    parts = {name: tuple(filter(None, _APART.split(name))) for name in sheet.columns}
    rated = {
        name: own for name, own in parts.items() if len(own) > 1 and _holds_labels(sheet, name)
    }
    often = Counter(map(len, rated.values()))
    width = max(often, key=lambda size: often[size], default=0)
    rated = {name: own for name, own in rated.items() if len(own) == width}
    keyed = any(
        {"question", "system", "answer"} & set(read_header(name).roles)
        for name in sheet.columns
        if name not in rated
    )
    if len(rated) < _LEAST or keyed:
        return sheet
    levels = [list(dict.fromkeys(own[at] for own in rated.values())) for at in range(width)]
    cases = [at for at, level in enumerate(levels) if all(map(_is_id, level))]
    rest = [at for at in range(width) if at not in cases]
    named = [at for at in rest if any(map(is_like_a_system, levels[at]))]
    scales = [at for at in rest if any(map(_is_rated, levels[at])) and at not in named]
    if len(rest) == _TWO:  # what is not the one is the other
        scales = scales or [at for at in rest if named and at not in named]
    systems = [at for at in rest if at not in scales and len(levels[at]) > 1]
    who = _who(sheet, [name for name in sheet.columns if name not in rated])
    if not (len(cases) == len(scales) == len(systems) == 1 and who):
        return sheet
    keys = {name: (own[cases[0]], own[systems[0]], own[scales[0]]) for name, own in rated.items()}
    if len({*keys.values()}) < len(keys):
        return sheet
    left = [n for n in sheet.columns if n not in rated and n != who and any(sheet.columns[n])]
    notes.append(
        f'{sheet.file}: each row is of one who answered ("{who}"), and {len(rated)} headers name '
        f"question, system and what was rated. Left out: {', '.join(left) or 'nothing'}."
    )
    return _long(sheet, keys, who)


def _long(sheet: Sheet, keys: dict[str, tuple[str, str, str]], who: str) -> Sheet:
    bare = without_affix(list(dict.fromkeys(system for _, system, _ in keys.values())))
    scales = list(dict.fromkeys(scale for _, _, scale in keys.values()))
    by_key = {key: name for name, key in keys.items()}
    about = list(dict.fromkeys((case, system) for case, system, _ in keys.values()))
    rows: list[int] = []
    columns: dict[str, list[object]] = {n: [] for n in ("Question ID", "System", "Rater", *scales)}
    for at, row in enumerate(sheet.rows):
        for case, system in about:
            held = {scale: by_key.get((case, system, scale)) for scale in scales}
            cells = {scale: sheet.columns[name][at] if name else "" for scale, name in held.items()}
            if any(cells.values()):
                rows.append(row)
                own = {"Question ID": case, "System": bare[system], "Rater": sheet.columns[who][at]}
                for name, cell in {**own, **cells}.items():
                    columns[name].append(cell)
    return replace(sheet, rows=rows, columns=columns)


def _holds_labels(sheet: Sheet, name: str) -> bool:
    cells = ["" if cell is None else str(cell).strip() for cell in sheet.columns[name]]
    profile = profile_of(sheet.columns[name], cells)
    words = profile.kind == "word" and profile.distinct <= _LEAST + 3
    return profile.kind in {"number", "graded", "yesno", "empty"} or words


def _is_rated(value: str) -> bool:
    header = read_header(value)
    return bool(header.dimension or header.sense or header.ends)


def _is_id(value: str) -> bool:
    """Say whether a piece of a header counts questions: Q1, Question A, Case 12, 3."""
    words = form(value)
    lettered = len(words) > 1 and len(words[-1]) == 1
    counted = bool(words) and (words[-1].isdigit() or lettered)
    roles = lexicon().roles.get(words[:-1], ())
    return counted and (len("".join(words[:-1])) <= 1 or bool({"case", "question"} & {*roles}))


def _who(sheet: Sheet, names: Sequence[str]) -> str:
    """Name the column of those who answered: by a word for people or names, each its own."""
    found = []
    for name in names:
        cells = [str(cell).strip() for cell in sheet.columns[name] if cell]
        told = (
            read_header(name).people
            or not _WHO.isdisjoint(form(name))
            or ({"rater"} & set(read_header(name).roles))
        )
        if told and len(cells) == len(sheet.rows) == len(set(cells)):
            found.append(name)
    words = [name for name in found if "id" not in form(name)]
    return next(iter(words or found), "")
