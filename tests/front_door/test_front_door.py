"""Drawn tables of other people are read as they were drawn, or asked about: never wrong in silence.

Which table a seed draws, and how its import ended: `python -m tests.front_door.survey 1 SEED`.
"""

import pytest
from tests.front_door.survey import Surveyed, shares_by, survey, told
from tools.endurance import Endurance

LEAST_KNOWN = 0.85
"""Of settled tables whose headers are words of the product's files."""
LEAST_EQUAL = 0.55
"""Of all settled tables. Of those with words that were kept from the files about a third are read
without a question: they are known by their cells alone, and asked about where these leave two
readings."""


MOST_AGAIN = 0.2
"""Of tables asked about, those that the line which the refusal names does not bring in: where the
likeliest answer is refuted by the cells."""


@pytest.mark.slow
@pytest.mark.endure
def test_drawn_tables_are_read_right_or_asked_about(endurance: Endurance) -> None:
    rows = list(survey(range(endurance.size("tables", short=200, whole=5000))))
    settled = [row for row in rows if row.settled]
    endurance.found(
        f"{_count(rows, 'silent')} wrong in silence, {_count(rows, 'crashed')} crashed; "
        f"{_count(settled, 'equal'):,} of {len(settled):,} settled ones read without a question"
    )
    assert not told(rows), f"{shares_by('layout', rows)}\n\n{told(rows)}"
    asked = [row for row in rows if row.verdict.word == "asked"]
    again = [row.seed for row in asked if row.verdict.typed in {"asked again", "crashed"}]
    assert len(again) <= MOST_AGAIN * len(asked), f"not read by the line they name: {again}"
    known = [row for row in settled if row.words == "known"]
    assert _count(known, "equal") >= LEAST_KNOWN * len(known), shares_by("words", rows)
    assert _count(settled, "equal") >= LEAST_EQUAL * len(settled), shares_by("layout", rows)


def _count(rows: list[Surveyed], word: str) -> int:
    return sum(row.verdict.word == word for row in rows)
