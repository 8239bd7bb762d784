"""Anyone's column of scores becomes a metric, or every reason why it cannot is named."""

import pytest

from medassay.errors import InvalidInput
from medassay.scores import ScoreTable, scores_from_sheet
from medassay.tables import Sheet


def sheet(**columns: list[object]) -> Sheet:
    rows = range(2, 2 + len(next(iter(columns.values()))))
    return Sheet("mine.csv", list(rows), columns, empty_is_none=True)


def rows_of(table: ScoreTable) -> list[tuple[object, ...]]:
    return list(table.frame.select("system", "case", "source", "value", "reason", "detail").rows())


def test_values_reasons_and_empty_cells_stay_apart() -> None:
    given = sheet(
        system=["A", "A", "A"],
        case=["1", "2", "3"],
        value=[" 0.50 ", None, None],
        reason=[None, "failed", None],
        detail=[None, "out of memory", None],
    )
    assert rows_of(scores_from_sheet(given, source="mine")) == [
        ("A", "1", "mine", 0.5, None, None),
        ("A", "2", "mine", None, "failed", "out of memory"),
        ("A", "3", "mine", None, "not_imported", ""),
    ]


def test_numbers_are_ids_too_and_zero_is_one_of_them() -> None:
    given = sheet(system=["A", "A"], case=[0, 1], value=[0, 1e-3])
    assert [row[1:4] for row in rows_of(scores_from_sheet(given, source="m"))] == [
        ("0", "m", 0.0),
        ("1", "m", 0.001),
    ]


def test_names_become_canonical() -> None:
    given = sheet(system=["A"], case=["1"], value=["1"], source=["medcon( rule = compat )"])
    assert scores_from_sheet(given).sources == ("medcon(rule=compat)",)


def test_every_problem_is_named_with_its_row_and_column() -> None:
    given = sheet(
        system=["A", None, "A", "A", "A", "A", "A"],
        case=["1", "1", "1", 1.5, "4", "5", "6"],
        value=["0,5", "1", "1", "1", "1", None, "nan"],
        source=["m", "m", "m", "m", "a b", "m", "m"],
        reason=[None, None, None, None, "failed", "fialed", None],
    )
    with pytest.raises(InvalidInput) as caught:
        scores_from_sheet(given)
    found = [(p.row, p.column, p.must) for p in caught.value.problems]
    known = "never_answered, empty_answer, case_lacks, answer_lacks, not_held, not_read"
    assert [place for place in found if place[1] != "reason"] == [
        (2, "value", "be a finite number"),
        (3, "system", "be text or a whole number"),
        (4, None, "hold one score for a system and case"),
        (5, "case", "be text or a whole number"),
        (6, "source", "have the form name[@k](key=value,...)"),
        (8, "value", "be a finite number"),
    ]
    both, unknown = (place for place in found if place[1] == "reason")
    assert both == (6, "reason", "have a value or a reason, not both")
    assert unknown[0] == 7
    assert known in unknown[2]
    hints = {p.row: p.try_ for p in caught.value.problems}
    assert hints[2] == "Write a point before the decimals: 0.5."
    assert hints[7] == 'Did you mean "failed"?'


def test_columns_that_are_missing_or_strange_are_named_together() -> None:
    with pytest.raises(InvalidInput) as caught:
        scores_from_sheet(sheet(System=["A"], case=["1"], score=["1"], notes=["x"]), source="m")
    assert [(p.must.split(" of ")[0], p.got, p.try_) for p in caught.value.problems] == [
        ("be one", '"System"', 'Did you mean "system"?'),
        ("be one", '"score"', 'Did you mean "source"?'),
        ("be one", '"notes"', "Leave the column out."),
        ("be given", "only System, case, score, notes", ""),
    ]
    assert caught.value.problems[-1].column == "value"


def test_a_table_of_several_metrics_needs_their_names() -> None:
    with pytest.raises(InvalidInput, match="column source: must be given"):
        scores_from_sheet(sheet(system=["A"], case=["1"], value=["1"]))


@pytest.mark.parametrize("rows", [1, 3, 40])
def test_plain_columns_become_the_table_that_rows_make(rows: int) -> None:
    places = [at * 7 % rows for at in range(rows)]
    columns: dict[str, list[object]] = {
        "system": [f"s{at % 3}" for at in places],
        "case": [f"c{at}" for at in places],
        "value": [None if at % 5 == 4 else at / 8 for at in places],
    }
    numbers = list(range(1, rows + 1))
    plain = scores_from_sheet(Sheet("mine.csv", numbers, columns), source="mine")
    columns |= {"reason": [None] * rows}  # a column more, and each row is looked at
    by_row = scores_from_sheet(Sheet("mine.csv", numbers, columns), source="mine")
    assert plain.frame.equals(by_row.frame)
    assert plain.frame.schema == by_row.frame.schema
