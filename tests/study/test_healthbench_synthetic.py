"""The synthetic study in HealthBench's form: as its script makes it, with something to find."""

from pathlib import Path

import pytest
from tools.make_healthbench_synthetic import write_healthbench_synthetic
from typer.testing import CliRunner

from medassay.cli import app
from medassay.library import run_and_report
from medassay.study import Study, write_demo

NAME = "healthbench-synthetic"


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_it_ships_as_its_script_makes_it(tmp_path: Path) -> None:
    write_healthbench_synthetic(tmp_path / "made")
    write_demo(tmp_path / "shipped", NAME)
    assert files(tmp_path / "made") == files(tmp_path / "shipped")


def test_it_says_that_it_is_made_up(tmp_path: Path) -> None:
    write_demo(tmp_path / "demo", NAME)
    assert Study.open(tmp_path / "demo").config.synthetic


@pytest.mark.slow
def test_the_first_sentences_tell_harm_and_who_meets_most(tmp_path: Path) -> None:
    write_demo(tmp_path / "demo", NAME)
    found = {one.id: one for one in run_and_report(tmp_path / "demo").summary.findings}
    assert "Brief did what no answer should" in found["criteria-against"].text
    assert "earned the largest share" in found["criteria-met"].text
    assert "model-1" in found["graders"].text


def test_the_checker_finds_nothing_wrong(tmp_path: Path) -> None:
    write_demo(tmp_path / "demo", NAME)
    done = CliRunner().invoke(app, ["check", str(tmp_path / "demo")])
    assert done.exit_code == 0, done.output
