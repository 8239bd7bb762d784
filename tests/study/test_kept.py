"""Scores that are kept come back the same, and a damaged file is noticed."""

from pathlib import Path

from medassay.scores import Reason, Score, Unscored
from medassay.study.kept import KeptScores

SCORES: dict[str, Score | Unscored] = {
    "a": Score(0.1 + 0.2, (1.0, 2.0)),
    "b": Unscored(Reason.CASE_LACKS, "no reference of kind human"),
}


def test_scores_come_back_bit_for_bit(tmp_path: Path) -> None:
    KeptScores(tmp_path, "0123456789abcdef").keep(SCORES)
    again = KeptScores(tmp_path, "0123456789abcdef")
    assert {key: again[key] for key in SCORES} == SCORES
    assert "c" not in again


def test_other_signatures_keep_apart(tmp_path: Path) -> None:
    KeptScores(tmp_path, "0123456789abcdef").keep(SCORES)
    assert "a" not in KeptScores(tmp_path, "f123456789abcdef")


def test_a_failure_is_tried_again(tmp_path: Path) -> None:
    KeptScores(tmp_path, "0123456789abcdef").keep({"x": Unscored(Reason.FAILED, "out of memory")})
    assert "x" not in KeptScores(tmp_path, "0123456789abcdef")


def test_a_damaged_file_is_noticed_and_not_read(tmp_path: Path) -> None:
    KeptScores(tmp_path, "0123456789abcdef").keep(SCORES)
    (path,) = tmp_path.rglob("*.parquet")
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(bytes(content))
    again = KeptScores(tmp_path, "0123456789abcdef")
    assert again.damaged == [path]
    assert "a" not in again
    again.keep(SCORES)
    assert "a" in KeptScores(tmp_path, "0123456789abcdef")


def test_many_small_files_become_one(tmp_path: Path) -> None:
    kept = KeptScores(tmp_path, "0123456789abcdef")
    for number in range(70):
        kept.keep({f"k{number}": Score(float(number))})
    again = KeptScores(tmp_path, "0123456789abcdef")
    assert len(list(tmp_path.rglob("*.parquet"))) == 1
    assert again["k69"] == Score(69.0)
