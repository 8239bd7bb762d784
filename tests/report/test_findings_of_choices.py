"""What answers without a choice are counted as is told with what hangs on it."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import pytest

from medassay.analyses.builtin.accuracy import Accuracy, AccuracyOf, OnSameQuestions, accuracy
from medassay.analyses.results import Results
from medassay.analyses.results.whole import Records
from medassay.report import findings
from medassay.report.prose import found_statements
from medassay.report.tables import all_tables
from medassay.stats import Interval, McNemar

if TYPE_CHECKING:
    from medassay.analyses.inputs.answer_choices import Policy

Factory = Callable[..., Results]
AROUND = Interval(0.1, 0.9, 0.95, "m", "e")


def chosen(
    make_results: Factory,
    right: Mapping[str, tuple[int, int]],
    *,
    missing: int = 3,
    never: int = 0,
    p: tuple[float, float] = (0.5, 0.5),
) -> Results:
    """Lay out systems with so many right answers of 20 by either rule, and McNemar's p by each."""
    policies: tuple[Policy, Policy] = ("wrong", "first")
    rows = tuple(
        AccuracyOf("", "", system, policy, times, 20, missing, never, times / 20, AROUND)
        for system, both in right.items()
        for policy, times in zip(policies, both, strict=True)
    )
    pairs = tuple(
        OnSameQuestions(policy, "a1", "b2", 20, McNemar(5, 3, value), 0.1, value)
        for policy, value in zip(policies, p, strict=True)
    )
    found = Accuracy(rows, pairs if len(right) > 1 else (), ())
    return make_results(cases=4, analyses=Records({accuracy.id: found}))


def told(results: Results) -> str:
    return next((one.text for one in findings(results) if one.id == "accuracy"), "")


def test_where_every_question_has_a_choice_nothing_is_said(make_results: Factory) -> None:
    assert told(make_results(cases=4)) == ""
    assert told(chosen(make_results, {"a1": (12, 12), "b2": (9, 9)}, missing=0)) == ""


def test_answers_never_given_hang_on_no_rule(make_results: Factory) -> None:
    assert told(chosen(make_results, {"a1": (12, 12)}, missing=3, never=3)) == ""


def test_one_system_is_told_with_both_accuracies_and_what_is_missing(make_results: Factory) -> None:
    assert told(chosen(make_results, {"a1": (12, 14)}, never=1)) == (
        "No choice can be read in 3 of 20 answers of Alder (1 never given). Its accuracy is 60% "
        "(95% CI 10 to 90) if these count as wrong. It is 70% (95% CI 10 to 90) if they count as "
        "the first option."
    )


@pytest.mark.parametrize(
    ("right", "words"),
    [
        ({"a1": (12, 14), "b2": (9, 11)}, "The systems have the same order by both rules."),
        (
            {"a1": (12, 12), "b2": (9, 13)},
            "Alder is ahead of Birch if they count as wrong, behind it if as the first option.",
        ),
        (
            {"b2": (12, 12), "a1": (12, 13)},
            "Birch is level with Alder if they count as wrong, behind it if as the first option.",
        ),
        ({"a1": (12, 13), "b2": (11, 13)}, "wrong, level with it if as the first option."),
    ],
)
def test_an_order_that_hangs_on_the_rule_is_told(
    make_results: Factory, right: dict[str, tuple[int, int]], words: str
) -> None:
    assert words in told(chosen(make_results, right))


@pytest.mark.parametrize(
    ("p", "words"),
    [
        ((0.5, 0.5), "Both rules decide the same pairs (McNemar's exact test)."),
        ((0.01, 0.5), "Alder and Birch differ only if they count as wrong (McNemar's exact test)."),
        (
            (0.5, 0.01),
            "Alder and Birch differ only if they count as the first option (McNemar's exact test).",
        ),
    ],
)
def test_a_verdict_that_hangs_on_the_rule_is_told(
    make_results: Factory, p: tuple[float, float], words: str
) -> None:
    assert told(chosen(make_results, {"a1": (12, 14), "b2": (9, 11)}, p=p)).endswith(words)


def test_the_tables_named_are_there_and_hold_the_accuracies(make_results: Factory) -> None:
    results = chosen(make_results, {"a1": (12, 14), "b2": (9, 11)})
    [one] = [one for one in found_statements(results) if one.text == told(results)]
    tables = {table.id: table for table in all_tables(results)}
    assert one.basis == ("accuracy", "mcnemar")
    assert [row.cells[4].text for row in tables["accuracy"].rows] == ["0.60", "0.45"]
    assert [row.cells[5].text for row in tables["accuracy"].rows] == ["0.70", "0.55"]


def test_a_system_that_never_chose_is_not_called_wrong_on_everything(make_results: Factory) -> None:
    policies: tuple[Policy, Policy] = ("wrong", "first")
    rows = tuple(
        AccuracyOf("", "", system, policy, right, 20, missing, 0, right / 20, AROUND)
        for system, right, missing in (("a1", 12, 2), ("b2", 0, 20))
        for policy in policies
    )
    pairs = tuple(
        OnSameQuestions(policy, "a1", "b2", 20, McNemar(12, 0, 0.001), 0.6, 0.001)
        for policy in policies
    )
    found = Accuracy(rows, pairs, ())
    results = make_results(cases=4, analyses=Records({accuracy.id: found}))
    (said,) = [one.text for one in findings(results) if one.id == "right"]
    assert said.startswith("Alder got 12 of its 20 questions right")
    assert "0 of 20" not in said
    assert "ahead" not in said
    assert said.endswith(
        "No choice can be read in any answer of Birch. "
        "2 answers without a choice that can be read count as wrong."
    )
