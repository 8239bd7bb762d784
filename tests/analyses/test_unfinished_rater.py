"""A panel of which one rater has not finished keeps its Fleiss' kappa, on every dimension."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from medassay.agreement import agree_on_units
from medassay.analyses import Results, run_study
from medassay.analyses.builtin.agreement import agreement, main_agreement, panel_in
from medassay.cli.app import app
from medassay.judgements import units
from medassay.report import findings
from medassay.report.names import Names
from medassay.study import Study, new_study, open_run

DIMENSIONS = {
    "answers-question": ("Yes", "Partially", "No"),
    "uses-evidence": ("Yes", "No", "Refutes"),
    "uses-knowledge": ("Yes", "No", "Conflicting"),
}
CASES, DONE = 20, 12


def write_panel(folder: Path, protocol: str, dimensions: Mapping[str, tuple[str, ...]]) -> None:
    """Write three raters of 20 cases and two systems; the third has done 12 cases."""
    new_study(folder, protocol, empty=True)
    rng = np.random.default_rng(8)
    rows = ["rater,system,case,dimension,label"]
    for case in range(CASES):
        for system in ("s1", "s2"):
            for dimension, labels in dimensions.items():
                truth = rng.integers(len(labels))
                for rater in "abc" if case < DONE else "ab":
                    sees = rng.random() < 0.7
                    label = labels[truth if sees else rng.integers(len(labels))]
                    rows.append(f"{rater},{system},{case:02},{dimension},{label}")
    (folder / "judgements.csv").write_text("\n".join(rows) + "\n")
    asked = [f'{{"case": "{case:02}", "question": "Why?"}}\n' for case in range(CASES)]
    (folder / "cases.jsonl").write_text("".join(asked))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unfinished") / "study"
    write_panel(folder, "archehr", DIMENSIONS)
    with (folder / "study.toml").open("a") as file:
        file.write("\n[run]\nreplicates = 100\n")
    return folder


@pytest.fixture(scope="module")
def results(folder: Path) -> Results:
    return run_study(open_run(folder))[0]


@pytest.mark.slow
def test_every_dimension_has_its_kappa_of_the_complete_answers(
    folder: Path, results: Results
) -> None:
    judgements = Study.open(folder).judgements
    whole = [f"{case:02}" for case in range(DONE)]
    found = {one.dimension: one for one in panel_in(results.analyses) if _plain(one, "fleiss")}
    assert set(found) == set(DIMENSIONS)
    for dimension, one in found.items():
        # The same panel, had the answers that it has not finished never been there.
        finished = units(judgements, dimension).of_cases(whole)
        (alone,) = agree_on_units(finished, coefficient_names=["fleiss"])
        assert one.value == alone.value
        assert (one.n_units, one.n_cases) == (2 * DONE, DONE)
        assert one.interval is not None
        assert one.notes[0] == "over the 24 answers with 3 labels; 16 answers with 2 are left out"


def _plain(one: object, name: str) -> bool:
    return (
        getattr(one, "coefficient", "") == name
        and getattr(one, "mapping", "") == "full"
        and getattr(one, "subset", "") == "all cases"
    )


@pytest.mark.slow
def test_the_page_and_the_screen_say_which_answers_were_read(
    folder: Path, results: Results
) -> None:
    (said,) = (finding.text for finding in findings(results) if finding.id == "agreement")
    assert said.startswith("Fleiss' kappa is lowest on ")
    assert "24 answers with all of their ratings" in said
    notes = [
        row.cells[-1].detail
        for row in main_agreement(results.analyses[agreement.id], Names(results)).rows
        if row.cells[0].text == "Fleiss' kappa"
    ]
    assert sum("Over the 24 answers with 3 labels" in note for note in notes) == len(DIMENSIONS)
    printed = CliRunner().invoke(app, ["agree", str(folder)]).stdout
    assert "Fleiss' kappa: over the 24 answers with 3 labels; 16 answers with 2 are left out" in (
        printed
    )


def test_a_nominal_dimension_has_alpha_where_the_protocol_names_nothing_that_fits(
    tmp_path: Path,
) -> None:
    # The protocol names Cohen's kappa, of two raters, and an alpha that reads an order.
    folder = tmp_path / "study"
    kinds = {"kind": ("drug", "diet", "rest")}
    write_panel(folder, "clinical-mcq", kinds)
    labels = ", ".join(f'{{ label = "{one}", description = "{one}" }}' for one in kinds["kind"])
    (folder / "kind.toml").write_text(
        'name = "kind"\ntitle = "Kind"\nsource = "here"\n[[dimensions]]\nid = "kind"\n'
        'title = "Kind"\nquestion = "What is advised?"\nscale = "nominal"\n'
        f"labels = [{labels}]\n"
    )
    with (folder / "study.toml").open("a") as file:
        file.write('\n[[dimensions]]\nrubric = "kind.toml"\n[run]\nreplicates = 100\n')
    said = CliRunner().invoke(app, ["agree", str(folder)])
    assert said.exit_code == 0, said.output
    lines = [line.split() for line in said.stdout.splitlines() if line.startswith("  kind ")]
    assert [line[2] for line in lines] == ["Krippendorff's", "Mean", "Share", "Unanimous"]
    (alpha,) = [line for line in lines if line[2] == "Krippendorff's"]
    assert float(alpha[4]) > 0
    assert alpha[-3:] == ["40", "20", "3"]
