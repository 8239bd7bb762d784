"""The figures of docs/concepts.md are what the command gives."""

from pathlib import Path

import pytest
from tools.measure_concepts import Text, measure, read_marked, table

from medassay.models.concepts import Vocabulary

PAGE = Path(__file__).parents[3] / "docs" / "concepts.md"


def test_counting_by_hand() -> None:
    known = Vocabulary(["fever", "lassa", "rest"], [0, 1, 2], [("F", "f"), ("L", "l"), ("R", "r")])
    # Marks: "Lassa fever" (a part found, twice), "rash" (not found). "rest" is found and no mark.
    got = measure(
        known, [Text("Lassa fever, rash, rest.", {(0, 11): "problem", (13, 17): "problem"})]
    )
    assert (got.found, got.right) == (3, 2)
    assert (got.marked["problem"], got.exact["problem"], got.touched["problem"]) == (2, 0, 1)


def test_the_marked_answers_are_whole() -> None:
    texts = read_marked()
    assert len(texts) == 100
    assert sum(len(one.marks) for one in texts) == 664
    assert "Escitalopram" in texts[0].text[: texts[0].text.index(",")]


@pytest.mark.slow
def test_the_page_says_what_is_measured() -> None:
    """The rows that need nothing but the extra; the others need packages that tests lack."""
    page = PAGE.read_text(encoding="utf-8").splitlines()
    made = [line for line in table().splitlines() if line.startswith("| the extra")]
    assert made
    assert set(made) <= set(page)
