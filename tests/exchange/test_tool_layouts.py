"""Layouts that public files of evaluation tools have: each is read whole, or refused clearly."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from tests.exchange.test_evaluation_tools import said, take, write

from medassay.errors import InvalidInput
from medassay.exchange.proposal import Undecided
from medassay.exchange.spreadsheet.account import Account, ColumnAccount
from medassay.study import Study


def lines(folder: Path, name: str, *records: dict[str, Any]) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def scored(study: Study) -> dict[str, int]:
    return {own.table.sources[0]: len(own.table) for own in study.imported}


def battle(case: str, winner: str, **more: object) -> dict[str, Any]:
    return {
        "question_id": case, "model_a": "x-bot", "model_b": "y-bot", "winner": winner,
        "conversation_a": said("Why?", "So."), "conversation_b": said("Why?", "No."), **more,
    }  # fmt: skip


def sample(doc: int, **more: object) -> dict[str, object]:
    asked = [["Question: How long?\nAnswer:", {"until": ["\n"]}]]
    own = {"target": "Two days.", "arguments": asked, "resps": [["Two days."]], "acc": 1.0}
    return {"doc_id": doc, "doc": {"question": "How long?"}, **own, **more}


def likely(*texts: str) -> dict[str, Any]:
    return {
        "arguments": [["The tap ran so", f" {text}"] for text in texts],
        "resps": [[[-2.5 + place, False]] for place in range(len(texts))],
    }


def test_a_promptfoo_test_without_variables_asks_its_prompt(tmp_path: Path) -> None:
    results = [
        {"prompt": {"raw": raw, "label": raw}, "vars": {}, "provider": {"id": "bot"},
         "response": {"output": raw.upper()}, "success": True, "score": 1, "namedScores": {},
         "promptIdx": place}
        for place, raw in enumerate(("Why rest?", "How long?"))
    ]  # fmt: skip
    take(tmp_path / "study", write(tmp_path, "r.json", {"results": {"results": results}}))
    study = Study.open_whole(tmp_path / "study")
    assert [case.question for case in study.cases] == ["Why rest?", "How long?"]
    assert list(study.systems) == ["bot"]


@pytest.mark.parametrize("place", ["pics/a b (1).jpg", "/data/upload/3/x.png?d=1", "s3://b/x.wav"])
def test_label_studio_tasks_of_files_are_no_answers(tmp_path: Path, place: str) -> None:
    result = {"from_name": "kind", "to_name": "img", "type": "choices",
              "value": {"choices": ["Good"]}}  # fmt: skip
    task = {"id": 1, "data": {"image": place},
            "annotations": [{"completed_by": 1, "result": [result]}]}  # fmt: skip
    file = write(tmp_path, "t.json", [task])
    with pytest.raises(InvalidInput, match=r"hold questions or answers in text.*image"):
        take(tmp_path / "study", file)


def test_label_studio_ids_of_predictions_are_counted(tmp_path: Path) -> None:
    results = [
        {"from_name": "tone", "to_name": "answer", "type": "choices", "value": {"choices": [word]}}
        for word in ("good", "bad")
    ]
    tasks = [
        {"id": at, "data": {"question": f"Why {at}?", "answer": "So it is."}, "predictions": [9],
         "annotations": [{"completed_by": 1, "result": [result]}]}
        for at, result in enumerate(results, 1)
    ]  # fmt: skip
    outcome = take(tmp_path / "study", write(tmp_path, "t.json", tasks), scale=["empathy=words"])
    assert any("an id without what it names" in str(line) for line in outcome.said)


def test_one_label_alone_is_asked_about(tmp_path: Path) -> None:
    result = {"from_name": "tone", "to_name": "answer", "type": "choices",
              "value": {"choices": ["Medium"]}}  # fmt: skip
    tasks = [{"id": 1, "data": {"question": "Why?", "answer": "So it is."},
              "annotations": [{"completed_by": 1, "result": [result]}]}]  # fmt: skip
    file = write(tmp_path, "t.json", tasks)
    with pytest.raises(Undecided, match="Which other label could raters give") as error:
        take(tmp_path / "study", file)
    (question,) = error.value.questions
    typed = next(iter(question.answers.values()))
    take(tmp_path / "study", file, scale=typed)
    assert len(Study.open_whole(tmp_path / "study").judgements_on_file) == 1


@pytest.mark.parametrize("specialty", ["", "Surgery"])
def test_a_table_of_instances_and_people_is_helms(tmp_path: Path, specialty: str) -> None:
    rows = [
        {"username": who, "specialty": specialty, "instance_id": "id1", "dataset_name": data,
         "model_key": "some_bot", "accuracy": 5, "clarity": 4, "llm_accuracy": 4.5}
        for who in ("anna", "ben") for data in ("notes", "letters")
    ]  # fmt: skip
    file = tmp_path / "rated.csv"
    with file.open("w", encoding="utf-8", newline="") as opened:
        writer = csv.DictWriter(opened, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    scales = ["accuracy=1-5", "clarity=1-5"]
    if specialty:  # which no model has
        take(tmp_path / "study", file, scale=scales)
    else:
        with pytest.raises(Undecided, match="people or models"):
            take(tmp_path / "study", file)
        take(tmp_path / "study", file, rater=["people"], scale=scales)
    study = Study.open_whole(tmp_path / "study")
    assert [case.case for case in study.cases] == ["notes id1", "letters id1"]
    assert len(study.judgements_on_file) == 8
    assert scored(study) == {"llm_accuracy": 2}


def test_everything_about_ratings_is_asked_at_once(tmp_path: Path) -> None:
    rows = [
        {"instance_id": f"id{at}", "model": "bot", "question": "Why?", "clinician": who,
         "accuracy": label, "tone": word}
        for at, (who, label, word) in enumerate([("x", 2, "odd"), ("y", 3, "even")])
    ]  # fmt: skip
    file = lines(tmp_path, "rated.jsonl", *({"username": r.pop("clinician"), **r} for r in rows))
    with pytest.raises(Undecided) as error:
        take(tmp_path / "study", file)
    asked = {question.option for question in error.value.questions}
    assert asked == {"rater", "scale"}
    typed: dict[str, list[str]] = {}
    for question in error.value.questions:
        typed.setdefault(question.option, []).extend(next(iter(question.answers.values())))
    take(tmp_path / "study", file, **typed)


def test_what_a_model_reasoned_and_what_is_no_text_are_told(tmp_path: Path) -> None:
    content = [
        {"type": "reasoning", "reasoning": "First, rest."},
        {"type": "text", "text": "Rest."},
    ]
    asked = [{"role": "user", "content": [{"type": "text", "text": "What is it?"},
                                          {"type": "image", "image": "data:x"}]}]  # fmt: skip
    long = "A remark that is much longer than what a tag of a question may ever hold. " * 2
    log = {
        "version": 2, "status": "success", "eval": {"task": "t", "model": "bot"},
        "samples": [{"id": 1, "epoch": 1, "input": asked, "target": "", "metadata": {"note": long},
                     "output": {"choices": [{"message": {"role": "assistant", "content": content}}],
                                "completion": "Rest."}, "scores": {}}],
    }  # fmt: skip
    outcome = take(tmp_path / "study", write(tmp_path, "log.json", log))
    study = Study.open_whole(tmp_path / "study")
    (answer,), (case,) = study.answers, study.cases
    assert (answer.text, answer.reasoning) == ("Rest.", "First, rest.")
    assert not case.tags
    told = "\n".join(map(str, outcome.said))
    assert "no text): input[].image" in told
    assert "too long for a tag): metadata.note" in told


@pytest.mark.parametrize(
    ("doc", "more", "question", "references", "gold"),
    [
        ({"question": "effect", "premise": "The tap ran"}, likely("wet.", "dry."),
         "The tap ran so", 0, "A"),
        ({"question": "How long?", "best_answer": "Two days.", "correct_answers": ["Two."]},
         {"target": " "}, "How long?", 1, None),
        ({"question": "The tap ran so", "m": {"choices": ["wet.", "dry."], "labels": [1, 1]}},
         likely("wet.", "dry."), "The tap ran so", 2, None),
    ],
)  # fmt: skip
def test_lm_eval_documents_are_read_as_their_task_means_them(
    tmp_path: Path, doc: dict[str, Any], more: dict[str, Any], question: str, references: int,
    gold: str | None,
) -> None:  # fmt: skip
    own = {"target": 0, **more} if "target" not in more else more
    take(tmp_path / "study", lines(tmp_path, "samples_t.jsonl", sample(0, **own) | {"doc": doc}))
    (case,) = Study.open_whole(tmp_path / "study").cases
    assert (case.question, len(case.references), case.gold) == (question, references, gold)


def test_a_likelihood_is_no_answer(tmp_path: Path) -> None:
    own = sample(0, arguments=[["A text."]], resps=[["-1914.3297427"]], target="A text.")
    take(tmp_path / "study", lines(tmp_path, "samples_t.jsonl", own))
    assert not any(answer.text for answer in Study.open_whole(tmp_path / "study").answers)


def test_a_task_that_ran_again_is_another_answer(tmp_path: Path) -> None:
    times = ("2024-09-26T16-04-49.597683", "2024-09-26T16-21-23.954193")
    for score, time in enumerate(times):
        own = sample(0, resps=[[f"{score + 1} days."]], acc=float(score))
        lines(tmp_path / "bot", f"samples_t_{time}.jsonl", own)
    take(tmp_path / "study", tmp_path / "bot")
    study = Study.open_whole(tmp_path / "study")
    assert [(own.sample, own.text) for own in study.answers] == [(0, "1 days."), (1, "2 days.")]
    assert sum(len(own.table.frame.drop_nulls("value")) for own in study.imported) == 2


def test_a_winner_may_be_named(tmp_path: Path) -> None:
    file = lines(tmp_path, "b.jsonl", battle("1", "y-bot", judge_id="J"), battle("2", "tie"))
    take(tmp_path / "study", file, rater=["J=model", "other=model"])
    chosen = Study.open_whole(tmp_path / "study").preferences_on_file.frame
    assert sorted(zip(chosen["choice"], chosen["rater"], strict=True)) == [
        ("b", "J"), ("tie", "other"),
    ]  # fmt: skip


def test_scores_of_each_turn_are_scores(tmp_path: Path) -> None:
    asked = {"question_id": 1, "turns": ["Why?", "And then?"]}
    judged = {"question_id": 1, "model_id": "bot", "judge_id": "J", "score_turn1": 8.0,
              "score_turn2": -1.0, "avg_score": 8.0}  # fmt: skip
    folder = tmp_path / "bench"
    lines(folder, "questions.jsonl", asked)
    lines(folder / "judged", "bot.jsonl", judged)
    outcome = take(tmp_path / "study", folder)
    study = Study.open_whole(tmp_path / "study")
    assert len(study.cases) == 2
    assert scored(study) == {"J": 1}
    assert any("a judge that failed" in str(line) for line in outcome.said)


def test_answers_in_a_folder_of_references_are_no_systems(tmp_path: Path) -> None:
    folder = tmp_path / "mt_bench"
    lines(folder, "question.jsonl", {"question_id": 1, "turns": ["Why?"]})
    answer = {"question_id": 1, "model_id": "big-bot", "choices": [{"index": 0, "turns": ["So."]}]}
    lines(folder / "reference_answer", "big-bot.jsonl", answer)
    lines(folder, "judge_prompts.jsonl", {"name": "single-v1", "prompt_template": "Judge."})
    outcome = take(tmp_path / "study", folder)
    study = Study.open_whole(tmp_path / "study")
    ((case,), systems) = (study.cases, list(study.systems))
    assert (len(case.references), systems) == (1, [])
    assert any("neither asked, answered nor judged" in str(line) for line in outcome.said)


def test_arena_hards_two_games_are_one_preference(tmp_path: Path) -> None:
    folder = tmp_path / "hard"
    games = {"u1": ("A>B", "B>>A"), "u2": ("A>B", "A>B"), "u3": ("B>A", None), "u4": ("B>A", "A>B")}
    for uid, pair in games.items():
        asked = {"uid": uid, "category": "health", "prompt": f"Why {uid}?"}
        said_by_bot = {"role": "assistant", "content": {"answer": "So."}}
        answer = {"uid": uid, "model": "bot", "messages": [{"role": "user"}, said_by_bot]}
        judged = {"uid": uid, "judge": "J", "model": "bot", "baseline": "base",
                  "games": [{"score": score} for score in pair]}  # fmt: skip
        for place, record in ((".", asked), ("model_answer", answer), ("model_judgment", judged)):
            lines(folder / place, f"{uid}.jsonl", record)
    take(tmp_path / "study", folder)
    study = Study.open_whole(tmp_path / "study")
    chosen = study.preferences_on_file.frame
    found = dict(zip(chosen["case"], chosen["choice"], strict=True))
    assert (found, set(chosen["system_a"])) == ({"u1": "a", "u2": "tie", "u4": "b"}, {"base"})
    assert {answer.text for answer in study.answers if answer.system == "bot"} == {"So."}


def test_many_columns_are_named_in_one_short_line() -> None:
    columns = [ColumnAccount("f", f"c{at}" * 9, "left out", 1, {"left out": 1}, "left out")
               for at in range(30_000)]  # fmt: skip
    assert max(map(len, Account(columns, len(columns)).lines())) < 90
