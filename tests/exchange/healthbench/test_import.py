"""HealthBench's files, made by hand in their exact form, become a study by one command."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from medassay.cli import app
from medassay.errors import InvalidInput
from medassay.exchange.healthbench.declared import import_healthbench
from medassay.judgements import units
from medassay.study import Study

CRITERIA: list[dict[str, Any]] = [
    {"criterion": "Says to call an ambulance.", "points": 10,
     "tags": ["level:example", "axis:accuracy"]},
    {"criterion": "Advises to wait.", "points": -8, "tags": ["level:cluster", "axis:accuracy"]},
]  # fmt: skip
EXAMPLE: dict[str, Any] = {
    "example_tags": ["theme:emergency_referrals", "physician_agreed_category:emergent"],
    "ideal_completions_data": {
        "ideal_completion": "Call an ambulance now.",
        "ideal_completions_group": "Group 2",
        "ideal_completions_ref_completions": ["Call your doctor.", "Wait."],
    },
    "prompt": [
        {"content": "My chest hurts.", "role": "user"},
        {"content": "Since when?", "role": "assistant"},
        {"content": "An hour.", "role": "user"},
    ],
    "prompt_id": "p-1",
    "rubrics": CRITERIA,
    "canary": "healthbench:0000",
}
PROFESSIONAL = {
    "id": "t-1",
    "conversation": {"messages": [{"role": "user", "content": "Dose of X in renal failure?"}]},
    "rubric_items": [{"criterion_text": "Halves the dose.", "points": 5}],
    "use_case": "consult", "type": "good_faith", "difficulty": "typical",
    "specialty": "Nephrology", "physician_response": "Half the dose, and check the level.",
    "canary_string": "healthbench:0000",
}  # fmt: skip
LABELLED = {
    "prompt_id": "p-1", "prompt": EXAMPLE["prompt"], "completion": "Wait a day.",
    "completion_id": "x1", "rubric": "Advises to wait.", "category": "emergency_waits",
    "binary_labels": [True, True, False],
    "anonymized_physician_ids": ["dr-1", "dr-2", "dr-3"],
}  # fmt: skip
Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def lines(name: str, *rows: object) -> Path:
        path = tmp_path / name
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
        return path

    return lines


def results(met: str) -> dict[str, Any]:
    """Give results where each sign says what the grader found: + met, - not, ? nothing."""
    says = {"+": True, "-": False}
    items = [{**item, "criteria_met": says.get(each), "explanation": "So it says."}
             for item, each in zip(CRITERIA, met, strict=True)]  # fmt: skip
    row = {
        "score": 1.0, "usage": {}, "rubric_items": items, "prompt": EXAMPLE["prompt"],
        "completion": [{"role": "assistant", "content": "Call an ambulance."}],
        "prompt_id": "p-1", "completion_id": "abc",
    }  # fmt: skip
    return {"score": 1.0, "metrics": {}, "metadata": {"example_level_metadata": [row]}}


def test_every_field_of_an_example_is_used(write: Write, tmp_path: Path) -> None:
    import_healthbench(tmp_path / "study", [write("main.jsonl", EXAMPLE)])
    (case,) = Study.open(tmp_path / "study").cases
    assert [(turn.role, turn.text) for turn in case.turns][1] == ("assistant", "Since when?")
    assert case.prompt == "An hour."
    assert [(c.text, c.points, c.tags) for c in case.criteria] == [
        (item["criterion"], item["points"], tuple(item["tags"])) for item in CRITERIA
    ]
    assert case.tags == {
        "theme": "emergency_referrals", "physician_agreed_category": "emergent",
        "ideal_completions_group": "Group 2",
    }  # fmt: skip
    assert [(r.kind, r.text) for r in case.references] == [
        ("human", "Call an ambulance now."), ("model", "Call your doctor."), ("model", "Wait."),
    ]  # fmt: skip


def test_criteria_get_ids_that_stay(write: Write, tmp_path: Path) -> None:
    for name in ("one", "two"):
        import_healthbench(tmp_path / name, [write("main.jsonl", EXAMPLE)])
    one, two = (Study.open(tmp_path / name).cases["p-1"].criteria for name in ("one", "two"))
    assert [c.id for c in one] == [c.id for c in two]
    assert len({c.id for c in one}) == 2


def test_professional_has_another_form(write: Write, tmp_path: Path) -> None:
    import_healthbench(tmp_path / "study", [write("pro.jsonl", PROFESSIONAL)])
    (case,) = Study.open(tmp_path / "study").cases
    assert (case.case, case.criteria[0].text, case.criteria[0].tags) == (
        "t-1", "Halves the dose.", (),
    )  # fmt: skip
    assert case.tags == {
        "specialty": "Nephrology", "use_case": "consult", "type": "good_faith",
        "difficulty": "typical",
    }  # fmt: skip
    assert [(r.kind, r.text) for r in case.references] == [
        ("human", "Half the dose, and check the level.")
    ]


def test_labels_name_the_category_of_an_examples_criteria(write: Write, tmp_path: Path) -> None:
    new = {**LABELLED, "rubric": "Says when to come back.", "category": "comes_back"}
    files = [write("main.jsonl", EXAMPLE), write("meta.jsonl", LABELLED, new)]
    done = import_healthbench(tmp_path / "study", files)
    criteria = Study.open_whole(tmp_path / "study").cases["p-1"].criteria
    assert [(c.points, c.tags) for c in criteria][1:] == [
        (-8, ("level:cluster", "axis:accuracy", "category:emergency_waits")),
        (0, ("category:comes_back",)),
    ]
    assert any("count 0 points" in note for note in done.notes)


def test_physicians_labels_become_judgements(write: Write, tmp_path: Path) -> None:
    other = {**LABELLED, "completion": "Go now.", "completion_id": "x2", "binary_labels": [False],
             "anonymized_physician_ids": ["dr-2"]}  # fmt: skip
    files = [write("main.jsonl", EXAMPLE), write("meta.jsonl", LABELLED, other)]
    import_healthbench(tmp_path / "study", files)
    study = Study.open_whole(tmp_path / "study")
    read = units(study.judgements_on_file, "met")
    assert read.raters == ("dr-1", "dr-2", "dr-3")
    assert [unit.sample for unit in read.keys] == [0, 1]
    assert read.codes.tolist() == [[0, 0, 1], [-1, 1, -1]]
    assert len(study.answers.samples("completions", "p-1")) == 2


def test_results_bring_answers_and_the_graders_judgements(write: Write, tmp_path: Path) -> None:
    path = write("gpt.json", results("+?"))
    study = tmp_path / "study"
    import_healthbench(study, [write("main.jsonl", EXAMPLE)])
    done = CliRunner().invoke(app, ["import", str(path), "--into", str(study), "--rater", "G"])
    assert done.exit_code == 0, done.output
    assert 'models = "counted"' in " ".join(done.output.split())
    opened = Study.open_whole(study)
    rows = opened.judgements_on_file.frame.select("rater", "rater_kind", "label", "reason").rows()
    # What the grader did not say is a reason, never "not met".
    assert sorted(rows, key=str) == [
        ("G", "model", "met", None), ("G", "model", None, "cannot_judge"),
    ]  # fmt: skip
    answer = opened.answers.get("gpt", "p-1")
    assert answer is not None
    assert answer.text == "Call an ambulance."
    again = import_healthbench(study, [path], grader="G")
    assert (again.answers, again.judgements) == (0, 0)
    with (study / "study.toml").open("a") as file:
        file.write('\n[raters]\nmodels = "counted"\n')
    assert not any("counted" in note for note in import_healthbench(study, [path]).notes)


def test_what_is_wrong_is_named_with_its_row(write: Write, tmp_path: Path) -> None:
    bad = {**EXAMPLE, "prompt_id": "p-2", "rubrics": []}
    short = {**LABELLED, "anonymized_physician_ids": ["dr-1"]}
    with pytest.raises(InvalidInput) as error:
        import_healthbench(
            tmp_path / "study", [write("main.jsonl", EXAMPLE, bad), write("meta.jsonl", short)]
        )
    problems = [str(problem) for problem in error.value.problems]
    assert problems[0].startswith("main.jsonl, row 2, column rubrics: ")
    assert "name a physician for each of the 3 labels; got 1" in problems[1]
    assert not (tmp_path / "study").exists()


def test_results_of_another_conversation_are_refused(write: Write, tmp_path: Path) -> None:
    import_healthbench(tmp_path / "study", [write("main.jsonl", {**EXAMPLE, "prompt_id": "p-9"})])
    with pytest.raises(InvalidInput, match='name a conversation of the study; got "p-1"'):
        import_healthbench(tmp_path / "study", [write("gpt.json", results("+-"))])


CONSENSUS = {
    **EXAMPLE, "prompt_id": "p-3",
    "example_tags": ["theme:hedging", "physician_agreed_category:any-reducible-uncertainty"],
    "rubrics": [
        {"criterion": "Asks for what would change the advice.", "points": 5,
         "tags": ["level:cluster", "cluster:hedging_any-reducible-uncertainty_seeks_context",
                  "axis:context_awareness"]},
    ],
}  # fmt: skip
HARD = {
    **EXAMPLE, "prompt_id": "p-2", "example_tags": ["theme:global_health"],
    "ideal_completions_data": None,
}  # fmt: skip
LEFT_OUT = {"canary", "canary_string"}
"""What marks a file for those who train models, and says nothing of the example."""


def leaves(value: object, key: str = "") -> list[object]:
    """List every text and number of a record, however deep."""
    if key in LEFT_OUT or value is None:
        return []
    if isinstance(value, dict):
        return [leaf for name, one in value.items() for leaf in leaves(one, name)]
    if isinstance(value, list):
        return [leaf for one in value for leaf in leaves(one, key)]
    return [value]


@pytest.mark.parametrize(
    ("form", "row"),
    [("main", EXAMPLE), ("hard", HARD), ("consensus", CONSENSUS), ("professional", PROFESSIONAL)],
)
def test_one_command_makes_a_study_of_each_form_and_loses_no_field(
    write: Write, tmp_path: Path, form: str, row: dict[str, Any]
) -> None:
    study = tmp_path / "study"
    path = write(f"2025-05-07-{form}.jsonl", row)
    done = CliRunner().invoke(app, ["import", str(path), "--into", str(study)])
    assert done.exit_code == 0, done.output
    assert Study.open_whole(study).config.rules.name == "healthbench"
    (case,) = (study / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    held = leaves(json.loads(case))
    for leaf in leaves(row):
        # A tag of an example, `theme:hedging`, is a key and a value.
        parts = [leaf, *str(leaf).split(":", 1)[1:]]
        assert any(part in held for part in parts), f"{leaf} is lost"
