"""A calibration of each rater's own first answers: the design of the paper's annotators."""

import json
from collections import Counter
from pathlib import Path

import pytest

from medassay.campaign import RaterWishes, Wishes, change_raters, create_campaign
from medassay.errors import InvalidInput
from medassay.judgements.campaign import (
    CampaignPlan,
    Item,
    Secret,
    Settings,
    make_assignments,
)
from medassay.judgements.campaign.make_plan import Change, reassigned
from medassay.study import Study

from .conftest import export, write_study

SECRET = Secret(bytes(32))


def plan_of(systems: int, cases: int, raters: int, overlap: int, first: int) -> CampaignPlan:
    items = [Item(str(c), f"s{s}") for c in range(cases) for s in range(systems)]
    names = tuple(f"r{i}" for i in range(raters))
    settings = Settings(name="main", kind="answers", raters=names, overlap=overlap, own_first=first)
    return CampaignPlan(settings, "", "", make_assignments(settings, items, SECRET))


@pytest.mark.parametrize(
    ("systems", "cases", "raters", "overlap", "first"),
    [pytest.param(28, 100, 26, 3, 5, marks=pytest.mark.slow), (3, 10, 3, 3, 5), (2, 6, 4, 2, 1)],
)
def test_every_label_of_the_plan_is_of_an_answer_that_all_numbers_read(
    systems: int, cases: int, raters: int, overlap: int, first: int
) -> None:
    """The paper's 28 systems, 100 questions, 26 annotators and three labels give 8,400."""
    plan = plan_of(systems, cases, raters, overlap, first)
    assert len(plan.assignments) == systems * cases * overlap
    assert set(Counter(row.item for row in plan.assignments).values()) == {overlap}
    for rater in plan.settings.raters:
        phases = [row.phase for row in plan.of_rater(rater)]
        assert phases[:first] == ["calibration"] * first
        assert set(phases[first:]) == {"main"}


@pytest.mark.slow
def test_each_rater_opens_with_other_answers() -> None:
    plan = plan_of(28, 100, 26, 3, 5)
    first = [row.item for row in plan.assignments if row.phase == "calibration"]
    assert len(first) == 130
    assert len(set(first)) > 100


def test_who_comes_later_begins_with_own_answers_and_no_label_is_lost(tmp_path: Path) -> None:
    plan = plan_of(4, 10, 4, 2, 3)
    later = reassigned(plan, Change(come=("new",), go=("r0",), time="now"), SECRET)
    held = [row for row in later.assignments if not row.ended]
    assert set(Counter(row.item.upright for row in held).values()) == {2}
    phases = [row.phase for row in later.holding("new")]
    assert phases[:3] == ["calibration"] * 3
    assert set(phases[3:]) <= {"main"}
    for name, content in later.files().items():
        (tmp_path / "main").mkdir(exist_ok=True)
        (tmp_path / "main" / name).write_bytes(content)
    assert CampaignPlan.read(tmp_path / "main").settings.own_first == 3


def test_own_first_answers_that_nobody_may_take_wait_like_any_others(tmp_path: Path) -> None:
    study = write_study(tmp_path / "study", "[raters]\ncount_calibration = true\n")
    home = study / "campaigns" / "main"
    home.mkdir(parents=True)
    (home / "campaign.toml").write_text('[plan]\ncalibration = 3\ncalibration_of = "own"\n')
    export(study, raters="anna,ben", overlap=2)
    done = change_raters(Study.open_whole(study), "main", RaterWishes(drop=["anna"]), "now")
    assert done.waiting == 12


def study_of(folder: Path, protocol: str, raters: str = "") -> Study:
    (folder / "answers").mkdir(parents=True)
    head = f'schema = 1\ntitle = "T"\n[protocol]\nname = "{protocol}"\n'
    (folder / "study.toml").write_text(head + raters)
    cases = [json.dumps({"case": str(i), "question": f"Q{i}?"}) for i in range(12)]
    (folder / "cases.jsonl").write_text("\n".join(cases))
    answers = [json.dumps({"case": str(i), "text": f"Answer {i}."}) for i in range(12)]
    (folder / "answers" / "A.jsonl").write_text("\n".join(answers))
    return Study.open_whole(folder)


def test_it_is_the_papers_protocol(tmp_path: Path) -> None:
    study = study_of(tmp_path / "s", "archehr")
    done = create_campaign(study, Wishes(raters="a,b,c", calibration=5), SECRET)
    assert done.answers == 12
    assert done.loads == {"a": 12, "b": 12, "c": 12}
    assert any("own first 5 answers; their labels count" in note for note in done.notes)
    plan = CampaignPlan.read(tmp_path / "s" / "campaigns" / "main")
    assert plan.settings.own_first == 5


def test_it_is_refused_where_its_labels_would_not_count(tmp_path: Path) -> None:
    folder = tmp_path / "s"
    study = study_of(folder, "med-gpt")
    home = folder / "campaigns" / "main"
    home.mkdir(parents=True)
    (home / "campaign.toml").write_text('[plan]\ncalibration = 5\ncalibration_of = "own"\n')
    with pytest.raises(InvalidInput, match="count labels of the calibration"):
        create_campaign(study, Wishes(raters="a,b"), SECRET)
