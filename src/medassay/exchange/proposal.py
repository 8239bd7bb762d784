"""What a format would read of files whose meaning it has to guess, before anything is written."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.exchange.outcome import Overview
from medassay.text import first_of, shell_line

MOST_QUESTIONS: Final = 3
"""Times that an import asks: more than so many questions are asked together, kind by kind."""
_NAMED: Final = 3
"""Names that are listed in a question."""
_CELLS: Final = 2
"""Cells that are shown beside a question."""
_MANY: Final = 8
"""Columns of which it is less work to write a file."""
_AS_FILE: Final = (
    "It may be shorter to write what each column is into a file: add --explain > columns.csv, edit "
    "that, and add --column columns.csv."
)
_KINDS: Final = {"column": "columns", "scale": "labels", "label": "labels"}
"""What a question is about, by the option that answers it; all others are about who."""


@dataclass(frozen=True, slots=True)
class ImportQuestion:
    """What a format cannot tell by itself.

    Attributes:
        file: What it is about.
        ask: The question.
        option: The option that answers it, by its parameter; it may be given several times.
        answers: What may be said, to what is typed behind the option for it; the likeliest first.
        examples: Cells that it is about, shown on a terminal alone.
        names: What it is about, as people call it, where the same may be asked of others.
        several: How it is asked of several of these, with {} in place of their names.
    """

    file: str
    ask: str
    option: str
    answers: Mapping[str, Sequence[str]]
    examples: Sequence[str] = ()
    names: Sequence[str] = ()
    several: str = ""

    def typed(self, answer: str) -> str:
        """Give what is typed to say one of the answers."""
        words = (word for value in self.answers[answer] for word in (f"--{self.option}", value))
        return shell_line(words)

    def led_by(self, answer: str) -> "ImportQuestion":
        """Give the question with another of its answers first."""
        rest = {said: words for said, words in self.answers.items() if said != answer}
        return replace(self, answers={answer: self.answers[answer], **rest})

    @property
    def likeliest(self) -> str:
        """Give the first answer."""
        return next(iter(self.answers))

    def problem(self) -> Problem:
        """Ask, and say what to type for each answer.

        Example:
            >>> answers = {"yes": ["tag=x"], "no": ["skip=x"]}
            >>> print(ImportQuestion("a.xlsx", "Is it?", "column", answers).problem())
            a.xlsx: Is it? Type one of: --column tag=x (yes); --column skip=x (no).
        """
        return _problem(self.file, self.ask, f"Type one of: {self._ways(list(self.answers))}.")

    def _ways(self, answers: Sequence[str]) -> str:
        return "; ".join(f"{self.typed(answer)} ({answer})" for answer in answers)

    def likely(self) -> str:
        """Ask, and give the first answer.

        Example:
            >>> ImportQuestion("a.xlsx", "Is it?", "column", {"yes": ["tag=x"]}).likely()
            'Is it? Yes.'
        """
        return f"{_ended(self.ask)} {self.likeliest[:1].upper()}{self.likeliest[1:]}."

    def otherwise(self) -> str:
        """Say what to type for each answer but the first."""
        return self._ways(list(self.answers)[1:])


def _problem(file: str, ask: str, hint: str) -> Problem:
    return Problem(file, "be told which of several things it is", _ended(ask), hint, asks=True)


def _ended(ask: str) -> str:
    return ask if ask.endswith(("?", ".")) else f"{ask}."


def joined(questions: Sequence[ImportQuestion]) -> list[ImportQuestion]:
    """Ask once what is asked alike: of several columns, of several dimensions, in several sheets.

    Example:
        >>> several = "Are {} kind?"
        >>> one, two = (ImportQuestion("a", f"Is {at} kind?", "column", {"yes": [f"tag={at}"]},
        ...                            names=[at], several=several) for at in "AB")
        >>> joined([one, two])[0].ask, joined([one, one]) == [one]
        ('Are "A", "B" kind?', True)
    """
    alike: dict[tuple[str, ...], list[ImportQuestion]] = {}
    for question in questions:
        asked = question.several or question.ask
        alike.setdefault((question.option, asked, *question.answers), []).append(question)
    return [_joined(same) for same in alike.values()]


def _joined(same: Sequence[ImportQuestion]) -> ImportQuestion:
    names = list(dict.fromkeys(name for question in same for name in question.names))
    if len(names) <= len(same[0].names) or not same[0].several:
        return same[0]
    ways = {
        answer: list(dict.fromkeys(word for question in same for word in question.answers[answer]))
        for answer in same[0].answers
    }
    cells = [cell for question in same for cell in question.examples[:1]]
    ask = same[0].several.format(first_of([f'"{name}"' for name in names], _NAMED))
    return replace(same[0], ask=ask, answers=ways, examples=cells[:_CELLS], names=names)


def asked_at_once(questions: Sequence[ImportQuestion]) -> list[list[ImportQuestion]]:
    """Give what is asked at a time: each question alone while there are at most three.

    Of more, all of a kind are asked at once, the largest kind first: what columns are, how labels
    are to be read, and who rated or answered what. So an import never asks more than three times.

    Example:
        >>> columns = [ImportQuestion("a", f"{at}?", "column", {}) for at in "ABC"]
        >>> who = ImportQuestion("a", "Who?", "rater", {})
        >>> [len(together) for together in asked_at_once([*columns, who])]
        [3, 1]
    """
    kinds = [_KINDS.get(question.option, "who") for question in questions]
    joined: set[str] = set()
    for kind, often in Counter(kinds).most_common():
        alone = sum(own not in joined for own in kinds)
        if alone + len(joined) > MOST_QUESTIONS and often > 1:
            joined.add(kind)
    groups: dict[object, list[ImportQuestion]] = {}
    for place, (kind, question) in enumerate(zip(kinds, questions, strict=True)):
        groups.setdefault(kind if kind in joined else place, []).append(question)
    return list(groups.values())


def about(option: str, word: str) -> str:
    """Say what a word is about: of what is said twice of one column or scale the last holds."""
    left, _, right = word.partition("=")
    return {"column": right, "scale": left}.get(option, word)


def problem_of(questions: Sequence[ImportQuestion]) -> Problem:
    """Ask several questions as one: whether the likeliest answers to all of them are right.

    Example:
        >>> first, other = (ImportQuestion("a", f"Is {at} a tag?", "column",
        ...                 {"yes": [f"tag={at}"], "no": [f"skip={at}"]}) for at in "xy")
        >>> print(problem_of([first, other]))
        a: Is all of this right? If so, type: --column tag=x --column tag=y. Else give another \
answer to what is wrong:
          (1) Is x a tag? Yes. Or: --column skip=x (no).
          (2) Is y a tag? Yes. Or: --column skip=y (no).
    """
    if len(questions) == 1:
        return questions[0].problem()
    files = first_of(list(dict.fromkeys(question.file for question in questions)), _NAMED)
    words = [(own.option, word) for own in questions for word in own.answers[own.likeliest]]
    last = {(option, about(option, word)): (option, word) for option, word in words}
    line = shell_line(word for option, value in last.values() for word in (f"--{option}", value))
    lines = [f"If so, type: {line}. Else give another answer to what is wrong:"]
    for number, question in enumerate(questions, 1):
        ways = question.otherwise()
        lines.append(f"  ({number}) {question.likely()}" + (f" Or: {ways}." if ways else ""))
    columns = sum(map(len, (question.answers[question.likeliest] for question in questions)))
    if columns > _MANY and questions[0].option == "column":
        lines.append(f"  {_AS_FILE}")
    return _problem(files, "Is all of this right?", "\n".join(lines))


class Undecided(InvalidInput):
    """Files whose meaning somebody has to decide first.

    Attributes:
        questions: What has to be decided: all that is open once each has its first answer.
        refused: Why the files cannot be read even then.
    """

    def __init__(
        self, questions: Sequence[ImportQuestion], refused: Sequence[Problem] = ()
    ) -> None:
        self.questions = tuple(questions)
        self.refused = tuple(refused)
        super().__init__([*map(problem_of, asked_at_once(questions)), *refused])


@dataclass(frozen=True, slots=True)
class EditableLine:
    """A numbered line of what is shown, which somebody at a terminal can change.

    Attributes:
        columns: The columns that it is about.
        ways: What they can be, in words, to what is typed before `=COLUMN` behind `--column`; a
            word that ends in a point wants a name behind it.
    """

    columns: tuple[str, ...]
    ways: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a format would read.

    Attributes:
        shown: What people look at before they agree.
        questions: What somebody has to decide first; where there are any, nothing can be read.
        closely: What is shown instead to somebody at a terminal: it quotes cells.
        rows: The numbered lines of what is shown, in their order.
        refused: Why the files cannot be read even where each question gets its first answer.
    """

    shown: Sequence[str | Overview]
    questions: Sequence[ImportQuestion] = ()
    closely: Sequence[str | Overview] = ()
    rows: Sequence[EditableLine] = ()
    refused: Sequence[Problem] = ()


@dataclass(frozen=True, slots=True)
class Explained:
    """Why a format would read each column as it does.

    Attributes:
        columns: What is said of each; of every column the same things, none of them a cell.
        questions: What somebody has to decide.
    """

    columns: Sequence[Mapping[str, str | int]]
    questions: Sequence[ImportQuestion] = ()
