"""Columns under headers that no file of words has; tables of other shapes; all asked at once."""

import csv
import shlex
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from medassay.cli.app import app
from medassay.errors import InvalidInput
from medassay.exchange.spreadsheet.words import ROLES
from medassay.study import Study

BAD_INPUT = 2
TEXTS = {"ka": "rest for some days and drink", "zu": "see a doctor as soon as you"}
TO_TYPE = "With the likeliest reading, type: "


def came_in(
    folder: Path, *rows: Sequence[object], words: list[str] | None = None
) -> tuple[str, Path]:
    """Import rows as a script does; give what was refused, if so, and the study."""
    into, file = folder / "study", folder / "mine.csv"
    with file.open("w", encoding="utf-8", newline="") as opened:
        csv.writer(opened).writerows(rows)
    typed = words or ["import", str(file), "--into", str(into), "--yes"]
    told = CliRunner().invoke(app, typed)
    if isinstance(told.exception, InvalidInput):
        return str(told.exception), into
    assert told.exit_code == 0, told.output
    return "", into


def grid(*heads: str, label: str = "Zap (1-5)") -> list[list[object]]:
    """Give ratings of two systems by two people, below heads of no language."""
    rows: list[list[object]] = [[*heads, label]]
    for number in range(1, 7):
        for system, text in TEXTS.items():
            for rater in ("R1", "R2"):
                own: list[object] = [
                    f"q{number}",
                    system,
                    f"{text} {number} {system}",
                    rater,
                    number % 5 + 1,
                ]
                rows.append(own)
    return rows


def test_names_are_known_by_the_grid_that_they_form(tmp_path: Path) -> None:
    rows = grid("id", "Plonk", "Frump", "Glorp")
    asked = ["question", *(f"Is {row[0]} bad?" for row in rows[1:])]
    rows = [[row[0], cell, *row[1:]] for row, cell in zip(rows, asked, strict=True)]
    said, into = came_in(tmp_path, *rows)
    assert not said
    study = Study.open_whole(into)
    assert sorted({answer.system for answer in study.answers}) == ["ka", "zu"]
    assert len(study.judgements_on_file) == 24


def test_what_says_something_of_a_rater_is_not_the_rater(tmp_path: Path) -> None:
    rows: list[list[object]] = [["worker_id", "country", "prompt", "chatbot", "reply", "quality"]]
    for number in range(1, 5):
        for system, text in TEXTS.items():
            for worker, country in ((4411, "GBR"), (4412, "IND"), (4413, "GBR")):
                own = [f"Is {number} bad?", system, f"{text} {number}", number % 5 + 1]
                rows.append([worker, country, *own])
    said, into = came_in(tmp_path, *rows)
    assert not said
    assert len(set(Study.open_whole(into).judgements_on_file.frame["rater"])) == 3


@pytest.mark.parametrize("big", ["118200001", "9" * 400])
def test_ids_of_many_digits_are_no_counts(big: str, tmp_path: Path) -> None:
    own = grid("id", "model", "answer", "rater", label="accuracy")
    rows = [["respondent", *row] if not at else [f"{big}{at}", *row] for at, row in enumerate(own)]
    came_in(tmp_path, *rows)  # comes back at once, whatever it says


MARKS = [
    [number, f"Was tun bei Fall {number}?", "Zwei Tage warten und trinken, dann zum Arzt.",
     "Sofort in die Klinik fahren, auch nachts und im Urlaub.",
     number, 7 - number, number, 7 - number]
    for number in range(1, 7)
]  # fmt: skip


def test_what_ends_in_the_letters_of_id_is_no_id(tmp_path: Path) -> None:
    rows: list[list[object]] = [["question", "model", "What it said", "rater", "accuracy"]]
    rows += [
        [f"Is {n} bad?", system, f"{text} {n} {system}", rater, n]
        for n in range(1, 6)
        for system, text in TEXTS.items()
        for rater in ("R1", "R2")
    ]
    said, into = came_in(tmp_path, *rows)
    assert not said
    assert len([a for a in Study.open_whole(into).answers if a.held]) == 10


HEADS = ["Nr", "Frage", "GPT", "Gemini", "Note GPT (MK)", "Note GPT (BS)", "Note Gemini (MK)",
         "Note Gemini (BS)"]  # fmt: skip


def test_the_first_refusal_names_all_that_has_to_be_typed(tmp_path: Path) -> None:
    said, into = came_in(tmp_path, HEADS, *MARKS)
    assert TO_TYPE in said
    assert "people who rated" in said
    assert "is the better one?" in said
    line = shlex.split(said.partition(TO_TYPE)[2].splitlines()[0])[1:]
    said, into = came_in(tmp_path, HEADS, *MARKS, words=line)
    assert not said
    assert len(Study.open_whole(into).judgements_on_file) == 24


def test_metrics_in_rows_become_scores(tmp_path: Path) -> None:
    rows: list[list[object]] = [["example_id", "model", "metric", "value"]]
    for number in range(1, 5):
        for system in TEXTS:
            rows += [[f"e{number}", system, "bleu", 0.1 * number],
                     [f"e{number}", system, "rougeL", 0.15 * number]]  # fmt: skip
    said, into = came_in(tmp_path, *rows)
    assert not said
    assert len(Study.open_whole(into).imported) == 2


@pytest.mark.parametrize("joint", ["{q}[{s}_{d}]", "{q} - {s} [{d}]"])
def test_a_form_names_question_system_and_scale(joint: str, tmp_path: Path) -> None:
    heads = [joint.format(q=q, s=s, d=d) for q in ("Q01", "Q02") for s in ("GPT4", "Llama")
             for d in ("accuracy", "clarity")]  # fmt: skip
    rows = [[name, *(at % 5 + 1 for at in range(8))] for name in ("Ana", "Ben", "Cleo")]
    said, into = came_in(tmp_path, ["name", *heads], *rows)
    assert not said
    assert len(Study.open_whole(into).judgements_on_file) == 24


def test_questions_as_headers_are_turned_onto_their_side(tmp_path: Path) -> None:
    heads = ["Is it bad to run?", "Is it good to rest?", "When is it too late?"]
    rows = [[system, *(f"{text} {at} and then some more" for at in range(3))]
            for system, text in {"GPT-4": "Walk a", "Llama": "Sit b"}.items()]  # fmt: skip
    said, into = came_in(tmp_path, ["Model", *heads], *rows)
    assert not said
    assert len(list(Study.open_whole(into).answers)) == 6


@pytest.mark.parametrize("role", ROLES)
def test_every_role_is_in_the_page_of_the_command(role: str) -> None:
    page = Path("docs/reference/commands.md").read_text(encoding="utf-8")
    line = next(line for line in page.splitlines() if "--column OURS=THEIRS" in line)
    assert f"{role}," in line.replace(".", ",")
