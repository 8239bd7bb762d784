"""A file that came back and is no sheet is refused in words that fit it."""

from pathlib import Path

import pytest
from openpyxl import Workbook

from medassay.campaign.rating_sheet import read_returned
from medassay.errors import InvalidInput


@pytest.mark.parametrize(
    ("pages", "got"), [(1, "none"), (2, "none on any of its pages")], ids=["one page", "two"]
)
def test_a_workbook_without_codes_names_its_pages_where_it_has_several(
    tmp_path: Path, pages: int, got: str
) -> None:
    book = Workbook()
    for n in range(pages):
        page = book.worksheets[n] if n == 0 else book.create_sheet(f"Page {n}")
        page.append(["Answer"])
        page.append(["Two."])
    book.save(file := tmp_path / "back.xlsx")
    with pytest.raises(InvalidInput) as caught:
        read_returned(file)
    [problem] = caught.value.problems
    assert (problem.file, problem.got) == ("back.xlsx", got)
