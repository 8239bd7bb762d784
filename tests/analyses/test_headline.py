"""What heads agreement follows the scale, on the page, in the sentence and in the room."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from tools.standard.making import add_settings

from medassay.agreement import agree_on_units, headlines
from medassay.analyses import run_study
from medassay.analyses.builtin.agreement import agreement, main_agreement
from medassay.analyses.results import Results
from medassay.judgements import Dimension, Label, NumberScale, Units
from medassay.judgements.rubric import Scale
from medassay.report.findings import findings
from medassay.report.names import Names
from medassay.study import new_study, open_run


def rated(folder: Path, protocol: str, dimension: str, labels: tuple[str, ...]) -> Results:
    """Write 40 answers by three raters who are mostly one label apart, and run the study."""
    new_study(folder, protocol, empty=True)
    add_settings(folder, "[run]\nreplicates = 100\n")
    rng = np.random.default_rng(5)
    cases = [f"{case:02}" for case in range(40)]
    with (folder / "judgements.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["rater", "system", "case", "dimension", "label"])
        for case in cases:
            truth = int(rng.integers(len(labels)))
            for rater in "abc":
                said = int(np.clip(truth + rng.integers(-1, 2), 0, len(labels) - 1))
                rows.writerow([rater, "s", case, dimension, labels[said]])
    asked = [json.dumps({"case": case, "question": "Why?"}) for case in cases]
    (folder / "cases.jsonl").write_text("\n".join(asked), encoding="utf-8")
    return run_study(open_run(folder))[0]


def test_a_scale_of_five_is_headed_by_alpha_of_its_scale_and_not_by_a_kappa_of_words(
    tmp_path: Path,
) -> None:
    results = rated(tmp_path / "study", "ratings", "quality", tuple("12345"))
    (said,) = (finding.text for finding in findings(results) if finding.id == "agreement")
    agreed = results.analyses.of(agreement)
    assert agreed is not None
    of = {a.coefficient: a.value or 0.0 for a in agreed.panel if a.mapping == "full"}
    assert of["fleiss"] < 0.5 < of["krippendorff(level=interval)"]
    assert said.startswith("Krippendorff's alpha (level interval) is 0.7")
    table = main_agreement(agreed, Names(results))
    assert [row.cells[0].text for row in table.rows] == [
        "Krippendorff's alpha (level interval)",
        "Intraclass correlation (ICC(A,1))",
        "Mean pairwise agreement",
        "Share of the commonest label",
    ]
    (same,) = (finding.text for finding in findings(results) if finding.id == "same-label")
    assert "label" not in same


@pytest.mark.slow
def test_a_protocol_whose_source_reports_a_coefficient_keeps_it(tmp_path: Path) -> None:
    results = rated(tmp_path / "study", "archehr", "answers-question", ("No", "Partially", "Yes"))
    (said,) = (finding.text for finding in findings(results) if finding.id == "agreement")
    assert said.startswith("Fleiss' kappa is 0.")


@pytest.mark.parametrize(
    ("scale", "labels", "head", "beside"),
    [
        ("ordinal", "abc", "krippendorff(level=ordinal)", ["icc(form=2)"]),
        ("interval", "abc", "krippendorff(level=interval)", ["icc(form=2)"]),
        ("nominal", "abc", "krippendorff", []),
        ("ordinal", "ab", "krippendorff", []),
    ],
)
def test_the_rule_by_scale(scale: Scale, labels: str, head: str, beside: list[str]) -> None:
    codes = [[0, 0], [0, 1], [1, 1], [len(labels) - 1, 1]]
    read = Units.from_codes(codes, [*labels], scale=scale, scores=range(len(labels)))
    panel = agree_on_units(read, coefficient_names=["fleiss"], headline=True)
    asked = Dimension(
        id="labels", question="?", scale=scale, labels=tuple(Label(label=one) for one in labels)
    )
    (chosen,) = headlines(panel, [asked], [])
    assert (chosen.coefficient, [*chosen.beside]) == (
        head, [*beside, "mean_pairwise", "commonest"],
    )  # fmt: skip


def test_what_the_protocol_names_heads_only_where_it_has_a_value() -> None:
    read = Units.from_codes([[0, 0, 1], [1, 1, 0], [1, 1, 1]], ["no", "yes"])
    panel = agree_on_units(read, coefficient_names=["cohen", "fleiss"], headline=True)
    asked = Dimension(
        id="labels", question="?", scale="nominal", labels=(Label(label="no"), Label(label="yes"))
    )

    def head(*named: str) -> str:
        (chosen,) = headlines(panel, [asked], named)
        return chosen.coefficient

    # Cohen's kappa is of two raters, and nobody computed Scott's.
    assert head("cohen", "scott", "fleiss") == "fleiss"
    assert head("cohen") == "krippendorff"


def test_where_raters_rotate_the_other_form_of_the_correlation_is_named() -> None:
    codes = [[0, 1, -1], [2, -1, 2], [-1, 1, 1], [0, 0, -1]]
    read = Units.from_codes(codes, ["1", "2", "3"], scale="interval", scores=[1, 2, 3])
    titles = [row.title for row in agree_on_units(read, coefficient_names=[], headline=True)]
    assert "Intraclass correlation (ICC(1))" in titles
    assert "Intraclass correlation (ICC(A,1))" not in titles


def test_numbers_are_headed_by_interval_alpha() -> None:
    asked = Dimension(
        id="labels", question="?", scale="interval", number=NumberScale(low=0, high=9)
    )
    read = Units.from_codes([[0, 0], [1, 1]], ["1", "7"], scale="interval", scores=[1, 7])
    panel = agree_on_units(read, coefficient_names=["krippendorff(level=interval)"])
    (chosen,) = headlines(panel, [asked], [])
    assert chosen.coefficient == "krippendorff(level=interval)"
