"""What is said of confidence goes no further than its intervals."""

from collections.abc import Callable
from typing import Any

from pydantic import TypeAdapter

from medassay.analyses.builtin.calibration import Calibration
from medassay.analyses.builtin.leaderboards import leaderboards
from medassay.analyses.results import Results
from medassay.analyses.results.whole import Records
from medassay.report import findings
from medassay.report.contents import Contents

Factory = Callable[..., Results]
NONE: dict[str, Any] = {
    "without": 0,
    "a_bin_lower": 0,
    "in_no_bin": 0,
    "bins": [],
    "coverage": [],
    "risk": [],
}


def around(low: float, high: float) -> dict[str, Any]:
    return {"low": low, "high": high, "level": 0.95, "method": "m", "estimand": "e"}


def system(name: str, gap: float, ece: float, *, few: bool = False, n: int = 400) -> dict[str, Any]:
    """Lay out one system whose gap has an interval 0.05 to either side."""
    values = ["brier", "reliability", "resolution", "uncertainty", "within", "mce", "auroc"]
    values += ["ece_binary_edges", "ece_equal_mass", "ece_debiased", "risk_area", "risk_area_best"]
    ways = [
        {"method": method, "folds": 10, "brier": 0.2, "ece": ece / part}
        for method, part in (("temperature", 2), ("isotonic", 4))
    ]
    return (
        NONE
        | dict.fromkeys(values, 0.2)
        | {"system": name, "n": n, "few": few, "accuracy": 0.5, "confidence": 0.5 + gap}
        | {"gap": gap, "gap_interval": around(gap - 0.05, gap + 0.05), "recalibrated": ways}
        | {"gap_p": 0.01 if abs(gap) > 0.05 else 0.4}
        | {"ece": ece, "ece_interval": around(ece, ece + 0.1), "brier_interval": around(0.1, 0.3)}
    )


def run_with(make_results: Factory, *systems: dict[str, Any]) -> Results:
    record = TypeAdapter(Calibration).validate_python({"systems": systems})
    results = make_results(cases=4)
    ranked = {leaderboards.id: results.analyses[leaderboards.id]}
    records = Records(ranked | ({"calibration": record} if systems else {}))
    return results.model_copy(update={"analyses": records})


def told(make_results: Factory, *systems: dict[str, Any]) -> str:
    results = run_with(make_results, *systems)
    return next((one.text for one in findings(results) if one.id == "calibration"), "")


def test_without_confidence_nothing_is_said(make_results: Factory) -> None:
    assert told(make_results) == ""


def test_one_system_is_told_with_its_gap(make_results: Factory) -> None:
    assert told(make_results, system("a1", 0.1, 0.12)) == (
        "The confidence of Alder overstates accuracy by 0.100 on average (95% CI 0.050 to 0.150). "
        "Its calibration error (ECE, ten bins) is 0.120 (95% CI 0.120 to 0.220). "
        "Recalibrated by one temperature, it would be 0.060 (cross-validated; 0.030 by isotonic "
        "regression)."
    )


def test_answers_that_are_all_wrong_leave_every_doubt(make_results: Factory) -> None:
    one = system("a1", 0.2, 0.2) | {"accuracy": 0.0, "confidence": 0.2}
    one |= {"gap_interval": None, "gap_p": None, "ece_interval": around(0.2, 0.2)}
    assert told(make_results, one).startswith(
        "Whether the confidence of Alder over- or understates accuracy is undecided (gap 0.200). "
        "Its calibration error (ECE, ten bins) is 0.200. Recalibrated"
    )


def test_of_several_systems_the_worst_is_told(make_results: Factory) -> None:
    text = told(
        make_results,
        system("a1", 0.12, 0.12),
        system("b2", -0.1, 0.08),
        system("c3", 0.0, 0.04),
        system("e4", 0.01, 0.06),
    )
    assert text.startswith(
        "The confidence of Alder overstates accuracy on average. The confidence of Birch "
        "understates accuracy on average. Whether the confidence of Cedar and "
    )
    assert (
        "over- or understates accuracy is undecided. Confidence minus accuracy is furthest from 0 "
        "for Alder: 0.120 (95% CI 0.070 to 0.170). The calibration error (ECE, ten bins) is "
        "largest for Alder, 0.120 (95% CI 0.120 to 0.220)."
    ) in text


def test_few_answers_are_warned_of_for_those_systems_alone(make_results: Factory) -> None:
    assert "fewer than" not in told(make_results, system("a1", 0.1, 0.12))
    both = told(make_results, system("a1", 0.1, 0.1), system("b2", 0.1, 0.1, few=True, n=90))
    assert "The 90 answers of Birch are fewer than about 300: do not rank" in both
    alone = told(make_results, system("b2", 0.1, 0.1, few=True, n=90))
    assert "The 90 answers are fewer than about 300" in alone


def test_what_answers_no_question_of_a_reader_stands_behind_what_does(
    make_results: Factory,
) -> None:
    said = [one.id for one in findings(run_with(make_results, system("a1", 0.1, 0.12)))]
    assert said.index("leaders") < said.index("calibration")


def test_notes_and_tables_stand_under_the_one_heading(make_results: Factory) -> None:
    one = system("a1", 0.1, 0.1, few=True, n=90) | {"without": 3}
    (part,) = Contents.of(run_with(make_results, one)).asked["clinical"]
    assert part.id == "clinical-calibration"
    assert part.title == "How well the confidence is calibrated"
    assert part.lead.startswith("A confidence of 0.80 is right if four of five")
    assert [note[:32] for note in part.notes] == [
        "Alder: under about 300 answers, ",
        "Alder: 3 answers without a confi",
    ]
    assert [table.id for table in part.tables] == [
        "calibration",
        "calibration-parts",
        "calibration-recalibrated",
        "calibration-bins",
    ]
