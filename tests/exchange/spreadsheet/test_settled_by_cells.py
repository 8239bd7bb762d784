"""What cells settle is not asked: scales, sheets of people, names in other letters."""

import csv
import shlex
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.exchange.spreadsheet.test_by_cells import TEXTS, came_in
from typer.testing import CliRunner

from medassay.cli.app import app
from medassay.study import Study


def rated(tops: Sequence[int], questions: int) -> list[list[object]]:
    """Give labels that go through some numbers, under a header that names no scale."""
    rows: list[list[object]] = [["id", "model", "rater", "accuracy"]]
    for number in range(questions):
        for at, system in enumerate(("ka", "zu")):
            rows.append([f"q{number}", system, "anna", tops[(2 * number + at) % len(tops)]])
    return rows


@pytest.mark.parametrize("most", [6, 7])
def test_many_labels_that_take_each_step_are_of_that_scale(most: int, tmp_path: Path) -> None:
    said, into = came_in(tmp_path, *rated(range(1, most + 1), 21))
    assert not said
    (dimension,) = Study.open_whole(into).rubric.dimensions
    assert dimension.names == tuple(map(str, range(1, most + 1)))


@pytest.mark.parametrize(("labels", "questions"), [((1, 2, 3, 4, 6), 21), (range(1, 7), 6)])
def test_few_labels_or_a_step_that_is_lacking_are_asked_about(
    labels: Sequence[int], questions: int, tmp_path: Path
) -> None:
    said, _ = came_in(tmp_path, *rated(labels, questions))
    assert 'On which scale was "Accuracy" rated' in said


def test_labels_of_several_things_show_their_scale_together(tmp_path: Path) -> None:
    rows = rated(range(1, 7), 9)
    rows = [[*row, "clarity" if not at else row[-1]] for at, row in enumerate(rows)]
    said, into = came_in(tmp_path, *rows)
    assert not said
    for dimension in Study.open_whole(into).rubric.dimensions:
        assert dimension.names == tuple(map(str, range(1, 7)))


def test_under_a_metric_that_is_a_chatbot_too_yes_and_no_are_answers(tmp_path: Path) -> None:
    rows: list[list[object]] = [["Query", "Perplexity", "ChatGPT"]]
    rows += [[f"Does {n} help?", "Yes" if n % 2 else "No", "No"] for n in range(1, 9)]
    rows[3][2] = "Yes"
    said, into = came_in(tmp_path, *rows)
    assert not said
    assert set(Study.open_whole(into).systems) == {"Perplexity", "ChatGPT"}


def test_what_alone_differs_between_sheets_of_one_answer_is_labels(tmp_path: Path) -> None:
    files = []
    for turn, rater in enumerate(("Plonk", "Glorp")):
        files.append(tmp_path / f"{rater}.csv")
        with files[-1].open("w", encoding="utf-8", newline="") as opened:
            rows = csv.writer(opened)
            rows.writerow(["id", "question", "model", "answer", "Frump", "Zap", "Wuzz"])
            for number in range(1, 9):
                for system, text in TEXTS.items():
                    answer = f"{text} {number} {system}"
                    labels = [(number * step + turn) % 5 + 1 for step in (1, 3)]
                    rows.writerow([f"q{number}", f"Is {number} bad?", system, answer, 7, *labels])
    typed = ["import", *map(str, files), "--into", str(tmp_path / "s"), "--yes"]
    told = CliRunner().invoke(app, typed)
    said = str(told.exception)
    assert '"Frump"' in said  # the same in both sheets: nothing says that people gave it
    assert "Zap" not in said.partition("Type one of")[0]
    told = CliRunner().invoke(app, [*typed, "--column", "skip=Frump"])
    assert told.exit_code == 0, told.exception
    frame = Study.open_whole(tmp_path / "s").judgements_on_file.frame
    assert set(frame["rater"]) == {"Plonk", "Glorp"}
    assert frame.height == 2 * 2 * 16


def test_words_that_a_program_joined_are_one_thing_that_was_rated(tmp_path: Path) -> None:
    rows: list[list[object]] = [["id", "model", "answer", "rater", "tone", "ease_of_reading"]]
    for number in range(1, 9):
        for system, text in TEXTS.items():
            for turn, rater in enumerate(("anna", "ben")):
                labels = [(number + turn) % 5 + 1, (3 * number + turn) % 5 + 1]
                rows.append([f"q{number}", system, f"{text} {number}", rater, *labels])
    asked = ["question", *(f"Is {row[0]} bad?" for row in rows[1:])]
    said, into = came_in(
        tmp_path, *([row[0], cell, *row[1:]] for row, cell in zip(rows, asked, strict=True))
    )
    assert not said
    assert set(Study.open_whole(into).judgements_on_file.frame["dimension"]) == {
        "empathy",
        "ease-of-reading",
    }


def test_beside_one_name_as_systems_have_it_others_are_of_systems(tmp_path: Path) -> None:
    rows: list[list[object]] = [["id", "Plonk", "rater", "Zap"]]
    for number in range(1, 9):
        for at, system in enumerate(("文心一言", "通义千问", "ChatGPT")):
            for turn, rater in enumerate(("anna", "ben")):
                rows.append([number, system, rater, (number + at + turn) % 5 + 1])
    said, into = came_in(tmp_path, *rows)
    assert not said
    assert set(Study.open_whole(into).systems) == {"文心一言", "通义千问", "ChatGPT"}


def test_a_code_behind_the_word_for_the_better_is_who_chose(tmp_path: Path) -> None:
    rows = [["id", "model_1", "model_2", "winner_R1"]]
    rows += [[f"q{n}", "ka", "zu", "model_1" if n % 2 else "tie"] for n in range(1, 7)]
    said, into = came_in(tmp_path, *rows)
    assert not said
    assert set(Study.open_whole(into).preferences_on_file.frame["rater"]) == {"R1"}


@pytest.mark.parametrize("sign", ["\t", ";"])
def test_a_comma_in_a_title_parts_no_cells(sign: str, tmp_path: Path) -> None:
    rows = [["Ratings of chatbots, as of May", ""], ["", ""], ["question", "ChatGPT answer"]]
    rows += [[f"Is {n} bad?", f"{TEXTS['ka']}, and wait {n}"] for n in range(1, 5)]
    file = tmp_path / "mine.tsv"
    file.write_text("\n".join(map(sign.join, rows)), encoding="utf-8")
    told = CliRunner().invoke(app, ["import", str(file), "--into", str(tmp_path / "s"), "--yes"])
    assert told.exit_code == 0, told.exception
    assert Study.open_whole(tmp_path / "s").systems == ("ChatGPT",)


HEADS = ("Model answer", "Answer (physician)")
EXPERT = "Rest it for two days and then move it gently, says the panel of"


@pytest.mark.parametrize("head", HEADS)
def test_beside_a_column_of_systems_a_text_of_each_question_is_a_reference(
    head: str, tmp_path: Path
) -> None:
    rows: list[list[object]] = [["id", "question", "model", "answer", head]]
    for number in range(1, 9):
        for system, text in TEXTS.items():
            own = [f"{text} {number} {system}", f"{EXPERT} {number}"]
            rows.append([f"q{number}", f"Is {number} bad?", system, *own])
    said, into = came_in(tmp_path, *rows)
    assert not said
    study = Study.open_whole(into)
    assert [one.text for one in study.cases["q1"].references] == [f"{EXPERT} 1"]
    assert sorted(study.systems) == ["ka", "zu"]


@pytest.mark.parametrize("head", HEADS)
def test_beside_answers_of_one_system_such_a_text_is_asked_about(head: str, tmp_path: Path) -> None:
    rows: list[list[object]] = [["id", "question", "ChatGPT answer", head]]
    rows += [[n, f"Is {n} bad?", f"{TEXTS['ka']} {n}", f"{EXPERT} {n}"] for n in range(1, 9)]
    said, _ = came_in(tmp_path, *rows)
    assert f'"{head}"' in said


@pytest.mark.parametrize("systems", [("rag_v1", "rag_v2"), ("my_bot-1", "my_bot-2")])
def test_what_versions_of_a_system_share_is_part_of_their_names(
    systems: tuple[str, ...], tmp_path: Path
) -> None:
    heads = [
        f"Q{n} - {of} [{what}]" for n in range(1, 5) for of in systems for what in ("A1", "B1")
    ]
    heads = [head.replace("A1", "Accuracy").replace("B1", "Clarity") for head in heads]
    rows: list[list[object]] = [["Timestamp", "Your name", *heads]]
    for turn, rater in enumerate(("anna", "ben")):
        labels = [(at + turn) % 5 + 1 for at in range(len(heads))]
        rows.append([f"2024-03-0{turn + 1} 09:12:33", rater, *labels])
    said, into = came_in(tmp_path, *rows)
    assert not said
    assert sorted(Study.open_whole(into).systems) == sorted(systems)


def test_short_answers_of_versions_are_of_systems_with_their_whole_names(tmp_path: Path) -> None:
    rows: list[list[object]] = [["id", "question", "rag_v1", "rag_v2"]]
    rows += [[n, f"Is {n} bad?", ("yes", "no")[n % 2], ("no", "yes")[n % 3 > 0]]
             for n in range(1, 13)]  # fmt: skip
    said, into = came_in(tmp_path, *rows)
    assert not said
    assert sorted(Study.open_whole(into).systems) == ["rag_v1", "rag_v2"]


def by_rating(second: Sequence[str]) -> list[list[object]]:
    """Give a row for each label of two things that no file of words has."""
    rows: list[list[object]] = [["question", "system", "answer", "rater", "axe", "given"]]
    for n in range(8):
        for system in ("ChatGPT", "Gemini"):
            about = [f"Is ailment {n} a danger?", system, f"{TEXTS['ka']} {n} {system}", "R1"]
            rows.append([*about, "zorp", f"{1 + n % 5}"])
            if n % 3:  # not everything was rated
                rows.append([*about, "glub", second[n % len(second)]])
    return rows


def test_labels_of_two_kinds_say_which_column_names_what_was_rated(tmp_path: Path) -> None:
    said, _ = came_in(tmp_path, *by_rating(["ja", "nein"]))
    assert "--column" not in said
    assert 'What does "ja" under "glub" say?' in said or 'What does "nein"' in said


def test_what_was_rated_is_the_one_question_where_labels_are_alike(tmp_path: Path) -> None:
    said, into = came_in(tmp_path, *by_rating(["1", "5", "2", "3", "4"]))
    assert said.count("must be answered by you first") == 1
    line = said.partition("With the first answer of each, type: ")[2].splitlines()[0]
    result = CliRunner().invoke(app, shlex.split(line)[1:])
    assert result.exit_code == 0, result.output
    assert {d.id for d in Study.open_whole(into).rubric.dimensions} == {"zorp", "glub"}
