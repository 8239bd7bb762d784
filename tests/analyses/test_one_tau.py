"""Tau, its p and what is left of it after Holm's adjustment are one in every table of a report."""

from collections import defaultdict

import pytest
from tools.standard.shared import SharedRuns

from medassay.analyses.builtin.correlations import correlations_in
from medassay.analyses.builtin.system_level import system_level
from medassay.analyses.builtin.trust import trusted_in
from medassay.analyses.results import Results
from medassay.stats import holm
from medassay.validity import Validity

STUDIES = ("missing", "summaries", "pool", "judges", "unjudged", "drawn")


@pytest.fixture(scope="module", params=STUDIES)
def results(request: pytest.FixtureRequest, standard_run: SharedRuns) -> Results:
    return standard_run(request.param).results


def by_pair(results: Results) -> dict[tuple[str, str], Validity]:
    return {(one.metric, one.consensus): one for one in correlations_in(results.analyses)}


def test_the_trust_table_has_the_tau_and_the_p_of_the_list_of_taus(results: Results) -> None:
    of = by_pair(results)
    trusted = trusted_in(results.analyses)
    seen = [(one, on.table) for on in trusted for one in on.table.entries]
    candidates = [(one, table) for one, table in seen if one.role == "metric"]
    assert candidates
    for one, table in candidates:
        told = of[one.metric, table.consensus]
        assert (one.tau, one.p, one.p_adjusted) == (told.tau, told.p, told.p_adjusted)
        assert (one.n_systems, one.n_cases, one.n_answers) == (
            told.n_systems,
            told.n_cases,
            told.n_answers,
        )


def test_other_measures_stand_beside_the_same_tau(results: Results) -> None:
    of = by_pair(results)
    measured = results.analyses.of(system_level)
    assert measured is not None
    shared = [
        (one, of[one.metric, one.consensus])
        for one in measured.levels
        if (one.metric, one.consensus) in of
    ]
    assert shared
    assert [one.tau for one, _ in shared] == [told.tau for _, told in shared]


def test_either_family_of_tests_is_adjusted_as_it_is_called(results: Results) -> None:
    controls = {one.name for one in results.sources if one.control}
    here, everywhere = defaultdict(list), defaultdict(list)
    for one in correlations_in(results.analyses):
        if one.metric in controls or one.p is None:
            assert (one.p_adjusted, one.p_adjusted_everywhere) == (None, None)
            continue
        here[one.method, one.dimension].append((one.p, one.p_adjusted))
        everywhere[one.method].append((one.p, one.p_adjusted_everywhere))
    assert here
    for family in (*here.values(), *everywhere.values()):
        assert [adjusted for _, adjusted in family] == holm([p for p, _ in family]).tolist()


def test_adjusting_for_more_tests_never_makes_p_smaller(results: Results) -> None:
    pairs = [
        (one.p_adjusted, one.p_adjusted_everywhere)
        for one in correlations_in(results.analyses)
        if one.p_adjusted is not None and one.p_adjusted_everywhere is not None
    ]
    assert pairs
    assert all(here <= everywhere for here, everywhere in pairs)
