"""Columns of published tables beside answers and ratings: none is taken for another thing."""

from pathlib import Path

import pytest
from tests.exchange.spreadsheet.test_by_cells import TEXTS, came_in

from medassay.study import Study

ASKED = [f"How is {what} treated?" for what in ("gout", "flu", "acne", "asthma", "pain")]
PEOPLE = ("R1", "R2")
LONG = ["question", "model", "response", "rater"]


def rated(*heads: str, times: int = 1) -> tuple[list[list[object]], list[tuple[int, int, int]]]:
    """Give a row for each rater of each answer, and the numbers that a row's labels follow."""
    rows: list[list[object]] = [[*LONG, *heads]]
    places = []
    for at, asked in enumerate(f"{asked} {time}?" for asked in ASKED for time in range(times)):
        for of, (system, text) in enumerate(TEXTS.items()):
            for who, person in enumerate(PEOPLE):
                rows.append([asked, system, f"{text} {at} {system}", person])
                places.append((at, of, who))
    return rows, places


@pytest.mark.parametrize("head", ["Diagnosis", "Zorb", "Condition"])
def test_what_systems_answered_in_the_same_words_is_no_fact_of_the_question_unasked(
    tmp_path: Path, head: str
) -> None:
    short = ("gout", "viral infection", "acne")
    rows: list[list[object]] = [["Case", "Question", head, "Ward", "GPT-4o", "Gemini"]]
    for at, asked in enumerate(ASKED * 2):
        own = [short[at % 3], ("east", "west")[at % 2], short[(at + 1) % 3], short[at % 3]]
        rows.append([at, f"{at + 1}. {asked}", *own])
    said, _ = came_in(tmp_path, *rows)
    assert f'What is in "{head}"? Type one of: --column reference={head}' in said
    assert '"Ward"' not in said


def test_words_that_no_system_answered_are_facts_of_the_question(tmp_path: Path) -> None:
    rows: list[list[object]] = [["Case", "Question", "Ward", "GPT-4o", "Gemini"]]
    for at, asked in enumerate(ASKED * 2):
        answers = [("gout", "viral infection", "acne")[(at + more) % 3] for more in (0, 1)]
        rows.append([at, f"{at + 1}. {asked}", ("east", "west")[at % 2], *answers])
    said, into = came_in(tmp_path, *rows)
    assert not said
    assert {case.tags["Ward"] for case in Study.open_whole(into).cases} == {"east", "west"}


@pytest.mark.parametrize("head", ["adjudicated accuracy", "Accuracy (final)", "safety"])
def test_labels_that_all_raters_share_are_asked_about(tmp_path: Path, head: str) -> None:
    rows, places = rated("completeness", head, times=3)
    for row, (at, of, who) in zip(rows[1:], places, strict=True):
        row += [1 + (at + of + who) % 5, 1 + (at * 2 + of) % 5]
    said, _ = came_in(tmp_path, *rows)
    assert f'All raters have the same labels in "{head}". What are they?' in said


@pytest.mark.parametrize("labels", [(5, 5, 5), (4, 5, 4)], ids=["one label", "two labels"])
def test_raters_may_agree_on_one_or_two_labels(tmp_path: Path, labels: tuple[int, ...]) -> None:
    rows, places = rated("accuracy (1-5)", "safety (1-5)")
    for row, (at, of, who) in zip(rows[1:], places, strict=True):
        row += [1 + (at + of + who) % 5, labels[at % 3]]
    said, into = came_in(tmp_path, *rows)
    assert not said
    frame = Study.open_whole(into).judgements_on_file.frame
    assert len(frame) == 2 * len(places)


def test_how_sure_a_rater_is_is_asked_about_and_no_confidence_of_the_system(tmp_path: Path) -> None:
    rows, places = rated("accuracy (1-5)", "confidence (1-5)")
    for row, (at, of, who) in zip(rows[1:], places, strict=True):
        row += [1 + (at + of + who) % 5, 1 + (at * 2 + who) % 5]
    said, _ = came_in(tmp_path, *rows)
    assert 'What is in "confidence (1-5)"?' in said
    assert "hold one answer" not in said


@pytest.mark.parametrize("word", ["median", "mean", "Mittelwert"])
def test_the_mean_of_what_people_gave_is_nobody(tmp_path: Path, word: str) -> None:
    names = [f"{what}_{who}" for what in ("accuracy", "safety") for who in ("lee", "kim", word)]
    rows: list[list[object]] = [[*LONG[:3], *names]]
    for at, asked in enumerate(ASKED):
        for number, (system, text) in enumerate(TEXTS.items()):
            given = [(1 + (at + number) % 5, 1 + at * 2 % 5), (1 + at % 5, 1 + (at + number) % 3)]
            labels = [cell for pair in given for cell in (*pair, sum(pair) / 2)]
            rows.append([asked, system, f"{text} {at} {system}", *labels])
    said, into = came_in(tmp_path, *rows)
    assert not said
    frame = Study.open_whole(into).judgements_on_file.frame
    assert set(frame["rater"]) == {"lee", "kim"}


@pytest.mark.parametrize("word", ["consensus", "final", "Konsens", "sd"])
def test_what_people_agreed_on_is_nobody_and_asked_about(tmp_path: Path, word: str) -> None:
    names = [f"{what}_{who}" for what in ("accuracy", "safety") for who in ("lee", "kim", word)]
    rows: list[list[object]] = [[*LONG[:3], *names]]
    for at, asked in enumerate(ASKED):
        for number, (system, text) in enumerate(TEXTS.items()):
            labels = [1 + (at * more + number) % 5 for more in range(1, 7)]
            rows.append([asked, system, f"{text} {at} {system}", *labels])
    said, _ = came_in(tmp_path, *rows)
    assert f'What is in "accuracy_{word}", "safety_{word}"?' in said


@pytest.mark.parametrize("head", ["version", "Zorb"])
def test_versions_of_systems_are_no_repeats(tmp_path: Path, head: str) -> None:
    rows: list[list[object]] = [["question", "model", head, "response", "rater", "accuracy (1-5)"]]
    for at, asked in enumerate(ASKED):
        for system, version in (("GPT", 3), ("GPT", 4), ("Claude", 2), ("Claude", 3)):
            answer = f"{TEXTS['ka']} {at} {system} {version}"
            rows += [
                [asked, system, version, answer, who, 1 + (at + version) % 5] for who in PEOPLE
            ]
    said, _ = came_in(tmp_path, *rows)
    assert said, "no reading settles it"


def test_lists_of_labels_are_no_documents(tmp_path: Path) -> None:
    rows: list[list[object]] = [[*LONG[:3], "scores"]]
    for at, asked in enumerate(ASKED):
        rows += [[asked, of, f"{text} {at} {of}", f"[{at}, 4, 5]"] for of, text in TEXTS.items()]
    said, _ = came_in(tmp_path, *rows)
    assert '"scores"' in said
