"""Other people's scores, as they lie in a study's folder `scores`.

Each table may have a .toml file of the same name beside it that says which way is better, and what
the numbers mean.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from medassay.errors import InvalidInput, Problem
from medassay.scores import ScoreTable, scores_from_sheet
from medassay.study.contents.known_ids import KnownIds, read_checked
from medassay.study.files.names import SCORES, tables_of, without_padding
from medassay.tables import Sheet, file_bytes, is_there, read_record, read_sheet, read_toml, wrong

__all__ = ["Imported", "Meaning", "check_meaning", "read_imported", "read_meaning"]

_Finite = Annotated[float, Field(allow_inf_nan=False)]


class Meaning(BaseModel):
    """What an imported column of scores says.

    Attributes:
        question: The question that it answers.
        unit: Its unit.
        direction: Which way is better; `none` where neither is.
        low: Its least possible value, if it has one.
        high: Its greatest possible value, if it has one.
        harm: Whether a worse score means that somebody may come to harm; read by `compare`.
        origin: Who or what computed it, in the words of whoever imported it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: str = ""
    unit: str = ""
    direction: Literal["higher", "lower", "none"] = "higher"
    low: _Finite | None = None
    high: _Finite | None = None
    harm: bool = False
    origin: str = ""

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.low is not None and self.high is not None and self.low >= self.high:
            raise wrong("have low below high", f"{self.low:g} and {self.high:g}")
        return self

    def problems(self, table: ScoreTable, file: str) -> list[Problem]:
        """Name the values that lie outside of the range."""
        import polars as pl

        low = -math.inf if self.low is None else self.low
        high = math.inf if self.high is None else self.high
        strange = table.frame.filter(pl.col("value").is_between(low, high).not_())
        must = f"be between {low:g} and {high:g}, as was said of these scores"
        return [
            Problem(file, must, f'{value:g} of "{system}" for "{case}"', "", None, "value")
            for system, case, value in strange.select("system", "case", "value").iter_rows()
        ]


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


def check_meaning(values: Mapping[str, object], shown: str) -> Meaning:
    """Check what somebody says of their scores.

    Raises:
        InvalidInput: Every problem of it.
    """
    problems: list[Problem] = []
    meaning = read_record(Meaning, values, file=shown, row=None, problems=problems)
    if meaning is None:
        raise InvalidInput(problems)
    return meaning


def read_imported(folder: Path, known: KnownIds) -> tuple[Imported, ...]:
    """Read every table in a study's folder `scores`, and hold its ids against the study's.

    Raises:
        InvalidInput: Every problem of every file.
    """
    tables_read: list[Imported] = []
    problems: list[Problem] = []
    for path in tables_of(folder, SCORES):
        try:
            tables_read.append(_read(path, known))
        except InvalidInput as error:
            problems += error.problems
    twice: dict[str, str] = {}
    for imported in tables_read:
        for source in imported.table.sources:
            if source in twice:
                got = f'"{source}" in {twice[source]} too'
                problems.append(Problem(imported.file, "hold sources of its own", got))
            twice.setdefault(source, imported.file)
    if problems:
        raise InvalidInput(problems)
    return tuple(tables_read)


def _read(path: Path, known: KnownIds) -> Imported:
    shown = f"{SCORES}/{path.name}"

    def read(sheet: Sheet) -> ScoreTable:
        return scores_from_sheet(sheet, source=path.stem)

    sheet = without_padding(read_sheet(path, shown))
    table = read_checked(sheet, read, known)
    meaning = read_meaning(path.with_suffix(".toml"), f"{SCORES}/{path.stem}.toml")
    outside = meaning.problems(table, shown)
    if outside:
        raise InvalidInput(outside)
    return Imported(shown, table, meaning, sheet.notes)


def read_meaning(path: Path, shown: str) -> Meaning:
    """Read what the file beside a table of scores says of them; nothing if there is no such file.

    Raises:
        InvalidInput: It is no TOML, or says what cannot be.
    """
    return read_toml(Meaning, file_bytes(path, shown), shown) if is_there(path) else Meaning()
