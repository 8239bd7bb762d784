"""A model that judges beside people is a rater, and what people agreed on is nobody's rating."""

import csv
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.exchange.spreadsheet.test_first_tries import BAD_INPUT, TEXT, came_in

from medassay.study import Study

HEADS = "id,question,system,answer"


def rows_of(columns: int, *texts: str) -> list[str]:
    """Give a row for each answer of A and B: labels that no mean is of, then texts."""
    return [
        f"q{n},q{n}?,{system},{TEXT} {system}{n},"
        + ",".join([*(str(1 + (n * (at + 2) + of) % 5) for at in range(columns)), *texts])
        for n in range(1, 8)
        for of, system in enumerate("AB")
    ]


def raters_of(into: Path) -> dict[str, str]:
    frame = Study.open_whole(into).judgements_on_file.frame
    return dict(zip(frame["rater"].to_list(), frame["rater_kind"].to_list(), strict=True))


@pytest.mark.parametrize(
    ("heads", "judge"),
    [
        (["Dr. Kim (1-5)", "Dr. Lee (1-5)", "GPT-4o judge (1-5)"], "GPT-4o judge"),
        (["Dr. Kim (1-5)", "Dr. Lee (1-5)", "Judge GPT-4o (1-5)"], "Judge GPT-4o"),
        (["Dr. Kim (1-5)", "Dr. Lee (1-5)", "GPT-4o (1-5)"], "GPT-4o"),
        (["Gutachter 1 (1-5)", "Gutachter 2 (1-5)", "GPT-4o Gutachter (1-5)"], "GPT-4o Gutachter"),
        (["专家1 (1-5)", "专家2 (1-5)", "文心一言评审 (1-5)"], "文心一言 评审"),
    ],
    ids=["judge behind", "judge before", "model alone", "German", "Chinese"],
)
def test_a_model_rates_what_the_people_beside_it_rate(
    heads: Sequence[str], judge: str, tmp_path: Path
) -> None:
    code, said, _ = came_in(tmp_path, ",".join([HEADS, *heads]), *rows_of(3))
    assert code == BAD_INPUT
    assert "hold ratings. What was rated?" in said
    words = [word for head in heads for word in ("--column", f"rating.overall={head}")]
    words += ["--rater", f"{judge}=model"]
    code, said, into = came_in(tmp_path, ",".join([HEADS, *heads]), *rows_of(3), words=words)
    assert code == 0, said
    kinds = raters_of(into)
    assert len(kinds) == 3
    assert list(kinds.values()).count("model") == 1
    frame = Study.open_whole(into).judgements_on_file.frame
    assert set(frame["dimension"].to_list()) == {"overall"}


def test_the_judges_rationale_is_its_remark(tmp_path: Path) -> None:
    heads = ["Dr. Kim accuracy (1-5)", "Dr. Lee accuracy (1-5)", "GPT-4o judge accuracy (1-5)"]
    table = [",".join([HEADS, *heads, "GPT-4o judge rationale"])]
    table += rows_of(3, "The answer agrees with all that the guideline of the society says")
    words = ["--rater", "GPT-4o judge=model"]
    code, said, into = came_in(tmp_path, *table, words=words)
    assert code == 0, said
    with (into / "judgements.csv").open(encoding="utf-8", newline="") as file:
        remarks = [(row["rater_kind"], bool(row["comment"])) for row in csv.DictReader(file)]
    assert set(remarks) == {("person", False), ("model", True)}


def test_a_system_of_the_table_judges_nothing(tmp_path: Path) -> None:
    heads = ["Dr. Kim (1-5)", "Dr. Lee (1-5)", "GPT-4o judge (1-5)"]
    table = [row.replace(",A,", ",GPT-4o,") for row in rows_of(3)]
    code, said, _ = came_in(tmp_path, ",".join([HEADS, *heads]), *table)
    assert code == BAD_INPUT
    assert "rating.overall=GPT-4o judge (1-5)" not in said


@pytest.mark.parametrize(
    "word",
    ["consensus", "adjudicated", "agreed", "Konsens", "consenso", "共识", "最終"],
)
def test_what_raters_agreed_on_is_left_out_and_they_stay(word: str, tmp_path: Path) -> None:
    heads = ["Accuracy R1", "Accuracy R2", f"Accuracy {word}"]
    code, said, _ = came_in(tmp_path, ",".join([HEADS, *heads]), *rows_of(3))
    assert code == BAD_INPUT
    assert "what raters agreed on: leave it out" in said
    words = ["--column", f"skip={heads[2]}"]
    assert f"{words[0]} '{words[1]}' (what raters agreed on: leave it out)" in said
    code, said, into = came_in(tmp_path, ",".join([HEADS, *heads]), *rows_of(3), words=words)
    assert code == 0, said
    frame = Study.open_whole(into).judgements_on_file.frame
    assert len(raters_of(into)) == 2
    assert set(frame["dimension"].to_list()) == {"accuracy"}


@pytest.mark.parametrize("word", ["mean", "Durchschnitt", "平均"])
def test_the_mean_is_nobody_in_any_letters(word: str, tmp_path: Path) -> None:
    heads = ["Accuracy R1", "Accuracy R2", f"Accuracy {word}"]
    table = []
    for row in rows_of(2):
        *about, first, second = row.split(",")
        table.append(",".join([*about, first, second, f"{(int(first) + int(second)) / 2}"]))
    code, said, into = came_in(tmp_path, ",".join([HEADS, *heads]), *table)
    assert code == 0, said
    assert len(raters_of(into)) == 2


@pytest.mark.parametrize(
    "word",
    ["Juror", "Jurorin", "Juré", "Jurado", "Giurato", "Jurylid", "评委", "专家", "医生", "審査員",
     "المحكم", "Examiner", "Gutachterin", "Évaluatrice", "Beoordelaar"],
)  # fmt: skip
@pytest.mark.parametrize("what", ["Accuracy", "Zorbiness"])
def test_a_word_for_who_rates_and_a_number_are_a_rater(
    word: str, what: str, tmp_path: Path
) -> None:
    heads = [f"{what} (1-5) {word} {n}" for n in (1, 2)]
    if ord(word[0]) > 0x2E80:
        heads = [f"{what} (1-5) {word}{n}" for n in (1, 2)]
    code, said, into = came_in(tmp_path, ",".join([HEADS, *heads]), *rows_of(2))
    assert code == 0, said
    frame = Study.open_whole(into).judgements_on_file.frame
    assert len(raters_of(into)) == 2
    assert set(frame["dimension"].to_list()) == {what.casefold()}


def test_how_sure_raters_were_is_asked_about_beside_their_ratings(tmp_path: Path) -> None:
    heads = ["Accuracy R1", "Accuracy R2", "Confidence R1", "Confidence R2"]
    code, said, _ = came_in(tmp_path, ",".join([HEADS, *heads]), *rows_of(4))
    assert code == BAD_INPUT
    assert 'What is in "Confidence R1", "Confidence R2"?' in said
    words = [word for head in heads[2:] for word in ("--column", f"skip={head}")]
    code, said, into = came_in(tmp_path, ",".join([HEADS, *heads]), *rows_of(4), words=words)
    assert code == 0, said
    assert set(raters_of(into)) == {"R1", "R2"}
