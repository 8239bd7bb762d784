"""What a tool's file says beside its records, and what of a record is no label, is never lost."""

import csv
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.exchange.samples import EXAMPLES, SHIPPED
from tests.exchange.test_evaluation_tools import TOOLS, take, write
from tests.exchange.test_tool_layouts import lines, scored

import medassay.exchange
from medassay.errors import InvalidInput
from medassay.exchange.outcome import Outcome
from medassay.exchange.proposal import Undecided
from medassay.exchange.registry import find_format, formats
from medassay.study import Study

ROOM = Path(medassay.exchange.__file__).parent
READ = {
    own.id
    for own in formats("--from")
    if any("tool_rows" in file.read_text("utf-8")
           for file in (ROOM / own.id.replace("-", "_")).glob("*.py"))
}  # fmt: skip
"""Every format that fills a tool's rows: a new one is among them by being there."""
SAMPLES = [name for name, of in SHIPPED.items() if of in READ and not name.endswith(".eval")]
ALONE = {
    "evaluation-tools/langfuse/scores.csv",
    "evaluation-tools/phoenix/annotations.csv",
    "evaluation-tools/evalport/quick-bot.json",
}
"""What names no question, and comes with the other samples of its folder."""
PLANTED, WORDS = "zz_left", "Words of which nothing is known."
WHOLE = {"arguments", "responses", "suggestions"}
"""What is one cell, and what has names of questions as keys."""
MEANS = {"overall_means": {"faithfulness": 0.625}}
ROWS = [
    {"user_input": f"How long for {at}?", "response": f"{at} days.", "retrieved_contexts": ["a"],
     "faithfulness": at / 4}
    for at in range(1, 4)
]  # fmt: skip


def plant(held: object, name: str = "") -> int:
    """Give each object a field that no tool knows; say how many there are."""
    if isinstance(held, list):
        return sum(plant(own, name) for own in held)
    if not isinstance(held, dict) or name == "arguments":
        return 0
    count = sum(plant(own, inside) for inside, own in list(held.items()))
    if name in WHOLE:
        return count
    held[PLANTED] = WORDS
    return count + 1


def planted(file: Path) -> int:
    """Write a file again, with a field that no tool knows in every object; say how many."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".csv":
        rows = list(csv.DictReader(text.splitlines()))
        with file.open("w", encoding="utf-8", newline="") as opened:
            writer = csv.DictWriter(opened, [*rows[0], PLANTED])
            writer.writeheader()
            writer.writerows({**row, PLANTED: WORDS} for row in rows)
        return len(rows)
    records = [json.loads(line) for line in text.splitlines()] if file.suffix == ".jsonl" else []
    held = records or json.loads(text)
    if isinstance(held, dict) and "columns" in held:  # as pandas splits a table
        held["columns"].append(PLANTED)
        for row in held["data"]:
            row.append(WORDS)
        count = len(held["data"])
    else:
        count = plant(held)
    told = "\n".join(map(json.dumps, records)) if records else json.dumps(held)
    file.write_text(told, encoding="utf-8")
    return count


def taken(into: Path, of: str, files: Sequence[Path]) -> Outcome:
    """Import files; what is asked gets the first answer that is offered, three times at most."""
    typed: dict[str, list[str]] = {}
    for _ in range(3):
        try:
            reads = find_format(of, "--from").reads
            assert reads is not None
            return reads.take(into, files, **typed)
        except Undecided as asked:
            for question in asked.questions:
                typed.setdefault(question.option, []).extend(next(iter(question.answers.values())))
    raise AssertionError(typed)


@pytest.mark.parametrize("name", SAMPLES)
def test_what_nobody_knows_is_accounted_for_wherever_it_stands(tmp_path: Path, name: str) -> None:
    source, of = EXAMPLES / name, SHIPPED[name]
    folder = source if source.is_dir() else source.parent
    root = shutil.copytree(folder, tmp_path / "in" / folder.name)
    files = [root] if source.is_dir() else [root / source.name]
    inside = sorted(root.rglob("*")) if source.is_dir() else files
    counts = {own: planted(own) for own in inside if own.suffix in {".json", ".jsonl", ".csv"}}
    if name in ALONE:
        with pytest.raises(InvalidInput, match="mport"):
            taken(tmp_path / "study", of, files)
        files += [root / own.name for own in map(Path, SHIPPED)
                  if own.parent == Path(name).parent and SHIPPED[own.as_posix()] == of
                  and own.name != source.name]  # fmt: skip
    outcome = taken(tmp_path / "study", of, files)
    assert isinstance(outcome.facts, dict)
    columns = outcome.facts["account"]["columns"]
    note = next((str(line) for line in outcome.said if "were not read" in str(line)), "")
    read = sum(count for own, count in counts.items() if own.name not in note)
    assert sum(own["filled"] for own in columns if PLANTED in own["column"]) == read > 0
    assert not any(
        PLANTED in own.table.sources[0] for own in Study.open(tmp_path / "study").imported
    )


def means_are_told(outcome: Outcome) -> bool:
    told = [str(line) for line in outcome.said]
    return any("overall_means" in line and "left out" in line for line in told) or any(
        "overall_means" in line and "not read" in line for line in told
    )


LISTS = [name for name in SAMPLES if name.endswith(".json")
         and isinstance(json.loads((EXAMPLES / name).read_text("utf-8")), list)]  # fmt: skip


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("key", ["data", "items", "records", "results", "rows", "traces"])
def test_a_list_beside_which_means_stand_is_refused_or_they_are_told(
    tmp_path: Path, name: str, key: str
) -> None:
    held = json.loads((EXAMPLES / name).read_text("utf-8"))
    file = write(tmp_path, Path(name).name, {**MEANS, key: held})
    try:
        outcome = taken(tmp_path / "study", SHIPPED[name], [file])
    except InvalidInput:
        return
    assert means_are_told(outcome)


def test_sums_in_the_results_beside_samples_are_told(tmp_path: Path) -> None:
    outcome = take(tmp_path / "study", TOOLS / "lm-eval")
    assert any("left out (said of the file as a whole): results" in str(s) for s in outcome.said)


@pytest.mark.parametrize(
    "held",
    [
        {**MEANS, "rows": ROWS},
        {**MEANS, **{n: {str(at): row[n] for at, row in enumerate(ROWS)} for n in ROWS[0]}},
        {**{name: [row[name] for row in ROWS] for name in ROWS[0]}, **MEANS},
    ],
)  # fmt: skip
def test_means_beside_rows_are_told_and_no_row_is_lost(
    tmp_path: Path, held: dict[str, Any]
) -> None:
    outcome = take(tmp_path / "study", write(tmp_path, "bot.json", held))
    assert means_are_told(outcome)
    assert scored(Study.open(tmp_path / "study")) == {"faithfulness_given": 3}


def test_means_beside_the_records_of_a_plain_list_are_told(tmp_path: Path) -> None:
    rows = [{"question": row["user_input"], "answer": row["response"]} for row in ROWS]
    outcome = take(tmp_path / "study", write(tmp_path, "list.json", {**MEANS, "rows": rows}))
    assert means_are_told(outcome)


def task(at: int, **data: object) -> dict[str, Any]:
    return {"id": at, "data": data, "annotations": []}


def test_what_passages_were_marked_of_is_asked(tmp_path: Path) -> None:
    tasks = [
        task(at, text=f"The patient number {at} took aspirin and felt better.") for at in (1, 2)
    ]
    for own in tasks:
        value = {"start": 21, "end": 28, "labels": ["Drug"]}
        result = {"from_name": "l", "to_name": "text", "type": "labels", "value": value}
        own["annotations"] = [{"completed_by": 1, "result": [result]}]
    file = write(tmp_path, "t.json", tasks)
    with pytest.raises(Undecided, match="marked passages of text"):
        take(tmp_path / "study", file)
    take(tmp_path / "study", file, column=["answer=text"])
    assert len(Study.open_whole(tmp_path / "study").answers) == 2


def test_numbers_beside_an_answer_are_scores_and_never_tags(tmp_path: Path) -> None:
    tasks = [
        task(at, question=f"Why {at}?", answer="So.", faithfulness=at / 4,
             answer_perplexity=6.5 + at, year=2020 + at)
        for at in (1, 2)
    ]  # fmt: skip
    outcome = take(tmp_path / "study", write(tmp_path, "t.json", tasks))
    study = Study.open_whole(tmp_path / "study")
    assert scored(study) == {"faithfulness_given": 2}
    assert [set(case.tags) for case in study.cases] == [{"year"}, {"year"}]
    assert any("no known metric): data.answer_perplexity" in str(line) for line in outcome.said)


def test_a_remark_without_a_rating_is_told(tmp_path: Path) -> None:
    own = task(1, question="Why?", answer="So it is.")
    result = {"from_name": "why", "type": "textarea", "value": {"text": ["Too short."]}}
    own["annotations"] = [{"completed_by": 1, "result": [result]}]
    outcome = take(tmp_path / "study", write(tmp_path, "t.json", [own]))
    assert any("a remark without a rating" in str(line) for line in outcome.said)


# The tools


def test_whose_the_answers_of_a_bioasq_file_are_is_asked(tmp_path: Path) -> None:
    question = {"id": "q1", "type": "summary", "body": "Why?", "ideal_answer": ["So it is."]}
    file = write(tmp_path, "run-5.json", {"questions": [question]})
    with pytest.raises(Undecided, match="the experts, as references, or a system"):
        take(tmp_path / "study", file)
    take(tmp_path / "one", file, system=["run-5=reference"])
    take(tmp_path / "two", file, system=["bot"])
    (case,) = Study.open(tmp_path / "one").cases
    assert [own.text for own in case.references] == ["So it is."]
    assert list(Study.open(tmp_path / "two").systems) == ["bot"]
    with pytest.raises(InvalidInput, match="name a file that is imported"):
        take(tmp_path / "three", file, system=["run-6=bot"])


def test_bioasq_keeps_yes_and_no_as_options_and_snippets_of_a_test_set(tmp_path: Path) -> None:
    closed = {"id": "q1", "type": "yesno", "body": "Is it?", "snippets": ["A text."]}
    open_ = {
        "id": "q2",
        "type": "list",
        "body": "Which?",
        "snippets": [{"text": "B", "document": "d"}],
    }
    take(tmp_path / "study", write(tmp_path, "set.json", {"questions": [closed, open_]}))
    study = Study.open_whole(tmp_path / "study")
    assert [len(case.options) for case in study.cases] == [2, 0]
    assert [[own.text for own in case.evidence] for case in study.cases] == [["A text."], ["B"]]
    sent = [{**closed, "exact_answer": "yes", "ideal_answer": ""},
            {**open_, "exact_answer": [["a", "b"], ["c"]], "ideal_answer": ""}]  # fmt: skip
    take(tmp_path / "study", write(tmp_path, "bot.json", {"questions": sent}))
    answers = {own.case: own for own in Study.open_whole(tmp_path / "study").answers}
    assert (answers["q1"].choice, answers["q2"].text) == ("yes", "a; b\nc")


def test_evalport_results_want_their_suite(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="come with the suite"):
        take(tmp_path / "study", TOOLS / "evalport" / "clinic-bot.json")
    run = json.loads((TOOLS / "evalport" / "clinic-bot.json").read_text(encoding="utf-8"))
    run["results"][0]["test_case_id"] = "other"
    other = write(tmp_path, "run.json", run)
    with pytest.raises(InvalidInput, match=r"run\.json, row 1.*answer a test case of the suites"):
        take(tmp_path / "study", TOOLS / "evalport" / "suite.json", other)


def test_evalport_keeps_persons_attempts_and_failures_apart(tmp_path: Path) -> None:
    suite = {"version": "1.0.0", "id": "s", "test_cases": [
        {"id": "c", "input": ["Why?", "And then?"], "graders": ["g"], "metadata": {"topic": "x"}}
    ]}  # fmt: skip
    grade = {"grader_id": "g", "type": "human", "score": 1, "passed": True}
    result = {"test_case_id": "c", "actual_output": "So.", "passed": True, "attempt": 1,
              "grader_results": [grade]}  # fmt: skip
    failed = {"test_case_id": "c", "passed": False, "grader_results": [], "attempt": 3,
              "error": {"type": "timeout", "message": "late"}}  # fmt: skip
    run = {"suite_id": "s", "run_id": "r", "version": "1.0.0", "provider": {"model": "bot"},
           "results": [result, result | {"attempt": 2, "actual_output": "N"}, failed]}  # fmt: skip
    files = write(tmp_path, "suite.json", suite), write(tmp_path, "run.json", run)
    with pytest.raises(Undecided, match="No field names anybody"):
        take(tmp_path / "study", *files)
    take(tmp_path / "study", *files, rater=["anna"])
    study = Study.open_whole(tmp_path / "study")
    assert [(own.sample, own.text) for own in study.answers] == [(0, "So."), (1, "N")]
    assert set(study.judgements_on_file.frame["rater_kind"]) == {"person"}
    assert [case.tags for case in study.cases] == [{"topic": "x"}]


def test_opik_takes_what_was_said_in_its_pages_for_people_and_the_rest_for_scores(
    tmp_path: Path,
) -> None:
    by = {"anna": {"value": 1.0, "source": "ui", "category_name": "yes"},
          "a judge": {"value": 0.0, "source": "online_scoring"}}  # fmt: skip
    record = {
        "trace": {
            "id": "t", "input": {"question": "Why?"}, "output": {"answer": "So."},
            "feedback_scores": [
                {"name": "useful", "value": 0.5, "source": "ui", "value_by_author": by},
                {"name": "hallucination", "value": 0.1, "source": "sdk"},
            ],
        },
        "spans": [{"name": "step"}], "project_name": "bot",
    }  # fmt: skip
    file = write(tmp_path, "trace_t.json", record)
    take(tmp_path / "study", file, label=["useful.good=yes"])
    study = Study.open_whole(tmp_path / "study")
    assert set(study.judgements_on_file.frame["rater"]) == {"anna"}
    assert scored(study) == {"useful": 1, "hallucination_given": 1}


def test_argilla_leaves_drafts_out(tmp_path: Path) -> None:
    record = {
        "id": "1", "fields": {"prompt": "Why?", "response": "So."}, "metadata": {"bleu": 0.25},
        "suggestions": {"quality": {"value": 4, "score": None, "agent": None, "type": "model"}},
        "responses": [
            {"user_id": "u1", "status": "submitted", "values": {"quality": {"value": 5}}},
            {"user_id": "u2", "status": "draft", "values": {"quality": {"value": 1}}},
        ],
    }  # fmt: skip
    file = lines(tmp_path, "r.jsonl", record)
    take(tmp_path / "study", file, scale=["quality=1-5"])
    study = Study.open_whole(tmp_path / "study")
    frame = study.judgements_on_file.frame
    assert dict(zip(frame["rater"], frame["rater_kind"], strict=True)) == {
        "u1": "person", "suggestion": "model",
    }  # fmt: skip
    assert scored(study) == {"bleu_given": 1}
    assert not any(case.tags for case in study.cases)


def test_a_no_alone_is_asked_about_and_what_is_asked_can_be_typed(tmp_path: Path) -> None:
    record = {"id": "1", "fields": {"question": "Why?", "answer": "So it is."}, "suggestions": {},
              "responses": {"cut": [{"value": "NO", "user_id": "u1"}]}}  # fmt: skip
    file = write(tmp_path, "r.json", [record])
    with pytest.raises(Undecided) as error:
        take(tmp_path / "study", file)
    typed: dict[str, list[str]] = {}
    for question in error.value.questions:
        typed.setdefault(question.option, []).extend(next(iter(question.answers.values())))
    take(tmp_path / "study", file, **typed)
    assert len(Study.open_whole(tmp_path / "study").judgements_on_file) == 1


def test_a_share_that_people_gave_goes_from_0_to_1(tmp_path: Path) -> None:
    run = json.loads((TOOLS / "evalport" / "clinic-bot.json").read_text(encoding="utf-8"))
    grades = [own for result in run["results"] for own in result["grader_results"]]
    next(own for own in grades if own["type"] == "human")["score"] = 0.5
    file = write(tmp_path, "clinic-bot.json", run)
    take(tmp_path / "study", TOOLS / "evalport" / "suite.json", file)
    study = Study.open_whole(tmp_path / "study")
    assert sorted(study.judgements_on_file.frame["number"].to_list()) == [0.5, 1, 1, 1]


def test_two_fields_of_argilla_under_one_name_are_both_counted(tmp_path: Path) -> None:
    record = {"id": "1", "fields": {"question": "Why?", "answer": "So.", "note": "a"}, "note": "b",
              "responses": {}, "suggestions": {}}  # fmt: skip
    outcome = take(tmp_path / "study", write(tmp_path, "r.json", [record]))
    assert isinstance(outcome.facts, dict)
    columns = {own["column"]: own["filled"] for own in outcome.facts["account"]["columns"]}
    assert columns["note"] == 2


def test_files_of_a_folder_that_nothing_reads_are_named(tmp_path: Path) -> None:
    for name in ("opik", "lm-eval", "helm", "arena/mt-bench"):
        folder = shutil.copytree(TOOLS / name, tmp_path / name)
        write(folder / next(p for p in sorted(folder.iterdir()) if p.is_dir()).name
              if name == "helm" else folder, "notes.json", {})  # fmt: skip
        outcome = taken(tmp_path / "studies" / name, SHIPPED[f"evaluation-tools/{name}"], [folder])
        assert any("were not read" in str(s) and "notes.json" in str(s) for s in outcome.said)
