"""Where there is nothing, a sentence says so once, or nothing is said."""

from unittest.mock import Mock

from medassay.analyses.builtin.errors.words import confident_finding
from medassay.analyses.builtin.trust.words import trust_finding


def test_where_no_answer_is_sure_no_system_is_listed_with_none() -> None:
    unsure = [Mock(system=system, confidence=0.3, cause=None) for system in ("a", "b")]
    finding = confident_finding(Mock(questions=unsure, confident_from=0.8), Mock())
    assert finding is not None
    assert finding.text == "No answer is given as more than 80\u00a0% sure."


def test_no_systems_are_not_called_too_few() -> None:
    nothing = Mock(table=Mock(entries=[Mock(role="metric", metric="m", n_systems=0, uses={})]))
    assert trust_finding([nothing], Mock()) is None
