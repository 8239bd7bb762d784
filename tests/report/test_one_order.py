"""Every form of a report has its tables in one order, under the same numbers."""

import re

import pytest
from tools.standard import STANDARD
from tools.standard.shared import SharedRuns

from medassay.report import read_results
from medassay.report.contents import Contents, tables_of

ON_THE_PAGE = re.compile(r'<figcaption id="c-([^"]+)"><span><b>Table (\d+)\.')


@pytest.mark.parametrize("name", STANDARD)
def test_files_have_the_numbers_and_the_order_of_the_page(
    standard_run: SharedRuns, name: str
) -> None:
    folder = standard_run(name).folder
    page = dict(ON_THE_PAGE.findall((folder / "report.html").read_text(encoding="utf-8")))
    results = read_results(folder / "report.json")
    every = tables_of(results)
    numbers = [table.number for table in every]
    assert numbers == sorted(set(numbers))
    beside = {table.id: str(table.number) for table in every if table.id in page}
    # What the page alone has are rows that another table has as well.
    shown = {table.id: table for table in Contents.of(results).shown}
    assert page == {name: str(table.number) for name, table in shown.items()}
    assert all(shown[name].whole for name in page.keys() - beside.keys())
    # A subtask that nobody judged shows its board, the leaderboard and the pairs.
    assert len(beside) >= 3
    assert beside == {name: page[name] for name in beside}
    last = max(map(int, page.values()))
    assert all(table.number > last for table in every if table.id not in page)
