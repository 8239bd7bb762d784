"""Metrics are added to the study's own, or chosen instead of them."""

from pathlib import Path

import pytest

from medassay.errors import InvalidInput
from medassay.study import open_run


def names(folder: Path, more: list[str] | None = None, only: list[str] | None = None) -> list[str]:
    return [str(metric.name) for metric in open_run(folder, metrics=more, only=only).metrics]


def test_a_metric_is_added_without_touching_the_others(folder: Path) -> None:
    own = names(folder)
    assert own
    assert names(folder, ["over_limit(limit=5)"]) == [*own, "over_limit(limit=5)"]
    assert names(folder, [own[0]]) == own
    assert open_run(folder, metrics=[own[0]]).name == open_run(folder).name


def test_only_some_are_chosen(folder: Path) -> None:
    assert names(folder, only=["length"]) == ["length"]
    assert names(folder, ["over_limit"], ["length"]) == ["length", "over_limit"]


def test_all_is_what_can_be_scored_here(folder: Path) -> None:
    found = names(folder, ["all"])
    assert found[: len(names(folder))] == names(folder)
    assert {"over_limit", "sari(ref=human)", "rougeL(ref=human)"} <= set(found)
    # No case has evidence: nothing to cite, and no note to make a reference of.
    assert not [name for name in found if "citation" in name or "ref=note" in name]
    assert len(set(found)) == len(found)
    assert set(names(folder, ["over_limit(limit=5)", "all"])) == {*found, "over_limit(limit=5)"}


def test_a_wrong_name_says_where_it_was_given(folder: Path) -> None:
    with pytest.raises(InvalidInput, match=r"--metrics: must name a metric"):
        open_run(folder, metrics=["lenght"])
    with pytest.raises(InvalidInput, match=r"--only: must name a metric"):
        open_run(folder, only=["lenght"])
