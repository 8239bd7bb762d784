"""The words of the scales that people use stand in their order, and quality is no helpfulness."""

from pathlib import Path

import pytest
from tests.exchange.spreadsheet.test_first_tries import BAD_INPUT, HEADS, TEXT, came_in, rows_of

from medassay.exchange.spreadsheet.headers import read_header
from medassay.exchange.spreadsheet.scale_words import read_ends
from medassay.exchange.spreadsheet.words import scales_in_words
from medassay.study import Study


def rated(*labels: str) -> list[str]:
    """Give a row for each answer; the labels take turns, as no order has them."""
    mixed = labels[1::2] + labels[::2]
    return [row.replace("LABEL", mixed[n % len(mixed)]) for n, row in enumerate(rows_of("LABEL"))]


def order_of(into: Path) -> list[str]:
    dimension = Study.open_whole(into).rubric.dimensions[0]
    labels = [label for label in dimension.labels if label.score is not None]
    return [label.label for label in sorted(labels, key=lambda label: label.score or 0.0)]


@pytest.mark.parametrize(
    "words",
    [
        ("Malo", "Regular", "Bueno", "Muy bueno"),
        ("差", "中", "良", "优"),
        ("trifft nicht zu", "trifft eher nicht zu", "teils/teils", "trifft eher zu", "trifft zu"),
        ("Disagree", "Neutral", "Agree"),
        ("insuffisant", "passable", "bien", "très bien"),
        ("insufficiente", "sufficiente", "buono", "ottimo"),
        ("onvoldoende", "voldoende", "goed", "zeer goed"),
        ("discordo", "neutro", "concordo"),
        ("不可", "可", "良", "優"),
        ("لا أوافق", "محايد", "أوافق"),
    ],
    ids=lambda words: words[0],
)
def test_the_words_of_a_scale_stand_in_their_order(words: tuple[str, ...], tmp_path: Path) -> None:
    code, said, into = came_in(tmp_path, f"{HEADS},Overall", *rated(*words))
    assert code == 0, said
    assert order_of(into) == [word.casefold() for word in words]
    assert f"read from worst to best as {' < '.join(order_of(into))}" in " ".join(said.split())


@pytest.mark.parametrize("scale", scales_in_words("ladders", "agreement"), ids=" ".join)
def test_no_two_words_of_a_scale_are_alike(scale: tuple[str, ...]) -> None:
    assert len(set(scale)) == len(scale) > 1


def test_who_agrees_that_an_answer_harms_says_the_worst(tmp_path: Path) -> None:
    rows = rated("disagree", "neutral", "agree")
    code, said, _ = came_in(tmp_path, f"{HEADS},Risk of error", *rows)
    assert code == BAD_INPUT
    likeliest = said.partition("Type one of: ")[2].partition(" (")[0]
    assert "agree<neutral<disagree" in likeliest


def test_words_that_no_scale_has_are_not_said_to_be_in_order(tmp_path: Path) -> None:
    code, said, _ = came_in(tmp_path, f"{HEADS},Overall", *rated("zig", "zag", "zug"))
    assert code == BAD_INPUT
    assert "in the order of the table: " in said
    assert "from worst to best" not in said


@pytest.mark.parametrize(
    ("header", "dimension"),
    [
        ("Quality R1", "quality"), ("Qualität (1-5) R1", "quality"), ("Calidad R1", "quality"),
        ("Qualité R1", "quality"), ("Kwaliteit R1", "quality"), ("质量 R1", "quality"),
        ("Sicherheit R1", "safety"), ("Seguridad R1", "safety"), ("Sécurité R1", "safety"),
        ("Sicurezza R1", "safety"), ("Segurança R1", "safety"), ("Veiligheid R1", "safety"),
    ],
)  # fmt: skip
def test_quality_and_safety_are_what_they_say(header: str, dimension: str) -> None:
    assert read_header(header).dimension == dimension


def headed_sicherheit(*labels: str) -> list[str]:
    """Give a table of two systems, with a column of Sicherheit each."""
    rows = [
        f"q{n},q{n}?,{TEXT} a{n},{TEXT} b{n},{labels[n % len(labels)]},{labels[-1 - n % 2]}"
        for n in range(1, 9)
    ]
    return ["id,question,Alpha answer,Beta answer,Alpha Sicherheit,Beta Sicherheit", *rows]


def test_under_sicherheit_people_rate_how_safe_an_answer_is(tmp_path: Path) -> None:
    table = headed_sicherheit("1", "5", "3", "4")
    code, said, into = came_in(tmp_path, *table, words=["--rater", "Rossi"])
    assert code == 0, said
    frame = Study.open_whole(into).judgements_on_file.frame
    assert set(frame["dimension"].to_list()) == {"safety"}


def test_shares_under_sicherheit_are_how_sure_a_system_is(tmp_path: Path) -> None:
    code, said, into = came_in(tmp_path, *headed_sicherheit(".4", ".9"))
    assert code == 0, said
    assert {answer.confidence for answer in Study.open_whole(into).answers} == {0.4, 0.9}


def test_a_scale_of_marks_has_its_ends_from_its_name() -> None:
    ends, rest = read_ends("Qualität (Schulnote) R1")
    assert ends is not None
    assert (ends.low, ends.high, rest) == (1, 6, "Qualität R1")


def test_the_other_end_is_offered_behind_the_likeliest(tmp_path: Path) -> None:
    code, said, _ = came_in(tmp_path, f"{HEADS},Right", *rated("No", "Partially", "Yes"))
    assert code == BAD_INPUT
    first, last = said.find("right=No<Partially<Yes"), said.find("right=Yes<Partially<No")
    assert 0 < first < last
