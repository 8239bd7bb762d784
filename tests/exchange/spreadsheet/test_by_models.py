"""What a model gave beside people is a score, and verdicts on answers are no answers."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.exchange.spreadsheet.test_by_cells import TEXTS, came_in

from medassay.study import Study

WHAT = ("gout", "flu", "acne", "asthma", "pain", "cough")
ASKED = [f"How is {what} treated {when}?" for what in WHAT for when in ("now", "later")]


def long(head: str, *, vary: bool = False, systems: Sequence[str] = ("Ka", "Zu"),
         raters: Sequence[str] = ("R1", "R2")) -> list[list[object]]:  # fmt: skip
    """Give a row for each rater of each answer, and numbers under one more head."""
    rows: list[list[object]] = [["question", "model", "answer", "rater", "accuracy (1-5)", head]]
    for at, asked in enumerate(ASKED):
        for of, (system, text) in enumerate(zip(systems, TEXTS.values(), strict=True)):
            for who, rater in enumerate(raters):
                label, score = 1 + (at + of + who) % 5, 1 + (2 * at + of + (who if vary else 0)) % 5
                rows.append([asked, system, f"{text} {at} {system}", rater, label, score])
    return rows


@pytest.mark.parametrize(
    "head",
    ["gpt4_score", "gpt-4o rating", "claude_grade", "llm_judge_score", "GPT-4 judge score",
     "AI judge rating", "DeepSeek-R1 score", "文心一言评分"],
)  # fmt: skip
def test_what_a_model_gave_beside_people_is_a_score(tmp_path: Path, head: str) -> None:
    said, into = came_in(tmp_path, *long(head))
    assert not said
    study = Study.open_whole(into)
    assert set(study.judgements_on_file.frame["dimension"]) == {"accuracy"}
    assert len(list((into / "scores").glob("*.csv"))) == 1


@pytest.mark.parametrize("head", ["AI score", "chatbot rating", "Claude Roy score", "model score"])
def test_a_word_for_what_is_rated_names_no_model(tmp_path: Path, head: str) -> None:
    said, _ = came_in(tmp_path, *long(head))
    assert f'"{head}"' in said


@pytest.mark.parametrize("systems", [("GPT4", "Zu"), ("gpt-4", "Zu"), ("OpenAI GPT-4", "Zu")])
def test_a_system_of_the_table_scored_nothing(tmp_path: Path, systems: Sequence[str]) -> None:
    said, _ = came_in(tmp_path, *long("gpt4_score", systems=systems))
    assert '"gpt4_score"' in said


@pytest.mark.parametrize("head", ["gpt4_score", "llm_judge_score"])
def test_a_models_score_that_changes_with_who_rated_is_asked_about(
    tmp_path: Path, head: str
) -> None:
    said, _ = came_in(tmp_path, *long(head, vary=True))
    assert f'What is in "{head}"?' in said


def test_beside_a_person_in_a_header_a_model_gave_a_score(tmp_path: Path) -> None:
    rows = [[*row[:3], *row[4:]] for row in long("gpt4_score", raters=["R1"])]
    rows[0][3] = "Dr. Roy accuracy (1-5)"
    said, into = came_in(tmp_path, *rows)
    assert not said
    assert set(Study.open_whole(into).judgements_on_file.frame["rater"]) == {"Dr. Roy"}


VERDICTS = [
    ("Correct", "Incorrect"), ("right", "wrong"), ("Pass", "Fail"), ("accurate", "inaccurate"),
    ("richtig", "falsch"), ("正确", "错误"), ("correct", "partially correct"), ("✓", "✗"),
]  # fmt: skip


@pytest.mark.parametrize("words", VERDICTS)
@pytest.mark.parametrize("heads", [("GPT-4o", "Gemini"), ("GPT-4o answer", "Gemini answer"),
                                   ("gpt-4o pass", "gemini pass")])  # fmt: skip
def test_verdicts_below_a_system_are_no_answers(
    tmp_path: Path, heads: Sequence[str], words: Sequence[str]
) -> None:
    rows: list[list[object]] = [["Question", *heads]]
    rows += [[asked, words[at % 2], words[at // 2 % 2]] for at, asked in enumerate(ASKED)]
    said, _ = came_in(tmp_path, *rows)
    assert "Who gave the labels" in said


def test_a_yes_below_a_system_and_a_word_is_said_of_its_answer(tmp_path: Path) -> None:
    rows: list[list[object]] = [["Question", "gpt-4o pass", "gemini pass"]]
    rows += [[asked, ("yes", "no")[at % 2], "yes"] for at, asked in enumerate(ASKED)]
    said, _ = came_in(tmp_path, *rows)
    assert 'What does "yes" under "pass" say?' in said


@pytest.mark.parametrize("words", [("mild", "severe"), ("yes", "no")])
def test_what_may_be_answered_is_an_answer(tmp_path: Path, words: Sequence[str]) -> None:
    rows: list[list[object]] = [["Question", "GPT-4o", "Gemini"]]
    rows += [[asked, words[at % 2], words[at // 2 % 2]] for at, asked in enumerate(ASKED)]
    said, into = came_in(tmp_path, *rows)
    assert not said
    assert set(Study.open_whole(into).systems) == {"GPT-4o", "Gemini"}


@pytest.mark.parametrize("names", [("GPT-4 turbo", "Claude turbo"), ("GPT-4 mini", "Phi mini")])
def test_words_of_a_models_name_were_not_rated(tmp_path: Path, names: Sequence[str]) -> None:
    rows: list[list[object]] = [["Question", *names]]
    rows += [[asked, ("Pass", "Fail")[at % 2], "Pass"] for at, asked in enumerate(ASKED)]
    said, _ = came_in(tmp_path, *rows)
    assert "holds ratings. What was rated?" in said


@pytest.mark.parametrize("names", [("文心一言", "讯飞星火"), ("ChatGPT", "通义千问")])
@pytest.mark.parametrize("joint", ["回答", "的回答", "答复"])
def test_where_no_blanks_are_written_a_model_is_parted_from_the_answer(
    tmp_path: Path, names: Sequence[str], joint: str
) -> None:
    rows: list[list[object]] = [["问题", *(f"{name}{joint}" for name in names)]]
    for at in range(5):
        told = [f"建议患者多休息并及时就医{at}{of}" for of in names]
        rows += [[f"第{at}种疾病如何治疗？", *told]]
    said, into = came_in(tmp_path, *rows)
    assert not said
    assert set(Study.open_whole(into).systems) == {*names}
