"""Means adjusted for raters, where somebody chose which system met which case."""

import numpy as np
import pytest

from medassay.stats import holm, pair_index
from medassay.stats.rater_adjusted import Adjusted, Labels, adjust_for_raters


def _labels(rng: np.random.Generator, *, shared: int = 40, cases: int = 160) -> Labels:
    """Give three equal systems eighty cases each; the first one's own are the hardest."""
    hard = rng.normal(size=cases)
    known = np.zeros((3, cases), dtype=bool)
    known[:, :shared] = True
    for row in known:
        row[shared + rng.permutation(cases - shared)[: 80 - shared]] = True
    known[0, shared:] = False
    known[0, shared + np.argsort(hard[shared:])[: 80 - shared]] = True
    system, case = np.nonzero(known)
    shares = np.array([[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.3, 0.3, 0.4]])
    rater = np.array([rng.choice(3, p=shares[at]) for at in system.tolist()])
    severity = 0.5 * rng.normal(size=3)
    values = 3 + 0.9 * hard[case] + severity[rater] + 0.45 * rng.normal(size=len(case))
    place = np.unique(case, return_inverse=True)[1]
    return Labels(values, np.arange(len(case)), rater, system, place)


def _apart(found: Adjusted) -> bool:
    assert found.contrasts is not None
    pairs = found.contrasts.differences(*pair_index(3))
    return bool((holm([pair.p for pair in pairs if pair.p is not None]) <= 0.05).any())


@pytest.mark.slow
def test_harder_cases_make_no_lead_within_cases() -> None:
    rng = np.random.default_rng(1)
    studies = [_labels(rng) for _ in range(40)]
    chosen = sum(_apart(adjust_for_raters(labels, fixed_cases=True)) for labels in studies)
    as_drawn = sum(_apart(adjust_for_raters(labels)) for labels in studies)
    assert chosen <= 5  # more comes once in a hundred where two are expected
    assert as_drawn >= 8  # twenty in a hundred and more


def test_within_cases_it_is_least_squares_with_cases_as_columns() -> None:
    labels = _labels(np.random.default_rng(2))
    found = adjust_for_raters(labels, fixed_cases=True)
    rows = [np.eye(count)[of] for count, of in (
        (3, labels.system), (3, labels.rater), (labels.cases, labels.case))]  # fmt: skip
    fit = np.linalg.lstsq(np.hstack(rows), labels.values, rcond=None)[0]
    assert np.diff(found.means) == pytest.approx(np.diff(fit[:3]), abs=1e-5)
    assert np.diff(found.severity) == pytest.approx(np.diff(fit[3:6]), abs=1e-5)
    assert found.case_sd == pytest.approx(adjust_for_raters(labels).case_sd)


def test_where_no_case_holds_two_systems_nothing_is_adjusted() -> None:
    rng = np.random.default_rng(3)
    system = np.repeat(np.arange(2), 20)
    labels = Labels(
        rng.normal(size=40), np.arange(40), rng.integers(0, 2, 40), system, np.arange(40)
    )
    assert adjust_for_raters(labels).undefined == ""
    why = adjust_for_raters(labels, fixed_cases=True).undefined
    assert "study.toml does not say that cases were allotted by chance" in why
