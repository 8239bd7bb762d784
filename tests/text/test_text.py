import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU

from medassay.text import content_terms, count_words, split_sentences, tokenize_13a

TRICKY = st.text(alphabet="aZ09.,-;:&<>()[]{}/'\"`~ \t\n\r\x1c\xa0\u2028é²٣Σ中")
MARKS = st.lists(
    st.sampled_from(["<skipped>", "<skip", "ped>", "&amp;", "quot;", "&lt;", "-", "\n", ".", "1"])
)


@given(st.one_of(st.text(), TRICKY, MARKS.map("".join)))
def test_tokens_are_those_of_sacrebleu(text: str) -> None:
    peer = BLEU(tokenize="13a")
    assert tokenize_13a(text) == peer._preprocess_segment(text).split()


@given(st.text())
def test_splitting_loses_nothing_but_white_space(text: str) -> None:
    pieces = split_sentences(text)
    assert all(pieces)
    assert "".join("".join(pieces).split()) == "".join(text.split())


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("", []),
        ("One. Two? Three!", ["One.", "Two?", "Three!"]),
        ("She took 0.5 mg. It helped.", ["She took 0.5 mg.", "It helped."]),
        ("Take e.g. Aspirin. Then rest.", ["Take e.g. Aspirin.", "Then rest."]),
        ("J. Doe came. (He left.) Then…", ["J. Doe came.", "(He left.)", "Then…"]),
        ("no capital. no split", ["no capital. no split"]),
        ("a line\nanother", ["a line", "another"]),
    ],
)
def test_sentences(text: str, pieces: list[str]) -> None:
    assert split_sentences(text) == pieces


def test_words_are_what_white_space_separates() -> None:
    assert count_words("") == 0
    assert count_words("a\u00a0b\n c") == 3


@pytest.mark.parametrize("text", ["." * 200_000, "Dr. " * 50_000, '. "' * 60_000, ".)" * 100_000])
def test_a_text_of_nothing_but_stops_takes_no_longer_than_another(text: str) -> None:
    began = time.process_time()
    split_sentences(text)
    assert time.process_time() - began < 5


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_words_of_ascii_are_found_as_in_any_script(text: str) -> None:
    *words, other = content_terms(f"{text} ß")
    assert (content_terms(text), other) == (words, "ss")
