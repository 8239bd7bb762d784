"""TF-IDF retrieval against arithmetic by hand, and the pipeline that quotes what it finds."""

from math import log, sqrt
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medassay.cases import Case
from medassay.errors import InvalidInput
from medassay.systems import (
    ExtractionRule,
    TfidfIndex,
    answer_with_tfidf,
    corpus_text,
    read_corpus,
    sentence_of,
)

CORPUS = Path(__file__).parents[2] / "examples" / "environmental-health" / "original"


def test_cosines_are_those_of_the_formula() -> None:
    # N = 2. idf(ozone) = ln(3/3) + 1 = 1; idf(asthma) = ln(3/2) + 1 = w.
    # "a" = (ozone 1, asthma w), of length sqrt(1 + w^2); the query is ozone alone: cosine 1/length.
    index = TfidfIndex({"a": "ozone asthma", "b": "ozone"})
    w = log(3 / 2) + 1
    found = dict(index.rank("ozone", 2))
    assert found["b"] == 1
    assert found["a"] == pytest.approx(1 / sqrt(1 + w**2))


def test_texts_without_a_word_of_the_query_are_not_returned() -> None:
    index = TfidfIndex({"a": "ozone", "b": "lead"})
    assert index.rank("mercury", 3) == []
    assert [name for name, _ in index.rank("lead", 3)] == ["b"]


def test_equal_cosines_stand_in_the_order_of_their_ids() -> None:
    index = TfidfIndex({"z": "ozone", "a": "ozone", "m": "ozone"})
    assert [name for name, _ in index.rank("ozone", 2)] == ["a", "m"]


@given(st.permutations(["ozone asthma", "lead water lead", "ozone lead", "cadmium"]))
def test_the_order_of_the_corpus_changes_nothing(texts: list[str]) -> None:
    index = TfidfIndex({text: text for text in texts})
    plain = TfidfIndex({text: text for text in sorted(texts)})
    assert index.rank("lead and ozone", 3) == plain.rank("lead and ozone", 3)


def test_every_statement_is_a_sentence_of_a_document_that_was_returned() -> None:
    corpus = read_corpus(CORPUS)
    assert len(corpus) == 6
    by_id = {one.id: one for one in corpus}
    cases = [Case(case="S2", question="Does short-term NO2 exposure worsen childhood asthma?")]
    (answer,) = answer_with_tfidf(cases, corpus)
    assert answer.retrieved is not None
    assert answer.statements is not None
    assert answer.retrieved[0].document == "demo_no2_asthma_example"
    assert len(answer.statements) == len(answer.retrieved) == 3
    for statement, found in zip(answer.statements, answer.retrieved, strict=True):
        (citation,) = statement.citations
        assert citation.startswith(f"{found.document}#")
        assert sentence_of(citation, by_id) == statement.text
        assert statement.text in by_id[found.document].text
    assert answer_with_tfidf(cases, corpus[::-1]) == [answer]


def test_confidence_follows_the_published_rule_or_that_of_the_run() -> None:
    texts = {"a": "Ozone.", "b": "Ozone and lead.", "c": "Ozone, lead, water, soil and dust."}
    corpus = [corpus_text(name, f"Findings: {text}") for name, text in texts.items()]
    cases = [Case(case="1", question="ozone"), Case(case="2", question="dust and soot")]
    published = answer_with_tfidf(cases, corpus)
    # Three scores that differ: the published rule says Medium of whatever they are. One: Low.
    assert [one.confidence_label for one in published] == ["Medium", "Low"]
    of_run = answer_with_tfidf(cases, corpus, rule=ExtractionRule(normalised="run"))
    assert of_run[0].retrieved == published[0].retrieved


def test_nothing_found_is_an_empty_answer_without_confidence() -> None:
    corpus = [corpus_text("a", "Findings: Ozone harms.")]
    (answer,) = answer_with_tfidf([Case(case="1", question="mercury")], corpus)
    assert (answer.text, answer.retrieved, answer.confidence_label) == ("", (), None)


def test_what_cannot_be_searched_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="have a question"):
        answer_with_tfidf([Case(case="1", narrative="A story.")], [corpus_text("a", "Ozone.")])
    with pytest.raises(InvalidInput, match="no such folder"):
        read_corpus(tmp_path / "none")
    (tmp_path / "README.md").write_text("About.", encoding="utf-8")
    with pytest.raises(InvalidInput, match="hold texts"):
        read_corpus(tmp_path)
    (tmp_path / "a.txt").write_bytes(b"\xff\xfe\xfa")
    (tmp_path / "b.txt").write_text(" ", encoding="utf-8")
    with pytest.raises(InvalidInput) as caught:
        read_corpus(tmp_path)
    assert [one.file for one in caught.value.problems] == ["a.txt", "b.txt"]
