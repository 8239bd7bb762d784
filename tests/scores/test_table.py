"""One table for all scores: the same scores are the same table, and missing is never a number."""

import math
import random

import numpy as np
import pytest

from medassay.errors import InvalidInput, UnknownName
from medassay.scores import Reason, Score, ScoreTable, Signature, Unscored

ROWS: list[tuple[str, str, str, Score | Unscored]] = [
    ("B", "2", "length", Score(3.0, (3.0,))),
    ("A", "1", "length", Score(0.0)),
    ("A", "2", "length", Unscored(Reason.NEVER_ANSWERED)),
    ("A", "1", "bleu", Unscored(Reason.CASE_LACKS, "no reference")),
]


def test_the_order_of_rows_means_nothing() -> None:
    table = ScoreTable.from_rows(ROWS)
    for seed in range(5):
        shuffled = random.Random(seed).sample(ROWS, len(ROWS))  # noqa: S311 - no secret
        assert ScoreTable.from_rows(shuffled).frame.equals(table.frame)
    halves = [ScoreTable.from_rows(ROWS[2:]), ScoreTable.from_rows(ROWS[:2])]
    assert ScoreTable.concat(halves).frame.equals(table.frame)


def test_either_a_value_or_a_reason_is_set() -> None:
    frame = ScoreTable.from_rows(ROWS).frame
    assert (frame["value"].is_null() != frame["reason"].is_null()).all()


def test_a_grid_tells_zero_from_nothing() -> None:
    # A/1 measured 0, A/2 has a reason, B/1 has no row, C and case 3 are not in the table.
    grid = ScoreTable.from_rows(ROWS).grid("length", ["C", "B", "A"], ["2", "1", "3"])
    assert grid.known.tolist() == [
        [False, False, False],
        [True, False, False],
        [False, True, False],
    ]
    assert grid.values[grid.known].tolist() == [3.0, 0.0]
    assert np.isfinite(grid.values).all()


def test_reasons_are_counted_and_details_can_be_left_out() -> None:
    table = ScoreTable.from_rows(ROWS)
    assert table.reasons("length") == {Reason.NEVER_ANSWERED: 1}
    quiet = table.without_details()
    assert quiet.select("bleu")["detail"].to_list() == [""]
    assert quiet.reasons("bleu") == table.reasons("bleu")
    assert quiet.frame.drop("detail").equals(table.frame.drop("detail"))


def test_a_source_that_is_not_there_suggests_the_nearest() -> None:
    with pytest.raises(UnknownName, match='Did you mean "length"'):
        ScoreTable.from_rows(ROWS).select("lenght")


def test_no_tables_are_an_empty_table() -> None:
    table = ScoreTable.concat([])
    assert (len(table), table.sources) == (0, ())
    assert table.frame.schema == ScoreTable.from_rows(ROWS).frame.schema


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_score_is_finite(value: float) -> None:
    with pytest.raises(InvalidInput, match="Use Unscored"):
        Score(value)
    with pytest.raises(InvalidInput):
        Score(0.0, (value,))


def test_every_reason_has_words() -> None:
    assert len({reason.words for reason in Reason}) == len(Reason)


def test_a_digest_covers_what_decides_the_value() -> None:
    one = Signature("bleu(ref=human)", 1, {"tokenizer": "13a", "smoothing": "none"})
    same = Signature("bleu(ref=human)", 1, {"smoothing": "none", "tokenizer": "13a"})
    others = [
        Signature("bleu(ref=note)", 1, one.settings),
        Signature("bleu(ref=human)", 2, one.settings),
        Signature("bleu(ref=human)", 1, {"tokenizer": "intl", "smoothing": "none"}),
    ]
    assert (str(one), one.digest) == (str(same), same.digest)
    assert len({one.digest, *(other.digest for other in others)}) == 4


def test_tables_put_together_are_written_as_if_made_at_once() -> None:
    rows = [
        (system, case, source, Score(float(place)))
        for place, source in enumerate("abcd")
        for system in ("A", "B")
        for case in ("1", "2")
    ]
    parts = [ScoreTable.from_rows(row for row in rows if row[2] in two) for two in ("bd", "ac")]
    joined, whole = ScoreTable.concat(parts), ScoreTable.from_rows(rows)
    assert joined.frame.rows() == whole.frame.rows()
    assert joined.to_parquet() == whole.to_parquet()
