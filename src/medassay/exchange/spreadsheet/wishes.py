"""What a user says of columns: --column OURS=THEIRS."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from medassay.errors import InvalidInput, Problem, nearest
from medassay.exchange.spreadsheet.headers import ROLES, Role

__all__ = ["Wish", "read_wishes"]

_DOTTED: Final[dict[str, Role]] = {"tag": "tag", "rating": "rating"}
"""Words of ours that take a name behind a dot: tag.specialty, rating.accuracy."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a user says that one column is.

    Attributes:
        role: What it is.
        of: The tag's name, or the dimension.
    """

    role: Role
    of: str = ""


def read_wishes(words: Sequence[str], theirs: Collection[str]) -> dict[str, Wish]:
    """Read pairs OURS=THEIRS, by the column they are about.

    One that makes sense only the other way round, as THEIRS=OURS, is read that way.

    Args:
        words: The pairs.
        theirs: The columns that there are.

    Raises:
        InvalidInput: A word is no such pair, or names no column of theirs or none of ours.

    Example:
        >>> read_wishes(["question=Frage", "Modell A=answer"], ["Frage", "Modell A"])
        {'Frage': Wish(role='question', of=''), 'Modell A': Wish(role='answer', of='')}
    """
    by_form = {_form(name): name for name in theirs}
    wishes: dict[str, Wish] = {}
    problems = []
    for word in words:
        left, _, right = word.partition("=")
        if _form(right) in by_form and _wish(left) is not None:
            ours, name = left, right
        else:
            name, _, ours = word.rpartition("=")
        wish, column = _wish(ours), by_form.get(_form(name))
        if wish is not None and column is not None:
            wishes[column] = wish
        else:
            problems.append(_problem(word, left, right, theirs))
    if problems:
        raise InvalidInput(problems)
    return wishes


def _form(name: str) -> str:
    return " ".join(name.split()).casefold()


def _wish(ours: str) -> Wish | None:
    role, dot, of = ours.strip().partition(".")
    if dot and of and role in _DOTTED:
        return Wish(_DOTTED[role], of)
    if not dot and role in ROLES and role != "rating":
        return Wish(next(known_role for known_role in ROLES if known_role == role))
    return None


def _problem(word: str, left: str, right: str, theirs: Collection[str]) -> Problem:
    ours = [
        *(known_role for known_role in ROLES if known_role != "rating"),
        "tag.NAME",
        "rating.DIMENSION",
    ]
    if _wish(left) is None:
        must = f"begin with one of {', '.join(ours)}, as in answer=Reply"
        return Problem("--column", must, f'"{word}"', nearest(left, ours))
    must = f"name one of their columns behind {left}="
    hint = nearest(right, theirs) or f"There are: {', '.join(theirs)}."
    return Problem("--column", must, f'"{right}"', hint)
