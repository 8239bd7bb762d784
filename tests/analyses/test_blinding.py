"""Whether raters could tell whose answers they read, from the guesses that a room brought home."""

from pathlib import Path

import pytest
from tests.campaign.conftest import SYSTEMS, write_study

from medassay.analyses.builtin.blinding import blinding
from medassay.analyses.inputs.rater_traits import Guesses, GuessOf, guesses_of
from medassay.campaign import Wishes, create_campaign
from medassay.exhibits import Finding, Names
from medassay.judgements.campaign import Secret, find_plans
from medassay.study import Study
from medassay.tables import csv_bytes
from medassay.testing import check_analysis


def study_with(folder: Path, wrong: int, no_idea: int = 0, more: str = "") -> Path:
    """Two raters, each with five guesses, of which so many are wrong or none at all."""
    write_study(folder, more)
    create_campaign(Study.open_whole(folder), Wishes(raters="anna,ben"), Secret(bytes(32)))
    plan = find_plans(folder)["main"]
    guesses, said = [], []
    for rater in ("anna", "ben"):
        for place, row in enumerate(plan.of_rater(rater)[:5]):
            system = row.item.system
            guess = system if place >= wrong else SYSTEMS[SYSTEMS.index(system) - 1]
            sure = 0.0 if place < no_idea else 0.5
            guesses.append([rater, system, row.item.case, guess, sure, "2026-03-02T09:00:00Z"])
            said.append([rater, system, row.item.case, "answers-question", "Yes"])
    header = ["rater", "system", "case", "guess", "sure", "time"]
    (folder / "campaigns/main/guesses.csv").write_bytes(csv_bytes(header, guesses))
    header = ["rater", "system", "case", "dimension", "label"]
    (folder / "judgements.csv").write_bytes(csv_bytes(header, said))
    return folder


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        pytest.param(0, "recognised systems better than by chance", id="all right"),
        pytest.param(3, "is undecided", id="two of five right"),
    ],
)
def test_a_study_says_whether_its_raters_could_tell(
    tmp_path: Path, wrong: int, sentence: str
) -> None:
    told = check_analysis(blinding, study_with(tmp_path / "study", wrong))
    assert sentence in told
    assert "of 2 raters" in told


def test_names_of_raters_stay_out_and_no_idea_is_no_guess(tmp_path: Path) -> None:
    study = Study.open(study_with(tmp_path / "study", wrong=2, no_idea=1))
    made = guesses_of(study).made
    assert {one.rater for one in made} == {"rater-1", "rater-2"}
    found = blinding.compute(Guesses(made))
    assert found is not None
    assert (found.overall.right, found.overall.wrong, found.overall.no_idea) == (6, 2, 2)
    assert found.overall.value == pytest.approx((6 - 2 / 2) / 10)
    assert [one.index.right for one in found.by_rater] == [3, 3]
    assert sum(one.index.right for one in found.by_system) == 6


def test_only_few_or_no_guesses_settle_nothing() -> None:
    assert blinding.compute(Guesses()) is None
    hardly = [GuessOf(f"r{at // 5}", "a", "a" if at % 2 else "b", 2) for at in range(1000)]
    found = blinding.compute(Guesses(tuple(hardly)))
    assert found is not None
    finding = blinding.declared.finding
    assert finding is not None
    told = finding(found, Names())
    assert isinstance(told, Finding)
    assert "could hardly tell" in told.text
