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
MOST_QUESTIONS = 3
"""Of an import, whatever the table."""


REFUSED = {
    "hold one answer of each system to each question": "two columns of texts are read as answers "
    "of one system, one of them without a question, and no one other answer parts them",
    "hold one score of each answer": "the column of systems is read as another, and no one other "
    "answer mends it",
    "say which system was rated": "no question is open, and nothing names a system",
    "say of the same answer what row": "a system's name heads its answers alone, which are numbers "
    "and read as labels: those of one person under several systems contradict each other",
    "be of a label under": "a question of yes and no is read once for each person in its header, "
    "and the question asks for one of the two words",
    "hold labels beside its raters": "the labels are read as another thing, and no one other "
    "answer makes them labels: a study of people who rated nothing is none",
    "have a column of questions and one of answers": "questions, systems and what was rated stand "
    "in one header each, and a column above them says nothing of which is which",
    "call the systems alike beside": "remarks are headed as answers are and read as those of other "
    "systems than were rated, and no one other answer mends it",
    "go into a study that exists": "a file whose columns are those of our own table of judgements "
    "is read as one: another format is named, not an answer",
    "be read whole": "answers are read as scores, and no one other answer leaves every cell a role",
}
"""Where a refusal names no line to type, what the table must do first, and why no line can be."""


@pytest.mark.slow
@pytest.mark.endure
def test_drawn_tables_are_read_right_or_asked_about(endurance: Endurance) -> None:
    rows = list(survey(range(endurance.size("tables", short=80, whole=5000))))
    settled = [row for row in rows if row.settled]
    endurance.found(
        f"{_count(rows, 'silent')} wrong in silence, {_count(rows, 'crashed')} crashed; "
        f"{_count(settled, 'equal'):,} of {len(settled):,} settled ones read without a question"
    )
    assert not told(rows), f"{shares_by('layout', rows)}\n\n{told(rows)}"
    asked = [row for row in rows if row.verdict.word == "asked"]
    ends = ("equal", "other", *(f"refused: {must}" for must in REFUSED))
    again = [(r.seed, r.verdict.typed) for r in asked if not r.verdict.typed.startswith(ends)]
    assert not again, f"not read by the line that the refusal names: {again}"
    many = [(r.seed, r.verdict.questions) for r in asked if r.verdict.questions > MOST_QUESTIONS]
    assert not many, f"asked more than {MOST_QUESTIONS} questions: {many}"
    known = [row for row in settled if row.words == "known"]
    assert _count(known, "equal") >= LEAST_KNOWN * len(known), shares_by("words", rows)
    assert _count(settled, "equal") >= LEAST_EQUAL * len(settled), shares_by("layout", rows)


def _count(rows: list[Surveyed], word: str) -> int:
    return sum(row.verdict.word == word for row in rows)
