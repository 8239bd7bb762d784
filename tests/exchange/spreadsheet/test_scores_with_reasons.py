"""A tool writes a reason beside each of its scores; and which end is better is said."""

import csv
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from medassay.cli import app
from medassay.exchange.spreadsheet.profile import number_of
from medassay.study import Study

ANSWERS = ["Rest and drink a lot.", "See a doctor at once.", "Take it with food.", "No, never."]


def written(folder: Path, beside: dict[str, list[str]]) -> Path:
    rows = {
        "question": [f"What helps against pain number {number}?" for number in range(4)],
        "answer": ANSWERS,
        **beside,
    }
    file = folder / "scored.csv"
    with file.open("w", encoding="utf-8", newline="") as held:
        writer = csv.writer(held)
        writer.writerow(rows)
        writer.writerows(zip(*rows.values(), strict=True))
    return file


def reasons(word: str) -> list[str]:
    return [f"The score is {number} since the {word} is seen there." for number in range(4)]


@pytest.mark.parametrize("known", ["AnswerRelevancy", "faithfulness", "context recall"])
@pytest.mark.parametrize(("score", "reason"), [("_score", "_reason"), ("", " explanation"),
                                               (" score", " rationale")])  # fmt: skip
def test_where_one_score_with_a_reason_is_a_metric_all_are(
    tmp_path: Path, known: str, score: str, reason: str
) -> None:
    beside: dict[str, list[str]] = {}
    for name, own in ((known, ["1", ".5", ".25", "0"]), ("Sovereignty [GEval]", ["0", "1", "", ""]),
                      ("Bias", ["0", "0.5", "0", "0"])):  # fmt: skip
        beside |= {f"{name}{score}": own, f"{name}{reason}": reasons(name)}
    into = tmp_path / "study"
    file = written(tmp_path, beside)
    result = CliRunner().invoke(app, ["import", str(file), "--into", str(into), "--yes"])
    assert result.exit_code == 0, result.output
    study = Study.open_whole(into)
    assert not study.judgements
    assert list(study.systems) == ["scored"]
    held = list((into / "scores").glob("*.toml"))
    assert len(held) == 3
    [bias] = [own for own in held if own.stem.lower().startswith("bias")]
    assert 'direction = "lower"' in bias.read_text(encoding="utf-8")
    assert "No file says which end of these scores is better." in result.output
    assert "the reason of a score" in result.output


def test_reasons_of_a_person_are_remarks(tmp_path: Path) -> None:
    beside = {
        "rater": ["anna", "anna", "ben", "ben"],
        "faithfulness score": ["1", "2", "5", "4"],
        "faithfulness rationale": reasons("text"),
    }
    file = written(tmp_path, beside)
    result = CliRunner().invoke(app, ["import", str(file), "--into", str(tmp_path / "s"), "--yes"])
    assert "the reason of a score" not in result.output


def test_a_known_metric_and_one_whose_file_says_so_are_not_asked_about(tmp_path: Path) -> None:
    file = written(tmp_path, {"faithfulness": ["1", ".5", ".25", "0"]})
    result = CliRunner().invoke(
        app, ["import", str(file), "--into", str(tmp_path / "s"), "--yes", "--json"]
    )
    assert result.exit_code == 0, result.output
    assert not [note for note in json.loads(result.stdout)["notes"] if "which end" in note]


@given(
    st.floats(-1e6, 1e6).filter(lambda number: not number or abs(number) > 1e-9),
    st.sampled_from([".", ",", "٫"]), st.sampled_from(["0.", "."]),
    st.sampled_from(["", "%", " %"]), st.sampled_from(["r", ".3e", ".6f"]),
)  # fmt: skip
def test_a_number_is_one_however_a_program_writes_it(
    number: float, point: str, whole: str, end: str, form: str
) -> None:
    text = repr(number) if form == "r" else format(number, form)
    wanted = float(text)
    if "e" not in text and text.lstrip("-").startswith("0."):  # R and SPSS write no 0
        text = text.replace("0.", whole, 1)
    written = text.replace(".", point).replace("-", "−", 1) if "e" not in text else text
    assert number_of(f"{written}{end}") == wanted
