"""A study's folder is read whole: all problems of all files at once, and none that is not one."""

from pathlib import Path

import polars as pl
import pytest

from medassay.analyses.builtin.correlations import correlations_in
from medassay.errors import InvalidInput, Problem
from medassay.library import run_and_report
from medassay.report import read_results
from medassay.study import Study, summarise


def problems_of(folder: Path) -> list[Problem]:
    with pytest.raises(InvalidInput) as caught:
        Study.open_whole(folder)
    return list(caught.value.problems)


def append(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    with path.open("a", encoding="utf-8", newline="") as file:
        file.write(text)


def test_all_problems_of_all_files_come_at_once(folder: Path) -> None:
    append(folder / "study.toml", "[privcy]\n")
    append(folder / "cases.jsonl", '{"case": "c5", "qestion": "?"}\n')
    append(folder / "answers" / "A.jsonl", '{"case": "c1", "text": "again"}\n')
    append(folder / "judgements.csv", "r1,D,c9,quality,5,\n")
    append(folder / "preferences.csv", "rater,case,system_a,system_b,choice\nr1,c1,A,A,a\n")
    append(folder / "scores" / "mine.csv", "system,case,value\nA,c1,x\nX,c1,1\n")
    append(folder / "scores" / "mine.toml", 'direction = "up"\n')
    files = [problem.file for problem in problems_of(folder)]
    assert list(dict.fromkeys(files)) == [
        "study.toml", "cases.jsonl", "answers/A.jsonl", "preferences.csv", "scores/mine.csv",
    ]  # fmt: skip


def test_a_broken_file_does_not_accuse_the_others(folder: Path) -> None:
    """No flood: ids are only looked for, labels only checked, where what they mean is known."""
    append(folder / "cases.jsonl", "{\n")
    assert [one.file for one in problems_of(folder)] == ["cases.jsonl"]


@pytest.mark.parametrize("broken", ["[[dimensions]]\nrubric = 'nothing'\n", "[privcy]\n"])
def test_without_a_rubric_no_label_is_accused(folder: Path, broken: str) -> None:
    append(folder / "study.toml", broken)
    assert [one.file for one in problems_of(folder)] == ["study.toml"]


def test_ids_that_refer_to_nothing_are_named_with_their_first_row(folder: Path) -> None:
    append(
        folder / "judgements.csv", "r1,D,c1,quality,5,\nr1,D,c2,quality,5,\nr1,A,C1,quality,5,\n"
    )
    append(folder / "preferences.csv", "rater,case,system_a,system_b,choice\nr1,c7,A,E,a\n")
    append(folder / "scores" / "mine.csv", "system,case,value\nA,c11,1\n")
    found = [(one.file, one.row, one.column, one.got) for one in problems_of(folder)]
    assert found == [
        ("judgements.csv", 26, "case", '"C1"'),
        ("judgements.csv", 24, "system", '"D", in 2 rows'),
        ("preferences.csv", 2, "case", '"c7"'),
        ("preferences.csv", 2, "system_b", '"E"'),
        ("scores/mine.csv", 2, "case", '"c11"'),
    ]


@pytest.mark.parametrize(
    ("name", "meant"),
    [("judgments.csv", "judgements"), ("answer/A.jsonl", "answers"), ("case.jsonl", "cases")],
)
def test_a_file_whose_name_is_nearly_right_is_not_passed_over(
    folder: Path, name: str, meant: str
) -> None:
    append(folder / name, "x\n")
    (problem,) = problems_of(folder)
    assert problem.try_ == f'Did you mean "{meant}"?'


def test_files_that_are_not_read_are_said(folder: Path) -> None:
    append(folder / "answers" / "D.md", "")
    append(folder / "answers" / "E.jsonl", "")
    append(folder / "scores" / "alone.toml", "")
    append(folder / "notes.md", "")
    append(folder / "exported.csv", "")
    warnings = Study.open_whole(folder).warnings
    for name in (
        "answers/D.md: must end",
        "scores/alone.toml: must have a table",
        '"E" is not part',
    ):
        assert [text for text in warnings if name in text]
    assert len(warnings) == 3


@pytest.mark.parametrize("stem", ["cases", "judgements"])
def test_one_table_in_two_files_is_refused(folder: Path, stem: str) -> None:
    append(folder / f"{stem}.parquet", "x")
    assert problems_of(folder)[0].must == "be one file"


def test_a_folder_that_is_not_there_says_how_to_make_one(tmp_path: Path) -> None:
    (problem,) = problems_of(tmp_path / "none")
    assert "medassay new" in problem.try_
    (tmp_path / "empty").mkdir()
    assert {one.must for one in problems_of(tmp_path / "empty")} == {
        "be a file that exists",
        "be a file of the study",
    }


def test_ids_are_text_in_every_form(folder: Path) -> None:
    """A spreadsheet's whole numbers stay ids, and `01` is not `1`."""
    pl.DataFrame({"case": [1, 2]}).write_parquet(folder / "cases.parquet")
    (folder / "cases.jsonl").unlink()
    (folder / "judgements.csv").unlink()
    for path in (folder / "answers").iterdir():
        path.unlink()
    append(folder / "answers" / "7.csv", "case,text\n1,Yes\n2,No\n")
    append(folder / "scores" / "mine.jsonl", '{"system": 7, "case": 1, "value": 0}\n')
    study = Study.open_whole(folder)
    assert (study.cases.ids, study.systems) == (("1", "2"), ("7",))
    append(folder / "answers" / "8.csv", "case,text\n01,Yes\n")
    assert problems_of(folder)[0].got == '"01"'


def test_only_imported_scores_of_one_system_make_a_report(folder: Path) -> None:
    for path in [*(folder / "answers").iterdir(), folder / "judgements.csv"]:
        path.unlink()
    append(folder / "scores" / "mine.csv", "system,case,value\nA,c1,1\nA,c2,\nA,c3,3\n")
    append(folder / "scores" / "mine.toml", 'direction = "lower"\nquestion = "How bad?"\n')
    summary = summarise(Study.open_whole(folder))
    assert (summary.answers, [one.missing for one in summary.systems]) == (0, [0])
    done = run_and_report(folder)
    results = read_results(done.folder / "report.json")
    assert (done.computed, results.primary) == (0, "mine")
    assert (done.folder / "report.html").is_file()
    (source,) = [one for one in results.sources if one.kind == "imported"]
    assert (source.direction, source.question, source.scored) == ("lower", "How bad?", 2)
    # One cell is empty and c4 has no row.
    assert source.unscored == {"not in the imported file": 2}
    assert correlations_in(results.analyses) == ()


def test_the_summary_counts_what_is_there(folder: Path) -> None:
    summary = summarise(Study.open_whole(folder))
    assert [(one.system, one.given, one.empty, one.missing) for one in summary.systems] == [
        ("A", 4, 0, 0),
        ("B", 3, 1, 0),
        ("C", 3, 0, 1),
    ]
    (quality,) = summary.dimensions
    assert (quality.judgements, quality.without_label, quality.raters) == (22, 2, 2)
    ready = {one.metric: (one.cases_ready, one.answers_ready) for one in summary.metrics}
    assert ready["rouge1(ref=human)"] == (3, 11)
    assert ready["length"] == (4, 11)
