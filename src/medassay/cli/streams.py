"""What reaches the terminal: texts may give it no orders, and next steps name the study."""

import json
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, TextIO

from medassay.tables import visible
from medassay.text import shell_line

_COMMAND: Final = re.compile(r"(\bmedassay [a-z](?:[^.;:]|[.:](?=\S))*?)\bSTUDY\b")
_HELP: Final = frozenset({"--help", "-h"})


class VisibleStream:
    """Writes to another stream, signs that a terminal would obey or that turn text as their codes.

    It has no `buffer`, so that nobody writes past it.

    Attributes:
        beneath: The other stream.
        words: What was typed.
    """

    def __init__(self, beneath: TextIO, words: Sequence[str] = ()) -> None:
        self.beneath = beneath
        self.words = words

    def write(self, text: str) -> int:
        """Write text."""
        return self.beneath.write(visible(named(text, self.words)))

    def writelines(self, lines: list[str]) -> None:
        """Write lines."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the other stream has
        """Do everything else as the other stream does it."""
        if name == "buffer":
            raise AttributeError(name)
        return getattr(self.beneath, name)


@contextmanager
def only_visible(words: Sequence[str] = ()) -> Iterator[None]:
    """Let whatever the block prints be visible text, and its commands name the study.

    Args:
        words: What was typed behind the program's name.
    """
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (VisibleStream(stream, words) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def named(text: str, words: Sequence[str] | None = None) -> str:
    """Put the study that was typed into the commands of a text, so that they can be typed, too.

    Args:
        text: The text.
        words: What was typed; what the output's own stream knows of it if not given.

    Example:
        >>> named("Next: medassay run STUDY.", ["import", "a.csv", "--into", "my study"])
        "Next: medassay run 'my study'."
        >>> named("Next: medassay run STUDY.", ["formats"])
        'Next: medassay run STUDY.'
    """
    if words is None:
        words = sys.stdout.words if isinstance(sys.stdout, VisibleStream) else ()
    if "STUDY" not in text or not _HELP.isdisjoint(words) or not (study := _study_in(words)):
        return text
    shown = shell_line([study])
    if "--json" in words:
        shown = json.dumps(shown, ensure_ascii=False)[1:-1]
    return _COMMAND.sub(lambda found: f"{found[1]}{shown}", text)


def _study_in(words: Sequence[str]) -> str:
    """Give the one study that a command names, or the one that it makes; nothing of several."""
    places = [word.partition("=")[2] if word.startswith("-") else word for word in words]
    studies = dict.fromkeys(p for p in places if p and (Path(p) / "study.toml").is_file())
    made = [after for word, after in pairwise(words) if word == "--into"]
    own = list(studies) or made
    return own[0] if len(own) == 1 else ""


def styled(stream: TextIO) -> TextIO:
    """Give the stream itself to who writes orders of its own, and only visible text beside them."""
    return stream.beneath if isinstance(stream, VisibleStream) else stream
