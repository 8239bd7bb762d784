"""Short answers: any of the accepted ones counts, however it is written."""

import json
from pathlib import Path

from medassay.answers import Answer
from medassay.cases import Case
from medassay.metrics import resolve
from medassay.scores import Reason, Score, Unscored

GOLDEN = Path(__file__).parents[1] / "golden" / "text_match.json"


def _case(*accepted: str) -> Case:
    return Case.model_validate({"case": "1", "references": [{"text": text} for text in accepted]})


def _score(case: Case, text: str) -> Score | Unscored:
    answer = Answer(system="S", case="1", text=text)
    [score] = resolve("text_match").score_batch([(case, answer)])
    return score


def test_it_is_the_exact_match_of_a_second_reading_of_the_rule() -> None:
    pairs = json.loads(GOLDEN.read_text(encoding="utf-8"))["pairs"]
    assert len({pair["right"] for pair in pairs}) == 2
    for pair in pairs:
        assert _score(_case(*pair["accepted"]), pair["answer"]) == Score(float(pair["right"])), pair


def test_a_reference_of_articles_alone_accepts_nothing() -> None:
    score = _score(_case("The", "..."), "the")
    assert isinstance(score, Unscored)
    assert score.reason is Reason.UNDEFINED
    assert _score(_case("The", "yes"), "the") == Score(0.0)


def test_an_answer_never_given_is_wrong_and_a_case_without_reference_has_no_value() -> None:
    assert resolve("text_match").score_no_answer(_case("yes")) == Score(0.0)
    score = _score(_case(), "yes")
    assert isinstance(score, Unscored)
    assert score.reason is Reason.CASE_LACKS
