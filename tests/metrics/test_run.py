import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NoReturn

import pytest

from medassay.answers import Answer, Answers
from medassay.cases import Case, Cases
from medassay.errors import InvalidInput, MissingBackend, UnknownName
from medassay.metrics import BoundMetric, Declaration, Direction, Level, resolve, score
from medassay.metrics.declaration import TEXT
from medassay.metrics.registry import Compute, Pair
from medassay.scores import Name, Reason, Score, ScoreTable, Unscored

CASES = Cases.of(
    [
        Case.model_validate({"case": "1", "references": [{"text": "Rest at home."}]}),
        Case.model_validate({"case": "2", "references": [{"text": "Drink a lot of water now."}]}),
        Case(case="3"),
    ]
)
ANSWERS = Answers.of(
    [
        Answer(system="A", case="1", text="Rest at home."),
        Answer(system="A", case="2", text=""),
        Answer(system="B", case="1", choice="A"),
        Answer(system="B", case="3", text="Rest."),
    ]
)


def cells(table: ScoreTable) -> dict[tuple[str, str], tuple[float | None, str | None, str | None]]:
    rows = table.frame.select("system", "case", "value", "reason", "detail").iter_rows()
    return {(system, case): (value, reason, detail) for system, case, value, reason, detail in rows}


def test_four_kinds_of_missing_stay_four() -> None:
    found = cells(score(CASES, ANSWERS, ["rouge1(ref=human)"]))
    no_reference = (None, "case_lacks", "no reference of kind human")
    assert found == {
        ("A", "1"): (1.0, None, None),
        ("A", "2"): (0.0, None, None),  # given and empty: a measured zero
        ("A", "3"): no_reference,  # never given, but nobody could be scored here
        ("B", "1"): (None, "answer_lacks", "no text"),
        ("B", "2"): (0.0, None, None),  # never given: the declared worst value
        ("B", "3"): no_reference,
    }


def test_a_metric_without_a_worst_value_says_never_answered() -> None:
    found = cells(score(CASES, ANSWERS, ["length"]))
    assert found["A", "2"] == (0.0, None, None)
    assert found["B", "2"] == (None, "never_answered", "")


def test_a_system_that_never_answered_can_be_asked_for() -> None:
    found = cells(score(CASES, ANSWERS, ["bleu(ref=human)"], systems=["C", "A", "C"]))
    assert [found["C", case][0] for case in "123"] == [0.0, 0.0, None]
    assert ("B", "1") not in found


def test_not_answering_gains_nothing_when_pooled() -> None:
    metric = resolve("bleu(ref=human)")
    water = CASES["2"]
    said = metric.score_batch([(water, Answer(system="A", case="2", text="Drink a lot of water"))])
    alone = metric.pooled(said)
    silent = metric.score_no_answer(CASES["1"])
    # parts: no matches, no totals, an answer of 0 tokens against a reference of 4
    assert silent == Score(0.0, (0.0,) * 9 + (4.0,))
    together = metric.pooled([*said, silent])
    assert isinstance(alone, Score)
    assert isinstance(together, Score)
    assert together.value < alone.value


def test_the_same_scores_whatever_the_order() -> None:
    names = ["bleu(ref=human)", "length", "rougeLsum(ref=human)"]
    table = score(CASES, ANSWERS, names)
    turned = score(
        Cases.of(reversed(CASES.records)), Answers.of(reversed(ANSWERS.records)), names[::-1]
    )
    assert table.frame.equals(turned.frame)


def test_progress_ends_at_the_number_of_answers() -> None:
    calls: list[tuple[str, int, int]] = []
    score(CASES, ANSWERS, ["length"], progress=lambda *call: calls.append(call))
    assert calls == [("length", 4, 4)]


def test_an_unknown_metric_is_refused_before_any_work() -> None:
    with pytest.raises(UnknownName):
        score(CASES, ANSWERS, ["length", "lenght"])


def test_pooling_without_a_rule_is_refused() -> None:
    with pytest.raises(InvalidInput, match="must declare how it pools"):
        resolve("length").pooled([Score(1.0)])
    nothing = resolve("bleu(ref=human)").pooled([Unscored(Reason.CASE_LACKS)])
    assert nothing == Unscored(Reason.UNDEFINED, "no scored answer to pool")


PROBE = Declaration(
    name="probe",
    question="Does it hold?",
    unit="a fraction",
    low=0,
    high=1,
    direction=Direction.HIGHER,
    needs=(TEXT,),
    if_no_answer=0,
    undefined_when="never",
    reference="this test",
)


def make(compute: Compute, declaration: Declaration = PROBE) -> BoundMetric:
    return BoundMetric(Name("probe"), declaration, {}, compute)


def fails_on_bad(pairs: Sequence[Pair], _: Mapping[str, str]) -> list[Score | Unscored]:
    if any(answer.text == "bad" for _, answer in pairs):
        message = "cannot read this"
        raise ValueError(message)
    return [Score(1.0) for _ in pairs]


def pairs_of(*texts: str) -> list[Pair]:
    return [(CASES["1"], Answer(system="A", case="1", text=text)) for text in texts]


def raised(error: BaseException) -> NoReturn:
    raise error


class Speechless(Exception):
    def __str__(self) -> str:
        raise KeyError


def test_whoever_stops_a_metric_stops_the_run() -> None:
    with pytest.raises(KeyboardInterrupt):
        make(lambda _pairs, _: raised(KeyboardInterrupt())).score_batch(pairs_of("a"))


def test_one_bad_answer_fails_alone() -> None:
    found = make(fails_on_bad).score_batch(pairs_of("a", "b", "bad", "c", "d"))
    failed = Unscored(Reason.FAILED, "ValueError: cannot read this")
    assert found == [Score(1.0), Score(1.0), failed, Score(1.0), Score(1.0)]


@pytest.mark.parametrize(
    ("compute", "detail"),
    [
        (lambda _pairs, _: [Score(2.0)], "gave 2.0, outside its declared range"),
        (lambda _pairs, _: [Score(0.5, (1.0,))], "gave 1 parts, not 0"),
        (lambda _pairs, _: [], "gave 0 scores for 1 answers"),
        (lambda _pairs, _: [Score(float("nan"))], "must be a finite number"),
        (
            lambda _pairs, _: [Unscored(Reason.FAILED, "\ud83d")],
            "gave words with half of a character",
        ),
        (lambda _pairs, _: sys.exit(3), "SystemExit: 3"),
        (lambda _pairs, _: raised(BaseException("out")), "BaseException: out"),
        (lambda _pairs, _: raised(ValueError("\ud83d")), "ValueError: \\ud83d"),
        (lambda _pairs, _: raised(Speechless()), "Speechless"),
    ],
)
def test_a_metric_that_breaks_its_declaration_is_caught(compute: Compute, detail: str) -> None:
    found = make(compute).score_batch(pairs_of("a"))[0]
    assert isinstance(found, Unscored)
    assert found.reason is Reason.FAILED
    assert detail in found.detail


def test_a_missing_package_is_its_own_reason() -> None:
    def compute(_pairs: Sequence[Pair], _: Mapping[str, str]) -> list[Score | Unscored]:
        raise MissingBackend("torch", "probe", "pip install torch")

    found = make(compute).score_batch(pairs_of("a", "b"))
    assert {score.reason for score in found if isinstance(score, Unscored)} == {
        Reason.BACKEND_MISSING
    }


def test_an_empty_answer_can_be_declared_to_have_no_value() -> None:
    metric = make(fails_on_bad, replace(PROBE, if_empty=Reason.EMPTY_ANSWER))
    assert metric.score_batch(pairs_of(" ", "a")) == [Unscored(Reason.EMPTY_ANSWER), Score(1.0)]


def test_a_metric_of_whole_systems_is_not_scored_answer_by_answer() -> None:
    with pytest.raises(InvalidInput, match="must be metrics of single answers"):
        score(CASES, ANSWERS, [make(fails_on_bad, replace(PROBE, level=Level.CORPUS))])


@pytest.mark.parametrize(
    "declare",
    [
        lambda: replace(PROBE, name="two words"),
        lambda: replace(PROBE, question=" "),
        lambda: replace(PROBE, reference=""),
        lambda: replace(PROBE, needs=()),
        lambda: replace(PROBE, if_no_answer=-1),
        lambda: replace(PROBE, pool=lambda sums, _: sums),
    ],
)
def test_a_declaration_with_a_hole_is_refused(declare: Callable[[], Declaration]) -> None:
    with pytest.raises(InvalidInput):
        declare()
