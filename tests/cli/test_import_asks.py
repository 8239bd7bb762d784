"""medassay import shows what it reads of a spreadsheet, and asks before anything is written."""

import json
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from medassay.cli import agreed
from medassay.cli.app import app
from medassay.errors import InvalidInput
from medassay.study import Study


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    file = tmp_path / "mine.csv"
    texts = "We tried to answer this as well as we could."
    file.write_text(f"Question,GPT-4,Musing\nWhy?,{texts},{texts}\n", encoding="utf-8")
    return file


@pytest.fixture
def at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agreed, "_is_terminal", lambda: True)


def test_without_a_terminal_it_refuses_and_names_the_line(sheet: Path, tmp_path: Path) -> None:
    words = ["import", str(sheet), "--into", str(tmp_path / "s")]
    told = CliRunner().invoke(app, words)
    assert isinstance(told.exception, InvalidInput)
    assert "answers of GPT-4" in told.output
    assert "--column answer=Musing (yes, of a system)" in str(told.exception)
    assert not (tmp_path / "s").exists()
    settled = CliRunner().invoke(app, [*words, "--column", "skip=Musing"])
    line = f"medassay import {sheet} --into {tmp_path / 's'} --column skip=Musing --yes"
    assert line in str(settled.exception)
    assert CliRunner().invoke(app, line.split()[1:]).exit_code == 0
    assert Study.open_whole(tmp_path / "s").systems == ("GPT-4",)


@pytest.mark.usefixtures("at_a_terminal")
def test_at_a_terminal_it_asks_until_nothing_is_open(sheet: Path, tmp_path: Path) -> None:
    words = ["import", str(sheet), "--into", str(tmp_path / "s")]
    told = CliRunner().invoke(app, words, input="9\n1\ny\n")
    assert told.exit_code == 0, told.output
    assert '"Musing" holds texts. Are these the answers of a system called "Musing"?' in told.output
    assert told.output.count("Which, 1 to 3") == 2
    assert Study.open_whole(tmp_path / "s").systems == ("GPT-4", "Musing")


@pytest.mark.usefixtures("at_a_terminal")
def test_who_does_not_agree_gets_nothing_written(sheet: Path, tmp_path: Path) -> None:
    words = ["import", str(sheet), "--into", str(tmp_path / "s"), "-c", "skip=Musing"]
    told = CliRunner().invoke(app, words, input="n\n")
    assert told.exit_code == 2
    assert "Nothing was written." in told.output
    assert not (tmp_path / "s").exists()


def test_machines_are_asked_nothing_and_told_counts(sheet: Path, tmp_path: Path) -> None:
    words = ["import", str(sheet), "--into", str(tmp_path / "s"), "--json"]
    refused = CliRunner().invoke(app, words)
    assert isinstance(refused.exception, InvalidInput)
    assert refused.output == ""
    told = CliRunner().invoke(app, [*words, "--yes", "--column", "skip=Musing"])
    facts = json.loads(told.output)
    assert (facts["cases"], facts["answers"]) == (1, 1)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (
            "a.xlsx",
            "PK\x03\x04 is no workbook",
            "a.xlsx: must (be|hold|have) .*workbook|a.xlsx, .*workbook",
        ),
        ("a.csv", 'question,Bot\n"Why?,So', "a.csv, row 2"),
        ("a.csv", "question,Bot,Bot\nWhy?,So,So", 'name each column once; got "Bot" twice'),
        (
            "a.jsonl",
            '{"question": "Why?", "answer": "So"}\n{"question": "Wh',
            "a.jsonl, row 2: .*cut off",
        ),
        ("a.jsonl", "", "a.jsonl: must hold rows; got an empty file"),
        (
            "a.jsonl",
            '{"question": "Why?", "answer": "So"}\n{"question": "Why?", "answer": "No"}',
            "row 2, column answer.*such as a log's: --column case=THEIRS",
        ),
        ("a.csv", "ask,tell\nWhy?,So", "only ask, tell. Say which column .* another tool's file"),
    ],
)
def test_a_table_that_cannot_be_read_is_told_why(
    tmp_path: Path, name: str, text: str, said: str
) -> None:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    words = ["import", str(file), "--into", str(tmp_path / "s"), "--rubric", "safety", "--yes"]
    with pytest.raises(InvalidInput, match=said):
        CliRunner().invoke(app, words, catch_exceptions=False)


@pytest.fixture
def unsigned(tmp_path: Path) -> Path:
    """Give ratings that no column names a person for: the answer is one word."""
    file = tmp_path / "unsigned.csv"
    rows = "".join(f"q{n},Bot,{1 + n % 5}\n" for n in range(8))
    file.write_text(f"id,system,Accuracy (1-5)\n{rows}", encoding="utf-8")
    return file


@pytest.mark.usefixtures("at_a_terminal")
def test_an_option_of_one_word_gets_the_word_and_enter_takes_the_first(
    unsigned: Path, tmp_path: Path
) -> None:
    words = ["import", str(unsigned), "--into", str(tmp_path / "s")]
    told = CliRunner().invoke(app, words, input="\n\n")
    assert told.exit_code == 0, told.output
    judged = Study.open_whole(tmp_path / "s").judgements_on_file.frame
    assert set(judged["rater"]) == {"rater-1"}


def test_the_line_that_is_printed_answers_every_question(unsigned: Path, tmp_path: Path) -> None:
    words = ["import", str(unsigned), "--into", str(tmp_path / "s")]
    told = CliRunner().invoke(app, words)
    line = str(told.exception).partition("type: ")[2].rstrip(".")
    assert "--rater rater-1 --yes" in line
    again = CliRunner().invoke(app, shlex.split(line)[1:])
    assert again.exit_code == 0, again.output


def test_with_yes_the_line_is_printed_too_where_something_is_open(
    unsigned: Path, tmp_path: Path
) -> None:
    words = ["import", str(unsigned), "--into", str(tmp_path / "s"), "--yes"]
    told = CliRunner().invoke(app, words)
    line = str(told.exception).partition("type: ")[2].rstrip(".")
    again = CliRunner().invoke(app, shlex.split(line)[1:])
    assert again.exit_code == 0, again.output


@pytest.mark.usefixtures("at_a_terminal")
def test_a_tools_file_asks_at_a_terminal_whether_its_raters_are_people(tmp_path: Path) -> None:
    said = [{"role": "user", "content": "Why?"}, {"role": "assistant", "content": "So."}]
    battle: dict[str, object] = {
        "question_id": "1",
        "model_a": "x",
        "model_b": "y",
        "winner": "tie",
        "judge": "b.q.",
    }
    battle |= {"conversation_a": said, "conversation_b": said}
    (tmp_path / "b.json").write_text(json.dumps([battle]), encoding="utf-8")
    words = ["import", str(tmp_path / "b.json"), "--into", str(tmp_path / "s")]
    told = CliRunner().invoke(app, words, input="2\n")
    assert told.exit_code == 0, told.output
    frame = Study.open_whole(tmp_path / "s").preferences_on_file.frame
    assert list(frame["rater_kind"]) == ["model"]


@pytest.fixture
def much_open(tmp_path: Path) -> Path:
    """Give a table whose columns are mostly in words that no file of words has."""
    texts = [f"Rest it for {n} days and then move it gently" for n in range(8)]
    lists = [f"['text {n}', 'other {n}']" for n in range(8)]
    file = tmp_path / "much.csv"
    head = "question,Zorp,Glub,Fnord,Quux,Plok,Wib"
    rows = "".join(
        f"Is {n} bad?,{texts[n]} or so,{texts[n]} at least,{['lo', 'mid', 'hi'][n % 3]},"
        f'{n % 3 + 1},{n / 7 + 2:.3f},"{lists[n]}"\n'
        for n in range(8)
    )
    file.write_text(f"{head}\n{rows}", encoding="utf-8")
    return file


@pytest.mark.usefixtures("at_a_terminal")
def test_enter_alone_answers_at_most_three_questions(much_open: Path, tmp_path: Path) -> None:
    words = ["import", str(much_open), "--into", str(tmp_path / "s")]
    told = CliRunner().invoke(app, words, input="\n" * 4)
    assert told.exit_code == 0, told.output
    assert "Is all of this right?" in told.output
    assert Study.open_whole(tmp_path / "s").systems


@pytest.mark.usefixtures("at_a_terminal")
def test_one_of_several_is_changed_by_its_number_and_what_is_not_understood_is_said(
    much_open: Path, tmp_path: Path
) -> None:
    words = ["import", str(much_open), "--into", str(tmp_path / "s")]
    told = CliRunner().invoke(app, words, input="x\n1\n7\n3\n" + "\n" * 6)
    assert '"x" is no number from 1 to' in told.output
    assert '"7" is no number from 1 to 3. Type one of these, or Enter.' in told.output
    assert told.exit_code == 0, told.output
    assert "Zorp" not in Study.open_whole(tmp_path / "s").systems


def test_a_script_is_asked_at_most_three_questions(much_open: Path, tmp_path: Path) -> None:
    words = ["import", str(much_open), "--into", str(tmp_path / "s"), "--yes"]
    said = str(CliRunner().invoke(app, words).exception)
    line = said.partition("With the likeliest reading, type: ")[2].partition("\n")[0]
    assert "medassay import: 3 questions are open." in said
    again = CliRunner().invoke(app, shlex.split(line)[1:])
    assert again.exit_code == 0, again.output
