"""A study of blinded pairs says first what was preferred, and nothing that nobody was asked."""

import csv
import json

import pytest

from medassay.analyses import run_study
from medassay.analyses.results import Results
from medassay.exhibits.claim import ReaderQuestion
from medassay.report.findings import findings
from medassay.report.prose import methods_statements
from medassay.study import open_run


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """Twelve pairs, of which three raters preferred A in most, and not one label."""
    folder = tmp_path_factory.mktemp("pairs")
    (folder / "answers").mkdir()
    text = 'schema = 1\ntitle = "Pairs"\n[protocol]\nname = "blinded-pairs"\n'
    (folder / "study.toml").write_text(f"{text}[run]\nreplicates = 100\n")
    cases = [json.dumps({"case": f"c{i}", "question": f"Q{i}?"}) for i in range(12)]
    (folder / "cases.jsonl").write_text("\n".join(cases))
    for system in "AB":
        answers = [json.dumps({"case": f"c{i}", "text": f"Say {i} to them."}) for i in range(12)]
        (folder / "answers" / f"{system}.jsonl").write_text("\n".join(answers))
    with (folder / "preferences.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["rater", "case", "system_a", "system_b", "choice"])
        for i in range(12):
            rows.writerows([r, f"c{i}", "A", "B", "b" if i % 6 == 0 else "a"] for r in ("x", "y"))
    return run_study(open_run(folder))[0]


def test_what_was_preferred_comes_first_with_how_much(pairs: Results) -> None:
    said = findings(pairs)
    assert said[0].id == "preferences"
    assert said[0].answers is ReaderQuestion.BETTER
    assert "24 comparisons" in said[0].text
    assert "A was preferred most often: in 83% of 24 comparisons (95% CI " in said[0].text


def test_no_metric_answers_in_the_raters_place(pairs: Results) -> None:
    said = findings(pairs)
    assert "leaders" not in {finding.id for finding in said}
    assert not any("length" in finding.text.lower() for finding in said[:2])
    [harm] = [finding for finding in said if finding.id == "harm-unasked"]
    assert harm.answers is ReaderQuestion.MISSING
    assert not any("Nobody was asked" in finding.text for finding in said)


def test_methods_name_nothing_that_nobody_was_asked(pairs: Results) -> None:
    text = " ".join(statement.text for statement in methods_statements(pairs))
    assert "24 preferences" in text
    assert "side by side" in text
    assert "They judged" not in text
    assert "Completeness" not in text
