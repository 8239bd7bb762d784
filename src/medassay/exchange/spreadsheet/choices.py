"""Which of two systems somebody preferred: by its name, its letter or its side, or neither."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from medassay.exchange.spreadsheet.headers import headings, is_like_a_system, plain, without_answer
from medassay.exchange.spreadsheet.words import form, lexicon, without_affix

if TYPE_CHECKING:
    from medassay.exchange.spreadsheet.reader import Reader

_PAIR: Final = 2
_LETTERED: Final = re.compile(r"(?:(?:option|choice|answer)[\W_]*)?[A-H]", re.IGNORECASE)
_SIDES: Final = {"a": "a", "1": "a", "left": "a", "b": "b", "2": "b", "right": "b"}


def chosen(cell: str, pair: Sequence[str]) -> str:
    """Say which of a pair a cell chose: a, b or tie; nothing where it is neither.

    Example:
        >>> pair = ["GPT-4", "the doctor"]
        >>> [chosen(cell, pair) for cell in ("gpt-4", "Doctor", "Tie", "=", "B", "Bard")]
        ['a', 'b', 'tie', 'tie', 'b', '']
    """
    if len(pair) != _PAIR:
        return ""
    word = plain(cell)
    names = [plain(name) for name in pair]
    if word in names:
        return "ab"[names.index(word)]
    if word in lexicon().ties or word.startswith("tie ") or cell.strip() == "=":
        return "tie"
    side = _SIDES.get((word.split() or [""])[-1], "")
    held = [f" {word} " in f" {name} " or f" {name} " in f" {word} " for name in names]
    return side or ("ab"[held.index(True)] if sum(held) == 1 and word else "")


def take_options(reader: "Reader") -> None:
    """Know a question's options by the letters that head them, and who chose which by the cells."""
    letters = {
        form(name)[-1].upper(): name
        for name in reader.open
        if form(name) and _LETTERED.fullmatch(name)
    }
    whole = [name for name in "ABCDEFGH" if name in letters]
    lettered = {
        name
        for name in reader.table.sheet.columns
        if set(whole).issuperset(cells := set(reader.table.cells(name)) - {""}) and cells
    }
    chosen_of = {
        name: of
        for name in reader.open
        if name in lettered
        and (of := without_answer(name, "choice") or (name if is_like_a_system(name) else ""))
    }  # fmt: skip
    # Beside systems that chose a letter each the one "Answer" of a letter is the right one.
    right = [
        name
        for name in [*reader.open, *(c.name for c in reader.of_role("answer", "reference"))]
        if name in lettered.difference(chosen_of)
        and {"answer", "reference"}.issuperset(heading.role for heading in headings(name))
        and headings(name)
    ]
    if chosen_of and len(right) == 1 and not reader.of_role("gold", "system"):
        reader.take(right[0], "gold")
    keyed = reader.of_role("gold", "choice")
    told = all(column.name in lettered for column in keyed)
    if len(whole) < _PAIR or not told or not (keyed or chosen_of):
        return
    for letter in whole:
        reader.take(letters[letter], "option", letter)
    for name, of in chosen_of.items():
        reader.take(name, "choice", of, system=of)


def take_choices(reader: "Reader") -> None:
    """Know which of two systems was preferred, by cells that name them; of more systems, ask."""
    if reader.of_role("system_a", "system_b", "system"):
        return
    systems = list(dict.fromkeys(c.of for c in reader.of_role("answer") if c.of))
    systems = systems or list(dict.fromkeys(c.system for c in reader.of_role("rating") if c.system))
    for name in [*reader.open, *(column.name for column in reader.of_role("winner"))]:
        cells = [cell for cell in reader.table.cells(name) if cell]
        told = reader.known.get(name)
        if reader.profiles[name].kind not in {"word", "text"} or name in reader.wishes:
            continue
        named = {plain(cell) for cell in cells} & {plain(system) for system in systems}
        if len(systems) == _PAIR and cells and all(chosen(cell, systems) for cell in cells):
            sides = {chosen(cell, systems) for cell in cells}
            spelt = all(len(form(cell)) > 1 or chosen(cell, systems) == "tie" for cell in cells)
            if told or named or "tie" in sides or (spelt and len(sides) > 1):
                whose = reader.known[name].rater if name in reader.known else ""
                reader.take(name, "winner", rater=whose)
        elif len(systems) < _PAIR and reader.questions:
            if told:  # whose the other answers are is asked first
                reader.take(name, "skip", why="asked about")
        elif told or (len(named) > 1 and len(named) == len({plain(cell) for cell in cells})):
            ways = {"leave it out": [f"skip={name}"], "a fact of the question": [f"tag={name}"]}
            ask = f'"{name}" says which answer was preferred. A study holds preferences between '
            ask += f"two systems, and here are {len(systems)}. What is to become of it?"
            reader.ask(ask, ways, reader.profiles[name].examples)
            reader.take(name, "skip", why="asked about")
    _whose_choices(reader)


def _whose_choices(reader: "Reader") -> None:
    """Tell people apart who chose in a column each, by what their headers do not share."""
    nobodys = [column.name for column in reader.of_role("winner") if not column.rater]
    for name, rater in without_affix(nobodys).items() if nobodys[1:] else ():
        people = reader.headers[name].people
        reader.take(name, "winner", rater=people[0] if len(people) == 1 else rater)
