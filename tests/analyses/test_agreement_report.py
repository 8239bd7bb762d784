"""Agreement of a whole study: its panel, its parts, its design, its raters."""

import csv
import io
import json
import re
from pathlib import Path

import pytest
from tools.standard.making import add_settings
from typer.testing import CliRunner

from medassay.analyses import PARTS, agreement_report, flow_of
from medassay.cli.app import app
from medassay.errors import InvalidInput, UnknownName
from medassay.study import Study, import_judgements, new_study

HEAD = ["rater", "system", "case", "dimension", "label", "phase"]


def table(rows: list[list[str]], head: list[str]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return out.getvalue()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Write twelve cases, two systems; c is only asked where a and b differ, d was excluded."""
    study = tmp_path / "study"
    new_study(study, "ratings", empty=True)
    add_settings(study, '[privacy]\nraters = "named"\n')
    rows, labels = [], "12345"
    cases = [f"{i:02}" for i in range(12)]
    for i, case in enumerate(cases):
        for j, system in enumerate(("s1", "s2")):
            one = (2 * i + j) % 5
            two = (one + 1) % 5 if i % 2 else one
            said = {"a": one, "b": two, "d": 0} | ({"c": two} if one != two else {})
            rows += [[r, system, case, "quality", labels[n], "main"] for r, n in said.items()]
            if i < 4:
                rows.append(["a", system, case, "quality", labels[one], "repeat"])
                rows.append(["a", system, case, "quality", "1", "adjudication"])
    rows += [[r, "s1", "cal", "quality", "4", "calibration"] for r in "ab"]
    asked = [json.dumps({"case": case, "question": "Why?"}) for case in [*cases, "cal"]]
    (study / "cases.jsonl").write_text("\n".join(asked), encoding="utf-8")
    (study / "judgements.csv").write_text(table(rows, HEAD), encoding="utf-8")
    who = [
        ["a", "physician", "qualified", "", "with the conclusion"],
        ["b", "nurse", "qualified", "", "without the conclusion"],
        ["c", "", "", "", ""],
        ["d", "", "excluded", "failed calibration", ""],
        ["e", "", "excluded", "conflict of interest", ""],
        ["f", "", "qualified", "", ""],
    ]
    head = ["rater", "expertise", "status", "reason", "shown"]
    (study / "raters.csv").write_text(table(who, head), encoding="utf-8")
    return study


def test_excluded_raters_count_nowhere_and_it_is_said(folder: Path) -> None:
    study = Study.open(folder)
    assert "d" not in set(study.judgements.frame["rater"])
    assert study.left_out == {"d": 24, "e": 0}
    said = "Left out of every number, since their raters were excluded: d, 24 judgements"
    assert any(one.startswith(said) for one in study.warnings)
    assert {row.n_raters for row in agreement_report(study).panel} == {3}


def test_the_flow_goes_from_the_listed_to_those_who_judged(folder: Path) -> None:
    flow = flow_of(Study.open(folder))
    assert (flow.listed, flow.qualified, flow.judged, flow.left_out) == (6, 4, 3, 24)
    assert flow.excluded == {"conflict of interest": 1, "failed calibration": 1}
    of = {count.rater.rater: count for count in flow.raters}
    # a judged 24 answers, 8 of them again, 8 in adjudication, and 1 calibration item.
    assert (of["a"].judgements, of["f"].judgements, of["d"].judgements) == (41, 0, 24)
    assert (of["a"].rater.expertise, of["a"].rater.external) == ("physician", None)


def test_an_import_keeps_what_excluded_raters_said(folder: Path, tmp_path: Path) -> None:
    more = tmp_path / "more.csv"
    more.write_text(table([["c", "s1", "00", "quality", "3", "main"]], HEAD), encoding="utf-8")
    import_judgements(Study.open_whole(folder), more, {})
    assert Study.open(folder).left_out["d"] == 24


def test_parts_hold_phases_pairs_systems_and_repeats(folder: Path) -> None:
    found = agreement_report(Study.open(folder), by=PARTS)
    groups = {
        by: list(dict.fromkeys(part.group for part in found.parts if part.by == by)) for by in PARTS
    }
    assert groups == {
        "phase": ["main", "calibration and main", "calibration"],
        "pair": ["a and b", "a and c", "b and c"],
        "system": ["s1", "s2"],
        "self": ["all raters", "a"],
    }
    repeats = [part.agreement for part in found.parts if (part.by, part.group) == ("self", "a")]
    assert {row.value for row in repeats if row.coefficient == "mean_pairwise"} == {1.0}
    assert {row.n_units for row in repeats} == {8}
    sizes = {
        part.group: part.agreement.n_units
        for part in found.parts
        if part.by == "phase" and part.agreement.coefficient == "unanimous"
    }
    assert sizes == {"main": 24, "calibration and main": 25, "calibration": 1}


def test_what_the_design_does_is_said(folder: Path) -> None:
    notes = {note.kind: note for note in agreement_report(Study.open(folder), by=()).notes}
    assert notes["chosen answers"].raters == ("c",)
    assert "c labelled 100% of the answers where the others differ" in notes["chosen answers"].text
    assert notes["different texts"].raters == ("a", "b")
    assert "a: with the conclusion; b: without the conclusion" in notes["different texts"].text


def test_coefficients_and_phases_can_be_chosen(folder: Path) -> None:
    study = Study.open(folder)
    every = agreement_report(study, by=(), coefficients="all")
    some = agreement_report(study, by=(), coefficients=["gwet", "cohen"])
    assert {row.coefficient for row in some.panel} == {"gwet", "cohen"}
    assert {"icc", "specific(label=4)", "krippendorff(level=interval)", "mean_cohen"} <= {
        row.coefficient for row in every.panel
    }
    (cohen, *_) = [row for row in some.panel if row.coefficient == "cohen"]
    assert cohen.reason == "undefined here: it compares two raters; 3 gave labels"
    only = agreement_report(study, by=(), phases=("calibration",), coefficients=["unanimous"])
    assert {row.n_units for row in only.panel} == {1}
    with pytest.raises(UnknownName, match='Did you mean "pair"'):
        agreement_report(study, by=["pairs"])
    with pytest.raises(InvalidInput, match="leave adjudication out"):
        agreement_report(study, by=(), phases=("adjudication",))


def test_each_value_stands_beside_its_meaning_and_the_words_of_its_sources(folder: Path) -> None:
    found = agreement_report(Study.open(folder), by=(), coefficients=["krippendorff", "unanimous"])
    alpha, unanimous = found.panel[:2]
    assert alpha.one == "no two raters of an answer differ"
    assert set(alpha.bands) == {"Krippendorff (2004)"}
    assert unanimous.bands == {}


def test_a_rater_who_is_not_in_the_table_is_a_problem(folder: Path) -> None:
    text = (folder / "raters.csv").read_text(encoding="utf-8").replace("\nb,", "\nbe,")
    (folder / "raters.csv").write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput, match='must be a rater of the raters table; got "b"'):
        Study.open(folder)


def test_the_command_line_prints_tables_notes_and_everything_as_json(folder: Path) -> None:
    shown = CliRunner().invoke(app, ["agree", str(folder), "--by", "pair"])
    assert shown.exit_code == 0, shown.output
    for text in (
        "pairs of raters",
        *("note: quality: c labelled 100%", "note: 24 judgements of excluded raters left out"),
    ):
        assert text in shown.output
    # Pairs stand in the order of the pseudonyms that they are computed under.
    assert any(pair in shown.output for pair in ("a and b", "b and a"))
    asked = ["agree", str(folder), "--coefficient", "unanimous", "--dimension", "quality", "--json"]
    made = json.loads(CliRunner().invoke(app, asked).stdout)
    assert set(made) == {
        "judgements", "panel", "headlines", "parts", "passages", "notes", "cautions", "flow",
    }  # fmt: skip
    assert {part["by"] for part in made["parts"]} == set(PARTS)


def test_a_coefficient_that_somebody_named_and_does_not_fit_stands_there_with_its_reason(
    folder: Path,
) -> None:
    quiet = agreement_report(Study.open(folder), by=())
    assert all("it compares two raters" not in row.reason for row in quiet.panel)
    with (folder / "study.toml").open("a", encoding="utf-8") as file:
        file.write(
            '\n[agreement]\ncoefficients = ["cohen(weights=linear)", "icc(form=2)", "gwet"]\n'
        )
    named = agreement_report(Study.open(folder), by=("pair",))
    of = {(row.coefficient, row.mapping): row for row in named.panel}
    assert of["cohen(weights=linear)", "full"].reason == (
        "undefined here: it compares two raters; 3 gave labels"
    )
    assert of["icc(form=2)", "full"].value is None
    assert "have more hangs on what the others said (c)" in of["icc(form=2)", "full"].reason
    assert of["gwet", "full"].value is not None
    said = CliRunner().invoke(app, ["agree", str(folder), "--by", "pair"]).stdout
    assert "no value: undefined here: it compares two raters; 3 gave labels" in said


def test_what_is_missing_in_the_table_of_pairs_has_its_reason_below(folder: Path) -> None:
    asked = ["agree", str(folder), "--by", "pair", "--coefficient", "mean_cohen"]
    said = CliRunner().invoke(app, asked).stdout
    found = re.search(r"no value for ([abc, and]+): undefined here: it is a mean over", said)
    assert found is not None
    assert {frozenset(pair.split(" and ")) for pair in found[1].split(", ")} == {
        frozenset("ab"), frozenset("ac"), frozenset("bc"),
    }  # fmt: skip


def test_few_cases_are_said_on_the_screen_as_in_the_report(folder: Path) -> None:
    said = CliRunner().invoke(app, ["agree", str(folder)]).stdout
    assert "note: Some intervals rest on as few as 4 cases: they are too narrow" in said
