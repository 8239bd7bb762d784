"""medassay triage writes a queue that a campaign takes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from medassay.study import write_demo

Command = Callable[..., Any]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("triage") / "cochrane"
    write_demo(folder, "cochrane")
    return folder


def test_a_campaign_rates_what_the_queue_names(
    medassay: Command, demo: Path, tmp_path: Path
) -> None:
    queue = tmp_path / "queue.csv"
    said = medassay("triage", demo, "--n", 12, "--dimension", "fluency", "--out", queue, "--json")
    told = said.json()["queue"]
    lines = queue.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "system,case,priority,why"
    assert len(lines) == 13 == len(told) + 1
    words = ["campaign", "create", demo, "--queue", queue, "--raters", "anna,ben", "--name", "next"]
    assert "Campaign next: 12 answers, 2 raters." in medassay(*words).out
    key = (demo / "campaigns" / "next" / "key.csv").read_text(encoding="utf-8").splitlines()[1:]
    sent = {(line.split(",")[6], line.split(",")[5]) for line in key}
    assert sent == {(one["system"], one["case"]) for one in told}


def test_a_queue_replaces_no_other_file(medassay: Command, demo: Path, tmp_path: Path) -> None:
    other = tmp_path / "labels.csv"
    other.write_text("system,case,label\n", encoding="utf-8")
    said = medassay("triage", demo, "--n", 2, "--dimension", "fluency", "--out", other)
    assert said.code == 2
    assert "labels.csv: must be a new file, or an earlier queue" in said.err
    assert other.read_text(encoding="utf-8") == "system,case,label\n"


def test_danger_takes_what_opinions_differ_about_and_warns(medassay: Command, demo: Path) -> None:
    said = medassay("triage", demo, "--n", 5, "--for", "danger", "--dimension", "population")
    assert "opinions differ" in said.out
    assert "biased" in said.out


def test_a_queue_of_another_study_is_refused(medassay: Command, demo: Path, tmp_path: Path) -> None:
    queue = tmp_path / "queue.csv"
    queue.write_text("system,case\nnobody,CD000123\n", encoding="utf-8")
    said = medassay("campaign", "create", demo, "--queue", queue, "--raters", "1", "--name", "x")
    assert said.code == 2
    assert "queue.csv, row 2: must name an answer of the study" in said.err


def test_a_draw_keeps_its_chances_and_its_judgements_are_weighted(
    medassay: Command, tmp_path: Path
) -> None:
    study, queue = tmp_path / "cochrane", tmp_path / "queue.csv"
    write_demo(study, "cochrane")
    rows = (study / "judgements.csv").read_text(encoding="utf-8").splitlines()
    at = {name: i for i, name in enumerate(rows[0].split(","))}
    keep = [r for r in rows[1:] if r.split(",")[at["dimension"]] != "fluency"]
    fluency = [r for r in rows[1:] if r not in set(keep)]
    (study / "judgements.csv").write_text("\n".join([rows[0], *keep]) + "\n", encoding="utf-8")
    words = ["triage", study, "--n", 1200, "--for", "mean", "--dimension", "fluency"]
    told = medassay(*words, "--out", queue, "--json").json()
    assert 1100 < len(told["queue"]) < 1300
    assert "plain means over these answers are biased" in told["notes"][0].lower()
    create = ["campaign", "create", study, "--queue", queue, "--raters", "anna", "--name", "next"]
    assert medassay(*create).code == 0
    assert (study / "campaigns" / "next" / "chances.csv").read_bytes() == queue.read_bytes()
    drawn = {(one["system"], one["case"]) for one in told["queue"]}
    back = [r for r in fluency if tuple(r.split(",")[at[k]] for k in ("system", "case")) in drawn]
    text = "\n".join([rows[0], *keep, *back]) + "\n"
    (study / "judgements.csv").write_text(text, encoding="utf-8")
    found = medassay("validity", study, "--json").json()["drawn_scores"]
    fluent = [one for one in found if one["dimension"] == "fluency"]
    assert len(fluent) == 6
    for one in fluent:
        assert one["before"] == 0
        # Only fifty answers of each system were ever judged: the rest of the draw is not back.
        assert 10 < one["back"] < one["drawn"]
        assert "missing by chance" in one["weighted"]["warning"]
        assert 0 <= one["weighted"]["estimate"] <= 2.2
