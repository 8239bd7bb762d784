"""The n-grams as numbers are those that counting tuples gives."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from medassay.metrics.concept_overlap import ORDER, count_ngrams

texts = st.lists(st.lists(st.sampled_from("abc"), max_size=9), max_size=5)


@given(texts)
def test_counts_are_those_of_tuples(texts: list[list[str]]) -> None:
    meaning: dict[tuple[int, int], tuple[str, ...]] = {}
    for text, found in zip(texts, count_ngrams(texts), strict=True):
        assert found.length == len(text)
        for n in range(ORDER):
            plain = Counter(tuple(text[i : i + n + 1]) for i in range(len(text) - n))
            assert len(found.distinct[n]) == len(plain)
            assert sorted(found.repeated[n].values()) == sorted(c for c in plain.values() if c > 1)
            assert found.repeated[n].keys() <= found.distinct[n]
            # One number is one n-gram, in every text.
            for gram in found.distinct[n]:
                here = {t for t, c in plain.items() if c == found.repeated[n].get(gram, 1)}
                assert here
                if (n, gram) in meaning:
                    assert meaning[n, gram] in plain
                elif len(here) == 1:
                    meaning[n, gram] = next(iter(here))


@given(texts)
def test_what_two_texts_share_is_what_their_tuples_share(texts: list[list[str]]) -> None:
    counted = count_ngrams(texts)
    for n in range(ORDER):
        plain = [{tuple(text[i : i + n + 1]) for i in range(len(text) - n)} for text in texts]
        for one, here in zip(counted, plain, strict=True):
            for other, there in zip(counted, plain, strict=True):
                assert len(one.distinct[n] & other.distinct[n]) == len(here & there)
