"""Whether a file is a spreadsheet of a study, by what its columns say."""

from pathlib import Path

from medassay.exchange.spreadsheet.read import read_tables
from medassay.exchange.spreadsheet.readings import read_columns
from medassay.judgements import Rubric, choose_rubric, library_dimensions
from medassay.tables import gc_paused

__all__ = ["holds_a_study", "library_rubric"]


@gc_paused()
def holds_a_study(file: Path) -> bool:
    """Say whether a file's columns say that it holds questions, answers or ratings."""
    tables, _, _ = read_tables([file])
    dimensions = library_rubric().dimensions
    return any(read_columns(table, {}, dimensions).tells for table in tables)


def library_rubric() -> Rubric:
    """Give every dimension that comes with medassay."""
    return choose_rubric(",".join(library_dimensions())).rubric
