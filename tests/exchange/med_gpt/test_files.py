"""How retrieved chunks are written, and what is read of them."""

import pytest

from medassay.exchange.med_gpt.files import Chunk, read_chunks


@pytest.mark.parametrize(
    ("cell", "texts", "form"),
    [
        ('["a", "b"]', ("a", "b"), "a JSON list"),
        ("['a', \"b's\"]", ("a", "b's"), "a list as Python prints it"),
        ("[]", (), "a JSON list"),
        ("a ||| b", ("a", "b"), "text parted by |||"),
        ("a || b", ("a", "b"), "text parted by ||"),
        ("a\n\nb\nc", ("a", "b\nc"), "text parted by an empty line"),
        ("a\n---\nb\n\nc", ("a", "b\n\nc"), "text parted by a line of dashes"),
        ("[1] Rest. See below.", ("[1] Rest. See below.",), "one text"),
        (["a"], ("a",), "a list"),
    ],
)
def test_forms(cell: object, texts: tuple[str, ...], form: str) -> None:
    chunks, said = read_chunks(cell)
    assert (tuple(chunk.text for chunk in chunks), said) == (texts, form)


def test_objects_bring_names_and_scores() -> None:
    chunks, _ = read_chunks('[{"id": "who-3", "content": "Rest.", "score": 0.5}]')
    assert chunks == (Chunk("Rest.", "who-3", 0.5),)


@pytest.mark.parametrize("cell", ['["a', '["a", null]', '[{"n": 1}]', "['a', 3]", 3])
def test_what_is_no_list_of_texts(cell: object) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_chunks(cell)
