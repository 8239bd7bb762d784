"""Frames of pandas and polars go in and come out; what is wrong in one is named by its place."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import medassay as ma
from medassay.scores import Reason, Score, Unscored
from medassay.tables import sheet_of_frame, to_pandas

RUBRIC = ma.load_rubric("likert5")
names = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=5)
words = st.one_of(st.none(), st.sampled_from(["x", "a, b", "ü", '"', "1"]))
numbers = st.floats(0, 1e6, allow_nan=False)
moments = st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1))  # noqa: DTZ001 - made aware below
FORMS: dict[str, Callable[[Any], Any]] = {"pandas": lambda held: held.to_pandas(),
                                          "polars": lambda held: held.to_polars()}  # fmt: skip


@st.composite
def judgement_rows(draw: st.DrawFn) -> list[dict[str, object]]:
    keys = draw(st.lists(st.tuples(names, names, names), min_size=1, max_size=8, unique=True))
    timed, placed = draw(st.booleans()), draw(st.booleans())
    rows: list[dict[str, object]] = []
    for rater, system, case in keys:
        said = draw(st.sampled_from("12345-"))
        rows.append(
            {
                "rater": rater, "system": system, "case": case, "dimension": "quality",
                "label": None if said == "-" else said,
                "reason": "cannot_judge" if said == "-" else None,
                "comment": draw(words),
                "seconds": draw(st.one_of(st.none(), numbers)),
                "position": draw(st.one_of(st.none(), st.integers(0, 99))) if placed else None,
                "time": draw(moments).replace(tzinfo=UTC).isoformat() if timed else None,
                "sample": draw(st.integers(0, 2)),
            }
        )  # fmt: skip
    return rows


@st.composite
def preference_rows(draw: st.DrawFn) -> list[dict[str, object]]:
    keys = draw(st.lists(st.tuples(names, names), min_size=1, max_size=8, unique=True))
    return [
        {
            "rater": rater, "case": case, "system_a": "A", "system_b": "B",
            "choice": draw(st.sampled_from(["a", "b", "tie"])), "comment": draw(words),
            "confidence": draw(st.one_of(st.none(), st.floats(0, 1))),
        }
        for rater, case in keys
    ]  # fmt: skip


@st.composite
def score_tables(draw: st.DrawFn) -> ma.ScoreTable:
    keys = draw(st.lists(st.tuples(names, names), min_size=1, max_size=8, unique=True))
    scores = st.one_of(
        st.builds(Score, numbers, st.lists(numbers, max_size=3).map(tuple)),
        st.builds(Unscored, st.sampled_from(Reason), st.sampled_from(["", "why"])),
    )
    sources = ("bleu", "mean(dimension=quality)")
    return ma.ScoreTable.from_rows(
        [(system, case, source, draw(scores)) for system, case in keys for source in sources]
    )


@st.composite
def case_records(draw: st.DrawFn) -> list[ma.Case]:
    ids = draw(st.lists(names, min_size=1, max_size=6, unique=True))
    return [
        ma.Case(
            case=case,
            question=draw(st.one_of(st.none(), names)),
            options=draw(st.sampled_from([{}, {"A": "Yes", "B": "No"}])),
            references=[{"text": text} for text in draw(st.lists(names, max_size=2))],
            tags=draw(st.dictionaries(st.sampled_from(["year", "field"]), names, max_size=2)),
        )
        for case in ids
    ]


@st.composite
def answer_records(draw: st.DrawFn) -> list[ma.Answer]:
    keys = draw(st.lists(st.tuples(names, names), min_size=1, max_size=6, unique=True))
    made = []
    for system, case in keys:
        cells: dict[str, Any] = draw(
            st.sampled_from(
                [{"text": ""}, {"text": "Rest."}, {"choice": "A"}, {"held": False},
                 {"statements": [{"text": "Rest.", "citations": ["2"]}]},
                 {"text": "x", "retrieved": [{"document": "d", "score": 1.5}]}]
            )
        )  # fmt: skip
        seconds = draw(st.one_of(st.none(), numbers))
        made.append(ma.Answer(system=system, case=case, seconds=seconds, **cells))
    return made


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=25, deadline=None)
@given(rows=judgement_rows())
def test_judgements_go_out_and_come_back(form: str, rows: list[dict[str, object]]) -> None:
    held = ma.Judgements.from_rows(rows, RUBRIC)
    back = ma.Judgements.from_frame(FORMS[form](held), RUBRIC)
    assert back.frame.equals(held.frame)


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=25, deadline=None)
@given(rows=preference_rows())
def test_preferences_go_out_and_come_back(form: str, rows: list[dict[str, object]]) -> None:
    held = ma.Preferences.from_rows(rows)
    assert ma.Preferences.from_frame(FORMS[form](held)).frame.equals(held.frame)


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=25, deadline=None)
@given(held=score_tables())
def test_scores_go_out_and_come_back(form: str, held: ma.ScoreTable) -> None:
    assert ma.ScoreTable.from_frame(FORMS[form](held)).frame.equals(held.frame)


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=25, deadline=None)
@given(records=case_records())
def test_cases_go_out_and_come_back(form: str, records: list[ma.Case]) -> None:
    held = ma.Cases.of(records)
    assert [*ma.Cases.from_frame(FORMS[form](held))] == records


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=25, deadline=None)
@given(records=answer_records())
def test_answers_go_out_and_come_back(form: str, records: list[ma.Answer]) -> None:
    held = ma.Answers.of(records)
    assert [*ma.Answers.from_frame(FORMS[form](held))] == records


LONG: dict[str, list[Any]] = {
    "rater": ["anna", "anna", "ben", "ben"], "system": ["A"] * 4, "case": [1, 2, 1, 2],
    "dimension": ["quality"] * 4, "label": [4, 5, 3, 5],
}  # fmt: skip
MADE: dict[str, Callable[[dict[str, Any]], Any]] = {
    "pandas": pd.DataFrame,
    "polars": lambda cells: pl.DataFrame(cells, strict=False),
    "pandas, cells that are objects": lambda cells: pd.DataFrame(cells, dtype=object),
    "pandas, categories": lambda cells: pd.DataFrame(cells).astype(
        {"rater": "category"} if "rater" in cells else {}
    ),
}


def said(judgements: ma.Judgements) -> list[tuple[object, ...]]:
    return judgements.frame.select("rater", "system", "case", "dimension", "label").rows()


@pytest.mark.parametrize("make", MADE)
def test_long_and_wide_say_the_same(make: str) -> None:
    long = ma.Judgements.from_frame(MADE[make](LONG), RUBRIC)
    by_rater = {"system": ["A", "A"], "case": [1, 2], "anna": [4, 5], "ben": [3, 5]}
    by_dimension = {name: LONG[name] for name in ("rater", "system", "case")}
    by_dimension["quality"] = LONG["label"]
    by_system = {"rater": LONG["rater"], "case": LONG["case"], "A": LONG["label"]}
    assert said(long) == said(ma.Judgements.from_rows(rows_of(LONG), RUBRIC))
    for cells, across in ((by_rater, "rater"), (by_dimension, "dimension"), (by_system, "system")):
        wide = ma.Judgements.from_frame(MADE[make](cells), RUBRIC, across=across)  # type: ignore[arg-type]  # drawn
        assert said(wide) == said(long)


def rows_of(cells: dict[str, list[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(cells, row, strict=True)) for row in zip(*cells.values(), strict=True)]


def test_an_index_with_names_is_read_and_one_that_counts_is_not() -> None:
    frame = pd.DataFrame(LONG)
    indexed = frame.set_index(["rater", "case"])
    filtered = pd.concat([frame, frame.assign(rater="cara")]).query("rater != 'cara'")
    for given_frame in (indexed, filtered, frame.iloc[::-1]):
        assert said(ma.Judgements.from_frame(given_frame, RUBRIC)) == said(
            ma.Judgements.from_frame(frame, RUBRIC)
        )


def test_whatever_speaks_arrow_is_a_frame() -> None:
    class Spoken:
        def __init__(self, frame: pl.DataFrame) -> None:
            self.__arrow_c_stream__ = frame.__arrow_c_stream__

    spoken = Spoken(pl.DataFrame({"case": [1, 2]}))
    assert sheet_of_frame(spoken, "cases").columns == {"case": [1, 2]}


def test_an_empty_cell_of_a_wide_frame_is_nothing_said() -> None:
    for gap in (None, np.nan, pd.NA):
        frame = pd.DataFrame({"system": ["A"], "case": [1], "anna": [4], "ben": [gap]})
        assert len(ma.Judgements.from_frame(frame, RUBRIC, across="rater")) == 1
    frame = pd.DataFrame({"case": [1, 2], "A": ["Rest.", None], "B": ["", "Drink."]})
    answers = ma.Answers.from_frame(frame, across="system")
    assert [(each.system, each.case, each.text) for each in answers] == [
        ("A", "1", "Rest."), ("B", "1", ""), ("B", "2", "Drink."),
    ]  # fmt: skip
    table = ma.ScoreTable.from_frame(
        pd.DataFrame({"system": ["A", "A"], "case": [1, 2], "bleu": [0.5, None]}), across="source"
    )
    assert table.frame["reason"].to_list() == [None, "not_imported"]


WIDE: dict[str, list[Any]] = {"system": ["A", "A"], "case": [1, 2], "anna": [4, 5], "ben": [3, 5]}
TWICE = {**LONG, "rater": ["anna", "anna", "ben", "anna"], "case": [1, 2, 1, 1]}
WRONG: dict[str, tuple[dict[str, list[Any]], str | None, str]] = {
    "a judgement twice": (
        TWICE,
        None,
        (
            "row 4: must hold a judgement once; got rater anna, system A, case 1, "
            "dimension quality in rows 1, 4. Leave out all but the one that holds, or give each "
            "its time (column time)."
        ),
    ),
    "a judgement twice, one of them with a time": (
        {**TWICE, "time": ["2025-01-01T00:00:00Z", None, None, None]},
        None,
        "row 4: must hold a judgement once",
    ),
    "a judgement twice in a wide frame": (
        {"system": ["A", "A"], "case": [1, 1], "anna": [4, 5]},
        "rater",
        (
            "row 2: must hold a judgement once; got rater anna, system A, case 1, "
            "dimension quality in rows 1, 2."
        ),
    ),
    "one rater in two columns": (
        {"system": ["A"], "case": [1], "anna": [4], " anna": [5]},
        "rater",
        "rater anna, system A, case 1, dimension quality in columns anna,  anna.",
    ),
    "a scale of another kind in a wide frame": (
        {"system": ["A"] * 5, "case": [1, 2, 3, 4, 5], "anna": [1] * 5, "ben": [1, 9, 7, 8, 7]},
        "rater",
        (
            "row 2, column ben: must be one of 1, 2, 3, 4, 5; got values up to 9 of ben on 4 rows "
            "(2, 3, 4 ...)"
        ),
    ),
    "raters side by side": (
        {"system": ["A"], "case": [1], "Reviewer 1": [4], "Reviewer 2": [3]},
        None,
        (
            "must have a column label, or be read as a wide frame; got the columns Reviewer 1, "
            'Reviewer 2. If each of these columns is a rater: across="rater".'
        ),
    ),
    "systems side by side": (
        {"rater": ["r"], "case": [1], "GPT": [4], "B": [3]},
        None,
        'If each of these columns is a system: across="system".',
    ),
    "dimensions side by side": (
        {"rater": ["r"], "system": ["A"], "case": [1], "quality": [3]},
        None,
        'If each of these columns is a dimension: across="dimension".',
    ),
    "a misspelt column of labels": (
        {"rater": ["r"], "system": ["A"], "case": [1], "lable": [3]},
        None,
        'got "lable". Did you mean "label"?',
    ),
    "a label": (
        {**LONG, "label": [4, 5, 9, 5]},
        None,
        'row 3, column label: must be one of 1, 2, 3, 4, 5; got "9"',
    ),
    "a label of a wide frame": (
        {**WIDE, "ben": [3, 7]},
        "rater",
        'row 2, column ben: must be one of 1, 2, 3, 4, 5; got "7"',
    ),
    "an id of a wide frame": (
        {**WIDE, "case": ["1", None]},
        "rater",
        "row 2, column case: must be filled; got an empty cell",
    ),
    "a column": (
        {**LONG, "lable": LONG["label"]},
        None,
        "column lable: must be one of the columns",
    ),
    "a dimension": (
        {"rater": ["r"], "system": ["A"], "case": ["1"], "qualty": [4]},
        "dimension",
        'column qualty: must be a dimension (quality) or a known column; got "qualty". Did you',
    ),
    "no rater": (
        {"system": ["A"], "case": ["1"]},
        "rater",
        "must have a column for each rater; got system, case",
    ),
    "the rater twice": (
        {**LONG, "anna": [1, 2, 3, 4]},
        "rater",
        'must have no column rater beside across; got one. Leave out across="rater"',
    ),
    "decimals as ids": (
        {**LONG, "case": [1.0, 2.0, 1.0, 2.0]},
        None,
        "column case: must hold text or whole numbers; got 4 of 4 with decimals, first 1.0",
    ),
}


@pytest.mark.parametrize("make", ["pandas", "polars"])
@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_named_by_row_and_column(what: str, make: str) -> None:
    cells, across, message = WRONG[what]
    with pytest.raises(ma.InvalidInput) as caught:
        ma.Judgements.from_frame(MADE[make](cells), RUBRIC, across=across)  # type: ignore[arg-type]  # drawn
    assert message in str(caught.value)
    assert len(caught.value.problems) == 1


NO_FRAMES: dict[str, tuple[object, str]] = {
    "a list": ([LONG], "must be a frame of pandas or polars, or a table that speaks Arrow"),
    "a lazy frame": (pl.LazyFrame(LONG), "Call .collect() first"),
    "a column twice": (
        pd.DataFrame([[1, 2]], columns=["case", "case"]),
        "column case: must be there once; got it twice",
    ),
    "a column that is a number": (
        pd.DataFrame([[1, 2]]),
        "must have text as a column's name; got 0",
    ),
    "an index that says something": (
        pd.DataFrame({"label": [1]}, index=["c1"]),
        "must have a name for its index, or whole numbers in it; got c1",
    ),
}


@pytest.mark.parametrize("what", NO_FRAMES)
def test_what_is_no_frame_is_refused(what: str) -> None:
    frame, message = NO_FRAMES[what]
    for read in (
        lambda: ma.Judgements.from_frame(frame, RUBRIC),
        lambda: ma.Preferences.from_frame(frame),
        lambda: ma.ScoreTable.from_frame(frame),
        lambda: ma.Cases.from_frame(frame),
        lambda: ma.Answers.from_frame(frame),
    ):
        with pytest.raises(ma.InvalidInput) as caught:
            read()
        assert message in str(caught.value)


@pytest.mark.parametrize("frame", [pd.DataFrame(LONG), pl.DataFrame(LONG)])
def test_a_frame_among_rows_is_told_where_it_goes(frame: Any) -> None:  # noqa: ANN401 - of two kinds
    for read in (
        lambda: ma.Judgements.from_rows(frame, RUBRIC),
        lambda: ma.Preferences.from_rows(frame),
    ):
        with pytest.raises(ma.InvalidInput, match="from_frame"):
            read()


def test_a_nan_of_polars_is_told_how_to_become_an_empty_cell() -> None:
    frame = pl.DataFrame({"system": "A", "case": [1, 2], "anna": [4.0, float("nan")]})
    with pytest.raises(ma.InvalidInput) as caught:
        ma.Judgements.from_frame(frame, RUBRIC, across="rater")
    assert str(caught.value) == (
        "judgements, column anna: must have empty cells, not NaN; got 1 of 2 NaN, first in row 2. "
        "Polars takes NaN for a number: .fill_nan(None) makes these cells empty."
    )
    assert len(ma.Judgements.from_frame(frame.fill_nan(None), RUBRIC, across="rater")) == 1


def test_a_preference_twice_is_refused_whichever_answer_was_shown_first() -> None:
    frame = pl.DataFrame(
        {"rater": "anna", "case": "1", "system_a": ["A", "B"], "system_b": ["B", "A"],
         "choice": ["a", "a"]}
    )  # fmt: skip
    with pytest.raises(ma.InvalidInput, match="row 2: must hold a judgement once"):
        ma.Preferences.from_frame(frame)
    timed = frame.with_columns(time=pl.Series(["2025-01-01T00:00:00Z", "2025-01-02T00:00:00Z"]))
    assert len(ma.Preferences.from_frame(timed)) == 2


def test_what_is_asked_is_no_answer_of_a_wide_frame() -> None:
    frame = pd.DataFrame({"case": [1], "question": ["Why?"], "A": ["Rest."]})
    with pytest.raises(ma.InvalidInput, match="column question: must be a system's answers"):
        ma.Answers.from_frame(frame, across="system")


def test_numbers_with_holes_stay_whole_without_pyarrow() -> None:
    frame = pl.DataFrame(
        {"whole": [1, None], "all": [1, 2], "true": [True, None], "text": ["a", None],
         "none": [None, None], "real": [0.5, None], "lists": [[1.0], []],
         "time": [datetime(2025, 1, 31, tzinfo=UTC), None]},
        schema_overrides={"none": pl.String},
    )  # fmt: skip
    made = to_pandas(frame)
    kinds = {name: str(kind) for name, kind in made.dtypes.items()}
    assert kinds["whole"] == "Int64"
    assert kinds["all"] == "int64"
    assert kinds["true"] == "boolean"
    assert kinds["time"].endswith("UTC]")
    assert made["lists"].tolist() == [[1.0], []]
    assert made["time"][0] == pd.Timestamp("2025-01-31", tz="UTC")
    assert made.isna().to_numpy()[1].tolist() == [True, False, True, True, True, True, False, True]
    assert sheet_of_frame(made, "x").columns == {
        name: frame[name].to_list() for name in frame.columns
    }
    assert to_pandas(frame.clear()).shape == (0, 8)


@pytest.mark.parametrize(
    ("read", "columns", "told"),
    [
        (ma.Answers.from_frame, {"case": [1], "GPT": ["x"]}, 'across="system"'),
        (ma.ScoreTable.from_frame, {"case": [1], "GPT": [0.5]}, 'across="system"'),
        (
            ma.ScoreTable.from_frame,
            {"system": ["A"], "case": [1], "bleu": [0.5]},
            'across="source"',
        ),
    ],
)
def test_a_wide_frame_that_is_read_as_a_long_one_is_told_what_to_type(
    read: Callable[[Any], Any], columns: dict[str, list[object]], told: str
) -> None:
    with pytest.raises(ma.InvalidInput, match=told):
        read(pd.DataFrame(columns))


def test_a_name_in_place_of_a_rubric_and_agreement_without_draws_say_what_to_type() -> None:
    sheet = pd.DataFrame({"system": ["A", "B"], "case": [1, 1], "anna": [4, 2], "ben": [4, 3]})
    with pytest.raises(ma.InvalidInput, match=r'load_rubric\("likert5"\)'):
        ma.Judgements.from_frame(sheet, "likert5", across="rater")  # type: ignore[arg-type]  # so
    agreed = ma.agree(ma.Judgements.from_frame(sheet, RUBRIC, across="rater"))
    assert "without intervals: pass rng=1" in repr(agreed)
