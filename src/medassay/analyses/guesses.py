"""What raters guessed of the systems behind answers, as the rating room brought it home."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from medassay.errors import InvalidInput, Problem
from medassay.judgements.campaign import FOLDER, find_plans
from medassay.study.folder import Study
from medassay.tables import read_sheet, unguarded

__all__ = ["GuessOf", "Guesses", "guesses_of"]

GUESSES: Final = "guesses.csv"


@dataclass(frozen=True)
class GuessOf:
    """One guess.

    Attributes:
        rater: Who guessed.
        system: Whose answer it was.
        guess: Whose it was taken for; empty where the rater had no idea.
        among: Among how many systems one could choose.
    """

    rater: str
    system: str
    guess: str
    among: int


@dataclass(frozen=True)
class Guesses:
    """All guesses of a study's campaigns; none of raters who were left out."""

    made: tuple[GuessOf, ...] = ()


def guesses_of(study: Study) -> Guesses:
    """Read the guesses of every campaign that rates single answers.

    A guess that its rater called no idea at all counts as none. Of pairs it cannot be said which
    of the two answers was meant.

    Raises:
        InvalidInput: How sure somebody was is no number.
    """
    files = sorted((study.path / FOLDER).glob(f"*/{GUESSES}"))
    if not files:
        return Guesses()
    called = {}
    if not study.pseudonyms.of:
        # The study is told under pseudonyms already: which are whose, only its files say.
        called = dict(Study.open_whole(study.path).pseudonyms.of)
    left_out = {rater.rater for rater in study.raters.excluded}
    made = [guess for path in files for guess in _read(study.path, path)]
    named = [
        GuessOf(called.get(one.rater, one.rater), one.system, one.guess, one.among)
        for one in made
        if not called or one.rater in called
    ]
    return Guesses(tuple(one for one in named if one.rater not in left_out))


def _read(study: Path, path: Path) -> Iterator[GuessOf]:
    plan = find_plans(study).get(path.parent.name)
    if plan is None or plan.settings.kind != "answers":
        return
    systems = {assignment.item.system for assignment in plan.assignments}
    sheet = read_sheet(path, f"{FOLDER}/{path.parent.name}/{GUESSES}")
    for row, record in sheet.records():
        cells = {name: unguarded(str(cell or "")) for name, cell in record.items()}
        sure = cells.get("sure", "")
        try:
            no_idea = bool(sure) and float(sure) == 0
        except ValueError as error:
            must = "be a number from 0 to 1"
            raise InvalidInput(
                Problem(sheet.file, must, f'"{sure}"', row=row, column="sure")
            ) from error
        guess = "" if no_idea else cells["guess"]
        yield GuessOf(cells["rater"], cells["system"], guess, len(systems))
