"""A report and a comparison tell of repeated answers."""

import csv
import json
from pathlib import Path

import pytest

from medassay.analyses import compare_versions, run_study
from medassay.analyses.builtin.repeated_answers import repeated_answers
from medassay.report import findings
from medassay.study import open_run

RIGHT = {"A": [(1, 1, 1), (1, 1, 0), (1, 0, 0), (1, 1, 1)], "B": [(0, 0, 0)] * 4}


def study(folder: Path, extra: str = "", system: str = "") -> Path:
    """Make a study of two systems that answer four cases three times."""
    (folder / "answers").mkdir(parents=True)
    (folder / "scores").mkdir()
    text = f'schema = 1\ntitle = "Again"\n{extra}\n[protocol]\nname = "ratings"\n{system}'
    (folder / "study.toml").write_text(text, encoding="utf-8")
    cases = "".join(f'{{"case": "c{k}", "question": "Why {k}?"}}\n' for k in range(4))
    (folder / "cases.jsonl").write_text(cases, encoding="utf-8")
    rows = []
    for name, own in RIGHT.items():
        lines = [
            json.dumps({"case": f"c{k}", "sample": at, "text": f"Because of {k} and {at}."})
            for k, values in enumerate(own)
            for at in range(len(values))
        ]
        (folder / "answers" / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        rows += [
            [name, f"c{k}", at, value]
            for k, values in enumerate(own)
            for at, value in enumerate(values)
        ]
    with (folder / "scores" / "right.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["system", "case", "sample", "value"], *rows])
    (folder / "scores" / "right.toml").write_text("low = 0\nhigh = 1\n", encoding="utf-8")
    return folder


def test_a_report_tells_how_often_all_answers_pass(tmp_path: Path) -> None:
    results, _ = run_study(open_run(study(tmp_path / "one")))
    record = results.analyses.of(repeated_answers)
    assert record is not None
    value = {(own.system, own.of, own.k): own.value for own in record.rows if own.source == "right"}
    # Two of three right: 1 of 3 pairs; one of three right: none.
    assert value["A", "all pass", 2] == pytest.approx((1 + 1 / 3 + 0 + 1) / 4)
    assert value["A", "one passes", 2] == pytest.approx((1 + 1 + 2 / 3 + 1) / 4)
    assert value["A", "all pass", 3] == pytest.approx(0.5)
    assert value["B", "one passes", 3] == 0
    [said] = [one for one in findings(results) if one.id == "repeated-answers"]
    assert said.text.startswith("By right, all of 3 answers of A pass in 50% of 4 cases (95% CI ")
    assert "all of 3 answers of B pass in 0% of 4 cases (95% CI 0 to 60)" in said.text


def test_a_score_of_the_file_speaks_before_metrics_of_ours(tmp_path: Path) -> None:
    folder = study(tmp_path / "one")
    words = [{"case": f"c{k}", "question": "Why?", "references": [{"text": f"Because of {k}."}]}
             for k in range(4)]  # fmt: skip
    text = "".join(json.dumps(case) + "\n" for case in words)
    (folder / "cases.jsonl").write_text(text, encoding="utf-8")
    results, _ = run_study(open_run(folder))
    record = results.analyses.of(repeated_answers)
    assert record is not None
    assert [record.rows[0].source, len({own.source for own in record.rows}) > 1] == ["right", True]
    [said] = [one for one in findings(results) if one.id == "repeated-answers"]
    assert said.text.startswith("By right, all of 3 answers of A pass in 50% of 4 cases (95% CI ")


def test_a_study_without_repeats_is_silent(tmp_path: Path) -> None:
    folder = study(tmp_path / "one")
    for file in (*folder.glob("answers/*.jsonl"), folder / "scores/right.csv"):
        lines = file.read_text(encoding="utf-8").splitlines()
        kept = [line for line in lines if '"sample": 1' not in line and '"sample": 2' not in line]
        kept = [line for line in kept if ",1," not in line and ",2," not in line]
        file.write_text("\n".join(kept) + "\n", encoding="utf-8")
    results, _ = run_study(open_run(folder))
    assert results.analyses.of(repeated_answers) is None


def test_a_comparison_pairs_case_means_and_says_what_is_not_known(tmp_path: Path) -> None:
    old, new = (str(study(tmp_path / name)) for name in ("old", "new"))
    found = compare_versions(f"{old}:A", f"{new}:B", metrics=["right"])
    said = " ".join(found.warnings)
    assert "Cases were answered up to 3 times: their means are compared, case by case." in said
    assert "Whether the two runs shared a seed is not known" in said
    assert "Whether the two runs shared a day is not known" in said
    [row] = found.results[0].systems
    assert row.n == 4
    # B has none right; of A's cases 3, 2, 1 and 3 of 3 answers are.
    assert row.difference == pytest.approx(-(1 + 2 / 3 + 1 / 3 + 1) / 4)


def test_a_comparison_says_what_both_runs_record(tmp_path: Path) -> None:
    date = 'date = "2026-11-02"'
    asked = '[systems.A]\nkind = "endpoint"\n[systems.A.parameters]\nseed = {}\n'
    old = study(tmp_path / "old", date, asked.format(7))
    same = study(tmp_path / "same", date, asked.format(7))
    other = study(tmp_path / "other", 'date = "2026-11-03"', asked.format(8))
    said = " ".join(compare_versions(f"{old}:A", f"{same}:A", metrics=["right"]).warnings)
    assert "The two runs shared a seed (7): they may err together." in said
    assert "The two runs shared a day (2026-11-02): they may err together." in said
    said = " ".join(compare_versions(f"{old}:A", f"{other}:A", metrics=["right"]).warnings)
    assert "The two runs did not share a seed (7 and 8)." in said
    assert "The two runs did not share a day (2026-11-02 and 2026-11-03)." in said


def test_a_comparison_says_of_which_systems_runs_shared_a_seed(tmp_path: Path) -> None:
    asked = '[systems.A]\nkind = "endpoint"\n[systems.A.parameters]\nseed = {}\n'
    asked += '[systems.B]\nkind = "endpoint"\n[systems.B.parameters]\nseed = {}\n'
    old = study(tmp_path / "old", "", asked.format(7, 8))
    new = study(tmp_path / "new", "", asked.format(7, 9))
    said = " ".join(compare_versions(str(old), str(new), metrics=["right"]).warnings)
    assert "The two runs shared a seed of A (7): they may err together." in said
    assert "The two runs did not share a seed of B (8 and 9)." in said
    crossed = study(tmp_path / "crossed", "", asked.format(8, 7))
    said = " ".join(compare_versions(str(old), str(crossed), metrics=["right"]).warnings)
    assert "shared a seed (" not in said
    assert "The two runs did not share a seed (A: 7 and 8; B: 8 and 7)." in said
    half = study(tmp_path / "half", "", asked.partition("[systems.B]")[0].format(7))
    said = " ".join(compare_versions(str(old), str(half), metrics=["right"]).warnings)
    assert "The two runs shared a seed of A (7): they may err together." in said
    assert "Whether the two runs shared a seed of B is not known." in said
