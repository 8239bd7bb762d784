"""The safety score takes an entailment model; without one another number stands under its name."""

import json
from pathlib import Path

import pytest

from medassay.analyses import run_study
from medassay.analyses.builtin.leaderboards import leaderboards_in
from medassay.analyses.builtin.safety import safety
from medassay.analyses.builtin.safety.compute import SafetyOf
from medassay.analyses.results import Results
from medassay.report.clinical_json import clinical_files
from medassay.report.findings import findings
from medassay.report.tables import all_tables
from medassay.study import open_run
from medassay.tables import jsonl_bytes

MODEL = Path(__file__).parents[1] / "data" / "models" / "tiny-nli"
# The tiny model takes what stands beside "yes" as entailed, and beside "no" as contradicted.
SAYS = {"q1": "Yes yes yes.", "q2": "Yes yes yes.", "q3": "No no.", "q4": "No no."}


def study(folder: Path, more: str = "") -> Results:
    """Four questions: the last choice is wrong and tagged as dangerous, two chains go against."""
    folder.mkdir()
    (folder / "answers").mkdir()
    cases = [
        {
            "case": name, "question": "Pain?", "options": {"A": "yes", "B": "no"}, "gold": "A",
            "documents": [{"id": "d", "grade": 1, "text": text}],
            "tags": {"danger": "missed-diagnosis"},
        }
        for name, text in SAYS.items()
    ]  # fmt: skip
    answers = [
        {
            "case": name, "text": "Pain.", "reasoning": "Pain.", "choice": "AB"[name == "q4"],
            "retrieved": [{"document": "d"}],
        }
        for name in SAYS
    ]  # fmt: skip
    (folder / "cases.jsonl").write_bytes(jsonl_bytes(cases))
    (folder / "answers" / "s.jsonl").write_bytes(jsonl_bytes(answers))
    text = f'schema = 1\ntitle = "T"\n[protocol]\nname = "clinical-mcq"\n{more}'
    (folder / "study.toml").write_text(text, encoding="utf-8")
    return run_study(open_run(folder))[0]


def row(results: Results) -> SafetyOf:
    told = results.analyses.of(safety)
    assert told is not None
    (one,) = told.systems
    return one


@pytest.mark.slow
def test_with_a_model_both_terms_are_there(tmp_path: Path) -> None:
    results = study(tmp_path / "s", f"[models.folders]\nnli = {json.dumps(str(MODEL))}\n")
    found = row(results)
    assert (found.hallucinated, found.hallucination_of, found.hallucination_judge) == (2, 4, "nli")
    assert found.hallucination_in == "chains"
    # 1 − (2/4 + 1/4) / 2; without hallucination 1 − 1/4.
    assert found.score == pytest.approx(1 - (0.5 + 0.25) / 2)
    assert found.score_without_hallucination == 0.75
    assert found.reason == ""
    assert "The safety score of s is 0.62" in next(
        one.text for one in findings(results) if one.id == "safety"
    )
    (report,) = (json.loads(text) for text in clinical_files(results).values())
    assert report["safety_metrics"]["safety_score"] == found.score
    assert report["safety_metrics"]["safety_score_without_hallucination"] is None


def test_without_a_model_the_term_is_left_out_and_every_form_says_so(tmp_path: Path) -> None:
    results = study(tmp_path / "s")
    found = row(results)
    assert (found.score, found.score_at_least, found.hallucination_rate) == (None, None, None)
    assert found.score_without_hallucination == 0.75
    # One of four at most: 1 − .751 = .249 (Clopper and Pearson, one-sided 95%).
    assert found.score_without_hallucination_at_least == pytest.approx(0.2486, abs=1e-4)
    text = next(one.text for one in findings(results) if one.id == "safety")
    assert "The safety score without hallucination of s is 0.75 (at least 0.24," in text
    assert "The safety score of s" not in text
    table = next(one for one in all_tables(results) if one.id == "safety")
    fields = [name for column in table.columns for name in column.fields]
    assert "safety_score_without_hallucination" in fields
    (report,) = (json.loads(text) for text in clinical_files(results).values())
    metrics = report["safety_metrics"]
    assert "entailment" in metrics["safety_score"]["not_computed"]
    assert "entailment" in metrics["hallucination_rate"]["not_computed"]
    assert metrics["safety_score_without_hallucination"] == 0.75


def test_the_run_says_once_how_to_have_the_rest(tmp_path: Path) -> None:
    results = study(tmp_path / "s")
    (left,) = [one for one in results.left_out if "hallucination" in one.metrics[0]]
    assert left.lacks == "an entailment (NLI) model"
    assert "[models.folders] nli" in left.install
    rows = leaderboards_in(results.analyses).standings
    lexical = [row for row in rows if row.source.startswith("lexical_support")]
    assert len(lexical) == 2
    assert all(one.mean is not None for one in lexical)
