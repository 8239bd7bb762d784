"""Documents are cut into passages, and nothing is lost."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medassay.cases import Document
from medassay.errors import InvalidInput
from medassay.systems import cut_passages


@given(st.integers(1, 60), st.integers(1, 12), st.data())
def test_every_word_is_in_a_passage_and_neighbours_share_the_overlap(
    n: int, words: int, data: st.DataObject
) -> None:
    overlap = data.draw(st.integers(0, words - 1))
    said = [f"w{i}" for i in range(n)]
    cut = cut_passages([Document(id="d", text=" ".join(said))], words, overlap)
    runs = [passage.text.split() for passage in cut]
    assert [passage.number for passage in cut] == list(range(1, len(cut) + 1))
    assert all(len(run) <= words for run in runs)
    for before, after in pairwise(runs):
        assert before[len(before) - overlap :] == after[:overlap]
    again = runs[0] + [word for run in runs[1:] for word in run[overlap:]]
    assert again == said


def test_whole_documents_are_one_passage_and_empty_ones_none() -> None:
    documents = [Document(id="a", text="one  two"), Document(id="b"), Document(id="c", text=" ")]
    assert [(p.document, p.text) for p in cut_passages(documents, None)] == [("a", "one two")]


def test_what_cannot_be_cut_is_refused() -> None:
    with pytest.raises(InvalidInput, match="overlap"):
        cut_passages([Document(id="a", text="x")], words=5, overlap=5)
    with pytest.raises(InvalidInput, match="hold a text"):
        cut_passages([Document(id="a")])
