"""Few questions: those of a kind at once, the likeliest answer first, none that is plain."""

import re
import shlex
from collections.abc import Sequence
from pathlib import Path

import pytest
from openpyxl import Workbook
from tests.exchange.spreadsheet.test_by_cells import TO_TYPE, came_in
from tests.exchange.spreadsheet.test_line_to_type import refused

from medassay.errors import Problem
from medassay.exchange.outcome import folded
from medassay.exchange.proposal import MOST_QUESTIONS
from medassay.study.folder import Study

ADVICE = "call your doctor if it goes on, and drink enough water in the meantime"


def workbook(path: Path, rows: Sequence[Sequence[object]], merges: Sequence[str] = ()) -> Path:
    book = Workbook()
    page = book.active
    assert page is not None
    for row in rows:
        page.append([cell or None for cell in row])
    for place in merges:
        page.merge_cells(place)
    book.save(path)
    return path


def ugly(path: Path) -> Path:
    """Titles, three rows of headings, initials of people, labels of three kinds, a choice each."""
    rows: list[list[object]] = [["AI project, results"], ["blue = checked"], []]
    rows += [["#", "Q", "Prio", "BOT1", "", "", "", "BOT2", "", "", "", "Who is better", ""]]
    rows += [["", "", "", "Text", "Corr.", "", "OK?", "Text", "Corr.", "", "OK?", "MB", "HT"]]
    rows += [["", "", "", "", "MB", "HT", "MB", "", "MB", "HT", "MB", "", ""]]
    for at in range(12):
        row = [at + 1, f"Is number {at} safe to take?", ("hi", "lo", "mid")[at % 3]]
        for bot in (1, 2):
            row += [f"For {at} as bot {bot} sees it, {ADVICE}"]
            row += [str((at + bot) % 3), str((2 * at + bot) % 3), "✓✗"[(at * bot) % 5 == 0]]
        rows.append([*row, ("BOT1", "BOT2", "=")[at % 3], ("BOT2", "BOT1", "=")[at % 3]])
    return workbook(path, rows, ["D4:G4", "H4:K4", "L4:M4", "E5:F5", "I5:J5"])


def test_an_ugly_table_asks_at_most_three_questions_and_loses_no_preference(
    tmp_path: Path,
) -> None:
    into = tmp_path / "s"
    said = refused(["import", str(ugly(tmp_path / "ugly.xlsx")), "--into", str(into), "--yes"])
    open_ = re.search(r"medassay import: (\d) questions are open", said)
    assert open_ is not None, said
    assert int(open_[1]) <= MOST_QUESTIONS
    # Nobody says 0, 1, 2 and a tick of one thing.
    assert "what was rated? Type one of: --column 'rating.Corr. MB=" in said
    assert not refused(shlex.split(said.partition(TO_TYPE)[2].partition("\n")[0])[1:])
    study = Study.open(into)
    assert len(study.preferences_on_file) == 24
    assert len(study.judgements_on_file) == 72


def test_a_yes_under_a_system_s_name_is_said_of_its_answer(tmp_path: Path) -> None:
    rows: list[list[object]] = [["Pregunta", "GPT-4", "", "Gemini", ""]]
    rows += [["", "Respuesta", "¿Daño?", "Respuesta", "¿Daño?"]]
    for at in range(8):
        own = [f"Bot {bot}, {at}: {ADVICE}" for bot in (1, 2)]
        rows.append([f"¿Es {at} peligroso?", own[0], "síno"[at % 2 * 2 :][:2], own[1], "no"])
    file = workbook(tmp_path / "two.xlsx", rows, ["B1:C1", "D1:E1"])
    said = refused(["import", str(file), "--into", str(tmp_path / "s"), "--yes"])
    assert "Are these the answers" not in said
    assert """What does "sí" under "Daño" say? Type one of: --label 'daño.harm=sí'""" in said


@pytest.mark.parametrize(
    ("header", "cells", "first"),
    [
        ("Schaden möglich?", ["nein", "nein", "ja"], "ja"),
        ("Schaden möglich?", ["ja", "ja", "nein"], "ja"),
    ],
)
def test_the_word_for_harm_that_is_offered_first_is_never_the_good_one(
    header: str, cells: list[str], first: str, tmp_path: Path
) -> None:
    rows: list[list[object]] = [["Frage", "Modell", "Antwort", "Gutachter", "Genauigkeit (1-5)"]]
    rows[0].append(header)
    rows += [
        [f"Ist {at} schlimm?", bot, f"{bot} {at}: {ADVICE}", who, at % 5 + 1, cells[at % 3]]
        for at in range(9)
        for bot in ("GPT-4", "Llama 3")
        for who in ("Müller", "Weber")
    ]
    said, _ = came_in(tmp_path, *rows)
    assert f"Type one of: --label safety.unsafe={first}" in said, said


def test_one_cause_in_many_columns_is_one_line_though_some_have_it_twice() -> None:
    places = [("E", 4), ("F", 4), ("G", 4), ("H", 4), ("F", 5)]
    merged = [
        Problem("a.xlsx", "have a cell of its own", "a merged cell", "Unmerge.", row, column)
        for column, row in places
    ]
    (problem,) = folded(merged)
    told = "got a merged cell in column E; 5 places are alike (E, F, G ...). Unmerge."
    assert str(problem) == f"a.xlsx: must have a cell of its own; {told}"


def test_answers_whose_questions_are_nowhere_come_in_by_their_ids(tmp_path: Path) -> None:
    rows: list[list[object]] = [["id", "model", "answer"]]
    rows += [[f"q{at}", bot, f"{bot} {at}: {ADVICE}"] for at in range(3) for bot in ("A1", "B2")]
    said, into = came_in(tmp_path, *rows)
    assert not refused(shlex.split(said.partition(TO_TYPE)[2].partition("\n")[0])[1:])
    assert [case.question for case in Study.open(into).cases] == ["q0", "q1", "q2"]
