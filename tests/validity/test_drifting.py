"""Who grows stricter or milder along the order is told; who does not, seldom."""

import numpy as np
import pytest
from other_claims import drift, laid_out

from medassay.analyses.builtin.rater_effects import drift_finding, rater_claims
from medassay.exhibits import Names, VerdictRow
from medassay.judgements import Judgements, load_rubric
from medassay.validity import diagnose_raters
from medassay.validity.diagnostics import drift_p


@pytest.mark.parametrize("leans", ["by case", "on the label before"])
def test_where_nobody_drifts_it_is_said_seldom(leans: str) -> None:
    rng = np.random.default_rng(7)
    said = sum(drift(rng, 3, 60, 4, "answers mixed", leans) for _ in range(200))
    assert said / 200 <= 0.05 + 2 * (0.0475 / 200) ** 0.5


def moving(by: float) -> Judgements:
    """Let r0 end so many points lower than it begins, on 60 cases of one system."""
    rng = np.random.default_rng(2)
    place, truth = rng.permutation(60), rng.integers(2, 5, 60)
    rows = [
        {
            "rater": f"r{rater}", "system": "A", "case": f"c{case:02}", "dimension": "quality",
            "position": int(place[case]),
            "label": str(np.clip(round(truth[case] + 0.3 * rng.normal()
                                       - by * (rater == 0) * place[case] / 60), 1, 5)),
        }
        for rater in range(3) for case in range(60)
    ]  # fmt: skip
    return Judgements.from_rows(rows, load_rubric("likert5"))


def test_who_drifts_is_told_with_p_and_row() -> None:
    effects = diagnose_raters(moving(2.0), rng=1, fits=(), replicates=200)
    finding = drift_finding(effects, Names())
    assert finding is not None
    assert finding.text.startswith("R0 drifted on quality: ")
    assert "points stricter than the others with every 100 ratings" in finding.text
    [claim] = [claim for claim in rater_claims(effects) if claim.finding == "drift"]
    assert claim.row is VerdictRow.DRIFT
    assert claim.p is not None
    assert claim.p < 0.01
    assert claim.tests == 3


def test_nobody_is_told_who_does_not_drift() -> None:
    assert (
        drift_finding(diagnose_raters(moving(0.0), rng=1, fits=(), replicates=200), Names()) is None
    )


def test_with_few_cases_or_no_order_nothing_is_tested() -> None:
    rng = np.random.default_rng(1)
    said, place = rng.normal(size=(3, 9, 1)), np.arange(27.0).reshape(3, 9, 1)
    assert drift_p({"quality": laid_out(said, place)}) == {}
    said, place = rng.normal(size=(3, 12, 1)), np.full((3, 12, 1), np.nan)
    assert drift_p({"quality": laid_out(said, place)}) == {}
