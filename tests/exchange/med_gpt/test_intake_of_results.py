"""Results files of the med-gpt protocol: taken whole, or refused with place and reason."""

import json
from pathlib import Path

import polars as pl
import pytest

from medassay.answers import Answer
from medassay.errors import InvalidInput
from medassay.exchange.med_gpt import ResultsImport, import_med_gpt
from medassay.study import Study

EXAMPLE = Path(__file__).parents[3] / "examples" / "med-gpt"
HEAD = "question,answer,model,retrieved_chunks,relevance_score,faithfulness_score,human_score"
ROWS = (
    'Why?,So.,phi,"[""Because."", ""So.""]",0.9,0.8,4',
    "Why?,Ask.,gemma:2b,,0.2,,2",
    "How?,Thus.,phi,\"['Thus.']\",0.7,1.0,5",
    "How?,,gemma:2b,nan,0.1,0.0,nan",
)


def results(folder: Path, *rows: str, head: str = HEAD, name: str = "results.csv") -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text("\n".join([head, *(rows or ROWS)]) + "\n", encoding="utf-8")
    return path


def taken(folder: Path, *paths: Path) -> tuple[ResultsImport, Study]:
    found = import_med_gpt(folder / "study", paths)
    return found, Study.open_whole(folder / "study")


def given(study: Study, system: str, case: str) -> Answer:
    answer = study.answers.get(system, case)
    assert answer is not None
    return answer


def refused(folder: Path, *rows: str, head: str = HEAD) -> list[str]:
    with pytest.raises(InvalidInput) as caught:
        import_med_gpt(folder / "study", [results(folder / "in", *rows, head=head)])
    assert not (folder / "study").exists()
    return [str(one) for one in caught.value.problems]


def test_every_column_has_its_place(tmp_path: Path) -> None:
    found, study = taken(tmp_path, results(tmp_path / "in"))
    assert (found.cases, found.systems, found.answers, found.raters) == (2, 2, 4, 1)
    assert study.cases["q1"].question == "Why?"
    answer = given(study, "phi", "q1")
    assert [one.document for one in answer.retrieved or ()] == ["chunk-1", "chunk-2"]
    assert [one.text for one in study.cases["q1"].documents] == ["Because.", "So."]
    assert given(study, "gemma:2b", "q2").text == ""
    assert given(study, "gemma:2b", "q1").retrieved is None
    labels = study.judgements.frame.select("rater", "system", "case", "label").rows()
    assert sorted(labels) == [
        ("rater-1", "gemma:2b", "q1", "2"),
        ("rater-1", "phi", "q1", "4"),
        ("rater-1", "phi", "q2", "5"),
    ]
    scores = {name: table for one in study.imported for name, table in [(one.file, one.table)]}
    relevance = scores["scores/relevance_score.csv"].frame
    assert relevance.filter(pl.col("system") == "phi")["value"].to_list() == [0.9, 0.7]
    kept = (tmp_path / "study" / "original" / "results.csv").read_bytes()
    assert kept == (tmp_path / "in" / "results.csv").read_bytes()


def test_words_for_nothing_are_counted_by_column(tmp_path: Path) -> None:
    rows = (*ROWS, "When?,Now.,phi,nan,nan,1.0,3")
    found, _ = taken(tmp_path, results(tmp_path / "in", *rows))
    said = [note for note in found.notes if "a word for nothing" in note]
    assert sorted(note.partition(" hold")[0] for note in said) == [
        "1 cell of human_score",
        "1 cell of relevance_score",
        "2 cells of retrieved_chunks",
    ]


def test_ours_are_computed_where_a_score_is_missing_and_nowhere_else(tmp_path: Path) -> None:
    found, study = taken(tmp_path, results(tmp_path / "in"))
    # The second row lacks its faithfulness; relevance is complete.
    ours = ["faithfulness(against=retrieved)", "lexical_support(against=retrieved)"]
    assert study.config.rules.metrics == [*ours, "length"]
    assert any("1 of 4 answers have no faithfulness_score" in note for note in found.notes)
    assert not any("nobody's scores" in note for note in found.notes)
    assert "retrieved_chunks was read as: a JSON list (1), a list as Python prints it (1)." in (
        found.notes
    )


def test_a_file_without_scores_is_scored_by_ours(tmp_path: Path) -> None:
    path = results(tmp_path / "in", "Why?,So.,phi", head="question,answer,model")
    _, study = taken(tmp_path, path)
    assert not study.imported
    assert "faithfulness(against=retrieved)" in study.config.rules.metrics
    assert "context_coverage@5" in study.config.rules.metrics


def test_one_file_a_rater(tmp_path: Path) -> None:
    found, study = taken(tmp_path, EXAMPLE / "rater_1.csv", EXAMPLE / "rater_2.csv")
    assert (found.cases, found.systems, found.answers, found.raters) == (10, 3, 30, 2)
    assert set(study.judgements.frame["rater"]) == {"rater_1", "rater_2"}
    assert len(study.answers) == 30


def test_a_column_rater_and_a_column_for_each_rater_say_the_same(tmp_path: Path) -> None:
    by_row = results(
        tmp_path / "a", "Why?,So.,phi,an,4", "Why?,So.,phi,bo,3",
        head="question,answer,model,rater,human_score",
    )  # fmt: skip
    by_column = results(
        tmp_path / "b", "Why?,So.,phi,4,3",
        head="question,answer,model,human_score_an,human_score_bo",
    )  # fmt: skip
    frames = []
    for folder, path in (("one", by_row), ("two", by_column)):
        (tmp_path / folder).mkdir()
        _, study = taken(tmp_path / folder, path)
        frames.append(study.judgements.frame)
    assert frames[0].equals(frames[1])
    assert sorted(frames[0].select("rater", "label").rows()) == [("an", "4"), ("bo", "3")]


def test_extra_columns_are_kept(tmp_path: Path) -> None:
    path = results(
        tmp_path / "in", "Why?,So.,phi,malaria,1.5,Right but short,✓",
        "Why?,No.,gemma,malaria,2.5,,no",
        head="question,answer,model,topic,seconds_taken,rationale,accuracy",
    )  # fmt: skip
    found, study = taken(tmp_path, path)
    assert study.cases["q1"].tags == {"topic": "malaria"}
    assert json.loads(given(study, "phi", "q1").raw or "") == {"seconds_taken": "1.5"}
    aspects = study.judgements.frame.select("system", "dimension", "label").rows()
    assert sorted(aspects) == [("gemma", "accuracy", "no"), ("phi", "accuracy", "yes")]
    assert "kept as tags of the questions: topic." in found.notes
    assert "no answer has human_score: nobody's scores were taken." in found.notes


def test_a_workbook_is_known_by_its_content(tmp_path: Path) -> None:
    from medassay.tables import read_sheet

    sheet = read_sheet(results(tmp_path / "in"))
    book = tmp_path / "book.csv"
    pl.DataFrame(sheet.columns).write_excel(book)
    found, _ = taken(tmp_path, book)
    assert (found.answers, found.judgements) == (4, 3)
    assert any("workbook" in note for note in found.notes)


def test_what_cannot_be_is_named_with_its_cell(tmp_path: Path) -> None:
    said = refused(
        tmp_path, "Why?,So.,phi,,,,6", "Why?,No.,tiny,,,,3.5", 'Why?,No.,gemma,"[""a",,,4',
        "Why?,So.,phi,,,,4", ",So.,phi,,,,4", "How?,So.,phi,,high,,4",
    )  # fmt: skip
    assert [one.partition(": ")[0] for one in said] == [
        "results.csv, row 2, column human_score",
        "results.csv, row 3, column human_score",
        "results.csv, row 4, column retrieved_chunks",
        "results.csv, row 5, column model",
        "results.csv, row 6, column question",
        "results.csv, row 7, column relevance_score",
    ]
    assert "whole number from 1 to 5" in said[0]
    assert "An average of raters is none" in said[1]
    assert "row 2 again" in said[3]


def test_a_lost_column_is_named_with_what_comes_near(tmp_path: Path) -> None:
    [said] = refused(tmp_path, "Why?,So.,phi", head="question,answers,model")
    assert said.startswith("results.csv, row 1: must have a column answer; got none.")
    assert "answers" in said


def test_two_files_must_say_the_same_of_an_answer(tmp_path: Path) -> None:
    first = results(tmp_path / "in", name="an.csv")
    other = [ROWS[0].replace("So.", "Not so.", 1).replace("0.9", "0.5"), *ROWS[1:]]
    second = results(tmp_path / "in", *other, name="bo.csv")
    with pytest.raises(InvalidInput) as caught:
        import_med_gpt(tmp_path / "study", [first, second])
    assert [(one.file, one.row, one.column) for one in caught.value.problems] == [
        ("bo.csv", 2, "answer"), ("bo.csv", 2, "relevance_score")]  # fmt: skip
