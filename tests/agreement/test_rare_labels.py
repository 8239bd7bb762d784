"""Intervals where a label is rare: the posterior, what it is, and where there is none."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pytest
from rare_labels import ENDURED, coverage
from tools.endurance import Endurance

from medassay.agreement import Agreement, agree_on_units, draw_cases
from medassay.agreement.on_units import FEWEST_RARER, POSTERIOR, prior_answers
from medassay.judgements import Units
from medassay.stats import Interval

BINARY: Final = ["none", "harm"]


def rows(
    codes: Sequence[Sequence[int]],
    labels: Sequence[str] = BINARY,
    *names: str,
    replicates: int = 4000,
    seed: int = 5,
) -> list[Agreement]:
    units = Units.from_codes(codes, labels, scale="interval", scores=range(len(labels)))
    draws = draw_cases(units, np.random.default_rng(seed), replicates)
    return agree_on_units(units, coefficient_names=names, draws=draws)


def interval(row: Agreement) -> Interval:
    assert row.interval is not None, row.no_interval
    return row.interval


def test_of_two_raters_and_labels_it_is_the_dirichlet_posterior_of_the_counts() -> None:
    # 30 answers: 24 with no harm by both, 4 by one of them, 2 by both.
    codes = [[0, 0]] * 24 + [[0, 1], [1, 0]] * 2 + [[1, 1]] * 2
    observed, kappa = rows(codes, BINARY, "mean_pairwise", "fleiss", replicates=40_000)
    rng = np.random.default_rng(8)
    none, one, both = rng.dirichlet([24.5, 4.5, 2.5], size=40_000).T
    shares = none + one / 2, both + one / 2
    chance = shares[0] ** 2 + shares[1] ** 2
    wanted = np.quantile((none + both - chance) / (1 - chance), [0.01, 0.99])  # for 95%
    found = interval(kappa)
    assert found.method == POSTERIOR
    assert (found.low, found.high) == pytest.approx(wanted.tolist(), abs=0.02)
    # Observed agreement is a share: Beta(26 + 1, 4 + 1/2).
    beta = np.quantile(rng.beta(27, 4.5, size=40_000), [0.01, 0.99])  # for 95%
    share = interval(observed)
    assert (share.low, share.high) == pytest.approx(beta.tolist(), abs=0.01)


def test_agreement_everywhere_reaches_up_to_it_and_down_to_what_chance_leaves() -> None:
    (few,) = rows([[0, 0, 0]] * 4 + [[1, 1, 1]], BINARY, "fleiss")
    (many,) = rows([[0, 0, 0]] * 160 + [[1, 1, 1]] * 40, BINARY, "fleiss")
    assert few.value == many.value == 1.0
    assert interval(few).high == interval(many).high == 1.0
    assert interval(few).low < 0.5
    assert interval(many).low > 0.9


def test_which_rater_is_which_changes_nothing() -> None:
    codes = np.array([[0, 0, 0]] * 20 + [[0, 1, 1]] * 3 + [[1, 1, 1]] * 4)
    names = ("fleiss", "gwet", "krippendorff")
    given, turned = (rows(table.tolist(), BINARY, *names) for table in (codes, codes[:, ::-1]))
    for row, again in zip(given, turned, strict=True):
        assert interval(row) == interval(again)


def test_the_same_draws_give_the_same_bytes_and_move_no_other_draw() -> None:
    codes = [[0, 0]] * 24 + [[0, 1]] * 4 + [[1, 1]] * 2
    assert rows(codes, BINARY, "gwet") == rows(codes, BINARY, "gwet", "cohen")[:1]
    units = Units.from_codes(codes, BINARY)
    plain, drawn = (np.random.default_rng(3) for _ in range(2))
    draws = draw_cases(units, drawn, 6)
    assert draws is not None
    wanted = np.stack([np.bincount(plain.integers(30, size=30), minlength=30) for _ in range(1)])
    assert draws.counts[0].tolist() == wanted[0].tolist()


def test_cases_of_a_cluster_weigh_alike() -> None:
    units = Units.from_codes([[0, 0], [0, 1], [1, 1]], BINARY)
    cases = units.cases
    clusters = {cases[0]: "a", cases[2]: "a"}
    draws = draw_cases(units, np.random.default_rng(3), 6, clusters)
    assert draws is not None
    assert (draws.weights[:, 0] == draws.weights[:, 2]).all()
    assert (draws.weights[:, 0] != draws.weights[:, 1]).all()


def test_a_size_without_its_sign_keeps_its_percentiles() -> None:
    codes = [[0, 0]] * 24 + [[0, 1], [1, 0]] * 2 + [[1, 1]] * 2
    bias, prevalence = rows(codes, BINARY, "bias", "prevalence")
    assert interval(bias).method == interval(prevalence).method == "percentile bootstrap"
    assert interval(bias).low == 0


def test_more_labels_have_it_where_one_label_leaves_few_others() -> None:
    labels = ["good", "fair", "bad"]
    rare = [[0, 0, 0]] * 40 + [[0, 1, 1]] * 4 + [[2, 2, 2]] * 2
    even = [[0, 0, 0]] * 20 + [[0, 1, 1]] * 10 + [[2, 2, 2]] * 16
    for codes, method in ((rare, POSTERIOR), (even, "percentile bootstrap")):
        for row in rows(codes, labels, "krippendorff(level=ordinal)", "icc", "gwet"):
            assert interval(row).method == method


@pytest.mark.slow
def test_where_no_prior_answer_can_be_laid_out_rare_labels_have_no_interval() -> None:
    # Three of eight raters judge each answer, and Light's mean reads pairs of raters: of many cases
    # with the rarer label it has percentiles, of few a reason.
    rng = np.random.default_rng(2)

    def study(rare: int) -> list[list[int]]:
        codes = np.full((8 * rare, 8), -1)
        for i, row in enumerate(codes):
            row[rng.choice(8, 3, replace=False)] = (i < rare) * (rng.random(3) < 0.9)
        return codes.tolist()

    few, many = (rows(study(rare), BINARY, "mean_cohen")[0] for rare in (20, 400))
    assert few.interval is None
    assert f"under {FEWEST_RARER} resampled cases" in few.no_interval
    assert interval(many).method == "percentile bootstrap"


def test_prior_answers_share_half_an_answer_a_count() -> None:
    added = prior_answers(Units.from_codes([[0, 1, 1], [1, 1, 1], [0, 0, 0]], BINARY))
    assert added is not None
    counts = added.units.counts[3:, 1]
    assert np.bincount(counts, weights=added.shapes).tolist() == pytest.approx([0.5] * 4)
    # Three labels have ten ways and no more prior answers.
    more = prior_answers(Units.from_codes([[0, 1, 2], [1, 1, 1]], ["a", "b", "c"]))
    assert more is not None
    assert more.shapes.sum() == pytest.approx(2.0)


def test_prior_answers_that_would_be_too_many_are_not_laid_out() -> None:
    codes = [list(range(5)) * 4, [0] * 20]
    assert prior_answers(Units.from_codes(codes, ["a", "b", "c", "d", "e"])) is None


@pytest.mark.slow
@pytest.mark.endure
@pytest.mark.parametrize("study", list(ENDURED))
def test_the_interval_of_agreement_holds_where_a_label_is_rare(
    study: str, endurance: Endurance
) -> None:
    studies = endurance.size("studies", short=150, whole=1000)
    held = coverage(ENDURED[study], studies)[0]
    endurance.found(f"held before {held.before[0]:.3f}, now {held.now[0]:.3f}")
    # .95 of 150 is known to .036, of 1,000 to .014, two errors each; the middle 98% of draws may
    # hold as often as they say, and no more.
    error = 0.036 if studies == 150 else 0.014
    assert 0.95 - error <= held.now[0] <= 0.98 + error
    assert held.now[1] > 0.9 * studies
