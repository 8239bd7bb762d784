"""What a report finds where raters give numbers and mark passages."""

import csv
from collections import Counter
from statistics import median

import pytest
from tools.standard.shared import SharedRuns

from medassay.analyses.builtin.agreement import agreement
from medassay.analyses.builtin.numbers_given import numbers_given
from medassay.analyses.builtin.passages import passages
from medassay.analyses.builtin.plan import plan
from medassay.analyses.builtin.quality import quality
from medassay.analyses.builtin.rating_counts import rating_counts
from medassay.analyses.builtin.tie_rules import tie_rules
from medassay.analyses.builtin.trust import trust
from medassay.analyses.builtin.without_rater import without_rater
from medassay.analyses.results import Results

NUMBERS = {"adequacy", "seconds"}


@pytest.fixture(scope="module")
def results(standard_run: SharedRuns) -> Results:
    return standard_run("measured").results


@pytest.fixture(scope="module")
def rows(standard_run: SharedRuns) -> list[dict[str, str]]:
    file = standard_run("measured").study / "judgements.csv"
    lines = file.read_text(encoding="utf-8").splitlines()
    return [row for row in csv.DictReader(lines) if row["rater_kind"] == "person"]


def test_numbers_by_system_are_those_of_the_file(
    results: Results, rows: list[dict[str, str]]
) -> None:
    found = results.analyses.of(numbers_given)
    assert found is not None
    assert {one.dimension for one in found.systems} == NUMBERS
    for one in found.systems:
        own = [
            float(row["number"])
            for row in rows
            if (row["dimension"], row["system"]) == (one.dimension, one.system)
        ]
        assert (one.given, one.without) == (len(own), 0)
        assert (one.lowest, one.highest) == (min(own), max(own))
        assert one.median == pytest.approx(median(own))


def test_passages_by_system_are_those_of_the_file(
    results: Results, rows: list[dict[str, str]]
) -> None:
    found = results.analyses.of(passages)
    assert found is not None
    weight = {"minor": 1, "major": 5}
    for one in found.systems:
        own = [r for r in rows if r["dimension"] == "errors" and r["system"] == one.system]
        marked = [row for row in own if row["about"]]
        readings = {(row["rater"], row["case"], row["sample"]) for row in own}
        assert (one.readings, one.marked) == (len(readings), len(marked))
        assert one.clean == len([row for row in own if not row["about"]])
        assert {k.name: k.count for k in one.kinds} == Counter(row["kind"] for row in marked)
        total = sum(weight[row["severity"]] for row in marked)
        assert one.weight == pytest.approx(total / len(readings))


def test_numbers_have_icc_and_alpha_for_the_panel_and_each_pair(results: Results) -> None:
    found = results.analyses.of(agreement)
    assert found is not None
    panel = {(one.dimension, one.coefficient) for one in found.panel if one.value is not None}
    wanted = {(n, c) for n in NUMBERS for c in ("icc(form=2)", "krippendorff(level=interval)")}
    assert wanted == {pair for pair in panel if pair[0] in NUMBERS}
    pairs = {
        (one.group, one.agreement.dimension, one.agreement.coefficient)
        for one in found.parts
        if one.by == "pair" and one.agreement.dimension in NUMBERS
    }
    assert len(pairs) == 3 * len(wanted)
    assert {one.kind for one in found.passages} == {"", "wrong", "unsupported"}


def test_numbers_have_what_needs_scores(results: Results) -> None:
    trusted, planned = results.analyses.of(trust), results.analyses.of(plan)
    assert trusted is not None
    halves = {one.dimension: one.raters.halves for one in trusted}
    assert halves["adequacy"] == 1.0
    assert planned is not None
    assert {*NUMBERS, "usable"} <= {one.source for one in planned.spreads}


def test_numbers_are_in_nothing_that_asks_for_labels(results: Results) -> None:
    ties, qualities = results.analyses.of(tie_rules), results.analyses.of(quality)
    without = results.analyses.of(without_rater)
    assert ties is not None
    assert not NUMBERS & {one.dimension for one in ties.dimensions}
    assert qualities is not None
    assert not NUMBERS & {one.dimension for one in qualities.raters}
    assert without is not None
    assert {one.method for one in without.raters if one.dimension in NUMBERS} == {"mean"}


def test_answers_are_counted_whatever_raters_give(results: Results) -> None:
    counts = results.analyses.of(rating_counts)
    assert counts is not None
    assert {
        one.dimension: (one.without_label, one.answers_judged, one.answers_judged_twice)
        for one in counts.dimensions
    } == dict.fromkeys(("adequacy", "seconds", "usable", "errors"), (0, 96, 96))
