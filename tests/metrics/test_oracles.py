"""BLEU and ROUGE have the values of sacrebleu and rouge-score, on any text."""

import logging

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.metrics.bleu import BLEU

from medassay.answers import Answer
from medassay.cases import Case
from medassay.metrics import resolve
from medassay.metrics.builtin.bleu import bleu_of_sums, compare, merge
from medassay.metrics.builtin.rouge import KINDS, Measure, has_words, rouge
from medassay.metrics.concept_overlap import count_ngrams
from medassay.scores import Reason, Score, Unscored
from medassay.text import tokenize_13a

# sacrebleu warns on every call that it would rather use another setting.
logging.getLogger("sacrebleu").setLevel(logging.ERROR)

WORDS = ["the", "The", "pain", "eased", "eased.", "1,000", "mg", "&amp;", "naïve", "\n", "😀", "a"]
texts = st.one_of(
    st.text(),
    st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join),
    st.lists(st.text(st.characters(codec="ascii")), max_size=12).map(" ".join),
)
several = st.lists(texts, min_size=1, max_size=3)


def our_bleu(answer: str, references: list[str]) -> float:
    mine, *theirs = count_ngrams(map(tokenize_13a, [answer, *references]))
    return float(bleu_of_sums(np.asarray(compare(mine, merge(theirs)))))


@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(answer=texts, references=several)
def test_bleu_is_that_of_sacrebleu(answer: str, references: list[str]) -> None:
    peer = BLEU(smooth_method="none", effective_order=False, tokenize="13a")
    expected = peer.sentence_score(answer, references).score / 100
    assert our_bleu(answer, references) == pytest.approx(expected, abs=1e-9)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(answer=texts, references=several, stemmer=st.booleans())
def test_rouge_is_that_of_rouge_score(answer: str, references: list[str], stemmer: bool) -> None:  # noqa: FBT001 - drawn by hypothesis
    peer = RougeScorer(list(KINDS), use_stemmer=stemmer).score_multi(references, answer)
    measures: tuple[Measure, ...] = ("precision", "recall", "fmeasure")
    for kind in KINDS:
        for measure in measures:
            got = rouge(kind, [answer], [references], measure=measure, stemmer=stemmer)
            assert got == [pytest.approx(getattr(peer[kind], measure), abs=1e-9)]


@given(texts)
def test_has_words_knows_what_rouge_reads(text: str) -> None:
    assert has_words(text) == (rouge("rouge1", [text], [[text]]) == [1.0])


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(texts, texts.filter(str.strip)), min_size=1, max_size=6))
def test_pooled_bleu_is_corpus_bleu(pairs: list[tuple[str, str]]) -> None:
    metric = resolve("bleu(ref=human)")
    scores = metric.score_batch(
        [
            (
                Case.model_validate({"case": str(i), "references": [{"text": reference}]}),
                Answer(system="A", case=str(i), text=text),
            )
            for i, (text, reference) in enumerate(pairs)
        ]
    )
    peer = BLEU(smooth_method="none", effective_order=False, tokenize="13a", force=True)
    expected = peer.corpus_score([t for t, _ in pairs], [[r for _, r in pairs]]).score / 100
    pooled = metric.pooled(scores)
    assert isinstance(pooled, Score)
    assert pooled.value == pytest.approx(expected, abs=1e-9)


def test_bleu_by_hand() -> None:
    # answer: a b c d e (5 tokens); reference: a b c d f (5): no brevity penalty
    # matches 4, 3, 2, 1 of 5, 4, 3, 2: (4/5 · 3/4 · 2/3 · 1/2)^¼ = (1/5)^¼
    assert our_bleu("a b c d e", ["a b c d f"]) == pytest.approx(0.2**0.25)
    # repeats are clipped: the answer has 'a' four times, the reference twice
    answer, reference = count_ngrams(["aaaa", "aa"])
    assert compare(answer, merge([reference]))[:4] == (2.0, 1.0, 0.0, 0.0)


def test_two_matching_words_are_no_bleu_of_one() -> None:
    # sacrebleu's own default, the effective order, gives 100 here.
    assert our_bleu("two words", ["two words"]) == 0.0


def test_rouge_by_hand() -> None:
    # 3 shared words of 4 and 3: P = 3/4, R = 1, F = 2 · (3/4) / (7/4) = 6/7
    assert rouge("rouge1", ["rest at home today"], [["rest at home"]]) == [pytest.approx(6 / 7)]


def test_rouge_lsum_splits_at_line_breaks_only() -> None:
    reference = "b c.\na."
    joined, broken = "a. b c.", "a.\nb c."
    assert rouge("rougeLsum", [broken], [[reference]]) == [1.0]
    assert rouge("rougeLsum", [joined], [[reference]])[0] == pytest.approx(1.0)
    assert rouge("rougeL", [joined], [[reference]])[0] == pytest.approx(2 / 3)


def test_rouge_is_undefined_where_its_tokeniser_reads_nothing() -> None:
    case = Case.model_validate({"case": "1", "references": [{"text": "راحة"}]})
    answer = Answer(system="A", case="1", text="راحة")
    found = resolve("rougeL(ref=human)").score_batch([(case, answer)])
    assert found == [Unscored(Reason.NOT_READ, "it reads a–z only: under half of the reference")]
