"""Files of tools as users come to have them: broken in places, joined, cut, with odd numbers."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from tests.exchange.test_evaluation_tools import take, write
from tests.exchange.test_tool_layouts import battle, likely, lines, sample
from typer.testing import CliRunner

from medassay.cli import app
from medassay.errors import InvalidInput
from medassay.exchange.proposal import Undecided
from medassay.study import Study


def scores_of(study: Path, name: str) -> list[float | None]:
    """Give the values of a score, in the order of the cases."""
    own = next(own for own in Study.open_whole(study).imported if name in own.table.sources[0])
    return own.table.frame.sort("case")["value"].to_list()


def ragas(folder: Path, *scores: str) -> Path:
    rows = [f"Why {at}?,So {at}.,{score}" for at, score in enumerate(scores)]
    file = folder / "bot.csv"
    file.write_text("\n".join(["user_input,response,faithfulness", *rows]), encoding="utf-8")
    return file


def test_a_score_that_failed_leaves_the_others(tmp_path: Path) -> None:
    file = ragas(tmp_path, "0.5", "nan", "87%", "Error: time ran out")
    outcome = take(tmp_path / "study", file)
    assert scores_of(tmp_path / "study", "faithfulness") == [0.5, None, 0.87, None]
    assert any("left out (no number): faithfulness" in str(line) for line in outcome.said)


def test_a_column_of_scores_without_any_is_named(tmp_path: Path) -> None:
    outcome = take(tmp_path / "study", ragas(tmp_path, "", ""))
    assert "note: bot.csv: no row has a score of faithfulness." in outcome.said


def test_scores_within_an_object_are_scores(tmp_path: Path) -> None:
    rows = [
        {"user_input": f"Why {at}?", "response": "So.", "reference": "So.",
         "metrics": {"faithfulness": 0.5, "answer_relevancy": None}}
        for at in range(2)
    ]  # fmt: skip
    take(tmp_path / "study", write(tmp_path, "bot.json", rows))
    assert scores_of(tmp_path / "study", "faithfulness") == [0.5, 0.5]


def test_two_tables_in_one_file_are_refused(tmp_path: Path) -> None:
    file = ragas(tmp_path, "0.5", "0.6")
    file.write_text(f"{file.read_text()}\n{file.read_text()}", encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"bot\.csv, row 4: must hold .* got the header again"):
        take(tmp_path / "study", file)


def test_named_scores_of_no_assertion_are_taken(tmp_path: Path) -> None:
    part = {"pass": True, "score": 0.9, "assertion": {"type": "javascript", "metric": "tone"}}
    results = [
        {"prompt": {"raw": "Why?", "label": "p"}, "vars": {"q": f"Why {at}?"}, "success": True,
         "provider": {"id": "bot"}, "response": {"output": "So."}, "score": 1,
         "namedScores": {"tone": 0.9, "length": 0.25}, "promptIdx": 0,
         "gradingResult": {"pass": True, "componentResults": [part]}}
        for at in range(2)
    ]  # fmt: skip
    take(tmp_path / "study", write(tmp_path, "r.json", {"results": {"results": results}}))
    assert scores_of(tmp_path / "study", "length") == [0.25, 0.25]
    assert scores_of(tmp_path / "study", "tone") == [0.9, 0.9]


@pytest.mark.parametrize(
    ("likelihoods", "choice"),
    [([-1.0, float("nan")], None), ([float("nan"), -1.0], None), ([float("-inf"), -3.0], "B"),
     (["-inf", "-3.0"], "B")],
)  # fmt: skip
def test_a_likelihood_that_is_no_number_is_not_the_highest(
    tmp_path: Path, likelihoods: list[Any], choice: str | None
) -> None:
    resps = [[[own, False]] for own in likelihoods]
    asked = {**likely("hot.", "cold."), "resps": resps, "target": "0"}
    file = lines(tmp_path, "samples_tap.jsonl", sample(0, **asked), sample(1))
    take(tmp_path / "study", file, system="m")
    answer = next(own for own in Study.open_whole(tmp_path / "study").answers if own.case == "0")
    assert (answer.choice, answer.text) == (choice, None)


def test_a_document_that_comes_again_is_a_further_sample(tmp_path: Path) -> None:
    again = sample(0, resps=[["Three days."]], acc=0.0)
    outcome = take(
        tmp_path / "study", lines(tmp_path, "samples_x.jsonl", sample(0), again), system="m"
    )
    texts = {own.sample: own.text for own in Study.open_whole(tmp_path / "study").answers}
    assert texts == {0: "Two days.", 1: "Three days."}
    assert any("documents that come again" in str(line) for line in outcome.said)


def test_filters_of_one_answer_are_one_sample(tmp_path: Path) -> None:
    both = [sample(0, filter=name) for name in ("strict", "flexible")]
    take(tmp_path / "study", lines(tmp_path, "samples_x.jsonl", *both), system="m")
    assert len(Study.open_whole(tmp_path / "study").answers) == 1


@pytest.mark.parametrize(
    ("judges", "first"),
    [(["gpt-4"], "models"), (["anna"], "people"), (["anna", "gpt-4"], "some of each")],
)
def test_who_is_called_as_a_model_is_first_asked_to_be_one(
    tmp_path: Path, judges: list[str], first: str
) -> None:
    rows = [battle(str(at), "model_a", judge=judge) for at, judge in enumerate(judges)]
    with pytest.raises(Undecided) as asked:
        take(tmp_path / "study", write(tmp_path, "b.json", rows))
    ways = asked.value.questions[0].answers
    assert next(iter(ways)) == first
    if first == "some of each":
        assert ways[first] == ["anna=person,gpt-4=model"]


def test_lines_that_end_within_a_record_may_be_cut(tmp_path: Path) -> None:
    file = lines(tmp_path, "samples_x.jsonl", sample(0), sample(1))
    file.write_text(file.read_text()[:-20], encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"row 2: .*The file may be cut off there\."):
        take(tmp_path / "study", file)


def test_a_packed_file_is_to_be_unpacked(tmp_path: Path) -> None:
    file = tmp_path / "r.json.gz"
    file.write_bytes(gzip.compress(json.dumps([sample(0)]).encode()))
    refused = CliRunner().invoke(app, ["import", str(file), "--into", str(tmp_path / "study")])
    assert "Unpack it, and import what is in it." in str(refused.exception)


def test_scores_of_repeated_answers_are_one_score_with_its_samples(tmp_path: Path) -> None:
    runs = [sample(doc, resps=[[f"Text {run}."]], acc=float(run)) for run in range(3)
            for doc in range(2)]  # fmt: skip
    file = lines(tmp_path, "samples_x.jsonl", *runs)
    take(tmp_path / "study", file, system="m")
    [own] = Study.open_whole(tmp_path / "study").imported
    rows = own.table.frame.select("case", "sample", "value").sort("case", "sample").rows()
    assert rows == [(str(doc), run, float(run)) for doc in range(2) for run in range(3)]
    take(tmp_path / "study", file, system="m")  # again: nothing is new
    assert len(Study.open_whole(tmp_path / "study").imported) == 1


def test_a_table_of_scores_keeps_its_samples(tmp_path: Path) -> None:
    file = lines(tmp_path, "samples_x.jsonl", sample(0), sample(0, resps=[["Three."]]))
    take(tmp_path / "study", file, system="m")
    table = tmp_path / "mine.csv"
    table.write_text("system,case,sample,value\nm,0,0,0.5\nm,0,1,0.25\n", encoding="utf-8")
    words = ["import", "--from", "scores", str(table), "--into", str(tmp_path / "study")]
    assert CliRunner().invoke(app, words).exit_code == 0
    own = next(own for own in Study.open_whole(tmp_path / "study").imported
               if own.table.sources == ("mine",))  # fmt: skip
    assert own.table.frame.select("sample", "value").rows() == [(0, 0.5), (1, 0.25)]


def test_a_question_in_other_capitals_is_the_same(tmp_path: Path) -> None:
    file = tmp_path / "bot.csv"
    rows = ["user_input,response,faithfulness", "Why  rest?,So.,0.5", "why rest?,No.,0.25"]
    file.write_text("\n".join(rows), encoding="utf-8")
    outcome = take(tmp_path / "study", file)
    assert [case.question for case in Study.open_whole(tmp_path / "study").cases] == ["Why  rest?"]
    assert any("question: 1 record says otherwise" in str(line) for line in outcome.said)
