"""Experts label each query's documents once, blinded, and precision reads what they said."""

import json
from pathlib import Path

import pytest
from openpyxl import load_workbook
from typer.testing import CliRunner

from medassay.cli.app import app
from medassay.errors import InvalidInput
from medassay.metrics import resolve
from medassay.scores import Score
from medassay.study import Study
from medassay.tables import csv_bytes, read_sheet

EXPERTS = ("anna", "ben", "cara")
FOUND = {"s": {"q1": ("a", "b", "c"), "q2": ("a", "d")}, "t": {"q1": ("c", "a", "e"), "q2": ("d",)}}
RELEVANT = {("q1", "a"), ("q1", "c"), ("q2", "d")}


def medassay(*words: str | Path) -> str:
    done = CliRunner().invoke(app, list(map(str, words)), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


@pytest.fixture
def study(tmp_path: Path) -> Path:
    folder = tmp_path / "study"
    (folder / "answers").mkdir(parents=True)
    (folder / "study.toml").write_text(
        'schema = 1\ntitle = "T"\n[protocol]\nname = "environmental-health"\n'
    )
    cases = [{"case": query, "question": f"Why {query}?"} for query in ("q1", "q2")]
    (folder / "cases.jsonl").write_text("".join(f"{json.dumps(case)}\n" for case in cases))
    names = sorted({name for own in FOUND.values() for found in own.values() for name in found})
    texts = [{"id": name, "title": f"Study {name}", "text": f"=Text {name}"} for name in names]
    (folder / "documents.jsonl").write_text("".join(f"{json.dumps(text)}\n" for text in texts))
    for system, rankings in FOUND.items():
        rows = []
        for query, found in rankings.items():
            scored = [{"document": name, "score": 9.5 - n} for n, name in enumerate(found)]
            rows.append({"case": query, "text": "x", "retrieved": scored})
        lines = "".join(f"{json.dumps(row)}\n" for row in rows)
        (folder / "answers" / f"{system}.jsonl").write_text(lines)
    return folder


def sheet_of(study: Path, expert: str, form: str) -> Path:
    return study / "campaigns" / "document-labels" / "sheets" / f"{expert}.{form}"


def filled(path: Path, into: Path, unlike: int = 0) -> Path:
    """Fill a sheet in as RELEVANT says, the first rows otherwise."""
    sheet = read_sheet(path)
    rows = [dict(cells) for _, cells in sheet.records()]
    for place, cells in enumerate(rows):
        label = ((cells["Query"], cells["Document"]) in RELEVANT) != (place < unlike)
        cells["Relevance"] = str(int(label))
    back = into / f"{path.stem}.csv"
    header = list(rows[0])
    back.write_bytes(
        csv_bytes(header, [[cells.get(name, "") for name in header] for cells in rows])
    )
    return back


@pytest.mark.parametrize("form", ["xlsx", "csv"])
def test_each_document_of_a_query_is_asked_once_and_blinded(study: Path, form: str) -> None:
    said = medassay("campaign", "documents", study, "--raters", "anna,ben,cara", "--format", form)
    assert "3 experts, 6 documents each." in said
    pairs = {(query, name) for own in FOUND.values() for query in own for name in own[query]}
    orders = []
    for expert in EXPERTS:
        sheet = read_sheet(sheet_of(study, expert, form))
        rows = [dict(cells) for _, cells in sheet.records()]
        keys = [(row["Query"], row["Document"]) for row in rows]
        assert len(keys) == len(pairs)
        assert set(keys) == pairs
        assert {row["Expert"] for row in rows} == {expert}
        assert all(not row.get("Relevance") for row in rows)
        words = json.dumps(rows)
        assert "9.5" not in words
        assert "Why q1?" in words
        assert "Text a" in words
        orders.append(keys)
    assert len({tuple(order) for order in orders}) > 1
    before = {path: path.read_bytes() for path in study.rglob("*") if path.is_file()}
    medassay("campaign", "documents", study, "--raters", "anna,ben,cara", "--format", form)
    assert before == {path: path.read_bytes() for path in before}


def test_a_workbook_offers_0_and_1_and_holds_no_formula(study: Path) -> None:
    medassay("campaign", "documents", study, "--raters", "anna")
    page = load_workbook(sheet_of(study, "anna", "xlsx"))["Documents"]
    (offer,) = page.data_validations.dataValidation
    assert offer.formula1 == '"1,0"'
    assert {cell.data_type for row in page.iter_rows() for cell in row if cell.value} == {"s"}


@pytest.mark.parametrize("form", ["xlsx", "csv"])
def test_precision_reads_what_comes_back(study: Path, form: str, tmp_path: Path) -> None:
    medassay("campaign", "documents", study, "--raters", "anna,ben,cara", "--format", form)
    sheets = [sheet_of(study, expert, form) for expert in EXPERTS]
    # Of three experts one says the opposite of two documents.
    back = [filled(path, tmp_path, 2 * (path.stem == "ben")) for path in sheets]
    assert "18 labels added; 0 were there already; 0 documents still open." in medassay(
        "campaign", "documents", study, *back
    )
    opened = Study.open(study)
    metric = resolve("precision_returned@3")
    for system, rankings in FOUND.items():
        for query, found in rankings.items():
            answer = opened.answers.get(system, query)
            assert answer is not None
            (score,) = metric.score_batch([(opened.cases[query], answer)])
            assert isinstance(score, Score)
            right = [(query, name) in RELEVANT for name in found]
            assert score.value == pytest.approx(sum(right) / len(right))
    whole = (study / "relevance.csv").read_bytes()
    again = medassay("campaign", "documents", study, *back)
    assert "0 labels added; 18 were there already" in again
    assert (study / "relevance.csv").read_bytes() == whole


def test_a_row_without_a_label_stays_open(study: Path, tmp_path: Path) -> None:
    medassay("campaign", "documents", study, "--raters", "anna", "--format", "csv")
    path = sheet_of(study, "anna", "csv")
    assert "0 labels added; 0 were there already; 6 documents still open." in medassay(
        "campaign", "documents", study, path
    )
    assert not (study / "relevance.csv").exists()
    medassay("campaign", "documents", study, filled(path, tmp_path))


WRONG = [
    ("anna,q1,a,2\n", 'column Relevance: must be 0 or 1; got "2"'),
    ("anna,q1,zz,1\n", 'must be a document that the sheet asked about; got "zz" of "q1"'),
    ("anna,q9,a,1\n", 'got "a" of "q9"'),
    (",q1,a,1\n", "column Expert: must name the expert; got nothing"),
    ("anna,q1,a,1\nanna,q1,a,0\n", "must say of a for q1 what anna said before, 1; got 0"),
]


@pytest.mark.parametrize(("rows", "wanted"), WRONG)
def test_what_is_wrong_is_said_in_one_sentence_and_nothing_is_written(
    rows: str, wanted: str, study: Path, tmp_path: Path
) -> None:
    file = tmp_path / "back.csv"
    file.write_text(f"Expert,Query,Document,Relevance\n{rows}")
    done = CliRunner().invoke(app, ["campaign", "documents", str(study), str(file)])
    assert isinstance(done.exception, InvalidInput)
    (problem,) = map(str, done.exception.problems)
    assert problem.startswith("back.csv, row ")
    assert wanted in problem
    assert not (study / "relevance.csv").exists()


def test_nobody_named_and_nothing_retrieved_are_refused(study: Path) -> None:
    done = CliRunner().invoke(app, ["campaign", "documents", str(study)])
    assert "must name who labels; got nobody. Name them: --raters" in str(done.exception)
    for file in (study / "answers").iterdir():
        file.write_text('{"case": "q1", "text": "x"}\n')
    done = CliRunner().invoke(app, ["campaign", "documents", str(study), "--raters", "anna"])
    assert "must say what systems retrieved; got no ranking" in str(done.exception)
