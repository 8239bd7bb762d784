"""Layouts that people publish beside the plain ones: read whole, or asked about to some use."""

import json
import re
import shlex
from collections import Counter
from pathlib import Path

import pytest
from tests.exchange.spreadsheet.test_first_tries import BAD_INPUT, came_in
from tests.front_door.compared import import_as_a_script
from tests.front_door.found import Found, found_in

from medassay.exchange.spreadsheet.choices import chosen
from medassay.exchange.spreadsheet.profile import are_times
from medassay.study import Study

ANSWERED = [
    ("q1", "Is a cold catching?", "It is for some days.", "No."),
    ("q2", "Can I fly with a cast?", "Ask the airline first.", "Do so at once."),
    ("q3", "May I swim after eating?", "When you feel well.", "Never do that."),
    ("q4", "Are eggs bad for the heart?", "Not in small numbers.", "They are very bad."),
]
"""Questions with the answers of two systems; those of the second are short."""


def study_of(tmp_path: Path, *lines: str) -> Found:
    """Import a table that must be read without a question."""
    code, said, into = came_in(tmp_path, *lines)
    assert code == 0, said
    return found_in(Study.open_whole(into))


def asked_of(tmp_path: Path, *lines: str) -> str:
    code, said, _ = came_in(tmp_path, *lines)
    assert code == BAD_INPUT, said
    return said


def followed(tmp_path: Path, *lines: str) -> Found:
    """Import a table, with the very line that each refusal prints, until it is read."""
    file = tmp_path / "table.csv"
    file.write_text("\n".join(lines), encoding="utf-8")
    typed: list[str] = []
    for turn in range(4):
        into = tmp_path / f"study-{turn}"
        code, said = import_as_a_script([str(file), "--into", str(into), *typed, "--yes"])
        if code == 0:
            return found_in(Study.open_whole(into))
        line = re.search(r"With the likeliest reading, type: (.*)", said)
        assert line, said
        words = shlex.split(line[1])
        typed = [word for word in words[words.index("--into") + 2 :] if word != "--yes"]
    raise AssertionError(typed)


def kept(found: Found) -> Counter[tuple[str, str]]:
    """Count labels by rater and dimension."""
    return Counter((rater, dimension) for rater, dimension, _ in found.labels)


# --- which of two was better


@pytest.mark.parametrize("header", ["Preferred", "Better response", "Winner", "Best of both"])
@pytest.mark.parametrize("names", [("GPT-4", "the doctor"), ("A", "B")])
def test_a_column_beside_two_answers_names_the_better(
    header: str, names: tuple[str, str], tmp_path: Path
) -> None:
    first, second = names
    cells = [first, second, "Tie", first]
    rows = [
        f"{q},{ask},{one},{two},{cell},E1"
        for (q, ask, one, two), cell in zip(ANSWERED, cells, strict=True)
    ]
    head = f"id,question,Response {first},Response {second},{header},Evaluator"
    found = study_of(tmp_path, head, *rows)
    assert len(found.preferences) == len(ANSWERED)
    assert len(found.answers) == 2 * len(ANSWERED)


def test_a_cell_that_names_neither_is_refused_with_both_names(tmp_path: Path) -> None:
    rows = [f"{q},{ask},{one},{two},Bard,E1" for q, ask, one, two in ANSWERED]
    head = "id,question,GPT-4 response,Gemini response,Preferred,Evaluator"
    assert "Preferred" in asked_of(tmp_path, head, *rows)


def test_letters_sides_and_names_choose_of_a_pair() -> None:
    pair = ["GPT-4", "Physician 1"]
    words = {"gpt-4": "a", "Physician": "b", "A": "a", "right": "b", "Gleich gut": "tie", "?": ""}
    assert {word: chosen(word, pair) for word in words} == words
    assert not chosen("A", ["one", "two", "three"])


# --- headers of people's names


@pytest.mark.parametrize("people", [("MK", "BS"), ("Priya", "Arjun"), ("Jan Vos", "Eva Bos")])
def test_names_over_a_grid_are_asked_about_and_the_first_answer_makes_them_raters(
    people: tuple[str, str], tmp_path: Path
) -> None:
    heads = [f"Note {system} ({p})" for system in ("ChatGPT", "Gemini") for p in people]
    rows = [f"{q},{ask},{one},{two},5,4,2,1" for q, ask, one, two in ANSWERED]
    lines = [f"id,question,ChatGPT,Gemini,{','.join(heads)}", *rows]
    assert f'Are "{people[0]}", "{people[1]}" people who rated' in asked_of(tmp_path, *lines)
    found = followed(tmp_path, *lines)
    assert kept(found) == {(person, "overall"): 2 * len(ANSWERED) for person in people}


def test_a_column_of_one_name_is_offered_as_who_rated(tmp_path: Path) -> None:
    rows = [f"{q},{ask},{one},{two},5,1,Uzm. Kaya" for q, ask, one, two in ANSWERED]
    head = "id,question,ChatGPT,Gemini,ChatGPT Puan,Gemini Puan,Uzman"
    assert {rater for rater, _ in kept(followed(tmp_path, head, *rows))} == {"Uzm. Kaya"}


def test_a_judge_is_not_the_physician_whom_a_column_names(tmp_path: Path) -> None:
    rows = [
        f"{q},{ask},{one},{'pass' if n % 2 else 'fail'},acceptable,HW"
        for n, (q, ask, one, _) in enumerate(ANSWERED)
    ]
    head = "id,question,answer,judge_verdict,physician_verdict,physician"
    found = followed(tmp_path, head, *rows, "q5,Is tea bad?,No it is not.,pass,unacceptable,HW")
    assert {rater for rater, _ in kept(found)} == {"judge", "HW"}


# --- moments, ranks, sums, times of ratings


def test_moments_are_no_labels() -> None:
    assert are_times(["1717000000", "1717000100"])
    assert are_times(["2024-05-01 10:00:11", "05/14/2023 10:22:01"])
    assert not are_times(["2024-05-01"])
    assert not are_times(["812", "930"])


def test_of_ranks_somebody_says_which_end_is_good(tmp_path: Path) -> None:
    ranks = ["1,2,3", "2,1,3", "3,1,2", "1,3,2"]
    rows = [
        f"{q},{ask},{one},{two},We know nothing of {q}.,{rank},AB"
        for (q, ask, one, two), rank in zip(ANSWERED, ranks, strict=True)
    ]
    head = "id,question,System A,System B,System C,Order A,Order B,Order C,Rater"
    assert "rder=1-3,lower" in asked_of(tmp_path, head, *rows)
    found = followed(tmp_path, head, *rows)
    assert len(found.labels) == 3 * len(ANSWERED)
    assert len(found.answers) == 3 * len(ANSWERED)


def test_a_sum_and_a_readability_index_are_no_ratings(tmp_path: Path) -> None:
    rows = [
        f"{bot},q{n},{rater},{a - less},{b},{a + b - less},{40.5 + n}"
        for bot, grades in (
            ("Bard", [(2, 3), (4, 5), (3, 2), (5, 5)]),
            ("Bing", [(3, 1), (5, 4), (2, 2), (3, 1)]),
        )
        for n, (a, b) in enumerate(grades)
        for less, rater in enumerate(("FA", "NB"))
    ]
    head = "Chatbot,Question no.,Assessor,DISCERN Q1,DISCERN Q2,Total,Flesch reading ease"
    found = study_of(tmp_path, head, *rows)
    assert {dimension for _, dimension in kept(found)} == {"discern-q1", "discern-q2"}
    assert {source for source, _ in found.scores} == {"Flesch_reading_ease"}


def test_the_time_of_reading_is_the_rating_s(tmp_path: Path) -> None:
    rows = [
        f"{q},{ask},{system},{text},{rater},4,{seconds}"
        for q, ask, one, two in ANSWERED
        for system, text in (("GPT-4", one), ("Gemini", two))
        for rater, seconds in (("R1", 12), ("R2", 35))
    ]
    head = "id,question,Système,Réponse IA,Évaluateur,Exactitude /5,Durée de lecture (s)"
    found = study_of(tmp_path, head, *rows)
    assert set(found.systems) == {"GPT-4", "Gemini"}
    assert all(answer.seconds is None for answer in found.answers.values())


# --- short answers, ids of rows, options, programs' scores


def test_short_answers_are_known_by_what_they_change_with(tmp_path: Path) -> None:
    rows = [
        f"{q},{ask},{text},{system},R{n},8"
        for q, ask, one, two in ANSWERED
        for system, text in (("Bing", one), ("Bard", two))
        for n in (1, 2)
    ]
    found = study_of(tmp_path, "id,question,Svar,Chatbot,Rater,Accuracy (0-10)", *rows)
    assert {answer.text for answer in found.answers.values()} == {
        text for _, _, *texts in ANSWERED for text in texts
    }


def test_an_id_of_each_row_is_no_id_of_the_question(tmp_path: Path) -> None:
    rows = [
        f"t{n}{system},{ask},{text},{system},R1,4"
        for n, (_, ask, one, two) in enumerate(ANSWERED)
        for system, text in (("bm25", one), ("dense", two))
    ]
    found = study_of(tmp_path, "trace_id,question,answer,system,rater,accuracy (1-5)", *rows)
    assert len(found.cases) == len(ANSWERED)


def test_options_and_who_chose_which(tmp_path: Path) -> None:
    rows = [
        f"{q},{ask},Tea,Milk,Water,A,A,{'AB'[n % 2]}" for n, (q, ask, *_) in enumerate(ANSWERED)
    ]
    head = "id,stem,A,B,C,correct_option,gpt4_choice,resident_choice".replace("stem", "question")
    code, said, into = came_in(tmp_path, head, *rows)
    assert code == 0, said
    study = Study.open_whole(into)
    assert study.cases["q1"].options == {"A": "Tea", "B": "Milk", "C": "Water"}
    assert {a.choice for a in study.answers if a.system == "resident"} == {"A", "B"}


def test_what_programs_scored_is_no_rating(tmp_path: Path) -> None:
    rows = [
        f"{q},{ask},{system},{text},{wer},{match}"
        for q, ask, one, two in ANSWERED
        for system, text, wer, match in (("phi", one, 0.33, "True"), ("gem", two, 2.0, "False"))
    ]
    found = study_of(tmp_path, "id,question,model,answer,wer,exact_match", *rows)
    assert not found.labels
    assert {score for (source, _), score in found.scores.items() if "match" in source} == {0.0, 1.0}


# --- forms, lists in JSON, headings


FORM = "Timestamp,Email Address,{},Any comments?".format(
    ",".join(
        f"{q} - {s} [{d}]"
        for q in ("Q1", "Q2")
        for s in ("Bot", "Doc")
        for d in ("Accuracy", "Clarity")
    )
)


def test_a_row_for_each_who_answered_is_read_by_its_headers(tmp_path: Path) -> None:
    rows = [f"2024/03/0{n} 9:12:33,r{n}@example.org,5,4,3,2,1,2,3,4," for n in (1, 2, 3)]
    found = study_of(tmp_path, FORM, *rows)
    assert sum(kept(found).values()) == 3 * 8
    assert {rater for rater, _ in kept(found)} == {f"r{n}@example.org" for n in (1, 2, 3)}


def test_codes_above_and_ids_below_the_questions_of_a_form_are_left_out(tmp_path: Path) -> None:
    asks = [f"Question {q}: rate System {s} - Accuracy" for q in "AB" for s in "AB"]
    ids = [json.dumps({"ImportId": f"QID{n}"}).replace('"', '""') for n in range(7)]
    lines = [
        "StartDate,Duration,Q1_1,Q1_2,Q2_1,Q2_2,Q9",
        f"Start Date,Duration (in seconds),{','.join(asks)},Your initials",
        ",".join(f'"{one}"' for one in ids),
        "2024-05-01 10:00:11,1289,4,3,5,2,TW",
        "2024-05-01 11:00:11,1071,5,1,4,2,HO",
    ]
    found = study_of(tmp_path, *lines)
    assert kept(found) == {("TW", "accuracy"): 4, ("HO", "accuracy"): 4}


def test_a_form_that_cannot_be_read_is_refused_with_the_rows_to_write(tmp_path: Path) -> None:
    said = asked_of(tmp_path, "Respondent ID,Name,Answer 1,Answer 2", "1,Kim,Accurate,Inaccurate")
    assert "case,system,rater,accuracy" in said


def test_ratings_listed_in_json_are_a_row_each(tmp_path: Path) -> None:
    rows = [
        {"id": q, "question": ask, "model": model, "answer": text,
         "ratings": [{"annotator": name, "factuality": grade} for name in ("amy", "bo")]}
        for q, ask, one, two in ANSWERED
        for model, text, grade in (("orca", one, 5), ("falcon", two, 1))
    ]  # fmt: skip
    file = tmp_path / "rated.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    code, said = import_as_a_script([str(file), "--into", str(tmp_path / "s"), "--yes"])
    assert code == 0, said
    found = found_in(Study.open_whole(tmp_path / "s"))
    assert kept(found) == {("amy", "accuracy"): 8, ("bo", "accuracy"): 8}


@pytest.mark.parametrize("words", ["(Y/N)", "(ja/nein)", "[yes, no]"])
def test_yes_and_no_in_brackets_name_nobody(words: str, tmp_path: Path) -> None:
    heads = f'"Harmful? {words} AB","Harmful? {words} CD"'
    rows = [f"{q},{ask},{one},=N,={'Y' if q == 'q1' else 'N'}" for q, ask, one, _ in ANSWERED]
    if "ja" in words:
        rows = [row.replace("=N", "=nein").replace("=Y", "=ja") for row in rows]
    rows = [row.replace("=", "") for row in rows]
    found = study_of(tmp_path, f"id,question,answer,{heads}", *rows)
    assert kept(found) == {("AB", "safety"): 4, ("CD", "safety"): 4}


def test_an_export_that_only_looks_like_redcap_s_says_what_to_type(tmp_path: Path) -> None:
    said = asked_of(tmp_path, "record_id,redcap_event_name,rater,q_accuracy", "1,a,AB,4")
    assert "--from spreadsheet" in said
