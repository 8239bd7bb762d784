"""An import ends with an account that adds up; a mistake is mended, one cause is one line."""

import csv
import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from medassay.cli import agreed
from medassay.cli.app import app
from medassay.errors import InvalidInput, Problem
from medassay.exchange.outcome import folded
from medassay.study import Study

TEXT = "Rest it for a day or two, and then move it gently, says {} of question {}."
NAMES = ("Müller", "Weber")


@pytest.fixture
def rated(tmp_path: Path) -> Path:
    file = tmp_path / "rated.csv"
    heads = [f"{bot} accuracy ({name})" for bot in ("ChatGPT", "Gemini") for name in NAMES]
    with file.open("w", encoding="utf-8", newline="") as out:
        rows = csv.writer(out)
        rows.writerow(["No.", "Question", "ChatGPT answer", "Gemini answer", *heads, "Unit"])
        for n in range(1, 13):
            answers = [TEXT.format(bot, n) for bot in ("one", "two")]
            rows.writerow([n, f"What is {n}?", *answers, 1 + n % 5, 2, 5, 1 + n % 4, "abc"[n % 3]])
    return file


@pytest.fixture
def at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agreed, "_is_terminal", lambda: True)


def width(line: str) -> int:
    return sum(1 + (unicodedata.east_asian_width(sign) in "WF") for sign in line)


def account(output: str) -> list[str]:
    lines = output.splitlines()
    start = next(at for at, line in enumerate(lines) if "read as" in line)
    ends = ("note:", "Imported", "Enter")
    end = next(at for at, line in enumerate(lines[start:], start) if line.startswith(ends))
    return lines[start:end]


def run(*words: object, lines: str = "") -> str:
    told = CliRunner().invoke(app, list(map(str, words)), input=lines)
    assert told.exit_code == 0, (told.output, told.exception)
    return told.output


def test_the_account_adds_up_in_15_lines_of_80_signs(rated: Path, tmp_path: Path) -> None:
    shown = account(run("import", rated, "--into", tmp_path / "s", "--yes"))
    assert len(shown) <= 15
    assert max(map(width, shown)) <= 80
    assert "Answers of 2 systems: ChatGPT 12, Gemini 12" in shown
    assert "Ratings by 2 raters: Müller 24, Weber 24" in shown
    [kept] = json.loads((tmp_path / "s" / "import.json").read_text("utf-8"))["imports"]
    assert sum(sum(own["fates"].values()) for own in kept["columns"]) == kept["filled"]


@pytest.mark.parametrize("many", [1, 5, 60])
def test_names_are_listed_as_far_as_they_fit(tmp_path: Path, many: int) -> None:
    file = tmp_path / "wide.csv"
    bots = [f"ChatGPT 模型 {n}" for n in range(many)]
    texts = ",".join(TEXT.format(bot, 1).replace(",", "") for bot in bots)
    file.write_text(f"Question,{','.join(bots)}\nWhy is it?,{texts}\n", encoding="utf-8")
    shown = account(run("import", file, "--into", tmp_path / "s", "--yes"))
    assert len(shown) <= 15
    assert max(map(width, shown)) <= 80


def test_why_a_column_was_left_out_is_told_whole(rated: Path, tmp_path: Path) -> None:
    words = ("import", rated, "--into", tmp_path / "s", "--column", "skip=Unit", "--yes")
    assert "Left out, 12 cells of Unit: you said so." in account(run(*words))


@pytest.mark.parametrize("many", [4, 60])
def test_what_is_cut_in_the_account_is_said_to_be(tmp_path: Path, many: int) -> None:
    file = tmp_path / "long.csv"
    asked = "Question of the patient or of who cares for them"
    bots = [f"ChatGPT {n}" for n in range(many)]
    with file.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([[asked, *bots], ["Why?", *(TEXT.format(b, 1) for b in bots)]])
    words = ("import", file, "--into", tmp_path / "s", "--column", f"question={asked}")
    shown = account(run(*words, "--yes"))
    assert any("..." in line for line in shown)
    assert "--json lists every column and every count" in shown[-1]
    told = json.loads(run(*words[:3], tmp_path / "t", *words[4:], "--yes", "--json"))["account"]
    assert asked in {own["column"] for own in told["columns"]}


def test_machines_and_the_study_get_counts_and_no_names_of_raters(
    rated: Path, tmp_path: Path
) -> None:
    output = run("import", rated, "--into", tmp_path / "s", "--yes", "--json")
    told = json.dumps(json.loads(output)["account"], ensure_ascii=False)
    kept = (tmp_path / "s" / "import.json").read_text(encoding="utf-8")
    for text in (told, kept):
        assert not [name for name in NAMES if name in text]
        assert "ChatGPT accuracy ({rater})" in text
        assert "Rest it" not in text
    again = run("import", rated, "--into", tmp_path / "s", "--yes")
    assert "wrote" not in again
    assert (tmp_path / "s" / "import.json").read_text(encoding="utf-8") == kept


@pytest.mark.usefixtures("at_a_terminal")
def test_a_line_is_changed_by_its_number_until_it_is_right(rated: Path, tmp_path: Path) -> None:
    words = ("import", rated, "--into", tmp_path / "s", "--column", "skip=Unit")
    shown = CliRunner().invoke(app, list(map(str, words)), input="n\n")
    assert shown.exit_code == 2
    assert not (tmp_path / "s").exists()
    lines = account(shown.output)
    number = next(line.split()[0] for line in lines if "Unit" in line)
    asked = CliRunner().invoke(app, list(map(str, words)), input=f"{number}\n\nn\n").output
    tag = next(line.split()[0] for line in asked.splitlines() if line.endswith("  a tag"))
    output = run(*words, lines=f"{number}\n{tag}\n\n")
    assert output.count("read as") >= 3
    assert Study.open_whole(tmp_path / "s").cases["1"].tags == {"Unit": "b"}


@pytest.mark.usefixtures("at_a_terminal")
def test_a_change_that_cannot_be_loses_nothing(rated: Path, tmp_path: Path) -> None:
    words = list(map(str, ("import", rated, "--into", tmp_path / "s")))
    told = CliRunner().invoke(app, words, input="2\n\nn\n").output
    case = next(line.split()[0] for line in told.splitlines() if "the id of the question" in line)
    number = next(line.split()[0] for line in account(told) if " Unit " in line)
    told = CliRunner().invoke(app, words, input=f"{number}\n{case}\n\n").output
    assert "Question" in told
    assert (tmp_path / "s").exists() or "must" in told


def test_what_explain_writes_is_read_back_and_can_be_edited(rated: Path, tmp_path: Path) -> None:
    table, facts = tmp_path / "columns.csv", tmp_path / "columns.json"
    table.write_text(run("import", rated, "--explain"), encoding="utf-8")
    facts.write_text(run("import", rated, "--explain", "--json"), encoding="utf-8")
    run("import", rated, "--into", tmp_path / "s", "--yes")
    held = (tmp_path / "s" / "judgements.csv").read_bytes()
    for place, file in (("t", table), ("u", facts)):
        run("import", rated, "--into", tmp_path / place, "--yes", "--column", file)
        assert (tmp_path / place / "judgements.csv").read_bytes() == held
    edited = table.read_text(encoding="utf-8").replace("Unit,tag,", "Unit,skip,")
    table.write_text(edited, encoding="utf-8")
    run("import", rated, "--into", tmp_path / "v", "--yes", "--column", table)
    assert (tmp_path / "v" / "judgements.csv").read_bytes() == held
    assert Study.open_whole(tmp_path / "v").cases["1"].tags == {}
    assert "Unit" in (tmp_path / "v" / "import.toml").read_text(encoding="utf-8")


def test_explain_writes_nothing_and_quotes_no_cell(rated: Path, tmp_path: Path) -> None:
    for words in ((), ("--json",)):
        told = run("import", rated, "--explain", *words)
        assert "Rest it" not in told
        assert "What is" not in told
    assert list(tmp_path.iterdir()) == [rated]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("column,role\nUnot,tag\n", 'row 2, column column: .*got "Unot". Did you mean "Unit"'),
        ("column,role\nUnit,tagg\n", 'row 2, column role: must name a role; got "tagg"'),
        ("column,role,colour\nUnit,tag,red\n", 'got "colour", which nothing is read of'),
        ("column\nUnit\n", "must have the columns column and role; got no role"),
        ("column,role\nUnit,tag\nUnit,skip\n", 'row 3.*say one role .*another for "Unit"'),
    ],
)
def test_a_file_of_columns_that_cannot_be_is_told_why(
    rated: Path, tmp_path: Path, text: str, said: str
) -> None:
    file = tmp_path / "columns.csv"
    file.write_text(text, encoding="utf-8")
    words = ["import", str(rated), "--into", str(tmp_path / "s"), "--column", str(file)]
    with pytest.raises(InvalidInput, match=said):
        CliRunner().invoke(app, words, catch_exceptions=False)


def test_toml_says_columns_too(rated: Path, tmp_path: Path) -> None:
    file = tmp_path / "columns.toml"
    file.write_text('[columns]\nUnit = "tag.ward"\n', encoding="utf-8")
    run("import", rated, "--into", tmp_path / "s", "--yes", "--column", file)
    assert Study.open_whole(tmp_path / "s").cases["1"].tags == {"ward": "b"}


@settings(max_examples=60)
@given(
    cells=st.lists(st.text(min_size=1, max_size=20), min_size=500, max_size=500),
    hint=st.sampled_from(["", "Fill it.", 'Did you mean "5"? Or leave it out.']),
)
def test_500_bad_cells_of_a_column_are_three_lines_at_most(cells: list[str], hint: str) -> None:
    bad = [
        Problem("a.csv", "be 1 to 5", f'"{" ".join(cell.split())}"', hint, row, "score")
        for row, cell in enumerate(cells, 2)
    ]
    told = "\n".join(map(str, folded(bad)))
    assert len([line for line in told.split("\n") if line]) <= 3
    assert "(row 2)" in told
    assert "497 more" in told


def test_one_cause_in_a_table_is_one_line(tmp_path: Path) -> None:
    file = tmp_path / "many.csv"
    rows = "".join(f"What is it?,{TEXT.format('it', n).replace(',', '')}\n" for n in range(500))
    file.write_text(f"question,answer\n{rows}", encoding="utf-8")
    words = ["import", str(file), "--into", str(tmp_path / "s"), "--yes"]
    told = CliRunner().invoke(app, words)
    assert isinstance(told.exception, InvalidInput)
    assert len(str(told.exception).splitlines()) == 1
    assert "(row 3)" in str(told.exception)
    assert "496 more" in str(told.exception)
    every = CliRunner().invoke(app, [*words, "--json"])
    assert isinstance(every.exception, InvalidInput)
    assert len(every.exception.problems) == 499


def test_nothing_answered_or_rated_is_refused_unless_it_is_meant(tmp_path: Path) -> None:
    file = tmp_path / "asked.csv"
    file.write_text("id,question\nq1,Why is it?\nq2,How is it?\n", encoding="utf-8")
    words = ["import", str(file), "--into", str(tmp_path / "s"), "--yes"]
    told = CliRunner().invoke(app, words)
    assert "2 questions alone" in str(told.exception)
    assert not (tmp_path / "s").exists()
    run(*words, "--asked", "none")
    assert len(Study.open_whole(tmp_path / "s").cases) == 2


def test_cells_are_shown_on_a_terminal_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "mine.csv"
    text = TEXT.format("it", 1).replace(",", "")
    file.write_text(f"Question,GPT-4,Musing\nWhy?,{text},{text}\n", encoding="utf-8")
    words = ["import", str(file), "--into", str(tmp_path / "s")]
    assert "Rest it" not in CliRunner().invoke(app, words).output
    monkeypatch.setattr(agreed, "_is_terminal", lambda: True)
    assert "Rest it" in CliRunner().invoke(app, words, input="\nn\n").output
    run(*words, "--yes", "--column", "skip=Musing")
    settings_ = tmp_path / "s" / "study.toml"
    said = settings_.read_text(encoding="utf-8")
    settings_.write_text(f'{said}\n[privacy]\ntexts = "ids"\n', encoding="utf-8")
    (tmp_path / "s" / "import.toml").unlink()
    assert "Rest it" not in CliRunner().invoke(app, words, input="\nn\n").output
