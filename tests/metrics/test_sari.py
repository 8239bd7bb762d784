"""SARI has the published value, those of evaluate, and those of a slow and obvious rule."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medassay.answers import Answer
from medassay.cases import Case
from medassay.metrics import resolve
from medassay.metrics.builtin.sari import count_edits, sari_of_ngrams
from medassay.metrics.concept_overlap import count_ngrams
from medassay.scores import Reason, Score, Unscored
from medassay.text import tokenize_13a


def tokens(text: str) -> list[str]:
    return tokenize_13a(text.lower())


def of_tokens(answer: list[str], source: list[str], references: list[list[str]]) -> float:
    mine, before, *theirs = count_ngrams([answer, source, *references])
    return sari_of_ngrams(mine, count_edits(before, theirs))


def test_the_published_example() -> None:
    # The example of the metric's card in evaluate, on its scale of 0 to 100.
    source = tokens("About 95 species are currently accepted.")
    references = [
        tokens("About 95 species are currently known."),
        tokens("About 95 species are now accepted."),
        tokens("95 species are now accepted."),
    ]
    found = of_tokens(tokens("About 95 you now get in."), source, references)
    assert 100 * found == pytest.approx(26.953601953601954, abs=1e-12)


def test_values_are_those_of_evaluate() -> None:
    golden = Path(__file__).parents[1] / "golden" / "sari_evaluate.json"
    for row in json.loads(golden.read_text(encoding="utf-8")):
        answer, source, *references = map(
            tokens, [row["answer"], row["source"], *row["references"]]
        )
        assert of_tokens(answer, source, references) == pytest.approx(row["sari"], abs=1e-12)


def naive(answer: list[str], source: list[str], references: list[list[str]]) -> float:
    """Write the definition down gram by gram."""
    total = 0.0
    for n in (1, 2, 3, 4):

        def grams(text: list[str], n: int = n) -> list[tuple[str, ...]]:
            return [tuple(text[i : i + n]) for i in range(len(text) - n + 1)]

        k = len(references)
        every = sorted({*grams(answer), *grams(source), *(g for r in references for g in grams(r))})
        s = {g: k * grams(source).count(g) for g in every}
        c = {g: k * grams(answer).count(g) for g in every}
        r = {g: sum(grams(reference).count(g) for reference in references) for g in every}

        kept = [g for g in every if min(s[g], c[g]) > 0]
        good = [min(s[g], c[g], r[g]) for g in kept]
        shares = [a / min(s[g], c[g]) for a, g in zip(good, kept, strict=True)]
        keepable = sum(min(s[g], r[g]) for g in every)
        keep = f1(ratio(sum(shares), len(kept)), ratio(sum(good), keepable))

        gone = [g for g in every if s[g] > c[g]]
        right = [max(s[g] - c[g] - r[g], 0) / (s[g] - c[g]) for g in gone]
        delete = ratio(sum(right), len(gone))

        added = [g for g in every if c[g] and not s[g]]
        wanted = [g for g in every if r[g] and not s[g]]
        both = [g for g in added if g in wanted]
        add = f1(ratio(len(both), len(added)), ratio(len(both), len(wanted)))

        total += (keep + delete + add) / 3
    return total / 4


def ratio(part: float, whole: int) -> float:
    return part / whole if whole else 1.0


def f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


texts = st.lists(st.sampled_from("abcd"), max_size=12)


@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(answer=texts, source=texts, references=st.lists(texts, min_size=1, max_size=3))
def test_fast_is_naive(answer: list[str], source: list[str], references: list[list[str]]) -> None:
    fast = of_tokens(answer, source, references)
    assert fast == pytest.approx(naive(answer, source, references), abs=1e-12)
    assert 0 <= fast <= 1


@given(answer=texts, source=texts, references=st.lists(texts, min_size=1, max_size=3))
def test_the_order_of_references_does_not_matter(
    answer: list[str], source: list[str], references: list[list[str]]
) -> None:
    turned = of_tokens(answer, source, references[::-1])
    assert turned == of_tokens(answer, source, references)


# With repeats it need not be: 'a a' cut to the reference 'a' deletes what the reference has.
@given(text=texts, source=st.lists(st.sampled_from("abcd"), unique=True))
def test_the_only_reference_itself_is_perfect(text: list[str], source: list[str]) -> None:
    assert of_tokens(text, source, [text]) == pytest.approx(1.0)


CASE = Case.model_validate(
    {
        "case": "1",
        "narrative": "I fell.",
        "question": "Why?",
        "evidence": [
            {"id": "1", "text": "He slipped.", "relevance": "essential"},
            {"id": "2", "text": "It rained.", "relevance": "not-relevant"},
            {"id": "3", "text": "The floor was wet.", "relevance": "essential"},
        ],
        "references": [{"text": "He slipped on a wet floor."}],
    }
)


def value(name: str, text: str, case: Case = CASE) -> Score | Unscored:
    return resolve(name).score_batch([(case, Answer(system="A", case="1", text=text))])[0]


def test_source_and_reference_are_those_of_the_scorers() -> None:
    text = "He slipped, and the floor was wet."
    both, note = tokens("I fell.\n\nWhy?"), tokens("He slipped.\nThe floor was wet.")
    human = tokens("He slipped on a wet floor.")
    expected = {
        "sari(ref=note)": (both, [note]),
        "sari(ref=human)": (both, [human]),
        "sari(ref=human,source=narrative)": (tokens("I fell."), [human]),
    }
    for name, (source, references) in expected.items():
        assert value(name, text) == Score(of_tokens(tokens(text), source, references))


def test_words_past_the_limit_are_not_read() -> None:
    assert value("sari(limit=2,ref=human)", "He slipped somewhere") == value(
        "sari(ref=human)", "He slipped"
    )


def test_nothing_said_gains_nothing() -> None:
    # By the formula an empty answer is rewarded for what it deletes.
    assert naive([], tokens("I fell.\n\nWhy?"), [tokens("He slipped on a wet floor.")]) > 0.3
    assert value("sari(ref=human)", " ") == Score(0.0)
    assert resolve("sari(ref=human)").score_no_answer(CASE) == Score(0.0)


def test_what_the_case_lacks_is_said() -> None:
    bare = Case.model_validate({"case": "1", "question": "Why?", "references": [{"text": "So."}]})
    assert value("sari(ref=note)", "So.", bare) == Unscored(
        Reason.CASE_LACKS, "no essential evidence"
    )
    assert value("sari(ref=human,source=narrative)", "So.", bare) == Unscored(
        Reason.CASE_LACKS, "no narrative"
    )
    # A case without a narrative is rewritten from its question alone.
    expected = of_tokens(tokens("Why so?"), tokens("Why?"), [tokens("So.")])
    assert value("sari(ref=human)", "Why so?", bare) == Score(expected)
