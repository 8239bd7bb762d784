"""Metrics are added to the study's own, or chosen instead of them."""

from pathlib import Path

import pytest

from medassay.analyses import run_study
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
    assert set(names(folder, ["over_limit(limit=5)", "all"])) == {
        *found,
        "over_limit(limit=5)",
    } - {"over_limit"}


def test_what_all_leaves_out_is_named_with_what_it_needs(folder: Path) -> None:
    plan = open_run(folder, metrics=["all"])
    lacks = {name: one for one in plan.left_out for name in one.metrics}
    assert not {str(metric.name) for metric in plan.metrics if metric.missing is None} & set(lacks)
    assert "UMLS_FOLDER" in lacks["medcon(ref=human,rule=cui)"].install
    published = "bertscore_f1(baseline=en,layer=4,model=distilbert-base-uncased,ref=human)"
    assert "distilbert-base-uncased" in lacks[published].lacks
    assert lacks["ndcg@5"].lacks == "no documents with whole-number grades of at most 10,000"
    assert not lacks["ndcg@5"].install
    machine_first = [bool(one.install) for one in plan.left_out]
    assert machine_first == sorted(machine_first, reverse=True)
    results, _ = run_study(open_run(folder, only=["medcon(ref=human,rule=cui)"], offline=True))
    assert [one.metrics for one in results.left_out] == [("medcon(ref=human,rule=cui)",)]


def test_all_gives_no_second_form_of_what_is_named(folder: Path) -> None:
    found = names(folder, only=["rougeL(measure=recall,ref=human)", "all"])
    assert [name for name in found if name.startswith("rougeL(")] == [
        "rougeL(measure=recall,ref=human)"
    ]


def test_a_wrong_name_says_where_it_was_given(folder: Path) -> None:
    with pytest.raises(InvalidInput, match=r"--metrics: must name a metric"):
        open_run(folder, metrics=["lenght"])
    with pytest.raises(InvalidInput, match=r"--only: must name a metric"):
        open_run(folder, only=["lenght"])
