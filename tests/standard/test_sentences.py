"""Findings are read once: short, one estimate a sentence, no phrase that readers stumble over."""

from pathlib import Path

import pytest
from tools.read_sentences import faults_of, found_sentences

PAGES = sorted((Path(__file__).parent / "frozen").glob("*/page.txt"))


@pytest.mark.parametrize("page", PAGES, ids=[page.parent.name for page in PAGES])
def test_every_finding_is_short_with_one_estimate_and_no_odd_phrase(page: Path) -> None:
    found = list(found_sentences(page.read_text(encoding="utf-8")))
    assert len(found) >= 2
    faults = {sentence: faults for sentence in found if (faults := faults_of(sentence))}
    assert faults == {}


@pytest.mark.parametrize(
    ("sentence", "faults"),
    [
        ("A got 12 of 20 right (60%; 95% CI 36 to 81).", []),
        ("A got 12 of 20 right and B got 3 of 20.", ["2 estimates"]),
        ("Alpha is 0.65 (95% CI 0.31 to 0.91; ICC(A,1) 0.66).", []),
        ("Alpha runs from 0.2 to 0.8.", ["'runs from'"]),
        ("This is " + "very " * 24 + "long.", ["27 words"]),
    ],
)
def test_what_a_reader_would_stumble_over_is_found(sentence: str, faults: list[str]) -> None:
    assert faults_of(sentence) == faults
