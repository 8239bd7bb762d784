import random
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medassay.errors import InvalidInput
from medassay.judgements import Judgements, Rubric, load_rubric
from medassay.tables import write_atomically

RUBRIC = load_rubric("archehr")
Row = dict[str, object]


def problems(path: Path, text: str) -> list[str]:
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput) as caught:
        Judgements.read(path, RUBRIC)
    return [str(problem) for problem in caught.value.problems]


def row(**cells: object) -> Row:
    fixed: Row = {"rater": "r1", "system": "A", "case": "1"}
    return {**fixed, "dimension": "uses-evidence", "label": "Yes", **cells}


def test_the_same_rows_in_three_forms_are_the_same_table(tmp_path: Path) -> None:
    rows = [
        row(position=1, seconds=2.5, time="2025-01-31T14:05:00Z"),
        row(case="2", label=None, reason="cannot_judge"),
    ]
    csv = "rater,system,case,dimension,label,reason,position,seconds,time\n"
    csv += "r1,A,1,uses-evidence, Yes ,,1,2.5,2025-01-31T15:05:00+01:00\n"
    csv += "r1,A,2,uses-evidence,,cannot_judge,,,\n"
    (tmp_path / "j.csv").write_text(csv, encoding="utf-8")
    jsonl = '{"rater":"r1","system":"A","case":1,"dimension":"uses-evidence","label":"Yes",'
    jsonl += '"position":1,"seconds":2.5,"time":"2025-01-31T14:05:00"}\n'
    jsonl += (
        '{"rater":"r1","system":"A","case":2,"dimension":"uses-evidence","reason":"cannot_judge"}'
    )
    (tmp_path / "j.jsonl").write_text(jsonl, encoding="utf-8")
    expected = Judgements.from_rows(rows, RUBRIC).frame
    expected.write_parquet(tmp_path / "j.parquet")
    for name in ("j.csv", "j.jsonl", "j.parquet"):
        assert Judgements.read(tmp_path / name, RUBRIC).frame.equals(expected), name


def test_every_problem_is_reported_at_once_in_the_order_of_the_rows(tmp_path: Path) -> None:
    found = problems(
        tmp_path / "judgements.csv",
        "rater,system,case,dimension,label,reason,phase,seconds,positon\n"
        "r1,A,1,uses-evidence,Refuted,,,,\n"
        "r1,A,1,uses-evidense,Yes,,,,\n"
        ",A,1,uses-evidence,Yes,,,,\n"
        "r1,A,1,uses-evidence,Yes,cannot_judge,,,\n"
        "r1,A,1,uses-evidence,,,mian,-3,\n"
        "r1,A,1,uses-evidence,not_applicable,,,,\n",
    )
    columns = "rater, system, case, dimension, label, rater_kind, reason, phase, position, time"
    columns += (
        ", seconds, comment, sample, about, number, kind, severity, confidence, display, guess"
    )
    columns += ", probabilities, rationale, carried, language"
    dimensions = "answers-question, uses-evidence, uses-knowledge"
    expected = f"""
judgements.csv, row 1, column positon: must be one of the columns {columns}; \
got "positon". Did you mean "position"?
judgements.csv, row 2, column label: must be one of Yes, No, Refutes; got "Refuted". \
Did you mean "Refutes"?
judgements.csv, row 3, column dimension: must be a dimension of archehr: {dimensions}; \
got "uses-evidense". Did you mean "uses-evidence"?
judgements.csv, row 4, column rater: must be filled; got an empty cell.
judgements.csv, row 5, column label: must hold a label or a reason, not both; got "Yes". \
Leave one of them empty: a reason says why there is no label.
judgements.csv, row 6, column label: must hold a label or a reason; got neither. \
Say why in the column reason: cannot_judge or not_applicable.
judgements.csv, row 6, column phase: must be one of calibration, main, repeat, adjudication; \
got "mian". Did you mean "main"?
judgements.csv, row 6, column seconds: must be a number, 0 or more; got "-3".
judgements.csv, row 7, column label: must be one of Yes, No, Refutes; got "not_applicable". \
It is a reason: put it in the column reason and leave the label empty.
"""
    assert found == expected.strip().split("\n")


def test_a_missing_column_is_said_once(tmp_path: Path) -> None:
    found = problems(tmp_path / "j.csv", "rater,system,case,label\nr1,A,1,Yes\n")
    assert found == [
        "j.csv, row 1, column dimension: must be there as a column; got rater, system, case, label."
    ]


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ({"time": "yesterday"}, "be a moment"),
        ({"position": 1.5}, "be a whole number"),
        ({"position": True}, "be a whole number"),
        ({"seconds": "inf"}, "be a number"),
        ({"case": ["1"]}, "be text"),
        ({"case": 1.5}, "be text"),
        ({"rater": "  "}, "be filled"),
        ({"rater_kind": "robot"}, "one of person, model"),
    ],
)
def test_a_cell_of_the_wrong_kind_is_refused(cells: Row, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        Judgements.from_rows([row(**cells)], RUBRIC)


def test_a_rater_is_a_person_or_a_model_not_both() -> None:
    rows = [row(), row(case="2", rater_kind="model")]
    with pytest.raises(InvalidInput, match=r"row 2, column rater_kind: must be the same"):
        Judgements.from_rows(rows, RUBRIC)


def test_aliases_become_labels_and_ids_stay_text() -> None:
    rows = [row(case=1, dimension="uses-knowledge", label="Refutes"), row(case="01")]
    frame = Judgements.from_rows(rows, RUBRIC).frame
    assert frame.select("case", "label").rows() == [("01", "Yes"), ("1", "Conflicting")]


def test_whole_numbers_that_a_spreadsheet_made_fractions_are_labels(tmp_path: Path) -> None:
    cells = {
        "rater": ["r"],
        "system": ["A"],
        "case": ["1"],
        "dimension": ["fluency"],
        "label": [2.0],
    }
    pl.DataFrame(cells).write_parquet(tmp_path / "j.parquet")
    read = Judgements.read(tmp_path / "j.parquet", load_rubric("cochrane"))
    assert read.frame["label"].to_list() == ["no errors"]


def test_no_rows_are_no_judgements() -> None:
    assert len(Judgements.from_rows([], RUBRIC)) == 0


def latest(*rows: Row) -> list[str]:
    return Judgements.from_rows(rows, RUBRIC).current()["label"].to_list()


def test_a_later_row_corrects_an_earlier_one_and_history_stays() -> None:
    rows = [row(label="No"), row(label="Yes"), row(label="Refutes", phase="repeat")]
    judgements = Judgements.from_rows(rows, RUBRIC)
    assert judgements.current()["label"].to_list() == ["Yes", "Refutes"]
    assert len(judgements) == 3
    assert judgements.corrected == 1
    more = Judgements.from_rows([row(label="No", comment="misread")], RUBRIC)
    assert judgements.append(more).current()["label"].to_list() == ["No", "Refutes"]


def test_time_decides_what_is_later_whatever_the_order_of_the_rows() -> None:
    early, late = (
        row(label="No", time="2025-01-01T09:30:00+02:00"),
        row(time="2025-01-01T08:00:00Z"),
    )
    assert latest(early, late) == latest(late, early) == ["Yes"]


def test_without_all_times_the_order_of_the_file_decides() -> None:
    timed, timeless = row(label="No", time="2025-01-01T09:30:00Z"), row(label="Refutes")
    assert latest(timed, timeless) == ["Refutes"]
    assert latest(timeless, timed) == ["No"]


@pytest.mark.slow
@given(st.randoms(use_true_random=False))
def test_the_order_of_rows_means_nothing_where_nothing_is_corrected(order: random.Random) -> None:
    rows = [row(rater=f"r{i}", case=str(j), seconds=i) for i in range(3) for j in range(4)]
    expected = Judgements.from_rows(rows, RUBRIC).frame
    order.shuffle(rows)
    assert Judgements.from_rows(rows, RUBRIC).frame.equals(expected)


WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=5).filter(
    lambda word: word == word.strip() and word != ""
)
NAMES = WORDS.filter(str.isprintable)


@pytest.mark.slow
@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "rater": NAMES,
                "system": NAMES,
                "case": NAMES,
                "label": st.sampled_from(["Yes", "No", "Refutes"]),
                "comment": st.none() | WORDS,
                "seconds": st.none() | st.floats(0, 1e6),
                "time": st.none() | st.datetimes().map(str),
            }
        ),
        min_size=1,
        max_size=5,
    )
)
def test_what_is_written_reads_back_the_same(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Row]
) -> None:
    path = tmp_path_factory.mktemp("back") / "judgements.csv"
    written = Judgements.from_rows([row(**cells) for cells in rows], RUBRIC)
    write_atomically(path, written.to_csv())
    assert Judgements.read(path, RUBRIC).frame.equals(written.frame)


@pytest.mark.parametrize(
    "typed",
    [
        "Für gut",
        "Fu\u0308r gut",
        "Für\u00a0gut",
        "Für  gut",
        "Ｆür gut",
        "Für\u200b gut",
        "Für\u3000gut",
    ],
)
def test_labels_that_only_look_the_same_are_the_same(typed: str) -> None:
    one = {"id": "d", "question": "?", "scale": "nominal"}
    labels = [{"label": "Für gut"}, {"label": "No"}]
    rubric = Rubric.model_validate({"name": "r", "dimensions": [{**one, "labels": labels}]})
    for dimension in ("d", "ｄ"):
        read = Judgements.from_rows([row(dimension=dimension, label=typed)], rubric)
        assert read.frame["label"].to_list() == ["Für gut"]
        assert read.frame["dimension"].to_list() == ["d"]


def test_an_unknown_label_that_looks_known_is_told_apart() -> None:
    with pytest.raises(InvalidInput) as problem:
        Judgements.from_rows([row(label="Y\u0435s")], RUBRIC)
    (said,) = problem.value.problems
    assert said.try_ == (
        'Did you mean "Yes"? They look alike: yours has U+0435 CYRILLIC SMALL LETTER IE where that '
        "has U+0065 LATIN SMALL LETTER E."
    )
