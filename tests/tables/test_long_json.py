"""JSON of very many rows, piece by piece, is the JSON that is written at once."""

from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medassay.tables import json_bytes, json_bytes_with_rows, long_json_bytes, write

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
cells = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, width=32) | texts
cells = cells.filter(lambda cell: cell not in {float("inf"), float("-inf")})
values = st.recursive(
    cells,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=24,
)
odd_keys = st.dictionaries(st.integers() | st.booleans() | st.none(), values, max_size=3)


@pytest.mark.slow
@given(st.dictionaries(texts, values | odd_keys, max_size=4))
def test_pieces_are_the_whole(value: dict[str, object]) -> None:
    with patch.object(write, "_ROWS_AT_ONCE", 2):
        assert long_json_bytes(value) == json_bytes(value, compact=True, in_order=True)


rows = st.lists(st.dictionaries(texts, cells, min_size=1, max_size=3), max_size=4)


@pytest.mark.slow
@given(st.dictionaries(texts, values, max_size=4), texts, rows)
def test_row_by_row_is_the_whole(
    value: dict[str, object], name: str, listed: list[dict[str, object]]
) -> None:
    value = {key: part for key, part in value.items() if key != name}
    made = json_bytes_with_rows(value, name, iter(listed))
    assert made == json_bytes({**value, name: listed})
