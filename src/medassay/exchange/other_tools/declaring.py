"""What the declarations of other tools' formats share."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated

from medassay.exchange.declaration import Option
from medassay.exchange.other_tools.exported import Given
from medassay.exchange.outcome import Outcome
from medassay.text import count_of

__all__ = ["Hide", "Names", "Ratings", "told"]

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


def told(written: Given, how: str = "") -> Outcome:
    """Say what was written, and what the files do not hold."""
    held = ", ".join(count_of(count, noun) for noun, count in written.counts.items())
    lines = [f"{held}{how}.", *(f"wrote {file}" for file in written.files)]
    return Outcome([*lines, *(f"note: {note}" for note in written.notes)], asdict(written))
