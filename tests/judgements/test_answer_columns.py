"""What a dimension may ask beside labels: a number, spans of some kinds, how sure a rater is."""

from pathlib import Path

import pytest

from medassay.errors import InvalidInput
from medassay.judgements import load_rubric


def write(folder: Path, text: str) -> Path:
    path = folder / "small.toml"
    path.write_text(text, encoding="utf-8")
    return path


NUMBER = """
name = "small"
[[dimensions]]
id = "adequacy"
question = "How good is it?"
number = { low = 0, high = 100, unit = "points" }
confidence = "0-1"
[[dimensions]]
id = "errors"
question = "Which passages are wrong?"
about = "span"
kinds = [{ label = "wrong" }, { label = "unsupported", aliases = ["no source"] }]
severities = [{ label = "minor", score = 1 }, { label = "major", score = 5 }]
confidence = ["unsure", "sure"]
"""


def test_a_dimension_may_ask_for_a_number_or_for_spans(tmp_path: Path) -> None:
    adequacy, errors = load_rubric(write(tmp_path, NUMBER)).dimensions
    assert (adequacy.column, adequacy.scale) == ("number", "interval")
    assert str(adequacy.number) == "a number from 0 to 100 points"
    assert adequacy.confidence_is_number
    assert (errors.column, errors.scale, errors.about) == ("kind", "nominal", "span")
    assert errors.confidence == ("unsure", "sure")


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        ("low = 0", "low = 200", "have low below high in number"),
        ("question", 'scale = "ordinal"\nquestion', "be interval in scale where a number is asked"),
        ("unit =", "units =", "be one of low, high, unit"),
        ('"0-1"', '"sure"', 'be "0-1" or two words and more'),
        ('about = "span"\n', "", "be about spans where it has kinds"),
        ('label = "wrong"', 'label = "none"', 'call a kind something else than "none"'),
        ('label = "wrong"', 'label = "no source"', "use each word once in kinds"),
        (
            'about = "span"\n',
            'about = "span"\nnumber = { low = 0 }\n',
            "have labels, number or kinds, one of the three",
        ),
    ],
)
def test_what_a_dimension_asks_holds_together(
    tmp_path: Path, old: str, new: str, wrong: str
) -> None:
    with pytest.raises(InvalidInput, match=wrong):
        load_rubric(write(tmp_path, NUMBER.replace(old, new, 1)))


def test_a_dimension_that_asks_nothing_is_refused(tmp_path: Path) -> None:
    text = NUMBER.split("number =", maxsplit=1)[0]
    with pytest.raises(InvalidInput, match=r"labels, number or kinds.* none of them"):
        load_rubric(write(tmp_path, text))
