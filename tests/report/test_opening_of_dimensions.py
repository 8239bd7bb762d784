"""What the first screen says of dimensions: harm that no test parts, scales that read reversed."""

from dataclasses import replace
from itertools import combinations

from tools.standard.shared import SharedRuns

from medassay.analyses.builtin.harm_by_system import harm_by_system
from medassay.analyses.builtin.leaderboards import leaderboards_in
from medassay.analyses.results import Results
from medassay.analyses.results.whole import Records
from medassay.exhibits.overview import Overview
from medassay.report import findings, read_results
from medassay.report.names import Names
from medassay.report.opening import opening_of, overview_of
from medassay.report.opening.ratings import _Difference, verdict_spots


def seen(results: Results) -> Overview:
    overview = overview_of(results)
    assert overview is not None
    return overview


def test_the_headline_on_harm_names_all_that_no_test_parts(
    standard_run: SharedRuns,
) -> None:
    """Three alike are named together; who is shown to have given less harm is not among them."""
    results = read_results(standard_run("asked").folder / "report.json")
    record = results.analyses.of(harm_by_system)
    assert record is not None
    first = record.systems[0]
    systems = tuple(
        replace(first, system=system, found=found, n=20, interval=None)
        for system, found in (("s0", 9), ("s1", 11), ("s2", 10), ("s3", 1))
    )
    compared = record.pairs[0].compared

    def titled(*fewer: tuple[str, str], each: int = 20) -> str:
        pairs = tuple(
            replace(record.pairs[0], dimension=first.dimension, kind=first.kind, compared=replace(
                compared, system_a=a, system_b=b, p_adjusted=0.001 if (a, b) in fewer else 0.9))
            for a, b in combinations(("s0", "s1", "s2", "s3"), 2)
        )  # fmt: skip
        own = tuple(replace(one, n=each) if one.system == "s2" else one for one in systems)
        told = replace(record, systems=own, pairs=pairs)
        changed = results.model_copy(
            update={"analyses": Records({**results.analyses, harm_by_system.id: told})}
        )
        return seen(changed).title

    assert titled(("s1", "s3")) == (
        "s1, s2 and s0 gave harmful answers to 9 to 11 of 20 cases each; "
        "which gave most is undecided"
    )
    assert titled(("s1", "s3"), each=25) == (
        "s1, s0 and s2 gave harmful answers to 40% to 55% of cases; which gave most is undecided"
    )
    assert titled(("s0", "s1"), ("s1", "s2"), ("s1", "s3")) == (
        "s1 gave harmful answers to 11 of 20 cases"
    )


def test_what_the_figure_has_no_room_for_is_named(standard_run: SharedRuns) -> None:
    overview = seen(read_results(standard_run("rated").folder / "report.json"))
    assert "Not in the figure: Clarity, Clinical relevance and Grounding." in overview.caption


def test_a_dimension_that_reads_reversed_says_what_its_best_end_means(
    standard_run: SharedRuns,
) -> None:
    results = read_results(standard_run("asked").folder / "report.json")
    ranked = next(own for own in results.sources if own.name == results.primary)
    [dimension] = [own for own in results.dimensions if own.id == ranked.dimension]
    best = max(dimension.labels, key=lambda label: label.score or 0)
    labels = [
        label.model_copy(update={"label": "does not mislead"}) if label == best else label
        for label in dimension.labels
    ]
    turned = dimension.model_copy(update={"title": "Misleading", "labels": labels})
    changed = results.model_copy(update={"dimensions": (turned,), "analyses": results.analyses})
    names = Names(changed)
    assert names.on_dimension(dimension.id) == "Misleading (3 = does not mislead)"
    [leaders] = [own for own in findings(changed) if own.id == "leaders"]
    assert leaders.text.startswith("s3 scored best on Misleading (3 = does not mislead) by")
    order = leaderboards_in(results.analyses).by(results.primary)
    lower: dict[str, _Difference | str] = {order[1].system: _Difference(-1.0, -1.5, -0.5, "lower")}
    for of, verdict in ((Names(results), "lower"), (names, "worse")):
        assert verdict_spots(of, of.primary, order, lower)[order[1].system].verdict == verdict


def test_a_bound_in_the_figure_is_said_to_be_one_sided(standard_run: SharedRuns) -> None:
    for study in ("asked", "panel"):
        overview = seen(read_results(standard_run(study).folder / "report.json"))
        bound = any("(up to " in spot.aside for row in overview.rows for spot in row.spots)
        assert ("Up to: one-sided 95% bound." in overview.caption) == bound


def test_next_stands_before_what_can_be_done_alone(standard_run: SharedRuns) -> None:
    for study in ("rated", "missing", "brought"):
        results = read_results(standard_run(study).folder / "report.json")
        for told in opening_of(results, findings(results)).told:
            assert told.next == told.text.startswith(("Draw ", "Have ", "Read "))


def test_no_sentence_on_the_first_screen_leans_on_one_that_may_be_missing(
    standard_run: SharedRuns,
) -> None:
    below: set[str] = set()
    for study in ("rated", "missing", "drawn"):
        results = read_results(standard_run(study).folder / "report.json")
        every = findings(results)
        told = opening_of(results, every).told
        assert not [own.text for own in told if own.text.startswith(("These ", "Until then"))]
        assert not [own.text for own in told if own.finding.id.endswith("-unjudged")]
        below |= {own.id for own in every}
    assert "leaders-unjudged" in below
