"""Sheets whose rows are about criteria, documents, statements and passages of an answer."""

import json
from pathlib import Path

import pytest

from medassay.campaign import CollectedSheets, campaign_status, collect_sheets
from medassay.errors import InvalidInput
from medassay.judgements.campaign import find_plans
from medassay.study import Study
from medassay.tables import read_pages

from .conftest import Cells, export, ratings, saved, sheet_of

RUBRIC = """
name = "parts"
[[dimensions]]
id = "relevant"
question = "Does the document bear on the question?"
scale = "nominal"
about = "document"
labels = [{ label = "0" }, { label = "1" }]
[[dimensions]]
id = "points"
question = "How good is the answer?"
number = { low = 0, high = 10, unit = "points" }
confidence = ["unsure", "sure"]
[[dimensions]]
id = "met"
question = "Does the answer meet the criterion?"
scale = "nominal"
about = "criterion"
labels = [{ label = "met" }, { label = "not met" }]
confidence = "0-1"
[[dimensions]]
id = "borne-out"
question = "Is it borne out?"
scale = "nominal"
about = "statement"
labels = [{ label = "yes" }, { label = "no" }]
[[dimensions]]
id = "error"
question = "What is wrong with the passage?"
about = "span"
kinds = [{ label = "dose" }, { label = "fact" }]
severities = [{ label = "minor", score = 1 }, { label = "major", score = 5 }]
"""
ARMS = '[room]\ndisplay = ["citations shown", "citations hidden"]\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "study"
    (folder / "answers").mkdir(parents=True)
    (folder / "rubric.toml").write_text(RUBRIC, encoding="utf-8")
    (folder / "study.toml").write_text(
        'schema = 1\ntitle = "Parts"\n[[dimensions]]\nrubric = "rubric.toml"\n', encoding="utf-8"
    )
    case = {
        "case": "01",
        "question": "How much?",
        "evidence": [{"id": "e1", "text": "Two a day."}],
        "documents": [{"id": "d1", "text": "On dose."}, {"id": "d2", "text": "On rest."}],
        "criteria": [
            {"id": "c1", "text": "Names the dose.", "points": 5},
            {"id": "c2", "text": "Promises a cure.", "points": -3},
        ],
    }
    (folder / "cases.jsonl").write_text(json.dumps(case) + "\n", encoding="utf-8")
    statements = [
        {"text": "Take two a day.", "citations": ["e1"]},
        {"text": "Take two at night."},
    ]
    answer = {"case": "01", "statements": statements}
    (folder / "answers" / "robot.jsonl").write_text(json.dumps(answer) + "\n", encoding="utf-8")
    options = folder / "campaigns" / "main" / "campaign.toml"
    options.parent.mkdir(parents=True)
    options.write_text(ARMS, encoding="utf-8")
    export(folder, raters="1")
    return folder


def typed(cells: Cells, words: dict[tuple[str, str], str]) -> Cells:
    """Type words into rows by what these are about, and the column."""
    header, rows = cells[0], [list(row) for row in cells]
    for row in rows[1:]:
        for (about, heading), word in words.items():
            if row[header.index("About")] == about:
                row[header.index(heading)] = word
    return rows


FILLED = {
    ("Document 1", "relevant"): "1",
    ("Document 2", "relevant"): "0",
    ("Answer", "points"): "7,5",
    ("Answer", "points: how sure"): "sure",
    ("Criterion 1", "met"): "met",
    ("Criterion 1", "met: how sure"): "0.9",
    ("Criterion 2", "met"): "cannot judge",
    ("Statement 1", "borne-out"): "yes",
    ("Statement 2", "borne-out"): "no",
    ("Statement 2", "Notes"): "Nobody says so.",
    ("Passage 1", "Passage"): "two  at night",
    ("Passage 1", "error"): "dose",
    ("Passage 1", "error: severity"): "major",
}


def take(folder: Path, cells: Cells, name: str = "back.csv") -> CollectedSheets:
    return collect_sheets(Study.open_whole(folder), [saved(folder.parent / name, cells)])


@pytest.mark.parametrize("ending", ["xlsx", "csv"])
def test_every_kind_of_row_goes_out_and_comes_back(folder: Path, ending: str) -> None:
    sent = ratings(sheet_of(folder, "rater-1"))
    about = sent[0].index("About")
    assert [row[about] for row in sent[1:]] == [
        "Document 1", "Document 2", "Answer", "Criterion 1", "Criterion 2", "Statement 1",
        "Statement 2", *(f"Passage {n}" for n in range(1, 6)),
    ]  # fmt: skip
    answer = sent[0].index("Answer")
    assert [bool(row[answer]) for row in sent[1:4]] == [False, False, True]
    done = take(folder, typed(sent, FILLED), f"back.{ending}")
    assert done.notes == []
    frame = Study.open_whole(folder).judgements_on_file.current()
    arm = find_plans(folder)["main"].assignments[0].display
    assert arm in {"citations shown", "citations hidden"}
    assert ("[e1]" in sent[3][answer]) == (arm == "citations shown")
    assert set(frame["display"]) == {arm}
    text = "Take two a day. Take two at night."
    start = text.index("two at")
    columns = ["about", "label", "number", "kind", "severity", "reason", "confidence"]
    assert set(frame.select(columns).iter_rows()) == {
        ("document:d1", "1", None, None, None, None, None),
        ("document:d2", "0", None, None, None, None, None),
        ("", None, 7.5, None, None, None, "sure"),
        ("criterion:c1", "met", None, None, None, None, "0.9"),
        ("criterion:c2", None, None, None, None, "cannot_judge", None),
        ("statement:1", "yes", None, None, None, None, None),
        ("statement:2", "no", None, None, None, None, None),
        (f"span:{start}-{start + 12}", None, None, "dose", "major", None, None),
    }
    [now] = done.progress["main"]
    assert (now.asked, now.done, sum(now.missing.values())) == (1, 1, 0)
    again = take(folder, typed(sent, {**FILLED, ("Criterion 1", "met"): "not met"}), "two.csv")
    assert (again.added, again.corrected) == (1, 1)
    assert [one.dimension for one in again.changes] == ["met criterion:c1"]


def test_what_is_missing_is_counted_one_by_one(folder: Path) -> None:
    sent = ratings(sheet_of(folder, "rater-1"))
    take(folder, typed(sent, {("Criterion 2", "met"): "met"}))
    [now] = campaign_status(Study.open_whole(folder))["main"]
    assert (now.done, now.begun) == (0, 1)
    assert now.missing == {"relevant": 2, "points": 1, "met": 1, "borne-out": 2, "error": 1}


def test_each_wrong_cell_is_named(folder: Path) -> None:
    sent = ratings(sheet_of(folder, "rater-1"))
    wrong = {
        ("Answer", "points"): "11",
        ("Answer", "met"): "met",
        ("Criterion 1", "met: how sure"): "0.9",
        ("Passage 1", "Passage"): "two",
        ("Passage 1", "error"): "dose",
        ("Passage 2", "Passage"): "three",
        ("Passage 2", "error"): "fact",
        ("Passage 2", "error: severity"): "minor",
        ("Statement 2", "About"): "Statement 3",
        ("Statement 3", "borne-out"): "yes",
    }
    with pytest.raises(InvalidInput) as caught:
        take(folder, typed(sent, wrong), "back.xlsx")
    said = {
        (one.cell or "").partition("!")[2]: f"{one.must}; {one.got}"
        for one in caught.value.problems
    }
    place = {(row[1], name): (i, j) for i, row in enumerate(sent) for j, name in enumerate(sent[0])}

    def at(about: str, heading: str) -> str:
        row, column = place[about, heading]
        return said[f"{chr(ord('A') + column)}{row + 1}"]

    assert at("Answer", "points") == 'be a number from 0 to 10 points; "11"'
    assert at("Answer", "met") == 'be empty in a row about Answer; "met"'
    hints = [one.try_ for one in caught.value.problems if "be empty in a row about" in one.must]
    assert any(hint.startswith("It belongs in the row Criterion 1") for hint in hints), hints
    assert "be empty where there is no label" in at("Criterion 1", "met: how sure")
    assert at("Passage 1", "Passage") == 'be words that occur once in the answer; "two"'
    assert at("Passage 1", "error: severity") == "be one of minor, major; an empty cell"
    assert at("Passage 2", "Passage") == 'be words of the answer; "three"'
    assert at("Statement 2", "About").endswith('; "Statement 3"')
    assert all(one.file == "back.xlsx" and one.row for one in caught.value.problems)


def test_numbers_are_held_to_their_range_in_the_workbook(folder: Path) -> None:
    import zipfile

    with zipfile.ZipFile(sheet_of(folder, "rater-1")) as book:
        page = book.read("xl/worksheets/sheet2.xml").decode()
    assert "&gt;=0" in page
    assert "&lt;=10" in page
    assert "<f>" not in page


def test_criteria_that_changed_since_are_refused(folder: Path) -> None:
    sent = ratings(sheet_of(folder, "rater-1"))
    cases = folder / "cases.jsonl"
    cases.write_text(cases.read_text("utf-8").replace("Names the dose", "Names it"), "utf-8")
    with pytest.raises(InvalidInput, match="has not changed since the rater read"):
        take(folder, typed(sent, FILLED))


def test_raters_are_told_what_a_row_is(folder: Path) -> None:
    content = sheet_of(folder, "rater-1").read_bytes()
    pages, _ = read_pages(content, "a.xlsx")
    words = " ".join(cell for page in pages for row in page.cells for cell in row)
    assert "Documents stand above their answer" in words
    assert "copy the words out of the answer" in words
    assert "a number from 0 to 10 points" in words


def test_passages_of_an_answer_are_taken_all_or_none(folder: Path) -> None:
    """Some of the passages that somebody marked would count as all that were found."""
    second = {
        ("Passage 2", "Passage"): "Take two a day",
        ("Passage 2", "error"): "dsoe",
        ("Passage 2", "error: severity"): "minor",
    }
    cells = typed(ratings(sheet_of(folder, "rater-1")), FILLED | second)
    back = saved(folder.parent / "back.csv", cells)
    with pytest.raises(InvalidInput) as refused:
        collect_sheets(Study.open_whole(folder), [back])
    # What stands beside a misspelt kind is no fault of its own.
    assert len(refused.value.problems) == 1, refused.value
    done = collect_sheets(Study.open_whole(folder), [back], good_rows=True)
    (named,) = done.left_out
    assert named.column == "error"
    assert named.try_.endswith("The other passages of this answer are left out with it.")
    frame = Study.open_whole(folder).judgements_on_file.current()
    assert set(frame["dimension"]) == {"relevant", "points", "met", "borne-out"}
    mended = typed(cells, {("Passage 2", "error"): "dose"})
    assert take(folder, mended, "mended.csv").added == 2
