"""Tables of another shape: exports of forms and crowds, metrics in rows, questions as headers."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from medassay.exchange.spreadsheet.headers import is_like_a_system, read_header
from medassay.exchange.spreadsheet.profile import ASKING, profile_of
from medassay.exchange.spreadsheet.scale_words import read_ends
from medassay.exchange.spreadsheet.words import APART, form, lexicon, tokens, without_affix
from medassay.tables import Page, Sheet

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
    found = _by_answer(sheet, notes, {name: _pieces(name) for name in sheet.columns})
    if found is sheet:  # "Q01[GPT4_acc]", "Q1_SystemA_Rater1_accuracy"
        split = {n: tuple(w for p in _pieces(n) for w in p.split("_") if w) for n in sheet.columns}
        found = _by_answer(sheet, notes, split)
    return found


def _by_answer(sheet: Sheet, notes: list[str], parts: dict[str, tuple[str, ...]]) -> Sheet:
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
    people = [at for at, level in enumerate(levels) if all(read_header(n).people for n in level)]
    rest = [at for at in range(width) if at not in {*cases, *people}]
    named = [at for at in rest if any(map(is_like_a_system, levels[at]))]
    scales = [at for at in rest if any(map(_is_rated, levels[at])) and at not in named]
    if len(rest) == _TWO:  # what is not the one is the other
        scales = scales or [at for at in rest if named and at not in named]
    systems = [at for at in rest if at not in scales and len(levels[at]) > 1]
    who = _who(sheet, [name for name in sheet.columns if name not in rated])
    alone = len(people) == 1 and len(sheet.rows) == 1  # one row of all, whose headers name raters
    if not (len(cases) == len(scales) == len(systems) == 1 and (alone or (who and not people))):
        return sheet
    at = (cases[0], systems[0], scales[0], *(people if alone else ()))
    keys = {name: tuple(own[place] for place in at) for name, own in rated.items()}
    if len({*keys.values()}) < len(keys):
        return sheet
    left = [n for n in sheet.columns if n not in rated and n != who and any(sheet.columns[n])]
    whose = "one row holds all" if alone else f'each row is of one who answered ("{who}")'
    notes.append(
        f"{sheet.file}: {whose}, and {len(rated)} headers name question, system and what was "
        f"rated. Left out: {', '.join(left) or 'nothing'}."
    )
    return _long(sheet, keys, who)


def _pieces(header: str) -> tuple[str, ...]:
    """Part a header at its signs; a scale stays with what was rated on it.

    Example:
        >>> _pieces("Q1 - GPT-4 [Accuracy (1 = best)]")
        ('Q1', 'GPT-4', 'Accuracy (1 = best)')
    """
    pieces: list[str] = []
    for piece in filter(None, _APART.split(header)):
        ends, rest = read_ends(piece)
        if pieces and ends and not rest.strip():
            pieces[-1] = f"{pieces[-1]} ({piece})"
        else:
            pieces.append(piece)
    return tuple(pieces)


def _long(sheet: Sheet, keys: dict[str, tuple[str, ...]], who: str) -> Sheet:
    # In rag_v1 beside rag_v2 the underscore is part of a name.
    bare = without_affix(list(dict.fromkeys(own[1] for own in keys.values())), APART)
    scales = list(dict.fromkeys(scale for _, _, scale, *_ in keys.values()))
    by_key = {key: name for name, key in keys.items()}
    about = list(dict.fromkeys((case, system, *rater) for case, system, _, *rater in keys.values()))
    rows: list[int] = []
    columns: dict[str, list[object]] = {n: [] for n in ("Question ID", "System", "Rater", *scales)}
    for at, row in enumerate(sheet.rows):
        for case, system, *rater in about:
            held = {scale: by_key.get((case, system, scale, *rater)) for scale in scales}
            cells = {scale: sheet.columns[name][at] if name else "" for scale, name in held.items()}
            if any(cells.values()):
                rows.append(row)
                person = rater[0] if rater else sheet.columns[who][at]
                own = {"Question ID": case, "System": bare[system], "Rater": person}
                for name, cell in {**own, **cells}.items():
                    columns[name].append(cell)
    return replace(sheet, rows=rows, columns=columns)


def of_a_crowd(sheet: Sheet, notes: list[str]) -> Sheet:
    """Call the columns of Mechanical Turk's results as those who made the task called them."""
    if not {"HITId", "WorkerId", "AssignmentId"} <= sheet.columns.keys():
        return sheet
    bare = {name: re.sub(r"^(?:Input|Answer)\.", "", name) for name in sheet.columns}
    if len(set(bare.values())) < len(bare):
        return sheet
    notes.append(f"{sheet.file}: its columns are called without Input. and Answer.")
    return replace(sheet, columns={bare[name]: cells for name, cells in sheet.columns.items()})


def by_metric(sheet: Sheet, notes: list[str]) -> Sheet:
    """Make a column of each metric where one column names metrics, and another has their values."""
    may_be = [n for n, own in sheet.columns.items() if own and _is_metric(_text(own[0]))]
    if not may_be:
        return sheet
    cells = {n: list(map(_text, own)) for n, own in sheet.columns.items()}
    named = [n for n in may_be if len({*cells[n]}) > 1 and all(map(_is_metric, {*cells[n]}))]
    values = [
        n
        for n, own in cells.items()
        if (found := profile_of(sheet.columns[n], own)).kind == "number" and not found.whole
    ]
    # Means alone, a metric a row, tell nothing of any question.
    if len(named) != 1 or len(values) != 1 or len(cells) == _TWO:
        return sheet
    keys = [name for name in cells if name not in {named[0], values[0]}]
    about = list(zip(*(cells[name] for name in keys), strict=True))
    rows = list(dict.fromkeys(about))
    held = dict(zip(zip(about, cells[named[0]], strict=True), cells[values[0]], strict=True))
    if len(held) < len(about):
        return sheet
    places = [about.index(row) for row in rows]
    columns: dict[str, list[object]] = {n: [sheet.columns[n][at] for at in places] for n in keys}
    for metric in dict.fromkeys(cells[named[0]]):
        columns[metric] = [held.get((row, metric)) for row in rows]
    notes.append(f'{sheet.file}: "{values[0]}" holds scores of the metrics in "{named[0]}".')
    return replace(sheet, rows=[sheet.rows[at] for at in places], columns=columns)


def by_run(sheet: Sheet, notes: list[str]) -> Sheet:
    """Make a row for each run where headers of texts number a system's: "GPT-4 run 2"."""
    found = {name: own for name in sheet.columns if (own := _of_run(name))}
    runs = list(dict.fromkeys(run for _, run in found.values()))
    heads = list(dict.fromkeys(head for head, _ in found.values()))
    held = {own: sheet.columns[name] for name, own in found.items()}
    rest = [name for name in sheet.columns if name not in found]
    texts = (profile_of(cells, list(map(_text, cells))).kind == "text" for cells in held.values())
    whole = len(held) == len(found) == len(heads) * len(runs) and "" not in heads
    if len(runs) < _TWO or not whole or set(heads) & set(rest) or not any(texts):
        return sheet
    places = range(len(sheet.rows))
    columns: dict[str, list[object]] = {n: [sheet.columns[n][at] for at in places for _ in runs]
                                        for n in rest}  # fmt: skip
    columns["Run"] = [run for _ in places for run in runs]
    for head in heads:
        columns[head] = [held[head, run][at] for at in places for run in runs]
    notes.append(f"{sheet.file}: {len(found)} headers number runs: each is of {', '.join(heads)}.")
    return replace(sheet, rows=[row for row in sheet.rows for _ in runs], columns=columns)


def _of_run(header: str) -> tuple[str, str] | None:
    """Part a header that numbers a run into the rest of it and the number."""
    pieces = tokens(header)
    for (word, start, end), (number, _, last) in pairwise(pieces):
        if "sample" in lexicon().roles.get((word,), ()) and number.isdigit():
            apart = not header[end:last].removesuffix(number).strip(" _-#.")
            left = f"{header[:start].rstrip(' _-–:/|([')} {header[last:].lstrip(' _-–:/|)]')}"
            return (left.strip(), number) if apart else None
    return None


def upright(sheet: Sheet, notes: list[str]) -> Sheet:
    """Turn a table whose headers are questions, and whose rows are systems, onto its side."""
    first, *rest = sheet.columns
    names = list(map(_text, sheet.columns[first]))
    asking = [name for name in rest if name.endswith(ASKING) and len(name.split()) > _TWO]
    cells = [str(cell) for name in asking for cell in sheet.columns[name] if cell is not None]
    texts = cells and profile_of(cells, cells).kind == "text"
    if len(asking) < _TWO or len(asking) < len(rest) or not texts or len({*names}) < len(names):
        return sheet
    notes.append(f"{sheet.file}: its headers are questions, and each row is of a system.")
    columns: dict[str, list[object]] = {"Question": list(asking)}
    for at, name in enumerate(names):
        columns[f"Answer ({name})"] = [sheet.columns[question][at] for question in asking]
    return replace(sheet, rows=[sheet.header or 1] * len(asking), columns=columns)


def _text(cell: object) -> str:
    return "" if cell is None else str(cell).strip()


def _is_metric(cell: str) -> bool:
    header = read_header(cell)
    return header.metric is not None and not (header.names or header.people)


def _holds_labels(sheet: Sheet, name: str) -> bool:
    cells = list(map(_text, sheet.columns[name]))
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
