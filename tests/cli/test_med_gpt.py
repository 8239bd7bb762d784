"""From a results file without human scores to the paper: import, sheets out and in, run, report."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]

EXAMPLE = Path(__file__).parents[2] / "examples" / "med-gpt" / "evaluation_results.csv"


def unscored(path: Path) -> Path:
    """Write the example without its human scores."""
    rows = list(csv.DictReader(EXAMPLE.read_text(encoding="utf-8").splitlines()))
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows({**row, "human_score": ""} for row in rows)
    path.write_text(out.getvalue(), encoding="utf-8")
    return path


def rated(path: Path, lean: int) -> None:
    """Fill in a sheet: short answers get low scores, and one rater leans upwards."""
    lines = path.read_text(encoding="utf-8-sig").splitlines(keepends=True)
    reader = csv.DictReader(io.StringIO("".join(lines)))
    out = io.StringIO()
    writer = csv.DictWriter(out, reader.fieldnames or [])
    writer.writeheader()
    for row in reader:
        if row["Answer"]:
            score = min(5, 1 + len(row["Answer"]) // 30 + lean * (len(row["Question"]) % 2))
            aspect = "yes" if score > 2 else "no"
            row |= {"Overall score": str(score), "Medical accuracy": aspect, "Clarity": "yes"}
            row |= {"Rationale": "too short" if score < 2 else ""}
        writer.writerow(row)
    path.write_text(out.getvalue(), encoding="utf-8")


@pytest.mark.slow
def test_a_group_walks_from_its_file_to_its_paper(medassay: Command, tmp_path: Path) -> None:
    study = tmp_path / "study"
    path = unscored(tmp_path / "evaluation_results.csv")
    said = medassay("import", "--from", "med-gpt", str(path), "--into", str(study), "--synthetic")
    assert said.code == 0
    assert "Taken: 10 questions, 3 models, 30 answers, 0 raters, 0 judgements" in said.out
    settings = study / "study.toml"
    text = settings.read_text(encoding="utf-8")
    assert "\nsynthetic = true\n" in text
    settings.write_text(text + "\n[run]\nreplicates = 100\n", encoding="utf-8")

    assert medassay("campaign", "create", str(study), "--raters", "an,bo").code == 0
    assert medassay("campaign", "sheets", str(study), "--format", "csv").code == 0
    sheets = study / "campaigns" / "main" / "sheets"
    for lean, rater in enumerate(("an", "bo")):
        sheet = (sheets / f"{rater}.csv").read_text(encoding="utf-8")
        assert "gemma" not in sheet
        assert "tinyllama" not in sheet
        rated(sheets / f"{rater}.csv", lean)
    back = [str(sheets / f"{rater}.csv") for rater in ("an", "bo")]
    assert medassay("campaign", "collect", str(study), *back).code == 0

    said = medassay("run", str(study))
    assert said.code == 0
    assert medassay("report", str(study)).code == 0
    [report] = (study / "results").glob("*/report.json")
    told = json.loads(report.read_text(encoding="utf-8"))["analyses"]
    paper, template = told["human_evaluation"], told["rater_template"]
    assert [row["n"] for row in paper["rows"]] == [10, 10, 10]
    assert paper["raters"] == 2
    assert paper["kappa"] is not None
    known = {one["pitfall"] for one in template["pitfalls"] if one["value"] is not None}
    # The sheets store the order, so that anchoring, drift and runs are known too.
    assert known == {"Leniency", "Halo", "Anchoring", "Fatigue", "Model bias"}
    page = (report.parent / "report.html").read_text(encoding="utf-8")
    for heading in ("For the paper", "What the template asks of raters", "Human evaluation"):
        assert heading in page
