"""What columns hold by what they repeat with: ids, systems, repeats, raters, things rated."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Final

from medassay.exchange.spreadsheet.headers import (
    is_like_a_system,
    plain,
    read_header,
)
from medassay.exchange.spreadsheet.keys import Keys, is_one_to_one
from medassay.exchange.spreadsheet.profile import (
    are_on_a_ladder,
    counts_rows,
    is_blank,
    is_prose,
    number_of,
    texts_of,
)
from medassay.exchange.spreadsheet.reader import Reader
from medassay.exchange.spreadsheet.scale_words import read_ends
from medassay.exchange.spreadsheet.texts_read import needs_answers, recurs
from medassay.exchange.spreadsheet.words import LISTS, Role, form, lexicon

_CALLED_ID: Final = re.compile(r"(?i:(?:^|[\W_])id)$|[A-Za-z]Id$|[a-z]ID$")
"""HITId, worker_id, User ID; nobody is an id of what he said."""
_ID: Final = re.compile(r"[^\W\d]*[-_#. ]?\d+")
_MOST_LABELS: Final = 11
"""Labels of one thing that people rate, from 0 to 10."""


def ids_by_cells(reader: Reader) -> None:
    """Know the one column of ids by its cells, where nothing says which question a row is about."""
    asked = reader.of_role("question", "turns")
    of_rows = [
        column.name
        for column in reader.of_role("case")
        if asked and column.name not in reader.wishes
        and _of_rows(reader, column.name, asked[0].name)
    ]  # fmt: skip
    for name in of_rows:
        reader.take(name, "skip", why="an id of the row, not of the question")
    found = (
        [] if of_rows or reader.of_role("case") else _ids(reader, asked[0].name if asked else "")
    )
    if len(found) == 1:
        reader.take(found[0], "case")
    for name in reader.open if reader.of_role("case") else ():
        header = reader.headers[name]
        told = header.dimension or header.ends or header.metric or header.people or header.label
        if reader.profiles[name].numbers and not told and counts_rows(reader.table.cells(name)):
            reader.take(name, "skip", why="counts the rows")


def ids_of_answers(reader: Reader) -> None:
    """Leave out ids that a program gave to each answer, which several rows are about."""
    keys = reader.keys()
    if not reader.of_role("system", "system_a") or not keys.cases:
        return
    about = ["\n".join(key) for key in keys.about]
    for name in reader.open:
        cells = reader.table.cells(name)
        called = reader.profiles[name].kind in {"word", "number"} and _CALLED_ID.search(name)
        if called and len(set(cells)) == len(cells) > len(set(keys.cases)):
            reader.take(name, "skip", why="an id of each row")
        elif (
            called
            and keys.repeats
            and len(set(cells)) > len(set(keys.cases))
            and is_one_to_one(about, cells)
        ):
            reader.take(name, "skip", why="an id of each answer")


def _ids(reader: Reader, asked: str) -> list[str]:
    """Name the columns that look like ids of the questions; the first column alone if it does."""
    first = next(iter(reader.table.sheet.columns), "")
    found = [
        name
        for name in reader.open
        if reader.profiles[name].kind in {"word", "number"}
        and not reader.headers[name].dimension
        and not reader.headers[name].people
        and not recurs(reader, name, name)
        and are_ids([cell for cell in reader.table.cells(name) if cell or not asked])
        and (
            is_one_to_one(reader.table.cells(asked), reader.table.cells(name))
            if asked
            else reader.profiles[name].kind == "word" or _counts_up(reader.table.cells(name))
        )
        # Ages may differ by chance; numbers that count, or stand first, are ids.
        and (name == first or not _are_numbers(reader, name, asked))
    ]
    return [first] if first in found else found


def _are_numbers(reader: Reader, name: str, asked: str) -> bool:
    # A table that writes each question once writes its number once.
    cells = [cell for cell in reader.table.cells(name) if cell or not asked]
    return bool(reader.profiles[name].numbers) and not _counts_up(cells)


def _of_rows(reader: Reader, name: str, asked: str) -> bool:
    """Say whether ids are of rows: each its own, where every question comes several times."""
    ids, often = reader.table.cells(name), Counter(reader.table.cells(asked))
    told = Keys(reader.table, reader.table.cells(asked), [], [])
    beside = (c.name for c in reader.of_role("reference", "narrative", "gold", "evidence"))
    alike = all(told.of_question(reader.table.cells(other)) for other in beside)
    return alike and len(set(ids)) == len(ids) and min(often.values()) > 1


def _counts_up(cells: Sequence[str]) -> bool:
    """Say whether whole numbers count questions: from 1 on, in order, none left out."""
    most = len(str(len(cells)))
    if not all(cell.isdecimal() and len(cell.lstrip("0")) <= most for cell in cells):
        return False  # a number above the rows leaves some out
    numbers = [int(cell) for cell in cells]
    own = sorted(set(numbers))
    return numbers == sorted(numbers) and len(own) > 3 and own == [*range(1, len(own) + 1)]  # noqa: PLR2004 - of three anything counts up


def are_ids(cells: Sequence[str]) -> bool:
    """Say whether cells look like ids: one word each that ends in a number, several of them."""
    own = set(cells)
    forms = {cell.rstrip("0123456789") for cell in own}
    several = len(own) > 2  # noqa: PLR2004 - of two rows anything counts up
    return several and len(forms) == 1 and all(map(_ID.fullmatch, own))


_MOST_RATED: Final = 10
_ID_IN_LIST: Final = re.compile(r"\S*\d\S*")


def lists(reader: Reader) -> None:
    """Know what was retrieved: lists of texts or of ids beside answers that metrics scored."""
    lists = [name for name in reader.open if reader.profiles[name].kind == "list"]
    lists += [c.name for c in reader.of_role("contexts") if reader.profiles[c.name].kind == "list"]
    ids = [name for name in lists if _are_lists_of_ids(reader, name)]
    texts = [name for name in lists if name not in ids and name in reader.open]
    if len(ids) == 1:
        reader.take(ids[0], "documents")
    named = [name for name in texts if "contexts" in reader.headers[name].roles]
    if len(named) == 1 or (
        len(texts) == 1 and not reader.of_role("contexts") and needs_answers(reader)
    ):
        texts = named or texts
        reader.take(texts[0], "contexts")


def _are_lists_of_ids(reader: Reader, name: str) -> bool:
    """Say whether lists hold ids. Numbers as people rate, and fractions, are some by name alone."""
    held = [piece for cell in reader.table.sheet.columns[name] for piece in texts_of(cell)]
    numbers = [number for piece in held if (number := number_of(piece)) is not None]
    most = max(numbers, default=0.0)
    rated = len(numbers) == len(held) and (most <= _MOST_RATED or not most.is_integer())
    told = not {"contexts", "documents"}.isdisjoint(reader.headers[name].roles)
    return bool(held) and all(map(_ID_IN_LIST.fullmatch, held)) and (told or not rated)


def by_dependence(reader: Reader) -> None:
    """Know answers, systems, repeats and raters by what repeats with what."""
    if not reader.of_role("question", "case", "turns"):
        return
    _dimensions_by_cells(reader)
    known = set(reader.beside.systems)
    named = [n for n in _short(reader, {"word"}) if set(reader.table.cells(n)) - {""} <= known]
    if len(named) == 1 and not (reader.of_role("system") or reader.systems):
        reader.take(named[0], "system")  # its cells are systems of the tables beside it
    _by_answers(reader)
    _sureness(reader)
    called = [n for n in _short(reader, {"word"}) if are_systems(reader.table.cells(n))]
    lacking = not (reader.of_role("system", "answer") or reader.systems)
    if lacking and not called and reader.of_role("rater"):
        called = [n for n in _short(reader, {"word"}) if _may_be_systems(reader, n)]
    if len(called) == 1 and lacking:
        reader.take(called[0], "system")  # labels alone are of these
    people = [name for name in _short(reader, {"word"}) if are_people(reader.table.cells(name))]
    if len(people) == 1 and not reader.of_role("rater"):
        reader.take(people[0], "rater")
    if not names_dimensions(reader):
        return
    if not (reader.of_role("system", "answer") or reader.systems):
        _take_one(reader, "system", reader.keys().parts_raters)
    if not reader.of_role("rater") and (reader.of_role("system", "answer") or reader.systems):
        kinds = {"number", "graded", "yesno"}
        labels = [name for name in reader.open if reader.profiles[name].kind in kinds]
        labels += [column.name for column in reader.of_role("label")]
        _take_one(reader, "rater", partial(reader.keys().parts_labels, labels=labels))


def _take_one(reader: Reader, role: Role, parts: Callable[[Sequence[str]], bool]) -> None:
    """Take the one column of names of which something holds; of several that called an id.

    Beside the numbers by which a platform calls people their country names nobody.
    """
    names = _short(reader, {"word"})
    names += [n for n in _short(reader, {"number"}) if _are_numbers_of_people(reader, n)]
    found = [name for name in names if parts(reader.table.cells(name))]
    called = [n for n in found if reader.headers[n].people or _CALLED_ID.search(n)]
    found = called if len(found) > 1 else found
    if len(found) == 1:
        reader.take(found[0], role)


def _are_numbers_of_people(reader: Reader, name: str) -> bool:
    profile = reader.profiles[name]
    few = profile.distinct > 1 and 2 * profile.distinct <= profile.filled
    return few and profile.whole and not profile.may_be_a_label


def _by_answers(reader: Reader) -> None:
    """Know systems and repeats by the answers that they tell apart, and answers by systems."""
    texts = [name for name in reader.open if reader.profiles[name].kind == "text"]
    long = reader.of_role("system") and not reader.of_role("answer", "label", "rating")
    if long and not texts:
        texts = [name for name in reader.open if plain(name) == "text"]
    if long and len(texts) == 1:
        reader.take(texts[0], "answer")
    _by_cells(reader, texts)
    answers = [column.name for column in reader.of_role("answer") if not column.of]
    tells: tuple[tuple[Role, str], ...] = (("system", "word"), ("sample", "number"))
    for role, kind in tells:
        if reader.of_role(role, "system_a") or reader.systems:
            continue
        keys = reader.keys()
        found = [
            name
            for name in _short(reader, {kind})
            if keys.parts_answers(reader.table.cells(name), [*texts, *answers])
            and (role == "system" or numbers_repeats(reader, name))
        ]
        if len(found) > 1:
            found = [name for name in found if numbers_repeats(reader, name)]
        if len(found) == 1:
            reader.take(found[0], role)
            if len(texts) == 1 and not answers:
                reader.take(texts[0], "answer")


def _by_cells(reader: Reader, texts: Sequence[str]) -> None:
    """Know the texts of answers by the rows that repeat them, and systems by names as theirs."""
    keys = reader.keys()
    if reader.of_role("system") and not reader.of_role("answer") and keys.repeats:
        # What each row of an answer says alike, and each answer otherwise, is its text.
        own = {name: reader.table.cells(name) for name in texts if name in reader.open}
        own = {n: c for n, c in own.items() if not (keys.of_question(c) or keys.varies(c))}
        if len(own) == 1:
            reader.take(next(iter(own)), "answer")
    if (
        reader.of_role("system")
        and reader.of_role("question")
        and not (reader.of_role("answer") or texts)
    ):
        # So are short ones: several words each, in every row, other ones for each answer.
        short = [name for name in _short(reader, {"word"}) if _are_short_answers(reader, name)]
        if len(short) == 1:
            reader.take(short[0], "answer")
    if (reader.of_role("answer") or texts) and not (reader.of_role("system") or reader.systems):
        called = [
            name for name in _short(reader, {"word"}) if are_systems(reader.table.cells(name))
        ]
        if len(called) == 1:
            reader.take(called[0], "system")


def _are_short_answers(reader: Reader, name: str) -> bool:
    cells, keys = reader.table.cells(name), reader.keys()
    apart = 5 * len(set(cells)) >= 4 * len(set(keys.about)) and all(cells)
    alike = keys.of_question(cells) or keys.varies(cells) or keys.of_rater(cells)
    return apart and not alike and is_prose(cells)


def _sureness(reader: Reader) -> None:
    """Know how sure a system is by a word for it and shares finer than people give."""
    found = [
        name
        for name in reader.open
        if not (reader.headers[name].metric or reader.headers[name].dimension)
        and any("confidence" in lexicon().roles.get((word,), ()) for word in form(name))
        and (numbers := reader.profiles[name].numbers)
        and any(not (4 * number).is_integer() for number in numbers)
        and numbers[0] >= 0
        and numbers[-1] <= 1
    ]
    if len(found) == 1 and reader.of_role("answer") and not reader.of_role("confidence"):
        reader.take(found[0], "confidence")


def are_systems(cells: Sequence[str]) -> bool:
    """Say whether most cells of a column are names as systems have them."""
    own = set(cells) - {""}
    return 2 * sum(map(is_like_a_system, own)) > len(own)


def _may_be_systems(reader: Reader, name: str) -> bool:
    """Say whether names part what one person rated of a question, and one is as systems' are.

    Beside "ChatGPT" names in other letters are of systems, too, and nobody rates "ChatGPT".
    """
    cells = reader.table.cells(name)
    own = set(cells) - {""}
    told = any(is_like_a_system(cell) and not read_header(cell).dimension for cell in own)
    return told and reader.keys().parts_raters(cells)


def are_people(cells: Sequence[str]) -> bool:
    """Say whether each cell names one person, with a word for people: Rater 1, Dr. Weber."""
    read = [read_header(cell) for cell in set(cells) - {""}]
    whole = [r.people and not (r.names or r.dimension) and len(form(r.name)) > 1 for r in read]
    return bool(whole) and all(whole)


def numbers_repeats(reader: Reader, name: str) -> bool:
    """Say whether numbers may count a question's answers: few of them, each with many questions.

    They are whole, and the same for every system: under "Version" GPT has 3 and 4, Claude 2 and 3.
    """
    cells = reader.table.cells(name)
    often = Counter(filter(None, cells))
    if not often or min(often.values()) <= 1 or 2 * len(often) > often.total():
        return False
    system = next((column.name for column in reader.of_role("system")), None)
    pairs = set(zip(reader.table.cells(system), cells, strict=True)) if system else set()
    systems = {of for of, cell in pairs if of and cell}
    crossed = len({pair for pair in pairs if all(pair)}) == len(systems) * len(often)
    return crossed and reader.profiles[name].whole and LISTS["of_systems"].isdisjoint(form(name))


def names_dimensions(reader: Reader) -> bool:
    """Say whether headers say what was rated, so that no column of names can.

    Where none does, a column that parts labels may name people or what they rated.
    """
    if reader.of_role("dimension"):
        return True
    kinds = {"number", "graded", "yesno", "word"}
    labels = [name for name in reader.open if reader.profiles[name].kind in kinds]
    numbers = [n for n in labels if _are_labels(reader, n)]
    told = any(reader.headers[n].dimension or reader.headers[n].ends for n in labels)
    return told or len(numbers) > 1


def _are_labels(reader: Reader, name: str) -> bool:
    """Say whether a column's cells look like labels that change within a question."""
    profile = reader.profiles[name]
    may_be = profile.may_be_a_label or profile.kind in {"graded", "yesno"}
    return may_be and not reader.keys().of_question(reader.table.cells(name))


def _short(reader: Reader, kinds: Collection[str]) -> list[str]:
    """Name the open columns of short cells that may be names of systems, people or repeats."""
    return [
        name
        for name in reader.open
        if reader.profiles[name].kind in kinds
        and not (reader.headers[name].dimension or reader.headers[name].ends)
        and not reader.headers[name].metric
    ]


def _name_scales(cells: Collection[str]) -> bool:
    """Say whether each cell is a name with a scale behind it, as only what was rated has."""
    read = [read_ends(cell) for cell in cells]
    return bool(read) and all(ends and rest.strip() for ends, rest in read)


def kinds_follow(names: Sequence[str], cells: Sequence[str]) -> bool:
    """Say whether each name has several numbers or several words beside it, never both.

    So are labels of different things; a second round of ratings has the labels of the first.

    Example:
        >>> kinds_follow(["a", "a", "b", "b"], ["1", "2", "yes", "no"])
        True
        >>> kinds_follow(["a", "a", "b", "b"], ["1", "2", "2", "1"])
        False
    """
    kinds: dict[str, set[bool]] = {}
    own: dict[str, set[str]] = {}
    for name, cell in zip(names, cells, strict=True):
        if not is_blank(cell):
            kinds.setdefault(name, set()).add(number_of(cell) is None)
            own.setdefault(name, set()).add(cell)
    apart = [next(iter(kind)) for kind in kinds.values() if len(kind) == 1]
    few = all(1 < len(said) <= _MOST_LABELS for said in own.values())
    return few and len(apart) == len(kinds) and len(set(apart)) > 1


def _dimensions_by_cells(reader: Reader) -> None:
    """Know the column that says what was rated by its cells, and the labels beside it."""
    if not reader.of_role("dimension"):
        found = []
        keys = reader.keys()
        about = [*zip(keys.about, keys.raters, strict=True)] if keys.raters else keys.about
        repeated = len(set(about)) < len(about)
        for name in reader.open:
            if reader.profiles[name].kind != "word" or reader.headers[name].ends:
                continue
            cells = {cell for cell in reader.table.often(name) if not is_blank(cell)}
            read = map(read_header, cells)
            told = [header for header in read if header.dimension or header.ends]
            several = (
                repeated
                and not are_on_a_ladder(cells)
                and len(cells) > 1
                and 2 * len(told) >= len(cells)
            )
            if several or _name_scales(cells):
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
