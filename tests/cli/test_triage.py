"""medassay triage writes a queue that a campaign takes."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from medassay.judgements.campaign import find_plans
from medassay.study import write_demo
from medassay.tables import csv_bytes

Command = Callable[..., Any]
HALF: Final = ("careful", "chest-pressure")


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


@pytest.mark.slow
def test_danger_takes_what_metrics_differ_about_and_warns(medassay: Command, demo: Path) -> None:
    said = medassay("triage", demo, "--n", 5, "--for", "danger", "--dimension", "population")
    assert "metrics differ" in said.out
    assert "biased" in said.out


def test_a_queue_of_another_study_is_refused(medassay: Command, demo: Path, tmp_path: Path) -> None:
    queue = tmp_path / "queue.csv"
    queue.write_text("system,case\nnobody,CD000123\n", encoding="utf-8")
    said = medassay("campaign", "create", demo, "--queue", queue, "--raters", "1", "--name", "x")
    assert said.code == 2
    assert "queue.csv, row 2: must name an answer of the study" in said.err


@pytest.mark.slow
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


def repeated(folder: Path) -> dict[str, list[str]]:
    """Write a study whose systems answered twice, with one first answer judged in part."""
    write_demo(folder, "healthbench-synthetic")
    for file in (folder / "answers").glob("*.jsonl"):
        lines = file.read_text(encoding="utf-8").splitlines()
        again = [json.dumps({**json.loads(line), "sample": 1}) for line in lines]
        file.write_text("\n".join([*lines, *again]) + "\n", encoding="utf-8")
    table = folder / "judgements.csv"
    header, *rows = table.read_text(encoding="utf-8").splitlines()
    names = header.split(",")
    of = [dict(zip(names, row.split(","), strict=True)) for row in rows]
    own = sorted({row["about"] for row in of if (row["system"], row["case"]) == HALF})
    kept = [
        line
        for line, row in zip(rows, of, strict=True)
        if (row["system"], row["case"]) != HALF or row["about"] == own[0]
    ]
    table.write_text("\n".join([header, *kept]) + "\n", encoding="utf-8")
    return {"judged": own[:1], "left": own[1:]}


@pytest.mark.slow
def test_repeated_answers_and_parts_go_through_the_queue_by_their_own_key(
    medassay: Command, tmp_path: Path
) -> None:
    study, queue = tmp_path / "study", tmp_path / "queue.csv"
    parts = repeated(study)
    told = medassay("triage", study, "--n", 49, "--out", queue, "--json").json()
    # Of 48 first answers one is judged in part; none of the 48 second ones is.
    assert told["open"] == 49
    keys = {(one["system"], one["case"], one["sample"]): one["parts"] for one in told["queue"]}
    assert len(keys) == 49
    assert sorted(keys.pop((*HALF, 0))) == parts["left"]
    assert {sample for _, _, sample in keys} == {1}
    assert not any(keys.values())
    with queue.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [*rows[0]] == ["system", "case", "sample", "about", "priority", "why"]
    half = [row for row in rows if (row["system"], row["case"], row["sample"]) == (*HALF, "0")]
    assert sorted(row["about"] for row in half) == parts["left"]

    words = ["--queue", queue, "--raters", "zoe", "--name", "next"]
    assert "49 answers, 1 rater" in medassay("campaign", "create", study, *words).out
    assert medassay("campaign", "sheets", study, "--name", "next", "--format", "csv").code == 0
    plan = find_plans(study)["next"]
    code = {(one.item.system, one.item.case, one.item.sample): one.code for one in plan.assignments}
    sheet = study / "campaigns/next/sheets/zoe.csv"
    with sheet.open(encoding="utf-8-sig", newline="") as file:
        asked = [row for row in csv.DictReader(file) if row["Code"] == code[*HALF, 0]]
    numbers = [row["About"] for row in asked if row["About"].startswith("Criterion")]
    assert len(numbers) == len(parts["left"])
    # Each keeps the number that it has in the case: what is judged already is not asked again.
    assert len(numbers) < int(numbers[-1].split()[-1]) or numbers[0] != "Criterion 1"

    # Filled and taken in, the sheet holds what was asked, each by its own key.
    text = sheet.read_text(encoding="utf-8-sig")
    rows = list(csv.DictReader(text.splitlines()))
    said = next(name for name in rows[0] if name.startswith("Criteria met") or name == "met")
    back = tmp_path / "zoe.csv"
    cells = [
        [row["Code"], row["About"], "met" if row["About"].startswith("Criterion") else ""]
        for row in rows
    ]
    back.write_bytes(csv_bytes(["Code", "About", said], cells))
    assert medassay("campaign", "collect", study, back).code == 0
    assert medassay("triage", study, "--n", 5, "--json").json()["open"] == 0


def test_a_queue_names_a_part_that_there_can_be(medassay: Command, tmp_path: Path) -> None:
    study, queue = tmp_path / "study", tmp_path / "queue.csv"
    write_demo(study, "healthbench-synthetic")
    queue.write_text(
        f"system,case,sample,about\n{HALF[0]},{HALF[1]},3,\n{HALF[0]},{HALF[1]},0,page:2\n",
        encoding="utf-8",
    )
    said = medassay("campaign", "create", study, "--queue", queue, "--raters", "1", "--name", "x")
    assert said.code == 2
    assert 'queue.csv, row 2: must name an answer of the study; got system "careful"' in said.err
    assert 'sample "3".\n' in said.err
    assert "queue.csv, row 3: must name a part of an answer" in said.err


def test_what_a_system_answered_twice_is_drawn_together(medassay: Command, tmp_path: Path) -> None:
    study, queue = tmp_path / "study", tmp_path / "queue.csv"
    repeated(study)
    table = study / "judgements.csv"
    table.write_text(table.read_text(encoding="utf-8").splitlines()[0] + "\n", encoding="utf-8")
    words = ["triage", study, "--for", "mean", "--n", 40, "--out", queue]
    told = medassay(*words, "--json").json()
    assert told["open"] == 96
    with queue.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    drawn = {(row["system"], row["case"], row["sample"]) for row in rows if row["drawn"] == "yes"}
    assert {(system, case, "0") for system, case, _ in drawn} <= drawn
    assert {(system, case, "1") for system, case, _ in drawn} <= drawn
    assert sum(float(row["chance"]) for row in rows) == pytest.approx(40)
