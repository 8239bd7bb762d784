"""A table of means is an input of `validity`."""

from pathlib import Path

import pytest
from tests.cli.conftest import Command

TABLE = Path("examples/data/archehr_table_s1.csv")


@pytest.mark.slow
def test_the_command_prints_the_strongest_and_says_how_to_see_the_rest(
    medassay: Command, tmp_path: Path
) -> None:
    table = tmp_path / "means.csv"
    rows = TABLE.read_text(encoding="utf-8").splitlines()[:8]
    table.write_text("\n".join(rows) + "\n", encoding="utf-8")
    said = medassay("validity", table)
    assert "280 more pairs: --full." in said.out
    assert "not which is right" in said.out
    assert len(medassay("validity", table, "--full").out.splitlines()) > 300
    assert len(medassay("validity", table, "--json").json()["pairs"]) == 300


def test_what_is_left_out_is_said_and_a_bad_cell_is_an_error(
    medassay: Command, tmp_path: Path
) -> None:
    table = tmp_path / "means.csv"
    table.write_text("system,team,a,b\nA,x,1,1\nB,y,2,2\nC,z,3,3\nD,w,4,4\n", encoding="utf-8")
    assert "no numbers in team" in medassay("validity", table).err
    table.write_text("system,a,b\nA,1,1\nB,2,x\nC,3,3\nD,4,4\n", encoding="utf-8")
    said = medassay("validity", table)
    assert said.code == 2
    assert 'means.csv, row 3, column b: must be a number; got "x"' in said.err
