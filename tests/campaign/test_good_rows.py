"""Of a returned workbook the good rows are taken, and the bad ones named."""

from pathlib import Path

import pytest

from medassay.__main__ import main
from medassay.campaign import collect_sheets
from medassay.errors import InvalidInput
from medassay.judgements.campaign import CampaignPlan, find_plans
from medassay.study import Study

from .conftest import Cells, export, filled, ratings, saved, sheet_of
from .test_import import ROW


@pytest.fixture
def plan(folder: Path) -> CampaignPlan:
    export(folder)
    return find_plans(folder)["main"]


@pytest.fixture
def sheet(folder: Path, plan: CampaignPlan) -> Cells:
    """Give a sheet with every label filled in, and one of them misspelt."""
    assert plan.assignments
    cells = ratings(sheet_of(folder, "rater-1"))
    cells = filled(cells, {row[0]: ROW for row in cells[1:]})
    cells[2][cells[0].index("Answers the question")] = "Partialy so"
    return cells


def test_one_bad_cell_leaves_out_its_row_alone(folder: Path, sheet: Cells) -> None:
    back = saved(folder.parent / "back.xlsx", sheet)
    with pytest.raises(InvalidInput, match="Partialy so"):
        collect_sheets(Study.open_whole(folder), [back])
    assert not len(Study.open_whole(folder).judgements_on_file)
    taken = collect_sheets(Study.open_whole(folder), [back], good_rows=True)
    assert taken.added == 11 * 3
    (named,) = taken.left_out
    assert "Partialy so" in str(named)
    assert "back.xlsx" in str(named)
    # The corrected workbook brings the rest.
    sheet[2][sheet[0].index("Answers the question")] = ROW[0]
    again = collect_sheets(
        Study.open_whole(folder), [saved(folder.parent / "mended.xlsx", sheet)], good_rows=True
    )
    assert (again.added, again.known, again.left_out) == (3, 33, [])


def test_what_is_wrong_with_the_whole_file_refuses_it(folder: Path, sheet: Cells) -> None:
    at = sheet[0].index("Uses the evidence")
    without = [[*row[:at], *row[at + 1 :]] for row in sheet]
    with pytest.raises(InvalidInput, match='have the column "Uses the evidence"'):
        collect_sheets(
            Study.open_whole(folder), [saved(folder.parent / "cut.xlsx", without)], good_rows=True
        )


def test_one_cause_is_named_once_with_a_count(
    folder: Path, sheet: Cells, capsys: pytest.CaptureFixture[str]
) -> None:
    for place, row in enumerate(sheet[3:10]):
        row[0] = f"XXXX-XXX{'BCDFGHJ'[place]}"
    back = saved(folder.parent / "back.xlsx", sheet)
    with pytest.raises(SystemExit) as ended:
        main(["campaign", "collect", str(folder), str(back), "--good-rows"])
    assert ended.value.code == 0
    told = [line for line in capsys.readouterr().out.splitlines() if "be a code of" in line]
    assert len(told) == 1, told
    assert "and 4 more" in told[0]
