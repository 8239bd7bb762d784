"""A published table of means is held against itself, column by column, and every bad cell named."""

from pathlib import Path

import pytest
from scipy.stats import kendalltau

from medassay.errors import InvalidInput
from medassay.tables import read_sheet
from medassay.validity import order_of_means

TABLE = Path("examples/data/archehr_table_s1.csv")


def sheet_of(text: str, tmp_path: Path) -> Path:
    path = tmp_path / "means.csv"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.slow
def test_a_published_table_is_read_and_its_taus_are_those_of_scipy() -> None:
    sheet = read_sheet(TABLE)
    found = order_of_means(sheet, rng=1)
    assert len(found.systems) == 28
    assert len(found.pairs) == 25 * 24 // 2
    for pair in found.pairs:
        x, y = (
            [float(str(cell)) for cell in sheet.columns[name]] for name in (pair.first, pair.second)
        )
        assert pair.tau == pytest.approx(kendalltau(x, y).statistic, abs=1e-12)
        assert pair.p is not None
        assert pair.p_adjusted is not None
        assert pair.p <= pair.p_adjusted


def test_a_mean_that_was_not_published_leaves_its_system_out_of_that_pair_alone(
    tmp_path: Path,
) -> None:
    text = "system,team,a,b,same\nA,x,1,1,5\nB,y,2,2,5\nC,z,3,,5\nD,w,4,4,5\n"
    found = order_of_means(read_sheet(sheet_of(text, tmp_path)), rng=1)
    assert found.left_out == ("team",)
    told = {(pair.first, pair.second): (pair.tau, pair.n_systems) for pair in found.pairs}
    assert told == {("a", "b"): (1.0, 3), ("a", "same"): (None, 4), ("b", "same"): (None, 3)}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("system,a,b\nA,1,2\nB,2,high\nC,3,4\nD,4,5\n", ["row 3, column b", "be a number", "high"]),
        ("system,a,b\nA,1,2\nB,2,3\nC,3,4\nA,4,5\n", ["row 5", "name each system once", "A"]),
        ("system,a,b\nA,1,2\nB,2,3\n", ["at least 4 systems", "2"]),
        ("system,a\nA,1\nB,2\nC,3\nD,4\n", ["two columns of numbers", "a"]),
        ("model,a,b\nA,1,2\nB,2,3\nC,3,4\nD,4,5\n", ["hold a column system", "model"]),
        ("system,a,b\nA,1,2\nB,2,inf\nC,3,4\n,4,5\n", ["column b", "inf", "row 5", "a system"]),
    ],
)
def test_what_is_wrong_is_named_by_row_and_column(
    text: str, said: list[str], tmp_path: Path
) -> None:
    with pytest.raises(InvalidInput) as refused:
        order_of_means(read_sheet(sheet_of(text, tmp_path)), rng=1)
    for words in said:
        assert words in str(refused.value)
