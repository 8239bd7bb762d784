"""A frame gives the numbers that the command line gives on the same data."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import medassay as ma
from medassay.cli.app import app
from medassay.study import write_demo

FORMS: dict[str, Callable[[ma.Judgements], Any]] = {
    "pandas": lambda held: held.to_pandas(),
    "polars": lambda held: held.to_polars(),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["environmental-health", "clinical"])
def test_agreement_is_that_of_the_command_line(tmp_path: Path, name: str, form: str) -> None:
    write_demo(tmp_path / "study", name)
    typed = CliRunner().invoke(app, ["agree", str(tmp_path / "study"), "--json"])
    assert typed.exit_code == 0, typed.output
    printed = {
        (row["dimension"], row["mapping"], row["coefficient"]): row
        for row in json.loads(typed.stdout)["panel"]
    }
    held = ma.open_study(tmp_path / "study").study
    judgements = ma.Judgements.from_frame(FORMS[form](held.judgements), held.rubric)
    names = sorted({coefficient for *_, coefficient in printed})
    computed = {
        (row.dimension, row.mapping, row.coefficient): row
        for row in ma.agree(judgements, coefficient_names=names)
    }
    shared = printed.keys() & computed.keys()
    assert len(shared) == len(printed)
    for key in shared:
        ours, theirs = computed[key], printed[key]
        assert (ours.value, ours.n_units, ours.n_cases, ours.n_raters) == (
            theirs["value"], theirs["n_units"], theirs["n_cases"], theirs["n_raters"]
        )  # fmt: skip
