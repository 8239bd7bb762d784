"""What differs between two freezes."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from math import isclose
from pathlib import Path
from typing import Final

from medassay.metrics import declarations
from tools.freezing.frozen import Frozen, read_frozen

RELATIVE: Final = 1e-7
"""Numbers with a fraction are the same where they differ by no more than this share ..."""
ABSOLUTE: Final = 1e-9
"""... or by this: sums that cancel leave a last digit of what was summed."""
RELATIVE_OF_MODELS: Final = 1e-5
"""Numbers of metrics that run a model: its 32-bit arithmetic differs between processors."""


@dataclass(frozen=True)
class Difference:
    """One thing that one freeze says and the other does not.

    Attributes:
        study: The study.
        path: Of a number, a cell, or a line of the page.
        before: What the first says; None where it has no such path.
        after: What the second says; None where it has no such path.
    """

    study: str
    path: str
    before: str | None
    after: str | None

    def __str__(self) -> str:
        """Say it in a line."""
        if self.after is None:
            return f"{self.study}: {self.path}: gone, was {self.before}"
        if self.before is None:
            return f"{self.study}: {self.path}: new, is {self.after}"
        return f"{self.study}: {self.path}: was {self.before}, is {self.after}"


def compare_all(
    before: Path, after: Path, renamed: Callable[[str], str] = str
) -> Iterator[Difference]:
    """Compare two folders that `tools.freeze` wrote."""
    here, there = (
        {one.name for one in folder.iterdir() if one.is_dir()} for folder in (before, after)
    )
    for study in sorted(here | there):
        if study in here and study in there:
            yield from compare(
                study, read_frozen(before / study), read_frozen(after / study), renamed
            )
        elif study in here:
            yield Difference(study, "the study", "there", None)
        else:
            yield Difference(study, "the study", None, "there")


def compare(
    study: str, before: Frozen, after: Frozen, renamed: Callable[[str], str] = str
) -> Iterator[Difference]:
    """Compare what two freezes say of one study.

    Args:
        study: Its name.
        before: The first.
        after: The second.
        renamed: What a path of the first is called in the second.
    """
    yield from _of_values(study, before.numbers, after.numbers, renamed)
    yield from _of_values(study, before.cells(), after.cells(), renamed)
    yield from _of_lines(study, before.page, after.page)


def _of_values(
    study: str, before: Mapping[str, str], after: Mapping[str, str], renamed: Callable[[str], str]
) -> Iterator[Difference]:
    was = {renamed(path): value for path, value in before.items()}
    if len(was) < len(before):
        message = "the map of renamed paths gives two paths one name"
        raise ValueError(message)
    for path in [*was, *(path for path in after if path not in was)]:
        one, other = was.get(path), after.get(path)
        if one is None or other is None or not _same(path, one, other):
            yield Difference(study, path, one, other)


def _same(path: str, one: str, other: str) -> bool:
    """Say whether two values are one: numbers with a fraction up to a last digit."""
    if one == other:
        return True
    if not (set(one) & set(".e") and set(other) & set(".e")):
        return False
    try:
        share = RELATIVE_OF_MODELS if any(name in path for name in _run_models()) else RELATIVE
        return isclose(float(one), float(other), rel_tol=share, abs_tol=ABSOLUTE)
    except ValueError:
        return False


@cache
def _run_models() -> tuple[str, ...]:
    """List the metrics whose values come from a model."""
    return tuple(declared.name for declared in declarations() if declared.backend is not None)


def _of_lines(study: str, before: list[str], after: list[str]) -> Iterator[Difference]:
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            continue
        for place in range(max(b - a, d - c)):
            was = before[a + place] if a + place < b else None
            now = after[c + place] if c + place < d else None
            line = a + place + 1 if was is not None else c + place + 1
            yield Difference(study, f"page, line {line}", was, now)
