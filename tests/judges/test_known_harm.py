"""What certificates say of harm that raters overlook, and of labels that served before."""

import json
from pathlib import Path

import pytest
from tools.judged_harm import DIMENSION, write_harm

from medassay.analyses import judge_results
from medassay.errors import InvalidInput
from medassay.judgements import Units
from medassay.judges import note_tries, write_certificate
from medassay.study import JudgeResult, Study
from medassay.validity import judge_known, judge_rate, shared_misses


def judged(folder: Path) -> JudgeResult:
    return judge_results(Study.open_whole(folder), ["robot"])[0]


def certified(folder: Path) -> dict[str, object]:
    path = write_certificate(Study.open_whole(folder), judged(folder))
    [dimension] = json.loads(path.read_text(encoding="utf-8"))["dimensions"]
    return dict(dimension)


def verdict(result: JudgeResult, name: str) -> tuple[str, str]:
    return next((one.verdict, one.text) for one in result.dimensions[0].checks if one.name == name)


def say_known(folder: Path, keys: list[tuple[str, str]]) -> None:
    controls = ", ".join(
        f'{{ system = "{system}", case = "{case}", dimension = "{DIMENSION}", label = "mild" }}'
        for system, case in keys
    )
    path = folder / "study.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(f"{text}[consensus]\ncontrols = [{controls}]\n", encoding="utf-8")


def labels_of(folder: Path, rater: str) -> dict[tuple[str, str], str]:
    frame = Study.open_whole(folder).judgements_on_file.frame
    rows = frame.filter(rater=rater).select("system", "case", "label").iter_rows()
    return {(system, case): label for system, case, label in rows}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_harm(tmp_path / "study", judge="fair", harmful=80)


def test_without_known_harm_a_certificate_says_what_it_cannot_see(folder: Path) -> None:
    dimension = certified(folder)
    assert dimension["passed"]
    assert "known-harm (not tested)" in dimension["open"]  # type: ignore[operator]
    assert str(dimension["cannot_see"]).startswith("Harm that all raters overlook is in no label.")
    worst = [row for row in dimension["misses"] if row["shared"] == 1]  # type: ignore[attr-defined]
    assert [row["people_find"] for row in worst[:3]] == [0.9, 0.7, 0.5]
    assert not any(row["measured"] for row in worst)
    said = judge_results(Study.open_whole(folder), ["robot"])[0].said
    assert any("If it overlooks whatever they overlook, it finds" in line for line in said)


def test_a_judge_that_overlooks_known_harm_is_not_certified(folder: Path) -> None:
    # Thirty answers are known to be harmful, and nobody sees it: neither people nor the judge.
    unseen = [key for key, label in labels_of(folder, "robot").items() if label == "none"][:30]
    assert judged(folder).dimensions[0].passes
    say_known(folder, unseen)
    told, text = verdict(judged(folder), "known-harm")
    assert told == "failed"
    assert "of 30 answers known to be harmful it calls 0 so" in text
    assert not judged(folder).dimensions[0].passes


def test_one_that_finds_it_passes_and_people_are_measured_by_it(folder: Path) -> None:
    seen = [key for key, label in labels_of(folder, "robot").items() if label != "none"][:40]
    say_known(folder, seen)
    assert verdict(judged(folder), "known-harm")[0] == "passed"
    dimension = certified(folder)
    known = {row["reading"]: row for row in dimension["known"]}  # type: ignore[attr-defined]
    assert known["harmful"]["judge"]["hits"] == known["harmful"]["judge"]["n"] == 40
    people = known["harmful"]["people"]["share"]
    rows = [row for row in dimension["misses"] if row["reading"] == "harmful"]  # type: ignore[attr-defined]
    assert {row["people_find"] for row in rows} == {people}
    assert all(row["measured"] for row in rows)


def test_few_known_answers_leave_it_open(folder: Path) -> None:
    seen = [key for key, label in labels_of(folder, "robot").items() if label != "none"][:4]
    say_known(folder, seen)
    assert verdict(judged(folder), "known-harm")[0] == "undecided"
    assert judged(folder).dimensions[0].passes


def test_answers_that_are_known_to_be_harmless_are_none_of_them(folder: Path) -> None:
    labels = labels_of(folder, "robot").items()
    harmless = [key for key, label in labels if label == "none"][:30]
    harmful = [key for key, label in labels if label != "none"][:1]
    say_known(folder, [*harmful, *harmless])
    path = folder / "study.toml"
    first, *rest = path.read_text(encoding="utf-8").split('label = "mild"')
    path.write_text(f'{first}label = "mild"' + 'label = "none"'.join(rest), encoding="utf-8")
    assert "of 1 answers known to be harmful" in verdict(judged(folder), "known-harm")[1]
    path.write_text(first + 'label = "none"' + 'label = "none"'.join(rest), encoding="utf-8")
    with pytest.raises(InvalidInput, match="no method that reads them"):
        Study.open_whole(folder)


def test_nobody_who_read_a_known_answer_is_nothing() -> None:
    units = Units.from_codes([[1, 1, 1], [0, 1, 0]], ["none", "severe"])
    assert judge_known(units, "rater 2", "harmful", ["severe"], [("x", "y")]) is None


def test_the_range_runs_from_none_to_all_that_people_overlook() -> None:
    import numpy as np

    rate = judge_rate(np.arange(100) < 80, range(100))
    people = judge_rate(np.arange(50) < 30, range(50))
    assert rate is not None
    assert people is not None
    rows = shared_misses("harmful", rate, people)
    assert [round(row.finds, 3) for row in rows] == [0.8, 0.64, 0.48]
    assert rows[-1].at_least == pytest.approx(rate.low * people.low)


def test_labels_serve_one_certificate_and_a_second_use_is_said(folder: Path) -> None:
    assert certified(folder)["labels_served"] == {"tries": 0, "answers": 0, "of_answers": 300}
    assert certified(folder)["labels_served"] == {"tries": 0, "answers": 0, "of_answers": 300}
    (folder / "prompt.txt").write_text("How bad is the harm? Think twice.\n", encoding="utf-8")
    dimension = certified(folder)
    assert dimension["labels_served"] == {"tries": 1, "answers": 300, "of_answers": 300}
    said = "labels of 300 of its 300 answers served 1 test of a judge before"
    assert said in dimension["open"]  # type: ignore[operator]
    assert Study.open_whole(folder).standing("robot", DIMENSION).open[-1] == said


def test_a_judge_that_failed_used_the_labels_too(tmp_path: Path) -> None:
    folder = write_harm(tmp_path / "study", judge="none", harmful=80)
    note_tries(Study.open_whole(folder), judged(folder))
    (folder / "prompt.txt").write_text("Again.\n", encoding="utf-8")
    study = Study.open_whole(folder)
    note_tries(study, judged(folder))
    note_tries(study, judged(folder))
    lines = (folder / "certificates" / "uses.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 2
    assert all("c001" not in line and "robot" not in line for line in lines)


def test_uses_that_were_broken_by_hand_are_refused_with_their_row(folder: Path) -> None:
    certified(folder)
    path = folder / "certificates" / "uses.jsonl"
    path.write_text(path.read_text(encoding="utf-8") + "[]\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"uses.jsonl, row 2: must hold a test of a judge"):
        certified(folder)
