"""A file is written whole or not at all."""

import os
from pathlib import Path

import pytest

from medassay.errors import InvalidInput
from medassay.tables import (
    csv_bytes,
    json_bytes,
    jsonl_bytes,
    staying_inside,
    write_all,
    write_atomically,
)


def no_room(_handle: int) -> None:
    raise OSError(28, "No space left on device")


def test_a_full_disk_leaves_the_old_file_and_nothing_beside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "judgements.csv"
    write_atomically(path, b"old")
    monkeypatch.setattr(os, "fsync", no_room)
    with pytest.raises(InvalidInput, match="No space left"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.usefixtures("whole_runs")
def test_a_file_is_whole_on_the_disk_before_it_takes_the_place_of_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "judgements.csv"
    write_atomically(path, b"old")
    flush, seen = os.fsync, []

    def watched(handle: int) -> None:
        flush(handle)
        [beside] = set(tmp_path.iterdir()) - {path}
        seen.append((beside.read_bytes(), path.read_bytes()))

    assert flush.__name__ == "fsync"
    monkeypatch.setattr(os, "fsync", watched)
    write_atomically(path, b"new")
    assert seen == [(b"new", b"old")]
    assert path.read_bytes() == b"new"


def test_a_folder_in_the_way_is_an_error_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(InvalidInput, match="must be writable"):
        write_atomically(tmp_path / "file" / "inside.csv", b"x")


def test_folders_are_made_and_files_can_be_read_by_others(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b.csv"
    umask = os.umask(0o022)
    try:
        write_atomically(path, b"x")
    finally:
        os.umask(umask)
    assert path.read_bytes() == b"x"
    assert path.stat().st_mode & 0o777 == 0o644


def test_numbers_that_json_lacks_are_refused() -> None:
    with pytest.raises(ValueError, match="JSON"):
        json_bytes({"a": float("nan")})
    with pytest.raises(ValueError, match="JSON"):
        jsonl_bytes([{"a": float("inf")}])


def test_floats_keep_all_their_digits() -> None:
    assert csv_bytes(["v"], [[0.1 + 0.2]]) == b"v\n0.30000000000000004\n"


def test_files_that_are_written_together_are_as_if_each_was_alone(tmp_path: Path) -> None:
    files = {tmp_path / "tables" / f"{n}.csv": bytes([n]) * n for n in range(40)}
    write_atomically(tmp_path / "alone.csv", b"")
    write_all(files)
    assert {path: path.read_bytes() for path in (tmp_path / "tables").iterdir()} == files
    mode = (tmp_path / "alone.csv").stat().st_mode
    assert {path.stat().st_mode for path in files} == {mode}


def test_of_files_that_are_written_together_the_first_that_cannot_be_is_named(
    tmp_path: Path,
) -> None:
    (tmp_path / "b").mkdir()
    with (
        pytest.raises(InvalidInput, match=r"leads out of it"),
        staying_inside(tmp_path / "study"),
    ):
        write_all(
            {
                tmp_path / "study" / "a.csv": b"a",
                tmp_path / "study" / ".." / "mine.csv": b"no",
                tmp_path / "b": b"no",
            }
        )
    assert (tmp_path / "study" / "a.csv").read_bytes() == b"a"
    assert not (tmp_path / "mine.csv").exists()
