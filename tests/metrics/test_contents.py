"""Two digests are equal where what was found is equal, however it is hashed."""

import json
from enum import StrEnum

from hypothesis import given
from hypothesis import strategies as st

from medassay.answers import Answer
from medassay.cases import Case
from medassay.metrics import Contents, Need

words = st.none() | st.sampled_from(["", "a", "b", "ab", "\ud800", "é"])
rows = st.lists(words | st.integers(0, 1) | st.sampled_from([0.0, 1.0]), max_size=3).map(tuple)
found = words | st.lists(rows | words, max_size=3).map(tuple)


def digest(content: str | tuple[object, ...] | None) -> bytes:
    need = Need(words="anything", of_case=lambda _: content)
    return Contents([(Case(case="1"), Answer(system="S", case="1", text=""))]).digests([need])[0]


@given(found, found)
def test_digests_are_equal_where_contents_are(
    one: str | tuple[object, ...] | None, other: str | tuple[object, ...] | None
) -> None:
    assert (digest(one) == digest(other)) == (json.dumps(one) == json.dumps(other))


class Word(StrEnum):
    """A word of a class of its own."""

    A = "a"


def test_words_of_a_class_of_their_own_are_words_whatever_was_hashed_before() -> None:
    other = digest((("first", Word.A),))
    assert digest((("first", "a"),)) == other == digest((("first", Word.A),))
