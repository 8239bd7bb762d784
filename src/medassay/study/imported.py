"""Other people's scores, as they lie in a study's folder `scores`.

Each table may have a .toml file of the same name beside it that says which way is better, and what
the numbers mean.
"""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from medassay.errors import InvalidInput, Problem
from medassay.scores import ScoreTable, scores_from_sheet
from medassay.study.files import SCORES, tables_in, without_padding
from medassay.study.strangers import Known, read_known
from medassay.tables import Sheet, file_bytes, read_sheet, read_toml

__all__ = ["Imported", "Meaning", "read_imported"]

_Finite = Annotated[float, Field(allow_inf_nan=False)]


class Meaning(BaseModel):
    """What an imported column of scores says.

    Attributes:
        question: The question that it answers.
        unit: Its unit.
        direction: Which way is better; `none` where neither is.
        low: Its least possible value, if it has one.
        high: Its greatest possible value, if it has one.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: str = ""
    unit: str = ""
    direction: Literal["higher", "lower", "none"] = "higher"
    low: _Finite | None = None
    high: _Finite | None = None


@dataclass(frozen=True)
class Imported:
    """One file of imported scores.

    Attributes:
        file: Its name in the study.
        table: Its scores, of one or more sources.
        meaning: What they say.
        notes: What was odd about the file, and was read all the same.
    """

    file: str
    table: ScoreTable
    meaning: Meaning
    notes: tuple[Problem, ...] = ()


def read_imported(folder: Path, known: Known) -> tuple[Imported, ...]:
    """Read every table in a study's folder `scores`, and hold its ids against the study's.

    Raises:
        InvalidInput: Every problem of every file.
    """
    found: list[Imported] = []
    problems: list[Problem] = []
    for path in tables_in(folder / SCORES):
        try:
            found.append(_read(path, known))
        except InvalidInput as error:
            problems += error.problems
    twice: dict[str, str] = {}
    for one in found:
        for source in one.table.sources:
            if source in twice:
                got = f'"{source}" in {twice[source]} too'
                problems.append(Problem(one.file, "hold sources of its own", got))
            twice.setdefault(source, one.file)
    if problems:
        raise InvalidInput(problems)
    return tuple(found)


def _read(path: Path, known: Known) -> Imported:
    shown = f"{SCORES}/{path.name}"

    def read(sheet: Sheet) -> ScoreTable:
        return scores_from_sheet(sheet, source=path.stem)

    sheet = without_padding(read_sheet(path, shown))
    table = read_known(sheet, read, known)
    meaning = _meaning(path.with_suffix(".toml"))
    outside = _outside(shown, table, meaning)
    if outside:
        raise InvalidInput(outside)
    return Imported(shown, table, meaning, sheet.notes)


def _outside(file: str, table: ScoreTable, meaning: Meaning) -> list[Problem]:
    """Find values outside the range that their own .toml declares, such as percents of a share."""
    import polars as pl

    low = -math.inf if meaning.low is None else meaning.low
    high = math.inf if meaning.high is None else meaning.high
    strange = table.frame.filter(pl.col("value").is_between(low, high).not_())
    must = f"be between {low:g} and {high:g}, as {Path(file).stem}.toml says"
    return [
        Problem(file, must, f'{value:g} of "{system}" for "{case}"', "", None, "value")
        for system, case, value in strange.select("system", "case", "value").iter_rows()
    ]


def _meaning(path: Path) -> Meaning:
    if not path.is_file():
        return Meaning()
    shown = f"{SCORES}/{path.name}"
    return read_toml(Meaning, file_bytes(path, shown), shown)
