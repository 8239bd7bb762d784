"""Where there is nothing, a sentence says so once, or nothing is said."""

from unittest.mock import Mock

from medassay.analyses.builtin.errors import confident_finding
from medassay.analyses.builtin.trust import _about, trust_finding


def test_where_no_answer_is_sure_no_system_is_listed_with_none() -> None:
    unsure = [Mock(system=system, confidence=0.3, cause=None) for system in ("a", "b")]
    finding = confident_finding(Mock(questions=unsure, confident_from=0.8), Mock())
    assert finding is not None
    assert finding.text == "No answer was given with more than 80% confidence."


def test_no_systems_are_not_called_too_few() -> None:
    nothing = Mock(
        table=Mock(entries=[Mock(role="metric", metric="m", n_systems=0, uses={}, scopes=())])
    )
    assert trust_finding([nothing], Mock()) is None


def few_systems(systems: int, metrics: int) -> str:
    entries = [
        Mock(role="metric", metric=f"m{i}", n_systems=systems, uses={}, scopes=(), tau=None)
        for i in range(metrics)
    ]
    finding = trust_finding([Mock(table=Mock(entries=entries), dimension="d")], Mock())
    assert finding is not None
    return finding.text


def test_systems_of_which_some_metric_could_screen_are_not_too_few_to_test_one() -> None:
    # Of ten systems four metrics may be permitted to screen, and `check` says so beforehand.
    assert few_systems(10, 4) == (
        "None of 4 metrics has been shown to replace raters. Ten systems are few; plan for twelve "
        "or more."
    )
    assert few_systems(8, 54).startswith("Eight systems are too few to test an automatic metric")


def test_a_gate_between_systems_says_where_it_is_blind() -> None:
    entry = Mock(
        role="metric", metric="m", n_systems=40, uses={"gate"}, scopes=("between systems",)
    )
    names = Mock(of_source=str, of_dimension=str)
    finding = trust_finding([Mock(table=Mock(entries=[entry]), dimension="d")], names)
    assert finding is not None
    assert finding.text.startswith(
        "On d m can tell a worse system from a better one. This is not shown within one kind of "
        "system, nor for versions of one system."
    )


def test_one_rater_alone_is_not_said_to_be_reliable() -> None:
    alone = Mock(halves=None, low=None, high=None, undefined="no answer has labels of two raters")
    table = Mock(entries=[], reliability=Mock(value=0.96))
    said = _about(Mock(raters=alone, table=table, unjudged=None, interval_warning=""), Mock())
    assert said == (
        "raters among themselves: no answer has labels of two raters; over the cases the systems' "
        "means have a reliability of 0.96."
    )
