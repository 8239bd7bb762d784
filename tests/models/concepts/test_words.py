from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medassay.models.concepts.vocabulary import (
    american,
    forms_of_ascii,
    key_of,
    singular,
    split_words,
)


def test_variants_of_one_name_meet() -> None:
    for variants in (
        ("anaemia", "Anemia", "ANEMIAS", "anæmia"),
        ("Alzheimer's disease", "Alzheimer’s diseases"),
        ("anti-viral", "antiviral", "anti‐viral"),
        ("oesophageal tumour", "esophageal tumors"),
        ("Sjögren", "Sjo\u0308gren", "sjogren"),
        ("X-ray", "x ray"),
        ("diarrhoea", "diarrhea"),
        ("diagnosis", "diagnoses"),
        ("biopsies", "biopsy"),
        ("virus", "viruses"),
        ("feet", "foot"),
        ("hospitalised", "hospitalized"),
        ("paracetamol", "Acetaminophen"),
        ("lab test", "lab tests"),
    ):
        assert len({key_of(one) for one in variants}) == 1, variants


def test_different_words_do_not_meet() -> None:
    for one, other in (
        ("pus", "pu"), ("diabetes", "diabete"), ("rabies", "rabbi"), ("aerobic", "erobic"),
        ("hyper", "hypo"), ("exercise", "exercize"), ("abdomen, acute", "abdomen acute"),
    ):  # fmt: skip
        assert key_of(one) != key_of(other)


def test_punctuation_and_a_dash_between_blanks_keep_words_apart() -> None:
    assert key_of("chest, pain") == "chest | pain"
    assert key_of("chest - pain") == "chest | pain"
    assert key_of("chest\x00pain") == "chest | pain"
    assert key_of("chest-pain") == "chest pain"


@given(st.text(max_size=80))
def test_words_stand_where_they_say(text: str) -> None:
    words = split_words(text)
    assert all(0 <= word.start < word.end <= len(text) for word in words)
    assert all(a.end <= b.start for a, b in pairwise(words))


@given(st.text("abcdeimosuxyz", min_size=1, max_size=12))
def test_a_form_is_never_empty(word: str) -> None:
    assert singular(american(word))


@given(st.text(st.sampled_from("aAtTnNiI-_' .,\x00\n12") | st.characters(max_codepoint=127)))
def test_the_fast_way_gives_the_same_forms(text: str) -> None:
    _, forms = forms_of_ascii(text)
    assert forms == [word.form for word in split_words(text)]


@pytest.mark.parametrize(
    "text",
    ["anti-viral", "co-anti-viral x", "X-ANTI-a", "a -b- c", "non-", "non-_a", "it's-anti-a", "--a",
     "anti-'a", "A'ANTI-b", "1-2-3", "pre-\n", "un--un", "a-"],
)  # fmt: skip
def test_hyphens_are_read_alike(text: str) -> None:
    assert forms_of_ascii(text)[1] == [word.form for word in split_words(text)]
