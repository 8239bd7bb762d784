"""Whoever prints a permit says where it holds, in the words of one function."""

from dataclasses import replace
from unittest.mock import Mock

import pytest
from tools.standard.shared import SharedRuns

from medassay.analyses import at_best_words
from medassay.analyses.builtin.trust import trust_finding, trust_summary, trust_table, trusted_in
from medassay.analyses.permit_words import GRANTS, Grant, grants_of, limits
from medassay.analyses.results.whole import Records
from medassay.analyses.versions.gate_permits import GatePermit, permits_words
from medassay.report import read_results
from medassay.report.names import Names
from medassay.report.uses import metric_uses
from medassay.validity import BETWEEN_SYSTEMS, BETWEEN_VERSIONS, Scope, Use, at_best

GATE: Grant = "gate between systems"
GIVEN: dict[Grant, tuple[tuple[Use, ...], tuple[Scope, ...]]] = {
    "rank": (("rank",), ()),
    "screen": (("screen",), ()),
    "gate between systems": (("gate",), (BETWEEN_SYSTEMS,)),
    "gate between versions": (("gate",), (BETWEEN_VERSIONS,)),
}


@pytest.mark.parametrize("grant", GRANTS)
def test_the_sentence_the_tables_and_the_ticks_say_it(
    standard_run: SharedRuns, grant: Grant
) -> None:
    results = read_results(standard_run("missing").folder / "report.json")
    trusted = trusted_in(results.analyses)
    names = Names(results)
    uses, scopes = GIVEN[grant]
    assert grants_of(uses, scopes) == (grant,)
    ranked = next(on for on in trusted if on.dimension == names.judged[results.primary])
    entries = [
        replace(entry, uses=uses, scopes=scopes) if not at else entry
        for at, entry in enumerate(ranked.table.entries)
    ]
    on = replace(ranked, table=replace(ranked.table, entries=tuple(entries)))
    finding = trust_finding([on], names)
    assert finding
    assert f"This is {limits(grant)}." in finding.text
    for table in (trust_summary([on], names), trust_table([on], names)):
        assert limits(grant) in table.caption
    ticks = metric_uses(
        results.model_copy(update={"analyses": Records({**results.analyses, "trust": (on,)})})
    )
    assert ticks
    assert [cell.text == "✓" for cell in ticks.rows[0].cells[1:]] == [
        own == grant for own in GRANTS
    ]
    assert [own for own in dict.fromkeys(map(limits, GRANTS)) if own in ticks.caption] == [
        limits(grant)
    ]


def test_check_and_plan_say_it() -> None:
    for systems in (6, 12, 40):
        assert any(limits(GATE) in words for words in at_best_words(at_best(systems, 5, 100)))
    assert not any(limits("rank") in words for words in at_best_words(at_best(2, 5, 100)))
    assert limits("rank") in at_best_words(at_best(12, 5, 100))[0]


def test_compare_says_it() -> None:
    between = GatePermit("bleu", "Tone", 12, 0.1, 0.2, 0.3)
    [words] = permits_words(["bleu"], [between])
    assert limits(GATE) in words
    [words] = permits_words(["bleu"], [replace(between, scope=BETWEEN_VERSIONS, families=3)])
    assert "between versions means a loss" in words


def test_one_that_may_do_nothing_says_no_scope() -> None:
    entry = Mock(role="metric", metric="m", n_systems=40, uses={"never"}, scopes=(), tau=None)
    finding = trust_finding(
        [Mock(table=Mock(entries=[entry]), dimension="d")], Mock(of_source=str, of_dimension=str)
    )
    assert finding
    assert not any(limits(grant) in finding.text for grant in GRANTS)
