"""What a format would read of files whose meaning it has to guess, before anything is written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from medassay.errors import InvalidInput, Problem
from medassay.exchange.outcome import Overview
from medassay.text import shell_line


@dataclass(frozen=True, slots=True)
class ImportQuestion:
    """What a format cannot tell by itself.

    Attributes:
        file: What it is about.
        ask: The question.
        option: The option that answers it, by its parameter; it may be given several times.
        answers: What may be said, to what is typed behind the option for it; the likeliest first.
        examples: Cells that it is about, shown on a terminal alone.
    """

    file: str
    ask: str
    option: str
    answers: Mapping[str, Sequence[str]]
    examples: Sequence[str] = ()

    def typed(self, answer: str) -> str:
        """Give what is typed to say one of the answers."""
        words = (word for value in self.answers[answer] for word in (f"--{self.option}", value))
        return shell_line(words)

    def led_by(self, answer: str) -> "ImportQuestion":
        """Give the question with another of its answers first."""
        rest = {said: words for said, words in self.answers.items() if said != answer}
        return replace(self, answers={answer: self.answers[answer], **rest})

    def problem(self) -> Problem:
        """Say what has to be decided, and what to type for each answer.

        Example:
            >>> answers = {"yes": ["tag=x"], "no": ["skip=x"]}
            >>> ask = ImportQuestion("a.xlsx", "Is it?", "column", answers)
            >>> print(ask.problem())
            a.xlsx: must be answered by you first; got Is it? Type one of: --column tag=x \
(yes); --column skip=x (no).
        """
        ways = "; ".join(f"{self.typed(answer)} ({answer})" for answer in self.answers)
        must, hint = "be answered by you first", f"Type one of: {ways}."
        return Problem(self.file, must, self.ask.rstrip("."), hint)


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
        super().__init__([*(question.problem() for question in questions), *refused])


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
    """

    shown: Sequence[str | Overview]
    questions: Sequence[ImportQuestion] = ()
    closely: Sequence[str | Overview] = ()
    rows: Sequence[EditableLine] = ()


@dataclass(frozen=True, slots=True)
class Explained:
    """Why a format would read each column as it does.

    Attributes:
        columns: What is said of each; of every column the same things, none of them a cell.
        questions: What somebody has to decide.
    """

    columns: Sequence[Mapping[str, str | int]]
    questions: Sequence[ImportQuestion] = ()
