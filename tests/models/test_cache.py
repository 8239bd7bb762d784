"""What models computed is kept where it may be, and found again."""

import hashlib
import io
from pathlib import Path

import polars as pl
import pytest

from medassay.models import ModelSetup, ResultCache, result_cache, use_models
from medassay.models import cache as cache_module

FACTS = {"model": "ab", "layer": "6"}


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_what_is_kept_is_found_by_the_next_process(tmp_path: Path) -> None:
    for _ in range(2):
        with use_models(ModelSetup(keep_in=tmp_path)):
            cache = result_cache("numbers", FACTS, reveals_text=False)
            cache.keep({"b": b"2", "a": b"1"})
    assert len(files(tmp_path)) == 1
    with use_models(ModelSetup(keep_in=tmp_path)):
        cache = result_cache("numbers", FACTS, reveals_text=False)
        assert cache.get(["a", "b", "c"]) == {"a": b"1", "b": b"2"}
        other = result_cache("numbers", {**FACTS, "layer": "5"}, reveals_text=False)
        assert other.get(["a"]) == {}


def test_a_result_that_reveals_its_text_stays_in_memory(tmp_path: Path) -> None:
    with use_models(ModelSetup(keep_in=tmp_path)):
        cache = result_cache("vectors", FACTS, reveals_text=True)
        cache.keep({"a": b"secret"})
        assert result_cache("vectors", FACTS, reveals_text=True).get(["a"]) == {"a": b"secret"}
    assert files(tmp_path) == []
    with use_models(ModelSetup(keep_in=tmp_path, keep_texts=True)):
        result_cache("vectors", FACTS, reveals_text=True).keep({"a": b"secret"})
    assert len(files(tmp_path)) == 1


def test_without_a_folder_nothing_is_written(tmp_path: Path) -> None:
    with use_models(ModelSetup(base=tmp_path)):
        result_cache("numbers", FACTS, reveals_text=False).keep({"a": b"1"})
    assert files(tmp_path) == []


def test_memory_has_a_bound_and_the_latest_used_stays() -> None:
    cache = ResultCache(None, in_memory=3)
    cache.keep({"a": b"1", "b": b"2", "c": b"3"})
    assert cache.get(["a"])
    cache.keep({"d": b"4"})
    assert sorted(cache.get("abcd")) == ["a", "c", "d"]


def test_a_damaged_file_is_removed_and_its_results_are_gone(tmp_path: Path) -> None:
    ResultCache(tmp_path).keep({"a": b"first" * 100})
    whole = ResultCache(tmp_path)
    (path,) = files(tmp_path)
    content = path.read_bytes()
    path.write_bytes(content.replace(b"first", b"fitst"))
    assert whole.get(["a"]) == {}
    assert files(tmp_path) == []
    path.write_bytes(content[:20])
    assert ResultCache(tmp_path).get(["a"]) == {}
    assert files(tmp_path) == []


def forge(folder: Path, rows: dict[str, bytes | None]) -> Path:
    """Put results under the name that fits their bytes, as anybody can."""
    out = io.BytesIO()
    columns = {
        "key": pl.Series(list(rows)),
        "content": pl.Series(list(rows.values()), dtype=pl.Binary),
    }
    pl.DataFrame(columns).write_parquet(out)
    path = folder / f"{hashlib.sha256(out.getvalue()).hexdigest()[:32]}.parquet"
    path.write_bytes(out.getvalue())
    return path


def test_a_result_that_cannot_be_is_removed_with_a_word(tmp_path: Path) -> None:
    path = forge(tmp_path, {"a": b"12", "b": b"twelve"})
    cache = ResultCache(tmp_path)
    assert cache.get(["a"], lambda _, content: content.isdigit()) == {"a": b"12"}
    assert cache.damaged == []
    assert cache.get(["a", "b"], lambda _, content: content.isdigit()) == {"a": b"12"}  # held
    (problem,) = cache.damaged
    assert problem.file == str(path)
    assert "computed again" in str(problem)
    assert ResultCache(tmp_path).get(["a", "b"]) == {}


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1" + bytes(60) + b"PAR1"])
def test_no_parquet_under_a_fitting_name_ends_in_a_word(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / f"{hashlib.sha256(content).hexdigest()[:32]}.parquet"
    path.write_bytes(content)
    cache = ResultCache(tmp_path)
    assert cache.get(["a"]) == {}
    assert [one.file for one in cache.damaged] == [str(path)]
    other = tmp_path / "other"
    other.mkdir()
    forge(other, {"a": None})
    assert ResultCache(other).get(["a"]) == {}


def test_fresh_makes_all_anew(tmp_path: Path) -> None:
    with use_models(ModelSetup(keep_in=tmp_path)):
        result_cache("numbers", FACTS, reveals_text=False).keep({"a": b"1"})
    with use_models(ModelSetup(keep_in=tmp_path, fresh=True)):
        assert result_cache("numbers", FACTS, reveals_text=False).get(["a"]) == {}
        result_cache("numbers", FACTS, reveals_text=False).keep({"a": b"2"})
        assert result_cache("numbers", FACTS, reveals_text=False).get(["a"]) == {"a": b"2"}
    with use_models(ModelSetup(keep_in=tmp_path)):
        assert result_cache("numbers", FACTS, reveals_text=False).get(["a"]) == {"a": b"2"}


def test_another_medassay_computes_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with use_models(ModelSetup(keep_in=tmp_path)):
        result_cache("numbers", FACTS, reveals_text=False).keep({"a": b"1"})
    monkeypatch.setattr(cache_module, "__version__", "99.0")
    with use_models(ModelSetup(keep_in=tmp_path)):
        assert result_cache("numbers", FACTS, reveals_text=False).get(["a"]) == {}
