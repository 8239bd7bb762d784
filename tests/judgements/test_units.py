import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from medassay.errors import InvalidInput
from medassay.judgements import (
    Dimension,
    Judgements,
    Label,
    Preferences,
    Rubric,
    Units,
    load_rubric,
    preference_units,
    units,
)
from medassay.scores import Unit

DATA = Path(__file__).parents[1] / "data" / "mslr_cochrane"
CODES = ("0", "1", "2", "3")
FACETS = ("fluency", "outcome", "strength_target")
CODED = Rubric(
    name="coded",
    dimensions=tuple(
        Dimension(
            id=facet,
            question="Which code?",
            scale="ordinal",
            labels=tuple(Label(label=code, score=float(code)) for code in CODES),
        )
        for facet in FACETS
    ),
)


def cochrane() -> Judgements:
    rows: list[dict[str, object]] = []
    with (DATA / "facets.csv").open(encoding="utf-8", newline="") as file:
        for cells in csv.DictReader(file):
            for facet in FACETS:
                said = {"label": cells[facet]} if cells[facet] else {"reason": "cannot_judge"}
                who = {"rater": cells["annotator"], "system": cells["system"]}
                rows.append({**who, "case": cells["review_id"], "dimension": facet, **said})
    return Judgements.from_rows(rows, CODED)


def test_the_doubly_judged_cochrane_summaries_are_all_found() -> None:
    judgements = cochrane()
    fluency = units(judgements, "fluency")
    assert (len(fluency), len(fluency.code), fluency.raters) == (598, 637, ("A1", "A2"))
    twice = fluency.with_labels(2)
    assert len(twice) == 39
    by_case: dict[str, set[str]] = {}
    for system, case, *_ in fluency.keys:
        by_case.setdefault(case, set()).add(system)
    complete = [case for case, systems in by_case.items() if len(systems) == 6]
    assert len(complete) == 50
    assert len(twice.of_cases(complete)) == 18
    assert len(units(judgements, "outcome").with_labels(2)) == 17
    assert len(units(judgements, "strength_target").with_labels(2)) == 34


def test_system_pairs_that_were_compared_more_than_once_are_found() -> None:
    with (DATA / "pairwise.csv").open(encoding="utf-8", newline="") as file:
        rows = [
            {
                "rater": cells["annotator"],
                "case": cells["review_id"],
                "system_a": cells["system_a"],
                "system_b": cells["system_b"],
                "choice": cells["choice"],
            }
            for cells in csv.DictReader(file)
        ]
    preferences = Preferences.from_rows(rows)
    read = preference_units(preferences, "overall")
    sizes, count = np.unique(read.counts.sum(axis=1), return_counts=True)
    assert len(preferences) == 452
    assert dict(zip(sizes.tolist(), count.tolist(), strict=True)) == {1: 315, 2: 58, 3: 7}


ROWS: list[dict[str, object]] = [
    {
        "rater": rater,
        "system": system,
        "case": "1",
        "label": label,
        "reason": reason,
        "phase": phase,
    }
    for rater, system, label, reason, phase in [
        ("r2", "B", "Yes", None, "main"),
        ("r1", "A", "No", None, "calibration"),
        ("r1", "A", "Refutes", None, "main"),
        ("r2", "A", None, "cannot_judge", "main"),
        ("r3", "C", None, "not_applicable", "main"),
        ("r3", "A", "Yes", None, "adjudication"),
        ("r1", "B", "No", None, "repeat"),
    ]
]


def read(mapping: str = "full", phases: tuple[str, ...] = ("main",)) -> Units:
    rows = [{**row, "dimension": "uses-evidence"} for row in ROWS]
    judgements = Judgements.from_rows(rows, load_rubric("archehr"))
    return units(judgements, "uses-evidence", mapping, phases)


def test_units_are_sorted_and_keep_answers_without_a_label() -> None:
    got = read()
    assert [unit.pair for unit in got.keys] == [("A", "1"), ("B", "1"), ("C", "1")]
    assert got.raters == ("r1", "r2", "r3")
    assert got.codes.tolist() == [[2, -1, -1], [-1, 0, -1], [-1, -1, -1]]
    assert got.counts.tolist() == [[0, 0, 1], [1, 0, 0], [0, 0, 0]]
    assert got.scores is not None
    assert got.scores.tolist() == [1, 0, -1]


def test_a_mapping_scores_its_first_label_1() -> None:
    got = read("harmful")
    assert got.labels == ("harmful", "not harmful")
    assert got.codes.tolist() == [[0, -1, -1], [-1, 1, -1], [-1, -1, -1]]
    assert got.scores is not None
    assert got.scores.tolist() == [1, 0]
    assert got.scale == "nominal"


def test_the_phase_named_last_counts() -> None:
    assert read(phases=("calibration", "main")).codes[0].tolist() == [2, -1, -1]
    assert read(phases=("main", "calibration")).codes[0].tolist() == [1, -1, -1]
    assert read(phases=("main", "adjudication")).codes[0].tolist() == [2, -1, 0]
    with pytest.raises(InvalidInput, match=r"phases: must be some of .*; got mian"):
        read(phases=("mian",))


def test_units_can_be_cut_by_case_and_by_rater() -> None:
    got = Units.from_codes(
        [[0, 1, -1], [1, 1, 0], [-1, -1, 1]],
        ["no", "yes"],
        keys=[("A", "1"), ("A", "2"), ("B", "2")],
    )
    assert got.of_cases(["2"]).codes.tolist() == [[1, 1, 0], [-1, -1, 1]]
    assert got.of_cases(["1"]).raters == got.raters[:2]
    assert got.of_raters(got.raters[1:]).codes.tolist() == [[1, -1], [1, 0], [-1, 1]]
    assert got.with_labels(2).keys == (Unit("A", "1"), Unit("A", "2"))
    assert len(got.of_cases([])) == 0
    assert got.of_raters([]).codes.shape == (3, 0)


@pytest.mark.parametrize(("codes", "message"), [([0, 1], "shape"), ([[0, 2]], "lie between")])
def test_codes_that_fit_no_label_are_refused(codes: list[int], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        Units.from_codes(codes, ["no", "yes"])


def test_cases_are_numbered_the_same_whether_laid_out_or_found() -> None:
    rows = [
        {"rater": r, "system": s, "case": c, "dimension": "quality", "label": "4"}
        for r in ("r1", "r2")
        for s in ("b", "a")
        for c in ("10", "9", "é", "Z")
    ]
    laid_out = units(Judgements.from_rows(rows, load_rubric("likert5")), "quality")
    found = replace(laid_out, case_order=None)
    for mask in (np.ones(8, np.bool_), np.array([0, 1, 1, 0, 1, 0, 0, 1], np.bool_)):
        one, other = laid_out.keep(mask), found.keep(mask)
        assert one.cases == other.cases
        assert one.case.tolist() == other.case.tolist()
        assert one.n_cases == other.n_cases == len(one.cases)
        assert [one.cases[i] for i in one.case] == [unit.case for unit in one.keys]


def test_an_answer_is_as_bad_as_its_worst_part_in_whatever_order_they_stand() -> None:
    keys = [Unit("A", "1", sample, f"statement:{n}") for sample in (0, 1) for n in (1, 2, 3)]
    for bad in range(6):
        codes = [[int(place == bad)] for place in range(6)]
        got = Units.from_codes(codes, ["safe", "harmful"], keys=keys)
        assert got.worst(got.counts[:, 1]) == {("A", "1"): bad}
    silent = Units.from_codes([[-1], [0]], ["safe", "harmful"], keys=keys[:2])
    assert silent.worst(silent.counts[:, 1]) == {("A", "1"): 1}
