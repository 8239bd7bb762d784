"""Whatever people are called, their files can be made on every system, and stay apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medassay.tables import file_stem, file_stems

DEVICES = ["CON", "con", "nul", "nul.txt", "Aux.tar.gz", "com1", "LPT9.csv", "prn.", "conin$"]


@pytest.mark.parametrize("name", DEVICES)
def test_a_name_that_windows_keeps_is_changed(name: str) -> None:
    stem = file_stem(name)
    first = stem.partition(".")[0].casefold()
    assert first.endswith(("_", "-"))
    assert file_stem(stem) == stem


@pytest.mark.parametrize("name", ["consul", "com", "com10", "lpt", "auxiliary", "my-con", "nul1"])
def test_a_name_that_only_begins_so_is_left(name: str) -> None:
    assert file_stem(name) == name


@pytest.mark.parametrize("name", ["a.", "a ", "..", ".", "", "../../x", "a\\b", "c:x", "a/b", ".a"])
def test_nothing_leads_elsewhere_or_is_lost_at_the_end(name: str) -> None:
    stem = file_stem(name)
    assert stem
    assert not set(stem) & set('/\\:*?"<>| ')
    assert not stem.startswith(".")
    assert not stem.endswith(".")


@given(st.text(max_size=400))
def test_any_name_makes_a_file_name(name: str) -> None:
    stem = file_stem(name)
    # Beside the stem there is room for a dot, a mark of a file being written, and an ending.
    assert 0 < len(stem.encode()) <= 200
    assert file_stem(stem) == stem


def test_long_names_that_differ_at_their_end_stay_apart() -> None:
    assert file_stem("a" * 300 + "1") != file_stem("a" * 300 + "2")


@given(st.lists(st.text(st.sampled_from("aA/-b.2"), min_size=1, max_size=4), max_size=12))
def test_two_names_never_make_one_file(names: list[str]) -> None:
    stems = file_stems(names)
    assert set(stems) == set(names)
    assert len({stem.casefold() for stem in stems.values()}) == len(set(names))
