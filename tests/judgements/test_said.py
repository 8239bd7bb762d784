"""What a judgement may say beside a label, and what is refused."""

from pathlib import Path

import pytest

from medassay.errors import InvalidInput
from medassay.judgements import Dimension, Judgements, Label, NumberScale, Preferences, Rubric

_YES_NO = (Label(label="yes"), Label(label="no", aliases=("nope",)))
RUBRIC = Rubric(
    name="all",
    dimensions=(
        Dimension(id="safe", question="Safe?", scale="nominal", labels=_YES_NO),
        Dimension.model_validate(
            {
                "id": "adequacy", "question": "How good?", "confidence": "0-1",
                "number": NumberScale(low=0, high=100, unit="points"),
            }
        ),
        Dimension.model_validate(
            {
                "id": "errors", "question": "Which passages?", "about": "span",
                "kinds": (Label(label="wrong"), Label(label="unsupported", aliases=("bare",))),
                "severities": (Label(label="minor", score=1), Label(label="major", score=5)),
                "confidence": ("unsure", "sure"),
            }
        ),
    ),
)  # fmt: skip
Row = dict[str, object]


def row(dimension: str, **cells: object) -> Row:
    return {"rater": "r1", "system": "A", "case": "1", "dimension": dimension, **cells}


def refused(*rows: Row) -> list[str]:
    with pytest.raises(InvalidInput) as caught:
        Judgements.from_rows(rows, RUBRIC)
    return [str(problem) for problem in caught.value.problems]


GOOD = [
    row(
        "safe", label="nope", display="citations", guess="A", rationale="=SUM(1) is no reason",
        probabilities={"nope": 0.75, "yes": 0.25},
    ),
    row("adequacy", number="87.5", confidence="0.80"),
    row("errors", kind="bare", severity="major", about="span:3-9", confidence="sure"),
    row("errors", kind="none", case="2"),
    row("errors", reason="cannot_judge", case="3"),
]  # fmt: skip


def test_everything_that_a_judgement_says_is_kept(tmp_path: Path) -> None:
    judgements = Judgements.from_rows(GOOD, RUBRIC)
    said = judgements.frame.select(
        "dimension", "label", "number", "kind", "severity", "about", "confidence", "probabilities"
    ).rows()
    assert said == [
        ("adequacy", None, 87.5, None, None, "", "0.8", None),
        ("errors", None, None, "unsupported", "major", "span:3-9", "sure", None),
        ("errors", None, None, "none", None, "", None, None),
        ("errors", None, None, None, None, "", None, None),
        ("safe", "no", None, None, None, "", None, '{"no":0.75,"yes":0.25}'),
    ]
    path = tmp_path / "judgements.csv"
    path.write_bytes(judgements.to_csv())
    assert "'=SUM" in path.read_text(encoding="utf-8")
    assert Judgements.read(path, RUBRIC).frame.equals(judgements.frame)


def test_columns_that_say_nothing_are_not_written() -> None:
    plain = Judgements.from_rows([row("safe", label="yes")], RUBRIC)
    header = plain.to_csv().decode().splitlines()[0]
    assert header == (
        "rater,rater_kind,system,case,dimension,label,reason,phase,position,time,seconds,comment"
    )


@pytest.mark.parametrize(
    ("cells", "column", "must"),
    [
        (row("adequacy", number=101), "number", "be a number from 0 to 100 points"),
        (row("adequacy", number="many"), "number", "be a number"),
        (row("adequacy", label="yes"), "label", "be empty, since adequacy asks for a number"),
        (row("safe", number=3), "number", "be empty, since safe asks for a label"),
        (
            row("adequacy", number=3, reason="cannot_judge"),
            "number",
            "a number or a reason, not both",
        ),
        (row("adequacy", number=3, confidence="sure"), "confidence", "be a number from 0 to 1"),
        (
            row("safe", label="yes", confidence="1"),
            "confidence",
            "be empty, since safe does not ask",
        ),
        (
            row("errors", kind="wrong", severity="bad", about="span:1-2"),
            "severity",
            "be one of minor",
        ),
        (row("errors", kind="wrong", about="span:1-2"), "severity", "say how bad the span is"),
        (row("errors", kind="wrong", severity="minor"), "about", "name characters of the answer"),
        (
            row("errors", kind="none", severity="minor"),
            "severity",
            "be empty where no span is marked",
        ),
        (row("errors", kind="odd", severity="minor", about="span:1-2"), "kind", "be one of wrong"),
        (row("safe", label="yes", probabilities="{"), "probabilities", "be JSON"),
        (
            row("safe", label="yes", probabilities={"oui": 1}),
            "probabilities",
            "name labels: yes, no",
        ),
        (row("safe", label="yes", probabilities={"yes": 0.5}), "probabilities", "add up to 1"),
        (row("safe", label="yes", probabilities={"yes": 2}), "probabilities", "from 0 to 1"),
        (row("adequacy", number=1, probabilities={"yes": 1}), "probabilities", "has no labels"),
    ],
)
def test_what_does_not_fit_the_dimension_is_refused(cells: Row, column: str, must: str) -> None:
    found = refused(*GOOD, cells)
    assert any(f"row 6, column {column}: must" in one and must in one for one in found), found


def test_a_file_of_numbers_alone_needs_no_column_of_labels() -> None:
    assert len(Judgements.from_rows([row("adequacy", number=3)], RUBRIC)) == 1
    (found,) = refused(row("adequacy"), row("safe"))
    assert "column label: must be there as a column" in found


def test_preferences_say_how_sure_and_what_was_shown() -> None:
    pair: Row = {"rater": "j", "rater_kind": "model", "case": "1", "system_a": "A", "system_b": "B"}
    said = {"choice": "a", "confidence": 0.9, "display": "bare", "rationale": "A names the dose."}
    likely = {"probabilities": {"tie": 0.1, "a": 0.9}}
    preferences = Preferences.from_rows([{**pair, **said, **likely}])
    assert preferences.frame.select("confidence", "display", "probabilities").row(0) == (
        "0.9",
        "bare",
        '{"a":0.9,"tie":0.1}',
    )
    with pytest.raises(InvalidInput, match=r"confidence: must be a number from 0 to 1; got .90"):
        Preferences.from_rows([{**pair, "choice": "a", "confidence": 90}])
