"""Texts that go through an encoder together come out as they would alone."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tools.toy_encoder import ToyEncoder

from medassay.metrics.token_match import TokenMatcher
from medassay.models import ModelSetup, use_models
from medassay.models.encoders import load_encoder, states_of_texts, windows


class Watched(ToyEncoder):
    """Writes down how much it is given at once."""

    def __init__(self, longest: int) -> None:
        super().__init__(longest)
        self.given: list[tuple[int, int]] = []

    def states(self, rows: Sequence[tuple[int, ...]]) -> NDArray[np.float32]:
        """Encode, and write down how many windows there were and how long they are."""
        self.given.append((len(rows), len(rows[0])))
        assert len({len(row) for row in rows}) == 1
        return super().states(rows)


@pytest.mark.slow
@given(st.lists(st.integers(0, 40), max_size=12))
def test_each_text_has_the_states_that_it_has_alone(lengths: list[int]) -> None:
    encoder = Watched(longest=16)
    texts = [windows(encoder.pieces(" ".join("abcd"[: 1 + n % 4] * n)), 16) for n in lengths]
    found = dict(states_of_texts(encoder, texts))
    assert sorted(found) == list(range(len(texts)))
    for i, text in enumerate(texts):
        alone = np.concatenate([encoder.states([window.ids])[0] for window in text])
        assert np.array_equal(found[i], alone)


def test_texts_of_a_length_go_together_but_not_too_many() -> None:
    encoder = Watched(longest=512)
    texts = [[encoder.pieces("word " * n)] for n in [98] * 25 + [8]]
    assert len(dict(states_of_texts(encoder, texts))) == 26
    # 10 x 100 = 1000 pieces, and an eleventh text would pass 1024
    assert encoder.given == [(1, 10), (10, 100), (10, 100), (5, 100)]


def test_the_embedded_encoder_gives_a_text_the_same_bytes_in_any_company() -> None:
    encoder = load_encoder("minilm", purpose="a test")
    texts = ["Rest at home.", "Drink water now.", "Call the nurse!", "Take two tablets a day."]
    read = [[encoder.pieces(text)] for text in texts]
    together = dict(states_of_texts(encoder, read))
    for i, parts in enumerate(read):
        assert np.array_equal(together[i], encoder.states([parts[0].ids])[0])


@pytest.mark.parametrize("held", [1, 8192])
def test_matches_do_not_depend_on_how_many_references_are_held(
    held: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("medassay.models.encoders.encoder._HELD", held)
    answers = ["rest at home", "drink water", "rest at home", "call a nurse"]
    references = [["stay at home", "rest"], ["drink"], ["call"], ["stay at home", "drink"]]
    with use_models(ModelSetup()):
        encoder = ToyEncoder()
        found = TokenMatcher(encoder.facts, lambda: encoder).match(answers, references)
    for answer, texts, matches in zip(answers, references, found, strict=True):
        for text, match in zip(texts, matches, strict=True):
            with use_models(ModelSetup()):
                alone = TokenMatcher(encoder.facts, lambda: encoder).match([answer], [[text]])
            assert alone == [[match]]
