"""Studies with little in them run to their end, and say what they lack."""

import json
from pathlib import Path

from medassay.library import run_and_report

CASES = [f"c{number}" for number in range(12)]
SYSTEMS = ("a", "b", "c", "d")


def report_of(folder: Path, raters: dict[str, str]) -> str:
    """Run a study in which everybody gives every system the same labels; give its report."""
    (folder / "answers").mkdir(parents=True)
    (folder / "study.toml").write_text(
        'schema = 1\ntitle = "Ties"\n[[dimensions]]\nrubric = "likert5"\n', encoding="utf-8"
    )
    cases = [json.dumps({"case": case, "question": f"What is {case}?"}) for case in CASES]
    (folder / "cases.jsonl").write_text("\n".join(cases), encoding="utf-8")
    rows = ["rater,rater_kind,system,case,dimension,label"]
    for system in SYSTEMS:
        answers = [json.dumps({"case": case, "text": f"It is {case}."}) for case in CASES]
        (folder / "answers" / f"{system}.jsonl").write_text("\n".join(answers), encoding="utf-8")
        rows += [
            f"{rater},{kind},{system},{case},quality,{number % 3 + 2}"
            for rater, kind in raters.items()
            for number, case in enumerate(CASES)
        ]
    (folder / "judgements.csv").write_text("\n".join(rows), encoding="utf-8")
    return (run_and_report(folder).folder / "report.md").read_text(encoding="utf-8")


def test_systems_that_tie_on_every_case_are_called_the_same(tmp_path: Path) -> None:
    said = report_of(tmp_path / "ties", {"r1": "person", "r2": "person"})
    assert (
        "All four systems have the same mean on Overall quality by these two raters (3.00" in said
    )
    assert "higher than that" not in said
    assert "No systems are too few" not in said


def test_a_model_that_judged_alone_and_does_not_count_is_spoken_of(tmp_path: Path) -> None:
    said = report_of(tmp_path / "alone", {"judge": "model"})
    assert "No person rated these answers, and ratings by models are in no score" in said
    assert "Nobody rated" not in said
    assert "answers rated for a start" in said
