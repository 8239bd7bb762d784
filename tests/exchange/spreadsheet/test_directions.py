"""Which end of a scale is good: read where words settle it, asked where they do not."""

import re
import tomllib
from pathlib import Path

import pytest
from tests.exchange.spreadsheet.test_first_tries import BAD_INPUT, TEXT, came_in

HEADS = "id,question,system,answer,rater"


def rows_of(*cells: str) -> list[str]:
    """Give two rows a question; the labels are those given, in turn."""
    return [
        f"q{n},q{n}?,{system},{TEXT} {system}{n},Rossi,{cells[(2 * n + at) % len(cells)]}"
        for n in range(1, 5)
        for at, system in enumerate(("X", "Y"))
    ]


def dimensions_of(into: Path) -> list[dict[str, object]]:
    held = tomllib.loads((into / "rubric.toml").read_text(encoding="utf-8"))
    return list(held["dimensions"])


@pytest.mark.parametrize(
    "header",
    [
        "Gefährlichkeit (1-5)", "Dangerousness 1-5", "Risk to patient (1 = none, 5 = severe)",
        "Riesgo para el paciente (1 = ninguno, 5 = muy grave)", "Bias (1 = no, 5 = heavy bias)",
        "Severity of errors (1 = none, 5 = severe)", "Schadenspotenzial (1 = kein, 5 = schwer)",
        "The answer is unsafe (1 = strongly disagree, 5 = strongly agree)",
        "Could harm the patient (1 = strongly agree, 5 = strongly disagree)",
        "危害程度（1=无，5=严重）", "Gravità (1-5)", "Dangerosité (1-5)",
    ],
)  # fmt: skip
def test_of_what_is_bad_no_words_of_a_scale_settle_the_good_end(
    header: str, tmp_path: Path
) -> None:
    code, said, into = came_in(tmp_path, f'{HEADS},"{header}"', *rows_of("1", "5", "3"))
    assert code == BAD_INPUT
    assert "Which end of" in said
    assert ",lower" in said
    assert ",higher" in said
    assert not into.exists()


@pytest.mark.parametrize(
    ("labels", "likelier"),
    [
        (("5 (safe)", "4", "2 (harm possible)"), "higher"),
        (("5 (harm possible)", "4", "1 (safe)"), "lower"),
        (("5 - safe", "3 - unclear", "1 - dangerous"), "higher"),
        (("5 - dangerous", "3 - unclear", "1 - safe"), "lower"),
    ],
)
def test_the_likelier_end_is_that_whose_words_say_so(
    labels: tuple[str, ...], likelier: str, tmp_path: Path
) -> None:
    code, said, _ = came_in(tmp_path, f"{HEADS},Safety", *rows_of(*labels))
    assert code == BAD_INPUT
    (first, *_) = re.findall(r"--scale safety=1-5,(lower|higher)", said)
    assert first == likelier


@pytest.mark.parametrize("end", ["lower", "higher"])
def test_a_typed_direction_is_asked_no_more(end: str, tmp_path: Path) -> None:
    words = ("--scale", f"risk-to-patient=1-5,{end}")
    code, said, into = came_in(
        tmp_path, f"{HEADS},Risk to patient (1-5)", *rows_of("1", "5", "3"), words=words
    )
    assert code == 0, said
    assert dimensions_of(into)[0].get("better", "higher") == end


def test_a_typed_scale_alone_leaves_the_harmful_end_to_be_asked(tmp_path: Path) -> None:
    words = ("--scale", "safety=0-3")
    code, said, _ = came_in(
        tmp_path, f"{HEADS},harm_0none_3severe", *rows_of("0", "3"), words=words
    )
    assert code == BAD_INPUT
    assert "is the harmful one?" in said


@pytest.mark.parametrize(
    "header",
    [
        "Quality, 1 (best) to 5 (worst)",
        "Exactitude (1 = tout à fait d'accord, 5 = pas du tout d'accord)",
        "Richtigkeit (1 = stimme voll zu, 5 = stimme gar nicht zu)",
        "准确性 (1=非常同意, 5=非常不同意)",
    ],
)
def test_words_at_the_ends_say_which_is_good(header: str, tmp_path: Path) -> None:
    code, said, into = came_in(tmp_path, f'{HEADS},"{header}"', *rows_of("1", "5", "3"))
    assert code == 0, said
    assert dimensions_of(into)[0]["better"] == "lower"


def test_what_is_typed_of_yes_under_one_header_says_nothing_of_it_under_another(
    tmp_path: Path,
) -> None:
    heads = f"{HEADS},Correct?,May do damage?"
    words = ("--column", "rating.injury=May do damage?", "--label", "injury.harm=Yes")
    code, said, into = came_in(tmp_path, heads, *rows_of("Yes,No", "No,Yes"), words=words)
    assert code == 0, said
    correct, injury = dimensions_of(into)
    assert "mappings" not in correct
    assert [label["score"] for label in correct["labels"]] == [1, 0]  # type: ignore[attr-defined]
    assert injury["mappings"] == {"harmful": {"yes": "harmful", "no": "not harmful"}}


def test_of_harm_none_is_a_grade_and_no_empty_cell(tmp_path: Path) -> None:
    words = ("--scale", "safety=severe<moderate<mild<none")
    cells = ("none", "mild", "severe", "moderate")
    code, said, _ = came_in(tmp_path, f"{HEADS},Severity of harm", *rows_of(*cells), words=words)
    assert code == 0, said
    assert "8 ratings" in said
    assert "not judged" not in said
