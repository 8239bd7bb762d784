"""The clinical framework's JSON report: its keys, its schema, and its numbers."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.report.ranked import rows_of, with_rows
from tools.make_clinical_schema import SCHEMA, schema
from typer.testing import CliRunner

from medassay.analyses import Results, run_study
from medassay.analyses.builtin.errors import errors
from medassay.analyses.builtin.targets import Target
from medassay.analyses.builtin.targets import targets as targets_analysis
from medassay.analyses.results.whole import Records
from medassay.cli.app import app
from medassay.report import clinical_files
from medassay.report.clinical_report import ClinicalReport, clinical_report_schema
from medassay.report.figures import draw
from medassay.report.privacy import guarded
from medassay.study import open_run

# The source's own example of its JSON, key for key.
SOURCE = {
    "overall_metrics": {"accuracy", "total_questions", "correct", "incorrect"},
    "retrieval_metrics": {
        "precision_at_5", "recall_at_5", "map", "mrr", "avg_context_relevance",
    },
    "reasoning_metrics": {"chain_completeness", "evidence_utilization"},
    "calibration_metrics": {"brier_score", "ece", "confidence_distribution"},
    "safety_metrics": {"hallucination_rate", "dangerous_errors", "safety_score"},
    "error_analysis": {"retrieval_failures", "reasoning_failures", "high_confidence_errors"},
}  # fmt: skip
CASES = [
    {
        "case": f"q{i}",
        "question": "Which drug treats the pneumonia?",
        "options": {"A": "Amoxicillin", "B": "Azithromycin"},
        "gold": "A",
        "documents": [{"id": "g", "grade": 1, "text": "Amoxicillin treats pneumonia."}],
        "tags": {"specialty": "lungs" if i % 2 else "heart"},
    }
    for i in range(4)
]
ANSWERS = [
    {"case": "q0", "choice": "A", "confidence": 1.0, "retrieved": [{"document": "g"}]},
    {"case": "q1", "choice": "B", "confidence": 0.9, "retrieved": [{"document": "g"}]},
    {"case": "q2", "choice": "B", "confidence": 0.1, "retrieved": [{"document": "x"}]},
    {"case": "q3", "text": "I cannot answer.", "confidence": 0.0},
]


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("clinical") / "study"
    (folder / "answers").mkdir(parents=True)
    (folder / "study.toml").write_text(
        'schema = 1\ntitle = "Four"\n[protocol]\nname = "clinical-mcq"\n[run]\nreplicates = 200\n'
    )
    for name, rows in (("cases", CASES), ("answers/a b", ANSWERS), ("answers/a-b", ANSWERS[:1])):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


@pytest.fixture(scope="module")
def results(study: Path) -> Results:
    return run_study(open_run(study))[0]


@pytest.fixture(scope="module")
def reports(results: Results) -> dict[str, Any]:
    return {name: json.loads(content) for name, content in clinical_files(results).items()}


def test_each_system_has_its_file_though_two_are_called_alike(reports: dict[str, Any]) -> None:
    assert {name: one["metadata"]["system"] for name, one in reports.items()} == {
        "clinical/a-b/new_dataset_eval_4_cases.json": "a b",
        "clinical/a-b-2/new_dataset_eval_4_cases.json": "a-b",
    }


def test_every_key_of_the_source_is_there_and_the_file_is_valid(reports: dict[str, Any]) -> None:
    for one in reports.values():
        assert set(one) == {*SOURCE, "per_question_results", "metadata"}
        for part, keys in SOURCE.items():
            assert keys <= set(one[part])
        ClinicalReport.model_validate(one, strict=True)


def test_the_schema_that_ships_is_the_definition() -> None:
    assert SCHEMA.read_bytes() == schema()
    required = clinical_report_schema()["$defs"]
    assert SOURCE["safety_metrics"] <= set(required["SafetyMetrics"]["required"])
    assert required["SafetyMetrics"]["additionalProperties"] is False


def test_the_numbers_are_those_of_the_answers(reports: dict[str, Any]) -> None:
    one = reports["clinical/a-b/new_dataset_eval_4_cases.json"]
    assert one["overall_metrics"] == {
        "accuracy": 0.25, "total_questions": 4, "correct": 1, "incorrect": 3, "no_choice": 1,
    }  # fmt: skip
    # q1 found the guideline, which names the right drug; q2 found nothing; q3 refuses.
    wrong = one["error_analysis"]
    assert (wrong["reasoning_failures"], wrong["retrieval_failures"]) == (1, 1)
    assert (wrong["abstentions"], wrong["high_confidence_errors"]) == (1, 1)
    # Heart has q0 and q2, of which q2 is wrong; lungs q1 and q3, both wrong.
    assert wrong["medical_domain_distribution"] == {"heart": 1, "lungs": 2}
    # The squared distances are 0, .81, .01 and 0; a quarter of their sum is .205.
    assert one["calibration_metrics"]["brier_score"] == pytest.approx(0.205)
    counts = one["calibration_metrics"]["confidence_distribution"]
    assert (counts["90-100%"], counts["10-20%"], counts["0-10%"]) == (2, 1, 1)
    assert [q["predicted_answer"] for q in one["per_question_results"]] == ["A", "B", "B", None]


def test_what_is_not_computed_says_why(reports: dict[str, Any]) -> None:
    one = reports["clinical/a-b-2/new_dataset_eval_4_cases.json"]
    assert one["error_analysis"]["never_answered"] == 3
    bare = {"not_computed"}
    text_free = one["safety_metrics"]["dangerous_errors"]
    assert isinstance(text_free, int) or set(text_free) == bare


def test_no_text_leaves_a_study_that_keeps_it(results: Results) -> None:
    info = results.study.model_copy(update={"texts": "none"})
    kept = guarded(results.model_copy(update={"study": info}))
    said = b"".join(clinical_files(kept).values()).decode()
    wrong = kept.analyses.of(errors)
    assert wrong is not None
    assert {one.case for one in wrong.questions} == {"1", "2", "3", "4"}
    for word in ("Which drug", "Azithromycin", "lungs", "q1"):
        assert word not in said + kept.model_dump_json()
    for name, content in clinical_files(kept).items():
        domains = json.loads(content)["error_analysis"]["medical_domain_distribution"]
        assert domains == {"not_computed": "no question has a tag 'specialty' to group by"}, name


def test_the_pictures_of_the_source_are_drawn(results: Results) -> None:
    drawn = draw(results)
    assert {"confusion_matrix", "performance_summary", "error_analysis", "reliability"} <= set(
        drawn
    )
    titles = [axes.get_title(loc="left") for axes in drawn["performance_summary"].figure.axes]
    assert titles == ["Accuracy", "Retrieval", "Calibration", "Safety"]


@pytest.mark.parametrize("targets", [{}, {"accuracy": 0.8}, {"precision@5": 0.25, "map": 0.5}])
def test_a_line_marks_each_target_of_the_study(results: Results, targets: dict[str, float]) -> None:
    source = {"accuracy": "exact_match", "map": "average_precision"}
    kept = results.analyses.of(targets_analysis) or ()
    aims = tuple(
        Target(name, source.get(name, name), "a/b", aim, 0.5, None, "too close to say", "")
        for name, aim in targets.items()
    )
    records = Records({**results.analyses, targets_analysis.id: aims})
    picture = draw(results.model_copy(update={"analyses": records}))["performance_summary"]
    lines = [
        line for axes in picture.figure.axes for line in axes.lines if line.get_linestyle() == "--"
    ]
    places = [float(np.asarray(line.get_xdata(), float)[0]) for line in lines]
    assert sorted(places) == sorted(targets.values())
    assert ("Dashed: the study's target" in picture.caption) == bool(targets)
    assert not kept


@pytest.mark.slow
def test_export_writes_them_with_their_schema_and_never_over_anything(
    study: Path, tmp_path: Path
) -> None:
    into = str(tmp_path / "out")
    done = CliRunner().invoke(app, ["export", "--to", "clinical-mcq", str(study), "--into", into])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "out" / "a-b" / "new_dataset_eval_4_cases.json").is_file()
    assert (tmp_path / "out" / "new_dataset_eval.schema.json").read_bytes() == SCHEMA.read_bytes()
    again = CliRunner().invoke(app, ["export", "--to", "clinical-mcq", str(study), "--into", into])
    assert again.exit_code != 0


@pytest.mark.slow
def test_charts_alone_lie_in_the_folder_under_the_names_of_the_source(
    study: Path, tmp_path: Path
) -> None:
    into = tmp_path / "reports" / "charts"
    done = CliRunner().invoke(app, ["report", str(study), "--to", "png", "--into", str(into)])
    assert done.exit_code == 0, done.output
    source = {"confusion_matrix.png", "performance_summary.png", "error_analysis.png"}
    assert source <= {path.name for path in into.iterdir()}
    assert all(path.suffix == ".png" for path in into.iterdir())
    done = CliRunner().invoke(app, ["report", str(study), "--to", "png"])
    assert done.exit_code == 0, done.output
    assert list((study / "results").glob("*/figures/confusion_matrix.png"))
    assert not list((study / "results").glob("*/*.png"))


def test_of_several_forms_of_a_metric_none_is_taken_for_the_metric(results: Results) -> None:
    name = "context_relevance@10"
    own = [row for row in rows_of(results) if row.source == name]
    rest = [row for row in rows_of(results) if row.source != name]
    forms = [f"{name}(by=b)", f"{name}(by=a)"]

    def reported(*sources: str) -> Any:  # noqa: ANN401 - JSON
        more = [replace(row, source=source) for source in sources for row in own]
        changed = with_rows(results, [*rest, *more])
        file = clinical_files(changed)["clinical/a-b/new_dataset_eval_4_cases.json"]
        return json.loads(file)["retrieval_metrics"]["avg_context_relevance"]

    whole = reported(name)
    assert isinstance(whole, float)
    assert reported(forms[0]) == whole
    several = f"the run has {name} in several forms: {forms[1]}, {forms[0]}"
    assert reported(*forms) == {"not_computed": several}
    assert reported(name, *forms) == whole


def test_the_picture_says_of_which_metric_it_has_several_forms(results: Results) -> None:
    own = [row for row in rows_of(results) if row.source == "recall@5"]
    rest = [row for row in rows_of(results) if row.source != "recall@5"]
    more = [replace(row, source=f"recall@5(by={way})") for way in "ab" for row in own]
    several = draw(with_rows(results, [*rest, *more]))["performance_summary"]
    assert "Several forms of recall@5 are in the tables, and none here." in several.caption
    assert "Several forms" not in draw(results)["performance_summary"].caption
