"""What a user says of columns: --column OURS=THEIRS."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from medassay.errors import InvalidInput, Problem, nearest
from medassay.exchange.proposal import ImportQuestion
from medassay.exchange.spreadsheet.collected import FallbackNames
from medassay.exchange.spreadsheet.words import ROLES, Role
from medassay.text import first_of, shell_line

_DOTTED: Final[dict[str, Role]] = {
    "tag": "tag", "rating": "rating", "score": "score", "answer": "answer",
    "option": "option",
}  # fmt: skip
"""Words of ours that take a name behind a dot: tag.specialty, rating.accuracy, answer.GPT-4."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a user says that one column is.

    Attributes:
        role: What it is.
        of: The tag's name, or the dimension.
    """

    role: Role
    of: str = ""

    @property
    def word(self) -> str:
        """Give the word of ours that says it."""
        return f"{self.role}.{self.of}" if self.of else self.role


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a user says beside the files.

    Attributes:
        columns: Pairs OURS=THEIRS.
        names: What no column names.
        rubric: What raters are asked, in the words of `choose_rubric`; empty where nothing is said.
        scales: Pairs DIMENSION=LOW-HIGH.
        labels: Pairs DIMENSION.LABEL=WORD.
        asked: Whether each question went to `some` systems by design, to `all`, or to `none` yet.
        synthetic: Whether the data are made up.
        recipe: A file of what was answered before; the study's own if not given.
        column_file: A file that says of each column what it is.
        grows: Whether questions that a study lacks are added to it, not refused.
    """

    columns: Sequence[str] = ()
    names: FallbackNames = field(default_factory=FallbackNames)
    rubric: str = ""
    scales: Sequence[str] = ()
    labels: Sequence[str] = ()
    asked: str = ""
    synthetic: bool = False
    recipe: str = ""
    column_file: str = ""
    grows: bool = False

    def answered(self, questions: Sequence[ImportQuestion]) -> "Wishes":
        """Give what is said where each question gets its first answer, the likeliest."""
        told: dict[str, list[str]] = {}
        for question in questions:
            told.setdefault(question.option, []).extend(next(iter(question.answers.values())))
        last = {option: words[-1] for option, words in told.items()}
        names = replace(
            self.names,
            system=last.get("system", self.names.system),
            rater=last.get("rater", self.names.rater),
        )
        return replace(
            self,
            columns=[*self.columns, *told.get("column", ())],
            scales=[*self.scales, *told.get("scale", ())],
            labels=[*self.labels, *told.get("label", ())],
            asked=last.get("asked", self.asked),
            names=names,
        )


def column_option(ours: str, theirs: str) -> str:
    r"""Give what is typed to say what a column is, so that a shell reads its name as it stands.

    Example:
        >>> print(column_option("skip", "Cost in $"), column_option("skip", "Notes"))
        --column 'skip=Cost in $' --column skip=Notes
    """
    return shell_line(["--column", f"{ours}={theirs}"])


def quoted_names(columns: Sequence[str]) -> str:
    """List columns in a question: the first three, in quotes, and how many more.

    Example:
        >>> quoted_names(["A", "B"]), quoted_names("ABCDE")
        ('"A", "B"', '"A", "B", "C" and 2 more')
    """
    return first_of([f'"{name}"' for name in columns], 3)


def read_wishes(
    words: Sequence[str], theirs: Collection[str], sheets: Collection[str] = ()
) -> dict[str, Wish]:
    """Read pairs OURS=THEIRS, by the column they are about, or the sheet to leave out.

    One that makes sense only the other way round, as THEIRS=OURS, is read that way.

    Args:
        words: The pairs.
        theirs: The columns that there are.
        sheets: The sheets that there are.

    Raises:
        InvalidInput: A word is no such pair, or names no column of theirs or none of ours.

    Example:
        >>> read_wishes(["question=Frage", "Modell A=answer"], ["Frage", "Modell A"])
        {'Frage': Wish(role='question', of=''), 'Modell A': Wish(role='answer', of='')}
    """
    by_form = {_form(name): name for name in (*sheets, *theirs)}
    wishes: dict[str, Wish] = {}
    problems = []
    for word in words:
        ours, column = _parted(word, by_form)
        wish = wish_of(ours)
        if wish and column is not None and (column in theirs or wish.role == "skip"):
            wishes[column] = wish
        else:
            left, _, right = word.partition("=")
            problems.append(_problem(word, left, right, theirs))
    if problems:
        raise InvalidInput(problems)
    return wishes


def _parted(word: str, by_form: Mapping[str, str]) -> tuple[str, str | None]:
    """Part a pair into our word and their column, whichever stands first."""
    for place in (at for at, sign in enumerate(word) if sign == "="):  # "A = x" may be in a name
        left, right = word[:place], word[place + 1 :]
        if _form(right) in by_form and wish_of(left) is not None:
            return left, by_form[_form(right)]
    name, _, ours = word.rpartition("=")
    return ours, by_form.get(_form(name))


def parted(word: str, theirs: Collection[str]) -> tuple[str, str | None]:
    """Part a pair into our word and the column of theirs that it names, if there is one."""
    return _parted(word, {_form(name): name for name in theirs})


def _form(name: str) -> str:
    return " ".join(name.split()).casefold()


def wish_of(ours: str) -> Wish | None:
    """Read a word of ours, such as question or rating.accuracy; None where it is none."""
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
    if wish_of(left) is None:
        must = f"begin with one of {', '.join(ours)}, as in answer=Reply"
        return Problem("--column", must, f'"{word}"', nearest(left, ours))
    must = f"name one of their columns behind {left}="
    hint = nearest(right, theirs) or f"There are: {', '.join(theirs)}."
    return Problem("--column", must, f'"{right}"', hint)
