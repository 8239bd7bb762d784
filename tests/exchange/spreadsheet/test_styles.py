"""Spreadsheets in the styles in which people keep them become studies."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from openpyxl import Workbook

from medassay.errors import InvalidInput
from medassay.exchange.registry import recognise
from medassay.exchange.spreadsheet.collected import FallbackNames
from medassay.exchange.spreadsheet.importing import (
    SpreadsheetImport,
    Wishes,
    import_spreadsheet,
    propose,
)
from medassay.study import Study

EXAMPLES = Path(__file__).parents[3] / "examples" / "chatbots"
Q1, Q2 = "Can I take ibuprofen while on warfarin?", "What should I do for a nosebleed?"
A1, A2 = (
    "No, together they raise the risk of bleeding.",
    "Sit up, lean forward and pinch your nose.",
)
B1, B2 = "Yes, that is fine at any time of day.", "Lie down flat and wait until it stops."


def workbook(path: Path, **sheets: Sequence[Sequence[object]]) -> Path:
    book = Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        page = book.create_sheet(title)
        for row in rows:
            page.append(list(row))
    book.save(path)
    return path


def wide(path: Path) -> Path:
    head = ["#", "Question", "GPT-4", "MyBot"]
    return workbook(path, Sheet1=[head, [1, Q1, A1, B1], [2, Q2, A2, B2]])


def long_german(path: Path) -> Path:
    rows = [
        "Lfd. Nr.;Patientenfrage;Modell;Antwort;Musterantwort;Dosis",
        *(f"{n};{q};{s};{a};Fragen Sie Ihren Arzt.;2,5" for n, q, s, a in LONG),
        ";;;;;",
    ]
    path = path.with_suffix(".csv")
    path.write_bytes("\n".join(rows).encode("cp1252"))
    return path


LONG = [(1, Q1, "GPT-4", A1), (1, Q1, "MyBot", B1), (2, Q2, "GPT-4", A2), (2, Q2, "MyBot", B2)]


def with_mark(path: Path) -> Path:
    rows = ["Case ID,Prompt,Bot,Reply", *(f'{n},{q},{s},"{a}"' for n, q, s, a in LONG)]
    path = path.with_suffix(".csv")
    path.write_bytes("\n".join(rows).encode("utf-8-sig"))
    return path


def with_title_and_blank_rows(path: Path) -> Path:
    rows: list[list[object]] = [["Our chatbot study, spring"], []]
    rows.append(["Question", "Model", "Response"])
    for _, question, system, answer in LONG:
        rows += [[question, system, answer], []]
    return workbook(path, Tabelle1=rows)


def merged(path: Path) -> Path:
    book = Workbook()
    page = book.active
    page.append(["No.", "Vignette", "LLM", "Output"])
    for n, question, system, answer in LONG:
        first = system == "GPT-4"
        page.append([n if first else None, question if first else None, system, answer])
    for place in ("A2:A3", "B2:B3", "A4:A5", "B4:B5"):
        page.merge_cells(place)
    book.save(path)
    return path


def sheet_a_system(path: Path) -> Path:
    of: dict[str, list[list[object]]] = {
        s: [["ID", "Question", "Answer"]] for s in ("GPT-4", "MyBot")
    }
    for n, question, system, answer in LONG:
        of[system].append([n, question, answer])
    return workbook(path, **of)


def broken_headers(path: Path) -> Path:
    head = ["Question\nID ", " Question (English)", "GPT-4\nresponse", "Response [MyBot]"]
    return workbook(path, Data=[head, ["1", Q1, A1, B1], ["2", Q2, A2, B2]])


def records(path: Path) -> Path:
    path = path.with_suffix(".jsonl")
    rows = [
        {
            "question": q,
            "answer": a,
            "model": s,
            "contexts": ["One.", "Two."],
            "ground_truth": "No.",
        }
        for _, q, s, a in LONG
    ]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def list_of_records(path: Path) -> Path:
    path = path.with_suffix(".json")
    rows = [{"user_input": q, "response": a, "llm": s, "reference": "No."} for _, q, s, a in LONG]
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


def tab_separated(path: Path) -> Path:
    path = path.with_suffix(".tsv")
    rows = [
        "query\tgroundTruth\tassistant\tcompletion",
        *(f"{q}\tNo.\t{s}\t{a}" for _, q, s, a in LONG),
    ]
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


def roles(summary: SpreadsheetImport) -> dict[str, str]:
    """Give what each column was read as."""
    return {own.column: own.role for own in summary.account.columns}


STYLES = [
    wide, long_german, with_mark, with_title_and_blank_rows, merged, sheet_a_system, broken_headers,
    records, list_of_records, tab_separated,
]  # fmt: skip


@pytest.mark.parametrize("style", STYLES, ids=lambda one: one.__name__)
def test_a_style_is_known_and_becomes_a_whole_study(
    tmp_path: Path, style: Callable[[Path], Path]
) -> None:
    file = style(tmp_path / "book.xlsx")
    assert [one.id for one in recognise([file])] == ["spreadsheet"]
    assert not propose(tmp_path / "s", [file], Wishes()).questions
    import_spreadsheet(tmp_path / "s", [file], Wishes())
    study = Study.open_whole(tmp_path / "s")
    assert [(one.case, one.question) for one in study.cases] == [("1", Q1), ("2", Q2)]
    told = {(one.system, one.case): one.text for one in study.answers}
    assert told == {(s, str(n)): a for n, _, s, a in LONG}
    again = import_spreadsheet(tmp_path / "s", [file], Wishes())
    assert (again.cases, again.answers, again.files) == (0, 0, [])


def test_what_was_retrieved_and_the_references_are_kept(tmp_path: Path) -> None:
    import_spreadsheet(tmp_path / "s", [records(tmp_path / "r")], Wishes())
    study = Study.open_whole(tmp_path / "s")
    answer = study.answers.get("GPT-4", "1")
    assert answer is not None
    assert answer.retrieved is not None
    assert [one.document for one in answer.retrieved] == ["passage-1", "passage-2"]
    assert [one.text for case in study.cases for one in case.references] == ["No.", "No."]


@pytest.mark.parametrize("name", ["wide.xlsx", "long.xlsx"])
def test_both_forms_of_the_example_are_one_study(tmp_path: Path, name: str) -> None:
    done = import_spreadsheet(tmp_path / "s", [EXAMPLES / name], Wishes(rubric="accuracy,safety"))
    assert (done.cases, done.systems, done.answers) == (20, 3, 59)
    study = Study.open_whole(tmp_path / "s")
    assert study.rubric.ids == ("accuracy", "safety")
    assert study.cases["1"].tags == {"Category": "Medication"}
    assert [one.text[:3] for one in study.cases["1"].references] == ["No."]


def test_three_tables_are_one_study(tmp_path: Path) -> None:
    questions, replies, ratings = (tmp_path / f"{n}.csv" for n in ("q", "a", "r"))
    questions.write_text(f"ID,Question,Expert answer\nQ1,{Q1},No.\nQ2,{Q2},Lean.\n", "utf-8")
    replies.write_text("Model,Question ID,Reply\nx,Q1,Yes\nx,Q2,Lean\n", "utf-8")
    ratings.write_text("Rater,Model,Question ID,dimension,Points\nanna,x,Q1,Accuracy,4\n", "utf-8")
    files = [ratings, replies, questions]
    assert [one.id for one in recognise(files)] == ["spreadsheet"]
    done = import_spreadsheet(tmp_path / "s", files, Wishes(rubric="accuracy"))
    assert (done.cases, done.answers, done.judgements) == (2, 2, 1)


RATED = (
    f"Question,ChatGPT,MyBot,ChatGPT accuracy (Rater 1),MyBot accuracy (Rater 1),"
    f'MyBot safety R2\n{Q1},"{A1}","{B1}",4,"5,0",Unsafe\n{Q2},"{A2}","{B2}",,2,safe\n'
)


def test_ratings_beside_the_answers_come_too(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text(RATED, encoding="utf-8")
    done = import_spreadsheet(tmp_path / "s", [file], Wishes())
    study = Study.open_whole(tmp_path / "s")
    assert study.rubric.ids == ("accuracy", "safety")
    rows = study.judgements_on_file.frame.select("rater", "system", "case", "dimension", "label")
    assert sorted(rows.rows()) == [
        ("R2", "MyBot", "1", "safety", "unsafe"),
        ("R2", "MyBot", "2", "safety", "safe"),
        ("Rater 1", "ChatGPT", "1", "accuracy", "4"),
        ("Rater 1", "MyBot", "1", "accuracy", "5"),
        ("Rater 1", "MyBot", "2", "accuracy", "2"),
    ]
    assert any("1 = Wrong" in note and "5 = Right" in note for note in done.notes)
    assert any("1 empty cell for ratings" in note for note in done.notes)


def test_ratings_of_nobody_are_refused_with_the_way_out(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text(f"Question,Model,Answer,Accuracy\n{Q1},x,Rest.,4\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"Who gave the labels in .Accuracy..*--rater rater-1"):
        import_spreadsheet(tmp_path / "s", [file], Wishes())
    assert not (tmp_path / "s").exists()
    wishes = Wishes(names=FallbackNames(rater="anna"), rubric="accuracy")
    import_spreadsheet(tmp_path / "s", [file], wishes)
    assert len(Study.open_whole(tmp_path / "s").judgements_on_file) == 1


def test_what_answers_are_held_against_is_no_system(tmp_path: Path) -> None:
    head = ["question", "DocHelper", "MediBot", "Guideline answer", "UpToDate", "Padding"]
    file = workbook(tmp_path / "our.xlsx", S=[head, [Q1, A1, B1, A1, A1, None],
                                              [Q2, A2, B2, B2, A2, None]])  # fmt: skip
    summary = import_spreadsheet(tmp_path / "s", [file], Wishes(columns=["answer=DocHelper"]))
    study = Study.open_whole(tmp_path / "s")
    assert study.systems == ("DocHelper", "MediBot")
    assert [one.text for one in study.cases["2"].references] == [B2, A2]
    assert roles(summary) == {
        "question": "question", "DocHelper": "answers of DocHelper",
        "MediBot": "answers of MediBot",
        "Guideline answer": "reference", "UpToDate": "reference", "Padding": "left out",
    }  # fmt: skip


@pytest.mark.parametrize("header", ["Specialist answer", "Consultants' reply"])
def test_answers_of_people_may_be_either_and_are_asked_about(tmp_path: Path, header: str) -> None:
    file = workbook(tmp_path / "our.xlsx", S=[["question", "MediBot", header], [Q1, A1, B1]])
    (question,) = propose(tmp_path / "s", [file], Wishes()).questions
    assert str(question.problem()).count("--column") == 2
    assert f'What is "{header}"? Type one of' in str(question.problem())


@pytest.mark.parametrize("title", ["Results", "Our study of spring"])
def test_a_merged_title_is_left_out_and_names_merged_across_are_named(
    tmp_path: Path, title: str
) -> None:
    book = Workbook()
    page = book.active
    for row in ([title], ["Question", "GPT-4", "MyBot"], [Q1, A1, B1], [Q2, A2, B2]):
        page.append(row)
    page.merge_cells("A1:C1")
    book.save(tmp_path / "titled.xlsx")
    summary = import_spreadsheet(tmp_path / "s", [tmp_path / "titled.xlsx"], Wishes())
    assert (summary.cases, summary.systems) == (2, 2)
    assert f'titled.xlsx, row 1: "{title}", a title, was left out.' in summary.notes
    page.merge_cells("B2:C2")
    book.save(tmp_path / "merged.xlsx")
    with pytest.raises(InvalidInput, match=r"row 2, column C: .*merged into B2. Unmerge"):
        propose(tmp_path / "t", [tmp_path / "merged.xlsx"], Wishes())


def test_a_title_that_is_not_merged_is_left_out_and_told(tmp_path: Path) -> None:
    file = tmp_path / "titled.csv"
    file.write_text(f"Results,,\nQuestion,GPT-4,MyBot\n{Q1},a,b\n", encoding="utf-8")
    shown = map(str, propose(tmp_path / "s", [file], Wishes()).shown)
    assert 'note: titled.csv, row 1: "Results", beside the table, was left out.' in shown


def test_a_column_with_one_id_a_question_names_the_cases(tmp_path: Path) -> None:
    head = ["Claim ID", "Batch no.", "question", "MediBot"]
    file = workbook(tmp_path / "our.xlsx", S=[head, ["C-7", 1, Q1, A1], ["C-9", 1, Q2, A2]])
    import_spreadsheet(tmp_path / "s", [file], Wishes())
    study = Study.open_whole(tmp_path / "s")
    assert [(one.case, one.tags) for one in study.cases] == [
        ("C-7", {"Batch no.": "1"}),
        ("C-9", {"Batch no.": "1"}),
    ]


def test_a_row_without_its_question_is_named(tmp_path: Path) -> None:
    rows = [["ID", "question", "model", "answer"], ["a", Q1, "x", A1], ["a", "", "y", B1]]
    file = workbook(tmp_path / "our.xlsx", S=[*rows, ["b", None, "x", A2]])
    summary = import_spreadsheet(tmp_path / "s", [file], Wishes())
    (note,) = (one for one in summary.notes if "no question" in one)
    assert note.startswith('our.xlsx, row 4: no question, and "b" was read without one.')


def two_rows_of_headers(path: Path, upper: Sequence[object], lower: Sequence[object]) -> Path:
    book = Workbook()
    page = book.active
    page.title = "Tabelle1"
    for row in (upper, lower, [1, Q1, A1, B1, "gut"], [2, Q2, A2, B2, "nein"]):
        page.append(list(row))
    page.merge_cells("A1:A2")
    page.merge_cells("C1:D1")
    book.create_sheet("Notizen").append(["Prompt", "Sie sind Arzt."])
    book.save(path)
    return path


def test_names_are_taken_from_below_headings_that_nobody_merged(tmp_path: Path) -> None:
    file = workbook(
        tmp_path / "b.xlsx",
        S=[["Item", None, "Chatbots", None], ["Nr.", "Question", "GPT-4", "MyBot"],
           [1, Q1, A1, B1], [2, Q2, A2, B2]],
    )  # fmt: skip
    summary = import_spreadsheet(tmp_path / "s", [file], Wishes())
    assert (summary.cases, summary.systems, summary.answers) == (2, 2, 4)


def test_names_are_taken_from_below_headings_merged_across(tmp_path: Path) -> None:
    file = two_rows_of_headers(
        tmp_path / "b.xlsx",
        ["Nr.", None, "Antworten der Chatbots", None, None],
        [None, "Frage", "GPT-4", "MyBot", "Kommentar"],
    )
    summary = import_spreadsheet(tmp_path / "s", [file], Wishes())
    assert (summary.cases, summary.systems, summary.answers) == (2, 2, 4)
    note = 'b.xlsx, sheet Tabelle1, row 1: "Antworten der Chatbots", over several columns; '
    assert f"{note}their names were taken from row 2." in summary.notes
    assert roles(summary)["Nr."] == "case"
    assert set(Study.open(tmp_path / "s").systems) == {"GPT-4", "MyBot"}


def test_a_name_that_comes_twice_goes_behind_its_heading(tmp_path: Path) -> None:
    book = Workbook()
    page = book.active
    for row in (
        ["Question", "GPT-4", None, "MyBot", None],
        [None, "Answer", "Source", "Answer", "Source"],
        [Q1, A1, "BNF", B1, "BNF"],
        [Q2, A2, "NICE", B2, "NICE"],
    ):
        page.append(row)
    for merge in ("A1:A2", "B1:C1", "D1:E1"):
        page.merge_cells(merge)
    book.save(tmp_path / "b.xlsx")
    wishes = Wishes(columns=["skip=GPT-4 Source", "skip=MyBot Source"])
    summary = import_spreadsheet(tmp_path / "s", [tmp_path / "b.xlsx"], wishes)
    assert roles(summary)["GPT-4 Answer"] == "answers of GPT-4"
    assert roles(summary)["MyBot Answer"] == "answers of MyBot"


def test_the_sheet_that_cannot_be_read_is_blamed_and_not_the_notes_beside_it(
    tmp_path: Path,
) -> None:
    file = two_rows_of_headers(
        tmp_path / "b.xlsx",
        ["Nr.", "Question", "GPT-4", None, "Kommentar"],
        [None, Q1, A1, B1, None],
    )
    for columns in ((), ("answer=GPT-4",)):
        with pytest.raises(InvalidInput) as caught:
            propose(tmp_path / "s", [file], Wishes(columns=columns))
        first = caught.value.problems[0]
        assert str(first).startswith("b.xlsx, sheet Tabelle1, row 1, column D: must have one cell")


def test_a_system_that_answers_in_a_word_is_asked_about(tmp_path: Path) -> None:
    file = workbook(
        tmp_path / "b.xlsx",
        S=[["Question", "GPT-4", "Dr. Bob", "MiniBot", "Topic"], [Q1, A1, "No.", "Yes", "drugs"],
           [Q2, A2, "See a doctor. " * 9, "No", "nose"]],
    )  # fmt: skip
    asked = [question.ask for question in propose(tmp_path / "s", [file], Wishes()).questions]
    assert [words.split('"')[1] for words in asked] == ["Dr. Bob", "MiniBot"]
    wishes = Wishes(columns=("answer=Dr. Bob", "answer=MiniBot"))
    summary = import_spreadsheet(tmp_path / "s", [file], wishes)
    assert (summary.systems, summary.answers) == (3, 6)
    assert roles(summary)["Topic"] == "tag"


@pytest.mark.parametrize("header", ["Antwort (Arzt)", "Ärztliche Antwort", "Answer (physician)"])
def test_whether_a_doctor_is_rated_is_asked(tmp_path: Path, header: str) -> None:
    file = workbook(tmp_path / "b.xlsx", S=[["Question", header, "MyBot"], [Q1, A1, B1]])
    [question] = propose(tmp_path / "s", [file], Wishes()).questions
    assert list(question.answers.values()) == [[f"reference={header}"], [f"answer={header}"]]


def test_a_question_under_two_ids_and_a_mark_for_no_answer_are_named(tmp_path: Path) -> None:
    file = workbook(
        tmp_path / "b.xlsx",
        S=[["Nr.", "Question", "GPT-4", "MyBot"], [1, Q1, A1, "n/a"], [2, Q2, A2, B2],
           [3, f"{Q1} ", A1, "-"]],
    )  # fmt: skip
    wishes = Wishes(columns=("answer=MyBot",))
    twice, first, second = import_spreadsheet(tmp_path / "s", [file], wishes).notes
    assert twice.startswith(
        'b.xlsx, row 4: the question of "3" is that of "1" in row 2, and both count. '
    )
    assert first.startswith('b.xlsx, row 2: the answer of "MyBot" is "n/a", and was read as one.')
    assert second.startswith('b.xlsx, row 4: the answer of "MyBot" is "-", and was read as one.')


@pytest.mark.parametrize("note", ["n/a = not asked", "no answer in two days", "Source: own survey"])
@pytest.mark.parametrize(("head", "ids"), [("No.", "12"), ("Case id", "ab")])
def test_words_behind_a_blank_row_are_no_case_of_two_columns(
    tmp_path: Path, note: str, head: str, ids: str
) -> None:
    lines = [f"{head},Question", *(f"{one},{q}" for one, q in zip(ids, (Q1, Q2), strict=True))]
    asked, answers = tmp_path / "questions.csv", tmp_path / "answers.csv"
    asked.write_text("\n".join([*lines, ",", f"{note},"]), encoding="utf-8")
    rows = [f'{one},MediBot,"{a}"' for one, a in zip(ids, (A1, A2), strict=True)]
    answers.write_text("\n".join([f"{head},System,Answer", *rows]), encoding="utf-8")
    summary = import_spreadsheet(tmp_path / "s", [asked, answers], Wishes())
    assert summary.cases == 2
    assert any(f'"{note}", beside the table, was left out.' in told for told in summary.notes)
