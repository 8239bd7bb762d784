"""Scores that are kept come back the same, and a damaged file is noticed."""

import hashlib
import io
from collections.abc import Mapping
from pathlib import Path

import polars as pl
import pytest

from medassay.scores import Reason, Score, ScoreColumns, Unscored
from medassay.study.scoring.score_cache import Expected, ScoreCache

SCORES: dict[str, Score | Unscored] = {
    "a": Score(0.1 + 0.2, (1.0, 2.0)),
    "b": Unscored(Reason.CASE_LACKS, "no reference of kind human"),
}


def keep(kept: ScoreCache, scores: Mapping[str, Score | Unscored]) -> None:
    kept.keep(list(scores), ScoreColumns.of(list(scores.values())).frame())


def rows(kept: ScoreCache, *keys: str) -> list[tuple[object, ...]]:
    return kept.rows(keys).rows()


def test_scores_come_back_bit_for_bit(tmp_path: Path) -> None:
    keep(ScoreCache(tmp_path, "0123456789abcdef"), SCORES)
    again = ScoreCache(tmp_path, "0123456789abcdef")
    assert rows(again, "b", "a", "b") == [
        (None, "case_lacks", "no reference of kind human", []),
        (0.1 + 0.2, None, None, [1.0, 2.0]),
        (None, "case_lacks", "no reference of kind human", []),
    ]
    assert "c" not in again


def test_other_signatures_keep_apart(tmp_path: Path) -> None:
    keep(ScoreCache(tmp_path, "0123456789abcdef"), SCORES)
    assert "a" not in ScoreCache(tmp_path, "f123456789abcdef")


def test_a_failure_is_tried_again(tmp_path: Path) -> None:
    kept = ScoreCache(tmp_path, "0123456789abcdef")
    keep(kept, {"x": Unscored(Reason.FAILED, "out of memory")})
    assert "x" in kept
    assert "x" not in ScoreCache(tmp_path, "0123456789abcdef")


def test_scores_that_answers_share_are_held_on_until_one_fails(tmp_path: Path) -> None:
    kept = ScoreCache(tmp_path, "m")
    keep(kept, {"shared": Score(1.0)})
    kept.put_aside(2)
    assert "shared" in kept
    kept.put_aside(1)  # as many scores as answers: others have their own
    assert "shared" not in kept
    kept.fetch(["shared"])
    assert "shared" in kept


def test_a_failure_is_not_held_on(tmp_path: Path) -> None:
    kept = ScoreCache(tmp_path, "m")
    keep(kept, {"right": Score(1.0), "down": Unscored(Reason.FAILED, "the endpoint is down")})
    kept.put_aside(100)
    kept.fetch(["right", "down"])
    assert ("right" in kept, "down" in kept) == (True, False)


def test_a_damaged_file_is_noticed_and_not_read(tmp_path: Path) -> None:
    keep(ScoreCache(tmp_path, "0123456789abcdef"), SCORES)
    (path,) = tmp_path.rglob("*.parquet")
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(bytes(content))
    again = ScoreCache(tmp_path, "0123456789abcdef")
    assert [one.file for one in again.damaged] == [str(path)]
    assert "a" not in again
    keep(again, SCORES)
    assert "a" in ScoreCache(tmp_path, "0123456789abcdef")


def test_many_small_files_become_one(tmp_path: Path) -> None:
    kept = ScoreCache(tmp_path, "0123456789abcdef")
    for number in range(70):
        keep(kept, {f"k{number}": Score(float(number))})
    again = ScoreCache(tmp_path, "0123456789abcdef")
    assert len(list(tmp_path.rglob("*.parquet"))) == 1
    assert rows(again, "k69") == [(69.0, None, None, [])]


FRACTION = Expected(0, 1, 2)
ROW: dict[str, object] = {
    "key": "k", "value": 0.5, "reason": None, "detail": None, "parts": [1.0, 2.0],
}  # fmt: skip
SCHEMA: dict[str, pl.DataType] = {
    "key": pl.String(), "value": pl.Float64(), "reason": pl.String(), "detail": pl.String(),
    "parts": pl.List(pl.Float64()),
}  # fmt: skip
IMPOSSIBLE: dict[str, dict[str, object]] = {
    "above the range": {"value": 7.5},
    "below the range": {"value": -0.1},
    "not a number": {"value": float("nan")},
    "infinite": {"value": float("inf")},
    "a reason nobody knows": {"value": None, "reason": "lost", "parts": []},
    "a reason that is never kept": {"value": None, "reason": "failed", "parts": []},
    "neither value nor reason": {"value": None},
    "both": {"reason": "undefined"},
    "a part too few": {"parts": [1.0]},
    "no parts": {"parts": None},
    "a part that is none": {"parts": [1.0, None]},
    "an infinite part": {"parts": [1.0, float("inf")]},
    "parts of a missing score": {"value": None, "reason": "undefined"},
}


def forge(folder: Path, content: bytes) -> Path:
    """Put a file under the name that fits its bytes, as anybody can."""
    inner = folder / "0123456789abcdef"
    inner.mkdir(exist_ok=True)
    path = inner / f"{hashlib.sha256(content).hexdigest()[:32]}.parquet"
    path.write_bytes(content)
    return path


def parquet(frame: pl.DataFrame) -> bytes:
    out = io.BytesIO()
    frame.write_parquet(out)
    return out.getvalue()


def test_what_a_metric_can_give_is_believed(tmp_path: Path) -> None:
    rows = [ROW, {**ROW, "key": "l", "value": 1.0}]
    rows.append({"key": "m", "value": None, "reason": "undefined", "detail": "", "parts": []})
    forge(tmp_path, parquet(pl.DataFrame(rows, schema=SCHEMA)))
    kept = ScoreCache(tmp_path, "0123456789abcdef", FRACTION)
    assert (len(kept), kept.damaged) == (3, [])


@pytest.mark.parametrize("kind", IMPOSSIBLE)
def test_a_name_that_fits_makes_nothing_impossible_true(tmp_path: Path, kind: str) -> None:
    rows = [{**ROW, "key": "sound"}, {**ROW, **IMPOSSIBLE[kind]}]
    path = forge(tmp_path, parquet(pl.DataFrame(rows, schema=SCHEMA)))
    kept = ScoreCache(tmp_path, "0123456789abcdef", FRACTION)
    assert len(kept) == 0  # nothing of a file that was made up
    (problem,) = kept.damaged
    assert problem.file == str(path)
    assert "computed again" in str(problem)
    assert not path.exists()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"PAR1" + bytes(40) + b"PAR1",
        parquet(pl.DataFrame([ROW], schema=SCHEMA))[:-9],
        parquet(pl.DataFrame([ROW], schema=SCHEMA).drop("parts")),
        parquet(pl.DataFrame([ROW], schema=SCHEMA).with_columns(more=1)),
        parquet(pl.DataFrame([ROW], schema=SCHEMA).with_columns(pl.col("value").cast(pl.String))),
        parquet(pl.DataFrame([{**ROW, "key": None}], schema=SCHEMA)),
        parquet(pl.DataFrame([ROW, {**ROW, "value": 0.6}], schema=SCHEMA)),
    ],
    ids=["empty", "zeros", "cut", "a column less", "one more", "words", "no key", "a key twice"],
)
def test_whatever_lies_there_under_a_fitting_name_ends_in_a_word(
    tmp_path: Path, content: bytes
) -> None:
    path = forge(tmp_path, content)
    kept = ScoreCache(tmp_path, "0123456789abcdef", FRACTION)
    assert [one.file for one in kept.damaged] == [str(path)]
    keep(kept, {"a": Score(0.5, (1.0, 2.0))})
    assert rows(ScoreCache(tmp_path, "0123456789abcdef", FRACTION), "a")[0][0] == 0.5


def test_fresh_believes_nothing_and_leaves_nothing_to_believe_later(tmp_path: Path) -> None:
    keep(ScoreCache(tmp_path, "0123456789abcdef"), SCORES)
    keep(ScoreCache(tmp_path, "f123456789abcdef"), SCORES)
    assert "a" not in ScoreCache(tmp_path, "0123456789abcdef", fresh=True)
    assert "a" not in ScoreCache(tmp_path, "0123456789abcdef")
    assert "a" in ScoreCache(tmp_path, "f123456789abcdef")  # another metric's stay
