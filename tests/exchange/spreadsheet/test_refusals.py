"""What cannot be known is asked; what is wrong is named with what to type next."""

import json
from pathlib import Path
from typing import Any

import pytest

from medassay.errors import InvalidInput
from medassay.exchange.registry import recognise
from medassay.exchange.spreadsheet.collected import FallbackNames
from medassay.exchange.spreadsheet.importing import Wishes, import_spreadsheet, propose
from medassay.study import Study

LONG = "a text of at least six words or more"


def table(folder: Path, *rows: str) -> Path:
    file = folder / "mine.csv"
    file.write_text("\n".join(rows), encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("rows", "ask", "answers"),
    [
        (
            ("question,model answer", f"Why?,{LONG}"),
            'What is "model answer"?',
            [["answer=model answer"], ["reference=model answer"]],
        ),
        (
            ("question,Meditation", f"Why?,{LONG}"),
            '"Meditation" holds texts',
            [["answer=Meditation"], ["reference=Meditation"], ["skip=Meditation"]],
        ),
        (
            ("question,answer,response,model", "Why?,a,b,c"),
            "Which column is a system's answer?",
            [["answer=answer", "skip=response"], ["answer=response", "skip=answer"]],
        ),
    ],
)
def test_what_may_be_two_things_is_asked(
    tmp_path: Path, rows: tuple[str, ...], ask: str, answers: list[list[str]]
) -> None:
    file = table(tmp_path, *rows)
    (question,) = propose(tmp_path / "s", [file], Wishes()).questions
    assert ask in question.ask
    assert list(question.answers.values()) == answers
    with pytest.raises(InvalidInput, match="Type one of: --column"):
        import_spreadsheet(tmp_path / "s", [file], Wishes())
    assert not (tmp_path / "s").exists()
    # Each answer settles it.
    for words in answers:
        if not words[0].startswith("skip") or "answer=" in "".join(words):
            answered = any(word.startswith("answer=") for word in words)
            wishes = Wishes(columns=words, asked="" if answered else "none")
            assert not propose(tmp_path / "s", [file], wishes).questions


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (("id,question,model,answer", "1,Why?,x,a", "1,How?,x,b"),
         "row 3, column question: must ask one question under each id.*--column skip=id"),
        (("id,question,model,answer", "1,Why?,x,a", "1,Why?,x,b"),
         "row 3, column answer: must hold one answer of each system.*delete one of the two rows"),
        (("id,question,model,answer", "1,Why?,x,a", ",,x,b"),
         "row 3, column answer: must hold one answer of each system to each question"),
        (("id,question,model,answer", "1,Why?,x,a", ",How?,x,b"),
         "row 3, column id: must have an id in every row.*--column skip=id"),
        (("id,question,model,answer", "1,Why?,,a"),
         "row 2, column model: must name the system; got none. Fill the cell."),
        (("id,model,answer", "1,x,a"),
         "Where are the questions.* give it in the same command.*--column question=id"),
        (("question,model,answer,rater,accuracy", "Why?,x,a,anna,7"),
         'scale were the labels of "accuracy" given.*--scale accuracy=1-7'),
        (("a,b", "1,2"), "must have a column of questions.*--column question=THEIRS"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_what_to_do(
    tmp_path: Path, rows: tuple[str, ...], said: str
) -> None:
    with pytest.raises(InvalidInput, match=said):
        import_spreadsheet(tmp_path / "s", [table(tmp_path, *rows)], Wishes())
    assert not (tmp_path / "s").exists()


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("antwort=answer", "begin with one of case, question"),
        ("answer=Antwort", 'must name one of their columns behind answer=; got "Antwort"'),
        ("rating=accuracy", "rating.DIMENSION"),
        ("nonsense", "begin with one of"),
    ],
)
def test_a_wish_that_cannot_be_is_named(tmp_path: Path, word: str, said: str) -> None:
    file = table(tmp_path, "question,Reply", "Why?,So.")
    with pytest.raises(InvalidInput, match=said):
        propose(tmp_path / "s", [file], Wishes(columns=[word]))


@pytest.mark.parametrize("word", ["answer=Say", "Say=answer", "answer=say"])
def test_a_wish_is_read_either_way_round(tmp_path: Path, word: str) -> None:
    file = table(tmp_path, "question,Say,When", "Why?,So.,2020")
    import_spreadsheet(tmp_path / "s", [file], Wishes(columns=[word, "tag.year=When"]))
    study = Study.open_whole(tmp_path / "s")
    assert [(one.system, one.text) for one in study.answers] == [("Say", "So.")]
    assert study.cases["1"].tags == {"year": "2020"}


def test_a_second_import_gives_cases_what_they_lack(tmp_path: Path) -> None:
    rows = [f"question,A bot,Guide,Year,Unit\nWhy?,{LONG},{LONG} 2,2020,a"]
    file = table(tmp_path, *rows)
    study = tmp_path / "s"
    first = ["answer=Guide", "skip=Year"]
    import_spreadsheet(study, [file], Wishes(columns=first))
    assert Study.open_whole(study).systems == ("A bot", "Guide")
    said = import_spreadsheet(study, [file], Wishes(columns=["reference=Guide", "tag=Year"]))
    (case,) = Study.open_whole(study).cases
    assert [one.text for one in case.references] == [f"{LONG} 2"]
    assert case.tags == {"Year": "2020", "Unit": "a"}
    notes = " ".join(said.notes)
    assert "1 case had no reference, and now have." in notes
    assert "The study has answers of Guide too, and the files have none: they stay." in notes
    again = import_spreadsheet(study, [file], Wishes(columns=["reference=Guide"]))
    assert again.files == []


def test_a_column_that_was_named_is_never_left_out_without_a_word(tmp_path: Path) -> None:
    study = tmp_path / "s"
    head = "question,A bot,Guide"
    file = table(tmp_path, head, f"Why?,{LONG},{LONG} 2")
    import_spreadsheet(study, [file], Wishes(columns=["reference=Guide"]))
    other = table(tmp_path, head.replace("Guide", "Guideline"), f"Why?,{LONG},{LONG} 3")
    before = (study / "cases.jsonl").read_bytes()
    said = import_spreadsheet(study, [other], Wishes())
    assert any('another reference for case "1"; the study\'s own stays' in n for n in said.notes)
    named = Wishes(columns=["reference=Guideline"])
    for way in (propose, import_spreadsheet):
        with pytest.raises(InvalidInput, match=r'column Guideline: .*another one for case "1"'):
            way(study, [other], named)
    assert (study / "cases.jsonl").read_bytes() == before


def test_other_questions_than_the_study_has_are_refused(tmp_path: Path) -> None:
    first = table(tmp_path, "question,model,answer", "Why?,x,a")
    import_spreadsheet(tmp_path / "s", [first], Wishes())
    with pytest.raises(InvalidInput, match="another --into"):
        import_spreadsheet(
            tmp_path / "s", [table(tmp_path, "question,model,answer", "How?,x,a")], Wishes()
        )


def test_a_table_of_another_format_stays_that_formats(tmp_path: Path) -> None:
    file = table(tmp_path, "question,answer,model,retrieved_chunks", "Why?,So.,x,[]")
    assert [one.id for one in recognise([file])] == ["med-gpt"]
    file = table(tmp_path, "question,answer,model", "Why?,So.,x")
    assert [one.id for one in recognise([file])] == ["spreadsheet"]


def answers_with_passages(folder: Path, system: str, passages: list[str]) -> Path:
    rows = [
        {"question": f"Question {at}?", "answer": f"{system} says {at}.", "contexts": [passage]}
        for at, passage in enumerate(passages)
    ]
    file = folder / f"{system}.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return file


def test_a_second_import_keeps_what_each_system_retrieved(tmp_path: Path) -> None:
    study = tmp_path / "s"
    texts = {"A": ["One.", "Two."], "B": ["Two.", "Three."]}
    added = []
    for system, passages in texts.items():
        file = answers_with_passages(tmp_path, system, passages)
        wishes = Wishes(names=FallbackNames(system=system))
        added.append(import_spreadsheet(study, [file], wishes).documents)
    assert added == [2, 1]
    documents = {row["id"]: row["text"] for row in lines(study / "documents.jsonl")}
    assert sorted(documents.values()) == ["One.", "Three.", "Two."]
    for system, passages in texts.items():
        retrieved = [
            row["retrieved"][0]["document"] for row in lines(study / f"answers/{system}.jsonl")
        ]
        assert [documents[name] for name in retrieved] == passages
    assert Study.open_whole(study).systems == ("A", "B")


def test_a_study_in_another_form_is_added_to_only_once_it_is_json_lines(tmp_path: Path) -> None:
    study = tmp_path / "s"
    import_spreadsheet(study, [table(tmp_path, "question,A bot", f"Why?,{LONG}")], Wishes())
    (study / "cases.jsonl").unlink()
    (study / "cases.csv").write_text("case,question\n1,Why?\n", encoding="utf-8")
    file = table(tmp_path, "question,A bot,Guide", f"Why?,{LONG},{LONG} 2")
    with pytest.raises(InvalidInput, match=r"cases.csv: must be cases.jsonl, to be added to"):
        import_spreadsheet(study, [file], Wishes(columns=["reference=Guide"]))
    assert not (study / "cases.jsonl").exists()


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def test_a_row_an_answer_is_of_the_system_that_its_row_names(tmp_path: Path) -> None:
    file = table(tmp_path, "system,case,question,said", "X,1,Why?,Rest.", "Y,1,Why?,Walk.")
    import_spreadsheet(tmp_path / "s", [file], Wishes(columns=["answer=said"]))
    assert Study.open(tmp_path / "s").systems == ("X", "Y")
    # `text` needs no word about it, as in a study's own tables of answers.
    file = table(tmp_path, "system,case,question,text", "X,1,Why?,Rest.", "Y,1,Why?,Walk.")
    import_spreadsheet(tmp_path / "t", [file], Wishes())
    assert Study.open(tmp_path / "t").systems == ("X", "Y")


def test_a_file_of_which_nothing_would_be_read_is_refused(tmp_path: Path) -> None:
    asked = table(tmp_path, "id,question,answer", "1,Why?,Rest.")
    odd = tmp_path / "odd.csv"
    odd.write_text("id,said by X\n1,Walk.\n", encoding="utf-8")
    with pytest.raises(InvalidInput) as refused:
        import_spreadsheet(tmp_path / "s", [asked, odd], Wishes())
    (problem,) = refused.value.problems
    assert str(problem).startswith("odd.csv: must hold questions with their ids, or")
    assert "got only id, said by X. Say which column is which" in str(problem)
    assert not (tmp_path / "s").exists()


def test_what_a_system_left_unanswered_is_said(tmp_path: Path) -> None:
    asked = table(tmp_path, "id,question", "q1,Why?", "q2,How?", "q3,When?", "q4,Where?")
    given = tmp_path / "X.csv"
    given.write_text("id,answer\nq1,Rest.\nq3,\n", encoding="utf-8")
    notes = import_spreadsheet(tmp_path / "s", [asked, given], Wishes()).notes
    assert "X.csv: 1 empty cell for answers, counted as missing." in notes
    assert "X: no answer to 2 of 4 questions (q2, q4): counted as missing." in notes
    # What comes later is held against what the study has already.
    given.write_text("id,answer\nq2,Walk.\nq4,Home.\n", encoding="utf-8")
    notes = import_spreadsheet(tmp_path / "s", [given], Wishes()).notes
    assert "X: no answer to 1 of 4 questions (q3): counted as missing." in notes


def test_an_id_that_is_spelt_otherwise_is_told(tmp_path: Path) -> None:
    asked = table(tmp_path, "id,question", "TQ1,Why?", "TQ12,How?")
    given = tmp_path / "X.csv"
    given.write_text("id,answer\ntq-01,Rest.\nTQ3,Walk.\n", encoding="utf-8")
    with pytest.raises(InvalidInput) as refused:
        import_spreadsheet(tmp_path / "s", [asked, given], Wishes())
    first, second = map(str, refused.value.problems)
    assert first.endswith('got "tq-01". Did you mean "TQ1"?')
    assert second.endswith("Give the file with the questions too, in the same command.")


def test_words_of_labels_are_asked_for_only_where_none_were_given(tmp_path: Path) -> None:
    rows = ("id,question,answer,rater,Accuracy", "1,Why?,Rest.,anna,4")
    file = table(tmp_path, *rows)
    said = import_spreadsheet(tmp_path / "s", [file], Wishes(rubric="accuracy")).notes
    assert any("give their words: --rubric FILE.toml" in note for note in said)
    own = tmp_path / "s" / "rubric.toml"
    said = import_spreadsheet(tmp_path / "t", [file], Wishes(rubric=str(own))).notes
    assert not any("--rubric FILE.toml" in note for note in said)


def test_ids_stay_as_they_are_written(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("id,question,model,answer\n01,Why?,A,x\n1,How?,A,y\n", encoding="utf-8")
    import_spreadsheet(tmp_path / "s", [file], Wishes())
    assert [one.case for one in Study.open_whole(tmp_path / "s").cases] == ["01", "1"]
