"""The methods say what experts declared, and when the thresholds of confidence were fixed."""

import json
from pathlib import Path

import pytest

from medassay.analyses import run_study
from medassay.errors import InvalidInput
from medassay.report.prose import declared_statements
from medassay.study import Study, open_run

RATERS = """rater,external,conflicts,blinded,status,reason
a,yes,none,yes,qualified,
b,yes,None,no,qualified,
c,no,works for the maker,,qualified,
d,yes,none,yes,excluded,did not finish
"""


def study_of(folder: Path, raters: str, more: str = "") -> Path:
    (folder / "answers").mkdir(parents=True)
    (folder / "study.toml").write_text(
        f'schema = 1\ntitle = "T"\n[protocol]\nname = "environmental-health"\n{more}'
    )
    cases = [{"case": name, "question": "Why?"} for name in ("q", "r")]
    (folder / "cases.jsonl").write_text("".join(f"{json.dumps(case)}\n" for case in cases))
    answers = [{"case": case["case"], "text": "x", "confidence_label": "High"} for case in cases]
    lines = "".join(f"{json.dumps(answer)}\n" for answer in answers)
    (folder / "answers" / "s.jsonl").write_text(lines)
    rows = [f"{rater},s,{case},expert-confidence,High" for rater in "abc" for case in "qr"]
    (folder / "judgements.csv").write_text(
        "rater,system,case,dimension,label\n" + "\n".join(rows) + "\n"
    )
    if raters:
        (folder / "raters.csv").write_text(raters)
    return folder


def said(folder: Path) -> str:
    statements = declared_statements(run_study(open_run(folder))[0])
    return " ".join(statement.text for statement in statements)


@pytest.mark.parametrize("privacy", ["", '[privacy]\ntexts = "none"\n'])
def test_declarations_are_counted_and_silence_is_said(tmp_path: Path, privacy: str) -> None:
    text = said(study_of(tmp_path / "s", RATERS, privacy))
    assert "2 of 3 raters are external to the team." in text
    assert "2 of 3 raters declared no conflict of interest." in text
    assert (
        "1 of 3 raters declared that they were blinded to retrieval scores and to the rules of "
        "confidence; the study does not say it of 1."
    ) in text
    assert "Confidence is Medium from 0.33 and High above 0.67." in text
    assert "The study does not say when these thresholds were fixed." in text


def test_the_day_of_the_thresholds_is_in_the_methods(tmp_path: Path) -> None:
    rule = '[confidence]\ndimension = "expert-confidence"\nthresholds = [0.33, 0.67]\nfixed = '
    text = said(study_of(tmp_path / "s", "", f"{rule}2026-03-01\n"))
    assert "These thresholds were fixed on 2026-03-01." in text
    assert "external" not in text
    for wrong in ('"spring"', '"01.03.2026"', "3"):
        (tmp_path / "s" / "study.toml").write_text(
            f'schema = 1\ntitle = "T"\n[protocol]\nname = "environmental-health"\n{rule}{wrong}\n'
        )
        with pytest.raises(InvalidInput, match=r"be a day.*Write it as 2026-03-01"):
            Study.open(tmp_path / "s")
