"""A rater who read a scale the other way round: found, marked, settled by one command."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from tools.standard.making import add_settings
from typer.testing import CliRunner

from medassay.analyses import agreement_report, run_study
from medassay.analyses.results import Results
from medassay.cli.app import app
from medassay.errors import InvalidInput
from medassay.judgements import Dimension, Judgements, Label, NumberScale, Rubric
from medassay.report.contents import tables_of
from medassay.report.findings import findings
from medassay.report.page import page
from medassay.report.tables import table_csv
from medassay.study import Study, new_study, open_run
from medassay.study.config.study_toml import CorrectionChoice
from medassay.study.contents.ratings import turned
from medassay.web.viewer.labels import labels_of, rows_by_answer

NAMES = ("Anna Vogel", "Ben", "Klein")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Write 30 answers of three systems, of which Klein read 1 as the best."""
    study = tmp_path / "study"
    new_study(study, "ratings", empty=True)
    add_settings(study, "[run]\nreplicates = 100\n")
    rng = np.random.default_rng(3)
    cases = [f"{case:02}" for case in range(30)]
    with (study / "judgements.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["rater", "system", "case", "dimension", "label", "phase"])
        for case in cases:
            for place, system in enumerate(("low", "mid", "top")):
                truth = int(rng.integers(1, 4)) + place
                for rater in NAMES:
                    said = int(np.clip(truth + rng.integers(-1, 2), 1, 5))
                    given = 6 - said if rater == "Klein" else said
                    rows.writerow([rater, system, case, "quality", given, "main"])
        rows.writerow(["Klein", "low", "00", "quality", "1", "adjudication"])
    asked = [json.dumps({"case": case, "question": "Why?"}) for case in cases]
    (study / "cases.jsonl").write_text("\n".join(asked), encoding="utf-8")
    return study


def correct(folder: Path, *words: str) -> str:
    done = CliRunner().invoke(app, ["campaign", "correct", str(folder), *words])
    assert done.exit_code == 0, done.output
    return done.output


def said(results: Results) -> dict[str, str]:
    return {finding.id: finding.text for finding in findings(results)}


def shown(results: Results) -> str:
    return page(results).decode()


def klein_of(folder: Path) -> str:
    return Study.open_whole(folder).pseudonyms.called("Klein")


def test_until_it_is_settled_every_number_of_those_labels_is_marked(folder: Path) -> None:
    results, _ = run_study(open_run(folder))
    who, found = klein_of(folder), said(results)
    assert f"raters-key.csv in the study's folder says who {who} is." in found["reversed"]
    assert f"medassay campaign correct STUDY {who} quality reversed REASON" in found["reversed"]
    mark = f"Not settled: this rests on labels of {who} on Overall quality."
    for name in ("leaders", "agreement", "same-label"):
        assert found[name].endswith(mark), name
    tables = {table.id: table for table in tables_of(results)}
    for name in ("leaderboard", "agreement-main", "comparisons"):
        assert f"Not settled: numbers here that rest on labels of {who}" in tables[name].caption
    assert "Not settled" not in tables["inputs"].caption
    assert "Not settled" in shown(results)
    # A file of numbers says so row by row, whoever opens it without the page.
    for name in ("leaderboard", "agreement-main", "comparisons"):
        rows = list(csv.DictReader(table_csv(tables[name]).decode().splitlines()))
        marks = {row["not_settled"] for row in rows}
        assert f"{who} on Overall quality" in marks, name
    assert "not_settled" not in table_csv(tables["inputs"]).decode()


def test_one_command_settles_it_and_shows_agreement_before_and_after(folder: Path) -> None:
    given = (folder / "judgements.csv").read_bytes()
    before = agreement_report(Study.open(folder), by=())
    told = correct(folder, klein_of(folder), "quality", "reversed", "Klein took 1 for the best.")
    after = agreement_report(Study.open(folder), by=())
    assert (folder / "judgements.csv").read_bytes() == given
    values = [
        next(row.value for row in one.panel if row.coefficient == "krippendorff(level=interval)")
        for one in (before, after)
    ]
    assert values[0] is not None
    assert values[1] is not None
    assert values[0] < 0.2
    assert values[1] > 0.5
    for when, value in zip(("before", "after"), values, strict=True):
        assert any(
            line.split()[0] == when and f"{value:.3f}" in line
            for line in told.splitlines()
            if "alpha" in line
        )
    results, _ = run_study(open_run(folder))
    assert "reversed" not in said(results)
    assert "Not settled" not in shown(results)
    (note,) = (note for note in results.methods if note.title.startswith("Correction"))
    who = klein_of(folder)
    assert note.text == (
        f"Labels of {who} on Overall quality were reversed in every number, the highest for the "
        f"lowest; the files keep them as they were given. Reason: {who} took 1 for the best."
    )
    assert note.text.partition(";")[0] in shown(results)
    assert "Klein" not in results.model_dump_json()


def test_a_corrected_label_is_shown_with_what_was_given(folder: Path) -> None:
    correct(folder, "Klein", "quality", "reversed", "Klein took 1 for the best.")
    results, _ = run_study(open_run(folder))
    who = klein_of(folder)
    judged = [
        judgement
        for case in results.cases
        for answer in case.answers
        for judgement in answer.judgements
        if judgement.rater == who
    ]
    told = {judgement.said for judgement in judged if judgement.given}
    assert told
    assert told <= {f"{6 - n} (corrected from {n})" for n in (1, 2, 4, 5)}
    assert "(corrected from 5)" in shown(results)
    table = next(table for table in tables_of(results) if table.id == "answers")
    assert "(corrected from 5)" in table_csv(table).decode()
    study = Study.open(folder)
    case = study.cases[study.cases.ids[3]]
    rows = rows_by_answer(study)
    seen = [
        words
        for system in study.systems
        for label in labels_of(study, case, None, rows[system, case.case])
        for words in label.said.values()
    ]
    given = [word for words in seen for word in words if word.startswith(who)]
    assert len(given) == 3
    # The middle of a scale stays what it was, and so does what was settled after a talk.
    assert all("(corrected from " in word for word in given if "(" in word)
    assert not any("corrected" in word for words in seen for word in words if who not in word)


@pytest.mark.slow
def test_what_was_meant_as_given_is_settled_too_and_changes_no_number(folder: Path) -> None:
    before, _ = run_study(open_run(folder))
    correct(folder, "Klein", "quality", "as-given", "She holds another view")
    after, _ = run_study(open_run(folder))
    assert before.analyses["leaderboards"] == after.analyses["leaderboards"]
    assert "reversed" not in said(after)
    assert "Not settled" not in shown(after)
    assert any("were left as given" in note.text for note in after.methods)


@pytest.mark.slow
def test_where_people_are_named_the_correction_names_them(folder: Path) -> None:
    add_settings(folder, '[privacy]\nraters = "named"\n')
    first, _ = run_study(open_run(folder))
    assert "raters-key.csv" not in said(first)["reversed"]
    assert "correct STUDY Klein quality" in said(first)["reversed"]
    correct(folder, "Klein", "quality", "reversed", "Klein said so.")
    results, _ = run_study(open_run(folder))
    assert any("Labels of Klein on Overall quality" in note.text for note in results.methods)
    assert any("Reason: Klein said so." in note.text for note in results.methods)


def test_reasons_stay_in_a_study_that_keeps_its_texts(folder: Path) -> None:
    add_settings(folder, '[privacy]\ntexts = "ids"\n')
    correct(folder, "Klein", "quality", "reversed", "The ward sister told me.")
    results, _ = run_study(open_run(folder))
    assert "ward sister" not in results.model_dump_json()


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (
            ("Klien", "quality"),
            'RATER: must name a person with judgements; got "Klien"',
        ),
        (("Klein", "qualty"), 'must be a dimension: quality; got "qualty"'),
    ],
)
def test_a_correction_of_nobody_or_nothing_is_refused_and_writes_nothing(
    folder: Path, words: tuple[str, str], problem: str
) -> None:
    text = (folder / "study.toml").read_bytes()
    done = CliRunner().invoke(app, ["campaign", "correct", str(folder), *words, "reversed", "So."])
    assert isinstance(done.exception, InvalidInput)
    assert problem in str(done.exception)
    assert (folder / "study.toml").read_bytes() == text


def test_a_scale_is_settled_once(folder: Path) -> None:
    correct(folder, "Klein", "quality", "reversed", 'She said: "1 is best" ✓')
    assert Study.open(folder).config.corrections[0].labels == "reversed"
    again = ["campaign", "correct", str(folder), "Klein", "quality", "as-given", "No."]
    assert isinstance(CliRunner().invoke(app, again).exception, InvalidInput)
    with (folder / "study.toml").open("a", encoding="utf-8") as file:
        file.write(
            '[[corrections]]\nrater = "Klein"\ndimension = "quality"\n'
            'labels = "as-given"\nreason = "No."\n'
        )
    with pytest.raises(InvalidInput, match="settle each rater's scale once"):
        Study.open(folder)


def label(name: str, score: float | None = None) -> Label:
    return Label(label=name, score=score)


@pytest.mark.parametrize(
    ("dimension", "given", "read"),
    [
        ({"scale": "ordinal", "labels": (label("a"), label("b"), label("c"))}, "a", "c"),
        ({"scale": "ordinal", "labels": (label("a"), label("b"), label("c"))}, "b", "b"),
        # Labels of a scale without an order go by their scores.
        (
            {"scale": "nominal", "labels": (label("x", 0), label("y", 2), label("z", 1))},
            "x", "y",
        ),
        ({"number": NumberScale(low=1, high=10)}, 2.0, 9.0),
    ],
)  # fmt: skip
def test_the_highest_is_read_for_the_lowest(
    dimension: dict[str, object], given: object, read: object
) -> None:
    rubric = Rubric(
        name="own",
        dimensions=(Dimension.model_validate({"id": "d", "question": "?", **dimension}),),
    )
    column = "label" if isinstance(given, str) else "number"
    rows: list[dict[str, object]] = [
        {"rater": r, "system": "s", "case": "1", "dimension": "d", column: given, "phase": phase}
        for r, phase in (("k", "main"), ("o", "main"), ("k", "adjudication"))
    ]
    found = turned(
        Judgements.from_rows(rows, rubric),
        [CorrectionChoice(rater="k", dimension="d", labels="reversed", reason="so")],
    ).frame
    assert found.sort("phase", "rater")[column].to_list() == [given, read, given]


def test_a_pseudonym_that_was_several_peoples_is_refused(folder: Path) -> None:
    run_study(open_run(folder))
    who = klein_of(folder)
    with (folder / "raters-key.csv").open("a", encoding="utf-8") as file:
        file.write(f"earlier,{who},Ben\n")
    words = ["campaign", "correct", str(folder), who, "quality", "reversed", "So."]
    with pytest.raises(InvalidInput, match=f"be a name, since {who} was Ben and Klein"):
        CliRunner().invoke(app, words, catch_exceptions=False)
    assert not Study.open(folder).config.corrections
    correct(folder, "Klein", "quality", "reversed", "So.")


def test_a_correction_after_which_raters_agree_less_is_doubted(folder: Path) -> None:
    assert "ask the rater again" not in correct(folder, "Klein", "quality", "reversed", "So.")
    assert "ask the rater again" in correct(folder, "Ben", "quality", "reversed", "So.")
