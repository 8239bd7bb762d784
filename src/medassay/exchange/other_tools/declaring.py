"""What formats of other tools share: options, what was written, what was left behind."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Annotated

from medassay.exchange.declaration import Option
from medassay.exchange.outcome import Outcome
from medassay.text import count_of

__all__ = ["Hide", "Names", "Ratings", "WrittenFiles", "describe_left_behind", "told"]

Names = Annotated[
    Mapping[str, str],
    Option(
        "A dimension of ours, or system or case, is called THEIRS.",
        ("--column", "-c"),
        "OURS=THEIRS",
    ),
]
Hide = Annotated[str | None, Option("What stays out of the items, such as references,documents.")]
Ratings = Annotated[bool, Option("Write what raters have said already, too.")]


@dataclass(frozen=True)
class WrittenFiles:
    """What an export to another tool wrote.

    Attributes:
        counts: How many of each thing the files hold; keys are nouns in the singular.
        files: The files that were written.
        notes: What is not carried over, and what an organiser should know.
    """

    counts: Mapping[str, int]
    files: Sequence[str]
    notes: Sequence[str] = ()


def told(written: WrittenFiles, how: str = "") -> Outcome:
    """Say what was written, and what the files do not hold."""
    held = ", ".join(count_of(count, noun) for noun, count in written.counts.items())
    lines = [f"{held}{how}.", *(f"wrote {file}" for file in written.files)]
    return Outcome([*lines, *(f"note: {note}" for note in written.notes)], asdict(written))


def describe_left_behind(left: Mapping[str, int]) -> list[str]:
    """Say what was not carried over, and how many of each.

    Example:
        >>> describe_left_behind({"predictions of models": 1, "results of the type labels": 0})
        ['not carried over: predictions of models (1).']
    """
    return [f"not carried over: {what} ({count:,})." for what, count in left.items() if count]
