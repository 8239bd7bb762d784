"""Which labels an import changes, one by one, with the cells that say so."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Final, Literal

from medassay.judgements.campaign import FOLDER
from medassay.tables import csv_bytes, guarded_cell

__all__ = ["LabelChange", "with_changes"]

CHANGES: Final = "changes.csv"


@dataclass(frozen=True)
class LabelChange:
    """One label or comment of the study that a sheet does not repeat.

    Attributes:
        outcome: changed: a new row corrects the label; comment: the label stays and the words
            beside it are new; kept: the cell is empty, and the earlier label holds.
        rater: The rater.
        code: The code.
        dimension: The dimension.
        case: The case.
        systems: The system, or the two.
        phase: calibration, main or repeat.
        old: What the study held: a label, a reason, or words.
        new: What the sheet says; empty where it says nothing.
        file: The file.
        cell: The cell.
    """

    outcome: Literal["changed", "comment", "kept"]
    rater: str
    code: str
    dimension: str
    case: str
    systems: str
    phase: str
    old: str
    new: str
    file: str
    cell: str

    def __str__(self) -> str:
        """Say it in one line."""
        where = f"{self.file}, {self.cell}: {self.rater}, {self.code}, {self.dimension}"
        if self.outcome == "kept":
            return f'{where}: empty; "{self.old}" holds'
        return f'{where}: "{self.old}" -> "{self.new}"'


def with_changes(study: Path, campaign: str, changes: Sequence[LabelChange]) -> tuple[str, bytes]:
    """Write changes behind those of earlier imports.

    Returns:
        The name of the campaign's file of changes, and what it now holds.
    """
    name = f"{FOLDER}/{campaign}/{CHANGES}"
    header = [field.name for field in fields(LabelChange)]
    rows = [[guarded_cell(cell) for cell in asdict(change).values()] for change in changes]
    content = csv_bytes(header, rows)
    path = study / name
    if not path.is_file():
        return name, content
    there = path.read_bytes()
    end = b"" if there.endswith(b"\n") else b"\n"
    return name, there + end + content.partition(b"\n")[2]
