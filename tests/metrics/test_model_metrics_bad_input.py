"""What metrics on the embedded model make of every kind of text: declared, and held here."""

from pathlib import Path

import pytest

from medassay.answers import Answer
from medassay.cases import Case
from medassay.metrics import resolve
from medassay.metrics.token_match import language_of
from medassay.models import ModelSetup, use_models
from medassay.scores import Reason, Score, Unscored

MATCH = "minilm_match_f1(ref=human)"
NEAR = "embedding_similarity(ref=human)"
QUESTION = "Is it safe to rest at home?"
CASE = Case.model_validate(
    {
        "case": "1",
        "question": QUESTION,
        "references": [{"text": "Yes. He should rest at home and drink water."}],
    }
)
# A text, and the least and most that each of MATCH and NEAR may give for it.
LONG = "10,000 words"
READ = {
    "one word": ("rest", (0.1, 0.7)),
    LONG: ("He should rest at home and drink water. " * 1250, (0.4, 1.0)),
    "Arabic": ("عليه أن يستريح في البيت", (-0.2, 0.3)),
    "Devanagari": ("उसे घर पर आराम करना चाहिए", (-0.2, 0.3)),
    "emoji": ("😀 👩‍⚕️ 🩺", (-0.2, 0.3)),
    "punctuation": ("?! ... --", (-0.2, 0.3)),
    "control characters beside words": ("\x00He should rest\x07 at home.", (0.5, 1.0)),
    "the question again": (QUESTION, (0.3, 0.9)),
}
NOT_READ = {
    "empty": ("", Reason.EMPTY_ANSWER),
    "blanks": (" \n\t", Reason.EMPTY_ANSWER),
    # To the model's pieces a sentence without blanks is one unknown word.
    "Chinese": ("他应该在家休息", Reason.NOT_READ),
    "control characters alone": ("\x00\x01\x07", Reason.UNDEFINED),
}


def score(name: str, text: str) -> Score | Unscored:
    return resolve(name).score_batch([(CASE, Answer(system="A", case="1", text=text))])[0]


@pytest.mark.parametrize("name", [MATCH, NEAR])
@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=pytest.mark.slow if kind == LONG else []) for kind in READ],
)
def test_it_is_scored_and_the_value_is_in_its_place(name: str, kind: str) -> None:
    text, (least, most) = READ[kind]
    found = score(name, text)
    assert isinstance(found, Score)
    assert least <= found.value <= most


@pytest.mark.parametrize("name", [MATCH, NEAR])
@pytest.mark.parametrize("kind", NOT_READ)
def test_it_is_not_scored_and_the_reason_says_why(name: str, kind: str) -> None:
    text, reason = NOT_READ[kind]
    found = score(name, text)
    assert isinstance(found, Unscored)
    assert found.reason is reason


def test_an_answer_equal_to_the_question_is_as_near_to_it_as_can_be() -> None:
    found = score("embedding_similarity(ref=question)", QUESTION)
    assert isinstance(found, Score)
    assert found.value == pytest.approx(1)


def test_contradiction_is_not_seen_and_the_metric_says_so() -> None:
    paraphrase = score(MATCH, "He ought to stay in and take fluids.")
    contradiction = score(MATCH, "No. He should not rest at home and not drink water.")
    assert isinstance(paraphrase, Score)
    assert isinstance(contradiction, Score)
    assert contradiction.value > paraphrase.value
    assert resolve(MATCH).declaration.blind_spots[0].startswith("Negation and contradiction")


SPANISH = (
    "El paciente debe tomar una pastilla cada noche durante dos semanas y volver al hospital si la"
    " fiebre sigue o si aparece un dolor nuevo."
)


def answers(*texts: str) -> list[tuple[Case, Answer]]:
    return [(CASE, Answer(system="A", case="1", text=text)) for text in texts]


def test_texts_for_another_model_are_warned_about() -> None:
    pairs = answers("He should rest.", "عليه أن يستريح", "他应该休息", "12 😀", SPANISH)
    (said,) = resolve(MATCH).cautions(pairs)
    assert said == (
        f"{MATCH}: the model reads English, and 3 of 5 answers do not look like it"
        " (1 in Arabic script, 1 in Cjk script, 1 in Latin script); their scores say little."
    )
    assert resolve(MATCH).cautions(pairs[:1]) == []


@pytest.mark.parametrize(
    ("card", "language"), [("en", "en"), ("\n- en", "en"), ("[en, zh]", "en, zh"), ("zh", "zh")]
)
def test_the_card_of_a_model_says_what_it_reads(tmp_path: Path, card: str, language: str) -> None:
    (tmp_path / "README.md").write_text(f"---\nlanguage: {card}\n---\n", encoding="utf-8")
    with use_models(ModelSetup(folders={"mine": str(tmp_path)})):
        assert language_of("mine") == language
    assert language_of("mine") == ""


@pytest.mark.parametrize(
    ("choice", "expected"),
    [("A", Score(1.0)), ("C", Reason.UNDEFINED)],
)
def test_semantic_accuracy_of_right_and_of_no_option(choice: str, expected: Score | Reason) -> None:
    case = Case.model_validate(
        {"case": "1", "options": {"A": "aspirin", "B": "fracture of the leg"}, "gold": "A"}
    )
    metric = resolve("semantic_accuracy")
    found = metric.score_batch([(case, Answer(system="A", case="1", choice=choice))])[0]
    assert (found.reason if isinstance(found, Unscored) else found) == expected
    wrong = metric.score_batch([(case, Answer(system="A", case="1", choice="B"))])[0]
    assert isinstance(wrong, Score)
    assert 0 <= wrong.value < 0.6


@pytest.mark.parametrize(
    ("texts", "coverage", "grade"),
    [
        (["Metformin and kidney disease"], 3 / 4, 1.0),
        (["Metformin and kidney disease", "Doses"], 4 / 4, 2.0),
        (["Broken legs"], 0.0, 0.0),
    ],
)
def test_context_relevance_by_hand(texts: list[str], coverage: float, grade: float) -> None:
    # Content words of the question: metformin, dose, kidney, disease.
    case = Case.model_validate(
        {
            "case": "1",
            "question": "What is the dose of metformin in kidney disease?",
            "documents": [{"id": i, "text": text} for i, text in enumerate(texts)],
        }
    )
    answer = Answer.model_validate(
        {"system": "A", "case": "1", "retrieved": [{"document": i} for i in range(len(texts))]}
    )
    for name, expected in (("context_coverage@2", coverage), ("context_relevance@2", grade)):
        found = resolve(name).score_batch([(case, answer)])[0]
        assert isinstance(found, Score)
        assert found.value == pytest.approx(expected)
