import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medassay.answers import Answer, Answers, read_answers, write_answers
from medassay.cases import Case, Cases
from medassay.errors import InvalidInput, Problem

CASES = Cases.of(
    [
        Case.model_validate({"case": "1", "evidence": [{"id": 1, "text": "A."}]}),
        Case.model_validate({"case": "2", "options": {"A": "x", "B": "y"}, "gold": "A"}),
    ]
)


def problems_of(path: Path) -> list[Problem]:
    with pytest.raises(InvalidInput) as caught:
        read_answers(path, CASES)
    return list(caught.value.problems)


def test_a_folder_names_systems_by_its_files(tmp_path: Path) -> None:
    folder = tmp_path / "answers"
    folder.mkdir()
    (folder / "A.jsonl").write_text('{"case": 1, "text": ""}\n')
    (folder / "B.csv").write_text("case,text\n1,\n2,Rest.\n")
    (folder / "many.csv").write_text("system,case,text\nC,1,Rest.\nD,1,Go.\n")
    (folder / "notes.txt").write_text("not answers")
    answers = read_answers(folder, CASES)
    assert answers.systems == ("A", "B", "C", "D")
    empty = answers.get("A", "1")
    assert empty is not None
    assert (empty.text, empty.is_blank) == ("", True)
    assert answers.get("A", "2") is None
    assert answers.get("B", "1") == Answer(system="B", case="1", text="")


def test_what_is_counted_as_answers_come_is_what_is_counted_of_them_all(tmp_path: Path) -> None:
    """A file read as good lines up to a doubt in its last one counts once."""
    folder = tmp_path / "answers"
    folder.mkdir()
    ranked = {"retrieved": [{"document": "d", "score": 1}, {"document": "e", "score": 2}]}
    rows = [
        {"case": "1", "sample": 1, "text": "a", "reasoning": "Because."},
        {"case": "1", "text": "", **ranked},
        {"case": "2", "choice": "b", "statements": [{"text": "a", "citations": [7]}]},
    ]
    lines = [json.dumps(row) for row in rows]
    (folder / "good.jsonl").write_text("\n".join(lines))
    last = '{"case": "2", "sample": 3, "text": "fièvre"}'.encode("cp1252")
    (folder / "late.jsonl").write_bytes("\n".join([*lines, ""]).encode() + last)
    (folder / "more.csv").write_text("system,case,sample,text\ngood,2,9,Go.\nD,1,0,Go.\n")
    answers = read_answers(folder, CASES)
    anew = Answers(answers.records)
    assert list(answers.keys) == list(anew.keys) == [one.key for one in answers]
    assert answers.tally == anew.tally
    assert answers.places("good", "1") == anew.places("good", "1") == (1, 0)
    assert answers.tally.given == {"good": 4, "late": 4, "D": 1}
    assert (answers.tally.rankings.count, answers.tally.rankings.unsorted.count) == (2, 2)
    assert [(one.column, one.got) for one in answers.warnings if one.file == "answers"] == [
        ("choice", '1 of "good" that do not, 2 first: "b" as B'),
        ("choice", '1 of "late" that do not, 2 first: "b" as B'),
        ("citations", '1 of "good" that do not'),
        ("citations", '1 of "late" that do not'),
    ]


def test_every_problem_of_every_file_is_reported_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "answers"
    folder.mkdir()
    (folder / "A.jsonl").write_text(
        '{"case": "1", "text": "a", "confidence": 1.2}\n{"case": "9", "text": "a"}\n'
    )
    (folder / "B.csv").write_text("case,text,confidance\n1,a,\n1,b,\n1,c,0.5\n")
    (folder / "C.jsonl").write_text("{\n")
    assert [(p.file, p.row, p.column) for p in problems_of(folder)] == [
        ("answers/A.jsonl", 1, "confidence"),
        ("answers/A.jsonl", 2, "case"),
        ("answers/B.csv", 1, "confidance"),
        ("answers/B.csv", 3, "case"),
        ("answers/B.csv", 4, "case"),
        ("answers/C.jsonl", 1, None),
    ]


def test_the_same_answer_in_two_files_names_both(tmp_path: Path) -> None:
    folder = tmp_path / "answers"
    folder.mkdir()
    (folder / "A.jsonl").write_text('{"case": 1, "text": "a"}\n')
    (folder / "all.csv").write_text("system,case,text\nA,1,b\n")
    assert str(problems_of(folder)[0]) == (
        "answers/all.csv, row 2, column case: must hold one answer for a system, case and sample; "
        'got "A" answering "1" again, as in answers/A.jsonl, row 1. '
        "Number repeated answers in the column sample: 0, 1, 2."
    )


def test_each_repeated_answer_names_the_first_of_all(tmp_path: Path) -> None:
    folder = tmp_path / "answers"
    folder.mkdir()
    row = '{"system": "S", "case": "1", "text": "a"}\n'
    for name, count in (("a", 1), ("b", 1), ("c", 2)):
        (folder / f"{name}.jsonl").write_text(row * count)
    assert [(one.file, one.row) for one in problems_of(folder)] == [
        ("answers/b.jsonl", 1),
        ("answers/c.jsonl", 1),
        ("answers/c.jsonl", 2),
    ]
    assert all("as in answers/a.jsonl, row 1" in one.got for one in problems_of(folder))


def test_rows_that_do_not_count_leave_no_trace(tmp_path: Path) -> None:
    """A file that breaks off takes with it the hints that its rows were given."""
    folder = tmp_path / "answers"
    folder.mkdir()
    strangers = [f'{{"case": "stranger {number}", "text": "a"}}' for number in range(60)]
    (folder / "a.jsonl").write_text("\n".join([*strangers, "{bad"]))
    (folder / "b.jsonl").write_text('{"case": "1a", "text": "a"}\n')
    (unknown,) = [one for one in problems_of(folder) if one.file == "answers/b.jsonl"]
    assert "Did you mean" in str(unknown)


def test_a_folder_without_answers_is_refused(tmp_path: Path) -> None:
    assert "hold a file for each system" in str(problems_of(tmp_path)[0])


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"text": "a", "confidence": -0.1}, "be a probability from 0 to 1"),
        ({"text": "a", "confidence": "high"}, "be a probability from 0 to 1"),
        ({"text": "a", "seconds": -1}, "greater than or equal to 0"),
        ({"text": None}, "hold a text, statements, a choice or a ranking"),
        ({"text": "b", "statements": [{"text": "a"}]}, "have the text of its statements"),
        ({"statements": [{"txt": "a"}]}, "be one of text, citations"),
        ({"statements": [{"text": 5}]}, "be a valid string"),
        ({"retrieved": [{"document": "d"}, {"document": "d"}]}, "each retrieved document once"),
        ({"statements": [{"text": "a", "citations": [" 3"]}]}, "be an id"),
        ({"statements": "[{"}, "be JSON"),
    ],
)
def test_what_an_answer_must_be(tmp_path: Path, given: dict[str, object], words: str) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text(json.dumps({"system": "A", "case": "1", **given}) + "\n")
    assert any(words in str(problem) for problem in problems_of(path))


def test_unknown_citations_and_choices_are_kept_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    rows = [
        {"system": "A", "case": 1, "statements": [{"text": "a", "citations": [1, 99]}]},
        {"system": "A", "case": 2, "choice": "E"},
        {"system": "B", "case": 2, "choice": "A"},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    answers = read_answers(path, CASES)
    assert answers.records[0].citations == ("1", "99")
    assert [(w.column, w.got) for w in answers.warnings] == [
        ("choice", '1 of "A" that do not, 2 first: "E"'),
        ("citations", '1 of "A" that do not'),
    ]


def test_an_answer_with_a_choice_only_has_no_text_which_is_not_an_empty_one() -> None:
    answer = Answer(system="A", case="2", choice="B")
    assert (answer.text, answer.is_blank) == (None, False)


def test_two_answers_in_memory_are_refused() -> None:
    answer = Answer(system="A", case="1", text="")
    with pytest.raises(InvalidInput, match="row 2"):
        Answers.of([answer, answer])


def test_csv_refuses_what_it_cannot_say(tmp_path: Path) -> None:
    mixed = [Answer(system="A", case="1", text=""), Answer(system="A", case="2", choice="A")]
    with pytest.raises(InvalidInput, match="Write JSONL instead"):
        write_answers(tmp_path / "answers.csv", mixed)
    write_answers(tmp_path / "answers.parquet", mixed)
    assert list(read_answers(tmp_path / "answers.parquet", CASES)) == mixed


def test_a_system_that_no_file_can_be_named_after_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match='got "a/b"'):
        write_answers(tmp_path / "answers", [Answer(system="a/b", case="1", text="")])


texts = st.text(st.characters(codec="utf-8"))
ids = st.from_regex(r"[A-Za-z0-9]{1,3}", fullmatch=True)
contents = st.one_of(
    st.fixed_dictionaries({"text": texts}),
    st.fixed_dictionaries(
        {
            "statements": st.lists(
                st.fixed_dictionaries({"text": texts, "citations": st.lists(ids, max_size=2)}),
                max_size=3,
            )
        }
    ),
)
extras = st.fixed_dictionaries(
    {},
    optional={
        "retrieved": st.lists(
            st.fixed_dictionaries({"document": ids, "score": st.none() | st.floats(-9, 9)}),
            max_size=3,
            unique_by=lambda r: r["document"],
        ),
        "choice": ids,
        "confidence": st.floats(0, 1),
        "confidence_label": ids,
        "seconds": st.floats(0, 1e6),
    },
)


@pytest.mark.parametrize("name", ["folder", "answers.jsonl", "answers.csv", "answers.parquet"])
@settings(max_examples=40, deadline=None)
@given(content=contents, extra=extras, other=contents)
def test_what_is_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory,
    name: str,
    content: dict[str, object],
    extra: dict[str, object],
    other: dict[str, object],
) -> None:
    path = tmp_path_factory.mktemp("answers") / name
    written = [
        Answer.model_validate({"system": "A", "case": "1", **content, **extra}),
        Answer.model_validate({"system": "B", "case": "2", **other}),
    ]
    write_answers(path, written)
    assert list(read_answers(path, CASES)) == written


@pytest.mark.parametrize(
    ("retrieved", "said"),
    [
        ({"document": "a", "scor": 1}, 'must be one of document, score; got "scor". Did you mean'),
        ({"score": 1}, "column retrieved[1].document: must be given; got nothing"),
        (
            {"document": "a", "score": "high"},
            'column retrieved[1].score: must be a number; got "hi',
        ),
        ("a", 'column retrieved[1]: must be keys with their values; got "a"'),
    ],
)
def test_what_is_wrong_with_a_retrieved_document_is_named(
    tmp_path: Path, retrieved: object, said: str
) -> None:
    path = tmp_path / "S.jsonl"
    path.write_text(json.dumps({"system": "S", "case": "1", "retrieved": [retrieved]}))
    with pytest.raises(InvalidInput, match=re.escape(said)):
        read_answers(path, None)
