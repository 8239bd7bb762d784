"""Kinds of tables that people brought: what was once read as another thing is read, or asked."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from openpyxl import Workbook
from tests.exchange.spreadsheet.test_by_cells import came_in

from medassay.errors import InvalidInput
from medassay.exchange.spreadsheet.importing import propose
from medassay.exchange.spreadsheet.raters import names_typed
from medassay.exchange.spreadsheet.wishes import Wishes
from medassay.study import Study

TEXT = "rest at home and drink water and tea on day"


def workbook(folder: Path, **sheets: Sequence[Sequence[object]]) -> Path:
    """Write sheets of rows."""
    held = Workbook()
    held.remove(held.worksheets[0])
    for title, rows in sheets.items():
        sheet = held.create_sheet(title)
        for row in rows:
            sheet.append(list(row))
    held.save(folder / "mine.xlsx")
    return folder / "mine.xlsx"


def asked_of(file: Path) -> list[tuple[str, str]]:
    """Give each question with its first answer."""
    found = propose(file.parent / "study", [file], Wishes())
    return [(question.ask, question.likeliest) for question in found.questions]


@pytest.mark.parametrize("header", ["Erwartete Antwort (Experte)", "Frump answer"])
def test_beside_another_table_of_answers_a_text_is_no_systems_unasked(
    header: str, tmp_path: Path
) -> None:
    questions = [["ID", "Question", header]]
    questions += [[f"q{n}", f"Is {n} bad?", f"{TEXT} {n}"] for n in range(1, 9)]
    answers = [["ID", "Model", "Answer"]]
    answers += [[f"q{n}", of, f"{TEXT} {of} {n}"] for n in range(1, 9) for of in ("ka", "zu")]
    ((ask, first),) = asked_of(workbook(tmp_path, Questions=questions, Answers=answers))
    assert header in ask
    assert "compare with" in first


@pytest.mark.parametrize("header", ["Replica ChatGPT", "Replica (GPT-4)", "Replica 文心一言"])
def test_a_lone_header_of_more_than_a_products_name_is_asked_about(
    header: str, tmp_path: Path
) -> None:
    rows = [["id", "question", header]]
    rows += [[f"q{n}", f"Is {n} bad?", f"{TEXT} {n}"] for n in range(1, 9)]
    said, _ = came_in(tmp_path, *rows)
    product = header.removeprefix("Replica ").strip("()")
    assert f'of a system called "{product}"' in said
    assert f'of "{header}"' in said


def test_a_makers_name_is_part_of_the_systems(tmp_path: Path) -> None:
    rows = [["id", "question", "Google Gemini"]]
    rows += [[f"q{n}", f"Is {n} bad?", f"{TEXT} {n}"] for n in range(1, 9)]
    said, into = came_in(tmp_path, *rows)
    assert not said
    assert list(Study.open_whole(into).systems) == ["Google Gemini"]


def test_times_of_answers_are_no_answers(tmp_path: Path) -> None:
    rows: list[list[object]] = [["Domanda", "ChatGPT", "Gemini"]]
    rows[0] += [f"{of}: Tempo di risposta (s)" for of in ("ChatGPT", "Gemini")]
    rows += [[f"È {n} male?", "sì", "no" if n % 2 else "sì", n + 0.5, n + 1.5] for n in range(1, 9)]
    said, into = came_in(tmp_path, *rows)
    assert not said
    study = Study.open_whole(into)
    assert {answer.text for answer in study.answers} == {"sì", "no"}
    assert all(answer.seconds for answer in study.answers)


def test_an_initial_is_no_unit_of_time(tmp_path: Path) -> None:
    rows: list[list[object]] = [["id", "question", "ChatGPT", "ChatGPT Frump Jane S."]]
    rows += [[f"q{n}", f"Is {n} bad?", f"{TEXT} {n}", 80 + n] for n in range(1, 9)]
    said, _ = came_in(tmp_path, *rows)
    assert "Frump Jane S." in said


def test_sheets_named_after_people_are_theirs_though_headers_name_the_systems(
    tmp_path: Path,
) -> None:
    systems = ("ChatGPT", "Gemini")
    answers: list[list[object]] = [["id", "question", *systems]]
    answers += [
        [f"q{n}", f"Is {n} bad?", *(f"{TEXT} {of} {n}" for of in systems)] for n in range(9)
    ]
    sheets: dict[str, list[list[object]]] = {"Answers": answers}
    for turn, rater in enumerate(("Ruiz", "Park")):
        rows: list[list[object]] = [["id", *(f"{of} accuracy (1-5)" for of in systems)]]
        rows += [[f"q{n}", (n + turn) % 5 + 1, (2 * n + turn) % 5 + 1] for n in range(9)]
        sheets[rater] = rows
    file = workbook(tmp_path, **sheets)
    said, _ = came_in(tmp_path, words=["import", str(file), "--into", str(tmp_path / "s"), "--yes"])
    assert not said
    assert set(Study.open_whole(tmp_path / "s").judgements_on_file.frame["rater"]) == {
        "Ruiz",
        "Park",
    }


def test_several_raters_are_not_one_who_is_called_so() -> None:
    with pytest.raises(InvalidInput, match="name one rater"):
        names_typed("", ["anna,ben,chris"])
    assert names_typed("", ["Weber, Anna"]).rater == "Weber, Anna"


def test_a_remark_of_nobody_is_not_everybodys(tmp_path: Path) -> None:
    rows: list[list[object]] = [["id", "question", "model", "answer"]]
    rows[0] += ["accuracy (1-5) Dr. Ruiz", "accuracy (1-5) Dr. Park", "comment"]
    for n in range(1, 9):
        for of in ("ka", "zu"):
            own = [f"q{n}", f"Is {n} bad?", of, f"{TEXT} {of} {n}", n % 5 + 1, n % 4 + 1]
            rows.append([*own, "no source" if n == 3 else ""])
    said, _ = came_in(tmp_path, *rows)
    assert 'Whose remarks are in "comment"?' in said
    assert said.index("skip=comment") < said.index("comment=comment")


def test_points_out_of_twenty_begin_at_none_and_a_half_told_scale_is_said(tmp_path: Path) -> None:
    rows: list[list[object]] = [["id", "model", "rater", "exactitude /20"]]
    rows += [[f"q{n}", of, "R1", n + 1.5] for n in range(1, 15) for of in ("ka", "zu")]
    said, into = came_in(tmp_path, *rows)
    assert not said
    (dimension,) = Study.open_whole(into).rubric.dimensions
    assert dimension.number is not None
    assert (dimension.number.low, dimension.number.high) == (0, 20)
    (tmp_path / "b").mkdir()
    found = propose(tmp_path / "b" / "s", [tmp_path / "mine.csv"], Wishes())
    assert "read as rated from 0 to 20, since its header names one end" in str(found.shown)


def in_italian(tmp_path: Path, days: int) -> str:
    """Import ratings with a day each, and give what was asked."""
    rows: list[list[object]] = [["Data valutazione", "Valutatore", "ID", "Domanda", "Sistema"]]
    rows[0] += ["Risposta", "Correttezza (1-5)", "Rischio per il paziente", "Note"]
    for who in ("Bianchi", "Conti"):
        for n in range(1, 25):
            for of in ("ka", "zu"):
                own: list[object] = [
                    f"{n % days + 1:02d}/03/2025",
                    who,
                    f"d{n}",
                    f"È {n} male?",
                    of,
                ]
                own += [
                    f"{TEXT} {of} {n}",
                    n % 5 + 1,
                    ("nessuno", "basso", "alto")[(n + len(who + of)) % 3],
                ]
                rows.append([*own, "da rivedere" if n == 4 else ""])
    return came_in(tmp_path, *rows)[0]


@pytest.mark.parametrize("days", [20, 4])
def test_days_are_nothing_that_was_rated(days: int, tmp_path: Path) -> None:
    said = in_italian(tmp_path, days)
    assert "dimension" not in said
    assert ("Data valutazione" in said) == (days < 8)  # a few may be labels made days of
    assert '"Note"' not in said


def test_how_much_there_is_of_a_risk_has_an_order_least_best(tmp_path: Path) -> None:
    said = in_italian(tmp_path, 20)
    assert 0 < said.index("=alto<basso<nessuno") < said.index("=nessuno<basso<alto")


def test_texts_of_which_some_ask_are_the_questions_of_ids_that_repeat(tmp_path: Path) -> None:
    rows: list[list[object]] = [["Code", "Zork", "model", "answer", "rater", "accuracy (1-5)"]]
    for n in range(1, 9):
        text = f"{TEXT} {n}" if n % 2 else f"How much of it helps on the day {n}?"
        rows += [[f"q{n}", text, of, f"{TEXT} {of} {n}", "R1", n % 5 + 1] for of in ("ka", "zu")]
    said, into = came_in(tmp_path, *rows)
    assert not said
    assert Study.open_whole(into).cases["q1"].question == f"{TEXT} 1"


def test_a_text_beside_systems_that_have_more_columns_is_likelier_a_reference(
    tmp_path: Path,
) -> None:
    systems = ("A", "B")
    rows: list[list[object]] = [["id", "question", "Zork", *systems, "A: score", "B: score"]]
    rows[0][-2:] = [f"{of}: accuracy (1-5)" for of in systems]
    for n in range(1, 9):
        own = [f"q{n}", f"Is {n} bad?", f"{TEXT} {n}", *(f"{TEXT} {of} {n}" for of in systems)]
        rows.append([*own, n % 5 + 1, n % 4 + 1])
    said, _ = came_in(tmp_path, *rows)
    assert said.index("reference=Zork") < said.index("answer=Zork")


LABELLED = {
    "a code behind words": ("id question model answer", ["Harm severity", "Clarity"], ["R1", "R2"]),
    "other letters": ("番号 質問 モデル 回答", ["確実性", "理解しやすさ"], ["शर्मा", "पटेल"]),
    "a known word and more": (
        "id question model answer", ["Overall impression", "Compassion"], ["Иванова", "Петренко"],
    ),
    "three words": ("番号 質問 モデル 回答", ["事実性", "全体の印象"], ["Παπαδάκης", "Νικολάου"]),
    "a lone one in other letters": ("id question model answer", ["Clarity"], ["حداد"]),
}  # fmt: skip


@pytest.mark.parametrize("kind", LABELLED)
def test_names_that_recur_over_what_was_rated_are_people(kind: str, tmp_path: Path) -> None:
    heads, things, people = LABELLED[kind]
    named = [f"{thing} (1-5) {who}" for thing in things for who in people]
    rows: list[list[object]] = [[*heads.split(), *named]]
    for n in range(1, 12):
        for at, of in enumerate(("ka", "zu")):
            own = [(n * step + at) % 5 + 1 for step in range(1, len(named) + 1)]
            rows.append([f"q{n}", f"Is {n} bad?", of, f"{TEXT} {of} {n}", *own])
    found = propose(tmp_path / "s", [workbook(tmp_path, Sheet=rows)], Wishes())
    asked = [question.ask for question in found.questions]
    assert all(ask.startswith("Which end") for ask in asked)
    if not asked:
        assert f"Ratings by {len(people)} rater" in str(found.shown)


def test_labels_in_words_are_asked_about_without_the_names_of_who_gave_them(tmp_path: Path) -> None:
    words = ("fits", "fits well", "fits hardly", "fits not", "so so")
    rows: list[list[object]] = [
        ["id", "question", "model", "answer", "Zork Dr. Alt", "Zork Dr. Park"]
    ]
    for n in range(1, 16):
        own = [words[n % 5], words[n % 4]]
        rows += [[f"q{n}", f"Is {n} bad?", of, f"{TEXT} {of} {n}", *own] for of in ("ka", "zu")]
    said, _ = came_in(tmp_path, *rows)
    assert "rating.Zork=Zork Dr. Alt" in said
    assert "rating.Zork=Zork Dr. Park" in said


def test_a_consensus_leaves_those_who_came_to_it_their_names(tmp_path: Path) -> None:
    rows: list[list[object]] = [["id", "question", "model", "answer"]]
    rows[0] += ["accuracy R1", "accuracy R2", "accuracy consensus"]
    for n in range(1, 12):
        own = [n % 5 + 1, n % 4 + 1, n % 3 + 3]
        rows += [[f"q{n}", f"Is {n} bad?", of, f"{TEXT} {of} {n}", *own] for of in ("ka", "zu")]
    said, _ = came_in(tmp_path, *rows)
    assert "accuracy consensus" in said
    assert '"accuracy R1"' not in said


def numbered(tmp_path: Path, header: str, cells: Sequence[object], *more: str) -> str:
    """Import answers of two systems with a number each, and give what was refused."""
    rows: list[list[object]] = [["id", "question", "model", "answer", header, *more]]
    for place, cell in enumerate(cells):
        n, of = divmod(place, 2)
        own = [f"q{n}", f"Is {n} bad?", ("ka", "zu")[of], f"{TEXT} {of} {n}", cell]
        rows.append([*own, *(place % 5 + 1 for _ in more)])
    return came_in(tmp_path, *rows)[0]


@pytest.mark.parametrize(
    ("first", "cells"),
    [
        ("confidence=Zork", [f"{51 + 7 * n % 40}%" for n in range(20)]),
        ("cost=Zork", [(31 + 77 * n % 900) / 1e4 for n in range(20)]),
        ("rating.Zork=Zork", [1 + n * 7 % 9 / 2 for n in range(20)]),
        ("score=Zork", [(31 + 77 * n % 60) / 100 for n in range(20)]),
    ],
)
def test_numbers_are_asked_about_with_the_likeliest_first(
    first: str, cells: Sequence[object], tmp_path: Path
) -> None:
    said = numbered(tmp_path, "Zork", cells)
    assert said.partition("Type one of: --column ")[2].startswith(first)


def test_whole_numbers_above_all_points_count_something(tmp_path: Path) -> None:
    assert not numbered(tmp_path, "Zork", [120 + 77 * n % 800 for n in range(20)])
    study = Study.open_whole(tmp_path / "study")
    (table,) = study.imported
    assert table.meaning.direction == "none"


@pytest.mark.parametrize(
    "cells", [[20 + 7 * n % 80 for n in range(20)], [1000 + n for n in range(20)]]
)
def test_points_and_running_numbers_are_no_counts(cells: Sequence[object], tmp_path: Path) -> None:
    assert '"Zork"' in numbered(tmp_path, "Zork", cells)


def test_yes_and_no_of_nobody_beside_ratings_of_somebody_are_likelier_answers(
    tmp_path: Path,
) -> None:
    rows: list[list[object]] = [["id", "question", "model", "Zork", "Accuracy (1-5) Dr. Alt"]]
    for n in range(1, 12):
        for at, of in enumerate(("ka", "zu")):
            rows.append([f"q{n}", f"Is {n} bad?", of, ("yes", "no")[(n + at) % 2], n % 5 + 1])
    said, _ = came_in(tmp_path, *rows)
    assert said.index("answer=Zork") < said.index("rating.Zork=Zork")


def test_labels_off_the_scale_that_a_header_names_are_refused_and_counted(tmp_path: Path) -> None:
    rows: list[list[object]] = [["id", "model", "accuracy (1-5) R1"]]
    rows += [
        [f"q{n}", of, 99 if n in {3, 7} else n % 5 + 1] for n in range(12) for of in ["ka", "zu"]
    ]
    said, _ = came_in(tmp_path, *rows)
    assert "must be one of 1, 2, 3, 4, 5; got values up to 99 of R1" in said
    assert "on 4 rows (8, 9, 16 ...)" in said


def test_a_scale_may_begin_below_nothing(tmp_path: Path) -> None:
    rows: list[list[object]] = [["id", "model", "tone (-2 to +2) R1", "tone (-2 to +2) R2"]]
    rows += [[f"q{n}", of, n % 5 - 2, n % 4 - 1] for n in range(12) for of in ("ka", "zu")]
    said, into = came_in(tmp_path, *rows)
    assert not said
    (dimension,) = Study.open_whole(into).rubric.dimensions
    assert dimension.names == ("-2", "-1", "0", "1", "2")


def test_names_that_differ_in_capitals_alone_are_refused(tmp_path: Path) -> None:
    rows: list[list[object]] = [["id", "model", "rater", "accuracy (1-5)"]]
    for n in range(12):
        rows += [[f"q{n}", "ka", "Dr. Lee" if n else "dr lee", 3], [f"q{n}", "zu", "Ann", 4]]
    said, _ = came_in(tmp_path, *rows)
    assert 'must call each rater alike wherever it stands; got "Dr. Lee" and "dr lee"' in said
    both = [[*row[:2], who, row[3]] for row in rows[1:] for who in ("R1", "r1")]
    (tmp_path / "both").mkdir()
    said, _ = came_in(tmp_path / "both", rows[0], *both)
    assert not said  # who rated the same answer is another


def test_runs_that_headers_number_are_samples_of_one_system(tmp_path: Path) -> None:
    rows: list[list[object]] = [["id", "question"]]
    rows[0] += [f"{of} run {run}" for of in ("GPT-4", "Claude") for run in (1, 2)]
    rows += [[f"q{n}", f"Is {n} bad?", *(f"{TEXT} {n} {at}" for at in range(4))] for n in range(9)]
    said, into = came_in(tmp_path, *rows)
    assert not said
    study = Study.open_whole(into)
    assert set(study.systems) == {"GPT-4", "Claude"}
    assert {answer.sample for answer in study.answers} == {0, 1}


def test_an_initial_is_part_of_a_name(tmp_path: Path) -> None:
    rows: list[list[object]] = [
        ["id", "model", "Accuracy (1-5) S. Patel", "Accuracy (1-5) J. Smith"]
    ]
    rows += [[f"q{n}", of, n % 5 + 1, n % 4 + 1] for n in range(12) for of in ("ka", "zu")]
    said, into = came_in(tmp_path, *rows)
    assert not said
    assert set(Study.open_whole(into).judgements_on_file.frame["rater"]) == {"S. Patel", "J. Smith"}


def test_an_experts_answer_beside_the_questions_is_no_systems_unasked(tmp_path: Path) -> None:
    questions = [["ID", "Question", "Réponse de l'expert"]]
    questions += [[f"q{n}", f"Is {n} bad?", f"{TEXT} {n}"] for n in range(1, 9)]
    answers = [["ID", "Model", "Answer"]]
    answers += [[f"q{n}", of, f"{TEXT} {of} {n}"] for n in range(1, 9) for of in ("ka", "zu")]
    ((ask, first),) = asked_of(workbook(tmp_path, Questions=questions, Answers=answers))
    assert "Réponse de l'expert" in ask
    assert "compare with" in first


def ratings_of(tmp_path: Path, headers: Sequence[str], *fixed: str) -> tuple[str, Path]:
    """Import labels from 1 to 5 of two answers to each question under these headers."""
    rows: list[list[object]] = [["id", "question", *(fixed or ("model", "answer")), *headers]]
    for n in range(15):
        for of in ("ka", "zu")[: 1 if fixed else 2]:
            texts = [f"{TEXT} {n} {at}" for at in fixed] or [of, f"{TEXT} {of} {n}"]
            labels = [(n * step + len(of)) % 5 + 1 for step in range(1, len(headers) + 1)]
            rows.append([f"q{n}", f"Is {n} bad?", *texts, *labels])
    return came_in(tmp_path, *rows)


def test_a_name_that_is_a_unit_elsewhere_is_somebody_behind_what_was_rated(tmp_path: Path) -> None:
    people = ("Clara", "Min", "Hope")
    headers = [f"{what} {who}" for what in ("Accuracy", "Completeness") for who in people]
    said, into = ratings_of(tmp_path, headers)
    assert not said
    assert set(Study.open_whole(into).judgements_on_file.frame["rater"]) == set(people)


def test_a_physician_who_is_rated_as_the_chatbot_is_answered_and_rated_nobody(
    tmp_path: Path,
) -> None:
    systems = ("Physician", "Chatbot")
    headers = [
        f"{of} {what} (1-5) E{who}"
        for of in systems for what in ("quality", "empathy") for who in (1, 2)
    ]  # fmt: skip
    said, into = ratings_of(tmp_path, headers, *(f"{of} response" for of in systems))
    assert not said
    study = Study.open_whole(into)
    assert set(study.systems) == set(systems)
    assert set(study.judgements_on_file.frame["rater"]) == {"E1", "E2"}
    assert len(study.rubric.dimensions) == 2


def test_two_words_for_one_thing_are_two_things_and_no_more(tmp_path: Path) -> None:
    headers = [f"{what} (1-5) {who}" for what in ("Klarheit", "Lesbarkeit") for who in ("R1", "R2")]
    said, into = ratings_of(tmp_path, headers)
    assert not said
    assert {d.title for d in Study.open_whole(into).rubric.dimensions} == {
        "Klarheit rating",
        "Lesbarkeit rating",
    }


def test_a_sheet_of_means_and_one_of_raters_keep_no_import_out_and_are_named(
    tmp_path: Path,
) -> None:
    rows: list[list[object]] = [["ID", "Question", "Model", "Answer", "Rater", "Accuracy (1-5)"]]
    for n in range(9):
        for of in ("ka", "zu"):
            own = [f"q{n}", f"Is {n} bad?", of, f"{TEXT} {of} {n}"]
            rows += [[*own, who, (n + len(who)) % 5 + 1] for who in ("Ruiz", "Parker")]
    means: list[list[object]] = [["Model", "Accuracy (mean)"], ["ka", 3.1], ["zu", 2.9]]
    raters = [["Rater", "Field"], ["Ruiz", "skin"], ["Parker", "heart"]]
    found = propose(
        tmp_path / "s", [workbook(tmp_path, Ratings=rows, Summary=means, Raters=raters)], Wishes()
    )
    assert not found.questions
    for title in ("Summary", "Raters"):
        assert f"sheet {title}: nothing was read of it" in str(found.shown)
