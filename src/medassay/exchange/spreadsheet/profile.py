"""What the cells of a column look like, whatever its header says."""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from io import StringIO
from typing import Any, Final, Literal

from medassay.exchange.spreadsheet.words import LISTS, lexicon

Kind = Literal["empty", "messages", "list", "number", "graded", "yesno", "text", "day", "word"]
_NUMBER: Final = re.compile(
    r"([+\-−]?(?:\d{1,15}(?:[.,٫]\d+)?|[.,٫]\d+)(?:[eE][+-]\d{1,3})?)\s?(%?)"
)
"""A number that people or programs write; more digits before the point are an id, as 1E5 may be."""
_AS_WRITTEN: Final = str.maketrans(",٫−", "..-")
_GRADED: Final = re.compile(
    r"\(?([+-]?\d{1,15}(?:[.,]\d+)?)\)?\s*(?:[-–—:.=)(/]|\b)\s*\(?(\D.*?|\d+)\)?"
)
_CLOCK: Final = re.compile(
    r"1\d{9}(?:\d{3})?(?:\.\d+)?"  # seconds or milliseconds since 1970
    r"|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}[T ,]+\d{1,2}:\d{2}.*"
    r"|(?:[A-Z][a-z]{2},? )?[A-Z][a-z]{2,8} \d{1,2},? (?:\d{4} )?\d{1,2}:\d{2}.*"  # Mar 05 10:22:11
)
"""A moment, with its time of the day: nobody rates so, and no program scores so."""
_DAY: Final = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|(?:\d{1,2}/\d{1,2}/|\d{1,2}-\d{1,2}-|\d{1,2}\.\s?\d{1,2}\.\s?)(?:\d{4}|\d{2})"
)
_QUOTED: Final = re.compile(r"\['[^'\\\r\n]*'(?:, '[^'\\\r\n]*')*\]")
_ADJACENT: Final = re.compile(r"""['"]\s+['"]""")
_CJK: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]")
_PROSE: Final = 6
"""Words: cells that have so many in the middle are texts, and no category."""
_SIGNS_A_WORD: Final = 2.0
_SENTENCE: Final = 3
"""Words of the shortest sentence."""
_FULL_STOPS: Final = (".", "!", "?", "。", "！", "？", "۔", "।", "؟")
_TICKS: Final = frozenset("✓✔✗✘")
ASKING: Final = ("?", "？", "؟", "か。", "か")
"""How questions end."""


@dataclass(frozen=True, slots=True)
class Profile:
    """A column's cells at a glance.

    Attributes:
        kind: What they are: numbers, grades with words ("5 - Right"), words for yes and no, texts,
            days, short words, lists, lists of messages.
        filled: How many hold something; marks such as n/a are no contents.
        distinct: How many differ.
        numbers: The numbers, ascending, each once.
        tops: What a grade is said to be out of: 5 in "4/5".
        asks: The share that ends with a question mark.
        longest: Signs of the longest.
        examples: Two cells.
    """

    kind: Kind
    filled: int
    distinct: int
    numbers: tuple[float, ...] = ()
    tops: tuple[float, ...] = ()
    asks: float = 0.0
    longest: int = 0
    examples: tuple[str, ...] = field(default=())

    @property
    def whole(self) -> bool:
        """Say whether all numbers are whole."""
        return all(number.is_integer() for number in self.numbers)

    @property
    def fine(self) -> bool:
        """Say whether numbers are finer than halves, as programs' are."""
        return any(not (2 * number).is_integer() for number in self.numbers)

    @property
    def as_rated(self) -> bool:
        """Say whether all are whole or halves from 0 to 10, as people rate; not of no number."""
        numbers = self.numbers
        return bool(numbers) and not self.fine and numbers[0] >= 0 and numbers[-1] <= 10  # noqa: PLR2004 - as people rate

    @property
    def as_graded(self) -> bool:
        """Say whether all are as people rate, and some above 1, as no probability is."""
        return self.as_rated and self.numbers[-1] > 1

    @property
    def may_be_a_label(self) -> bool:
        """Say whether all numbers are whole and from 0 to 10, as labels are."""
        low, high = (self.numbers[0], self.numbers[-1]) if self.numbers else (-1, -1)
        return self.kind == "number" and self.whole and low >= 0 and high <= 10  # noqa: PLR2004 - as people rate


@lru_cache(maxsize=4096)
def number_of(cell: str) -> float | None:
    """Give the number of a cell, with a comma or a point before its decimals.

    Example:
        >>> number_of(".5"), number_of("−0,25"), number_of("1.2e-05")
        (0.5, -0.25, 1.2e-05)
        >>> number_of("4,5"), number_of("74 %"), number_of("5 - Right"), number_of("1_000")
        (4.5, 74.0, None, None)
        >>> number_of("9" * 400) is None
        True
    """
    match = _NUMBER.fullmatch(cell)
    return float(match[1].translate(_AS_WRITTEN)) if match is not None else None


def said_of(cell: str) -> tuple[float, str] | None:
    """Give the number that a grade begins with, and its words; None of anything else.

    Example:
        >>> said_of("5 - Right"), said_of("4/5"), said_of("2020-01-02")
        ((5.0, 'Right'), (4.0, '/5'), None)
    """
    match = _GRADED.fullmatch(cell)
    if match is None or number_of(match[1]) is None:
        return None
    number, words = float(match[1].replace(",", ".")), match[2].strip()
    if words.isdigit():
        return (
            (number, f"/{words}")
            if re.fullmatch(r"\s*\d+(?:[.,]\d+)?\s*/\s*\d+\s*", cell)
            else None
        )
    if re.search(r"\d", words) or not any(sign.isalpha() for sign in words):
        return None
    return number, words


def is_blank(cell: str) -> bool:
    """Say whether a cell of numbers or labels holds a mark for nothing."""
    return not cell or cell.casefold() in LISTS["blanks"]


def are_times(cells: Sequence[str]) -> bool:
    """Say whether all cells are moments.

    Example:
        >>> are_times(["1717000000", ""]), are_times(["2024/03/04 9:12:33 AM GMT+1"])
        (True, True)
        >>> are_times(["2024-01-05"]), are_times(["5"])
        (False, False)
    """
    filled = list(filter(None, cells))
    return bool(filled) and all(map(_CLOCK.fullmatch, filled))


def are_dates(cells: Collection[str]) -> bool:
    """Say whether all cells are days: they rate nothing and name nobody.

    Example:
        >>> are_dates(["03/03/2025", ""]), are_dates(["2024-01-05", "2.3.24"]), are_dates(["5"])
        (True, True, False)
    """
    filled = list(filter(None, cells))
    return bool(filled) and all(map(_DAY.fullmatch, filled))


def is_prose(cells: Sequence[str]) -> bool:
    """Say whether most different cells are several words, as short answers are and names seldom.

    Example:
        >>> is_prose(["No.", "Yes, at once.", "In a week"]), is_prose(["Partly right", "Right"])
        (True, False)
    """
    own = {cell for cell in cells if not is_blank(cell)}
    written = sum(_words(cell) > 1 for cell in own)
    return len(own) > 2 and 2 * written >= len(own)  # noqa: PLR2004 - two may be of a scale


def holds_sentences(cells: Collection[str]) -> bool:
    """Say whether any cell is a sentence: several words and a full stop, as no name of a kind has.

    Example:
        >>> holds_sentences(["Rest and drink.", "Rest"]), holds_sentences(["Ear, nose and throat"])
        (True, False)
    """
    return any(cell.endswith(_FULL_STOPS) and _words(cell) >= _SENTENCE for cell in cells)


def counts_rows(cells: Sequence[str]) -> bool:
    """Say whether whole numbers count the rows of a table, from 0 or 1 on.

    Example:
        >>> counts_rows(["0", "1", "2", "3", "4"]), counts_rows(["1", "2", "3", "3", "4"])
        (True, False)
    """
    count = len(cells)
    first = cells[0] if count > 4 else ""  # noqa: PLR2004 - of a few rows anything counts up
    return first in {"0", "1"} and list(cells) == [str(int(first) + at) for at in range(count)]


def are_verdicts(cells: Collection[str]) -> bool:
    """Say whether all cells judge an answer: below a system's name "correct" is none of its own.

    A severity may be what a system was asked for, and so may a yes.

    Example:
        >>> are_verdicts(["Correct", "incorrect"]), are_verdicts(["✓", "✗"])
        (True, True)
        >>> are_verdicts(["severe", "mild"]), are_verdicts(["yes", "no"])
        (False, False)
    """
    words = {cell.casefold() for cell in cells if not is_blank(cell)}
    ladders = (set(own) for own in lexicon().ladders if own[-1] != "none")
    return bool(words) and (words <= _TICKS or any(words <= own for own in ladders))


def are_on_a_ladder(cells: Iterable[str]) -> bool:
    """Say whether all words of a column are of one scale that a file of words has."""
    words = {cell.casefold() for cell in cells if not is_blank(cell)}
    return bool(words) and any(words <= set(ladder) for ladder in lexicon().ladders)


def profile_of(cells: Sequence[object], texts: Sequence[str]) -> Profile:
    """Look at a column.

    Args:
        cells: Its cells as the file has them.
        texts: The same as text.
    """
    often = Counter(texts)
    del often[""]
    unique = [text for text in often if not is_blank(text)]
    filled = sum(often[text] for text in unique)
    if not often:
        return Profile("empty", 0, 0)
    examples = tuple(list(often)[:2])
    first = next(cell for cell, text in zip(cells, texts, strict=True) if text)
    if _listed(first) is not None:
        lists = [_listed(cell) for cell, text in zip(cells, texts, strict=True) if text]
        if None not in lists:
            said = all(held is not None and _is_messages(held) for held in lists)
            kind: Kind = "messages" if said else "list"
            return Profile(kind, filled, len(unique), examples=examples)
    if not filled:
        return Profile("word", 0, 0, examples=examples)
    kind, numbers, tops = _graded(unique)
    if kind == "word":
        long = sum(often[text] for text in unique if _words(text) >= _PROSE)
        kind = "text" if 2 * long >= filled else "day" if are_dates(unique) else "word"
    asks = sum(often[text] for text in unique if text.endswith(ASKING)) / filled
    longest = max(map(len, unique))
    return Profile(kind, filled, len(unique), numbers, tops, asks, longest, examples)


def _graded(cells: Sequence[str]) -> tuple[Kind, tuple[float, ...], tuple[float, ...]]:
    """Say what different cells are, with their numbers and what these are out of."""
    numbers = [number_of(cell) for cell in cells]
    told = [n for n in numbers if n is not None]
    if len(told) == len(cells):
        return "number", tuple(sorted(set(told))), ()
    pairs = zip(cells, numbers, strict=True)
    grades = [said_of(cell) if number is None else (number, "") for cell, number in pairs]
    known_grades = [grade for grade in grades if grade is not None]
    if len(known_grades) == len(cells) and not _are_numbered(known_grades):
        tops = {float(word[1:]) for _, word in known_grades if word.startswith("/")}
        return "graded", tuple(sorted({n for n, _ in known_grades})), tuple(sorted(tops))
    known = lexicon()
    answers = all(cell.casefold() in known.yes | known.no for cell in cells)
    return ("yesno" if answers else "word"), (), ()


def _are_numbered(grades: Sequence[tuple[float, str]]) -> bool:
    """Say whether numbers count texts, as in "3. How is gout treated?", and grade nothing."""
    asks = any(words.endswith(ASKING) for _, words in grades)
    return asks and len({number for number, _ in grades}) == len(grades) > 2  # noqa: PLR2004 - two may be of a scale


def _words(text: str) -> float:
    signs = len(_CJK.findall(text))
    return len(_CJK.sub(" ", text).split()) + signs / _SIGNS_A_WORD


def _listed(cell: object) -> list[Any] | None:
    """Give the list that a cell holds or is written as, in JSON or as Python prints it."""
    if isinstance(cell, list | tuple):
        return list(cell)
    if not isinstance(cell, str) or not cell.lstrip().startswith("["):
        return None
    return listed_text(cell)


def listed_text(cell: str) -> list[Any] | None:
    r"""Read a list that was written as text; None where it is no list.

    Example:
        >>> listed_text("['a', 'b']"), listed_text('["c"]'), listed_text("[1] see Smith")
        (['a', 'b'], ['c'], None)
        >>> listed_text("['a'\n 'b']")  # as numpy prints it
        ['a', 'b']
    """
    from ast import literal_eval

    if _QUOTED.fullmatch(cell):  # as pandas writes most: read at a twentieth of the time
        return cell[2:-2].split("', '")
    if _ADJACENT.search(cell):
        cell = _with_commas(cell)

    for read in (json.loads, literal_eval):
        try:
            held = read(cell.strip())
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        return held if isinstance(held, list) else None
    return None


def _with_commas(cell: str) -> str:
    """Part strings that stand side by side, as numpy prints a list: Python would join them."""
    from tokenize import STRING, TokenError, generate_tokens

    try:
        pieces = list(generate_tokens(StringIO(cell.strip()).readline))
    except (TokenError, SyntaxError, IndentationError):
        return cell
    words = [piece for piece in pieces if piece.string.strip()]
    if not all(piece.type == STRING or piece.string in set("[],") for piece in words):
        return cell
    return f"[{', '.join(piece.string for piece in words if piece.type == STRING)}]"


def _is_messages(held: list[Any]) -> bool:
    return bool(held) and all(
        isinstance(one, dict) and "role" in one and bool({"content", "text"} & set(one))
        for one in held
    )


def texts_of(cell: object) -> list[str]:
    """Give the texts of a cell: a list, a list written as text, or one text."""
    held = cell
    if isinstance(cell, str) and cell.lstrip().startswith("["):
        held = listed_text(cell) or cell
    listed = held if isinstance(held, list | tuple) else [held]
    texts = (
        next((one[key] for key in ("text", "content", "page_content") if key in one), None)
        if isinstance(one, Mapping)
        else one
        for one in listed
    )
    return [text for text in map(_plain, texts) if text]


def _plain(one: object) -> str:
    return "" if one is None else str(one).strip()
