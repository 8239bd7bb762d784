"""A study whose systems have the same labels on every case runs to its end, and says so."""

import json
from pathlib import Path

from medassay.library import run_and_report

CASES = [f"c{number}" for number in range(12)]
SYSTEMS = ("a", "b", "c", "d")


def test_systems_that_tie_on_every_case_are_called_the_same(tmp_path: Path) -> None:
    folder = tmp_path / "ties"
    (folder / "answers").mkdir(parents=True)
    (folder / "study.toml").write_text(
        'schema = 1\ntitle = "Ties"\n[[dimensions]]\nrubric = "likert5"\n', encoding="utf-8"
    )
    cases = [json.dumps({"case": case, "question": f"What is {case}?"}) for case in CASES]
    (folder / "cases.jsonl").write_text("\n".join(cases), encoding="utf-8")
    rows = ["rater,system,case,dimension,label"]
    for system in SYSTEMS:
        answers = [json.dumps({"case": case, "text": f"It is {case}."}) for case in CASES]
        (folder / "answers" / f"{system}.jsonl").write_text("\n".join(answers), encoding="utf-8")
        rows += [
            f"{rater},{system},{case},quality,{number % 3 + 2}"
            for rater in ("r1", "r2")
            for number, case in enumerate(CASES)
        ]
    (folder / "judgements.csv").write_text("\n".join(rows), encoding="utf-8")
    said = (run_and_report(folder).folder / "report.md").read_text(encoding="utf-8")
    assert "all four systems have the same mean (3" in said
    assert "higher than that" not in said
    assert "No systems are too few" not in said
