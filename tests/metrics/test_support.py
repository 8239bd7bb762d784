"""Shares of statements, by hand, and what becomes of odd answers."""

from collections.abc import Iterator

import pytest
from tools.toy_judge import ToyJudge

from medassay.answers import Answer
from medassay.cases import Case
from medassay.errors import InvalidInput
from medassay.metrics import resolve
from medassay.metrics.statement_support import check_citations, check_statements
from medassay.models import ModelSetup, use_models
from medassay.models.nli import Question, SupportFinding, SupportVerdict
from medassay.scores import Reason, Score, Unscored

CASE = Case.model_validate(
    {
        "case": "1",
        "question": "Why was she admitted?",
        "evidence": [
            {"id": 1, "text": "She was admitted with pneumonia. She had no rash."},
            {"id": 2, "text": "Amoxicillin 500 mg was given twice a day."},
        ],
        "references": [{"text": "She was admitted with asthma."}],
        "documents": [{"id": "d", "text": "Her sodium was low."}, {"id": "e", "text": "She sang."}],
    }
)
STATEMENTS = [
    {"text": "She was admitted with pneumonia.", "citations": [1]},
    {"text": "She had a rash.", "citations": [1]},
    {"text": "Amoxicillin 500 mg was given.", "citations": [1]},
    {"text": "Her cat is ill.", "citations": []},
]
ANSWER = Answer.model_validate(
    {"system": "S", "case": "1", "statements": STATEMENTS, "retrieved": [{"document": "d"}]}
)
NAMES = ["faithfulness", "contradiction", "hallucination", "citation_support"]
BY_TOY = "(judge=toy)"


@pytest.fixture(autouse=True)
def toy() -> Iterator[None]:
    with use_models(ModelSetup(given={"toy": ToyJudge()})):
        yield


def value(name: str, answer: Answer = ANSWER, case: Case = CASE) -> Score | Unscored:
    return resolve(name).score_batch([(case, answer)])[0]


def said(text: str) -> Answer:
    statements = [{"text": text, "citations": [1]}]
    return Answer.model_validate({"system": "S", "case": "1", "statements": statements})


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        # pneumonia and amoxicillin, of four statements
        ("faithfulness(judge=toy)", Score(2 / 4, (2, 4, 0))),
        ("faithfulness(against=reference,judge=toy)", Score(0, (0, 4, 0))),
        ("contradiction(judge=toy)", Score(1 / 4, (1, 4, 0))),  # a rash: the note has none
        ("hallucination(judge=toy)", Score(0, (0, 1, 0))),  # two of four are not more than half
        ("hallucination(count=statements,judge=toy)", Score(2 / 4, (2, 4, 0))),
        ("hallucination(against=retrieved,judge=toy)", Score(1, (1, 1, 0))),
        # amoxicillin is supported by 2 and cites 1; the cat cites nothing
        ("citation_support(judge=toy)", Score(1 / 4, (1, 4, 0))),
        ("citation_support(judge=toy,of=citing)", Score(1 / 3, (1, 3, 0))),
    ],
)
def test_shares_by_hand(name: str, expected: Score) -> None:
    assert value(name) == expected


def test_pooled_values_weigh_statements() -> None:
    metric = resolve("faithfulness(judge=toy)")
    one = said("She was admitted with pneumonia.")
    assert metric.pooled(metric.score_batch([(CASE, ANSWER), (CASE, one)])) == Score(
        3 / 5, (3, 5, 0)
    )
    empty = metric.pooled(metric.score_batch([(CASE, said("***"))]))
    assert isinstance(empty, Unscored)


def test_the_deciding_sentence_comes_with_its_source() -> None:
    rows = check_statements([(CASE, ANSWER)], ToyJudge(), "evidence")[0]
    assert [(row.source, row.sentence) for row in rows] == [
        ("1", "She was admitted with pneumonia."),
        ("1", "She had no rash."),
        ("2", "Amoxicillin 500 mg was given twice a day."),
        (None, ""),
    ]
    assert [row.cites for row in check_citations([(CASE, ANSWER)], ToyJudge())[0]] == [
        True, True, True, False,
    ]  # fmt: skip


FOREIGN = ["她因肺炎入院。", "أُدخلت بسبب التهاب رئوي", "उसे निमोनिया के कारण भर्ती किया गया।"]
NOTHING = ["***", "…", "😀 🩺", "\x00\x07", "Why was she admitted?"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", FOREIGN)
def test_another_language_is_said_to_be_one(name: str, text: str) -> None:
    found = value(name + BY_TOY, said(text))
    assert isinstance(found, Unscored)
    assert (found.reason, "English" in found.detail) == (Reason.UNDEFINED, True)


@pytest.mark.parametrize("text", NOTHING)
def test_what_states_nothing(text: str) -> None:
    assert value("faithfulness(judge=toy)", said(text)) == Score(0, (0, 0, 0))
    assert value("citation_support(judge=toy)", said(text)) == Score(0, (0, 0, 0))
    for name in ("contradiction", "hallucination"):
        found = value(name + BY_TOY, said(text))
        assert isinstance(found, Unscored)
        assert found.reason is Reason.UNDEFINED


@pytest.mark.parametrize("name", NAMES)
def test_one_word_and_ten_thousand(name: str) -> None:
    share = 1.0 if name in {"faithfulness", "citation_support"} else 0.0
    assert value(name + BY_TOY, said("Pneumonia.")) == Score(share, (share, 1.0, 0))
    long = "She was admitted with pneumonia. " * 2000
    found = value("faithfulness(judge=toy)", Answer(system="S", case="1", text=long))
    assert found == Score(1.0, (2000.0, 2000.0, 0))


class _Agrees:
    """A judge that finds everything supported by the first sentence."""

    name = "agrees"
    settings = {"agrees": "1"}  # noqa: RUF012 - a stand-in of one test

    def reads(self, text: str) -> str:
        return "" if text else "nothing to read"

    def judge(self, questions: list[Question]) -> list[SupportFinding]:
        return [SupportFinding(SupportVerdict.SUPPORTED, 0, 1.0, "so") for _ in questions]


@pytest.mark.parametrize("name", NAMES)
def test_without_an_entailment_model_there_is_no_score_and_no_stand_in(name: str) -> None:
    metric = resolve(name)
    (found,) = metric.score_batch([(CASE, ANSWER)])
    assert isinstance(found, Unscored)
    assert found.reason is Reason.BACKEND_MISSING
    assert "needs an entailment (NLI) model" in found.detail
    assert '[models.folders] nli = "FOLDER"' in found.detail
    assert isinstance(metric.score_no_answer(CASE), Unscored)
    assert "judge:nli" in str(metric.signature)
    assert str(resolve(f"{name}(judge=nli)").name) == name


def test_no_hub_is_asked_for_a_model_called_nli(monkeypatch: pytest.MonkeyPatch) -> None:
    def asked(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("medassay.models.find._hub", asked)
    with use_models(ModelSetup(download=True)):
        assert isinstance(value("faithfulness"), Unscored)


def test_the_model_that_a_study_names_nli_judges() -> None:
    with use_models(ModelSetup(given={"nli": _Agrees()})):
        assert value("faithfulness") == Score(1, (4, 4, 0))


def test_a_judge_can_be_handed_in() -> None:
    with use_models(ModelSetup(given={"mine": _Agrees()})):
        assert value("faithfulness(judge=mine)") == Score(1, (4, 4, 0))
        assert "|agrees:1|" in str(resolve("faithfulness(judge=mine)").signature)
    with use_models(ModelSetup(given={"mine": object()})), pytest.raises(Exception, match="Judge"):
        _ = resolve("faithfulness(judge=mine)").signature


@pytest.mark.parametrize("name", NAMES)
def test_who_names_the_rules_of_old_is_told_what_to_take(name: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        resolve(f"{name}(judge=rules)")
    told = str(caught.value)
    assert 'got "rules"' in told
    assert '[models.folders] nli = "FOLDER"' in told
    assert "lexical_support" in told


def test_a_model_that_is_missing_is_said_to_be() -> None:
    found = value("faithfulness(judge=no/such-model)")
    assert isinstance(found, Unscored)
    assert found.reason is Reason.BACKEND_MISSING
