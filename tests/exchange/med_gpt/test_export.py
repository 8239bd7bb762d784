"""A study as a results file of the med-gpt protocol, and back."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from medassay.cli.app import app
from medassay.errors import InvalidInput
from medassay.study import Study, new_study

EXAMPLES = Path(__file__).parents[3] / "examples" / "med-gpt"


def run(*words: str | Path) -> Any:  # noqa: ANN401 - whatever the verb prints
    done = CliRunner().invoke(app, [*map(str, words), "--json"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def refused(*words: str | Path) -> str:
    done = CliRunner().invoke(app, list(map(str, words)))
    assert isinstance(done.exception, InvalidInput), done.output
    return str(done.exception)


def rows_of(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as content:
        return list(csv.DictReader(content))


def scored(row: dict[str, str]) -> tuple[str, float, float]:
    return row["human_score"], float(row["relevance_score"]), float(row["faithfulness_score"])


@pytest.fixture
def study(tmp_path: Path) -> Path:
    new_study(tmp_path / "study", "med-gpt")
    return tmp_path / "study"


def settings(study: Path, text: str) -> None:
    with (study / "study.toml").open("a", encoding="utf-8") as file:
        file.write(text)


def test_scores_and_aspects_of_each_rater_stand_in_a_row(study: Path, tmp_path: Path) -> None:
    out = tmp_path / "evaluation_results.csv"
    said = run("export", study, "--to", "med-gpt", "--into", out)
    assert said["counts"] == {"answer": 4, "score": 8}
    rows = rows_of(out)
    assert list(rows[0]) == [
        "question", "answer", "model", "retrieved_chunks", "relevance_score", "faithfulness_score",
        "rater", "position", "human_score", "accuracy", "completeness", "clarity",
        "clinical_relevance", "grounding", "specialty",
    ]  # fmt: skip
    cold = [one for one in rows if one["model"] == "system-b" and "cold" in one["question"]]
    # Which of the two is called rater-A follows from a digest of their rows.
    assert [one["rater"] for one in cold] == ["rater-A", "rater-B"]
    assert sorted((one["human_score"], one["accuracy"]) for one in cold) == [
        ("1", "no"),
        ("2", "yes"),
    ]
    assert json.loads(rows[0]["retrieved_chunks"])[0]["id"] == "sprain-1"
    assert {one["relevance_score"] for one in rows} == {""}
    assert "relevance_score is empty: the study holds no scores of that name." in said["notes"]
    assert "Raters are called by their pseudonyms, as in raters-key.csv." in said["notes"]
    assert "r1" in (study / "raters-key.csv").read_text(encoding="utf-8")


def test_what_was_written_comes_back_and_is_written_the_same(tmp_path: Path) -> None:
    files = EXAMPLES / "rater_1.csv", EXAMPLES / "rater_2.csv"
    run("import", *files, "--into", tmp_path / "one")
    run("export", tmp_path / "one", "--to", "med-gpt", "--into", tmp_path / "out.csv")
    run("import", tmp_path / "out.csv", "--into", tmp_path / "two")
    run("export", tmp_path / "two", "--to", "med-gpt", "--into", tmp_path / "again.csv")
    # No pseudonym looks like a name of the study: letters come back as names, and get numbers.
    numbers = {"rater-A": "rater-1", "rater-B": "rater-2"}
    out = [{**row, "rater": numbers[row["rater"]]} for row in rows_of(tmp_path / "out.csv")]
    assert sorted(map(str, out)) == sorted(map(str, rows_of(tmp_path / "again.csv")))
    theirs = {
        (name, one["question"], one["model"]): scored(one)
        for name, file in zip(("rater-1", "rater-2"), files, strict=True)
        for one in rows_of(file)
    }
    ours = {
        (one["rater"], one["question"], one["model"]): scored(one)
        for one in rows_of(tmp_path / "out.csv")
    }
    key = {row["pseudonym"]: row["rater"] for row in rows_of(tmp_path / "one" / "raters-key.csv")}
    named = {(key[who].replace("_", "-"), *answer): value for (who, *answer), value in ours.items()}
    assert named == theirs
    assert len(ours) == 60


def test_names_reasons_comments_and_gaps(study: Path, tmp_path: Path) -> None:
    settings(study, '\n[privacy]\nraters = "named"\n')
    table = study / "judgements.csv"
    lines = table.read_text(encoding="utf-8").splitlines()
    assert lines[1].startswith("r1,person,system-a,sprain,overall,5")
    lines[1] = "r1,person,system-a,sprain,overall,,cannot_judge,main,1,,,"
    assert lines[7].startswith("r1,person,system-a,antibiotics,overall,4")
    lines[7] = "r1,person,system-a,antibiotics,overall,4,,main,2,,,Too vague."
    table.write_text("\n".join([*lines, ""]), encoding="utf-8")
    out = tmp_path / "out.csv"
    said = run("export", study, "--to", "med-gpt", "--into", out)
    first = {(one["rater"], one["model"], one["question"][:4]): one for one in rows_of(out)}
    assert first["r1", "system-a", "How "]["human_score"] == ""
    assert first["r1", "system-a", "How "]["accuracy"] == "yes"
    assert first["r1", "system-a", "Will"]["rationale"] == "Too vague."
    assert "1 judgement without a label, such as cannot judge: an empty cell." in said["notes"]
    assert not (study / "raters-key.csv").exists()


def test_answers_that_nobody_judged_have_a_row_to_fill_in(study: Path, tmp_path: Path) -> None:
    head = (study / "judgements.csv").read_text(encoding="utf-8").splitlines()[0]
    (study / "judgements.csv").write_text(f"{head}\n", encoding="utf-8")
    out = tmp_path / "out.csv"
    assert run("export", study, "--to", "med-gpt", "--into", out)["counts"]["score"] == 0
    assert [one["human_score"] for one in rows_of(out)] == [""] * 4


def test_a_dimension_of_another_protocol_can_be_the_score(tmp_path: Path) -> None:
    new_study(tmp_path / "other", "ratings")
    out = tmp_path / "out.csv"
    words = ("export", tmp_path / "other", "--to", "med-gpt", "--into", out)
    run(*words)
    assert {one["human_score"] for one in rows_of(out)} <= set("12345")
    assert "must be a new file" in refused(*words)


def test_what_cannot_be_such_a_file_is_refused(study: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    words = ("export", study, "--to", "med-gpt", "--into", out)
    cases = study / "cases.jsonl"
    asked = [json.loads(line) for line in cases.read_text(encoding="utf-8").splitlines()]
    same = "".join(f"{json.dumps({**one, 'question': 'Why?'})}\n" for one in asked)
    cases.write_text(same, encoding="utf-8")
    assert "ask each question once: the rating file knows its rows by the question" in refused(
        *words
    )
    settings(study, '\n[privacy]\ntexts = "ids"\n')
    assert "come with --texts full" in refused(*words)
    assert not out.exists()


def test_texts_that_a_study_keeps_are_written_where_that_is_asked(
    study: Path, tmp_path: Path
) -> None:
    settings(study, '\n[privacy]\ntexts = "ids"\n')
    out = tmp_path / "out.csv"
    run("export", study, "--to", "med-gpt", "--into", out, "--texts", "full")
    assert "antibiotics" in out.read_text(encoding="utf-8")
    assert len(Study.open(study).answers) == 4
