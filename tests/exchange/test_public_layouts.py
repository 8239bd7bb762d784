"""Layouts that public files of tools have, and that were read otherwise than they are meant."""

import json
from pathlib import Path

import pytest
from tests.exchange.test_evaluation_tools import TOOLS, take, write
from tests.exchange.test_tool_layouts import lines, scored

from medassay.exchange.declaration import Glimpse
from medassay.exchange.proposal import Undecided
from medassay.exchange.registry import find_format
from medassay.exchange.spreadsheet.declared import holds_a_study
from medassay.study import Study

LONG = "Words that go on for so long that nobody would call them a tag of anything."


@pytest.mark.parametrize("known", [{}, {"question": "Why?"}])
def test_which_of_several_texts_is_the_answer_is_asked(
    tmp_path: Path, known: dict[str, str]
) -> None:
    data = {**known, "about": LONG, "kinds": LONG, "origin": LONG}
    result = {"from_name": "quality", "to_name": "about", "type": "rating", "value": {"rating": 4}}
    task = {"id": 1, "data": data, "annotations": [{"completed_by": 3, "result": [result]}]}
    file = write(tmp_path, "tasks.json", [task])
    with pytest.raises(Undecided) as error:
        take(tmp_path / "study", file, scale=["quality=1-5"])
    [question] = error.value.questions
    assert ("the question" in question.ask) is (not known)
    typed = next(iter(question.answers.values()))
    take(tmp_path / "study", file, scale=["quality=1-5"], column=typed)
    study = Study.open_whole(tmp_path / "study")
    assert [answer.text for answer in study.answers] == [LONG]
    assert len(study.judgements_on_file) == 1


def test_one_text_beside_a_question_is_the_answer(tmp_path: Path) -> None:
    task = {"id": 1, "data": {"question": "Why?", "about": LONG}, "annotations": []}
    take(tmp_path / "study", write(tmp_path, "tasks.json", [task]))
    assert [own.text for own in Study.open_whole(tmp_path / "study").answers] == [LONG]


def mt_bench(folder: Path, *scores: int) -> Path:
    """Write an answer of one model, and judgements that go by the name of its file."""
    asked = {"question_id": 1, "category": "x", "turns": ["Why?"]}
    answer = {"question_id": 1, "model_id": "maker/x-bot", "choices": [{"index": 0,
              "turns": ["So."]}]}  # fmt: skip
    judged = [{"question_id": 1, "model": "x-bot", "judge": ["j", "single-v1"], "score": score,
               "turn": 1} for score in scores]  # fmt: skip
    (folder / "model_answer").mkdir(parents=True)
    (folder / "model_judgment").mkdir()
    lines(folder, "question.jsonl", asked)
    lines(folder / "model_answer", "x-bot.jsonl", answer)
    lines(folder / "model_judgment", "j_single.jsonl", *judged)
    return folder


def test_answers_are_called_as_judgements_call_their_file(tmp_path: Path) -> None:
    take(tmp_path / "study", mt_bench(tmp_path / "bench", 7))
    study = Study.open_whole(tmp_path / "study")
    assert [(own.system, own.text) for own in study.answers] == [("x-bot", "So.")]
    assert scored(study) == {"j_single-v1": 1}


@pytest.mark.parametrize("scores", [(7, 7), (7, 3)])
def test_two_scores_of_one_answer_that_differ_are_told(
    tmp_path: Path, scores: tuple[int, ...]
) -> None:
    outcome = take(tmp_path / "study", mt_bench(tmp_path / "bench", *scores))
    told = [str(line) for line in outcome.said if "two scores that differ" in str(line)]
    assert bool(told) is (scores[0] != scores[1])


def test_a_table_in_parquet_is_no_log_of_inspect(tmp_path: Path) -> None:
    import polars as pl

    file = tmp_path / "scan.parquet"
    pl.DataFrame({"id": ["1"], "value": [0.5]}).write_parquet(file)
    reads = find_format("inspect", "--from").reads
    assert reads is not None
    assert not reads.is_one(Glimpse(file))


def test_what_a_metric_of_a_tool_is_called_names_the_tool(tmp_path: Path) -> None:
    for name, file, title in (
        ("ragas", "ragas/clinic-bot.csv", "Faithfulness (RAGAS)"),
        ("deepeval", "deepeval/clinic-bot.json", "Faithfulness (DeepEval)"),
        ("lm-eval", "lm-eval", "Acc norm (lm-evaluation-harness)"),
    ):
        take(tmp_path / name, TOOLS / file)
        titles = {own.meaning.title for own in Study.open_whole(tmp_path / name).imported}
        assert title in titles


def test_a_question_and_its_option_have_one_name(tmp_path: Path) -> None:
    record = {"id": "1", "fields": {"question": "Why?", "answer": "So."}, "suggestions": {},
              "responses": {"quality": [{"value": value, "user_id": f"u{value}"}
                                        for value in (2, 3)]}}  # fmt: skip
    file = write(tmp_path, "r.json", [record])
    with pytest.raises(Undecided, match=r'"quality" given.*--scale quality=') as error:
        take(tmp_path / "study", file)
    typed = next(iter(error.value.questions[0].answers.values()))
    outcome = take(tmp_path / "study", file, scale=typed)
    assert any("quality 2" in str(line) for line in outcome.said)
    assert json.dumps(outcome.facts)


def test_a_chat_of_argilla_is_a_conversation_and_its_answer(tmp_path: Path) -> None:
    chat = [
        {"role": "user", "content": "Why?"},
        {"role": "assistant", "content": "So."},
        {"role": "user", "content": "And then?"},
        {"role": "assistant", "content": "No."},
    ]
    record = {"id": "1", "fields": {"chat": chat}, "suggestions": {}, "responses": {}}
    take(tmp_path / "study", write(tmp_path, "r.json", [record]))
    study = Study.open_whole(tmp_path / "study")
    assert [own.text for own in study.answers] == ["No."]
    assert [[turn.text for turn in case.turns] for case in study.cases] == [
        ["Why?", "So.", "And then?"]
    ]


def test_messages_of_helm_are_the_turns(tmp_path: Path) -> None:
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Why?"}]
    state = {"adapter_spec": {"model": "m/x"}, "request_states": [{
        "instance": {"id": "id1", "input": {"text": "", "messages": messages}, "references": []},
        "result": {"success": True, "completions": [{"text": "So."}]},
    }]}  # fmt: skip
    take(tmp_path / "study", write(tmp_path, "state.json", state))
    [case] = Study.open_whole(tmp_path / "study").cases
    assert [turn.text for turn in case.turns] == ["Be brief.", "Why?"]


def test_turns_of_arena_hard_may_be_messages(tmp_path: Path) -> None:
    asked = {"question_id": "q1", "category": "x", "turns": [{"content": "Why?"}]}
    answer = {"question_id": "q1", "model_id": "x-bot", "choices": [{"index": 0,
              "turns": [{"content": "So it is.", "token_len": 4}]}]}  # fmt: skip
    (tmp_path / "bench" / "model_answer").mkdir(parents=True)
    lines(tmp_path / "bench", "question.jsonl", asked)
    lines(tmp_path / "bench" / "model_answer", "x-bot.jsonl", answer)
    take(tmp_path / "study", tmp_path / "bench")
    study = Study.open_whole(tmp_path / "study")
    assert [case.question for case in study.cases] == ["Why?"]
    assert [own.text for own in study.answers] == ["So it is."]


def test_runs_of_helm_without_answers_are_named(tmp_path: Path) -> None:
    request = {"instance": {"id": "id1", "input": {"text": "Why?"}, "references": []},
               "result": {"success": True, "completions": [{"text": "So."}]}}  # fmt: skip
    state = {"adapter_spec": {"model": "x/bot"}, "request_states": [request]}
    stats = [{"instance_id": "id1", "train_trial_index": 0,
              "stats": [{"name": {"name": "f1_score"}, "count": 1, "sum": 0.5}]}]  # fmt: skip
    for run in ("notes:model=x_bot", "notes:model=y_bot"):
        (tmp_path / "runs" / run).mkdir(parents=True)
        write(tmp_path / "runs" / run, "per_instance_stats.json", stats)
    write(tmp_path / "runs" / "notes:model=x_bot", "scenario_state.json", state)
    outcome = take(tmp_path / "study", tmp_path / "runs")
    assert any("not read: notes:model=y_bot." in str(line) for line in outcome.said)
    assert scored(Study.open_whole(tmp_path / "study")) == {"f1_score": 1}


def test_means_a_metric_a_row_are_no_table_of_answers(tmp_path: Path) -> None:
    file = tmp_path / "means.csv"
    file.write_text("metric,score\nfaithfulness,1.0\nanswer_relevancy,0.97\n", encoding="utf-8")
    assert not holds_a_study(file)


def test_a_choice_between_answers_a_and_b_is_a_preference(tmp_path: Path) -> None:
    tasks = [
        {"id": at, "data": {"prompt": f"Why {at}?", "response_b": "No.", "response_a": "So."},
         "annotations": [{"completed_by": 3, "result": [
             {"from_name": "winner", "to_name": "response_a", "type": "choices",
              "value": {"choices": [word]}}]}]}
        for at, word in enumerate(["a_winner", "tie", "b_winner"])
    ]  # fmt: skip
    take(tmp_path / "study", write(tmp_path, "tasks.json", tasks))
    study = Study.open_whole(tmp_path / "study")
    assert not len(study.judgements_on_file)
    kept = (tmp_path / "study" / "preferences.csv").read_text(encoding="utf-8").splitlines()[1:]
    assert [row.split(",")[3:7:3] for row in kept] == [
        ["response_a", "a"], ["response_a", "tie"], ["response_a", "b"],
    ]  # fmt: skip
