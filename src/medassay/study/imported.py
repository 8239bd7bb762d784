"""Other people's scores, as they lie in a study's folder `scores`.

Each table may have a .toml file of the same name beside it that says which way is better, and what
the numbers mean.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from medassay.errors import InvalidInput, Problem
from medassay.scores import ScoreTable, scores_from_sheet
from medassay.tables import read_record, read_sheet

__all__ = ["Imported", "Meaning", "read_imported"]

FOLDER: Final = "scores"

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
    """

    file: str
    table: ScoreTable
    meaning: Meaning


def read_imported(folder: Path) -> tuple[Imported, ...]:
    """Read every table in a study's folder `scores`.

    Raises:
        InvalidInput: Every problem of every file.
    """
    inner = folder / FOLDER
    found: list[Imported] = []
    problems: list[Problem] = []
    paths = sorted(inner.iterdir()) if inner.is_dir() else []
    for path in paths:
        if path.suffix.lower() not in {".csv", ".jsonl", ".parquet"} or path.name.startswith("."):
            continue
        shown = f"{FOLDER}/{path.name}"
        try:
            table = scores_from_sheet(read_sheet(path, shown), source=path.stem)
            found.append(Imported(shown, table, _meaning(path.with_suffix(".toml"))))
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


def _meaning(path: Path) -> Meaning:
    if not path.is_file():
        return Meaning()
    shown = f"{FOLDER}/{path.name}"
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidInput(Problem(shown, "be TOML in UTF-8", str(error))) from error
    problems: list[Problem] = []
    meaning = read_record(Meaning, values, file=shown, row=None, problems=problems)
    if meaning is None:
        raise InvalidInput(problems)
    return meaning
