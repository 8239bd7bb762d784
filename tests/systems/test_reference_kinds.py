"""Reference systems as kinds that a study names: settings in, answers out, through `ask`."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from medassay.answers import Answer
from medassay.cases import Case, Document
from medassay.errors import InvalidInput, UnknownName
from medassay.models.endpoints import Reply
from medassay.systems.kinds import KINDS
from medassay.systems.opening import Opening

NOTE = Case(case="n", question="Why oxygen?", evidence=[{"id": "1", "text": "Oxygen was low."}])


class Asked:
    """An endpoint that says what it is told, and remembers the bodies."""

    def __init__(self, *replies: Reply) -> None:
        self.replies = list(replies)
        self.bodies: list[dict[str, Any]] = []

    async def __call__(self, body: dict[str, Any], **about: object) -> Reply:
        del about
        self.bodies.append(body)
        return self.replies.pop(0)


def answered(
    kind: str, case: Case, documents: list[Document], *replies: Reply, **settings: object
) -> tuple[Answer | None, Asked]:
    """Open a kind and let it answer a case; a model is never really asked."""
    opening = Opening("s", Path(), [case], documents)
    declared = KINDS[kind].model_validate(settings)
    ask = Asked(*replies)
    return asyncio.run(declared.open(opening).answer(case, 2, ask)), ask


@pytest.fixture
def _no_backend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("medassay.systems.reference.open_backend", lambda *_: None)


def test_retrieval_gives_documents_alone(question: Case, guidelines: list[Document]) -> None:
    answer, _ = answered("retrieval", question, guidelines, retrieval="tfidf")
    assert answer is not None
    assert [hit.document for hit in answer.retrieved or ()][:1] == ["g2"]
    assert (answer.text, answer.choice, answer.sample) == (None, None, 2)


@pytest.mark.usefixtures("models")
def test_options_by_evidence_ask_nobody(question: Case, guidelines: list[Document]) -> None:
    answer, ask = answered("options", question, guidelines, method="tree", retrieval="tfidf")
    assert answer is not None
    assert answer.choice == "B"
    assert ask.bodies == []


@pytest.mark.usefixtures("_no_backend")
def test_options_by_a_model_ask_with_the_settings_parameters(
    question: Case, guidelines: list[Document]
) -> None:
    reply = Reply("answered", "A: 10%\nB: 80%\nC: 10%", cost=0.5)
    settings: dict[str, object] = {"by": "model", "retrieval": "tfidf"}
    answer, ask = answered("options", question, guidelines, reply, **settings)
    assert answer is not None
    assert (answer.choice, answer.confidence, answer.cost) == ("B", 0.8, 0.5)
    [body] = ask.bodies
    assert (body["temperature"], body["max_tokens"]) == (0, 400)
    assert "Salbutamol" in body["messages"][-1]["content"]


@pytest.mark.usefixtures("_no_backend")
def test_a_reply_that_failed_is_no_answer_and_one_cut_off_says_so() -> None:
    failed, _ = answered("cited", NOTE, [], Reply.failed("timeout", "too slow"), way="together")
    assert failed is None
    cut, _ = answered("cited", NOTE, [], Reply("cut_off", "It was low [1]. And"), way="together")
    assert cut is not None
    assert cut.ended == "cut_off"
    assert cut.citations == ("1",)


@pytest.mark.usefixtures("_no_backend")
def test_the_second_of_two_prompts_follows_from_the_first_reply() -> None:
    replies = (Reply("answered", "It was low."), Reply("answered", "It was low [1]."))
    answer, ask = answered("cited", NOTE, [], *replies, way="answer-first")
    assert answer is not None
    assert answer.citations == ("1",)
    assert "It was low." in ask.bodies[1]["messages"][-1]["content"]


def test_quotes_need_neither_model_nor_documents() -> None:
    answer, ask = answered("cited", NOTE, [], way="quote")
    assert answer is not None
    assert answer.text == "Oxygen was low."
    assert ask.bodies == []


@pytest.mark.usefixtures("_no_backend")
def test_grounded_shows_the_passages(question: Case, guidelines: list[Document]) -> None:
    reply = Reply("answered", "Salbutamol.")
    answer, ask = answered("grounded", question, guidelines, reply, retrieval="tfidf", reads=1)
    assert answer is not None
    assert answer.text == "Salbutamol."
    assert "[g2] Asthma." in ask.bodies[0]["messages"][-1]["content"]


def test_what_cannot_be_opened_is_named(question: Case, guidelines: list[Document]) -> None:
    with pytest.raises(InvalidInput, match="documents to search in"):
        answered("retrieval", question, [])
    with pytest.raises(InvalidInput, match="have options"):
        answered("options", NOTE, guidelines)
    with pytest.raises(UnknownName, match="hybrid"):
        answered("retrieval", question, guidelines, retrieval="hibrid")
    with pytest.raises(UnknownName, match="structured"):
        answered("options", question, guidelines, method="structure")
