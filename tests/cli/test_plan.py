"""medassay plan on the demo: table, curve, files, and wishes that cannot be."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tools.quick_runs import read_once

from medassay.study import write_demo

Command = Callable[..., Any]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("plan") / "cochrane"
    write_demo(folder, "cochrane")
    with read_once():
        yield folder


def test_a_difference_has_its_cases_raters_and_judgements(medassay: Command, demo: Path) -> None:
    said = medassay("plan", demo, "--detect", "0.2", "--dimension", "fluency", "--json").json()
    rows = said["separate"]
    assert [row["labels"] for row in rows] == [1, 2, 3, 5]
    assert [row["now"] for row in rows] == [True, False, False, False]
    for row in rows:
        assert row["judgements_pair"] == 2 * row["cases_pair"] * row["labels"]
        assert row["judgements_all"] == 6 * row["cases_all"] * row["labels"]
        assert row["cases_all"] > row["cases_pair"]
    powers = [point["power"] for point in said["curves"][0]["points"]]
    assert powers == sorted(powers)
    assert said["assumes"]


@pytest.mark.slow
def test_a_metric_needs_no_rater_and_tau_has_a_width(medassay: Command, demo: Path) -> None:
    name = "rouge1(ref=human)"
    said = medassay("plan", demo, "--detect", ".05", "-m", name).out
    assert "ROUGE-1" in said
    assert "What it takes to find a difference of 0.05" in said
    told = medassay("plan", demo, "--width", ".4", "-m", name, "--dimension", "fluency", "--json")
    [*rows] = told.json()["widths"]
    assert {row["metric"] for row in rows} == {name}
    assert all(row["systems"] > 6 for row in rows)
    assert any("6 systems" in one for one in told.json()["assumes"])


def test_what_a_gate_can_say_is_told_with_the_plan(medassay: Command, demo: Path) -> None:
    words = ("plan", demo, "--detect", "0.2", "--dimension", "fluency")
    text = medassay(*words).out
    order = "the order of two systems is decided from a difference in right answers of 0."
    assert f"each (corrected for 15 pairs), {order}" in text
    assert "on a score of harm from 0 to 1 says 'metric not worse' from 216 answers on" in text
    assert "calls up to 2.5 worse" in text
    told = medassay(*words, "--margin", ".05", "--json").json()["differences_at_best"]
    assert (told["margin"], told["false_alarms"]) == (0.05, 2.5)
    assert told["floors"][0]["alone"] < 216


def test_what_a_reliability_takes_is_told_where_nothing_else_is_asked(
    medassay: Command, demo: Path
) -> None:
    assert "Raters and cases that a reliability takes" in medassay("plan", demo).out
    of_systems, of_answer = medassay("plan", demo, "--dimension", "fluency", "--json").json()[
        "reliability"
    ]
    assert (of_systems["dimension"], of_systems["of"], of_answer["of"]) == (
        "fluency", "systems", "answer",
    )  # fmt: skip
    assert [needed["target"] for needed in of_systems["needed"]] == [0.7, 0.8, 0.9]
    asked = medassay("plan", demo, "--detect", "0.2", "--json").json()
    assert asked["reliability"] == []


@pytest.mark.parametrize("form", ["csv", "md", "json", "svg", "png"])
def test_every_form_is_written_the_same_twice(
    medassay: Command, demo: Path, tmp_path: Path, form: str
) -> None:
    words = ["plan", demo, "--detect", ".2", "--dimension", "fluency", "--export"]
    files = [tmp_path / f"{i}.{form}" for i in (1, 2)]
    assert [medassay(*words, file).code for file in files] == [0, 0]
    assert files[0].read_bytes() == files[1].read_bytes()


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["--detect", "0"], "--detect: must be above 0; got 0"),
        (["--margin", "0"], "margin: must be above 0; got 0"),
        (
            ["--detect", "200", "--dimension", "fluency"],
            "the width of a scale (fluency: 2); got 200",
        ),
        (["--width", "3"], "--width: must lie between 0 and 2; got 3"),
        (["--dimension", "fluensy"], 'Did you mean "fluency"'),
        (["-m", "rouge1"], "there is no metric of the study"),
        (["--dimension", "fluency", "--export", "plan.txt"], "end in .csv, .md, .json"),
    ],
)
def test_wishes_that_cannot_be(medassay: Command, demo: Path, words: list[str], error: str) -> None:
    said = medassay("plan", demo, *words)
    assert said.code == 2
    assert error in said.err
