"""What columns are left to be, whatever their headers say: by the one grid that their cells form.

A table has a row for each question, system, repeat and rater. Columns of names that fill such a
grid, each combination once, are these; what texts change with says which is which.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final

from medassay.exchange.spreadsheet.dependence import (
    are_people,
    are_systems,
    names_dimensions,
    numbers_repeats,
)
from medassay.exchange.spreadsheet.grid import CODE
from medassay.exchange.spreadsheet.headers import script_of
from medassay.exchange.spreadsheet.keys import is_function
from medassay.exchange.spreadsheet.profile import are_on_a_ladder
from medassay.exchange.spreadsheet.reader import Reader
from medassay.exchange.spreadsheet.words import Role

_WHOLE: Final = 0.9
"""Share of a grid that is filled where few rows are missing."""
_MOST: Final = 3
"""Columns of names that may be unknown at once."""
_KEYS: Final[tuple[Role, ...]] = ("system", "sample", "rater", "dimension")


def by_elimination(reader: Reader) -> None:
    """Take names and texts for the only thing that they can be, beside what is known."""
    if not reader.of_role("question", "case", "turns"):
        return
    _names(reader)
    _answers(reader)


def ids_beside(reader: Reader) -> None:
    """Take for ids what other tables have as ids, or what counts questions over all systems."""
    if reader.of_role("question", "case", "turns"):
        return
    ids = [
        name
        for name in reader.open
        if reader.profiles[name].kind in {"word", "number"}
        and (cells := set(reader.table.cells(name)) - {""})
        and (known := set(reader.beside.cases.get(name, ())))
        and cells <= known
    ]
    system = next((column.name for column in reader.of_role("system")), None)
    first = next(iter(reader.table.sheet.columns), "")
    if not ids and system and first in reader.open and reader.profiles[first].kind == "number":
        numbered = reader.table.cells(first)
        counts = sorted({int(cell) for cell in numbered if cell.isdecimal() and len(cell) < 7})  # noqa: PLR2004 - a count
        counted = counts == [*range(1, len(counts) + 1)] and len(counts) > 3  # noqa: PLR2004 - of three anything counts up
        systems = reader.table.cells(system)
        pairs = set(zip(numbered, systems, strict=True))
        # Of a sampled design each question went to some systems.
        if counted and 2 * len(pairs) >= len(counts) * len(set(systems)):
            ids = [first]
    if len(ids) == 1:
        reader.take(ids[0], "case")


def _names(reader: Reader) -> None:
    """Take the columns of names that make each row one of a whole grid, if only these do."""
    if reader.of_role("system_a", "system_b", "winner"):
        return
    known = [column.name for role in _KEYS for column in reader.of_role(role)[:1]]
    keys = list(zip(reader.keys().cases, *map(reader.table.cells, known), strict=True))
    if len(set(keys)) == len(keys):
        return
    may_be = [name for name in reader.open if _may_be_names(reader, name)]
    for size in range(1, min(len(may_be), _MOST) + 1):
        whole = [
            chosen
            for chosen in combinations(may_be, size)
            if _fills(keys, [reader.table.cells(name) for name in chosen])
        ]
        if whole:
            if len(whole) == 1 and (roles := _roles(reader, whole[0], keys)):
                for name, role in roles.items():
                    reader.take(name, role)
            return


def _may_be_names(reader: Reader, name: str) -> bool:
    """Say whether cells are few names, each in many rows, or count repeats."""
    profile, header = reader.profiles[name], reader.headers[name]
    cells = reader.table.cells(name)
    if header.dimension or header.ends or header.metric or not all(cells):
        return False
    few = profile.distinct > 1 and 2 * profile.distinct <= profile.filled
    if profile.kind == "number" and not profile.may_be_a_label:
        return few and profile.whole  # of people whom a platform numbers
    if profile.kind == "number":
        steps = sorted(profile.numbers) if numbers_repeats(reader, name) else []
        return 1 < len(steps) <= _MOST + 2 and steps in (
            [float(at + first) for at in range(len(steps))] for first in (0, 1)
        )
    return profile.kind == "word" and few and not are_on_a_ladder(reader.table.often(name))


def _fills(keys: Sequence[tuple[str, ...]], columns: Sequence[Sequence[str]]) -> bool:
    """Say whether columns part rows into a grid: each combination once, hardly one missing."""
    names = list(zip(*columns, strict=True))
    pairs = set(zip(keys, names, strict=True))
    size = 1
    for cells in columns:
        size *= len(set(cells))
    return len(pairs) == len(keys) and len(pairs) >= _WHOLE * len(set(keys)) * size


def _roles(
    reader: Reader, names: Sequence[str], keys: Sequence[tuple[str, ...]]
) -> Mapping[str, Role]:
    """Say which name is what; nothing where two readings remain."""
    counts = [name for name in names if reader.profiles[name].may_be_a_label]
    if len(counts) > 1 or (counts and reader.of_role("sample")):
        return {}
    roles: dict[str, Role] = dict.fromkeys(counts, "sample")
    left = [name for name in names if name not in counts]
    lacks: list[Role] = [] if reader.of_role("rater") else ["rater"]
    texts = _texts(reader)
    if texts:  # a system is what its answers change with
        roles |= dict.fromkeys(_changing(reader, left, names, keys, texts), "system")
    elif not (reader.of_role("system") or reader.systems):
        lacks.append("system")
        told = [name for name in left if are_systems(reader.table.cells(name))]
        roles |= dict.fromkeys(told, "system")
    left = [name for name in left if name not in roles]
    lacks = [role for role in lacks if role not in roles.values()]
    roles |= _people(reader, left, lacks)
    often = Counter(roles.values())
    known = any(reader.of_role(role) for role in roles.values())
    whole = len(roles) == len(names) and not known and max(often.values()) == 1
    return roles if whole else {}


def _changing(
    reader: Reader,
    left: Sequence[str],
    names: Sequence[str],
    keys: Sequence[tuple[str, ...]],
    texts: Sequence[str],
) -> list[str]:
    """Name the columns without which one key would have several texts."""
    own = {name: reader.table.cells(name) for name in names}

    def parts(name: str) -> bool:
        others = list(zip(keys, *(own[other] for other in names if other != name), strict=True))
        return any(not is_function(others, reader.table.cells(text)) for text in texts)

    return [name for name in left if parts(name)]


def _people(reader: Reader, left: Sequence[str], lacks: Sequence[Role]) -> dict[str, Role]:
    """Say of names that no answer changes with who rated, and what was rated."""
    cells = {name: reader.table.cells(name) for name in left}
    called = [name for name in left if _are_called_as_people(cells[name])]
    dimensions = names_dimensions(reader)
    if len(left) == 1 and len(lacks) == 1 and (dimensions or (called and lacks == ["rater"])):
        return {left[0]: lacks[0]}
    if len(left) != 2 or "rater" not in lacks:  # noqa: PLR2004 - who rated, and another
        return {}
    called = called or [name for name in left if _is_foreign(reader, cells[name])]
    other: Role = "system" if "system" in lacks else "dimension"
    if len(called) != 1 or dimensions != (other == "system"):
        return {}
    return {name: "rater" if name in called else other for name in left}


def _are_called_as_people(cells: Sequence[str]) -> bool:
    """Say whether cells have a word for people, or are all codes as people get: R1, AK."""
    return are_people(cells) or all(map(CODE.fullmatch, set(cells)))


def _is_foreign(reader: Reader, cells: Sequence[str]) -> bool:
    """Say whether names are in letters that no header has."""
    theirs = set().union(*map(script_of, reader.table.sheet.columns))
    own = set().union(*map(script_of, set(cells)))
    return bool(own) and not own & theirs


def _texts(reader: Reader) -> list[str]:
    """Name the columns of texts that are no fact of the question: answers, known or not."""
    keys = reader.keys()
    known = [column.name for column in reader.of_role("answer") if not column.of]
    left = [name for name in reader.open if reader.profiles[name].kind == "text"]
    return known or [
        name
        for name in left
        if reader.profiles[name].filled >= _WHOLE * len(keys.cases)
        and not keys.of_question(reader.table.cells(name))
    ]


def _answers(reader: Reader) -> None:
    """Take the only texts that change with the systems, and with nothing else, for the answers."""
    if reader.of_role("answer", "choice") or not reader.of_role("system") or reader.beside.answered:
        return
    keys, texts = reader.keys(), _texts(reader)
    if len(texts) == 1 and not keys.varies(reader.table.cells(texts[0])):
        reader.take(texts[0], "answer")
