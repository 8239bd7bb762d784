"""What is imported is added; what was there is neither changed nor lost."""

from pathlib import Path
from typing import Literal

import polars as pl
import pytest

from medassay.errors import InvalidInput
from medassay.study import (
    ImportSummary,
    Meaning,
    Study,
    import_answers,
    import_judgements,
    import_preferences,
    import_scores,
)
from medassay.tables import csv_bytes, read_sheet

Kind = Literal["answers", "judgements", "preferences", "scores"]
HEADERS = {
    "answers": "system,case,text\n",
    "judgements": "rater,system,case,dimension,label,reason\n",
    "preferences": "rater,case,system_a,system_b,choice\n",
    "scores": "system,case,value\n",
}


def take(
    folder: Path, kind: Kind, rows: str, name: str | None = None, meaning: Meaning | None = None
) -> ImportSummary:
    file = folder.parent / "theirs.csv"
    file.write_text(HEADERS[kind] + rows, encoding="utf-8")
    study = Study.open_whole(folder)
    if kind == "answers":
        return import_answers(study, file, {})
    if kind == "judgements":
        return import_judgements(study, file, {})
    if kind == "preferences":
        return import_preferences(study, file, {})
    return import_scores(study, file, {}, name, meaning or Meaning())


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def answers(folder: Path) -> dict[tuple[str, str], str | None]:
    return {(one.system, one.case): one.text for one in Study.open_whole(folder).answers}


@pytest.mark.parametrize(
    ("kind", "rows"),
    [
        ("answers", "D,c1,New\nA,c1,Rest it for two days.\nC,c2,Late\nE/1,c1,odd name\n"),
        ("judgements", "r3,A,c1,quality,5,\nr1,A,c1,quality,5,\nr1,A,c1,quality,4,\n"),
        ("preferences", "r1,c1,A,B,a\nr1,c1,B,A,tie\n"),
        ("scores", "A,c1,0.5\nB,c1,\n"),
    ],
)
def test_importing_twice_changes_nothing_more(folder: Path, kind: Kind, rows: str) -> None:
    before = contents(folder)
    first = take(folder, kind, rows)
    once = contents(folder)
    second = take(folder, kind, rows)
    assert first.added > 0
    assert set(first.files) == {name for name in once if once[name] != before.get(name)}
    assert (second.added, second.known, second.files) == (0, rows.count("\n"), [])
    assert contents(folder) == once
    Study.open_whole(folder)


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet"])
@pytest.mark.parametrize("tidy", [False, True])
def test_answers_lie_in_whatever_form_and_none_is_lost(
    folder: Path, form: str, *, tidy: bool
) -> None:
    """A file may hold one system or several, and may be called like one of the several."""
    before = answers(folder)
    rows = [
        {"system": system, "case": case, "text": text} for (system, case), text in before.items()
    ]
    for path in (folder / "answers").iterdir():
        path.unlink()
    frame = pl.DataFrame(rows)
    parts = {"C": frame} if tidy else {s: frame.filter(system=s).drop("system") for s in "ABC"}
    for stem, part in parts.items():
        path = folder / "answers" / f"{stem}.{form}"
        if form == "parquet":
            part.write_parquet(path)
        elif form == "csv":
            path.write_bytes(csv_bytes(part.columns, part.rows()))
        else:
            part.write_ndjson(path)
    assert answers(folder) == before
    take(folder, "answers", "C,c2,Late\nD,c1,New\nA B,c1,Blank\nA/B,c1,Slash\nA-B,c1,Dash\n")
    new = {("C", "c2"): "Late", ("D", "c1"): "New"}
    new |= {("A B", "c1"): "Blank", ("A/B", "c1"): "Slash", ("A-B", "c1"): "Dash"}
    assert answers(folder) == before | new


def test_an_answer_is_never_replaced(folder: Path) -> None:
    before = contents(folder)
    with pytest.raises(InvalidInput, match='another text in the answer of "A" to "c1"'):
        take(folder, "answers", "D,c1,New\nA,c1,Changed\n")
    assert contents(folder) == before


def test_lines_are_added_to_a_file_that_does_not_end_in_one(folder: Path) -> None:
    path = folder / "answers" / "C.jsonl"
    path.write_bytes(path.read_bytes().rstrip())
    old = path.read_bytes()
    take(folder, "answers", "C,c2,Late\n")
    assert path.read_bytes() == old + b'\n{"case": "c2", "text": "Late"}\n'


def test_judgements_are_appended_and_history_stays(folder: Path) -> None:
    before = Study.open_whole(folder).judgements
    taken = take(folder, "judgements", "r1,A,c1,quality,1,\n")
    after = Study.open_whole(folder).judgements
    assert (taken.added, len(after), after.corrected) == (1, len(before) + 1, 1)
    key = {"rater": "r1", "system": "A", "case": "c1"}
    assert after.frame.filter(**key)["label"].to_list() == ["5", "1"]
    assert after.current().filter(**key)["label"].to_list() == ["1"]


def test_a_correction_back_to_an_earlier_label_is_one(folder: Path) -> None:
    # r1 said 5, then 4, then 5 again: their file holds all three rows, ours the first two.
    rows = "r1,A,c1,quality,5,\nr1,A,c1,quality,4,\n"
    assert take(folder, "judgements", rows).added == 1
    taken = take(folder, "judgements", rows + "r1,A,c1,quality,5,\n")
    assert (taken.added, taken.known) == (1, 2)
    current = Study.open_whole(folder).judgements.current()
    assert current.filter(rater="r1", system="A", case="c1")["label"].to_list() == ["5"]


def test_times_still_decide_after_an_import(folder: Path) -> None:
    (folder / "judgements.csv").write_text(
        "rater,system,case,dimension,label,time\n"
        "r1,A,c1,quality,2,2025-01-02T00:00:00Z\nr1,A,c1,quality,1,2025-01-01T00:00:00+02:00\n"
    )
    take(folder, "judgements", "r2,A,c1,quality,3,\n")
    judgements = Study.open_whole(folder).judgements
    assert judgements.frame.filter(rater="r1")["label"].to_list() == ["1", "2"]
    assert judgements.current().filter(rater="r1")["label"].to_list() == ["2"]


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_judgements_keep_their_form(folder: Path, form: str) -> None:
    frame = pl.read_csv(folder / "judgements.csv", infer_schema=False).with_columns(
        time=pl.lit("2025-01-31T14:05:00.5Z"), position=pl.lit(3)
    )
    (folder / "judgements.csv").unlink()
    path = folder / f"judgements.{form}"
    frame.write_ndjson(path) if form == "jsonl" else frame.write_parquet(path)
    before = Study.open_whole(folder).judgements
    taken = take(folder, "judgements", "r3,A,c1,quality,5,\n")
    after = Study.open_whole(folder).judgements
    assert taken.files == [path.name]
    assert not (folder / "judgements.csv").exists()
    assert after.frame.filter(pl.col("rater") != "r3").equals(before.frame)
    assert len(after) == len(before) + 1


@pytest.mark.parametrize(
    ("kind", "rows", "message"),
    [
        ("answers", "A,c9,New\n", r'row 2, column case: .*got "c9"'),
        ("judgements", "r1,D,c1,quality,5,\n", r'row 2, column system: .*got "D"\. Known: A, B'),
        ("judgements", "r1,A,c1,quality,6,\n", r"row 2, column label: must be one of 1, 2"),
        ("preferences", "r1,c9,A,B,a\n", r'row 2, column case: .*got "c9"'),
        ("scores", "A,c1,1\nD,c1,1\n", r'row 3, column system: .*got "D"'),
        ("scores", "", r"must hold at least one score"),
    ],
)
def test_what_the_study_does_not_know_is_refused_whole(
    folder: Path, kind: Kind, rows: str, message: str
) -> None:
    before = contents(folder)
    with pytest.raises(InvalidInput, match=message):
        take(folder, kind, rows)
    assert contents(folder) == before


def test_a_column_that_is_nearly_ours_is_suggested(folder: Path) -> None:
    file = folder.parent / "theirs.csv"
    file.write_text("System,case_id,txt\nA,c1,x\n", encoding="utf-8")
    with pytest.raises(InvalidInput) as caught:
        import_answers(Study.open_whole(folder), file, {"case": "case_id"})
    hints = {problem.got: problem.try_ for problem in caught.value.problems}
    assert hints['"System"'] == 'Did you mean "system"?'
    assert hints['"txt"'] == 'Did you mean "text"?'


def test_scores_bring_their_meaning(folder: Path) -> None:
    meaning = Meaning(direction="lower", question='How "bad"?', unit="errors", low=0)
    taken = take(folder, "scores", "A,c1,2\n", "errors(kind=all)", meaning)
    assert sorted(taken.files) == ["scores/errors-kind-all-.csv", "scores/errors-kind-all-.toml"]
    (imported,) = Study.open_whole(folder).imported
    assert imported.table.sources == ("errors(kind=all)",)
    assert imported.meaning == meaning
    assert take(folder, "scores", "A,c1,2\n", "errors(kind=all)", meaning).added == 0


@pytest.mark.parametrize(
    ("rows", "name", "direction", "message"),
    [
        ("A,c1,3\n", "errors", "higher", "bring scores of a new name"),
        ("A,c1,2\n", "errors", "lower", "other scores or another meaning"),
        ("A,c1,2\n", "length", "higher", 'that the study does not compute; got "length"'),
        ("A,c1,2\n", "1st", "higher", "--name: must be a metric's name"),
    ],
)
def test_scores_never_replace_others(
    folder: Path, rows: str, name: str, direction: Literal["higher", "lower"], message: str
) -> None:
    take(folder, "scores", "A,c1,2\n", "errors")
    before = contents(folder)
    with pytest.raises(InvalidInput, match=message):
        take(folder, "scores", rows, name, Meaning(direction=direction))
    assert contents(folder) == before


def test_a_file_name_that_is_no_metrics_name_asks_for_one(folder: Path) -> None:
    file = folder.parent / "my scores (2).csv"
    file.write_text("system,case,value\nA,c1,1\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match="Give it a --name"):
        import_scores(Study.open_whole(folder), file, {}, None, Meaning())


def test_imported_answers_are_read_as_written(folder: Path) -> None:
    take(folder, "answers", 'D,c1,"two\nlines, ""quoted"" — Ä"\nD,c2,\n')
    sheet = read_sheet(folder / "answers" / "D.jsonl")
    assert sheet.columns["text"] == ['two\nlines, "quoted" — Ä', ""]
    assert answers(folder)["D", "c2"] == ""


def test_rows_that_contradict_each_other_are_refused_with_their_rows(folder: Path) -> None:
    rows = "r3,A,c1,quality,5,\nr3,B,c1,quality,2,\nr3,A,c1,quality,4,\n"
    rows += "r3,A,c1,quality,,cannot_judge\n"
    before = contents(folder)
    with pytest.raises(InvalidInput) as problem:
        take(folder, "judgements", rows)
    first, second = problem.value.problems
    assert (first.row, first.must, first.got) == (
        4,
        "say what row 2 says of the same answer",
        '"4", not "5"',
    )
    assert (second.row, second.got) == (5, '"cannot_judge", not "5"')
    assert contents(folder) == before


def test_times_make_a_correction_of_a_contradiction(folder: Path) -> None:
    file = folder.parent / "timed.csv"
    header = "rater,system,case,dimension,label,time\n"
    row = "r3,A,c1,quality,{},2025-01-0{}\n"
    file.write_text(header + row.format(5, 2) + row.format(4, 1), encoding="utf-8")
    assert import_judgements(Study.open_whole(folder), file, {}).added == 2
    now = Study.open_whole(folder).judgements.current()
    assert now.filter(rater="r3")["label"].to_list() == ["5"]
    file.write_text(header + row.format(5, 3) + row.format(4, 3), encoding="utf-8")
    with pytest.raises(InvalidInput, match="say what row 2 says of the same answer"):
        import_judgements(Study.open_whole(folder), file, {})


def test_another_position_is_another_showing(folder: Path) -> None:
    file = folder.parent / "shown.csv"
    rows = "r3,A,c1,quality,5,1\nr3,A,c1,quality,4,9\n"
    file.write_text("rater,system,case,dimension,label,position\n" + rows, encoding="utf-8")
    assert import_judgements(Study.open_whole(folder), file, {}).added == 2


def test_a_row_that_stands_twice_counts_once_and_is_said(folder: Path) -> None:
    row = "r3,A,c1,quality,5,\n"
    taken = take(folder, "judgements", row + "r3,B,c1,quality,2,\n" + row)
    assert taken.added == 2
    (note,) = taken.notes
    assert "row 4: must stand once; got the same as in row 2" in note
    many = take(folder, "judgements", "r3,A,c2,quality,5,\n" * 40)
    assert (many.added, len(many.notes)) == (1, 21)
    assert "19 rows more" in many.notes[-1]


@pytest.mark.parametrize(
    ("rater", "kind", "said"),
    [
        ("judge", "person", "be model for judge, as in the raters table; got person, in 2 rows"),
        ("judg", "model", 'be a rater of the raters table; got "judg", in 2 rows. Did you mean'),
    ],
)
def test_raters_are_held_against_the_raters_table(
    folder: Path, rater: str, kind: str, said: str
) -> None:
    known = {*Study.open_whole(folder).judgements.frame["rater"].to_list()}
    known |= {*Study.open_whole(folder).preferences.frame["rater"].to_list()}
    lines = "".join(f"{one},person\n" for one in sorted(known))
    (folder / "raters.csv").write_text(f"rater,rater_kind\n{lines}judge,model\n", encoding="utf-8")
    file = folder.parent / "theirs.csv"
    rows = "".join(f"{rater},{kind},{one},c1,quality,5\n" for one in "AB")
    file.write_text(f"rater,rater_kind,system,case,dimension,label\n{rows}", encoding="utf-8")
    with pytest.raises(InvalidInput) as problem:
        import_judgements(Study.open_whole(folder), file, {})
    (one,) = problem.value.problems
    assert one.row == 2
    assert said in str(one)


def test_a_rater_is_of_one_kind_in_all_tables(folder: Path) -> None:
    file = folder.parent / "theirs.csv"
    rows = "rater,rater_kind,system,case,dimension,label\nr1,model,A,c1,quality,5\n"
    file.write_text(rows, encoding="utf-8")
    with pytest.raises(InvalidInput, match="be person for r1, as in the study's judgements"):
        import_judgements(Study.open_whole(folder), file, {})
