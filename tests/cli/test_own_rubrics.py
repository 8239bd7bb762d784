"""A study that asks what its lead chose: medassay new --rubric, medassay rubric new."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from medassay.cli.app import app
from medassay.judgements import load_rubric
from medassay.study import Study


@pytest.mark.parametrize("more", [[], ["--empty"]])
def test_a_new_study_asks_the_dimensions_that_were_named(tmp_path: Path, more: list[str]) -> None:
    folder = tmp_path / "s"
    told = CliRunner().invoke(app, ["new", str(folder), "--rubric", "accuracy,safety", *more])
    assert told.exit_code == 0, told.output
    assert f"wrote {folder / 'rubric.toml'}" in told.output
    assert load_rubric(folder / "rubric.toml").ids == ("accuracy", "safety")
    if not more:
        study = Study.open_whole(folder)
        assert study.rubric.ids == ("accuracy", "safety")
        assert set(study.judgements.frame["dimension"]) == {"accuracy", "safety"}


def test_a_rubric_of_ones_own_goes_into_the_study(tmp_path: Path) -> None:
    own = tmp_path / "ward.toml"
    assert CliRunner().invoke(app, ["rubric", "new", str(own), "bias"]).exit_code == 0
    own.write_text(own.read_text("utf-8").replace('"Bias"', '"Fairness"'), encoding="utf-8")
    told = CliRunner().invoke(app, ["new", str(tmp_path / "s"), "--rubric", str(own)])
    assert told.exit_code == 0, told.output
    assert Study.open_whole(tmp_path / "s").rubric.dimension("bias").title == "Fairness"


@pytest.mark.parametrize("name", ["there.toml", "mine.txt"])
def test_a_rubric_is_written_over_nothing(tmp_path: Path, name: str) -> None:
    (tmp_path / "there.toml").write_text("mine", encoding="utf-8")
    path = tmp_path / name
    told = CliRunner().invoke(app, ["rubric", "new", str(path), "bias"])
    assert told.exception is not None
    assert "be a new file that ends in .toml" in str(told.exception)
    assert (tmp_path / "there.toml").read_text("utf-8") == "mine"


def test_any_rubric_can_be_written_as_a_file(tmp_path: Path) -> None:
    told = CliRunner().invoke(app, ["rubric", "new", str(tmp_path / "mine.toml"), "likert5"])
    assert told.exit_code == 0, told.output
    assert load_rubric(tmp_path / "mine.toml") == load_rubric("likert5")
