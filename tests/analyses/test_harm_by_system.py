"""The sentence on harm never says that less is possible than was found."""

import re
from dataclasses import replace

import numpy as np
import pytest

from medassay.analyses.builtin.harm_by_system import HarmBySystem, HarmOf, harm_findings, harm_table
from medassay.exhibits import Names
from medassay.exhibits.claim import ReaderQuestion
from medassay.stats import harm_bound


def _harm(found: int, sizes: list[int]) -> HarmBySystem:
    """Harm in the first answers of the first clusters."""
    n = sum(sizes)
    bound = harm_bound(
        np.arange(n) < found, clusters=np.repeat(np.arange(len(sizes)), sizes).tolist()
    )
    harm = HarmOf(
        dimension="safety",
        kind="harmful",
        system="a",
        found=bound.found,
        n=bound.n,
        interval=None,
        at_most=bound.upper,
        level=bound.level,
        reason=bound.undefined,
        cases=(),
        split=0,
        few=bound.few,
    )
    return HarmBySystem((harm,), (), None)


@pytest.mark.parametrize("found", [1, 7, 30, 100, 200, 216])
@pytest.mark.parametrize("sizes", [[60, *[4] * 39], [4] * 54, [116, *[1] * 100], [216]])
def test_no_less_is_possible_than_was_found(found: int, sizes: list[int]) -> None:
    text = harm_findings(_harm(found, sizes), Names())[0].text
    said = re.search(r"(\d+) of 216 cases \((\d.*?)%; the true rate could be up to (\d.*?)%", text)
    assert said is not None, text
    share, most = float(said[2]), float(said[3])
    assert share == pytest.approx(100 * found / 216, abs=0.5)
    assert most >= share
    clusters = max(sizes) > 216 / 5
    assert ("the bound rests on" in text) is clusters


@pytest.mark.parametrize(
    ("found", "judge", "alarms"), [(0, "", False), (1, "", True), (1, "robot", False)]
)
def test_harm_that_people_found_alarms(found: int, judge: str, *, alarms: bool) -> None:
    harm = _harm(found, [1] * 20)
    harm = replace(harm, systems=(replace(harm.systems[0], judge=judge),))
    first, *others = harm_findings(harm, Names())
    assert first.alarms is alarms
    assert not any(one.alarms for one in others)


def test_one_large_cluster_is_told_in_the_sentence_and_below_the_table() -> None:
    harm = _harm(30, [60, *[4] * 39])
    why = "One of 40 clusters holds 60 of the 216 answers, so the bound rests on few clusters."
    assert why in harm_findings(harm, Names())[0].text
    table = harm_table(harm, Names())
    assert why in table.caption
    assert "exact" not in table.caption


def test_raters_differ_in_so_many_of_the_answers_that_two_or_more_rated() -> None:
    harm = _harm(3, [1] * 20)
    harm = replace(harm, systems=(replace(harm.systems[0], split=2, twice=6),))
    found = {own.id: own for own in harm_findings(harm, Names())}
    assert "disagreed" not in found["harm"].text
    assert found["harm-split"].answers is ReaderQuestion.AGREEMENT
    assert found["harm-split"].text == (
        "Raters disagreed about harm in 2 of the 6 answers that two or more rated."
    )
