"""Each strategy orders all that it looks at, and what it says of itself holds."""

from math import log

import numpy as np
import pytest

from medassay.cases import Document
from medassay.errors import MissingBackend, UnknownName
from medassay.models import ModelSetup, use_models
from medassay.systems import Retriever, cut_passages, strategies
from medassay.systems.retrieval import Bm25, Concepts, Dense, documents_by_rank, find_strategy

NAMES = [strategy.name for strategy in strategies()]


@pytest.mark.slow
@pytest.mark.usefixtures("models")
@pytest.mark.parametrize("name", NAMES)
def test_the_guideline_on_asthma_is_first_for_asthma(name: str, guidelines: list[Document]) -> None:
    found = Retriever(cut_passages(guidelines), name).rank("What is given in acute asthma?", 3)
    assert found[0].document == "g2"
    scores = [hit.score for hit in found]
    assert scores == sorted(scores, reverse=True)
    assert len({hit.document for hit in found}) == len(found)


@pytest.mark.usefixtures("models")
@pytest.mark.parametrize("name", NAMES)
def test_a_query_of_unknown_words_still_gives_an_order(
    name: str, guidelines: list[Document]
) -> None:
    passages = cut_passages(guidelines)
    for query in ("", "qqxz zzqx", "???"):
        assert len(Retriever(passages, name).rank(query, 3)) == 3


def test_bm25_is_the_formula() -> None:
    # N = 2, "lead" in one: idf = ln(1 + (2 - 1 + .5) / (1 + .5)) = ln 2.
    # Texts of 2 and 4 words, mean 3; tf 2 in the first: 2 * / (2 + 1.2 * (.25 + .75 * 2 / 3)).
    texts = [Document(id="a", text="lead lead"), Document(id="b", text="ozone harms lung tissue")]
    a, b = Bm25(cut_passages(texts)).scores("lead")
    assert b == 0
    # bm25s leaves out the factor (k1 + 1), which orders nothing.
    assert a == pytest.approx(log(2) * 2 / (2 + 1.2 * (0.25 + 0.75 * 2 / 3)))


@pytest.mark.usefixtures("models")
def test_dense_scores_are_cosines_and_the_matrix_is_kept(
    guidelines: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    passages = cut_passages(guidelines)
    first = Dense(passages)
    own = first.scores(passages[1].searched)
    assert own.argmax() == 1
    assert own[1] == pytest.approx(1, abs=1e-6)
    monkeypatch.setattr(
        "medassay.systems.retrieval.sentence_vectors", lambda *_, **__: pytest.fail("again")
    )
    assert np.array_equal(Dense(passages)._matrix, first._matrix)


@pytest.mark.usefixtures("models")
def test_concepts_are_weighed_by_how_rare_they_are(guidelines: list[Document]) -> None:
    scores = Concepts(cut_passages(guidelines)).scores("acute asthma and stroke")
    assert scores[0] == 0
    assert scores[1] > 0
    assert scores[2] > 0
    assert scores.sum() == pytest.approx(1, abs=0.35)


def test_equal_scores_stand_in_the_order_of_the_passages(guidelines: list[Document]) -> None:
    passages = cut_passages(guidelines)
    ranked = documents_by_rank(passages, np.asarray([1.0, 1.0 + 1e-13, 0.5]), 2)
    assert [hit.document for hit in ranked] == ["g1", "g2"]


def test_what_was_not_looked_at_brings_nothing(guidelines: list[Document]) -> None:
    ranked = documents_by_rank(cut_passages(guidelines), np.asarray([-np.inf, 1.0, -np.inf]), 3)
    assert [hit.document for hit in ranked] == ["g2"]


def test_meaning_never_lifts_a_passage_over_one_that_names_more() -> None:
    order = find_strategy("concept-first").order
    scores = order({"concepts": np.asarray([0.5, 0.4]), "dense": np.asarray([0.0, 1.0])})
    assert scores[0] > scores[1]


def test_hybrid_is_the_weighed_sum() -> None:
    order = find_strategy("hybrid").order
    scores = order({"dense": np.asarray([0.2, 0.7, 1.2]), "bm25": np.asarray([4.0, 2.0, 0.0])})
    assert scores.tolist() == pytest.approx([0.35, 0.5, 0.65])


def test_an_unknown_strategy_is_named_with_the_nearest(guidelines: list[Document]) -> None:
    with pytest.raises(UnknownName, match="hybrid"):
        Retriever(cut_passages(guidelines), "hybird")


def test_without_its_package_the_line_that_installs_it_is_printed(
    guidelines: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "bm25s", None)
    with use_models(ModelSetup()), pytest.raises(MissingBackend, match='pip install "bm25s'):
        Retriever(cut_passages(guidelines), "bm25")
