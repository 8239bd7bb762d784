"""Files of evaluation tools make a study: nothing is lost, and no model is taken for a person."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from tests.exchange.samples import EXAMPLES

from medassay.errors import InvalidInput
from medassay.exchange.outcome import Outcome
from medassay.exchange.proposal import Undecided
from medassay.exchange.registry import recognise
from medassay.study import Study

TOOLS = EXAMPLES / "evaluation-tools"
SCALES = {"scale": ["accuracy=1-5", "completeness=1-5"]}
MADE: dict[str, tuple[list[str], dict[str, Any], dict[str, int]]] = {
    "ragas": (["ragas/clinic-bot.csv", "ragas/quick-bot.jsonl"], {}, {"scores": 27, "texts": 4}),
    "deepeval": (["deepeval/clinic-bot.json", "deepeval/quick-bot.json"], {}, {"scores": 24}),
    "langfuse": (["langfuse/traces.json"], {}, {"scores": 24}),
    "langfuse, tables": (
        ["langfuse/traces.csv", "langfuse/scores.csv"],
        {},
        {"scores": 8, "ratings": 16},
    ),
    "phoenix": (
        ["phoenix/clinic-bot.json", "phoenix/quick-bot.csv"],
        {},
        {"scores": 8, "ratings": 8},
    ),
    "phoenix, spans": (
        ["phoenix/spans.csv", "phoenix/annotations.csv"],
        {},
        {"scores": 8, "ratings": 16},
    ),
    "mlflow": (["mlflow/clinic-bot.json", "mlflow/quick-bot.json"], {}, {"scores": 16}),
    "mlflow, traces": (["mlflow/traces.json"], {}, {"scores": 8, "ratings": 16}),
    "promptfoo, version 3": (["promptfoo/results.json"], {}, {"scores": 40, "ratings": 8}),
    "promptfoo, version 2": (["promptfoo/version-2.json"], {}, {"scores": 40}),
    "promptfoo, lines": (["promptfoo/results.jsonl"], {}, {"scores": 40, "ratings": 8}),
    "promptfoo, table": (["promptfoo/results.csv"], {}, {"scores": 24}),
    "label-studio": (["label-studio/tasks.json"], {}, {"ratings": 16}),
    "label-studio, flat": (["label-studio/min.json"], {}, {"ratings": 16}),
    "label-studio, table": (["label-studio/table.csv"], {}, {"ratings": 16}),
    "helm": (["helm"], SCALES, {"scores": 24, "ratings": 32}),
    "lm-eval": (["lm-eval"], {}, {"scores": 16}),
    "arena": (["arena/battles.json"], {}, {"preferences": 8}),
    "bioasq": (["bioasq/golden.json", "bioasq/clinic-bot.json", "bioasq/quick-bot.json"], {}, {}),
    "evalport": (
        ["evalport/suite.json", "evalport/clinic-bot.json", "evalport/quick-bot.json"],
        {},
        {"scores": 24, "ratings": 8},
    ),
    "opik": (["opik"], {}, {"scores": 16, "ratings": 8}),
    "argilla, version 2": (["argilla/records.json"], {}, {"ratings": 40}),
    "argilla, flat": (["argilla/records.jsonl"], {}, {"ratings": 40}),
    "argilla, version 1": (["argilla/version-1.jsonl"], {}, {"ratings": 40}),
}


def take(into: Path, *files: Path, **options: object) -> Outcome:
    (file_format,) = recognise(files)
    assert file_format.reads is not None
    return file_format.reads.take(into, files, **options)


def said(asked: str, answered: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": asked}, {"role": "assistant", "content": answered}]


def write(folder: Path, name: str, held: object) -> Path:
    path = folder / name
    text = held if isinstance(held, str) else json.dumps(held)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", MADE)
def test_a_tools_files_make_a_study_that_holds_all_of_it(tmp_path: Path, name: str) -> None:
    files, options, held = MADE[name]
    paths = [TOOLS / file for file in files]
    outcome = take(tmp_path / "study", *paths, **options)
    study = Study.open_whole(tmp_path / "study")
    assert (len(study.cases), len(study.answers), len(study.systems)) == (4, 8, 2)
    assert all(case.prompt for case in study.cases)
    scores = sum(len(own.table.frame.drop_nulls("value")) for own in study.imported)
    assert scores == held.get("scores", 0)
    assert len(study.judgements_on_file) == held.get("ratings", 0)
    assert len(study.preferences_on_file) == held.get("preferences", 0)
    assert isinstance(outcome.facts, dict)
    account = outcome.facts["account"]
    assert account["filled"] == sum(sum(own["fates"].values()) for own in account["columns"])
    assert not any("score" in tag for case in study.cases for tag in case.tags)


@pytest.mark.parametrize("name", MADE)
def test_the_same_files_again_change_nothing(tmp_path: Path, name: str) -> None:
    files, options, _ = MADE[name]
    paths, into = [TOOLS / file for file in files], tmp_path / "study"
    take(into, *paths, **options)
    before = {path: path.read_bytes() for path in into.rglob("*") if path.is_file()}
    take(into, *paths, **options)
    assert before == {path: path.read_bytes() for path in into.rglob("*") if path.is_file()}


def test_an_inspect_log_makes_a_study_with_its_targets_and_epochs(tmp_path: Path) -> None:
    take(tmp_path / "study", EXAMPLES / "other-tools" / "inspect" / "log.json")
    study = Study.open_whole(tmp_path / "study")
    assert all(case.question and case.references for case in study.cases)
    assert {answer.sample for answer in study.answers} == {0, 1}


def test_mt_bench_keeps_a_judges_scores_as_scores_and_its_choices_as_a_models(
    tmp_path: Path,
) -> None:
    take(tmp_path / "study", TOOLS / "arena" / "mt-bench")
    study = Study.open_whole(tmp_path / "study")
    assert len(study.cases) == 8
    assert [len(case.turns) for case in study.cases][:2] == [0, 2]
    assert set(study.preferences_on_file.frame["rater_kind"]) == {"model"}
    ((scores,)) = study.imported
    assert (scores.meaning.low, scores.meaning.high, len(scores.table)) == (1, 10, 16)


def test_a_score_keeps_the_direction_that_its_tool_gives_it(tmp_path: Path) -> None:
    header = "user_input,response,toxicity,faithfulness,my_check"
    file = write(tmp_path, "bot.csv", f"{header}\nHow long?,Two days.,0.1,0.9,1\nWhy?,So.,0.2,,0\n")
    take(tmp_path / "study", file)
    found = {own.table.sources[0]: own.meaning for own in Study.open(tmp_path / "study").imported}
    assert {name: own.direction for name, own in found.items()} == {
        "toxicity": "lower", "faithfulness_given": "higher", "my_check": "higher",
    }  # fmt: skip


@pytest.mark.parametrize("judge", [None, "b.q.", "gpt-4"])
def test_whether_a_rater_is_a_person_is_asked_where_the_file_does_not_say(
    tmp_path: Path, judge: str | None
) -> None:
    battle = {
        "question_id": "1", "model_a": "x-bot", "model_b": "y-bot", "winner": "model_a",
        "conversation_a": said("Why?", "So."), "conversation_b": said("Why?", "No."),
    }  # fmt: skip
    named = {} if judge is None else {"judge": judge}
    file = write(tmp_path, "b.json", [battle | named])
    named_here = [] if judge else ["crowd"]
    with pytest.raises(Undecided) as error:
        take(tmp_path / "study", file, rater=named_here)
    assert "--rater people" in str(error.value)
    assert not (tmp_path / "study" / "study.toml").exists()
    take(tmp_path / "study", file, rater=[*named_here, "models"])
    kinds = Study.open_whole(tmp_path / "study").preferences_on_file.frame["rater_kind"]
    assert set(kinds) == {"model"}


@pytest.mark.parametrize(
    ("judge", "typed", "found"),
    [
        ("", ["crowd", "people"], {("crowd", "person")}),
        ("", ["crowd=person"], {("crowd", "person")}),
        ("", ["people", "crowd=model"], {("crowd", "model")}),
        ("b.q.", ["b.q.=person"], {("b.q.", "person")}),
        ("b.q.", ["models"], {("b.q.", "model")}),
        ("b.q.", ["crowd", "people"], "say what a rater is, as in anna=person"),
        ("b.q.", ["crowd=person"], 'name a rater of the files; got "crowd"'),
        ("", ["crowd", "anna", "people"], 'name one rater.*got "crowd", "anna"'),
        ("b.q.", ["b.q.=robot"], 'got "b.q.=robot"'),
    ],
)
def test_one_option_says_who_rated_and_what_that_is(
    tmp_path: Path, judge: str, typed: list[str], found: set[tuple[str, str]] | str
) -> None:
    battle = {
        "question_id": "1", "model_a": "x-bot", "model_b": "y-bot", "winner": "model_a",
        "conversation_a": said("Why?", "So."), "conversation_b": said("Why?", "No."),
    }  # fmt: skip
    file = write(tmp_path, "b.json", [battle | ({"judge": judge} if judge else {})])
    if isinstance(found, str):
        with pytest.raises(InvalidInput, match=f"--rater: .*{found}"):
            take(tmp_path / "study", file, rater=typed)
        return
    take(tmp_path / "study", file, rater=typed)
    frame = Study.open_whole(tmp_path / "study").preferences_on_file.frame
    assert set(zip(frame["rater"], frame["rater_kind"], strict=True)) == found


def test_an_annotator_that_is_called_as_a_model_is_asked_about(tmp_path: Path) -> None:
    tasks = json.loads((TOOLS / "label-studio" / "tasks.json").read_text(encoding="utf-8"))
    tasks[0]["annotations"][0]["completed_by"]["email"] = "gpt-4@example.org"
    file = write(tmp_path, "t.json", tasks)
    with pytest.raises(Undecided, match="people or models"):
        take(tmp_path / "study", file)
    take(tmp_path / "study", file, rater=["gpt-4@example.org=model"])
    judged = Study.open_whole(tmp_path / "study").judgements_on_file.frame
    assert set(judged.filter(judged["rater_kind"] == "model")["rater"]) == {"gpt-4@example.org"}


def test_what_is_left_out_is_said_with_its_reason(tmp_path: Path) -> None:
    said = take(tmp_path / "study", TOOLS / "promptfoo" / "results.json").said
    assert any("left out (nothing here uses it): promptIdx" in str(line) for line in said)


def test_a_repeated_answer_is_another_sample(tmp_path: Path) -> None:
    file = write(tmp_path, "bot.csv", "user_input,response,faithfulness\nWhy?,So.,1\nWhy?,No.,0\n")
    take(tmp_path / "study", file)
    answers = Study.open_whole(tmp_path / "study").answers
    assert sorted((own.case, own.sample) for own in answers) == [("1", 0), ("1", 1)]


@pytest.mark.parametrize(
    ("file", "option"),
    [
        ("promptfoo/results.json", {}),
        ("arena/battles.json", {}),
        ("label-studio/tasks.json", {}),
        ("bioasq/golden.json", {}),
        ("evalport/suite.json", {}),
        ("argilla/records.json", {}),
        ("opik/experiment_clinic-bot.json", {}),
    ],
)
def test_half_a_file_is_one_error_and_leaves_nothing(
    tmp_path: Path, file: str, option: dict[str, object]
) -> None:
    text = (TOOLS / file).read_text(encoding="utf-8")
    (file_format,) = recognise([TOOLS / file])
    assert file_format.reads is not None
    half = write(tmp_path, Path(file).name, text[: len(text) // 2])
    with pytest.raises(InvalidInput) as error:
        file_format.reads.take(tmp_path / "study", [half], **option)
    assert len(error.value.problems) == 1
    assert not (tmp_path / "study" / "study.toml").exists()


def test_a_record_of_another_shape_is_named_with_its_row(tmp_path: Path) -> None:
    results = json.loads((TOOLS / "promptfoo" / "results.json").read_text(encoding="utf-8"))
    results["results"]["results"][2]["gradingResult"] = "none"
    file = write(tmp_path, "r.json", results)
    with pytest.raises(InvalidInput, match=r"r\.json, row 3: must be a record as promptfoo"):
        take(tmp_path / "study", file)


@pytest.mark.parametrize(
    ("column", "cells", "known"),
    [
        ("musing", ["Long ago.", "Not long."], "spreadsheet"),
        ("latency", ["1.5", "2"], "spreadsheet"),
        ("tidiness", ["", "0.5"], "ragas"),
        ("faithfulness", ["", ""], "ragas"),
    ],
)
def test_ragas_columns_without_a_score_are_left_to_the_spreadsheet(
    tmp_path: Path, column: str, cells: list[str], known: str
) -> None:
    rows = [f"question,answer,contexts,{column}", *(f"Why?,So.,['a'],{cell}" for cell in cells)]
    file = write(tmp_path, "log.csv", "\n".join(rows) + "\n")
    assert [own.id for own in recognise([file])] == [known]


@pytest.mark.parametrize(
    "header",
    [
        "Question,Answer,Contexts,faithfulness",
        "question,answer,contexts,gold answer,faithfulness",
        "question,answer,contexts,Ground truth,faithfulness",
    ],
)
def test_a_table_of_which_ragas_would_lose_a_column_is_left_to_the_spreadsheet(
    tmp_path: Path, header: str
) -> None:
    cells = ["How long should I rest?", "Rest it for two days and then move.", "['a text']"]
    cells += ["Two or three days of rest are enough."] * (len(header.split(",")) - 4)
    rows = [header, *(f"{','.join(cells)},{score}" for score in (0.5, 0.25))]
    file = write(tmp_path, "log.csv", "\n".join(rows) + "\n")
    assert [own.id for own in recognise([file])] == ["spreadsheet"]


def test_a_table_of_ratings_with_ragas_columns_is_left_to_the_spreadsheet(tmp_path: Path) -> None:
    with (tmp_path / "t.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["question", "answer", "contexts", "accuracy (1-5) Rater 1"])
        rows.writerows([["How long should I rest?", "Two days.", "['a']", n] for n in (1, 5)])
    assert [own.id for own in recognise([tmp_path / "t.csv"])] == ["spreadsheet"]
