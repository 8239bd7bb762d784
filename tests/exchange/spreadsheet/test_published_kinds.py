"""Kinds of tables that people publish: options below letters, indices of texts, counts."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.exchange.spreadsheet.test_by_cells import TEXTS, came_in

from medassay.study import Study

ASKED = [f"How is {what} treated?" for what in ("gout", "flu", "acne", "asthma", "pain", "cough")]
WIDE = ["Question", "ChatGPT-4 response", "Bing Chat response"]


def wide(*heads: str) -> list[list[object]]:
    """Give a row for each question, two answers in each, and what stands under further heads."""
    rows: list[list[object]] = [[*WIDE, *heads]]
    for at, asked in enumerate(ASKED):
        texts = [f"{text} {at}" for text in TEXTS.values()]
        rows.append(
            [asked, *texts, *(30.5 + 7 * ((at * (of + 2)) % 6) for of in range(len(heads)))]
        )
    return rows


@pytest.mark.parametrize(
    "right", ["Answer", "Correct answer", "Gold", "Richtige Antwort", "标准答案"]
)
def test_beside_options_a_letter_of_each_system_is_its_choice(tmp_path: Path, right: str) -> None:
    rows: list[list[object]] = [["ID", "Question", *"ABCD", right, "GPT-4", "Claude"]]
    for at, asked in enumerate(ASKED):
        chosen = ["ABCD"[(at * step) % 4] for step in (1, 2, 3)]
        rows.append([at + 1, asked, *(f"thing {letter}{at}" for letter in "abcd"), *chosen])
    said, into = came_in(tmp_path, *rows)
    assert not said
    study = Study.open_whole(into)
    assert set(study.systems) == {"GPT-4", "Claude"}
    assert [case.gold for case in study.cases] == ["ABCD"[at % 4] for at in range(len(ASKED))]
    assert {len(case.options) for case in study.cases} == {4}


@pytest.mark.parametrize("role", ["score", "fact"])
def test_what_is_typed_of_a_systems_column_is_of_that_system(tmp_path: Path, role: str) -> None:
    heads = ("ChatGPT-4 ZRE", "Bing Chat ZRE")
    words = ["import", str(tmp_path / "mine.csv"), "--into", str(tmp_path / "study"), "--yes"]
    typed = [word for head in heads for word in ("--column", f"{role}={head}")]
    said, into = came_in(tmp_path, *wide(*heads), words=[*words, *typed])
    assert not said
    if role == "score":
        assert [file.name for file in (into / "scores").glob("*.csv")] == ["ZRE.csv"]


def test_numbers_under_a_system_that_answers_elsewhere_are_no_answers(tmp_path: Path) -> None:
    said, _ = came_in(tmp_path, *wide("ChatGPT-4 ZRE", "Bing Chat ZRE"))
    assert "Type one of: --column 'fact=ChatGPT-4 ZRE'" in said


@pytest.mark.parametrize("heads", [("Hallucinations (n)", "Omissions (n)"),
                                   ("Omissions [n]", "Errors [n]", "Warnings [n]")])  # fmt: skip
def test_beside_a_column_of_raters_a_header_names_nobody(
    tmp_path: Path, heads: Sequence[str]
) -> None:
    rows: list[list[object]] = [["Question", "Model", "Answer", "Reviewer", *heads]]
    for at, asked in enumerate(ASKED):
        for of, (system, text) in enumerate(TEXTS.items()):
            for who in range(2):
                counts = [(at * (more + 2) + of + who) % 5 for more in range(len(heads))]
                rows.append([asked, system, f"{text} {at} {system}", f"R{who}", *counts])
    said, _ = came_in(tmp_path, *rows)
    assert f'"{heads[0]}", "{heads[1]}"' in said


def test_who_prefers_is_named_with_the_word_for_people(tmp_path: Path) -> None:
    heads = ["Rater 1 preference", "Rater 2 preference"]
    rows: list[list[object]] = [["Question", "Response A", "Response B", *heads]]
    for at, asked in enumerate(ASKED):
        texts = [f"{text} {at}" for text in TEXTS.values()]
        rows.append([asked, *texts, "AB"[at % 2], ("A", "B", "Tie")[at % 3]])
    said, into = came_in(tmp_path, *rows)
    assert not said
    assert set(Study.open_whole(into).preferences_on_file.frame["rater"]) == {"Rater 1", "Rater 2"}


@pytest.mark.parametrize("head", ["Blinded ID", "response_id", "AnswerId"])
def test_an_id_of_each_answer_is_left_out_wherever_its_system_stands(
    tmp_path: Path, head: str
) -> None:
    rows: list[list[object]] = [["Item", "Question", head, "Response", "True source", "Safety"]]
    for at, asked in enumerate(ASKED):
        for of, (system, text) in enumerate(TEXTS.items()):
            told = [f"X{at}{system}", f"{text} {at} {system}", system, 1 + (at + of) % 5]
            rows.append([at + 1, asked, *told])
    said, _ = came_in(tmp_path, *rows)
    assert "Who gave the labels" in said
    assert f'"{head}"' not in said


@pytest.mark.parametrize("joint", ["_", " "])
@pytest.mark.parametrize("asked", ["Could it harm a patient?", "Does it cause harm?"])
def test_a_question_behind_a_system_is_no_part_of_its_name(
    tmp_path: Path, joint: str, asked: str
) -> None:
    things = [(asked, ("yes", "no", "no")), ("Accuracy", (1, 5, 4))]
    heads = [joint.join((of, what, who)) for of in ("ChatGPT", "Claude") for what, _ in things
             for who in ("Rater 1", "Rater 2")]  # fmt: skip
    rows: list[list[object]] = [["ID", *heads]]
    for at in range(6):
        labels = [own[(at + who) % 3] for who in range(2) for _, own in things for _ in range(2)]
        rows.append([f"q{at}", *labels])
    said, into = came_in(tmp_path, *rows)
    assert not said
    assert set(Study.open_whole(into).systems) == {"ChatGPT", "Claude"}


def test_a_longer_name_is_another_system_where_the_same_is_rated(tmp_path: Path) -> None:
    heads = [f"{of} {what}" for of in ("GPT-4", "GPT-4 Turbo") for what in ("Accuracy", "Clarity")]
    rows: list[list[object]] = [["ID", *heads]]
    rows += [[f"q{at}", *(1 + (at + more) % 5 for more in range(4))] for at in range(6)]
    words = ["import", str(tmp_path / "mine.csv"), "--into", str(tmp_path / "study"), "--yes"]
    _, into = came_in(tmp_path, *rows, words=[*words, "--rater", "Roy"])
    assert set(Study.open_whole(into).systems) == {"GPT-4", "GPT-4 Turbo"}


@pytest.mark.parametrize("head", ["Bot-a Clarity Roy", "Bot-a Clarity Median"])
def test_what_is_the_median_by_chance_is_left_out_by_its_word_alone(
    tmp_path: Path, head: str
) -> None:
    heads = [f"Bot-{of} {what} {who}" for of in "ab" for what in ("Clarity", "Warmth")
             for who in ("Roy", "Kim")]  # fmt: skip
    rows: list[list[object]] = [["ID", "Question", "Bot-a", "Bot-b", head, *heads[1:]]]
    for at, asked in enumerate(ASKED[:5]):
        others = [1 + (at * step) % 5 for step in (1, 2, 3)]
        texts = [f"{text} {at}" for text in TEXTS.values()]
        labels = [1 + (at * 2 + more) % 5 for more in range(4)]
        rows.append([f"q{at}", asked, *texts, sorted(others)[1], *others, *labels])
    said, into = came_in(tmp_path, *rows)
    assert not said
    frame = Study.open_whole(into).judgements_on_file.frame
    assert len(frame) == (35 if head.endswith("Median") else 40)


@pytest.mark.parametrize(
    ("systems", "things", "people"),
    [
        (("GPT-4o", "Llama-3-70B"), ("Zorb", "Ease of reading"), ("王伟", "李娜")),
        (("GPT-4o", "Claude"), ("Zorb of it", "Nothing missing"), ("R1", "R2")),
        (("ChatGPT", "Bard"), ("Zorb", "Blib"), ("AK", "MB")),
    ],
)
def test_labels_alone_of_what_no_file_of_words_has(
    tmp_path: Path, systems: Sequence[str], things: Sequence[str], people: Sequence[str]
) -> None:
    names = [(of, what, who) for of in systems for what in things for who in people]
    rows: list[list[object]] = [["ID", *(f"{of} {what} ({who}) (1-5)" for of, what, who in names)]]
    rows += [[f"q{at}", *(1 + (at + more) % 5 for more in range(8))] for at in range(6)]
    said, into = came_in(tmp_path, *rows)
    assert not said
    frame = Study.open_whole(into).judgements_on_file.frame
    assert set(frame["system"]) == {*systems}
    assert set(frame["rater"]) == {*people}
    assert frame["dimension"].n_unique() == len(things)


@pytest.mark.parametrize("first", ["Timestamp", "ID", "رقم"])
def test_names_in_other_letters_than_all_headers_are_peoples(tmp_path: Path, first: str) -> None:
    names = [(of, what, who) for of in ("bot-a", "bot-b") for what in ("الصدق", "الجلاء")
             for who in ("शर्मा", "पटेल")]  # fmt: skip
    heads = [f"{of} {what} ({who}) [1..5]" for of, what, who in names]
    rows: list[list[object]] = [[first, "السؤال", "bot-a الإجابة", "bot-b الإجابة", *heads]]
    for at, asked in enumerate(ASKED):
        texts = [f"{text} {at}" for text in TEXTS.values()]
        labels = [1 + (at + more) % 5 for more in range(8)]
        rows.append([f"2025-03-11 09:2{at}:00", asked, *texts, *labels])
    said, into = came_in(tmp_path, *rows)
    assert not said
    assert set(Study.open_whole(into).judgements_on_file.frame["rater"]) == {"शर्मा", "पटेल"}


@pytest.mark.parametrize("people", [("R1", "R2"), ("AK", "MB")])
def test_codes_behind_all_that_was_rated_are_peoples(tmp_path: Path, people: Sequence[str]) -> None:
    names = [(of, what, who) for of in "AB" for what in ("Zorb", "Blib of all") for who in people]
    rows: list[list[object]] = [["Question", "A Reply", "B Reply", *map(" ".join, names)]]
    for at, asked in enumerate(ASKED):
        texts = [f"{text} {at}" for text in TEXTS.values()]
        rows.append([asked, *texts, *(1 + (at + more) % 5 for more in range(8))])
    words = ["import", str(tmp_path / "mine.csv"), "--into", str(tmp_path / "study"), "--yes"]
    scales = [word for what in ("zorb", "blib-of-all") for word in ("--scale", f"{what}=1-5")]
    said, into = came_in(tmp_path, *rows, words=[*words, *scales])
    assert not said
    assert set(Study.open_whole(into).judgements_on_file.frame["rater"]) == {*people}


@pytest.mark.parametrize("index", [True, False])
def test_numbers_written_once_a_question_are_its_ids(tmp_path: Path, *, index: bool) -> None:
    rows: list[list[object]] = [
        ["", "Zorb", "question", "model", "answer", "rater", "accuracy 0-10"]
    ]
    for at, asked in enumerate(ASKED):
        for of, (system, text) in enumerate(TEXTS.items()):
            once = ["", ""] if of else [at + 1, asked]
            told = [*once, system, f"{text} {at} {system}", "Roy", (3 * at + of) % 11]
            rows.append([2 * at + of, *told])
    said, into = came_in(tmp_path, *(rows if index else [row[1:] for row in rows]))
    assert not said
    assert [case.case for case in Study.open_whole(into).cases] == ["1", "2", "3", "4", "5", "6"]


@pytest.mark.parametrize("head", ["Réponse attendue", "answer wanted", "risposta migliore"])
def test_an_answer_that_is_the_same_for_every_system_is_a_reference(
    tmp_path: Path, head: str
) -> None:
    rows: list[list[object]] = [["id", "question", head, "model", "Zorb"]]
    for at, asked in enumerate(ASKED):
        for system, text in TEXTS.items():
            fixed = f"drink a lot and see a doctor after {at} days"
            rows.append([f"q{at}", asked, fixed, system, f"{text} {at} {system}"])
    said, into = came_in(tmp_path, *rows)
    assert not said
    study = Study.open_whole(into)
    assert {len(case.references) for case in study.cases} == {1}
    assert set(study.systems) == {*TEXTS}


@pytest.mark.parametrize("word", ["T", "Q", "V", "W", "Round ", "run ", "Zeitpunkt "])
@pytest.mark.parametrize("what", [("Accuracy", "Clarity"), ("Zorb", "Blib of all")])
def test_times_and_items_behind_what_was_rated_are_nobody(
    tmp_path: Path, word: str, what: Sequence[str]
) -> None:
    names = [(of, thing, f"{word}{at}") for of in ("GPT-4", "Bard") for thing in what
             for at in (1, 2)]  # fmt: skip
    rows: list[list[object]] = [["Question", "GPT-4 answer", "Bard answer", *map(" ".join, names)]]
    for at, asked in enumerate(ASKED):
        texts = [f"{text} {at}" for text in TEXTS.values()]
        rows.append([asked, *texts, *(1 + (at + more) % 5 for more in range(8))])
    said, _ = came_in(tmp_path, *rows)
    assert said


@pytest.mark.parametrize("head", ["YEARS OF AGE", "LEVEL OF WBC", "DAYS IN ICU"])
def test_a_word_of_a_header_in_capitals_is_nobody(tmp_path: Path, head: str) -> None:
    rows: list[list[object]] = [["NUMBER", "QUESTION", head, "ANSWER", "ACCURACY"]]
    for at, asked in enumerate(ASKED):
        text = f"{TEXTS['ka']} {at}"
        rows.append([f"Q{at}", asked, 25 + (at * 7) % 40, text, 1 + at % 5])
    words = ["import", str(tmp_path / "mine.csv"), "--into", str(tmp_path / "study"), "--yes"]
    said, _ = came_in(tmp_path, *rows, words=[*words, "--rater", "Roy"])
    assert f'What is in "{head}"?' in said


def test_initials_in_capitals_are_peoples_where_each_rated_all(tmp_path: Path) -> None:
    names = [(of, what, who) for of in ("GPT-4", "BARD") for what in ("ZORB", "BLIB")
             for who in ("AK", "MB")]  # fmt: skip
    heads = [f"{of} {what} ({who}) (1-5)" for of, what, who in names]
    rows: list[list[object]] = [["QUESTION", "GPT-4 ANSWER", "BARD ANSWER", *heads]]
    for at, asked in enumerate(ASKED):
        texts = [f"{text} {at}" for text in TEXTS.values()]
        rows.append([asked, *texts, *(1 + (at + more) % 5 for more in range(8))])
    said, into = came_in(tmp_path, *rows)
    assert not said
    assert set(Study.open_whole(into).judgements_on_file.frame["rater"]) == {"AK", "MB"}


def test_labels_that_name_no_question_are_refused_and_break_nothing(tmp_path: Path) -> None:
    rows: list[list[object]] = [["rater", "system", "accuracy (1-5)", "safety (1-5)"]]
    rows += [[f"R{at % 2}", "AB"[at % 3 % 2], 1 + at % 5, 1 + at % 4] for at in range(12)]
    said, _ = came_in(tmp_path, *rows)
    assert said
