"""Documents that many cases share: their words once, their grades with each case."""

from pathlib import Path

import pytest

from medassay.cases import Case, Cases, Document, read_documents, with_documents
from medassay.errors import InvalidInput
from medassay.study import Study


def study(folder: Path, documents: str) -> Path:
    (folder / "answers").mkdir(parents=True)
    files = {
        "study.toml": 'schema = 1\ntitle = "T"\n',
        "cases.jsonl": '{"case": "1", "documents": [{"id": "a", "grade": 2, "title": "Mine"}]}\n'
        '{"case": "2"}\n',
        "documents.jsonl": documents,
        "answers/s.jsonl": '{"case": "1", "retrieved": [{"document": "b"}, {"document": "x"}]}\n',
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_a_case_has_what_it_lists_and_what_was_found_for_it(tmp_path: Path) -> None:
    shared = "".join(f'{{"id": "{n}", "title": "T{n}", "text": "On {n}."}}\n' for n in "cba")
    opened = Study.open(study(tmp_path / "s", shared))
    found = [(d.id, d.title, d.text, d.grade) for d in opened.cases["1"].documents]
    assert found == [("a", "Mine", "On a.", 2.0), ("b", "Tb", "On b.", None)]
    assert opened.cases["2"].documents == ()
    assert "documents.jsonl" in opened.inputs


def test_every_problem_is_named(tmp_path: Path) -> None:
    path = tmp_path / "documents.jsonl"
    path.write_text('{"id": "a"}\n{"id": "a"}\n{"id": ""}\n', encoding="utf-8")
    with pytest.raises(InvalidInput) as caught:
        read_documents(path)
    assert [problem.row for problem in caught.value.problems] == [2, 3]
    with pytest.raises(InvalidInput, match="column grade"):
        Study.open(study(tmp_path / "s", '{"id": "a", "grade": 1}\n'))


def test_cases_that_say_the_same_of_a_document_share_it() -> None:
    grades = {"1": 2, "2": 2, "3": 0}
    cases = Cases.of(
        Case(case=name, documents=(Document(id="a", grade=grade),))
        for name, grade in grades.items()
    )
    filled = with_documents(cases, {"a": Document(id="a", text="Rest.")}, lambda _: ())
    one, two, three = (case.documents[0] for case in filled)
    assert one is two
    assert (one.text, one.grade, three.text, three.grade) == ("Rest.", 2, "Rest.", 0)
