"""Two of MIRAGE's systems through the gate, in both directions, with the answers that flipped."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tools.make_mirage_study import mirage_files
from typer.testing import CliRunner

from medassay.cli.app import app
from medassay.tables import write_atomically

PREDICTIONS = Path(__file__).parents[2] / "data" / "mirage_mcq" / "predictions.csv"
WEAK, STRONG = "gpt-35-turbo-16k_cot", "gpt-4-32k_cot"


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mirage")
    for name, content in mirage_files(PREDICTIONS).items():
        write_atomically(folder / name, content)
    return folder


def gate(study: Path, old: str, new: str, *words: str) -> tuple[int, str]:
    sides = [f"{study}:{old}", f"{study}:{new}"]
    done = CliRunner().invoke(app, ["compare", *sides, "-m", "exact_match", *words])
    return done.exit_code, done.output


def as_json(study: Path, old: str, new: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(gate(study, old, new, "--json")[1])
    return found


@pytest.mark.slow
def test_the_stronger_model_passes_and_the_weaker_one_is_worse(study: Path) -> None:
    there, back = as_json(study, WEAK, STRONG), as_json(study, STRONG, WEAK)
    assert (there["exit_code"], there["results"][0]["verdict"]) == (0, "metric not worse")
    assert (back["exit_code"], back["results"][0]["verdict"]) == (3, "worse")
    [up], [down] = (found["results"][0]["systems"] for found in (there, back))
    assert up["difference"] == -down["difference"]


@pytest.mark.slow
def test_the_flipped_answers_are_the_difference(study: Path) -> None:
    there, back = as_json(study, WEAK, STRONG), as_json(study, STRONG, WEAK)
    kinds = Counter(one["kind"] for one in there["choices"])
    turned = Counter(one["kind"] for one in back["choices"])
    [row] = there["results"][0]["systems"]
    assert kinds["fixed"] - kinds["broken"] == round(row["difference"] * row["n"])
    assert (kinds["fixed"], kinds["broken"]) == (turned["broken"], turned["fixed"])
    code, said = gate(study, STRONG, WEAK)
    assert code == 3
    assert f"{turned['broken']} broken, {turned['fixed']} fixed" in said
    first = back["choices"][0]
    line = f"{first['case']}: {first['old']} to {first['new'] or 'none'}, right is {first['gold']}"
    assert line in said
