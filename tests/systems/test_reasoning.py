"""Methods of reasoning: what each reads, asks and concludes."""

import pytest

from medassay.cases import Case, Document
from medassay.errors import UnknownName
from medassay.systems import Retriever, cut_passages
from medassay.systems.dialogue import Prompt, converse, own_prompts
from medassay.systems.reasoning import (
    EvidenceWeigher,
    ModelWeigher,
    answer_of,
    find_method,
    methods,
    shares_in,
)

METHODS = [method.name for method in methods()]


@pytest.fixture
def retriever(guidelines: list[Document]) -> Retriever:
    return Retriever(cut_passages(guidelines), "tfidf")


class Model:
    """A model that replies as it is told, and remembers what it was asked."""

    def __init__(self, **replies: str) -> None:
        self.replies = replies
        self.asked: list[Prompt] = []

    def __call__(self, prompt: Prompt) -> str:
        self.asked.append(prompt)
        return self.replies.get(prompt.purpose, f"({prompt.purpose})")

    @property
    def purposes(self) -> list[str]:
        return [prompt.purpose for prompt in self.asked]


@pytest.mark.usefixtures("models")
@pytest.mark.parametrize("name", METHODS)
def test_without_a_model_the_evidence_decides(
    name: str, question: Case, retriever: Retriever
) -> None:
    weigher = EvidenceWeigher(retriever.passages)
    answer = converse(answer_of(question, "s", find_method(name), retriever, weigher))
    assert answer.choice == "B"
    assert answer.confidence is not None
    assert 1 / 3 < answer.confidence < 1
    assert answer.statements is not None
    assert answer.statements[0].citations == ("g2",)
    assert next(hit.document for hit in answer.retrieved or ()) == "g2"
    assert 'says: "In acute asthma give salbutamol and oxygen."' in (answer.reasoning or "")
    again = converse(answer_of(question, "s", find_method(name), retriever, weigher))
    assert again == answer


@pytest.mark.parametrize("name", METHODS)
def test_a_model_is_asked_and_its_probabilities_are_the_confidence(
    name: str, question: Case, retriever: Retriever
) -> None:
    model = Model(weigh="It wheezes.\nA: 10%\nB: 80%\nC: 10%")
    weigher = ModelWeigher(own_prompts("options"))
    answer = converse(answer_of(question, "s", find_method(name), retriever, weigher), model)
    assert answer.choice == "B"
    # The tree weighs only the two options that are left: 80 of 90.
    assert answer.confidence == pytest.approx(80 / 90 if name == "tree" else 0.8, abs=1e-6)
    expected = {
        "chain": ["weigh"],
        "hybrid": ["weigh"],
        "structured": ["presentation", "findings", "differential", "guideline", "weigh"],
        "tree": ["weigh"] * (len(question.options) + 1),
    }
    assert model.purposes == expected[name]


def test_the_hybrid_escalates_where_the_chain_is_not_sure(
    question: Case, retriever: Retriever
) -> None:
    model = Model(weigh="A: 30%\nB: 40%\nC: 30%")
    weigher = ModelWeigher(own_prompts("options"))
    answer = converse(answer_of(question, "s", find_method("hybrid"), retriever, weigher), model)
    assert len(model.asked) == 1 + 3 + 1
    assert "With confidence 0.40, under 0.75" in (answer.reasoning or "")


def test_the_tree_prunes_to_two_and_shows_only_these(question: Case, retriever: Retriever) -> None:
    model = Model(weigh="A: 5%\nB: 55%\nC: 40%")
    weigher = ModelWeigher(own_prompts("options"))
    converse(answer_of(question, "s", find_method("tree"), retriever, weigher), model)
    last = model.asked[-1].messages[-1].text
    assert "B. Salbutamol" in last
    assert "C. An antibiotic" in last
    assert "A. Alteplase" not in last


def test_a_reply_without_probabilities_gives_a_choice_and_no_confidence(
    question: Case, retriever: Retriever
) -> None:
    weigher = ModelWeigher(own_prompts("options"))
    chain = find_method("chain")
    said = converse(
        answer_of(question, "s", chain, retriever, weigher), Model(weigh="The answer is (B).")
    )
    assert (said.choice, said.confidence) == ("B", None)
    nothing = converse(
        answer_of(question, "s", chain, retriever, weigher), Model(weigh="I cannot say.")
    )
    assert (nothing.choice, nothing.confidence) == (None, None)
    assert nothing.text == "No option could be told from the others."


@pytest.mark.parametrize(
    ("text", "shares"),
    [
        ("A: 60%\nB: 40%", {"A": 0.6, "B": 0.4}),
        ("**A**: 60%\n- B = 40%", {"A": 0.6, "B": 0.4}),
        ("A: 50%\nB: 50%\nNo:\nA: 90%\nB: 10%", {"A": 0.9, "B": 0.1}),
        ("A: 60%", {}),
        ("A: 60%\nB: 60%", {}),
        ("A: 0%\nB: 0%", {}),
        ("", {}),
    ],
)
def test_probabilities_are_read_or_there_are_none(text: str, shares: dict[str, float]) -> None:
    assert shares_in(text, ["A", "B"]) == shares


def test_a_question_without_a_passage_has_no_choice(question: Case) -> None:
    passages = cut_passages([Document(id="g", text="- - -")])
    answer = converse(
        answer_of(
            question,
            "s",
            find_method("chain"),
            Retriever(passages, "tfidf"),
            EvidenceWeigher(passages),
        )
    )
    assert answer.choice is None
    assert answer.confidence is None


def test_an_unknown_method_is_named() -> None:
    with pytest.raises(UnknownName, match="chain"):
        find_method("chian")


def test_whoever_cannot_ask_is_told(question: Case, retriever: Retriever) -> None:
    weigher = ModelWeigher(own_prompts("options"))
    with pytest.raises(RuntimeError, match="weigh"):
        converse(answer_of(question, "s", find_method("chain"), retriever, weigher))
