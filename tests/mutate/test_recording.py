"""What the recording of a suite looks at: each cache of the source, and no other."""

import functools
from collections.abc import Iterator

import pytest
from tools.mutate.in_pytest import recording


@pytest.fixture(autouse=True)
def _looked_through_anew() -> Iterator[None]:
    recording._caches_of.cache_clear()
    yield
    recording._caches_of.cache_clear()


def test_a_cache_that_names_no_module_is_not_ours() -> None:
    @functools.lru_cache
    def nameless() -> object:
        return object()

    nameless.__module__ = None  # type: ignore[assignment] # as caches that a library makes at run time
    before = nameless()
    recording._empty_caches()
    assert nameless() is before


def test_a_cache_of_the_source_is_emptied() -> None:
    @functools.lru_cache
    def ours() -> object:
        return object()

    ours.__module__ = "medassay.cases"
    before = ours()
    recording._empty_caches()
    assert ours() is not before
