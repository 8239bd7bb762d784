"""What misread newcomers' workbooks: letters for systems, less that is better, typed labels."""

import csv
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from medassay.cli.app import app
from medassay.errors import InvalidInput
from medassay.exchange.spreadsheet.words import lexicon
from medassay.study import Study

TEXT = "rest for some days and drink enough"
HEADS = "id,question,system,answer,rater"
BAD_INPUT = 2


def came_in(folder: Path, *rows: str, words: Sequence[str] = ()) -> tuple[int, str, Path]:
    """Import a table as a script does; give the exit code, all that was said, and the study."""
    into, file = folder / "study", folder / "mine.csv"
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    told = CliRunner().invoke(app, ["import", str(file), *words, "--into", str(into), "--yes"])
    if isinstance(told.exception, InvalidInput):
        return BAD_INPUT, str(told.exception), into
    return told.exit_code, told.output, into


def rows_of(*labels: str) -> list[str]:
    """Give a row for each answer of A and B; B's labels are one more."""
    return [
        f"q{n},q{n}?,{system},{TEXT} {system}{n},Rossi,{','.join(labels)}"
        for n in range(1, 5)
        for system in "AB"
    ]


@pytest.mark.parametrize(
    "head",
    ["Is this a good answer (1-5)", "Accuracy (1 a 5)", "Accuratezza (da 1 a 5)", "A aim (1-5)"],
)
def test_a_word_of_a_header_is_no_system_of_the_column_beside_it(head: str, tmp_path: Path) -> None:
    code, said, into = came_in(tmp_path, f"{HEADS},{head}", *rows_of("4"))
    assert code == 0, said
    held = Study.open_whole(into).judgements_on_file.frame
    assert sorted(held["system"].to_list()) == ["A"] * 4 + ["B"] * 4
    assert not [answer for answer in Study.open_whole(into).answers if not answer.held]


@pytest.mark.parametrize("word", sorted(lexicon().lower), ids="-".join)
def test_of_what_is_better_less_somebody_says_which_end_is_good(
    word: tuple[str, ...], tmp_path: Path
) -> None:
    title = ("" if any(ord(sign) > 0x2E80 for sign in word[0]) else " ").join(word)
    code, said, into = came_in(tmp_path, f"{HEADS},{title} 2 (1-5)", *rows_of("4"))
    assert code == BAD_INPUT
    assert "is the better one?" in said or "is the harmful one?" in said or "hold?" in said
    assert not into.exists()


def test_the_end_that_was_said_is_the_better_one(tmp_path: Path) -> None:
    words = ["--scale", "severity-of-errors=1-5,lower"]
    heads = f"{HEADS},Severity of errors (1-5)"
    code, said, _ = came_in(tmp_path, heads, *rows_of("4"))
    assert code == BAD_INPUT
    option = said.partition("--scale ")[2].split()[0]
    assert option.endswith(",lower")
    words = ["--scale", option]
    code, said, into = came_in(tmp_path, heads, *rows_of("4"), words=words)
    assert code == 0, said
    rubric = tomllib.loads((into / "rubric.toml").read_text(encoding="utf-8"))
    assert rubric["dimensions"][0]["better"] == "lower"


@pytest.mark.parametrize("sense", ["harm", "unsafe", "good"])
def test_a_label_that_was_typed_is_used_or_refused(sense: str, tmp_path: Path) -> None:
    rows = [
        row.replace("LABEL", ["no", "sì", "non so"][n % 3])
        for n, row in enumerate(rows_of("LABEL"))
    ]
    words = ["--column", "rating.danno=Danno?", "--scale", "danno=words"]
    words += ["--label", f"danno.{sense}=sì"]
    code, said, into = came_in(tmp_path, f"{HEADS},Danno?", *rows, words=words)
    assert code == BAD_INPUT
    assert f'got "danno.{sense}=sì"' in said
    assert not into.exists()


@pytest.mark.parametrize(
    ("typed", "got"), [("other.harm=yes", "other.harm"), ("danno.harm=ja", '"ja"')]
)
def test_a_label_that_stands_nowhere_is_refused(typed: str, got: str, tmp_path: Path) -> None:
    words = ["--column", "rating.danno=Danno?", "--label", typed]
    code, said, _ = came_in(tmp_path, f"{HEADS},Danno?", *rows_of("yes"), words=words)
    assert code == BAD_INPUT
    assert got in said


def test_a_score_keeps_the_name_of_its_column(tmp_path: Path) -> None:
    rows = [f"{row},{n}.5" for n, row in enumerate(rows_of("4"))]
    words = ["--column", "score=odd_ms"]
    code, said, into = came_in(tmp_path, f"{HEADS},accuracy (1-5),odd_ms", *rows, words=words)
    assert code == 0, said
    assert [path.name for path in sorted((into / "scores").glob("*.csv"))] == ["odd_ms.csv"]


def test_labels_that_stand_twice_are_counted_aloud(tmp_path: Path) -> None:
    rows = rows_of("4")
    code, said, into = came_in(tmp_path, f"{HEADS},accuracy (1-5)", *rows, rows[0])
    assert code == 0, said
    with (into / "judgements.csv").open(encoding="utf-8", newline="") as file:
        assert len(list(csv.DictReader(file))) == len(rows)
    assert "1 label stood twice, word for word, and each counts once." in said


def test_systems_are_called_alike_beside_answers_and_ratings(tmp_path: Path) -> None:
    texts = [f"q{n}?,{TEXT} a{n},{TEXT} b{n}" for n in range(1, 5)]
    wide = tmp_path / "answers.csv"
    wide.write_text("\n".join(["question,Modelo A,Modelo B", *texts]) + "\n", encoding="utf-8")
    for names, code_wanted in ((("Modelo A", "Modelo B"), 0), (("Alpha", "Beta"), BAD_INPUT)):
        rows = [f"q{n}?,{name},Rossi,4" for n in range(1, 5) for name in names]
        into_ = tmp_path / names[0]
        into_.mkdir()
        heads = "question,system,rater,accuracy (1-5)"
        code, said, into = came_in(into_, heads, *rows, words=[str(wide)])
        assert code == code_wanted, said
        if code:
            assert "ratings of Alpha, Beta. Write the names alike in both places." in said
        else:
            assert Study.open_whole(into).systems == ("Modelo A", "Modelo B")
