"""A pyramid: weighted units that an answer holds or not are criteria with points."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from medassay.cases import Case, Cases
from medassay.cli.app import app
from medassay.consensus import consensus, of_whole_answers
from medassay.judgements import Judgements, load_rubric

UNITS = {"rest": 4, "cold": 3, "raise": 2, "call": 1}
CASES = Cases.of(
    [
        Case(
            case="1",
            criteria=[
                {"id": name, "text": f"Says {name}.", "points": weight}
                for name, weight in UNITS.items()
            ],
        )
    ]
)
SOURCE = "mean(dimension=met)"


def scores(found: dict[str, set[str]], raters: tuple[str, ...] = ("r1",)) -> dict[str, float]:
    """Give each system's score, where these units are found in its answer."""
    judgements = Judgements.from_rows(
        [
            {"rater": rater, "system": system, "case": "1", "dimension": "met",
             "about": f"criterion:{name}", "label": "met" if name in of else "not met"}
            for system, of in found.items()
            for name in UNITS
            for rater in raters
        ],
        load_rubric("criteria"),
    )  # fmt: skip
    table = of_whole_answers(consensus(judgements, "mean"), SOURCE, "criterion", CASES)
    grid = table.grid(SOURCE, sorted(found), ["1"])
    return dict(zip(grid.systems, grid.values[:, 0].tolist(), strict=True))


def test_the_weight_found_is_divided_by_all_weight() -> None:
    got = scores({"all": set(UNITS), "top": {"rest"}, "tail": {"raise", "call"}, "none": set()})
    assert got == pytest.approx({"all": 1.0, "top": 0.4, "tail": 0.3, "none": 0.0})


def test_a_heavier_unit_is_worth_more_than_several_light_ones() -> None:
    got = scores({"heavy": {"rest"}, "light": {"raise", "call"}})
    assert got["heavy"] > got["light"]


def test_several_raters_count_each_unit_by_how_many_found_it() -> None:
    assert scores({"a": {"cold"}}, ("r1", "r2"))["a"] == pytest.approx(0.3)


def test_the_command_gives_the_answers_score_and_no_mean_with_its_parts(tmp_path: Path) -> None:
    (tmp_path / "answers").mkdir()
    (tmp_path / "study.toml").write_text(
        'schema = 1\ntitle = "P"\n[[dimensions]]\nrubric = "criteria"\n'
        '[consensus]\nmethods = ["mean"]\n',
        encoding="utf-8",
    )
    case = CASES["1"].model_dump(mode="json", exclude_defaults=True)
    (tmp_path / "cases.jsonl").write_text(
        json.dumps({**case, "question": "What helps?"}), encoding="utf-8"
    )
    (tmp_path / "answers" / "a.jsonl").write_text(
        json.dumps({"case": "1", "text": "Rest."}), encoding="utf-8"
    )
    rows = [f"r1,a,1,criterion:{n},met,{'met' if n == 'rest' else 'not met'}" for n in UNITS]
    (tmp_path / "judgements.csv").write_text(
        "\n".join(["rater,system,case,about,dimension,label", *rows]), encoding="utf-8"
    )
    done = CliRunner().invoke(app, ["consensus", str(tmp_path), "--json"])
    assert done.exit_code == 0, done.output
    (mean,) = json.loads(done.stdout)["means"]
    assert (mean["mean"], mean["scored"]) == (pytest.approx(0.4), 1)
