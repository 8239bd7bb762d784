"""Labels of the calibration count in every number and export, or in none."""

import csv
import json
import re
from pathlib import Path

import pytest

from medassay.agreement import agree
from medassay.analyses import agreement_report
from medassay.campaign import Wishes, create_campaign, write_count_calibration
from medassay.consensus import consensus
from medassay.exchange.med_gpt.declared import export_med_gpt
from medassay.judgements import units
from medassay.judgements.campaign import Secret
from medassay.study import Study, load_protocol

SOURCE = Path(__file__).parents[2] / "src" / "medassay"


def study_of(folder: Path, raters: str) -> Study:
    """Six answers that two people rated, the first two as a calibration."""
    folder.mkdir()
    (folder / "answers").mkdir()
    lines = [json.dumps({"case": str(i), "question": f"Q{i}?"}) for i in range(6)]
    (folder / "cases.jsonl").write_text("\n".join(lines))
    answers = [json.dumps({"case": str(i), "text": f"Answer {i}."}) for i in range(6)]
    (folder / "answers" / "A.jsonl").write_text("\n".join(answers))
    text = 'schema = 1\ntitle = "T"\n[protocol]\nname = "med-gpt"\n'
    (folder / "study.toml").write_text(text + raters)
    with (folder / "judgements.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["rater", "system", "case", "dimension", "label", "phase"])
        for i in range(6):
            phase = "calibration" if i < 2 else "main"
            for rater, label in (("r1", str(1 + i % 5)), ("r2", str(1 + (i + i // 4) % 5))):
                rows.writerow([rater, "A", str(i), "overall", label, phase])
    return Study.open_whole(folder)


@pytest.mark.parametrize(
    ("raters", "counted"),
    [
        ("", 4),
        ("[raters]\ncount_calibration = false\n", 4),
        ("[raters]\ncount_calibration = true\n", 6),
    ],
)
def test_every_reader_counts_the_same_labels(tmp_path: Path, raters: str, counted: int) -> None:
    study = study_of(tmp_path / "s", raters)
    judgements = study.judgements
    assert judgements.counted.height == 2 * counted
    assert judgements.in_phases().height == 2 * counted
    assert len(units(judgements, "overall")) == counted
    joined = consensus(judgements, "mean")
    assert joined.frame["value"].count() == counted
    assert {a.n_units for a in agree(judgements, coefficient_names=["mean_pairwise"])} == {counted}
    assert {a.n_units for a in agreement_report(study).panel} == {counted}
    private = study.private()
    assert private.judgements.counted.height == 2 * counted
    assert private.judgements.without_raters(["nobody"]).counted.height == 2 * counted
    given = export_med_gpt(study, tmp_path / "out", None)
    assert any("do not count" in note for note in given.notes) == (counted < 6)


def test_no_reader_names_the_phase_that_counts_itself() -> None:
    """One rule: whoever reads labels asks what counts, and does not say main."""
    by_hand = re.compile(r'in_phases\(\[?\(?"main"|"phase"[])]+ == "main"')
    found = [
        path.relative_to(SOURCE).as_posix()
        for path in sorted(SOURCE.rglob("*.py"))
        if by_hand.search(path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_the_papers_protocol_counts_them() -> None:
    assert load_protocol("archehr").count_calibration
    assert not load_protocol("med-gpt").count_calibration


@pytest.mark.parametrize(
    "raters", ["", "[raters]\nepsilon = 0.1\n", "[raters]\ncount_calibration = false\n"]
)
def test_the_choice_is_written_into_the_study(tmp_path: Path, raters: str) -> None:
    folder = tmp_path / "s"
    study_of(folder, raters)
    write_count_calibration(folder, counts=True)
    study = Study.open_whole(folder)
    assert study.judgements.counts == ("calibration", "main")
    wishes = Wishes(raters="a,b", name="next", calibration=2)
    done = create_campaign(study, wishes, Secret(bytes(32)))
    assert any("count like any others" in note for note in done.notes)
    write_count_calibration(folder, counts=False)
    assert Study.open(folder).judgements.counts == ("main",)
