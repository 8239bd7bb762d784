"""Scores that came with a file are held against people, and against answer length."""

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from medassay.analyses import run_study
from medassay.analyses.builtin.better_than_length import better_than_length
from medassay.analyses.inputs.answer_order import asks_the_same
from medassay.exhibits.claim import ReaderQuestion
from medassay.report import findings
from medassay.report.tables import all_tables
from medassay.study import open_run

Command = Callable[..., Any]
SYSTEMS, CASES = "ABC", 24


@pytest.fixture
def study(tmp_path: Path) -> Path:
    folder = tmp_path / "study"
    (folder / "answers").mkdir(parents=True)
    (folder / "scores").mkdir()
    rng = np.random.default_rng(8)
    (folder / "study.toml").write_text(
        'schema = 1\ntitle = "Held"\n[protocol]\nname = "ratings"\n[[metrics]]\nname = "length"\n'
        "[run]\nreplicates = 100\n",
        encoding="utf-8",
    )
    cases = [{"case": f"c{k:02}", "question": "Why does it hurt?"} for k in range(CASES)]
    lines = "".join(f"{json.dumps(case)}\n" for case in cases)
    (folder / "cases.jsonl").write_text(lines, encoding="utf-8")
    judged, scored = [], []
    for system in SYSTEMS:
        answers = []
        for case in cases:
            words = int(rng.integers(3, 40))
            text = " ".join(["word"] * words)
            answers.append(json.dumps({"case": case["case"], "text": text}))
            quality = int(rng.integers(1, 6))
            judged += [["anna", system, case["case"], "quality", quality]]
            scored.append([system, case["case"], quality + rng.normal()])
        path = folder / "answers" / f"{system}.jsonl"
        path.write_text("\n".join(answers) + "\n", encoding="utf-8")
    table(folder / "judgements.csv", ["rater", "system", "case", "dimension", "label"], judged)
    table(folder / "scores" / "faithfulness.csv", ["system", "case", "value"], scored)
    return folder


def rows(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def records(path: Path) -> list[dict[str, str]]:
    header, *body = rows(path)
    return [dict(zip(header, row, strict=True)) for row in body]


def table(path: Path, header: list[str], rows: list[list[Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])


def test_scores_of_a_file_stand_on_the_first_screen(study: Path) -> None:
    results, _ = run_study(open_run(study))
    record = results.analyses.of(better_than_length)
    assert record is not None
    [own] = record.told
    assert own.imported
    assert not own.same
    [said] = [one for one in findings(results) if one.id == "answer-order"]
    assert said.answers is ReaderQuestion.METRICS
    assert said.rows == ("length",)
    number = r"−?\d+"
    assert re.fullmatch(
        rf"faithfulness orders answers as your raters do on .+ in {number}% of pairs "
        rf"\(95% CI {number} to {number}\)\. Answer length does in {number}%\. "
        rf"The difference is {number} points \(95% CI {number} to {number}\): "
        r"shown to be better than length\.",
        said.text,
    )


def test_without_ratings_it_says_what_labels_could_show_and_how_to_draw_them(
    study: Path, medassay: Command
) -> None:
    (study / "judgements.csv").unlink()
    results, _ = run_study(open_run(study))
    [said] = [one for one in findings(results) if one.id == "answer-order-labels"]
    assert said.answers is ReaderQuestion.NEXT
    assert re.search(r"72 rated answers are enough if .* on \d+ more of 100 pairs", said.text)
    assert "medassay campaign create STUDY --raters 3 --queue 72" in said.text
    [caption] = [one.caption for one in all_tables(results) if one.id == "answer-order"]
    could = said.text.partition("--queue 72. ")[2].removesuffix(".")
    assert f"{could}; the campaign for them has 3 raters." in caption
    made = medassay("campaign", "create", study, "--raters", "anna,ben", "--queue", "30")
    assert made.code == 0, made.err
    chances = records(study / "campaigns/main/chances.csv")
    assert {row["drawn_by"] for row in chances} == {"case"}
    assert sum(float(row["chance"]) for row in chances) == pytest.approx(30)
    of_case: dict[str, set[tuple[str, str]]] = {}
    for row in chances:
        of_case.setdefault(row["case"], set()).add((row["drawn"], row["chance"]))
    assert all(len(fates) == 1 for fates in of_case.values())


def test_ratings_of_a_draw_are_weighted_by_its_chances(study: Path, medassay: Command) -> None:
    judged = rows(study / "judgements.csv")
    (study / "judgements.csv").unlink()
    assert medassay("campaign", "create", study, "--raters", "anna", "--queue", "48").code == 0
    chances = records(study / "campaigns/main/chances.csv")
    drawn = {(row["system"], row["case"]) for row in chances if row["drawn"] == "yes"}
    kept = [row for row in judged[1:] if (row[1], row[2]) in drawn]
    table(study / "judgements.csv", judged[0], kept)
    results, _ = run_study(open_run(study))
    record = results.analyses.of(better_than_length)
    assert record is not None
    assert record.told[0].found.drawn
    assert record.told[0].found.units <= len(drawn) / 3


def test_a_number_draws_answers_alone(study: Path, medassay: Command) -> None:
    (study / "judgements.csv").unlink()
    words = ("campaign", "create", study, "--raters", "1", "--queue")
    said = medassay(*words, "0")
    assert (said.code, "--queue" in said.err) == (2, True)
    said = medassay(*words, "9", "--rate", "preferences")
    assert (said.code, "--rate preferences" in said.err) == (2, True)


def test_a_score_is_held_against_the_dimension_that_asks_the_same() -> None:
    rubric = {"q1": "q1 Is the answer grounded in the documents?", "q2": "q2 Tone"}
    assert asks_the_same("ragas_faithfulness", rubric) == "q1"
    assert asks_the_same("answer_correctness", rubric) == ""
    twice = {"a": "factual accuracy", "b": "correct diagnosis"}
    assert asks_the_same("correctness", twice) == ""
