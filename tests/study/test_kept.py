"""Scores that are kept come back the same, and a damaged file is noticed."""

from collections.abc import Mapping
from pathlib import Path

from medassay.scores import Reason, Score, ScoreColumns, Unscored
from medassay.study.kept import KeptScores

SCORES: dict[str, Score | Unscored] = {
    "a": Score(0.1 + 0.2, (1.0, 2.0)),
    "b": Unscored(Reason.CASE_LACKS, "no reference of kind human"),
}


def keep(kept: KeptScores, scores: Mapping[str, Score | Unscored]) -> None:
    kept.keep(list(scores), ScoreColumns.of(list(scores.values())).frame())


def rows(kept: KeptScores, *keys: str) -> list[tuple[object, ...]]:
    return kept.rows(keys).rows()


def test_scores_come_back_bit_for_bit(tmp_path: Path) -> None:
    keep(KeptScores(tmp_path, "0123456789abcdef"), SCORES)
    again = KeptScores(tmp_path, "0123456789abcdef")
    assert rows(again, "b", "a", "b") == [
        (None, "case_lacks", "no reference of kind human", []),
        (0.1 + 0.2, None, None, [1.0, 2.0]),
        (None, "case_lacks", "no reference of kind human", []),
    ]
    assert "c" not in again


def test_other_signatures_keep_apart(tmp_path: Path) -> None:
    keep(KeptScores(tmp_path, "0123456789abcdef"), SCORES)
    assert "a" not in KeptScores(tmp_path, "f123456789abcdef")


def test_a_failure_is_tried_again(tmp_path: Path) -> None:
    kept = KeptScores(tmp_path, "0123456789abcdef")
    keep(kept, {"x": Unscored(Reason.FAILED, "out of memory")})
    assert "x" in kept
    assert "x" not in KeptScores(tmp_path, "0123456789abcdef")


def test_a_damaged_file_is_noticed_and_not_read(tmp_path: Path) -> None:
    keep(KeptScores(tmp_path, "0123456789abcdef"), SCORES)
    (path,) = tmp_path.rglob("*.parquet")
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(bytes(content))
    again = KeptScores(tmp_path, "0123456789abcdef")
    assert again.damaged == [path]
    assert "a" not in again
    keep(again, SCORES)
    assert "a" in KeptScores(tmp_path, "0123456789abcdef")


def test_many_small_files_become_one(tmp_path: Path) -> None:
    kept = KeptScores(tmp_path, "0123456789abcdef")
    for number in range(70):
        keep(kept, {f"k{number}": Score(float(number))})
    again = KeptScores(tmp_path, "0123456789abcdef")
    assert len(list(tmp_path.rglob("*.parquet"))) == 1
    assert rows(again, "k69") == [(69.0, None, None, [])]
